import Devices
import Foundation
import Quantities
import RunPlans
import ScenarioLanguage
import Simulation
import StructuredText
import TestSupport
import Testing

@testable import Reports
@testable import Scenarios

/// The doses of the page and of `doses.csv` are put together from rows, the totals beside them from
/// what the body took in and from what each record holds.
@Suite("Doses side by side")
struct DoseTableTests {
  /// A row of what is wrong, for a run without a pre-roll, which the totals have and the rows not.
  private static func differences(_ run: RunResult) -> [String] {
    let rows = DoseTable(run).rows
    func sum(_ value: (DoseRow) -> Double?, _ kinds: DoseRow.Kind...) -> Double {
      rows.filter { kinds.contains($0.kind) }.reduce(0) { $0 + (value($1) ?? 0) }
    }
    func basal(_ value: (DoseRow) -> Double?) -> Double {
      sum(value, .scheduledBasal, .tempBasal, .suspended, .stopped)
    }
    func bolus(_ value: (DoseRow) -> Double?) -> Double { sum(value, .bolus, .automaticBolus) }
    let totals = run.agreement
    // What comes free behind an occlusion was basal or bolus, of which the rows do not tell.
    let pumped = basal(\.body) + bolus(\.body) + sum(\.body, .released)
    // A body that is fed by rates and whole boluses is ahead of the pump by less than a pulse for
    // each rate, and by what is still to come of a bolus.
    let boluses = run.ledger.boluses
    let pending = boluses.asked.units - boluses.delivered.units
    let ahead =
      run.pulseSize == .milliunits(1) ? 0.001 * Double(run.programs.count) + pending : 0
    let pairs: [(String, Double, Double?, Double)] = [
      ("basal, pump", basal(\.pump), totals.basal.pump, 0),
      ("basal, app", basal(\.app), totals.basal.app, 0),
      ("basal, health store", basal(\.store), totals.basal.healthStore, 0),
      ("bolus, pump", bolus(\.pump), totals.bolus.pump, 0),
      ("bolus, app", bolus(\.app), totals.bolus.app, 0),
      ("bolus, health store", bolus(\.store), totals.bolus.healthStore, 0),
      ("body, from the pump", pumped, totals.basal.body + totals.bolus.body, ahead),
      ("elsewhere, body", sum(\.body, .external, .unrequested), totals.elsewhere.body, 0),
      ("elsewhere, app", sum(\.app, .external, .unrequested), totals.elsewhere.app, 0),
      (
        "elsewhere, health store", sum(\.store, .external, .unrequested),
        totals.elsewhere.healthStore, 0
      ),
    ]
    return pairs.compactMap { name, rows, total, tolerance in
      guard let total, abs(rows - total) > tolerance + 0.0006 else { return nil }
      return "\(name): \(rows) U in the rows, \(total) U in all"
    }
  }

  /// 1.2 U/h are 24 pulses of 0.05 U in the hour before the start and in the one after it, and
  /// 0.6 U/h are 12 in the last.
  @Test("A dose that ran over the start of the run is whole")
  func overTheStart() throws {
    let text = """
      { format: 'loopsim/1', id: 'over', app: { closedLoop: false },
        clock: { start: '2026-01-15T01:00:00', duration: '2h', preRoll: '1h' },
        patient: { model: 'tidepool-simple', needs: { basal: [['00:00', 1.2]],
          sensitivity: [['00:00', 50]], carbRatio: [['00:00', 10]] } },
        therapy: { basal: [['00:00', 1.2], ['02:00', 0.6]] } }
      """
    // Also where the app alone has it, and the health store has no sample.
    for writes in [true, false] {
      let store = "healthStore: { writeBasalSegments: \(writes) }, clock:"
      let result = try Self.result(of: text.replacing("clock:", with: store))
      let rows = DoseTable(result).rows
      #expect(rows.map(\.pulses) == [48, 12])
      #expect(rows.map(\.app) == [2.4, 0.6] && rows.map(\.asked) == [2.4, 0.6])
      #expect(rows.map(\.store) == (writes ? [2.4, 0.6] : [nil, nil]))
      #expect(result.pulses.filter { $0.instant > result.start }.count == 36)
    }
  }

