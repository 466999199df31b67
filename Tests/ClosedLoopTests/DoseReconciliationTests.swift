import HealthStore
import Quantities
import Testing

@testable import ClosedLoop

@Suite("Reconciling pump doses")
struct DoseReconciliationTests {
  @Test("H44, D77: a temp basal ends where the next one starts, and keeps its rate")
  func cutsAReplacedTempBasal() {
    let doses = [
      temp(1.5, at(6), at(6, 30), id: "a"), temp(0.5, at(6, 12), at(6, 42), id: "b"),
    ].reconciled()
    #expect(doses.map(\.start) == [at(6), at(6, 12)])
    #expect(doses.map(\.end) == [at(6, 12), at(6, 42)])
    #expect(doses.map(\.unitsPerHour) == [1.5, 0.5])
    #expect(doses.map(\.syncIdentifier) == ["a", "b"])
  }

  @Test("H45: a temp basal interrupted by a suspension goes on under the resume's identifier")
  func continuesAfterAResume() {
    let doses = [
      temp(1, at(10), at(10, 30), id: "temp"), mark(.suspend, at(10, 10), id: "suspend"),
      mark(.resume, at(10, 20), id: "resume"),
    ].reconciled()
    #expect(doses.map(\.kind) == [.tempBasal, .suspend, .tempBasal])
    #expect(doses.map(\.start) == [at(10), at(10, 10), at(10, 20)])
    #expect(doses.map(\.end) == [at(10, 10), at(10, 20), at(10, 30)])
    #expect(doses.map(\.syncIdentifier) == ["temp", "suspend", "resume"])
  }

  @Test("Each part of a temp basal around a suspension has what its rate gives, not the whole")
  func dividesDeliveredUnits() {
    var running = temp(1, at(10), at(10, 30), id: "temp")
    running.deliveredUnits = 0.35
    let doses = [
      running, mark(.suspend, at(10, 10), id: "suspend"), mark(.resume, at(10, 20), id: "resume"),
    ].reconciled()
    // 10 minutes at 1 U/h are 0.167 U, three pulses of 0.05 U.
    let parts = doses.filter { $0.kind == .tempBasal }.compactMap(\.deliveredUnits)
    #expect(parts.count == 2)
    #expect(parts.allSatisfy { ($0 - 0.15).magnitude < 1e-9 })
  }

  @Test("H46, D78: a suspension whose resume was lost ends at the next temp basal")
  func infersALostResume() {
    let doses = [
      mark(.suspend, at(9), id: "s"), temp(1, at(9, 40), at(10, 10), id: "t"),
    ].reconciled()
    #expect(doses.map(\.kind) == [.suspend, .tempBasal])
    #expect(doses[0].end == at(9, 40))
  }

  @Test("H47, D79: a suspension that is still open ends where it starts and may change")
  func keepsAnOpenSuspension() {
    let doses = [temp(1, at(8), at(9), id: "t"), mark(.suspend, at(8, 30), id: "s")].reconciled()
    #expect(doses.map(\.kind) == [.tempBasal, .suspend])
    #expect(doses[0].end == at(8, 30))
    #expect(doses[1].end == at(8, 30))
    #expect(doses[1].isMutable)
    #expect(!doses[0].isMutable)
  }

  @Test("H48: a resume without a suspension is ignored")
  func ignoresALoneResume() {
    let doses = [temp(1, at(8), at(8, 30), id: "t"), mark(.resume, at(8, 10))].reconciled()
    #expect(doses.count == 1)
    #expect(doses[0].end == at(8, 30))
  }

  @Test("A second suspension without a resume replaces the first")
  func losesTheFirstOfTwoSuspensions() {
    let doses = [
      mark(.suspend, at(8), id: "1"), mark(.suspend, at(9), id: "2"), mark(.resume, at(10)),
    ].reconciled()
    #expect(doses.map(\.syncIdentifier) == ["2"])
    #expect(doses[0].end == at(10))
  }

