import Devices
import Quantities
import Testing

@testable import Simulation

/// Each limit by which a run is judged, at the limit itself and beyond it.
@Suite("Limits of what is told")
struct BorderTests {
  /// Six hours in open loop.
  private static func result() throws -> RunResult {
    var fixture = Fixture()
    fixture.duration = .hours(6)
    return try fixture.result()
  }

  private static func told(_ run: RunResult, _ kind: RunTrouble.Kind) -> [String] {
    run.troubles.filter { $0.kind == kind }.map(\.text)
  }

  @Test("A pump's clock misleads for six hours after it was right again")
  func pumpClock() throws {
    var run = try Self.result()
    run.datesByPumpClock = true
    for index in run.trace.rows.indices where run.trace.rows[index].instant > .at(5) {
      run.trace.rows[index].insulinOnBoard? += 2
    }
    // The figure is wrong from 05:05:00 on.
    let last = Instant.at(0) - .minutes(55)
    for (end, isCause) in [(Instant.at(2), true), (last, true), (last - .seconds(1), false)] {
      run.wrongClocks = [
        WrongClock(owner: .pump, start: last - .hours(2), end: end, error: .minutes(30))
      ]
      let told = Self.told(run, .wrongInsulinOnBoard)
      #expect(told.count == 1)
      #expect(told.first?.hasSuffix("; the pump's clock was wrong.") == isCause, "\(told)")
    }
  }

  @Test("Fifteen minutes between two readings are no gap, and twenty are one")
  func sensorGap() throws {
    for (silent, isTold) in [(2, false), (3, true)] {
      var run = try Self.result()
      let first = try #require(run.trace.rows.firstIndex { $0.instant == .at(1) })
      for index in first..<first + silent { run.trace.rows[index].reading = nil }
      #expect(Self.told(run, .sensorGap).isEmpty != isTold)
    }
  }

  @Test("What ended as the run began is no stop of it")
  func stop() throws {
    for (minute, isTold) in [(0, false), (1, true)] as [(Int64, Bool)] {
      var run = try Self.result()
      run.programs.insert(
        PumpProgramRecord(
          start: Instant.at(0) - .hours(1), end: .at(0, minute), kind: .stopped, rate: .zero,
          isAutomatic: false, delivered: .zero), at: 0)
      #expect(Self.told(run, .stop).isEmpty != isTold)
    }
  }

  @Test("A schedule that differs for ten minutes is told, and for five is not")
  func schedule() throws {
    let run = try Self.result()
    let believed = [
      Timeline<InsulinRate>.Segment(
        start: .at(0), end: .at(6), value: run.trace.rows[0].scheduledRate)
    ]
    for (rows, isFound) in [(1, false), (2, true)] {
      var changed = run.trace.rows
      let first = try #require(changed.firstIndex { $0.instant == .at(1) })
      for index in first..<first + rows {
        changed[index].scheduledRate = InsulinRate(milliunitsPerHour: 900)
      }
      #expect(ScheduleCheck(rows: changed, believed: believed).stretches.isEmpty != isFound)
    }
  }

  @Test("A reading may be off by 40 mg/dL, or by 40 percent where that is more")
  func readings() throws {
    var run = try Self.result()
    for (truth, reading, isWrong) in [
      (100.0, 140.0, false), (100, 141, true), (60, 100, false), (60, 101, true),
      (200, 280, false), (200, 281, true),
    ] {
      for index in run.trace.rows.indices {
        run.trace.rows[index].trueGlucose = .mgdL(truth)
        run.trace.rows[index].reading = .mgdL(reading)
      }
      #expect(Self.told(run, .wrongReading).isEmpty != isWrong, "\(truth), \(reading)")
    }
  }

  /// Six hours with one reading that is 140 mg/dL too high, at 01:00:00, in a fault, and a temp
  /// basal of the loop while it is the newest.
  private static func wrongReading(
    until end: Instant, rate milliunitsPerHour: Int64
  ) throws -> RunResult {
    var run = try result()
    let place = try #require(run.trace.rows.firstIndex { $0.instant == .at(1) })
    run.trace.rows[place].reading = .mgdL(run.trace.rows[place].trueGlucose.mgdL + 140)
    run.faultWindows = [
      FaultWindow(id: "fault", span: Instant.at(0, 30)..<end, changesReadings: true)
    ]
    run.programs.append(
      PumpProgramRecord(
        start: .at(1, 1), end: .at(1, 31), kind: .tempBasal,
        rate: InsulinRate(milliunitsPerHour: milliunitsPerHour), isAutomatic: true,
        delivered: .zero))
    return run
  }

