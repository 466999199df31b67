import ClosedLoop
import Determinism
import HealthStore
import Quantities
import TestSupport
import Testing

@testable import Simulation

@Suite("Faults that overlap")
struct FaultOverlapTests {
  /// From and to, in minutes, of two faults.
  struct Order: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var first: Range<Int64>
    var second: Range<Int64>
  }

  static let orders = [
    Order(testDescription: "the second within the first", first: 10..<40, second: 20..<30),
    Order(testDescription: "the first within the second", first: 20..<30, second: 10..<40),
    Order(testDescription: "the second later", first: 10..<30, second: 20..<40),
    Order(testDescription: "the first later", first: 20..<40, second: 10..<30),
    Order(testDescription: "one start, the first ends first", first: 10..<20, second: 10..<40),
    Order(testDescription: "one start, the second ends first", first: 10..<40, second: 10..<20),
    Order(testDescription: "one end", first: 10..<40, second: 20..<40),
    Order(testDescription: "both at once", first: 10..<40, second: 10..<40),
    Order(testDescription: "one after the other", first: 10..<20, second: 20..<40),
  ]

  private static func minute(_ minute: Int64) -> Instant { .at(0, minute) }

  /// The minute at which everything is over.
  private static let end = Int64(46)

  private static func setup(_ events: [ScenarioEvent]) throws -> Setup {
    var fixture = Fixture()
    fixture.duration = .hours(1)
    fixture.events = events
    var setup = try fixture.setup()
    // Faults begin and end by themselves; a cycle now and then is enough.
    setup.cycleInterval = .minutes(15)
    setup.outputInterval = .hours(1)
    return setup
  }

  private static func events(_ faults: [(SampleFault, Range<Int64>)]) -> [ScenarioEvent] {
    faults.enumerated().flatMap { index, fault in
      let id = "fault-\(index)"
      return [
        ScenarioEvent(
          at: minute(fault.1.lowerBound), id: id, .beginFault(Fault(id: id, fault.0.effect))),
        ScenarioEvent(at: minute(fault.1.upperBound), id: id, .endFault(id: id)),
      ]
    }
  }

  /// What is wrong in a run with these faults, looked at between all of their instants.
  ///
  /// `without` are the conditions at the end of the same run without faults.
  private func defects(
    _ faults: [(SampleFault, Range<Int64>)], acts: [ScenarioEvent] = [], without: Conditions
  ) throws -> [String] {
    var run = Run(try Self.setup(acts + Self.events(faults)))
    var found: [String] = []
    let name = faults.map { "\($0.0.name) \($0.1)" }.joined(separator: ", ")
    for look in stride(from: Int64(12), to: 45, by: 10) {
      run.advance(through: Self.minute(look))
      let active = faults.filter { $0.1.contains(look) }.sorted {
        $0.1.lowerBound < $1.1.lowerBound
      }.map(\.0)
      for fault in active where !fault.holds(run, active.filter { $0.group == fault.group }) {
        found.append("\(name): \(fault.name) has no effect at minute \(look)")
      }
    }
    run.advance(through: Self.minute(Self.end))
    if run.conditions != without {
      found.append("\(name): \(run.conditions) is not \(without)")
    }
    return found
  }

  /// The conditions at the end of a run without faults.
  private func conditions(after acts: [ScenarioEvent] = []) throws -> Conditions {
    var run = Run(try Self.setup(acts))
    run.advance(through: Self.minute(Self.end))
    return run.conditions
  }

  /// The pairs that an order is tried with: each pair is tried in one order, or in all of them.
  private static func pairs(
    of faults: [SampleFault], in order: Order
  ) -> [(SampleFault, SampleFault)] {
    let pairs = pairs(of: faults)
    guard let place = orders.firstIndex(where: { $0.testDescription == order.testDescription })
    else { return pairs }
    return pairs.indices.filter { Extent.isWhole || $0 % orders.count == place }.map { pairs[$0] }
  }

  /// All pairs of a group, and one pair for every two groups.
  private static func pairs(of faults: [SampleFault]) -> [(SampleFault, SampleFault)] {
    func isFirst(_ fault: SampleFault) -> Bool {
      faults.first(where: { $0.group == fault.group })?.name == fault.name
    }
    func isLast(_ fault: SampleFault) -> Bool {
      faults.last(where: { $0.group == fault.group })?.name == fault.name
    }
    var pairs: [(SampleFault, SampleFault)] = []
    for (index, first) in faults.enumerated() {
      for second in faults[index...]
      where first.group == second.group || isFirst(first) && isLast(second) {
        pairs.append((first, second))
      }
    }
    return pairs
  }

  @Test(
    "While a fault is in force its effect shows; after all the world is as without",
    arguments: orders)
  func pairs(order: Order) throws {
    let without = try conditions()
    for (first, second) in Self.pairs(of: SampleFault.all, in: order) {
      let defects = try defects(
        [(first, order.first), (second, order.second)], without: without)
      #expect(defects.isEmpty, "\(defects.joined(separator: "\n"))")
    }
  }

  @Test(
    "What a person changes during a fault stays",
    arguments: orders)
  func changesSurvive(order: Order) throws {
    var change = SettingsChange()
    change.suspendThreshold = .mgdL(70)
    change.basal = DailySchedule(always: .init(milliunitsPerHour: 500))
    let acts = [
      ScenarioEvent(at: Self.minute(25), .changeSettings(change)),
      ScenarioEvent(at: Self.minute(25), .setPhoneClock(.by(.minutes(7)))),
      ScenarioEvent(
        at: Self.minute(25),
        .authorize(HealthStoreAccess(data: [.carbs], directions: [.read], isGranted: false))),
    ]
    let without = try conditions(after: acts)
    for (first, second) in Self.pairs(of: SampleFault.derived, in: order) {
      let defects = try defects(
        [(first, order.first), (second, order.second)], acts: acts, without: without)
      #expect(defects.isEmpty, "\(defects.joined(separator: "\n"))")
    }
  }

  @Test("Random faults that overlap one another and themselves leave nothing behind")
  func randomFaults() throws {
    var stream = RandomStream(seed: 11, name: "faults")
    let faults = SampleFault.all
    let without = try conditions()
    for _ in 0..<60 {
      let chosen = (0..<(2 + stream.integer(below: 5))).map { _ in
        let fault = faults[Int(stream.integer(below: UInt64(faults.count)))]
        let start = 1 + Int64(stream.integer(below: 39))
        return (fault, start..<(start + 1 + Int64(stream.integer(below: UInt64(42 - start)))))
      }
      let defects = try defects(chosen, without: without)
      #expect(defects.isEmpty, "\(defects.joined(separator: "\n"))")
    }
  }

  @Test("An app installed anew during a fault is under the fault, and right afterwards")
  func reinstallation() throws {
    let faults = SampleFault.wrongSettings + SampleFault.clocks + SampleFault.apps.suffix(2)
    let acts = [ScenarioEvent(at: Self.minute(15), .reinstallApp)]
    let without = try conditions(after: acts)
    for fault in faults {
      let defects = try defects([(fault, 10..<40)], acts: acts, without: without)
      #expect(defects.isEmpty, "\(defects.joined(separator: "\n"))")
    }
  }

  @Test("Faults that begin or end during a crash that loses what was not saved")
  func crashes() throws {
    let faults = SampleFault.derived + SampleFault.apps.suffix(2)
    let crash = SampleFault("crash", .app(.crash(loses: [.memory, .unsaved]))) { run, _ in
      !run.world.isAppRunning
    }
    let without = try conditions()
    for fault in faults {
      for span in [Int64(1)..<12, 11..<40, 12..<13] {
        let defects = try defects([(fault, span), (crash, 11..<14)], without: without)
        #expect(defects.isEmpty, "\(defects.joined(separator: "\n"))")
      }
    }
  }
}
