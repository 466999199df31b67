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
    let files = [
      ("a.json", "{ \"a\":"), ("a.csv", "time,glucose_mgdL\nx,1\n"), ("no.sqlite", "no store"),
    ]
    for (name, text) in files {
      try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
    }
    for (store, input) in [("new.sqlite", "a.json"), ("new.sqlite", "a.csv"), ("no.sqlite", xml)] {
      let file = input == xml ? xml : "\(folder)/\(input)"
      let result = await program(
        ["store", "import", "\(folder)/\(store)", file, "--report", "\(folder)/new/report.json"])
      #expect(result.code == 65, "\(result.error)")
      for left in ["new", "new.sqlite"] {
        #expect(!FileManager.default.fileExists(atPath: "\(folder)/\(left)"))
      }
    }
  }
}
