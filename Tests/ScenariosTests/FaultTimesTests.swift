import Quantities
import ScenarioLanguage
import StructuredText
import Testing

@testable import Scenarios

@Suite("The times of faults")
struct FaultTimesTests {
  private static let start = Instant(secondsSince1970: 1_767_571_200)

  /// The spans of a fault in a day or more, and what is reported.
  private static func spans(
    _ fault: String, length: FaultLength = .open, seed: UInt64 = 1, days: Int = 1
  ) throws -> (spans: [FaultTimes.Span], problems: [String]) {
    let written = try WrittenScenario("clock: { duration: '\(days)d' }, fault: { \(fault) }")
    let times = FaultTimes(in: written.root.context, seed: seed)
    let spans = times.spans(of: written.root["fault"], length: length, id: "cgm.dropout")
    return (spans, written.sentences)
  }

  @Test("A fault without an end of its own is open, one with a span ends after it")
  func lengths() throws {
    let open = try Self.spans("at: '03:00'")
    #expect(open.spans.map(\.start) == [Self.start + .hours(3)])
    #expect(open.spans.map(\.end) == [nil])
    let brief = try Self.spans(
      "at: ['03:00', '05:00']", length: .drawn(.minutes(10)...(.minutes(10))))
    let ends: [Instant?] = [Self.start + .minutes(190), Self.start + .minutes(310)]
    #expect(brief.spans.map(\.end) == ends)
    #expect(open.problems + brief.problems == [])
  }

  @Test("A fault by chance comes so often at most, in the run, whatever its lengths")
  func arrivals() throws {
    let few = try Self.spans("every: { mean: '1h', count: 3 }").spans
    #expect(few.count == 3)
    let many = try Self.spans("every: { mean: '1h' }")
    let drawn = try Self.spans(
      "every: { mean: '1h' }", length: .drawn(.minutes(5)...(.minutes(30))))
    #expect(many.spans.map(\.start) == drawn.spans.map(\.start))
    #expect(Array(many.spans.map(\.start).prefix(3)) == few.map(\.start))
    for span in drawn.spans {
      #expect(Self.start < span.start && span.start < Self.start + .days(1))
      let end = try #require(span.end)
      #expect((.minutes(5)...(.minutes(30))).contains(end - span.start))
    }
    let other = try Self.spans("every: { mean: '1h' }", seed: 2)
    #expect(other.spans.map(\.start) != many.spans.map(\.start))
  }

  @Test("Neither a longer run nor how likely each is moves those that came before")
  func lasting() throws {
    let all = try Self.spans("every: { mean: '1h' }").spans.map(\.start)
    let day = try Self.spans("every: { mean: '1h' }, probability: 0.5").spans.map(\.start)
    let two = try Self.spans("every: { mean: '1h' }, probability: 0.5", days: 2).spans
    #expect(day == two.map(\.start).filter { $0 < Self.start + .days(1) })
    #expect(day.allSatisfy(all.contains))
    #expect(!day.isEmpty && day.count < all.count)
  }

  @Test("A fault that has no chance does not come; one outside the run is an error")
  func refused() throws {
    let never = try Self.spans("during: ['01:00', '1h'], probability: 0")
    #expect(never.spans.isEmpty && never.problems.isEmpty)
    let late = try Self.spans("during: ['2026-01-07T00:00:00', '1h']")
    #expect(late.spans.isEmpty)
    #expect(late.problems == ["The fault lies outside the run."])
  }

  @Test("A fault without an id is known by what goes wrong, whatever is remarked beside it")
  func names() throws {
    let written = try WrittenScenario(
      """
      faults: [
        { cgm: { note: 'at night', dropout: {} } }, { id: 'mine', cgm: { dropout: {} } },
        { cgm: { 'x-ticket': 7, dropout: {} } }, { note: 'the tube', pump: { leak: {} } },
      ]
      """)
    let faults = try #require(written.root["faults"].node?.items)
    let names = ["cgm.dropout", "mine", "cgm.dropout-2", "pump.leak"]
    #expect(FaultKeys.names(of: faults) == names)
  }

  @Test("An expectation may name a fault by the name that it has without an id")
  func outside() {
    func sentences(_ name: String) -> [String] {
      CheckTests.sentences(
        """
        faults: [{ at: '10:00', cgm: { note: 'n', dropout: { duration: '1h' } } }],
        expect: [
          { series: 'glucose.true', never: { below: 54 }, outside: ['\(name)'] },
        ]
        """)
    }
    #expect(sentences("cgm.dropout") == [])
    let wrong = sentences("cgm.dropot")
    #expect(wrong.count == 1)
    #expect(
      wrong.first?.hasSuffix(
        "There is no fault \"cgm.dropot\". Did you mean \"cgm.dropout\"?") == true, "\(wrong)")
  }
}
