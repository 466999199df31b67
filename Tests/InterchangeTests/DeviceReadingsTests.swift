import Quantities
import StructuredText
import Testing

@testable import Interchange

@Suite("Readings of two devices in the same time")
struct DeviceReadingsTests {
  private func tidepool(_ second: Int) throws -> ImportReport {
    var objects: [String] = []
    for (device, first) in [("Dexcom", 10), ("Libre", second)] {
      objects += (first..<(first + 15)).map { minute in
        "{\"id\":\"\(device)\(minute)\",\"type\":\"cbg\",\"deviceId\":\"\(device)\","
          + "\"time\":\"2026-03-10T06:\(minute):00Z\",\"value\":100,\"units\":\"mg/dL\"}"
      }
    }
    let problems = ProblemList()
    let text = "[\(objects.joined(separator: ",\n"))]"
    let root = try #require(JSONReader.read(Array(text.utf8), file: "a.json").root)
    var reader = TidepoolReader(file: "a.json")
    let samples = reader.samples(of: root, problems: problems)
    #expect(samples?.count == 30)
    return reader.report
  }

  @Test("Of Tidepool they are named, and one device after the other is not")
  func ofTidepool() throws {
    // From 06:12 to 06:24 both have one a minute.
    let warnings = try tidepool(12).warnings
    #expect(
      warnings.map(\.description) == [
        "a.json:3:1: warning: 26 records have readings of Dexcom and Libre in the same time, which "
          + "are taken as of one source."
      ])
    #expect(try tidepool(40).warnings.isEmpty)
  }

  @Test("Of more pairs than are named the others are told together, each reading once")
  func manyPairs() throws {
    var rows: [String] = []
    for minute in 10..<40 {
      for device in ["a", "b", "c", "d"] {
        rows.append("2026-03-10T06:\(minute):00Z,\(100 + minute),\(device)\n")
      }
    }
    let text = "time,glucose,device\n" + rows.joined()
    var table = try #require(
      RecordTable.read(Array(text.utf8), file: "a.csv", problems: ProblemList()))
    #expect(table.samples(on: .utc).count == 120)
    let remarks = table.report.remarks
    // Six pairs of 30 readings a device; those that are not named are of three devices or of four.
    #expect(remarks.count == 4)
    #expect(remarks.dropLast().map(\.count) == [60, 60, 60])
    #expect(
      remarks.last?.reason
        == "readings of 3 more pairs of devices in the same time, which are taken as of one source")
    #expect([90, 120].contains(remarks.last?.count))
  }

  @Test("Of a table that becomes samples they are named")
  func ofTable() throws {
    let rows = (10..<40).map { minute in
      "2026-03-10T06:\(minute):00Z,\(100 + minute),\(minute % 2 == 0 ? "phone" : "reader")\n"
    }
    let problems = ProblemList()
    let text = "time,glucose,device\n" + rows.joined()
    var table = try #require(
      RecordTable.read(Array(text.utf8), file: "a.csv", problems: problems))
    #expect(table.samples(on: .utc).count == 30)
    #expect(
      table.report.warnings.map(\.description) == [
        "a.csv:3:1: warning: 28 records have readings of phone and reader in the same time, which "
          + "are taken as of one source."
      ])
  }
}
