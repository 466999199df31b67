import Foundation
import Testing

@testable import loopsim

@Suite("The report of an import into a store")
struct StoreImportReportTests {
  @Test("A file or a store that cannot be read makes no folder of a report")
  func unreadable() async throws {
    let fixture = try StoreFixture()
    let (folder, xml) = (fixture.folder, fixture.folder + "/export.xml")
    #expect(await fixture.run("export", fixture.path, xml).code == 0)
    let broken =
      "<HealthData>\n<Record type=\"HKQuantityTypeIdentifierBloodGlucose\" sourceName=\"x\" "
      + "unit=\"mg/dL\" startDate=\"2026-01-15 00:00:00 +0000\" "
      + "endDate=\"2026-01-15 00:00:00 +0000\" value=\"100\"/>\n<Record type=\"HK"
    let files = [
      ("b.xml", broken),
      ("a.json", "{ \"a\":"), ("a.csv", "time,glucose_mgdL\nx,1\n"), ("no.sqlite", "no store"),
    ]
    for (name, text) in files {
      try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
    }
    let cases = [
      ("new.sqlite", "a.json"), ("new.sqlite", "a.csv"), ("no.sqlite", xml),
      ("new.sqlite", "b.xml"),
    ]
    for (store, input) in cases {
      let file = input == xml ? xml : "\(folder)/\(input)"
      let result = await program(
        ["store", "import", "\(folder)/\(store)", file, "--report", "\(folder)/new/of/report.json"])
      #expect(result.code == 65, "\(result.error)")
      for left in ["new", "new.sqlite"] {
        #expect(!FileManager.default.fileExists(atPath: "\(folder)/\(left)"))
      }
    }
  }

  @Test("A folder that is named through one that is not there is made, and removed again")
  func throughMissing() async throws {
    let fixture = try StoreFixture()
    let folder = fixture.folder
    let xml = folder + "/export.xml"
    #expect(await fixture.run("export", fixture.path, xml).code == 0)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: xml))
    try bytes.dropLast(20).write(to: URL(fileURLWithPath: "\(folder)/broken.xml"))
    let report = "\(folder)/new/../of/report.json"
    #expect(Files.missingFolders(of: report).count == 3)
    func take(_ name: String) async -> Int32 {
      await program(
        ["store", "import", "\(folder)/a.sqlite", "\(folder)/\(name)", "--report", report]
      ).code
    }
    func isThere(_ name: String) -> Bool {
      FileManager.default.fileExists(atPath: "\(folder)/\(name)")
    }
    #expect(await take("broken.xml") == 65)
    #expect(!isThere("new") && !isThere("of"))
    #expect(await take("export.xml") == 0)
    #expect(isThere("of/report.json"))
  }
}
