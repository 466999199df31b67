import Outcomes
import Quantities
import RunPlans
import ScenarioLanguage
import Simulation
import Scenarios
import StructuredText
import Testing

@testable import Formats

/// What the original simulator reads and does not act on; imported as its author meant it, each
/// changes the run in the direction in which it must.
@Suite("Imported settings that the original simulator ignores")
struct ImportedSettingsTests {
  /// Runs of imported simulations, in the order of the overrides.
  private static func results(_ overrides: [String], on body: String? = nil) throws -> [RunResult] {
    let listed = overrides.enumerated().map { "{\"sim_id\": \"run-\($0)\"\($1)}" }
    let outcome = TidepoolFixtures.outcome(listed.joined(separator: ", "))
    var files = ["in.json5": try #require(outcome.text(), "\(outcome.problems)")]
    if let body { files["on.json5"] = "{ format: 'loopsim/1', extends: 'in.json5', \(body) }" }
    let problems = ProblemList()
    var reader = ScenarioReader(files: MemoryFiles(files))
    let read = reader.read(body == nil ? "in.json5" : "on.json5", problems: problems)
    let document = try #require(read, "\(problems.problems)")
    let planned = RunPlan(document, reader: reader, problems: problems)
    let plan = try #require(planned, "\(problems.problems)")
    #expect(plan.count == overrides.count)
    return try (0..<plan.count).map { place in
      let built = RunBuilder.build(plan.run(at: place), problems: problems)
      var run = Run(try #require(built, "\(problems.sorted.map(\.description))").setup)
      while run.step() {}
      return run.finish()
    }
  }

  /// A meal of some grams at 9:00; the pump is told of it or not.
  private static func meal(
    _ grams: Int = 60, at time: String = "9:00:00", isTold: Bool = true, patient: String = "",
    pump: String = ""
  ) -> String {
    let entry = "\"carb_entries\": [{\"start_time\": \"2/3/2021 \(time)\", \"value\": \(grams)}]"
    return """
      , "patient": {"patient_model": {\(entry)\(patient)}, \
      "pump": {\(isTold ? entry : "\"carb_entries\": []")\(pump)}}
      """
  }

  /// A controller with a setting of its own.
  private static func controller(_ setting: String, factor: Double = 0.4) -> String {
    """
    , "controller": {"settings": {"max_basal_rate": 3, "max_bolus": 8, "suspend_threshold": 72, \
    "model": "rapid_acting_adult", "partial_application_factor": \(factor), \(setting)}}
    """
  }

  private static func peak(_ run: RunResult) -> Double {
    run.trace.rows.map(\.trueGlucose.mgdL).max() ?? 0
  }

  private static func units(
    of run: RunResult, _ channels: [PumpPulseRecord.Channel], until end: TimeSpan = .days(1)
  ) -> Double {
    run.pulses.filter { channels.contains($0.channel) && $0.instant <= run.start + end }
      .reduce(0) { $0 + $1.recorded.units }
  }

  @Test("A recommended bolus that is accepted is given, and lowers the peak after the meal")
  func acceptedRecommendation() throws {
    let accepted = """
      , "bolus_entries": [{"time": "2/3/2021 9:05:00", "value": "accept_recommendation"}]
      """
    let runs = try Self.results([Self.meal(), Self.meal(patient: accepted)])
    #expect(Self.units(of: runs[0], [.userBolus]) == 0)
    #expect(Self.units(of: runs[1], [.userBolus]) > 1)
    #expect(Self.peak(runs[1]) < Self.peak(runs[0]) - 5)
  }

  @Test("An automation timeline that is off stops automatic dosing, and glucose stays high")
  func automationTimeline() throws {
    let off = """
      , "controller": {"automation_control_timeline": [
        {"time": "2/3/2021 8:05:00", "dosing_enabled": false}]}
      """
    let runs = try Self.results([Self.meal(isTold: false), Self.meal(isTold: false) + off])
    #expect(runs[0].dosingSwitches.count == 1)
    #expect(runs[1].dosingSwitches.map(\.isOn) == [true, false])
    #expect(runs[1].cycles.enacted < runs[0].cycles.enacted)
    #expect(Self.units(of: runs[1], [.automaticBolus]) < Self.units(of: runs[0], [.automaticBolus]))
    let last = runs.map { $0.trace.rows.last?.trueGlucose.mgdL ?? 0 }
    #expect(last[1] > last[0] + 10)
  }

  @Test("Exercise that a pointer names takes place, and lowers glucose in a body that knows it")
  func exerciseByPointer() throws {
    let ride = """
      , "patient": {"patient_model": {
        "physical_activity_entries": "reusable.physical_activities.profiles.ride"}}
      """
    let body = """
      patient: { model: 'uva-padova-s2013', name: 'adult#001', needs: { $remove: true } },
      app: { closedLoop: false }
      """
    let runs = try Self.results(["", ride], on: body)
    func exercise(_ run: RunResult) -> [Instant] {
      run.trace.happenings.filter { $0.kind == .exercise }.map(\.instant)
    }
    #expect(exercise(runs[0]).isEmpty)
    #expect(exercise(runs[1]) == [runs[1].start + .minutes(90), runs[1].start + .minutes(130)])
    func glucose(_ run: RunResult) -> Double {
      run.trace.rows.first { $0.instant == run.start + .minutes(140) }?.trueGlucose.mgdL ?? 0
    }
    #expect(glucose(runs[1]) < glucose(runs[0]) - 1)
  }

  @Test("A lower maximum of active insulin bounds the insulin that automation brings on board")
  func maximumActiveInsulin() throws {
    let runs = try Self.results(
      [3.0, 0.25].map { modifier in
        Self.meal(100, isTold: false)
          + Self.controller("\"max_active_insulin_modifier\": \(modifier)")
      })
    let most = runs.map { $0.trace.rows.compactMap(\.insulinOnBoard).max() ?? 0 }
    // A quarter of the maximal bolus of 8 U.
    #expect(most[1] <= 2.05)
    #expect(most[0] > 3)
    #expect(Self.peak(runs[1]) > Self.peak(runs[0]))
  }

  @Test("Without positive momentum and retrospection, rising glucose brings less insulin at first")
  func positiveVelocity() throws {
    let runs = try Self.results(
      ["true", "false"].map { flag in
        Self.meal(80, isTold: false) + Self.controller("\"includePositiveVelocityAndRC\": \(flag)")
      })
    let channels: [PumpPulseRecord.Channel] = [.basal, .automaticBolus]
    let early = runs.map { Self.units(of: $0, channels, until: .minutes(120)) }
    #expect(early[1] < early[0] - 0.2, "\(early)")
  }

  @Test("Outages of the sensor take readings away, and with them cycles of the loop")
  func sensorOutage() throws {
    let runs = try Self.results(
      [0.0, 1.0].map { outage in
        """
        , "patient": {"sensor": {"type": "NoisySensor", "parameters": {"std_dev": 2,
          "spurious_prob": 0.1, "spurious_outage_prob": \(outage)}}}
        """
      })
    let readings = runs.map { $0.trace.rows.count { $0.reading != nil } }
    #expect(readings[1] < readings[0] - 5, "\(readings)")
    #expect(runs[1].cycles.completed < runs[0].cycles.completed)
  }

  @Test("A meal between two steps of five minutes is eaten at its own second")
  func offTheGrid() throws {
    let runs = try Self.results(["", Self.meal(40, at: "9:07:30", isTold: false)])
    let meals = runs[1].trace.happenings.filter { $0.kind == .meal }
    #expect(meals.map(\.instant) == [runs[1].start + .seconds(67 * 60 + 30)])
    #expect(Self.peak(runs[1]) > Self.peak(runs[0]) + 20)
  }
}