  @Test("They add up to what each record holds, whatever happens")
  func addUp() throws {
    let count = ProcessInfo.processInfo.environment["LOOPSIM_RANDOM_SCENARIOS"]
      .flatMap { UInt64($0) }
    // Seeds with an occlusion that gives way, a pump that acts alone, a temp basal whose end nobody
    // knew, a schedule that changes while nothing may be written.
    for seed in [81, 193, 213, 273, 305, 748, 932] + Array(0..<(count ?? Extent.of(2, whole: 60))) {
      let path = "Scenarios/random.json5"
      let problems = ProblemList()
      var reader = ScenarioReader(files: MemoryFiles([path: RandomScenario(seed: seed).text]))
      let document = reader.read(path, problems: problems)
      let plan = document.flatMap { RunPlan($0, reader: reader, problems: problems) }
      let first = try #require(plan?.run(at: 0), "seed \(seed)")
      let built = try #require(RunBuilder.build(first, problems: problems), "seed \(seed)")
      guard built.setup.preRoll == .zero else { continue }
      var run = Run(built.setup)
      while run.step() {}
      let wrong = Self.differences(run.finish())
      #expect(wrong.isEmpty, "seed \(seed): \(wrong)")
    }
  }

  /// A run of eight hours with 1 U/h of basal and no closed loop.
  static func result(_ rest: String, duration: String = "8h") throws -> RunResult {
    try result(
      of: """
        { format: 'loopsim/1', clock: { duration: '\(duration)' },
          patient: { model: 'tidepool-simple', initialGlucose: 120,
            needs: { basal: [['00:00', 1.0]], sensitivity: [['00:00', 50]],
              carbRatio: [['00:00', 10]] } },
          therapy: { maxBolus: 10, maxBasal: 4 },
          app: { closedLoop: false }, \(rest) }
        """)
  }

  static func result(of text: String) throws -> RunResult {
    let problems = ProblemList()
    var reader = ScenarioReader(files: MemoryFiles(["s.json5": text]))
    let document = reader.read("s.json5", problems: problems)
    let plan = document.flatMap { RunPlan($0, reader: reader, problems: problems) }
    let built = plan.flatMap { RunBuilder.build($0.run(at: 0), problems: problems) }
    var run = Run(try #require(built, "\(problems.sorted.map(\.description))").setup)
    while run.step() {}
    return run.finish()
  }

  @Test(
    "They add up where an app that was installed under a wrong clock writes over the other's basal",
    arguments: [
      ("+208m", "110m", "-194m", ["+229m", "+188m"]),
      ("+251m", "113m", "-115m", ["+360m", "+235m"]),
    ] as [(String, String, String, [String])])
  func installedUnderWrongClock(
    start: String, duration: String, by: String, installed: [String]
  ) throws {
    let again = installed.map { "{ at: '\($0)', phone: 'reinstall' }" }.joined(separator: ", ")
    let run = try Self.result(
      of: """
        { format: 'loopsim/1', clock: { duration: '12h' },
          patient: { model: 'uva-padova-s2008', name: 'adult#001' },
          pump: { model: 'omnipodDASH' },
          therapy: { basal: [['00:00', 1.25]], sensitivity: [['00:00', 40]],
            carbRatio: [['00:00', 10]] },
          events: [\(again)],
          faults: [
            { during: ['\(start)', '\(duration)'], app: { clockJump: { by: '\(by)' } } }
          ] }
        """)
    let starts = run.basalSamples.map(\.start)
    let isOver = zip(run.basalSamples, starts.dropFirst()).contains { $0.end > $1 }
    #expect(isOver, "Of two samples one begins before the other ends.")
    let wrong = Self.differences(run)
    #expect(wrong.isEmpty, "\(wrong)")
    // Each pulse of basal stands in one row.
    let rows = DoseTable(run).rows.filter {
      [.scheduledBasal, .tempBasal, .suspended, .stopped].contains($0.kind)
    }
    #expect(
      rows.reduce(0) { $0 + ($1.pulses ?? 0) } == run.pulses.count { $0.channel == .basal })
  }

