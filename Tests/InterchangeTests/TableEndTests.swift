import HealthStore
import Quantities
import StructuredText
import Testing

@testable import Interchange

@Suite("When insulin of a table ended")
struct TableEndTests {
  /// A table of one bolus of 2 U at once and 3 U over a time.
  private func table(
    asked: String, given: String = "", from start: String = "", until end: String = ""
  ) -> String {
    """
    Type,CompletionDateTime,InsulinDelivered,BolexStartDateTime,BolexCompletionDateTime,\
    BolexInsulinDelivered,RequestDateTime
    Bolus,\(given),2,\(start),\(end),3,\(asked)
    """
  }

  private func read(_ text: String, _ order: DateOrder? = nil) -> (RecordTable?, [String]) {
    let problems = ProblemList()
    let table = RecordTable.read(
      Array(text.utf8), file: "a.csv", options: .init(dateOrder: order), problems: problems)
    return (table, problems.sorted.map(\.description))
  }

  @Test("An end that is no date in the order of dates is an error, and no end that is left out")
  func endInAnotherOrder() {
    let text = table(
      asked: "03/12/2026 23:54", given: "03/12/2026 23:55", from: "03/12/2026 23:55",
      until: "03/13/2026 01:55")
    let (none, problems) = read(text, .dayFirst)
    #expect(none == nil)
    #expect(
      problems == [
        "a.csv:2:43: error: \"03/13/2026 01:55\" is no date when dates are read day-first."
      ])
  }

  @Test("An end that has only one order tells that of the beginnings")
  func endTellsTheOrder() throws {
    let (read, problems) = read(
      table(asked: "03/12/2026 23:54", from: "03/12/2026 23:55", until: "03/13/2026 01:55"))
    var found = try #require(read, "\(problems)")
    let slow = try #require(found.samples(on: .utc).map(\.sample).last)
    #expect("\(slow.start) \(slow.end)" == "2026-03-12T23:55:00Z 2026-03-13T01:55:00Z")
  }

  @Test(
    "An end that is no time, and one that has no offset as the beginning has, are errors",
    arguments: [
      ("soon", "\"soon\" is no time."), ("2026-03-04T12:00:30", "one has an offset from UTC"),
    ])
  func unreadableEnd(end: String, words: String) {
    let (none, problems) = read(table(asked: "2026-03-04T12:00:00-06:00", given: end))
    #expect(none == nil)
    #expect(problems.count == 1 && problems.allSatisfy { $0.contains(words) }, "\(problems)")
  }

  @Test("An end has its own offset")
  func offsetOfTheEnd() throws {
    let (read, problems) = read(
      table(asked: "2026-03-08T01:59:00-06:00", given: "2026-03-08T03:01:00-05:00"))
    var found = try #require(read, "\(problems)")
    // 03:01 of summer time is two minutes after 01:59 of winter time.
    let ends = found.samples(on: .utc).map { $0.sample.end - $0.sample.start }
    #expect(ends.sorted() == [.zero, .minutes(2)])
  }

  @Test("Of insulin that ends before it begins it is said that it counts as given at once")
  func endBeforeTheBeginning() throws {
    let (read, problems) = read(
      table(asked: "2026-03-04T19:00:00", given: "2026-03-04T17:59:00"))
    var found = try #require(read, "\(problems)")
    #expect(found.samples(on: .utc).allSatisfy { $0.sample.duration == .zero })
    #expect(found.report.warnings.contains { $0.sentence.contains("ends before it begins") })
  }
}
