import Devices
import Quantities
import Simulation
import Testing

@Suite("A pump's clock that Loop sets by itself")
struct PumpClockTests {
  private static func run(
    _ fault: Fault.Effect, hours: Int64 = 4, pump: PumpProfile = .medtronic722,
    latency: TimeSpan = .zero
  ) throws -> RunResult {
    var fixture = Fixture()
    fixture.duration = .hours(hours)
    fixture.profile = pump
    fixture.events = [
      ScenarioEvent(at: .at(1, 1), id: "clock", .beginFault(Fault(id: "clock", fault))),
      ScenarioEvent(at: .at(2), .bolus(BolusRequest(.units(2)))),
    ]
    fixture.commandLatency = latency
    return try fixture.result()
  }

  private static func settings(_ run: RunResult) -> [String] {
    run.trace.happenings.filter { $0.kind == .pump && $0.name == "clock" }.map {
      "\(($0.instant - Fixture.midnight).minutes) \($0.text)"
    }
  }

  @Test("One that is off is set when the pump is next read, and dates what follows rightly")
  func off() throws {
    let run = try Self.run(.pump(.clockError(.minutes(30))))
    #expect(
      Self.settings(run) == [
        "65.0 The app sets the pump's clock, which was 30m ahead of the phone's."
      ])
    #expect(
      run.troubles.filter { $0.kind == .wrongInApp }.map(\.text) == [
        "From 01:01:00 to 01:05:00 the pump's clock, by which it dates its history and runs its "
          + "schedule, was 30m ahead."
      ])
    #expect(!run.agreement.differences.contains { $0.kind == .misdated })
  }

  @Test("One that is little off is left alone, and so is that of a pump that is told the time")
  func leftAlone() throws {
    #expect(Self.settings(try Self.run(.pump(.clockError(.seconds(20))))).isEmpty)
    #expect(Self.settings(try Self.run(.pump(.clockError(.seconds(-20))))).isEmpty)
    #expect(Self.settings(try Self.run(.pump(.clockError(.minutes(30))), pump: .generic50)).isEmpty)
  }

  @Test("One that loses a minute a day is set every eight hours")
  func drifting() throws {
    // Twenty seconds are lost at 09:01, and eight hours after each time.
    let run = try Self.run(.pump(.clockDrift(perDay: .seconds(-60))), hours: 24)
    let told = "The app sets the pump's clock, which was 20s behind the phone's."
    #expect(Self.settings(run) == ["545.0 \(told)", "1030.0 \(told)"])
  }

  @Test("A command that takes its time sets the clock when it arrives")
  func late() throws {
    let run = try Self.run(.pump(.clockError(.minutes(30))), latency: .seconds(45))
    #expect(Self.settings(run).count == 1)
    #expect(
      run.troubles.filter { $0.kind == .wrongInApp }.map(\.text) == [
        "From 01:01:00 to 01:05:45 the pump's clock, by which it dates its history and runs its "
          + "schedule, was 30m ahead."
      ])
  }

  @Test(
    "A phone whose clock is wrong makes the pump's wrong by as much, once",
    arguments: [TimeSpan.zero, .seconds(45)])
  func wrongPhone(latency: TimeSpan) throws {
    let run = try Self.run(.app(.clockJump(.hours(1))), latency: latency)
    let settings = Self.settings(run)
    #expect(settings.count == 1 && settings[0].hasSuffix("1h behind the phone's."), "\(settings)")
    let texts = run.troubles.filter { $0.kind == .wrongInApp }.map(\.text)
    #expect(
      texts.contains {
        $0.contains(" to the end the pump's clock, ") && $0.hasSuffix(" was 1h ahead.")
      }, "\(texts)")
  }

  /// The pump's clock jumps at 01:00, and is set at 02:00 while a fault keeps replies from the app.
  private static func settingTime(
    _ fault: PumpFault, phone: [ScenarioEvent] = []
  ) throws -> RunResult {
    var fixture = Fixture()
    fixture.duration = .hours(4)
    fixture.events =
      phone + [
        ScenarioEvent(
          at: .at(1), id: "jump",
          .beginFault(Fault(id: "jump", .pump(.clockError(.minutes(30)))))),
        ScenarioEvent(at: .at(1, 58), id: "radio", .beginFault(Fault(id: "radio", .pump(fault)))),
        ScenarioEvent(at: .at(2), .pump(.setTime)),
        ScenarioEvent(at: .at(3), .endFault(id: "radio")),
      ]
    return try fixture.result()
  }

  @Test(
    "A phone that is off sets no pump's clock, and neither does one without Bluetooth",
    arguments: [PhoneState.off, .bluetoothOff])
  func unreached(phone: PhoneState) throws {
    var fixture = Fixture()
    fixture.duration = .hours(4)
    fixture.events = [
      ScenarioEvent(
        at: .at(1), id: "jump", .beginFault(Fault(id: "jump", .pump(.clockError(.minutes(30)))))),
      ScenarioEvent(at: .at(1, 30), .setPhone(phone)),
      ScenarioEvent(at: .at(2), .pump(.setTime)),
      ScenarioEvent(
        at: .at(3), .travel(WallClock(initialOffset: .hours(1)), pumpFollows: true)),
    ]
    let run = try fixture.result()
    #expect(Self.clocks(run) == ["60.0 240.0 30.0"])
    let told = run.trace.happenings.filter { $0.kind == .warning }.map(\.text)
    #expect(
      told
        == (phone == .off
          ? [
            "The setting of the pump's clock did not happen: the phone is off.",
            "The new clock was not sent: the phone is off.",
          ]
          : Array(repeating: "The new clock was not sent: Bluetooth is off.", count: 2)))
  }

  private static func clocks(_ run: RunResult) -> [String] {
    run.wrongClocks.filter { $0.owner == .pump }.map {
      "\(($0.start - Fixture.midnight).minutes) \(($0.end - Fixture.midnight).minutes) "
        + "\($0.error.minutes)"
    }
  }

  @Test("One whose setting a fault holds up is right when it arrives, and not before or after")
  func heldUp() throws {
    let late = PumpFault.communicationLoss(
      CommunicationLoss(commands: .late(.minutes(12)), history: .late))
    #expect(Self.clocks(try Self.settingTime(late)) == ["60.0 132.0 30.0"])
  }

  @Test("One that is set to a wrong phone is as wrong, where the reply is late or lost too")
  func wrongPhoneUnheard() throws {
    let ahead = ScenarioEvent(
      at: .at(0, 10), id: "phone",
      .beginFault(Fault(id: "phone", .app(.clockJump(.hours(1))))))
    let late = PumpFault.communicationLoss(
      CommunicationLoss(commands: .late(.minutes(12)), history: .late))
    #expect(
      Self.clocks(try Self.settingTime(late, phone: [ahead])) == [
        "60.0 132.0 30.0", "132.0 240.0 60.0",
      ])
    let lost = PumpFault.uncertainDelivery(UncertainDelivery(trulyDelivered: 1))
    #expect(
      Self.clocks(try Self.settingTime(lost, phone: [ahead])) == [
        "60.0 120.0 30.0", "120.0 240.0 60.0",
      ])
  }

  @Test("One that is set again to a phone that is as wrong as before is wrong all the time")
  func setAgain() throws {
    var fixture = Fixture()
    fixture.duration = .hours(4)
    let ahead = Fault(id: "phone", .app(.clockJump(.hours(1))))
    fixture.events = [ScenarioEvent(at: .at(0, 10), id: "phone", .beginFault(ahead))]
    fixture.events += [1, 2].map { ScenarioEvent(at: .at($0), .pump(.setTime)) }
    #expect(Self.clocks(try fixture.result()) == ["60.0 240.0 60.0"])
  }

  @Test("A new app sets it to the phone's zone, so that both run the same entry of the schedule")
  func installedAbroad() throws {
    var fixture = Fixture()
    fixture.basal = [(0, 400), (2, 800)]
    fixture.duration = .hours(6)
    fixture.events = [
      ScenarioEvent(
        at: .at(1), .travel(WallClock(initialOffset: .hours(-3)), pumpFollows: false)),
      ScenarioEvent(at: .at(3), .reinstallApp),
    ]
    let run = try fixture.result()
    #expect(
      Self.settings(run) == [
        "180.0 The new app sets the pump's clock, which showed another time zone than the phone's."
      ])
    #expect(!run.agreement.differences.contains { $0.kind == .scheduleDiffers })
    // 00:00 to 02:00 and, by the new clock, 00:00 to 02:00 again: 0.4 U/h.
    let rates = [1, 2, 3, 5].map { hour in
      run.trace.rows.last { $0.instant <= .at(hour, 30) }?.scheduledRate.milliunitsPerHour
    }
    #expect(rates == [400, 800, 400, 800])
  }

  @Test("One that is set to a wrong phone shows what that shows, summer time included")
  func summerTimeEarly() throws {
    var fixture = Fixture()
    fixture.basal = [(0, 400), (6, 1_000)]
    fixture.duration = .hours(7)
    // Clocks go forward at 02:00.
    fixture.clock = WallClock(
      initialOffset: .zero, transitions: [.init(instant: .at(2), offset: .hours(1))])
    fixture.events = [
      ScenarioEvent(at: .at(0, 50), .setPhoneClock(.by(.hours(2)))),
      ScenarioEvent(at: .at(1), .pump(.setTime)),
    ]
    let run = try fixture.result()
    // At 01:00 the phone shows 04:00, so that the pump comes to 06:00 two hours later.
    let rates = [2, 3].map { hour in
      run.trace.rows.last { $0.instant <= .at(hour, 30) }?.scheduledRate.milliunitsPerHour
    }
    #expect(rates == [400, 1_000])
  }

  @Test("That a person sets the pump's clock is among what happened")
  func setByPerson() throws {
    var fixture = Fixture()
    fixture.duration = .hours(2)
    fixture.events = [ScenarioEvent(at: .at(1), .pump(.setTime))]
    let told = try fixture.result().trace.happenings.filter { $0.name == "setTime" }
    #expect(told.map(\.text) == ["A person sets the pump's clock to the phone's."])
    #expect(told.map(\.instant) == [.at(1)])
    #expect(told.map(\.kind) == [.pump])
  }
}
