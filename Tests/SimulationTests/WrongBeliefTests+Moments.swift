import Devices
import Quantities
import Simulation
import Testing

extension WrongBeliefTests {
  @Test("Single readings that were too high are told by their number, and not as lasting no time")
  func singleReadings() throws {
    var fixture = Fixture()
    fixture.duration = .hours(4)
    fixture.isClosedLoop = true
    // A reading comes every five minutes, so that these are of 02:00 and 03:00.
    fixture.events = [Int64(1), 2].map { hour in
      let spike = Fault(id: "spike \(hour)", .sensor(.spike(delta: 120, samples: 1)))
      return ScenarioEvent(at: .at(hour, 58), id: spike.id, .beginFault(spike))
    }
    let told = try fixture.result().troubles.filter { $0.kind == .wrongReading }
    #expect(told.map(\.count) == [2])
    #expect(told.map(\.duration) == [.zero])
    let words = try #require(told.first?.text)
    #expect(
      words.hasPrefix(
        "Readings on which the loop gave more insulin were up to 120 mg/dL too high at 2 moments "
          + "from 02:00:00 to 03:00:00: at 0"), "\(words)")
  }
}
