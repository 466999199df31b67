import Devices
import HealthStore
import Quantities
import TestSupport
import Testing

@testable import ClosedLoop

/// A loop that wants no insulin sets the same temp basal again and again, for days.
@Suite("Programs of one rate that are joined")
struct JoinedProgramsTests {
  /// The history of a pump whose temp basal is set anew every 20 minutes.
  private struct History {
    var store = PumpEventStore(retention: .days(30))
    var now = midnight
    private var number: UInt64 = 0
    private var running: (id: UInt64, start: Instant, rate: Double)?

    /// The next temp basal, which ends the one before.
    mutating func set(_ rate: Double, after span: TimeSpan = .minutes(20)) {
      now += span
      number += 1
      var events: [HistoryEvent] = []
      if let running {
        let end = min(now, running.start + .minutes(30))
        events.append(temp(running.id, running.start, end, running.rate, isMutable: false))
      }
      running = (number, now, rate)
      events.append(temp(number, now, now + .minutes(30), rate, isMutable: true))
      store.add(events, lastReconciliation: now, at: now)
    }

    /// A temp basal, a suspension or a resume that the pump tells of late.
    mutating func tellLate(_ kind: DoseEntry.Kind, at date: Instant) {
      number += 1
      let event =
        kind == .tempBasal
        ? temp(number, date, date + .minutes(7), 0.5, isMutable: false)
        : HistoryEvent(
          kind == .suspend ? .suspend : .resume, at: date,
          identifier: SyncIdentifier(hexadecimalOf: number),
          dose: DoseEntry(kind, from: date, to: date, .units(0)))
      store.add([event], lastReconciliation: now, replacingPending: false, at: now)
    }

    private func temp(
      _ id: UInt64, _ start: Instant, _ end: Instant, _ rate: Double, isMutable: Bool
    ) -> HistoryEvent {
      HistoryEvent(
        .tempBasal, at: start, identifier: SyncIdentifier(hexadecimalOf: id),
        dose: DoseEntry(.tempBasal, from: start, to: end, .unitsPerHour(rate)),
        isMutable: isMutable)
    }
  }

  private static let policy = ReportingPolicy(value: .loopKitNearest)

  private func delivery(of programs: [DoseEntry]) throws -> BasalReporter.Delivery {
    BasalReporter.Delivery(programs: programs, basal: try tableSchedule(), pulses: PulseLog())
  }

  @Test(
    "Basal is cut from them as from the whole history, also where that changes late",
    arguments: 1...Extent.of(6, whole: 40))
  func equalTheWholeHistory(seed: UInt64) throws {
    var stream = TestStream(state: seed)
    var history = History()
    var programs = RunningPrograms(Self.policy)
    var reporter = BasalReporter(policy: Self.policy, from: midnight)
    var rate = 0.0
    var isJoined = false
    for _ in 0..<500 {
      if stream.next() % 150 == 0 { rate = Double(stream.next() % 3) }
      // Now and then a temp basal runs out before the next.
      history.set(rate, after: .minutes(stream.next() % 120 == 0 ? 45 : 20))
      if stream.next() % 100 == 0 {
        let late = history.now - .minutes(Int64(stream.next() % 1_000))
        history.tellLate([.tempBasal, .suspend, .resume][Int(stream.next() % 3)], at: late)
      }
      programs.refresh(&history.store, reportedUntil: reporter.reportedUntil)
      let reported = reporter.reportedUntil
      let all = history.store.programs(from: reported - .days(1), stillRunningAfter: reported)
        .reconciled()
      isJoined = isJoined || programs.all.count < all.count
      // The phone's clock may have been set back.
      let now = history.now - .minutes(stream.next() % 20 == 0 ? 500 : 0)
      let (few, plain) = (try delivery(of: programs.all), try delivery(of: all))
      #expect(
        reporter.open(from: midnight, at: now, few)
          == reporter.open(from: midnight, at: now, plain))
      var other = reporter
      #expect(reporter.close(through: now, few) == other.close(through: now, plain))
      #expect(reporter == other)
      guard reporter == other else { return }
    }
    #expect(isJoined)
  }

  @Test("However long one rate is set again and again, there are few of them")
  func few() {
    var history = History()
    var programs = RunningPrograms(Self.policy)
    for count in 1...1_000 {
      history.set(0)
      programs.refresh(&history.store, reportedUntil: midnight)
      #expect(programs.all.count <= min(count, RunningPrograms.fewest))
    }
    #expect(programs.all.first?.start == midnight + .minutes(20))
    #expect(programs.all.last?.start == history.now)
  }

  @Test("Where each temp basal that is set anew is reported by itself none is joined")
  func reportedOnReissue() {
    var history = History()
    var programs = RunningPrograms(ReportingPolicy(reportsOnReissue: true))
    for _ in 0..<100 {
      history.set(0)
      programs.refresh(&history.store, reportedUntil: midnight)
    }
    #expect(programs.all.count == 100)
  }
}
