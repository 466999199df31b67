import ClosedLoop
import Devices
import Quantities
import Simulation
import Testing

/// Cycles fall on whole multiples of five minutes, and so do entries of schedules and presets.
@Suite("Cycles at the instant of a schedule entry or a preset")
struct CyclesOnTheGridTests {
  @Test("A body that its schedule holds flat gets no temp basal, whatever its entries")
  func flatBody() throws {
    var fixture = Fixture()
    fixture.basal = [(0, 1_000), (3, 800), (6, 1_200), (9, 900), (17, 1_100), (22, 700)]
    fixture.glucose = 108
    fixture.duration = .days(1)
    fixture.isClosedLoop = true
    let run = try fixture.result()
    #expect(run.cycles.completed == 288)
    #expect(run.cycles.enacted == 0)
    #expect(run.eventHistory.isEmpty)
    #expect(run.programs.allSatisfy { $0.kind == .scheduled })
  }

  @Test("The cycle at the last instant is not due any more, and not counted as enacted")
  func cycleAtTheEnd() throws {
    var fixture = Fixture()
    fixture.basal = [(0, 1_000)]
    fixture.glucose = 300
    fixture.duration = .minutes(5)
    fixture.isClosedLoop = true
    fixture.strategy = .automaticBolus
    let run = try fixture.result()
    #expect(run.bolusRequests.count { $0.requester == nil } == 2)
    #expect(run.cycles.due == 1)
    #expect(run.cycles.completed == 1)
    #expect(run.cycles.enacted == 1)
  }

  @Test("The first temp basal of a preset is the preset's", arguments: [0, 150] as [Int64])
  func preset(secondsAfterTheCycle: Int64) throws {
    var fixture = Fixture()
    fixture.basal = [(0, 1_000)]
    fixture.glucose = 108
    fixture.duration = .hours(3)
    fixture.isClosedLoop = true
    fixture.events = [
      ScenarioEvent(
        at: .at(2) + .seconds(secondsAfterTheCycle), id: "rest",
        .startPreset(
          PresetRequest(
            name: "rest", kind: .custom, target: nil, insulinNeeds: 0.5, duration: .hours(1))))
    ]
    let temps = try fixture.result().programs.filter { $0.kind == .tempBasal }
    let first = try #require(temps.first)
    #expect(first.rate.milliunitsPerHour == 500)
    #expect(first.start == (secondsAfterTheCycle == 0 ? .at(2) : .at(2, 5)))
  }
}
