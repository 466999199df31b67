import ClosedLoop
import Devices
import HealthStore
import Quantities
import Simulation
import TestSupport
import Testing

@Suite("Readings of a time in which the app does not hear the sensor")
struct UnheardReadingsTests {
  /// The times of the readings in the health store after four hours in which the app heard no
  /// sensor from 01:02 to 01:32.
  private func times(
    _ effect: Fault.Effect, _ sensor: SensorProfile, besides delay: TimeSpan? = nil
  ) throws -> [Instant] {
    var fixture = Fixture()
    fixture.duration = .hours(4)
    fixture.sensor = sensor
    fixture.events = [
      ScenarioEvent(at: .at(1, 2), id: "deaf", .beginFault(Fault(id: "deaf", effect))),
      ScenarioEvent(at: .at(1, 32), id: "deaf", .endFault(id: "deaf")),
    ]
    if let delay {
      let late = Fault(id: "late", .sensor(.delay(by: delay)))
      fixture.events += [
        ScenarioEvent(at: .at(0, 40), id: "late", .beginFault(late)),
        ScenarioEvent(at: .at(1, 10), id: "late", .endFault(id: "late")),
      ]
    }
    let records = try fixture.result().store
    return try records.samples(of: .bloodGlucose, as: .user).map(\.start).sorted()
  }

  private static let reasons: [Fault.Effect] = [
    .phone(.off), .phone(.bluetoothOff), .phone(.backgroundKilled), .app(.crash(loses: .memory)),
  ]

  /// Every five minutes of four hours, both ends included.
  private static let all = (0...48).map { Instant.at(0) + .minutes(5 * Int64($0)) }

  @Test("Come when it hears the sensor again, where the sensor keeps them", arguments: reasons)
  func kept(_ effect: Fault.Effect) throws {
    #expect(try times(effect, .generic) == Self.all)
    #expect(try times(effect, .generic, besides: .minutes(20)) == Self.all)
  }

  @Test("Are lost where the sensor keeps none", arguments: reasons)
  func lost(_ effect: Fault.Effect) throws {
    let deaf = Instant.at(1, 5)...Instant.at(1, 30)
    #expect(try times(effect, .ideal) == Self.all.filter { !deaf.contains($0) })
  }

  @Test("Are lost where they are older than the sensor keeps them")
  func tooOld() throws {
    var sensor = SensorProfile.generic
    sensor.backfill = .minutes(15)
    // Contact comes back with the reading of 01:35.
    let deaf = Instant.at(1, 5)..<Instant.at(1, 20)
    #expect(try times(.phone(.off), sensor) == Self.all.filter { !deaf.contains($0) })
  }
}