  @Test("A wrong reading is told where the loop gave more than the schedule on it, and not as much")
  func dosedOnReading() throws {
    // The schedule is 0.4 U/h.
    for (rate, isTold) in [(400, false), (401, true)] as [(Int64, Bool)] {
      let run = try Self.wrongReading(until: .at(2), rate: rate)
      #expect(Self.told(run, .wrongReading).isEmpty != isTold)
    }
  }

  @Test("A reading is of a fault for the five minutes in which one from within it is the newest")
  func readingAfterFault() throws {
    for (end, isTold) in [(Instant.at(0, 55), true), (.at(0, 54, 59), false)] {
      let run = try Self.wrongReading(until: end, rate: 1_000)
      #expect(Self.told(run, .wrongReading).isEmpty != isTold)
    }
  }

  @Test("The limit of a temp basal is that in force when it was sent, and its end is no part of it")
  func limits() throws {
    func rate(_ milliunits: Int64) -> InsulinRate { InsulinRate(milliunitsPerHour: milliunits) }
    func limit(_ instant: Instant, _ most: Int64) -> LimitRecord {
      LimitRecord(
        instant: instant, maximumBasalRate: rate(most), maximumBolus: .milliunits(10_000),
        neutralBasalRate: .zero)
    }
    for (end, starts) in [(Instant.at(3), [Instant.at(2)]), (.at(2), [])] {
      var run = try Self.result()
      run.limits = [limit(.at(0), 2_000), limit(.at(1), 1_200)]
      var program = PumpProgramRecord(
        start: .at(1), end: end, kind: .tempBasal, rate: rate(1_000), isAutomatic: true,
        delivered: .zero)
      program.rateChanges = [
        .init(instant: .at(1), rate: rate(1_000)), .init(instant: .at(2), rate: rate(1_500)),
      ]
      run.programs = [program]
      #expect(run.ratesAboveLimit.map(\.start) == starts)
    }
  }

  @Test("After the longest gap a wrong stretch goes on, and a second later another begins")
  func wrongStretches() throws {
    for (second, count) in [(0, 1), (1, 2)] as [(Int64, Int)] {
      var stretches = WrongStretches(longestGap: .minutes(30))
      for instant in [Instant.at(0), .at(0, 15), .at(0, 45, second), .at(1, 5)] {
        stretches.take(.init(instant: instant, shown: 2, truth: 1, difference: 1))
      }
      stretches.close()
      #expect(stretches.findings.map(\.count) == [count])
    }
  }

  @Test("A wrong figure stands until the next, and how long it lasted is measured so")
  func standing() throws {
    // Wrong in three rows, and right again a quarter of an hour after the first, or sooner.
    for (right, count) in [(15, 1), (14, 0)] as [(Int64, Int)] {
      var stretches = WrongStretches()
      for minute in [0, 5, 10] as [Int64] {
        stretches.take(.init(instant: .at(0, minute), shown: 2, truth: 1, difference: 1))
      }
      stretches.stand(until: .at(0, right))
      stretches.close()
      #expect(stretches.findings.map(\.count) == Array(repeating: 1, count: count))
      #expect(stretches.findings.allSatisfy { $0.span == .minutes(15) && $0.end == .at(0, 15) })
    }
  }

  @Test("The cause of more than half of the cycles is told beside the first, and not that of half")
  func halfOfTheCycles() {
    func words(_ failures: [String]) -> String? {
      var causes = CycleGapCauses()
      for (index, failure) in failures.enumerated() {
        causes.note(failure, at: .at(0, Int64(index) * 5))
      }
      return causes.words(until: .at(6)) { "\($0)" }
    }
    #expect(words(["First.", "Third.", "Most.", "Most."]) == "\"First.\"")
    #expect(
      words(["First.", "Third.", "Most.", "Most.", "Most."])
        == "\"First.\"; in 3 of its 5 cycles: \"Most.\"")
    // The numbers of the first are not those of all, and where they stay they are.
    #expect(words(["It is 20m old.", "It is 25m old."]) == "at first \"It is 20m old.\"")
    #expect(words(["It is 20m old.", "It is 20m old."]) == "\"It is 20m old.\"")
    #expect(
      words(["First.", "It is 20m old.", "It is 25m old."])
        == "\"First.\"; in 2 of its 3 cycles, at first: \"It is 20m old.\"")
  }

  @Test("What kept the app that ran again is told when it lasted for more than 15 minutes")
  func afterTheStop() {
    func words(until end: Instant) -> String? {
      var causes = CycleGapCauses()
      causes.note(RunResult.appOff, at: .at(1))
      causes.note("Then.", at: .at(2))
      return causes.words(until: end) { _ in "02:00:00" }
    }
    #expect(words(until: .at(2, 15)) == RunResult.appOff)
    #expect(
      words(until: .at(2, 15, 1))
        == "\(RunResult.appOff.dropLast()); from 02:00:00 on: \"Then.\"")
  }
}
