import Devices
import Foundation
import Quantities
import RunPlans
import ScenarioLanguage
import Simulation
import StructuredText
import TestSupport
import Testing

@testable import Expectations
@testable import Scenarios

/// Whatever valid scenario is run: insulin is conserved, the answers fit one another, and nothing
/// that is no physiology goes unmarked.
///
/// 60 scenarios run, or 6 unless all is tried. `LOOPSIM_RANDOM_SCENARIOS=3000` asks for more, and
/// `LOOPSIM_RANDOM_SEED=1234` for the one whose seed a failure named. `LOOPSIM_RANDOM_WEEKS=100`
/// asks for more of those that last for weeks.
@Suite("Random valid scenarios")
struct RandomScenarioTests {
  private static let chunk: UInt64 = 10

  private static func setting(_ name: String) -> UInt64? {
    ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) }
  }

  /// Seeds that once failed: commands on their way, reports that are stated, a clock behind, a body
  /// that is fed by rates, a loop that was skipped.
  private static let failedOnce: [UInt64] = [
    4_675, 10_980, 13_900, 14_139, 15_773, 19_415, 19_441,
  ]

  /// The seeds of groups of scenarios.
  private static let groups: [Range<UInt64>] = {
    if let seed = setting("LOOPSIM_RANDOM_SEED") { return [seed..<seed + 1] }
    let count = setting("LOOPSIM_RANDOM_SCENARIOS") ?? Extent.of(6, whole: 60)
    return failedOnce.map { $0..<$0 + 1 }
      + stride(from: 0, to: count, by: Int(chunk)).map { $0..<min($0 + chunk, count) }
  }()

  /// The seeds of scenarios of more than a week, from which on the app forgets.
  private static let weeks: Range<UInt64> =
    0..<(setting("LOOPSIM_RANDOM_WEEKS") ?? Extent.of(1, whole: 10))

  /// Reads, builds and runs the scenario of a seed, with rows so far apart where that is given.
  private static func run(
    _ seed: UInt64, rows interval: TimeSpan? = nil, isLong: Bool = false
  ) throws -> RunResult {
    let path = "Scenarios/random.json5"
    let text = RandomScenario(seed: seed, isLong: isLong).text
    let problems = ProblemList()
    var reader = ScenarioReader(files: MemoryFiles([path: text]))
    let document = reader.read(path, problems: problems)
    let plan = document.flatMap { RunPlan($0, reader: reader, problems: problems) }
    let first = try #require(plan?.run(at: 0), "seed \(seed): \(problems.sorted)\n\(text)")
    let built = try #require(
      RunBuilder.build(first, problems: problems), "seed \(seed): \(problems.sorted)")
    #expect(!problems.hasErrors, "seed \(seed): \(problems.sorted)")
    var setup = built.setup
    if let interval { setup.outputInterval = interval }
    var run = Run(setup)
    while run.step() {}
    return run.finish()
  }

  @Test("How often a run is written down changes nothing of what happens", arguments: Self.groups)
  func rows(seeds: Range<UInt64>) throws {
    for seed in seeds.prefix(3) {
      let one = try Self.run(seed, rows: .minutes(5))
      let other = try Self.run(seed, rows: .seconds(Int64(37 + seed % 90)))
      #expect(one.pulses == other.pulses, "seed \(seed)")
      #expect(one.cycleOutcomes == other.cycleOutcomes, "seed \(seed)")
      #expect(one.eventHistory == other.eventHistory, "seed \(seed)")
      #expect(one.insulinDelivery == other.insulinDelivery, "seed \(seed)")
      #expect(one.insulinSamples == other.insulinSamples, "seed \(seed)")
      // When glucose left the model's range is seen at rows too.
      let (some, others) = (one.trace.happenings, other.trace.happenings)
      #expect(
        some.filter { $0.kind != .model } == others.filter { $0.kind != .model }, "seed \(seed)")
    }
  }

  @Test("Laws that hold in every run", arguments: Self.groups)
  func laws(seeds: Range<UInt64>) throws { try checkLaws(seeds) }

  @Test("Laws that hold in every run of weeks", arguments: Self.weeks)
  func laws(seed: UInt64) throws { try checkLaws(seed..<seed + 1, isLong: true) }

  private func checkLaws(_ seeds: Range<UInt64>, isLong: Bool = false) throws {
    for seed in seeds {
      let run = try Self.run(seed, isLong: isLong)
      #expect(run.violations.isEmpty, "seed \(seed): \(run.violations)")
      #expect(run.ledger.checkConservation() == nil, "seed \(seed)")
      for law: Invariant in [
        .insulinConservation, .wholePulses, .monotoneTime, .noNegativeInsulin,
        .noDoseWhileSuspended, .limitsRespected,
      ] {
        let complaint = law.complaint(about: run)
        #expect(
          complaint == nil,
          "seed \(seed): \(complaint?.sentence ?? "")\n\(RandomScenario(seed: seed).text)")
      }
      // The headline and the laws about records say the same.
      let agrees = Invariant.recordsAgree.complaint(about: run) == nil
      #expect((run.agreement.answer == .yes) == agrees, "seed \(seed)")
      let explained = Invariant.recordsExplained.complaint(about: run) == nil
      #expect((run.agreement.answer != .no) == explained, "seed \(seed)")
      let faults = run.agreement.differences.filter { $0.severity == .fault }.map(\.text)
      #expect(faults.isEmpty, "seed \(seed): \(faults)\n\(RandomScenario(seed: seed).text)")
      Self.checkBody(run, seed)
      Self.checkBoluses(run, seed)
      Self.checkTold(run, seed)
      Self.checkPrograms(run, seed)
      Self.checkGlucose(run, seed)
    }
  }

  /// The body has what the way from the pump let through, and what people injected.
  private static func checkBody(_ run: RunResult, _ seed: UInt64) {
    let records = run.agreement
    func units(_ kind: RecordDifference.Kind, _ reasons: [String] = [""]) -> [Double] {
      records.differences.filter { one in
        one.kind == kind && reasons.contains { one.text.hasSuffix($0) }
      }.map(\.units)
    }
    // What the pump gave beyond its count reached the body, as is told, or was spilled too.
    let told = units(.notAbsorbed, ["another amount than it gave.", "is wrong by a factor."])
    let beyond = run.ledger.body.excess.units - told.filter { $0 > 0 }.reduce(0, +)
    let spilled = beyond - units(.pumpTakenOff).reduce(0, +)
    let injected = run.injections.map(\.units).reduce(0, +)
    let arrived = records.basal.body + records.bolus.body + records.elsewhere.body - injected
    let absorbed = run.ledger.body.absorbed.units - spilled
    // A body that is fed by rates and whole boluses is ahead of the pump by less than a pulse for
    // each rate, and by what is still to come of a bolus.
    let boluses = run.ledger.boluses
    let ahead =
      0.001 * Double(run.programs.count) + boluses.asked.units - boluses.delivered.units
    #expect(
      abs(arrived - absorbed) < (run.pulseSize == .milliunits(1) ? ahead : 0) + 1e-6,
      "seed \(seed): \(arrived) U in the body, \(absorbed) U let through")
  }

  /// What was asked for is given, cut off, cancelled, lost, or still to come.
  private static func checkBoluses(_ run: RunResult, _ seed: UInt64) {
    let commanded = run.bolusRequests.reduce(InsulinAmount.zero) { $0 + $1.commanded }
    #expect(commanded >= run.ledger.boluses.asked, "seed \(seed)")
    for request in run.bolusRequests {
      #expect(request.aboveLimit >= .zero && request.offGrid >= .zero, "seed \(seed)")
      #expect(request.commanded >= .zero, "seed \(seed)")
    }
  }

  /// What a person asked for as a bolus became one of the pump's, or it is told among what went
  /// wrong.
  private static func checkTold(_ run: RunResult, _ seed: UInt64) {
    let refusals = run.troubles.filter { $0.kind == .refused }
    for request in run.bolusRequests where request.requester != nil && !request.hasStatedReport {
      let isWhole = !request.isRefused && request.aboveLimit == .zero
      // A command may take a while, and one that is sent last may still be on its way.
      let given = run.boluses.contains {
        !$0.isAutomatic && $0.asked == request.commanded && $0.start >= request.instant
          && $0.start - request.instant < .minutes(6)
      }
      if isWhole, given || request.commanded == .zero || run.end - request.instant < .minutes(6) {
        continue
      }
      let isTold = refusals.contains {
        $0.start <= request.instant + .minutes(6) && $0.end >= request.instant
      }
      #expect(isTold, "seed \(seed): \(request)\n\(RandomScenario(seed: seed).text)")
    }
  }

  /// The pump's basal programs follow one another without gap or overlap, and so do the segments.
  private static func checkPrograms(_ run: RunResult, _ seed: UInt64) {
    for (program, next) in zip(run.programs, run.programs.dropFirst()) {
      #expect(program.end == next.start, "seed \(seed): a gap at \(program.end)")
    }
    #expect(run.programs.last?.end == run.end, "seed \(seed)")
    let delivered = run.programs.reduce(InsulinAmount.zero) { $0 + $1.delivered }
    #expect(delivered == run.ledger.basal.delivered, "seed \(seed)")
    let schedule = run.scheduledBasal.segments
    #expect(schedule.first?.start == run.start && schedule.last?.end == run.end, "seed \(seed)")
    for (piece, next) in zip(schedule, schedule.dropFirst()) {
      #expect(piece.end == next.start, "seed \(seed)")
    }
  }

  /// Every figure is a number, and glucose beyond the model's range lies in a stretch that says so.
  private static func checkGlucose(_ run: RunResult, _ seed: UInt64) {
    for row in run.trace.rows {
      let glucose = row.trueGlucose.mgdL
      #expect(glucose.isFinite, "seed \(seed) at \(row.instant)")
      for figure in [row.insulinOnBoard, row.bodyInsulin, row.carbsOnBoard] {
        #expect(figure?.isFinite ?? true, "seed \(seed) at \(row.instant)")
      }
      guard !(20...600).contains(glucose) else { continue }
      let isMarked = run.modelExcursions.contains {
        $0.start <= row.instant && row.instant <= $0.end
      }
      #expect(isMarked, "seed \(seed): \(glucose) mg/dL at \(row.instant) is not marked")
    }
  }

  @Test("The same seed gives the same text, and another one another")
  func repeats() {
    #expect(RandomScenario(seed: 7).text == RandomScenario(seed: 7).text)
    #expect(Set((0..<100).map { RandomScenario(seed: $0).text }).count == 100)
  }
}
