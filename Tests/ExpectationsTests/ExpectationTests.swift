import Outcomes
import Quantities
import RunPlans
import ScenarioLanguage
import Scenarios
import Simulation
import StructuredText
import Testing

@testable import Expectations

@Suite("Expectations")
struct ExpectationTests {
  /// Runs two hours of 0.4 U/h with one bolus of 1 U, and evaluates the expectations.
  private static func outcomes(
    _ expectations: String, faults: String = ""
  ) throws -> [ExpectationResult] {
    let text = """
      { format: 'loopsim/1',
        clock: { start: '2026-01-15T00:00:00', timeZone: 'UTC', duration: '2h' },
        patient: { model: 'tidepool-simple', initialGlucose: 150, needs: { basal: [['00:00', 0.4]],
          sensitivity: [['00:00', 50]], carbRatio: [['00:00', 10]] } },
        app: { closedLoop: false }, events: [{ at: '00:30', bolus: { units: 1.0 } }],
        faults: [\(faults)], expect: [\(expectations)] }
      """
    let problems = ProblemList()
    var reader = ScenarioReader(files: MemoryFiles(["s.json5": text]))
    let read = reader.read("s.json5", problems: problems)
    let document = try #require(read)
    let planned = RunPlan(document, reader: reader, problems: problems)
    let plan = try #require(planned)
    let built = try #require(
      RunBuilder.build(plan.run(at: 0), problems: problems), "\(problems.problems)")
    var run = Run(built.setup)
    while run.step() {}
    let result = run.finish()
    let measurements = RunMeasurements(result)
    return built.expectations.map {
      $0.evaluate(
        result, measurements: measurements, file: "s.json5", in: surroundings(MemoryFiles([:])))
    }
  }

  @Test(
    "What is so passes, and its opposite fails",
    arguments: [
      ("metric: 'bolusUnits', equals: 1", "metric: 'bolusUnits', equals: 1.05"),
      ("metric: 'basalUnits', min: 0.8, max: 0.8", "metric: 'basalUnits', min: 0.81"),
      ("metric: 'askedUnits', min: 1.799, max: 1.801", "metric: 'askedUnits', max: 1.7"),
      ("metric: 'deliveredUnits', equals: 1.8", "metric: 'deliveredUnits', equals: 1.75"),
      ("metric: 'undeliveredUnits', max: 0", "metric: 'notAbsorbedUnits', min: 0.05"),
      ("metric: 'pendingUnits', max: 0.0499", "metric: 'pendingUnits', min: 0.05"),
      ("series: 'iob.app', never: { above: 1.0 }", "series: 'iob.app', never: { above: 0.5 }"),
      (
        "series: 'abs(glucose.true - glucose.cgm)', within: [0, 0.5]",
        "series: 'glucose.true - glucose.cgm', always: { above: 1 }"
      ),
      (
        "series: 'glucose.true', always: { below: 151 }, after: '00:10'",
        "series: 'glucose.true', always: { above: 149 }, after: '00:10'"
      ),
      (
        "events: { kind: 'bolus', in: 'eventHistory' }, count: 1",
        "events: { kind: 'bolus', in: 'eventHistory' }, count: 0"
      ),
      (
        "events: { kind: 'bolus', in: 'healthStore' }, min: 1",
        "events: { kind: 'bolus', in: 'insulinDelivery' }, max: 0"
      ),
      (
        "timeline: 'healthStore.basal', equals: [['00:00:00', '02:00:00', 0.4, 0.8, 'basal']]",
        "timeline: 'healthStore.basal', equals: [['00:00:00', '02:00:00', 0.4, 0.75, 'basal']]"
      ),
      (
        "timeline: 'healthStore.basal', mode: 'contains', "
          + "equals: [['00:00:00', '02:00:00', 0.4, 0.8, 'basal']]",
        "timeline: 'healthStore.basal', equals: []"
      ),
    ])
  func distinguishes(so: String, notSo: String) throws {
    let results = try Self.outcomes("{ id: 'a', \(so) }, { id: 'b', \(notSo) }")
    #expect(results.map(\.outcome) == [.passed, .failed], "\(results.map(\.message))")
    #expect(results[0].message.isEmpty)
    #expect(!results[1].message.isEmpty)
    #expect(results[1].line != nil)
  }

  @Test("Every law holds on an ordinary run", arguments: Invariant.allCases)
  func lawsHold(law: Invariant) throws {
    let results = try Self.outcomes("{ id: 'law', invariant: '\(law.rawValue)' }")
    #expect(results.map(\.outcome) == [.passed], "\(results.map(\.message))")
  }

  @Test(
    "A number of a series is told in the unit of the series, where all of it has the same",
    arguments: [
      ("glucose.true", "mg/dL"), ("delay(glucose.cgm, 5m)", "mg/dL"), ("rate.scheduled", "U/h"),
      ("abs(iob.app - iob.true)", "U"), ("cob.app + carbs.eaten", "g"), ("iob.app - cob.app", nil),
      ("glucose.true - 100", nil), ("rate(glucose.true)", nil),
    ])
  func unitsOfSeries(text: String, unit: String?) throws {
    #expect(try SeriesExpression.parse(text, isMolar: false).unitName == unit)
    let molar = unit == "mg/dL" ? "mmol/L" : unit
    #expect(try SeriesExpression.parse(text, isMolar: true).unitName == molar)
  }

  @Test("A failure says what, how much, when, and how often")
  func messageOfSeries() throws {
    let results = try Self.outcomes(
      "{ id: 'low', series: 'glucose.true', never: { below: 149.9 }, after: '01:50' }")
    #expect(results[0].message.hasSuffix("at 2026-01-15T01:50:00Z (first of 3)"))
    #expect(results[0].message.contains("< 149.9 mg/dL at "))
    #expect(results[0].body.contains("> 2026-01-15T01:50:00Z"))
  }

  @Test("The number of a series that decides has its unit, as that of a metric has")
  func measureOfSeries() throws {
    let results = try Self.outcomes(
      """
      { id: 'glucose', series: 'glucose.true', never: { below: 149.9 } },
      { id: 'insulin', series: 'abs(iob.app)', within: [0, 2] },
      { id: 'both', series: 'iob.app - cob.app', within: [-100, 100] },
      { id: 'metric', metric: 'mean', min: 1 },
      """)
    #expect(results.map { $0.measure?.unit } == ["mg/dL", "U", nil, "mg/dL"])
  }

  @Test("Two numbers that differ are told in so many decimals that they do")
  func messageOfNearlyEqual() {
    #expect(Expectation.Bounds(minimum: 70).complaint(69.99999) == "69.99999 < 70.0")
    #expect(Expectation.Bounds(minimum: 70).complaint(69.99994) == "69.9999 < 70")
    #expect(Expectation.Bounds(maximum: 74.6966).complaint(74.696603) == "74.696603 > 74.6966")
    #expect(Expectation.Bounds(equals: 3).complaint(3.00000001) == "3.00000001 is not 3.0")
    let near = Expectation.Bounds(equals: 3, tolerance: 0.5)
    #expect(near.joinedComplaint(3.50001) == "is 3.50001, not 3.0 ± 0.5")
    #expect(near.complaint(4) == "4 is not 3 ± 0.5")
    #expect(near.complaint(.nan) == "nan is not 3 ± 0.5")
    let law = Expectation.SeriesLaw(floor: 54, ceiling: 180)
    #expect(law.complaint(53.999999) == "53.999999 < 54.0")
    #expect(law.complaint(180.00001) == "180.00001 > 180.0")
    #expect(law.complaint(181) == "181 > 180")
  }

  @Test("A figure without a unit is told without one")
  func messageOfCount() throws {
    let results = try Self.outcomes("{ id: 'count', metric: 'boluses', equals: 3 }")
    #expect(results.map(\.message) == ["boluses 1 is not 3"])
  }

  @Test("Outside a fault that is over at once is all but its moment")
  func outsideMoment() throws {
    let law = "series: 'glucose.true', never: { below: 148 }, between: ['00:00', '01:55']"
    let results = try Self.outcomes(
      """
      { id: 'moment', \(law), outside: ['burst'] },
      { id: 'window', \(law), outside: ['00:30..+2h'] },
      { id: 'lasting', \(law), outside: ['gap'] }
      """,
      faults: """
        { id: 'burst', at: '00:30', pump: { unrequested: { units: 0.05 } } },
        { id: 'gap', during: ['00:30', '90m'], cgm: { dropout: {} } }
        """)
    #expect(results.map(\.outcome) == [.failed, .passed, .passed], "\(results.map(\.message))")
  }

  @Test("Outside a time and a span is so long from that time, and two spans count from the start")
  func outsideSpan() throws {
    // The bolus of 00:30 lowers glucose below 148 mg/dL before 01:25.
    let law = "series: 'glucose.true', never: { below: 148 }, between: ['00:00', '01:25']"
    let results = try Self.outcomes(
      """
      { id: 'time', \(law), outside: ['00:30..+1h'] },
      { id: 'spans', \(law), outside: ['+30m..+1h'] }
      """)
    #expect(results.map(\.outcome) == [.passed, .failed], "\(results.map(\.message))")
  }

  @Test("Outside a fault that lasts to the end is no instant of it")
  func outsideToTheEnd() throws {
    let results = try Self.outcomes(
      """
      { id: 'end', series: 'glucose.true', never: { below: 148 }, outside: ['gap'] }
      """,
      faults: "{ id: 'gap', during: ['00:30', '90m'], cgm: { dropout: {} } }")
    #expect(results.map(\.outcome) == [.passed], "\(results.map(\.message))")
  }

  @Test("A stretch shorter than asked for does not break a law")
  func forAtLeast() throws {
    let results = try Self.outcomes(
      """
      { id: 'short', series: 'delivered.bolus', never: { above: 0.5 }, forAtLeast: '5m' },
      { id: 'any', series: 'delivered.bolus', never: { above: 0.5 } }
      """)
    #expect(results.map(\.outcome) == [.passed, .failed])
  }

  @Test("What does not count parts the stretches before and after it")
  func forAtLeastOutside() throws {
    let law = "series: 'glucose.true', never: { below: 900 }, between: ['00:00', '01:00']"
    let results = try Self.outcomes(
      """
      { id: 'parted', \(law), outside: ['00:10..00:51'], forAtLeast: '15m' },
      { id: 'whole', \(law), forAtLeast: '1h' }
      """)
    #expect(results.map(\.outcome) == [.passed, .failed], "\(results.map(\.message))")
  }

  @Test("A breach does not go on over 45 minutes and more without a reading")
  func forAtLeastWithoutReadings() throws {
    // Readings from 00:00 to 00:25 and from 01:15, or from 01:05, to 02:00.
    let law = "series: 'glucose.cgm', never: { below: 900 }"
    for (length, whole) in [("50m", ExpectationResult.Outcome.passed), ("40m", .failed)] {
      let results = try Self.outcomes(
        "{ id: 'a', \(law), forAtLeast: '1h30m' }",
        faults: "{ id: 'gap', during: ['00:30', '\(length)'], cgm: { dropout: {} } }")
      #expect(results.map(\.outcome) == [whole], "\(length): \(results.map(\.message))")
    }
  }

  @Test("Of several bounds of a series each holds")
  func severalBounds() throws {
    let results = try Self.outcomes(
      """
      { id: 'a', series: 'glucose.true', never: { below: 54 }, always: { above: 200 } },
      { id: 'b', series: 'glucose.true', never: { below: 200 }, within: [40, 400] },
      { id: 'c', series: 'glucose.true', always: { below: 100 }, within: [40, 400] },
      { id: 'd', series: 'glucose.true', never: { below: 54 }, within: [40, 400] }
      """)
    #expect(
      results.map(\.outcome) == [.failed, .failed, .failed, .passed],
      "\(results.map(\.message))")
  }

  @Test("A warning does not count as a failure")
  func warnings() throws {
    let results = try Self.outcomes(
      "{ id: 'w', severity: 'warn', metric: 'bolusUnits', equals: 9 }")
    #expect(results[0].outcome == .failed)
    #expect(results[0].isWarning)
  }
}
