import Quantities
import ScenarioLanguage
import Scenarios
import Simulation
import StructuredText
import Testing

/// A time of day is the next such time, so that '07:00' at 09:00 dates a sample a day late.
@Suite("Times of other apps' samples, in scenarios")
struct SampleForecastTests {
  private static func text(_ event: String) -> String {
    """
    { format: 'loopsim/1', clock: { duration: '2d' },
      patient: { model: 'tidepool-simple', needs: { basal: [['00:00', 1]],
        sensitivity: [['00:00', 50]], carbRatio: [['00:00', 10]] } },
      app: { closedLoop: false }, events: [
      \(event)] }
    """
  }

  private static func warnings(_ event: String) -> [String] {
    BehaviourFixture.attempt(text(event)).1
  }

  @Test("A time of day before that of writing is the next day's, and the check says so")
  func nextDay() {
    let event = "{ at: '09:00', healthStore: { write: { bolus: 2, start: '07:00' } } }"
    let found = Self.warnings(event)
    #expect(found.count == 1, "\(found)")
    // The 57th character of the event, which stands two characters into the line.
    #expect(
      found.first?.hasSuffix(
        ":5:59: warning: \"07:00\" is the next such time, 2026-01-06T07:00:00Z, and the sample is "
          + "written at 2026-01-05T09:00:00Z, 22h before. A time before it is written is a span "
          + "such as '-2h', or has its day. [W-TIME]") == true, "\(found)")
  }

  @Test("A bolus that is reported at a time of day before it is reported the next day")
  func bolus() {
    func found(_ at: String) -> [String] {
      Self.warnings("{ at: '09:00', bolus: { units: 2, reported: { units: 1, at: \(at) } } }")
    }
    let warned = found("'07:00'")
    #expect(warned.count == 1, "\(warned)")
    #expect(
      warned.first?.hasSuffix(
        ":5:63: warning: \"07:00\" is the next such time, 2026-01-06T07:00:00Z, and the bolus is "
          + "asked for at 2026-01-05T09:00:00Z, 22h before. A time before it is a span such as "
          + "'-2h', or has its day. [W-TIME]") == true, "\(warned)")
    for meant in ["'-2h'", "'d0 07:00'", "'d1 07:00'", "'+22h'", "'09:30'", "'17:00'"] {
      #expect(found(meant) == [], "\(meant)")
    }
  }

  @Test("A span of a report counts from its bolus, and the check of the file has it so")
  func spanOfReport() throws {
    let event = "{ at: '09:00', bolus: { units: 2, reported: { units: 1, at: '-8h' } } }"
    let problems = ProblemList()
    var reader = ScenarioReader(files: MemoryFiles(["s.json5": Self.text(event)]))
    _ = ScenarioCheck.plan("s.json5", reader: &reader, problems: problems)
    #expect(problems.problems.isEmpty, "\(problems.sorted.map(\.description))")
    let built = try BehaviourFixture.built(Self.text(event))
    let reports = built.setup.events.filter {
      if case .recordBolus = $0.action { true } else { false }
    }
    // 01:00, eight hours before 09:00.
    #expect(reports.map { $0.instant - built.setup.start } == [.hours(1)])
    // Before the run is before the run.
    #expect(!Self.warnings(event.replacing("-8h", with: "-10h")).isEmpty)
  }

  @Test("A bolus that is cancelled at a time of day before it is cancelled the next day, in vain")
  func cancelling() {
    func found(_ at: String) -> [String] {
      Self.warnings("{ at: '09:00', bolus: { units: 2, cancelAt: \(at) } }")
    }
    let warned = found("'08:45'")
    #expect(warned.count == 1, "\(warned)")
    #expect(
      warned.first?.contains(
        "\"08:45\" is the next such time, 2026-01-06T08:45:00Z, and the bolus is asked for at "
          + "2026-01-05T09:00:00Z, 23h45m before.") == true, "\(warned)")
    #expect(found("'+30s'") == [] && found("'09:01'") == [])
  }

  @Test("A bolus just before midnight may be reported just after")
  func midnight() {
    let event = "{ at: '23:40', bolus: { units: 2, reported: { units: 1, at: '00:10' } } }"
    #expect(Self.warnings(event) == [])
  }

  @Test("One event that happens twice is told of once")
  func twice() {
    let event = "{ at: ['09:00', '10:00'], healthStore: { write: { carbs: 2, start: '07:00' } } }"
    #expect(Self.warnings(event).count == 1)
  }

  @Test(
    "A time that says which one is meant is not warned of",
    arguments: [
      "start: '-2h'", "start: 'd0 07:00'", "start: '2026-01-05T07:00:00'", "start: 'd1 07:00'",
      "start: '+22h'", "start: '10:00'", "source: 'A'",
    ])
  func meant(start: String) {
    let event = "{ at: '09:00', healthStore: { write: { bolus: 2, \(start) } } }"
    #expect(Self.warnings(event) == [])
  }
}
