import Devices
import Quantities
import Simulation
import Testing

@Suite("What lies at the end of a run, and after it")
struct ToldOfTheEndTests {
  private func run(
    latency: TimeSpan = .zero, _ events: [ScenarioEvent]
  ) throws -> RunResult {
    var fixture = Fixture()
    fixture.duration = .hours(4)
    fixture.events = events
    fixture.commandLatency = latency
    return try fixture.result()
  }

  private func bolus(_ units: Double, at instant: Instant) -> ScenarioEvent {
    ScenarioEvent(at: instant, id: "b", .bolus(BolusRequest(.units(units), by: .user)))
  }

  @Test("What a person does late, or again, after the end of the run does not happen")
  func slips() throws {
    func told(_ slip: UserFault.Slip, at minute: Int64) throws -> [String?] {
      let fault = Fault(id: "slip", .user(UserFault(slip, of: .bolus, event: "b")))
      let result = try run([ScenarioEvent(at: .at(3, minute), id: "slip", .beginFault(fault))])
      #expect(result.trace.happenings.contains { $0.text == result.faultWindows.first?.slip })
      return result.faultWindows.map(\.slip)
    }
    // The run ends at 4:00, and what is done then is done in it.
    #expect(try told(.late(.minutes(10)), at: 50) == ["The bolus b comes 10m late."])
    #expect(
      try told(.late(.minutes(10)), at: 51) == [
        "The bolus b comes 10m late, which is after the end of the run."
      ])
    #expect(
      try told(.doubled(after: .minutes(8)), at: 53) == [
        "The bolus b is made a second time, 8m later, which is after the end of the run."
      ])
    #expect(try told(.missed, at: 59) == ["The bolus b is forgotten."])
  }

  @Test("A bolus that is on its way to the pump when the run ends is told")
  func onItsWay() throws {
    func told(at instant: Instant) throws -> [RunTrouble] {
      try run(latency: .seconds(10), [bolus(2, at: instant)]).troubles.filter {
        $0.text.hasPrefix("The bolus of 2.00 U had not reached the pump")
      }
    }
    let late = try told(at: .at(3, 59, 55))
    #expect(
      late.map(\.sentence) == [
        "The bolus of 2.00 U had not reached the pump when the run ended. (04:00:00)"
      ])
    #expect(late.map(\.units) == [.milliunits(2_000)])
    #expect(try told(at: .at(3, 59, 45)).isEmpty)
  }

  @Test("A bolus that is still being given says how much it has come to, and how much it is to be")
  func stillGiven() throws {
    // Two minutes of 40 s for a unit.
    let texts = try run([bolus(8, at: .at(3, 58))]).agreement.differences.map(\.text)
    #expect(
      texts.contains {
        $0.hasPrefix(
          "The bolus of 03:58:00 (3.00 U) is still being given, and is to be 8.00 U; ")
      }, "\(texts)")
  }
}
