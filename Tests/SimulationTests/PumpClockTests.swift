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
    var setup = try fixture.setup()
    setup.commandLatency = latency
    var run = Run(setup)
    while run.step() {}
    return run.finish()
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
}
