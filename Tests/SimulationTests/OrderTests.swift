import ClosedLoop
import Devices
import Quantities
import Testing

@testable import Simulation

@Suite("The order of what happens")
struct OrderTests {
  @Test("What precedes others at one instant comes first, in the order it was put in")
  func precedents() {
    var queue = EventQueue<Int>()
    queue.addConsequence(3, at: .at(1))
    queue.add(2, at: .at(1))
    queue.addPrecedent(0, at: .at(1))
    queue.addPrecedent(1, at: .at(1))
    queue.add(-1, at: .at(0))
    var order: [Int] = []
    while let next = queue.takeNext(through: .at(2)) { order.append(next.event) }
    #expect(order == [-1, 0, 1, 2, 3])
  }

  @Test("What is due at one instant comes in the order it was put in, consequences last")
  func ties() {
    var queue = EventQueue<Int>()
    queue.addConsequence(100, at: .at(1))
    for number in 0..<40 { queue.add(number, at: number % 2 == 0 ? .at(1) : .at(0)) }
    queue.addConsequence(101, at: .at(1))
    var order: [Int] = []
    while let next = queue.takeNext(through: .at(2)) { order.append(next.event) }
    let odd = stride(from: 1, to: 40, by: 2)
    let even = stride(from: 0, to: 40, by: 2)
    #expect(order == Array(odd) + Array(even) + [100, 101])
  }

  @Test("Commands reach the pump one behind the other")
  func commandsQueue() throws {
    var fixture = Fixture()
    fixture.duration = .hours(2)
    fixture.events = [
      ScenarioEvent(at: .at(1), id: "off", .suspend), ScenarioEvent(at: .at(1), id: "on", .resume),
    ]
    fixture.commandLatency = .seconds(30)
    let suspended = try fixture.result().programs.filter { $0.kind == .suspended }
    #expect(suspended.map(\.start) == [.at(1, 0, 30)])
    #expect(suspended.map(\.end) == [.at(1, 1)])
  }

  @Test("A pump that is resumed and suspended anew at one instant is known to be suspended")
  func suspendedAnew() throws {
    var fixture = Fixture()
    fixture.duration = .hours(3)
    fixture.events = [
      ScenarioEvent(at: .at(1), id: "off", .suspend),
      ScenarioEvent(at: .at(1, 10), id: "on", .resume),
      ScenarioEvent(at: .at(1, 10), id: "again", .suspend),
    ]
    var run = Run(try fixture.setup())
    while run.step() {}
    let result = run.finish()
    #expect(result.eventHistory.map(\.kind) == [.suspend, .resume, .suspend])
    // Nothing was given since 01:00: the app counts what the schedule lacks, as the body does.
    let last = try #require(result.trace.rows.last { $0.insulinOnBoard != nil })
    let known = try #require(last.insulinOnBoard)
    #expect(known < -0.5, "\(known)")
    #expect(!result.troubles.contains { $0.text.contains("insulin on board") })
  }

  @Test("What a person asks for reaches the pump, though it has refused what they asked for before")
  func refusedNeighbour() throws {
    var fixture = Fixture()
    fixture.duration = .hours(2)
    fixture.events = [
      // Such pumps run a temp basal for multiples of half an hour.
      ScenarioEvent(
        at: .at(1), id: "temp",
        .tempBasal(InsulinRate(milliunitsPerHour: 2_000), duration: .minutes(25))),
      ScenarioEvent(at: .at(1), id: "b", .bolus(BolusRequest(.units(2), by: .user))),
    ]
    fixture.commandLatency = .seconds(10)
    let result = try fixture.result()
    let refused = result.troubles.filter { $0.kind == .refused }.map(\.text)
    #expect(refused.count == 1 && refused[0].hasPrefix("The temp basal of 2.00 U/h for 25m failed"))
    #expect(result.boluses.map(\.start) == [.at(1, 0, 20)])
    #expect(result.boluses.map(\.delivered) == [.milliunits(2_000)])
  }

  /// Two hours of a loop that gives boluses, whose commands take 20 s to reach the pump.
  private static func slowLoop(_ events: [ScenarioEvent]) throws -> RunResult {
    var fixture = Fixture()
    fixture.isClosedLoop = true
    fixture.strategy = .automaticBolus
    fixture.glucose = 250
    fixture.duration = .hours(2)
    fixture.events = events
    fixture.commandLatency = .seconds(20)
    return try fixture.result()
  }

  @Test("What the loop gives later is not found by the name of a person's bolus")
  func loopsOwnCommands() throws {
    let run = try Self.slowLoop([
      ScenarioEvent(at: .at(0, 2), id: "mine", .bolus(BolusRequest(.units(0.5), by: .user))),
      ScenarioEvent(
        at: .at(1, 1),
        .delete(DeletionRequest(place: .eventHistory, kind: .any, id: "mine"))),
    ])
    #expect(run.boluses.count > 2)
    let deletions = run.trace.happenings.filter { $0.kind == .deletion }.map(\.text)
    #expect(deletions.count == 1, "\(deletions)")
    #expect(deletions.first?.contains("T00:02:20") == true)
  }

  @Test("What the loop asks for reaches the pump, though it has refused a person's command")
  func loopBehindRefusal() throws {
    let run = try Self.slowLoop([
      ScenarioEvent(
        at: .at(0, 4, 50), id: "temp",
        .tempBasal(InsulinRate(milliunitsPerHour: 2_000), duration: .minutes(25)))
    ])
    #expect(!run.trace.happenings.contains { $0.text.contains("was not sent") })
    // Behind that of the person, which arrives at 00:05:10.
    #expect(run.boluses.map(\.start).contains(.at(0, 5, 30)))
  }

  @Test("The loop doses nothing before the part that counts")
  func preRoll() throws {
    var fixture = Fixture()
    fixture.isClosedLoop = true
    fixture.glucose = 250
    fixture.duration = .hours(4)
    var setup = try fixture.setup()
    setup.start = .at(2)
    setup.preRoll = .hours(2)
    var run = Run(setup)
    while run.step() {}
    let temps = run.finish().programs.filter { $0.kind == .tempBasal }
    #expect(temps.first?.start == .at(2))
  }

  @Test("What the pump does by itself stands before a fault that comes later")
  func pumpBeforeFault() throws {
    var fixture = Fixture()
    fixture.duration = .hours(2)
    fixture.events = [
      ScenarioEvent(at: .at(1), id: "b", .bolus(BolusRequest(.units(2), by: .user))),
      ScenarioEvent(at: .at(1, 5), id: "f", .beginFault(Fault(id: "f", .phone(.off)))),
    ]
    let happenings = try fixture.result().trace.happenings
    let end = try #require(happenings.firstIndex { $0.kind == .bolus && $0.name == "end" })
    let fault = try #require(happenings.firstIndex { $0.kind == .fault })
    #expect(happenings[end].instant < happenings[fault].instant)
    #expect(end < fault)
    #expect(happenings.map(\.instant) == happenings.map(\.instant).sorted())
  }
}
