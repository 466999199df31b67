import ClosedLoop
import Quantities
import Simulation
import Testing

@Suite("Settings of faults, while they hold and no longer")
struct WrongSettingTests {
  private static func bolus(_ units: Int64) -> SettingsChange {
    var change = SettingsChange()
    change.maximumBolus = .milliunits(units * 1_000)
    return change
  }

  private static func basal(_ milliunitsPerHour: Int64) -> SettingsChange {
    var change = SettingsChange()
    change.basal = DailySchedule(always: InsulinRate(milliunitsPerHour: milliunitsPerHour))
    return change
  }

  private static func fault(
    _ id: String, _ change: SettingsChange, from start: Int64, to end: Int64? = nil,
    by origin: WrongSettingOrigin = .sync
  ) -> [ScenarioEvent] {
    let fault = Fault(id: id, .app(.wrongSetting(change, from: origin)))
    return [ScenarioEvent(at: .at(start), id: id, .beginFault(fault))]
      + (end.map { [ScenarioEvent(at: .at($0), .endFault(id: id))] } ?? [])
  }

  private static func save(_ change: SettingsChange, at hour: Int64) -> ScenarioEvent {
    ScenarioEvent(at: .at(hour), id: "save", .changeSettings(change))
  }

  /// Six hours with a largest bolus of 10 U and 0.4 U/h.
  private static func result(_ events: [ScenarioEvent]) throws -> RunResult {
    var fixture = Fixture()
    fixture.duration = .hours(6)
    fixture.events = events
    return try fixture.result()
  }

  /// From when to when the app had another largest bolus than was programmed.
  private static func wrong(_ events: [ScenarioEvent]) throws -> [String] {
    try result(events).troubles.filter { $0.kind == .wrongInApp }.map {
      #expect($0.text.hasSuffix(" the app had another largest bolus than was programmed."))
      return span($0.start, $0.end)
    }
  }

  /// From when to when app and pump went by two schedules.
  private static func separate(_ events: [ScenarioEvent]) throws -> [String] {
    try result(events).agreement.differences.filter { $0.kind == .scheduleDiffers }.map {
      span($0.start, $0.end)
    }
  }

  private static func span(_ start: Instant, _ end: Instant) -> String {
    "\(start - Fixture.midnight) to \(end - Fixture.midnight)"
  }

  @Test("Of two wrong settings at once the one is told that the app has")
  func twoAtOnce() throws {
    let first = Self.fault("a", Self.bolus(2), from: 1, to: 3)
    #expect(
      try Self.wrong(first + Self.fault("b", Self.bolus(5), from: 2, to: 4))
        == ["1h to 2h", "2h to 4h"])
    // A later one that is as programmed puts the setting right, and the first comes back after it.
    #expect(
      try Self.wrong(first + Self.fault("b", Self.bolus(10), from: 2, to: 4)) == ["1h to 2h"])
    let long = Self.fault("a", Self.bolus(2), from: 1, to: 5)
    #expect(
      try Self.wrong(long + Self.fault("b", Self.bolus(10), from: 2, to: 4))
        == ["1h to 2h", "4h to 5h"])
  }

  @Test("What a person saves too is wrong no more", arguments: WrongSettingOrigin.allCases)
  func adopted(origin: WrongSettingOrigin) throws {
    let events = Self.fault("a", Self.bolus(2), from: 1, to: 4, by: origin)
    #expect(try Self.wrong(events + [Self.save(Self.bolus(2), at: 3)]) == ["1h to 3h"])
    let schedule = Self.fault("a", Self.basal(800), from: 1, to: 4, by: origin)
    #expect(try Self.separate(schedule + [Self.save(Self.basal(800), at: 3)]) == ["1h to 3h"])
  }

  @Test("What is imported over a wrong setting takes its place, right or wrong")
  func importedAgain() throws {
    let first = Self.fault("a", Self.bolus(2), from: 1, by: .import)
    #expect(
      try Self.wrong(first + Self.fault("b", Self.bolus(5), from: 2, by: .import))
        == ["1h to 2h", "2h to 6h"])
    #expect(
      try Self.wrong(first + Self.fault("b", Self.bolus(10), from: 2, by: .import))
        == ["1h to 2h"])
  }

  @Test("Of two wrong schedules at once the one is told that the app believes in")
  func twoSchedules() throws {
    let first = Self.fault("a", Self.basal(800), from: 1, to: 3)
    #expect(
      try Self.separate(first + Self.fault("b", Self.basal(400), from: 2, to: 4)) == ["1h to 2h"])
    #expect(
      try Self.separate(first + Self.fault("b", Self.basal(600), from: 2, to: 4))
        == ["1h to 2h", "2h to 4h"])
    // A pump that runs the same wrong schedule is of one mind with the app.
    let pump = Fault(id: "p", .wrongPump(DailySchedule(always: .init(milliunitsPerHour: 800))))
    let events = [
      ScenarioEvent(at: .at(2), id: "p", .beginFault(pump)),
      ScenarioEvent(at: .at(4), .endFault(id: "p")),
    ]
    #expect(try Self.separate(first + events) == ["1h to 2h", "3h to 4h"])
  }

  @Test("What comes from a service, and what it takes back, is told as it is")
  func told() throws {
    let events =
      Self.fault("a", Self.bolus(2), from: 1, to: 3)
      + Self.fault("b", Self.bolus(10), from: 2, to: 5)
      + Self.fault("c", Self.bolus(5), from: 4, to: 5)
    let told = try Self.result(events).trace.happenings.filter { $0.kind == .settings }
    let another = "Another setting comes into the app from a service; the pump is not told."
    let right = "The service puts the setting right."
    // At 02:00 the app has 2 U, and at 04:00 10 U; b ends before c, and leaves 5 U there.
    #expect(
      told.map(\.text) == [
        another, another, right, another,
        "The service takes its setting back; the app has another than was programmed.", right,
      ])
  }
}