  @Test("What the app has of a stretch in parts stands in its row, where no sample was written")
  func parts() throws {
    // The app has basal of a day in two parts, and a temp basal over midnight too.
    let run = try Self.result(
      """
      healthStore: { writeBasalSegments: false },
      events: [{ at: '23:45', basal: { rate: 2, duration: '30m' } }]
      """, duration: "2d")
    let rows = DoseTable(run).rows
    #expect(rows.filter { $0.app == nil }.isEmpty)
    #expect(rows.allSatisfy { abs(($0.app ?? 0) - ($0.pump ?? 0)) < 1e-9 })
    // 1 U/h for 48 hours, and another 1 U/h for half an hour.
    let units = rows.compactMap(\.app).reduce(0, +)
    #expect(abs(units - 48.5) < 1e-9)
  }

  @Test("Rows of basal follow one another where the clocks of pump and app are a moment apart")
  func withoutGaps() throws {
    let run = try Self.result(
      of: """
        { format: 'loopsim/1', random: { seed: 5 },
          clock: { start: '2026-04-04T06:00:00', duration: '6h', loopJitter: '1m' },
          patient: { model: 'uva-padova-s2008', name: 'adult#001', initialGlucose: 180 },
          pump: { model: 'medtronic723', clockDrift: '-20s/day' }, cgm: { model: 'ar1' },
          healthStore: { reportOnReissue: true },
          events: [{ at: '+1h', healthStore: { revoke: 'insulin.write' } },
            { at: '08:00', meal: { grams: 60 } }] }
        """)
    let rows = DoseTable(run).rows.filter { $0.kind == .tempBasal || $0.kind == .scheduledBasal }
    #expect(rows.count > 20)
    #expect(rows.dropFirst().map(\.start) == rows.dropLast().map(\.end))
    #expect(rows.first?.start == run.start)
    #expect(rows.last?.end == run.end)
  }

  @Test("A temp basal in percent has the rates to which it follows the pump's schedule")
  func percentages() throws {
    // 1 U/h is 200 % of 0.5 U/h, which is 2 U/h beside 1 U/h.
    func rows(_ faults: String) throws -> [DoseRow] {
      let run = try Self.result(
        """
        pump: { model: 'ypsopump' }, faults: [\(faults)],
        events: [
          { at: '00:30', settings: { basal: [['00:00', 0.5], ['02:00', 1.0]] } },
          { at: '01:00', basal: { rate: 1, duration: '2h' } },
        ]
        """)
      let all = DoseTable(run).rows
      let programmed = run.ledger.basal.programmed.units
      if faults.isEmpty {
        let asked = all.compactMap(\.asked).reduce(0, +)
        #expect(abs(programmed - asked) < 1e-9)
      }
      return all.filter { $0.kind == .tempBasal }
    }
    let right = try rows("")
    #expect(right.map(\.rate?.unitsPerHour) == [1, 2])
    #expect(right.map(\.asked) == [1, 2])
    #expect(right.map(\.pump) == [1, 2])
    // A clock that is half an hour ahead comes to 02:00 at 01:30.
    let early = try rows("{ at: '00:40', pump: { clockError: { by: '30m' } } }")
    #expect(early.map(\.rate?.unitsPerHour) == [nil, 2])
    #expect(early.map(\.asked) == [1.5, 2])
    #expect(early.map(\.pump) == [1.5, 2])
  }

  @Test("Basal of a pump that runs another schedule than the app believes has the pump's rates")
  func otherSchedule() throws {
    let run = try Self.result(
      """
      faults: [{ during: ['01:00', '2h'],
        pump: { wrongPump: { basal: [['00:00', 2.0], ['02:00', 0.5]] } } }]
      """, duration: "4h")
    // An hour each at 1, 2, 0.5 and 1 U/h, of which the app knows 1 U/h alone.
    let row = try #require(DoseTable(run).rows.first { $0.kind == .scheduledBasal })
    #expect(row.rate == nil)
    #expect(abs((row.asked ?? 0) - 4.5) < 1e-9)
    #expect(row.pump == 4.5)
    let stretches = DoseTable.stretches(of: run)
    #expect(stretches.map(\.rate.unitsPerHour) == [1, 2, 0.5, 1])
    #expect(stretches.map(\.start) == (0..<4).map { run.start + .hours($0) })
    // Where one rate ran all the time it is that one, and not the app's.
    let all = try Self.result(
      "faults: [{ during: ['00:00', '4h'], pump: { wrongPump: { basal: [['00:00', 2.0]] } } }]",
      duration: "4h")
    let one = try #require(DoseTable(all).rows.first { $0.kind == .scheduledBasal })
    #expect(one.rate?.unitsPerHour == 2)
    #expect(abs((one.asked ?? 0) - 8) < 1e-9)
  }

