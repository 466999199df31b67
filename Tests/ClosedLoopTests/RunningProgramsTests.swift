import Devices
import Dosing
import HealthStore
import Quantities
import TestSupport
import Testing

@testable import ClosedLoop

/// What still runs follows from the last programs, however long the history is.
@Suite("The programs that basal still to be reported follows from")
struct RunningProgramsTests {
  @Test("They are reconciled as the whole history is", arguments: 1...Extent.of(8, whole: 60))
  func equalTheWholeHistory(seed: UInt64) {
    var stream = TestStream(state: seed)
    var store = PumpEventStore(retention: .days(3))
    var now = midnight
    var number: UInt8 = 0
    for _ in 0..<60 {
      now += .minutes(Int64(stream.next() % 50))
      let events = (0...stream.next() % 3).map { _ in
        number &+= 1
        return event(number, now - .minutes(Int64(stream.next() % 90)), &stream)
      }
      store.add(
        events, lastReconciliation: now, replacingPending: stream.next() % 4 != 0, at: now)
      if stream.next() % 5 == 0, let hidden = store.events.randomElement(using: &stream) {
        _ = store.delete(syncIdentifier: hidden.syncIdentifier, at: now)
      }
      for _ in 0..<4 {
        let reported = now - .minutes(Int64(stream.next() % 400))
        let start = reported - .days(1)
        let whole = store.programs(from: start).reconciled()
        let last = store.programs(from: start, stillRunningAfter: reported).reconciled()
        #expect(
          last.filter { $0.end > reported || $0.isMutable }
            == whole.filter { $0.end > reported || $0.isMutable })
        #expect(last.count <= whole.count)
      }
    }
  }

  @Test("A report that only repeats changes what taking it in again would", arguments: 1...20)
  func repetition(seed: UInt64) {
    var stream = TestStream(state: seed)
    var store = PumpEventStore(retention: .days(3))
    var now = midnight
    var repetitions = 0
    for number in UInt8(1)...120 {
      now += .minutes(Int64(stream.next() % 50))
      let events = [event(number, now - .minutes(Int64(stream.next() % 9)), &stream)]
      store.add(events, lastReconciliation: now, at: now)
      for _ in 0..<2 {
        now += .minutes(5)
        var repeated = store
        let isRepeated = store.add(events, lastReconciliation: now, at: now)
        guard isRepeated else { continue }
        repetitions += 1
        repeated.repeatLast(lastReconciliation: now)
        #expect(repeated == store)
      }
    }
    #expect(repetitions > 0)
  }

  private func event(
    _ number: UInt8, _ date: Instant, _ stream: inout TestStream
  ) -> HistoryEvent {
    let kinds: [(HistoryEvent.Kind, DoseEntry.Kind)] = [
      (.bolus, .bolus), (.tempBasal, .tempBasal), (.tempBasal, .tempBasal), (.suspend, .suspend),
      (.resume, .resume),
    ]
    let (kind, dose) = kinds[Int(stream.next() % 5)]
    let lasts = dose == .tempBasal || dose == .bolus
    return HistoryEvent(
      kind, at: date, raw: [number],
      dose: DoseEntry(
        dose, from: date, to: lasts ? date + .minutes(Int64(stream.next() % 120)) : date,
        dose == .tempBasal ? .unitsPerHour(1) : .units(lasts ? 1 : 0)),
      isMutable: lasts && stream.next() % 4 == 0)
  }
}

/// What a cycle costs depends on what changed since the last one, not on the length of a run: told
/// in numbers of steps, which are the same on every machine.
@Suite("The work of a cycle")
struct CycleWorkTests {
  /// What the app's lists have done in some days.
  private struct Work {
    var made = 0
    var followed = 0
    /// The most programs and finished doses that were looked at in a cycle.
    var programs = 0
    var doses = 0
  }

  private func work(of bench: inout Bench, days: Int64) throws -> Work {
    let before = bench.app.insulin.finished.work
    var work = Work()
    var stream = TestStream(state: 7)
    let end = bench.now + .days(days)
    while bench.now < end {
      bench.mgdL = Double(90 + stream.next() % 120)
      try bench.run(until: bench.now + .minutes(5))
      work.programs = max(work.programs, bench.app.pump.programs.count)
      let earliest = DataWindows(at: bench.now).doses.lowerBound
      let doses = bench.app.algorithmDoses(from: earliest, to: bench.now, listsScheduled: true)
      work.doses = max(work.doses, doses.doses.count + doses.others.count)
    }
    work.made = bench.app.insulin.finished.work.made - before.made
    work.followed = bench.app.insulin.finished.work.followed - before.followed
    return work
  }

  @Test("A later day of temp basals takes as many steps as an early one")
  func tempBasals() throws {
    var bench = try Bench(closedLoop: true)
    _ = try work(of: &bench, days: 1)
    let early = try work(of: &bench, days: 1)
    _ = try work(of: &bench, days: Extent.of(1, whole: 3))
    let late = try work(of: &bench, days: 1)
    for day in [early, late] {
      // The list is followed and not made again; a cycle ends one stretch of basal, seldom two.
      #expect(day.made == 0)
      #expect(day.followed > 100)
      #expect(day.followed <= 2 * 288)
      #expect(day.programs <= 8)
      // Sixteen hours of doses.
      #expect(day.doses <= 400)
    }
  }

  @Test("A pump that stays suspended costs no more on the third day than on the first")
  func suspended() throws {
    var bench = try Bench(closedLoop: true)
    _ = try work(of: &bench, days: 1)
    bench.send(.suspend)
    for _ in 0..<Extent.of(2, whole: 3) {
      let day = try work(of: &bench, days: 1)
      #expect(day.made == 0)
      #expect(day.followed <= 3)
      #expect(day.programs <= 2)
    }
  }
}
