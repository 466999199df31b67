import Foundation
import StructuredText
import Testing

@testable import loopsim

/// Answers with text of files in which a terminal would find orders, or which turns the direction.
@Suite("Answers that are JSON, whatever text they have")
struct InertAnswerTests {
  private static let title = "a\u{202E}b\u{9B}31m"

  private func scenario(in scratch: Scratch) throws {
    try Files.write(
      """
      { format: 'loopsim/1', id: 'odd', title: 'a\\u202eb\\u009b31m', clock: { duration: '30m' },
        patient: { model: 'tidepool-simple', needs: { basal: [['00:00', 1]],
          sensitivity: [['00:00', 50]], carbRatio: [['00:00', 10]] } } }
      """, to: scratch.file("odd.json5"))
  }

  private func isInert(_ text: String) -> Bool {
    !text.unicodeScalars.contains { $0 == "\u{202E}" || $0 == "\u{9B}" }
  }

  @Test("The JSON of a run says the very title, and nothing that a terminal obeys")
  func run() throws {
    let scratch = try Scratch()
    try scenario(in: scratch)
    let made = try Binary.run(
      ["run", "odd.json5", "--out", "out", "--format", "json"], in: scratch.url)
    #expect(made.code == 0, "\(made.error)")
    let root = try #require(JSONReader.read(text: made.output, file: "").root, "\(made.output)")
    #expect(root.items?.first?["title"]?.string == Self.title)
    #expect(isInert(made.output))
    #expect(made.output.hasSuffix("\n]\n"))
  }

  @Test(
    "What a scenario holds is shown, and not obeyed",
    arguments: [["expand", "odd.json5"], ["expand", "odd.json5", "--format", "json"]])
  func expand(words: [String]) throws {
    let scratch = try Scratch()
    try scenario(in: scratch)
    let made = try Binary.run(words, in: scratch.url)
    #expect(made.code == 0 && isInert(made.output), "\(made.output)")
    guard words.contains("json") else {
      #expect(made.output.contains("a\\u{202E}b\\u{9B}31m"), "\(made.output)")
      return
    }
    let root = JSONReader.read(text: made.output, file: "").root
    let values = root?.items?.first?["values"]?.items ?? []
    let title = values.first { $0["path"]?.string == "title" }
    #expect(title?["value"]?.string == Self.title, "\(made.output)")
  }

  @Test("A source of a record with such a name is shown in an audit", arguments: ["text", "json"])
  func audit(format: String) throws {
    let scratch = try Scratch()
    let record = [7, 9].map { hour in
      """
      <Record type="HKQuantityTypeIdentifierInsulinDelivery" sourceName="\(Self.title)" unit="IU" \
      creationDate="2026-01-15 0\(hour):00:00 +0000" startDate="2026-01-15 0\(hour):00:00 +0000" \
      endDate="2026-01-15 0\(hour):00:00 +0000" value="1"><MetadataEntry \
      key="HKInsulinDeliveryReason" value="2"/></Record>
      """
    }
    try Files.write(
      "<?xml version=\"1.0\"?><HealthData>\(record.joined())</HealthData>",
      to: scratch.file("export.xml"))
    let made = try Binary.run(["audit", "export.xml", "--format", format], in: scratch.url)
    #expect(made.code == 0 && isInert(made.output), "\(made.error)")
    let shown = format == "text" ? "a\\u{202E}b\\u{9B}31m" : "a\\u202eb\\u009b31m"
    #expect(made.output.contains(shown), "\(made.output)")
  }
}
