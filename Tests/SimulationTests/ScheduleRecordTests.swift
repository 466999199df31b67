import ClosedLoop
import Quantities
import Simulation
import Testing

@Suite("The schedules of the app, over a run")
struct ScheduleRecordTests {
  /// 0.4 U/h; from two minutes past one o'clock 1 U/h, in the app and in the pump.
  private static func run(_ events: [ScenarioEvent]) throws -> RunResult {
    var change = SettingsChange()
    change.basal = DailySchedule(always: InsulinRate(milliunitsPerHour: 1_000))
    var fixture = Fixture()
    fixture.duration = .hours(5)
    fixture.events = [ScenarioEvent(at: .at(1, 2), .changeSettings(change))] + events
    return try fixture.result()
  }

  private static func segments(_ run: RunResult) -> [String] {
    run.scheduledBasal.segments.map {
      "\(($0.start - Fixture.midnight).minutes) \(($0.end - Fixture.midnight).minutes) "
        + "\($0.value.milliunitsPerHour)"
    }
  }

  private static func differences(_ run: RunResult) -> [String] {
    run.agreement.differences.filter { $0.kind == .scheduleDiffers }.map(\.text)
  }

  @Test("What an app believes that is installed anew is not said of the time before")
  func installedAnew() throws {
    let run = try Self.run([ScenarioEvent(at: .at(3), .reinstallApp)])
    #expect(
      Self.segments(run) == ["0.0 62.0 400", "62.0 180.0 1000", "180.0 300.0 400"])
    #expect(
      Self.differences(run) == [
        "The app believes in a basal schedule that the pump does not run from "
          + "03:00:00 to 05:00:00: 0.40 U/h in place of 1.00 U/h."
      ])
  }

  @Test("A fault in the middle of a time in which the schedules differ hides none of the rest")
  func besideFault() throws {
    let other = Fault(
      id: "other", .wrongPump(DailySchedule(always: .init(milliunitsPerHour: 500))))
    let run = try Self.run([
      ScenarioEvent(at: .at(3), .reinstallApp),
      ScenarioEvent(at: .at(3, 32), id: "other", .beginFault(other)),
      ScenarioEvent(at: .at(4, 2), .endFault(id: "other")),
    ])
    let sentence = "The app believes in a basal schedule that the pump does not run from "
    #expect(
      Self.differences(run) == [
        sentence + "03:00:00 to 03:32:00: 0.40 U/h in place of 1.00 U/h.",
        sentence + "03:32:00 to 04:02:00, because of the fault other.",
        sentence + "04:05:00 to 05:00:00: 0.40 U/h in place of 1.00 U/h.",
      ])
  }

  @Test("A schedule that was not saved before a crash was believed in until the crash was over")
  func notSaved() throws {
    let crash = Fault(id: "crash", .app(.crash(loses: .unsaved)))
    let run = try Self.run([
      ScenarioEvent(at: .at(1, 3), id: "crash", .beginFault(crash)),
      ScenarioEvent(at: .at(1, 20), .endFault(id: "crash")),
    ])
    #expect(Self.segments(run) == ["0.0 62.0 400", "62.0 80.0 1000", "80.0 300.0 400"])
    #expect(
      Self.differences(run) == [
        "The app believes in a basal schedule that the pump does not run from "
          + "01:20:00 to 05:00:00: 0.40 U/h in place of 1.00 U/h."
      ])
  }

  @Test("An imported schedule is believed in until another is saved, and not as long as the fault")
  func imported() throws {
    var wrong = SettingsChange()
    wrong.basal = DailySchedule(always: InsulinRate(milliunitsPerHour: 500))
    func told(_ origin: WrongSettingOrigin, _ events: [ScenarioEvent]) throws -> [String] {
      let fault = Fault(id: "wrong", .app(.wrongSetting(wrong, from: origin)))
      let begin = ScenarioEvent(at: .at(2), id: "wrong", .beginFault(fault))
      let run = try Self.run([begin] + events)
      // That is told once, and not of the app's settings as well.
      #expect(
        run.troubles.filter { $0.text.contains("basal schedule") }.map(\.text)
          == Self.differences(run))
      return Self.differences(run)
    }
    func sentence(until end: String) -> String {
      "The app believes in a basal schedule that the pump does not run from 02:00:00 to "
        + "\(end), because of the fault wrong."
    }
    var right = SettingsChange()
    right.basal = DailySchedule(always: InsulinRate(milliunitsPerHour: 1_000))
    let over = ScenarioEvent(at: .at(3), .endFault(id: "wrong"))
    let saved = ScenarioEvent(at: .at(4), .changeSettings(right))
    #expect(try told(.import, [over]) == [sentence(until: "05:00:00")])
    #expect(try told(.import, [over, saved]) == [sentence(until: "04:00:00")])
    #expect(try told(.import, [saved]) == [sentence(until: "04:00:00")])
    #expect(try told(.sync, [over]) == [sentence(until: "03:00:00")])
  }

  @Test("An app that believes in the same leaves no seam")
  func noSeam() throws {
    var fixture = Fixture()
    fixture.duration = .hours(5)
    fixture.basal = [(0, 400), (3, 600)]
    for moment in [Instant.at(2), .at(3)] {
      fixture.events = [ScenarioEvent(at: moment, .reinstallApp)]
      let run = try fixture.result()
      #expect(Self.segments(run) == ["0.0 180.0 400", "180.0 300.0 600"])
      #expect(Self.differences(run).isEmpty)
    }
  }

  @Test("An app whose clock is wrong believes in the entry that its clock shows")
  func wrongPhone() throws {
    var fixture = Fixture()
    fixture.basal = [(0, 400), (3, 800)]
    fixture.duration = .hours(5)
    func differences(_ error: TimeSpan, and more: [ScenarioEvent] = []) throws -> [String] {
      let fault = Fault(id: "phone", .app(.clockJump(error)))
      fixture.events =
        [
          ScenarioEvent(at: .at(1), id: "phone", .beginFault(fault)),
          ScenarioEvent(at: .at(4), .endFault(id: "phone")),
        ] + more
      return Self.differences(try fixture.result())
    }
    func sentence(_ start: String, _ end: String, _ rates: String) -> String {
      "The app believes in a basal schedule that the pump does not run from \(start) to "
        + "\(end): \(rates)."
    }
    // An hour and a half ahead it comes to 03:00 at 01:30; as much behind, to midnight then.
    let ahead = sentence("01:30:00", "03:00:00", "0.80 U/h in place of 0.40 U/h")
    #expect(try differences(.minutes(90)) == [ahead])
    let behind = sentence("03:00:00", "04:00:00", "0.40 U/h in place of 0.80 U/h")
    // The times before the run and after its end are known too.
    let evening = sentence("01:00:00", "01:30:00", "0.80 U/h in place of 0.40 U/h")
    #expect(try differences(.minutes(-90)) == [evening, behind])
    #expect(try differences(.hours(23)) == [behind])
    // A pump that is set to such a phone runs what the app believes in.
    let set = ScenarioEvent(at: .at(1, 10), .pump(.setTime))
    #expect(try differences(.minutes(90), and: [set]) == [])
  }

  @Test("A suspension of more than a week is reported against the schedules that held in it")
  func longSuspension() throws {
    var change = SettingsChange()
    change.basal = DailySchedule(always: InsulinRate(milliunitsPerHour: 1_000))
    var fixture = Fixture()
    fixture.duration = .days(10)
    fixture.keepsRecords = true
    fixture.events = [
      ScenarioEvent(at: .at(1), .suspend), ScenarioEvent(at: .at(5), .changeSettings(change)),
      ScenarioEvent(at: .at(9 * 24), .resume),
    ]
    let run = try fixture.result()
    let suspended = run.insulinDelivery.filter { $0.kind == .suspend && $0.start < .at(24) }
    let told = suspended.map {
      "\(($0.start - Fixture.midnight).minutes) \(($0.end - Fixture.midnight).minutes) "
        + "\($0.scheduledRate?.milliunitsPerHour ?? 0)"
    }
    #expect(told.prefix(2) == ["60.0 300.0 400", "300.0 1440.0 1000"])
  }

  private func schedule(_ milliunitsPerHour: Int64, at instant: Instant) -> ScenarioEvent {
    var change = SettingsChange()
    change.basal = DailySchedule(always: InsulinRate(milliunitsPerHour: milliunitsPerHour))
    return ScenarioEvent(at: instant, .changeSettings(change))
  }

  @Test("What was believed under a clock that was behind is not what was set later under it")
  func monthBehind() throws {
    var fixture = Fixture()
    fixture.duration = .hours(6)
    fixture.events = [
      schedule(1_000, at: .at(1)),
      ScenarioEvent(at: .at(2), .setPhoneClock(.by(.days(-30)))),
      schedule(500, at: .at(3)),
      ScenarioEvent(at: .at(4), .setPhoneClock(.by(.days(30)))),
    ]
    // Before its first edit an app goes by the first schedule.
    #expect(
      Self.differences(try fixture.result()) == [
        "The app believes in a basal schedule that the pump does not run from "
          + "02:00:00 to 03:00:00: 0.40 U/h in place of 1.00 U/h."
      ])
  }

  @Test("What was believed before a clock went on by a month is not taken from what is left of it")
  func monthAhead() throws {
    var fixture = Fixture()
    fixture.duration = .hours(9)
    fixture.events = [
      schedule(1_000, at: .at(1)),
      ScenarioEvent(at: .at(2), .setPhoneClock(.by(.days(30)))),
      schedule(500, at: .at(3)),
      ScenarioEvent(at: .at(4), .setPhoneClock(.by(.days(-30)))),
      schedule(600, at: .at(6)),
    ]
    let run = try fixture.result()
    #expect(Self.segments(run).first == "0.0 60.0 400")
    // What was set at 03:00 begins in a month for an app that is back in the present.
    #expect(
      Self.differences(run) == [
        "The app believes in a basal schedule that the pump does not run from "
          + "04:00:00 to 06:00:00: 1.00 U/h in place of 0.50 U/h."
      ])
  }
}
