import Devices
import Quantities
import Simulation
import Testing

@Suite("What went wrong in a run")
struct TroubleTests {
  @Test("Cycles are due while the phone is off, and the longest gap has its cause")
  func phoneOff() throws {
    var fixture = Fixture()
    fixture.duration = .hours(4)
    fixture.isClosedLoop = true
    fixture.events = [
      ScenarioEvent(at: .at(1), id: "off", .setPhone(.off)),
      ScenarioEvent(at: .at(2), id: "on", .setPhone(.on)),
    ]
    let run = try fixture.result()
    #expect(run.cycles.due == 48)
    #expect(run.cycles.completed == 36)
    let trouble = try #require(run.troubles.first { $0.kind == .missedCycles })
    #expect(trouble.count == 12)
    #expect(
      trouble.text == "36 of the 48 cycles that were due completed; the longest time without one "
        + "was 1h5m from 00:55:00: the app did not run.")
  }

  @Test("Glucose outside the model's range is trouble, once for all of it")
  func outsideModel() throws {
    var fixture = Fixture()
    fixture.duration = .hours(8)
    fixture.events = [
      ScenarioEvent(at: .at(1), id: "dose", .bolus(BolusRequest(.units(8), by: .pump)))
    ]
    let run = try fixture.result()
    #expect(!run.modelExcursions.isEmpty)
    let troubles = run.troubles.filter { $0.kind == .outsideModel }
    #expect(troubles.map(\.count) == [run.modelExcursions.count])
    #expect(troubles[0].text.hasSuffix("figures over it are arithmetic, not physiology."))
  }

  @Test("A bolus that a person wants and that nothing is recommended for is trouble, with its time")
  func noRecommendation() throws {
    var fixture = Fixture()
    fixture.duration = .hours(4)
    fixture.isClosedLoop = true
    fixture.events = [
      ScenarioEvent(at: .at(1), id: "silent", .sensor(.stop)),
      ScenarioEvent(
        at: .at(2), id: "lunch", .bolus(BolusRequest(.recommended(scale: 1, cap: nil), by: .user))),
    ]
    let run = try fixture.result()
    let trouble = try #require(run.troubles.first { $0.kind == .refused })
    #expect(
      trouble.sentence == "No bolus is recommended: The last glucose is 1h5m old; wait for a newer "
        + "one. (02:00:00)")
    #expect(trouble.start == .at(2))
  }

  @Test("Warnings that differ in their numbers alone are told once, with how many there are")
  func alike() throws {
    var fixture = Fixture()
    fixture.duration = .hours(4)
    fixture.events = [
      ScenarioEvent(
        at: .at(0, 30), id: "no", .beginFault(Fault(id: "no", .pump(.reject([.bolus])))))
    ]
    fixture.events += (1...3 as ClosedRange<Int64>).map {
      ScenarioEvent(
        at: .at($0), id: "b\($0)",
        .bolus(BolusRequest(.units(Double($0) + 0.5), by: .user)))
    }
    let troubles = try fixture.result().troubles.filter { $0.kind == .refused }
    #expect(
      troubles.map(\.sentence) == [
        "The bolus of 1.50 U failed: The pump rejected the bolus of 1.50 U. Try again or check the "
          + "pump. (3 of this kind, 01:00:00 to 03:00:00)"
      ])
  }

  @Test("A stop that lies between two pulses is told to the second")
  func wholeSeconds() throws {
    var fixture = Fixture()
    fixture.duration = .hours(4)
    fixture.isClosedLoop = true
    fixture.events = [
      ScenarioEvent(at: .at(1), id: "empty", .beginFault(Fault(id: "empty", .pump(.empty))))
    ]
    let stop = try #require(try fixture.result().troubles.first { $0.kind == .stop })
    #expect(
      stop.text.wholeMatch(
        of: /The pump gave nothing for (\dh)?\d+m(\d+s)? from \d\d:\d\d:\d\d to the end: .*/)
        != nil,
      "\(stop.text)")
  }
}