  @Test("What was programmed before the start counts in a row that had begun before it")
  func begunBefore() throws {
    let run = try Self.result(
      of: """
        { format: 'loopsim/1',
          clock: { start: '2026-01-15T08:00:00', duration: '3h', preRoll: '24h' },
          patient: { model: 'tidepool-simple', initialGlucose: 120,
            needs: { basal: [['00:00', 0.4], ['10:00', 0.8]], sensitivity: [['00:00', 50]],
              carbRatio: [['00:00', 10]] } },
          pump: { clockDrift: '10m/day' }, app: { closedLoop: false } }
        """)
    let row = try #require(DoseTable(run).rows.first { $0.kind == .scheduledBasal })
    #expect(row.start == run.start - .hours(8) && row.end == run.start + .hours(2))
    // In 26 hours the pump's clock comes to 10:00, which it does after 26 / (1 + 10 / 1,440) hours:
    // 0.4 U/h until 09:49:15, and 0.8 U/h for the rest of the ten hours.
    let change = 26 / (1 + 10.0 / 1_440) - 16
    #expect(abs((row.asked ?? 0) - (0.4 * change + 0.8 * (10 - change))) < 0.001)
    #expect(row.pump == 4.05)
  }

  @Test("The last pulse of a bolus is not the first of one that starts when it ends")
  func inTurn() throws {
    // 40 seconds for each unit.
    let run = try Self.result(
      """
      events: [{ at: '01:00', bolus: { units: 2 } }, { at: '01:01:20', bolus: { units: 3 } }]
      """)
    let rows = DoseTable(run).rows.filter { $0.kind == .bolus }
    #expect(rows.count == 2 && rows.first?.end == rows.last?.start)
    #expect(rows.map(\.pulses) == [40, 60])
    #expect(rows.map { ($0.body ?? 0).rounded(.toNearestOrEven) } == [2, 3])
  }

  @Test("Each of many boluses has the records of its own identifier")
  func manyBoluses() throws {
    // 0.05 U to 1.2 U: each is told from the others by its amount.
    let events = (1...24).map { "{ at: '+\($0 * 2)m', bolus: { units: \(Double($0) / 20) } }" }
    let run = try Self.result("events: [\(events.joined(separator: ", "))]")
    let rows = DoseTable(run).rows.filter { $0.kind == .bolus }
    let asked = (1...24).map { Double($0) / 20 }
    #expect(rows.map { $0.asked ?? 0 } == asked)
    #expect(rows.map { $0.app ?? 0 } == asked)
    #expect(rows.map { $0.store ?? 0 } == asked)
    #expect(rows.allSatisfy { $0.isInEventHistory == true })
  }

  @Test("A record stands beside the injection that it is of, not beside an earlier one")
  func injections() throws {
    let run = try Self.result(
      """
      events: [{ at: '01:00', injection: { units: 2 }, entry: { units: 5 } },
        { at: '02:00', injection: { units: 2 } }]
      """)
    let rows = DoseTable(run).rows.filter { $0.kind == .external }
    #expect(rows.map(\.body) == [2, nil, 2])
    #expect(rows.map(\.app) == [nil, 5, 2])
    #expect(rows.map(\.store) == [nil, 5, 2])
    // Each difference is told of its own row.
    let kinds = rows.map { row in row.differences.map { run.agreement.differences[$0].kind } }
    #expect(kinds == [[.misstatedDose], [.misstatedDose], [.externalDose]])
  }

