import Devices
import Quantities
import Simulation
import Testing

@Suite("A basal schedule that is saved again")
struct SavedScheduleTests {
  private static func saving(_ milliunits: Int64, at hours: [Int64]) -> [ScenarioEvent] {
    var change = SettingsChange()
    change.basal = DailySchedule(always: .init(milliunitsPerHour: milliunits))
    return hours.map { ScenarioEvent(at: .at($0), .changeSettings(change)) }
  }

  /// The scheduled rates half an hour after each hour, in mU/h.
  private static func rates(_ events: [ScenarioEvent]) throws -> [Int64?] {
    var fixture = Fixture()
    fixture.basal = [(0, 400)]
    fixture.duration = .hours(5)
    fixture.events = events
    let run = try fixture.result()
    return (0..<5).map { hour in
      run.trace.rows.last { $0.instant <= .at(hour, 30) }?.scheduledRate.milliunitsPerHour
    }
  }

  @Test("The pump gets it that did not take it before, and no other")
  func refused() throws {
    let far = Fault(id: "far", .pump(.communicationLoss(CommunicationLoss())))
    let faults = [
      ScenarioEvent(at: .at(0, 45), id: "far", .beginFault(far)),
      ScenarioEvent(at: .at(1, 15), .endFault(id: "far")),
    ]
    #expect(
      try Self.rates(faults + Self.saving(800, at: [1])) == [400, 400, 400, 400, 400])
    #expect(
      try Self.rates(faults + Self.saving(800, at: [1, 3])) == [400, 400, 400, 800, 800])
  }

  @Test("The pump gets it also after a new installation of the app, which has its first settings")
  func installed() throws {
    let events = Self.saving(800, at: [1]) + [ScenarioEvent(at: .at(2), .reinstallApp)]
    #expect(try Self.rates(events) == [400, 800, 800, 800, 800])
    #expect(try Self.rates(events + Self.saving(400, at: [3])) == [400, 800, 800, 400, 400])
  }
}