  @Test("Events of one instant stand in the order in which the pump numbers them")
  func keepsTheOrderOfOneInstant() {
    func event(_ kind: HistoryEvent.Kind, _ number: UInt8, _ dose: DoseEntry) -> HistoryEvent {
      HistoryEvent(kind, at: dose.start, raw: [0, 0, 0, number], dose: dose)
    }
    var store = PumpEventStore()
    let first = event(.suspend, 1, mark(.suspend, at(8, 10)))
    store.add([first], lastReconciliation: at(8, 15), at: at(8, 15))
    // Resumed and suspended anew within one instant, with a temp basal of no length between.
    let later = [
      event(.suspend, 4, mark(.suspend, at(8, 20))), event(.resume, 2, mark(.resume, at(8, 20))),
      event(.tempBasal, 3, temp(3, at(8, 20), at(8, 20))),
    ]
    store.add(later, lastReconciliation: at(8, 25), at: at(8, 25))
    #expect(store.events.map(\.kind) == [.suspend, .resume, .tempBasal, .suspend])
    let programs = store.programs(from: at(8)).reconciled()
    let suspended = programs.filter { $0.kind == .suspend }
    #expect(suspended.map(\.start) == [at(8, 10), at(8, 20)])
    // The first ends with the resume, and the second is open.
    #expect(suspended.map(\.end) == [at(8, 20), at(8, 20)])
    #expect(suspended.map(\.isMutable) == [false, true])
  }

  @Test("Boluses pass through untouched by the basal programs around them")
  func passesBoluses() {
    let bolus = DoseEntry(.bolus, from: at(8, 5), to: at(8, 6), .units(2), syncIdentifier: "b")
    let doses = [temp(1, at(8), at(8, 30)), bolus].reconciled()
    #expect(doses.filter { $0.kind == .bolus }.map(\.deliveredUnits) == [2])
  }

  @Test("H51: of two doses with one identifier the first list's stays, doses without one all stay")
  func joinsListsByIdentifier() {
    let first = [temp(1, at(8), at(9), id: "x"), temp(2, at(9), at(10))]
    let second = [temp(3, at(8), at(9), id: "x"), temp(4, at(9), at(10)), temp(5, at(7), at(8))]
    #expect(first.appendedUnion(with: second).map(\.unitsPerHour) == [1, 2, 4, 5])
  }

  @Test("H52: reconciled basal stretches never overlap", arguments: 0..<60 as Range<UInt64>)
  func neverOverlaps(seed: UInt64) {
    var stream = TestStream(state: seed)
    var doses: [DoseEntry] = []
    var now = at(0)
    for index in 0..<40 {
      now += .seconds(Int64(stream.next() % 2_400))
      let id = SyncIdentifier("\(index)")
      switch stream.next() % 6 {
      case 0: doses.append(mark(.suspend, now, id: id))
      case 1: doses.append(mark(.resume, now, id: id))
      case 2: doses.append(DoseEntry(.bolus, from: now, to: now, .units(1), syncIdentifier: id))
      default:
        let length = TimeSpan.minutes(Int64(stream.next() % 60))
        doses.append(temp(Double(stream.next() % 40) / 20, now, now + length, id: id))
      }
    }
    let basal = doses.reconciled().filter(\.isBasalKind).sorted { $0.start < $1.start }
    for (earlier, later) in zip(basal, basal.dropFirst()) {
      #expect(earlier.end <= later.start)
    }
    #expect(basal.allSatisfy { $0.start <= $0.end })
  }

  @Test("Of two temp basals at one instant the first is none, and the schedule ends no suspension")
  func leavesOutNothing() {
    let twice = [
      temp(1, at(9), at(9, 30), id: "a"), temp(2, at(9), at(9, 30), id: "b"),
    ].reconciled()
    #expect(twice.map(\.syncIdentifier) == ["b"])
    let scheduled = DoseEntry(
      .basal, from: at(9, 10), to: at(10), .unitsPerHour(0.4), syncIdentifier: "basal")
    let doses = [
      mark(.suspend, at(9), id: "suspend"), scheduled, mark(.resume, at(9, 20), id: "resume"),
    ].reconciled()
    #expect(doses.first?.kind == .suspend)
    #expect(doses.first?.start == at(9) && doses.first?.end == at(9, 20))
  }
}

/// SplitMix64 (Steele, Lea and Flood 2014), for choosing cases.
struct TestStream: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
