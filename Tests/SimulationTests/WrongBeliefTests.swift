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
        "From 01:00:00 on, until somebody saves settings, the app had another largest bolus than "
          + "was programmed.",
      ])
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
    let result = try run([writing(false, at: .at(1))] + days, hours: 192)
    let trouble = try #require(result.troubles.first { $0.kind == .carbsNotStored })
    #expect(trouble.count == 8)
    #expect(trouble.text.hasPrefix("80 g of carbohydrates entered in 8 entries from 2026-01-15T"))
  }

  @Test("An entry that was deleted and stays in the health store is told")
  func undeleted() throws {
    let told = try texts(
      .carbsNotStored,
      [
        entry("one", 20, at: .at(1)), writing(false, at: .at(2)),
        ScenarioEvent(at: .at(3), id: "no", .deleteCarbs(entry: "one")),
      ])
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