  @Test("A temp basal that was issued again is in the event history, until one part is deleted")
  func issuedAgain() throws {
    func rows(_ more: String) throws -> [DoseRow] {
      let run = try Self.result(
        """
        events: [{ at: '01:00', basal: { rate: 0, duration: '30m' } },
          { at: '01:20', basal: { rate: 0, duration: '30m' } }\(more)]
        """)
      return DoseTable(run).rows.filter { $0.kind == .tempBasal }
    }
    #expect(try rows("").map(\.isInEventHistory) == [true])
    let deletion =
      ", { at: '02:00', delete: { from: 'eventHistory', match: { kind: 'tempBasal', last: 1 } } }"
    #expect(try rows(deletion).map(\.isInEventHistory) == [false])
  }

  @Test("A pump that an alarm stopped is told as stopped, and one that a person suspended is not")
  func stopped() throws {
    let run = try Self.result(
      """
      events: [{ at: '01:00', suspend: { duration: '30m' } },
        { at: '03:00', suspend: { duration: '90m' } }],
      faults: [{ id: 'off', during: ['02:00', '30m'], pump: { error: {} } },
        { id: 'more', during: ['03:30', '30m'], pump: { batteryDepleted: {} } }]
      """)
    let rows = DoseTable(run).rows.filter { $0.kind == .stopped || $0.kind == .suspended }
    #expect(rows.map(\.kind) == [.suspended, .stopped, .suspended])
    let starts: [Instant] = [60, 120, 180].map { run.start + .minutes($0) }
    let ends: [Instant] = [90, 150, 270].map { run.start + .minutes($0) }
    #expect(rows.map(\.start) == starts)
    #expect(rows.map(\.end) == ends)
    #expect(rows.map(\.store) == [0, 0, 0])
    // Of a stop the event history has the alarm, which is no dose.
    #expect(rows.map(\.isInEventHistory) == [true, nil, true])
  }
  @Test("A bolus that was reported and never given is a row of the pump")
  func neverGiven() throws {
    let run = try Self.result(
      """
      events: [{ at: '05:00', bolus: { units: 3 } }],
      faults: [{ id: 'y', during: ['04:59', '3m'],
        pump: { uncertainDelivery: { trulyDelivered: 0, reported: 'full' } } }]
      """)
    let row = try #require(DoseTable(run).rows.first { $0.kind == .bolus })
    #expect([row.body, row.pump, row.app, row.store] == [0, 0, 3, 3])
    #expect(row.isInEventHistory == true)
    #expect(!DoseTable(run).rows.contains { $0.kind == .external })
    #expect(
      run.agreement.differences.map(\.text).contains(
        "The app counts and the health store holds 3.00 U of a bolus at 05:00:00, reported by the "
          + "pump, which gave nothing."))
    #expect(run.agreement.answer == .explained)
  }

  @Test("What was assumed of a pod that is gone has one row also where the app has forgotten it")
  func assumedAndForgotten() throws {
    for part in [0, 1] {
      let run = try Self.result(
        """
        pump: { model: 'omnipodDASH' },
        events: [{ at: '+5h', bolus: { units: 3 } }, { at: '+6h', pump: { replace: {} } },
          { at: '+60h', phone: 'reinstall' }],
        faults: [{ during: ['+299m', '3m'],
          pump: { uncertainDelivery: { trulyDelivered: \(part), resolveAfter: '1d' } } }]
        """, duration: "70h")
      let rows = DoseTable(run).rows.filter { $0.kind == .bolus || $0.kind == .external }
      #expect(rows.map(\.kind) == [.bolus])
      #expect(rows.map(\.pump) == [Double(3 * part)])
      #expect(rows.map(\.store) == [3])
    }
  }

  @Test("A bolus that runs when the part begins that counts has its row")
  func acrossTheStart() throws {
    // 8 U at 1.5 U/min, as the pump gives them, run for more than the two minutes to the start.
    let run = try Self.result("history: { doses: [{ at: '-2m', bolus: 8 }] }", duration: "2h")
    let row = try #require(DoseTable(run).rows.first { $0.kind == .bolus })
    #expect(row.start == run.start - .minutes(2))
    #expect([row.asked, row.pump, row.app, row.store] == [8, 8, 8, 8])
  }
}
