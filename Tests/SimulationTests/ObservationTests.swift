import ClosedLoop
import Quantities
import Simulation
import Testing

@Suite("What is seen of a run while it lives")
struct ObservationTests {
  @Test("A cycle in which the loop runs twice is seen twice")
  func doubleRun() throws {
    var fixture = Fixture()
    fixture.duration = .hours(1)
    fixture.isClosedLoop = true
    fixture.events = [
      ScenarioEvent(at: .at(0, 30), .beginFault(Fault(id: "twice", .app(.doubleRun)))),
      ScenarioEvent(at: .at(0, 45), .endFault(id: "twice")),
    ]
    var run = Run(try fixture.setup())
    var observation = RunObservation(run)
    while run.step() { observation.observe(run) }
    observation.end(run)
    let result = run.finish()
    // Twelve cycles in an hour, three of them twice; the one at the end is seen and not due.
    #expect(result.cycles.due == 15)
    #expect(observation.cycles.count == 16)
    let twice = observation.cycles.filter { $0.instant == .at(0, 35) }
    #expect(twice.count == 2)
  }
}
