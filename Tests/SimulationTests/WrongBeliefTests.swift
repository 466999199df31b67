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

  // MARK: - Settings

  @Test("A setting or a schedule that is there already is nothing wrong, until another is saved")
  func nothingWrong() throws {
    let same = try DailySchedule<InsulinRate>([
      .init(start: TimeOfDay(milliseconds: 0), value: InsulinRate(milliunitsPerHour: 400))
    ])
    var change = SettingsChange()
    (change.basal, change.maximumBolus) = (same, .milliunits(10_000))
    let faults =
      [Fault.Effect.wrongPump(same)]
      + WrongSettingOrigin.allCases.map { .app(.wrongSetting(change, from: $0)) }
    for fault in faults {
      #expect(try run(during(fault)).troubles.isEmpty)
    }
    var smaller = SettingsChange()
    smaller.maximumBolus = .milliunits(5_000)
    let saved = ScenarioEvent(at: .at(2), id: "smaller", .changeSettings(smaller))
    #expect(
      try texts(.wrongInApp, during(.app(.wrongSetting(change, from: .sync))) + [saved])
        .contains { $0.contains("largest bolus than was programmed") })
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

  @Test("Readings that jump from too high to too low are told, though neither lasts")
  func byTurns() throws {
    let offsets: [Double] = [100, -60, 100]
    let events = offsets.enumerated().flatMap { place, offset in
      let fault = Fault(id: "turn \(place)", .sensor(.bias(gain: 1, offset: offset)))
      let start = 10 * Int64(place)
      return [
        ScenarioEvent(at: .at(2, start), id: fault.id, .beginFault(fault)),
        ScenarioEvent(at: .at(2, start + 10), .endFault(id: fault.id)),
      ]
    }
    // Two readings each, from 02:00 to 02:25.
    let result = try run(events)
    #expect(
      try result.troubles.filter { $0.kind == .wrongReading }.map(\.text) == [
        "The sensor's readings were up to 100 mg/dL off, by turns too high and too low, for 25m "
          + "from 02:00:00: " + worst(result, from: .at(2), to: .at(2, 30))
      ])
    // Two turns of two readings, with a right reading between them, are no trouble.
    let apart = [events[0], events[1], events[4], events[5]]
    #expect(try texts(.wrongReading, apart).isEmpty)
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

  @Test(
    "A few readings that were too high are told where the loop gave insulin on them",
    arguments: [DosingStrategy.tempBasal, .automaticBolus], [1, 3])
  func dosedOn(strategy: DosingStrategy, readings: Int) throws {
    var fixture = Fixture()
    fixture.duration = .hours(4)
    fixture.isClosedLoop = true
    fixture.strategy = strategy
    func told(_ delta: Double) throws -> [RunTrouble] {
      let spike = Fault(id: "spike", .sensor(.spike(delta: delta, samples: readings)))
      fixture.events = [ScenarioEvent(at: .at(1, 58), id: "spike", .beginFault(spike))]
      return try fixture.result().troubles.filter { $0.kind == .wrongReading }
    }
    let high = try told(120)
    #expect(high.map(\.start) == [.at(2)])
    #expect(high.map(\.end) == [.at(2, 5 * (Int64(readings) - 1))])
    let words = try #require(high.first?.text)
    #expect(
      words.hasPrefix(
        "Readings on which the loop gave more insulin were "
          + (readings == 1
            ? "120 mg/dL too high at 02:00:00: the sensor showed "
            : "up to 120 mg/dL too high for 10m from 02:00:00: at 02:")), "\(words)")
    // Glucose of 110 mg/dL less 60 makes the loop give less, and 39 mg/dL are what sensors may err.
    #expect(try told(-60).isEmpty)
    #expect(try told(39).isEmpty)
  }

  @Test("Wrong glucose of another app on which the loop decides is told, and the sensor's own not")
  func glucoseOfOthers() throws {
    let contradiction = { (factor: Double) in
      try texts(
        .wrongReading,
        during(
          .healthStore(HealthStoreFault(.conflict(factor: factor), data: [.glucose], rate: 0.8))))
    }
    let told = try contradiction(1.5)
    #expect(told.count == 1, "\(told)")
    // Half of 110 mg/dL, from some cycle after 01:00 to some cycle before 03:00.
    let words =
      /Other apps. glucose, on which the loop decided, was up to 5[4-7] mg.dL too high for 1h/
    #expect(told.first?.firstMatch(of: words) != nil, "\(told)")
    #expect(try contradiction(1.3).isEmpty)
  }

  // MARK: - The app

  @Test(
    "A value that a fault corrupts is told, whichever it is",
    arguments: [
      (CorruptTarget.carbsOnBoard, CorruptMode.add(60)),
      (.carbsOnBoard, .zero), (.glucose, .add(-20)), (.glucose, .hold),
      (.recommendedRate, .max), (.recommendedBolus, .scale(3)),
    ])
  func corrupted(target: CorruptTarget, mode: CorruptMode) throws {
    let nouns: [CorruptTarget: String] = [
      .carbsOnBoard: "the app's figure of carbohydrates on board",
      .glucose: "the glucose that the app had received",
      .recommendedRate: "the basal rate that the algorithm recommends",
      .recommendedBolus: "the bolus that the algorithm recommends",
    ]
    let words: [CorruptMode: String] = [
      .add(60): "60 g were added to it", .zero: "it was 0",
      .add(-20): "20 mg/dL were taken off it", .hold: "it stayed what it had been",
      .max: "it was the largest there is", .scale(3): "it was multiplied by 3",
    ]
    let (noun, what) = (try #require(nouns[target]), try #require(words[mode]))
    #expect(
      try texts(.wrongInApp, during(.app(.disturbed(.corrupt(target, mode))))) == [
        "From 01:00:00 to 03:00:00 \(noun) was corrupted: \(what)."
      ])
  }

  @Test("Old glucose, a clock that jumped and settings that are not those of the person are told")
  func othersOfTheApp() throws {
    var change = SettingsChange()
    change.maximumBolus = .milliunits(2_000)
    let effects: [AppFault] = [
      .disturbed(.stale(age: .minutes(20))), .clockJump(.minutes(-10)),
      .wrongSetting(change, from: .sync), .wrongSetting(change, from: .import), .doubleRun,
    ]
    let told = try effects.flatMap { try texts(.wrongInApp, during(.app($0))) }
    #expect(
      told == [
        "From 01:00:00 to 03:00:00 the app took the glucose of 20m ago for present.",
        "From 01:00:00 to 03:00:00 the phone's clock was 10m behind.",
        "From 01:00:00 to 03:00:00 the app had another largest bolus than was programmed.",
        "From 01:00:00 to the end the app had another largest bolus than was programmed.",
      ])
  }

  @Test("A setting that was imported is wrong until somebody saves that setting")
  func imported() throws {
    var (wrong, right, other) = (SettingsChange(), SettingsChange(), SettingsChange())
    wrong.maximumBolus = .milliunits(2_000)
    right.maximumBolus = .milliunits(5_000)
    other.maximumBasalRate = InsulinRate(milliunitsPerHour: 3_000)
    let fault = Fault(id: "file", .app(.wrongSetting(wrong, from: .import)))
    var events = [
      ScenarioEvent(at: .at(1), id: "file", .beginFault(fault)),
      ScenarioEvent(at: .at(2), .changeSettings(other)),
      ScenarioEvent(at: .at(3), .changeSettings(right)),
    ]
    #expect(
      try texts(.wrongInApp, events) == [
        "From 01:00:00 to 03:00:00 the app had another largest bolus than was programmed."
      ])
    // What nobody had wrong does not become wrong when it is changed.
    events[0] = ScenarioEvent(at: .at(0, 30), .changeSettings(wrong))
    events.insert(ScenarioEvent(at: .at(1), id: "file", .beginFault(fault)), at: 1)
    #expect(try texts(.wrongInApp, events) == [])
  }

  @Test("What the app warns of is no refusal")
  func warning() throws {
    var fixture = Fixture()
    fixture.readsForeignCarbs = true
    let told = try fixture.result().troubles
    #expect(told.map(\.kind) == [.warning])
    #expect(told.map(\.count) == [1])
  }

  @Test("What people set the phone's clock to is told as what a fault makes of it, as one")
  func clocks() throws {
    let jump = Fault(id: "jump", .app(.clockJump(.minutes(-30))))
    #expect(
      try texts(
        .wrongInApp,
        [
          ScenarioEvent(at: .at(1), .setPhoneClock(.by(.hours(-1)))),
          ScenarioEvent(at: .at(2), id: "jump", .beginFault(jump)),
          ScenarioEvent(at: .at(3), .endFault(id: "jump")),
          ScenarioEvent(at: .at(4), .setPhoneClock(.to(.at(4)))),
        ]) == [
          "From 01:00:00 to 02:00:00 the phone's clock was 1h behind.",
          "From 02:00:00 to 03:00:00 the phone's clock was 1h30m behind.",
          "From 03:00:00 to 04:00:00 the phone's clock was 1h behind.",
        ])
  }

  @Test("A clock of the pump that drifts is told with what it came to, from a minute on")
  func drift() throws {
    let slow = Fault(id: "slow", .pump(.clockDrift(perDay: .minutes(-8))))
    let event = ScenarioEvent(at: .at(1), id: "slow", .beginFault(slow))
    // In the 5 hours to the end 100 seconds, in two hours 40.
    let whole = [
      "From 01:00:00 to the end the pump's clock, by which it runs its schedule, was up to 1m40s "
        + "behind."
    ]
    #expect(try run([event]).troubles.map(\.text) == whole)
    // What else happens to the pump on the way parts nothing.
    let air = Fault(id: "air", .pump(.airBubble(.zero)))
    let both = try run([event, ScenarioEvent(at: .at(2), .beginFault(air))])
    #expect(both.troubles.map(\.text) == whole)
    #expect(try run([event, ScenarioEvent(at: .at(3), .endFault(id: "slow"))]).troubles.isEmpty)
  }

  @Test("A fault that is over at once is told at its moment, and a spike while it lasts")
  func moments() throws {
    let effects: [(Fault.Effect, Int64)] = [
      (.sensor(.spike(delta: 20, samples: 3)), 15), (.pump(.unrequested(.milliunits(100))), 0),
      (.pump(.airBubble(.milliunits(100))), 0), (.pump(.clockError(.minutes(3))), 0),
      (.sensor(.bias(gain: 1.1, offset: 0)), 240),
    ]
    for (effect, minutes) in effects {
      let fault = Fault(id: "one", effect)
      let result = try run([ScenarioEvent(at: .at(2), id: "one", .beginFault(fault))])
      let window = try #require(result.faultWindows.first)
      let end = Instant.at(2) + .minutes(minutes)
      #expect(window.told == .at(2)...end, "\(fault)")
      let lasts = end == window.span.upperBound
      #expect(window.toldSpan == .at(2)..<(lasts ? end : end + .milliseconds(1)), "\(fault)")
      #expect(window.span == .at(2)..<(.at(6)))
    }
  }

  @Test("The state of a run has a spike while it lasts, and no fault that is over at once")
  func momentsInState() throws {
    var fixture = Fixture()
    fixture.events = [
      ("spike", .sensor(.spike(delta: 20, samples: 2))),
      ("air", .pump(.airBubble(.milliunits(50)))),
      ("bias", .sensor(.bias(gain: 1.1, offset: 0))),
    ].map { (id: String, effect: Fault.Effect) in
      ScenarioEvent(at: .at(2), id: id, .beginFault(Fault(id: id, effect)))
    }
    var run = Run(try fixture.setup())
    var names: [Instant: [String]] = [:]
    while run.step() { names[run.snapshot.instant] = run.snapshot.faults }
    #expect(names[.at(2)] == ["spike", "air", "bias"])
    #expect(names[.at(2, 5)] == ["spike", "bias"])
    #expect(names[.at(3)] == ["bias"])
  }

  @Test("A fault that lasts to the end is told so")
  func toTheEnd() throws {
    let fault = Fault(id: "old", .app(.disturbed(.stale(age: .minutes(30)))))
    #expect(
      try texts(.wrongInApp, [ScenarioEvent(at: .at(2), id: "old", .beginFault(fault))]) == [
        "From 02:00:00 to the end the app took the glucose of 30m ago for present."
      ])
  }

  // MARK: - Carbohydrates

  private func entry(_ name: String, _ grams: Double, at instant: Instant) -> ScenarioEvent {
    ScenarioEvent(
      at: instant, id: name,
      .enterCarbs(CarbEntryRequest(name: name, grams: grams, absorption: nil, eatenAt: instant)))
  }

  private func writing(_ isGranted: Bool, at instant: Instant) -> ScenarioEvent {
    ScenarioEvent(
      at: instant, id: "permission",
      .authorize(HealthStoreAccess(data: [.carbs], directions: [.write], isGranted: isGranted)))
  }

  @Test("Carbohydrates that the app may not write are told, and how many")
  func unwritten() throws {
    let denied = [
      writing(false, at: .at(1)), entry("one", 20, at: .at(2)), entry("two", 35, at: .at(4)),
    ]
    #expect(
      try texts(.carbsNotStored, denied) == [
        "55 g of carbohydrates entered in 2 entries from 02:00:00 to 04:00:00 are not in the "
          + "health store: the app is not allowed to write carbohydrates."
      ])
    #expect(try texts(.carbsNotStored, denied + [writing(true, at: .at(5))]).isEmpty)
  }

  @Test("Those of a week ago, which the app has forgotten, count as well")
  func unwrittenForLong() throws {
    let days = (0..<8 as Range<Int64>).map { entry("day \($0)", 10, at: .at(2 + $0 * 24)) }
    var fixture = Fixture()
    fixture.duration = .hours(192)
    fixture.events = [writing(false, at: .at(1))] + days
    var setup = try fixture.setup()
    // What a week does is the matter; a cycle and a row in each hour are enough.
    setup.cycleInterval = .hours(1)
    setup.outputInterval = .hours(1)
    var run = Run(setup)
    while run.step() {}
    let result = run.finish()
    let trouble = try #require(result.troubles.first { $0.kind == .carbsNotStored })
    #expect(trouble.count == 8)
    #expect(trouble.text.hasPrefix("80 g of carbohydrates entered in 8 entries from 2026-01-15T"))
  }

  @Test("An entry that was deleted and stays in the health store is told, until it is deleted")
  func undeleted() throws {
    let deleted = [
      entry("one", 20, at: .at(1)), writing(false, at: .at(2)),
      ScenarioEvent(at: .at(3), id: "no", .deleteCarbs(entry: "one")),
    ]
    #expect(try texts(.carbsNotStored, deleted + [writing(true, at: .at(4))]).isEmpty)
    let told = try texts(.carbsNotStored, deleted)
    #expect(
      told == [
        "20 g of carbohydrates deleted at 03:00:00 could not be deleted in the health store: the "
          + "app is not allowed to write carbohydrates."
      ])
  }

  @Test("An entry that the next cycle would have written is no trouble")
  func late() throws {
    #expect(try texts(.carbsNotStored, [entry("late", 20, at: .at(5, 58))]).isEmpty)
  }
}
