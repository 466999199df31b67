import Devices
import HealthStore
import Quantities
import Testing

@testable import ClosedLoop

/// Rules that matter only at the edge: while something runs, at the very end, under one name.
@Suite("Edges of the app's rules")
struct BoundaryTests {
  @Test("No automatic bolus is commanded while a bolus runs, and one is afterwards")
  func waitsForTheBolus() throws {
    var bench = try Bench(from: at(9), closedLoop: true, strategy: .automaticBolus)
    try bench.live()
    // 3 U take two minutes: the bolus runs in the cycle at 09:05.
    try bench.send(.startBolus(.milliunits(3_000), automatic: false), at: at(9, 4))
    bench.mgdL = 400
    try bench.run(until: at(9, 5))
    let during = try #require(bench.decisions.last)
    #expect(during.bolus > .zero)
    #expect(!during.commands.contains { $0.name == .bolus })
    try bench.run(until: at(9, 10))
    let after = try #require(bench.decisions.last)
    #expect(after.commands.contains { $0.name == .bolus })
  }

  @Test("A running bolus that a person deleted from the history stays deleted")
  func deletedWhileRunning() throws {
    var bench = try Bench(from: at(9, 55))
    // 5 U take 200 seconds.
    try bench.send(.startBolus(.milliunits(5_000), automatic: false), at: at(10))
    let running = try #require(bench.app.pump.events.events.last)
    #expect(running.isMutable)
    bench.app.deletePumpEvent(running.syncIdentifier, at: bench.now)
    #expect(bench.app.pump.events.events.isEmpty)
    for minute in [1, 2, 5] as [Int64] {
      bench.now = at(10, minute)
      bench.readPump()
      #expect(bench.app.pump.events.events.isEmpty)
    }
  }

  @Test("A dose of another source under the same identifier is a dose of its own")
  func sameNameOtherSource() {
    let dose = DoseEntry(
      .bolus, from: at(9), to: at(9), .units(1), deliveredUnits: 1, syncIdentifier: "same")
    var store = InsulinDeliveryStore()
    store.present(dose, provenance: "com.loopkit.Loop", at: at(9))
    store.add(
      dose, sample: SampleUUID(high: 1, low: 1), provenance: "com.other",
      hasLoopKitOrigin: false, at: at(9))
    #expect(store.activeRows.count == 2)
    #expect(store.activeRows.filter { $0.sampleID != nil }.map(\.provenance) == ["com.other"])
    store.add(
      dose, sample: SampleUUID(high: 1, low: 2), provenance: "com.loopkit.Loop",
      hasLoopKitOrigin: true, at: at(9))
    #expect(store.activeRows.count == 2)
    #expect(store.activeRows.allSatisfy { $0.sampleID != nil })

    var other = InsulinDeliveryStore()
    other.add(
      dose, sample: SampleUUID(high: 1, low: 1), provenance: "com.other",
      hasLoopKitOrigin: false, at: at(9))
    other.present(dose, provenance: "com.loopkit.Loop", at: at(9))
    other.noteSample(SampleUUID(high: 1, low: 2), for: "same", at: at(9))
    let samples = other.activeRows.map { [$0.provenance, "\($0.sampleID?.low ?? 0)"] }
    #expect(Set(samples) == [["com.other", "1"], ["com.loopkit.Loop", "2"]])
  }

  @Test(
    "A later version of another app's dose counts as it says, and once", arguments: [true, false])
  func laterVersion(isDeletedFirst: Bool) {
    func dose(_ units: Double) -> DoseEntry {
      DoseEntry(.bolus, from: at(9), to: at(9), .units(units), syncIdentifier: "pen")
    }
    var store = InsulinDeliveryStore()
    let (first, second) = (SampleUUID(high: 1, low: 1), SampleUUID(high: 1, low: 2))
    func add(_ units: Double, _ sample: SampleUUID) {
      store.add(
        dose(units), sample: sample, provenance: "pen", hasLoopKitOrigin: false, isForeign: true,
        at: at(9, 5))
    }
    add(2, first)
    if isDeletedFirst { store.noteDeletion(ofSample: first, at: at(9, 10)) }
    add(3, second)
    if !isDeletedFirst { #expect(store.noteDeletion(ofSample: first, at: at(9, 10)) == nil) }
    #expect(store.activeRows.map(\.dose.deliverableUnits) == [3])
    #expect(store.rows.map(\.sampleID) == [second])
    #expect(store.noteDeletion(ofSample: second, at: at(9, 15)) != nil)
    #expect(store.doses(from: at(8), to: at(10)).isEmpty)
  }

  @Test("A temp basal that goes on after a suspension does not keep what the whole delivered")
  func partsOfATempBasal() throws {
    var whole = temp(1, at(9), at(10), id: "temp")
    whole.deliveredUnits = 1
    let parts = [whole, mark(.suspend, at(9, 10)), mark(.resume, at(9, 20))].reconciled()
    let temps = parts.filter { $0.kind == .tempBasal }
    // A sixth and two thirds of a unit, to the nearest 0.05 U.
    #expect(temps.map(\.deliveredUnits) == [0.15, 0.65])
  }

  @Test("Overlaid doses hold one that ends with the stretch, and none that ends after it")
  func endsWithTheStretch() throws {
    let schedule = try tableSchedule()
    let dose = temp(1, at(9), at(10), id: "temp")
    let with = [dose].overlaying(schedule, from: at(8), to: at(10))
    #expect(with.filter { $0.kind == .tempBasal } == [dose])
    let without = [dose].overlaying(schedule, from: at(8), to: at(10) - .milliseconds(1))
    #expect(without.isEmpty)
  }

  @Test("A running dose that changes is there once, also where another begins with it")
  func changesBesideAnother() {
    var store = InsulinDeliveryStore()
    for dose in [
      temp(1, at(9), at(9, 30), id: "a", isMutable: true), temp(2, at(9), at(9, 40), id: "b"),
      temp(1, at(9), at(9, 20), id: "a", isMutable: true),
    ] { store.present(dose, provenance: "own", at: at(9, 20)) }
    #expect(store.rows.map(\.syncIdentifier) == ["b", "a"])
    #expect(store.rows.map(\.dose.end) == [at(9, 40), at(9, 20)])
  }

  @Test("Values between two instants are none of a millisecond before, and end with the last")
  func glucoseBetween() {
    var store = GlucoseStore()
    for instant in [at(9) - .milliseconds(1), at(9), at(10), at(10) + .milliseconds(1)] {
      let row = GlucoseStore.Row(
        date: instant, glucose: .mgdL(100), syncIdentifier: SyncIdentifier("\(instant)"),
        provenance: "own")
      store.add(row)
    }
    #expect(store.rows(from: at(9), to: at(10)).map(\.date) == [at(9), at(10)])
    // Another store in its place, which has the value of 10:00 from elsewhere.
    var other = GlucoseStore()
    other.add(
      .init(date: at(10), glucose: .mgdL(100), syncIdentifier: "other", provenance: "other"))
    other.passOverUnwritten(of: store)
    #expect(other.lostUnwritten.all.map(\.count) == [2, 1])
  }
}
