import Foundation
import Testing

@testable import loopsim

@Suite("What a person typed in the health app, in an export of Apple Health")
struct TypedInHealthTests {
  /// Two hours of basal at 0.8 U/h of Loop, a bolus of 3 U that was typed in the health app within
  /// them, and a copy of another app.
  private static func export(healthApp name: String) -> String {
    func record(_ source: String, _ span: (String, String), _ units: Double, _ more: String)
      -> String
    {
      """
      <Record type="HKQuantityTypeIdentifierInsulinDelivery" sourceName="\(source)" unit="IU" \
      creationDate="2026-03-10 \(span.1):00 +0000" startDate="2026-03-10 \(span.0):00 +0000" \
      endDate="2026-03-10 \(span.1):00 +0000" value="\(units)">
      \(more)
      </Record>
      """
    }
    func reason(_ number: Int) -> String {
      "<MetadataEntry key=\"HKInsulinDeliveryReason\" value=\"\(number)\"/>"
    }
    let byHand = reason(2) + "<MetadataEntry key=\"HKWasUserEntered\" value=\"1\"/>"
    return "<HealthData locale=\"en_US\">\n"
      + [
        record("Loop", ("09:00", "10:00"), 0.8, reason(1)),
        record("Loop", ("10:00", "11:00"), 0.8, reason(1)),
        record(name, ("10:30", "10:30"), 3, byHand),
        record("Copies", ("10:40", "10:40"), 1.5, reason(2)),
      ].joined(separator: "\n") + "\n</HealthData>"
  }

  @Test("counts first in statistics, as of that app", arguments: ["Health", "Santé", "Salud"])
  func countsFirst(name: String) async throws {
    let fixture = try StoreFixture()
    let (xml, store) = (fixture.folder + "/export.xml", fixture.folder + "/new.sqlite")
    try Data(Self.export(healthApp: name).utf8).write(to: URL(fileURLWithPath: xml))
    #expect(await program(["store", "import", store, xml]).code == 0)
    let order = await program(["store", "priority", store, "InsulinDelivery"])
    let others = "Loop (import.loop)\nCopies (import.copies)\n"
    #expect(order.output == "Health (com.apple.Health)\n\(others)")
    // 2 × 0.8 U of basal, and the 3 U, which no time of Loop's hides; those of the other app come
    // while Loop's basal lasts.
    let sums = await program(
      ["store", "statistics", store, "InsulinDelivery", "--source", "Health", "--format", "csv"])
    #expect(sums.output.contains(",1,3,"), "\(sums.output)")
    let all = await program(["store", "statistics", store, "InsulinDelivery", "--format", "csv"])
    #expect(all.output.contains(",all sources,4,4.6,"), "\(all.output)")
    let audit = await program(["audit", xml])
    #expect(audit.output.contains("2026-03-10       6.10         4.60        6.10"), "\(audit)")
  }

  @Test("counts first on its way through Tidepool's data model, which keeps who wrote it")
  func throughTidepool() async throws {
    let fixture = try StoreFixture()
    let (xml, store) = (fixture.folder + "/export.xml", fixture.folder + "/new.sqlite")
    let (json, other) = (fixture.folder + "/tidepool.json", fixture.folder + "/other.sqlite")
    try Data(Self.export(healthApp: "Health").utf8).write(to: URL(fileURLWithPath: xml))
    #expect(await program(["store", "import", store, xml]).code == 0)
    #expect(await program(["store", "export", store, json, "--format", "tidepool"]).code == 0)
    #expect(await program(["store", "import", other, json]).code == 0)
    let order = await program(["store", "priority", other, "InsulinDelivery"])
    #expect(
      order.output == """
        Health (com.apple.Health)
        Health (import.tidepool.com.apple.Health)
        Loop (import.tidepool.import.loop)
        Copies (import.tidepool.import.copies)

        """)
    let audit = await program(["audit", json])
    #expect(audit.output.contains("2026-03-10       6.10         4.60        6.10"), "\(audit)")
  }

  @Test("is basal on the page of the store where it is said to be, as of a person with pens alone")
  func basalOfPens() async throws {
    let fixture = try StoreFixture()
    let store = fixture.folder + "/pens.sqlite"
    let xml = fixture.folder + "/pens.xml"
    func record(_ hour: Int, _ units: Int, _ reason: Int) -> String {
      let date = "2026-03-10 \(hour):00:00 +0000"
      return """
        <Record type="HKQuantityTypeIdentifierInsulinDelivery" sourceName="Health" unit="IU" \
        creationDate="\(date)" startDate="\(date)" endDate="\(date)" value="\(units)">
        <MetadataEntry key="HKInsulinDeliveryReason" value="\(reason)"/>
        <MetadataEntry key="HKWasUserEntered" value="1"/>
        </Record>
        """
    }
    let records = record(12, 6, 2) + record(22, 20, 1)
    let export = "<HealthData locale=\"en_US\">\n\(records)\n</HealthData>"
    try Data(export.utf8).write(to: URL(fileURLWithPath: xml))
    #expect(await program(["store", "import", store, xml]).code == 0)
    let page = await program(["report", store, "--zone", "UTC", "-o", "-"])
    #expect(page.output.contains("26 U, 20 U of it basal, 0 readings"), "\(page.error)")
    #expect(page.output.contains("Days with basal</dt><dd>1</dd>"))
  }
}
