import ClosedLoop
import Devices
import HealthStore
import Quantities
import Simulation
import Testing

@Suite("What the app took for true and was not, as a run tells it")
struct WrongBeliefTests {
  /// A run in open loop in which glucose stays at 110 mg/dL, but for what happens.
  private func run(_ events: [ScenarioEvent], hours: Int64 = 6) throws -> RunResult {
    var fixture = Fixture()
    fixture.duration = .hours(hours)
    fixture.events = events
    return try fixture.result()
  }

  /// A fault from 01:00 to 03:00.
  private func during(_ effect: Fault.Effect) -> [ScenarioEvent] {
    [
      ScenarioEvent(at: .at(1), id: "wrong", .beginFault(Fault(id: "wrong", effect))),
      ScenarioEvent(at: .at(3), .endFault(id: "wrong")),
    ]
  }

  private func texts(_ kind: RunTrouble.Kind, _ events: [ScenarioEvent]) throws -> [String] {
    try run(events).troubles.filter { $0.kind == kind }.map(\.sentence)
  }

  // MARK: - The sensor

  /// The row in which readings lie furthest from glucose, of those between two times.
  private func worst(_ result: RunResult, from start: Instant, to end: Instant) throws -> String {
    let rows = result.trace.rows.filter { $0.instant >= start && $0.instant < end }
    func error(_ row: TraceRow) -> Double {
      row.reading.map { ($0.mgdL - row.trueGlucose.mgdL).magnitude } ?? 0
    }
    let largest = rows.map(error).max()
    let row = try #require(rows.first { error($0) == largest })
    let shown = try #require(row.reading)
    return "at \(result.moment(row.instant)) it showed \(Int(shown.mgdL.rounded())) mg/dL, and "
      + "glucose was \(Int(row.trueGlucose.mgdL.rounded())) mg/dL."
  }

  @Test("Readings that are 60 % too high are told, with the worst and for how long")
  func biased() throws {
    let result = try run(during(.sensor(.bias(gain: 1.6, offset: 0))))
    let told = result.troubles.filter { $0.kind == .wrongReading }
    #expect(told.count == 1)
    #expect(
      try told[0].text.wholeMatch(
        of: /The sensor's readings were up to 6[67] mg\/dL too high for 1h55m from 01:00:00: (.*)/)?
        .1 == worst(result, from: .at(1), to: .at(3))[...])
  }

  @Test("Readings that are too low are told apart from those that are too high, each together")
  func bothWays() throws {
    let low = Fault(id: "low", .sensor(.bias(gain: 1, offset: -60)))
    let again = Fault(id: "again", .sensor(.bias(gain: 1, offset: -50)))
    let result = try run(
      during(.sensor(.bias(gain: 1.6, offset: 0))) + [
        ScenarioEvent(at: .at(3), id: "low", .beginFault(low)),
        ScenarioEvent(at: .at(4), .endFault(id: "low")),
        ScenarioEvent(at: .at(5), id: "again", .beginFault(again)),
        ScenarioEvent(at: .at(5, 30), .endFault(id: "again")),
      ])
    let told = result.troubles.filter { $0.kind == .wrongReading }
    #expect(told.map(\.start) == [.at(1), .at(3)])
    // From 03:00 to 03:55 and from 05:00 to 05:25.
    #expect(
      try told.last?.text == "The sensor's readings were up to 60 mg/dL too low for 1h20m in 2 "
        + "stretches from 03:00:00: " + worst(result, from: .at(3), to: .at(4)))
  }

  @Test("What a sensor may be off is no trouble, nor what lasts for three readings")
  func allowed() throws {
    #expect(try texts(.wrongReading, during(.sensor(.bias(gain: 1, offset: 39)))).isEmpty)
    #expect(try texts(.wrongReading, during(.sensor(.bias(gain: 1.38, offset: 0)))).isEmpty)
    let spike = ScenarioEvent(
      at: .at(2), id: "spike",
      .beginFault(Fault(id: "spike", .sensor(.bias(gain: 1, offset: 100)))))
    let end = ScenarioEvent(at: .at(2, 11), .endFault(id: "spike"))
    #expect(try texts(.wrongReading, [spike, end]).isEmpty)
  }
}
