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

@Suite("The answer about the records")
struct RecordAnswerTests {
  /// What contradicts the answer of a run; empty where nothing does.
  static func contradictions(_ run: RunResult) -> [String] {
    let agreement = run.agreement
    var found: [String] = []
    func broken(_ invariant: Invariant) -> Bool { invariant.complaint(about: run) != nil }
    if broken(.recordsAgree) != (agreement.answer != .yes) { found.append("records-agree") }
    if broken(.recordsExplained) != (agreement.answer == .no) { found.append("records-explained") }
    if agreement.answer == .yes {
      let laws: [Invariant] = [
        .storeEqualsPump, .noGapsInBasal, .noOverlappingBasal, .noDuplicates, .noNegativeInsulin,
        .insulinConservation,
      ]
      found += laws.filter(broken).map { "yes, and \($0.rawValue) does not hold" }
      for origin in RecordAgreement.Origin.allCases {
        let totals = agreement[origin]
        for record in [RecordAgreement.Record.app, .healthStore]
        where ((totals[record] ?? 0) - totals.reference).magnitude > 0.0005 {
          found.append("yes, with other \(origin.rawValue) in \(record.rawValue)")
        }
      }
      let body = agreement.basal.body + agreement.bolus.body
      if (body - agreement.basal.reference - agreement.bolus.reference).magnitude > 0.0005 {
        found.append("yes, with other insulin in the body")
      }
    }
    for difference in agreement.differences where difference.kind == .notYetReported {
      if run.end - difference.end > .minutes(10) { found.append("late: \(difference.text)") }
    }
    return found
  }

  private static let paths: [String] = Extent.some(
    of: LibraryTests.files.map(\.path).filter { !$0.contains("/base/") }, every: 12)

  @Test("It contradicts no law about records in the library", arguments: paths)
  func library(path: String) throws {
    let problems = ProblemList()
    var reader = ScenarioReader(files: MachineFiles())
    let plan = try #require(ScenarioCheck.plan(path, reader: &reader, problems: problems))
    // A study is a batch of its own. What the other runs of a file said is held by `keptAnswers`.
    guard plan.document.tree["study"] == nil else { return }
    for place in plan.representatives.prefix(2) {
      guard let built = RunBuilder.build(plan.run(at: place), problems: problems) else { continue }
      guard Extent.isWhole || built.setup.end - built.setup.start <= .hours(4) else { continue }
      let run = BehaviourFixture.result(built)
      guard run.hasApp else { continue }
      #expect(Self.contradictions(run).isEmpty, "\(run.id): \(Self.contradictions(run))")
      #expect(run.agreement.answer != .no, "\(run.id): \(run.agreement.differences.map(\.text))")
    }
  }

  @Test("Every kept result that says yes has the same insulin in every record")
  func keptAnswers() throws {
    let results = LibraryTests.root.appendingPathComponent("Results")
    let names = try #require(FileManager.default.enumerator(atPath: results.path))
    var answers = 0
    for case let name as String in names where name.hasSuffix("/summary.json") {
      let data = try Data(contentsOf: results.appendingPathComponent(name))
      let summary = try JSONSerialization.jsonObject(with: data) as? [String: Any]
      let records = try #require(summary?["records"] as? [String: Any], "\(name)")
      // Without an app there is nothing to agree with.
      if summary?["app"] as? String == "none" { continue }
      let answer = try #require(records["answer"] as? String, "\(name)")
      #expect(answer != "no", "\(name)")
      #expect((summary?["violations"] as? [Any])?.isEmpty == true, "\(name)")
      answers += 1
      guard answer == "yes" else { continue }
      for origin in ["basal", "bolus", "elsewhere"] {
        let totals = try #require(records[origin] as? [String: Any], "\(name)")
        let units = totals.values.compactMap { $0 as? Double }
        let least = units.min() ?? 0
        // Each total is rounded to a thousandth by itself.
        #expect(units.allSatisfy { $0 - least < 0.0011 }, "\(name): \(origin) \(totals)")
      }
    }
    #expect(answers > 300)
  }

  private static let part = 5

  /// How many random runs there are: what `LOOPSIM_RANDOM_SCENARIOS` says, 20 where all is tried.
  private static let parts =
    max(
      1,
      (ProcessInfo.processInfo.environment["LOOPSIM_RANDOM_SCENARIOS"].flatMap(Int.init)
        ?? Extent.of(5, whole: 20))
        / part)

  @Test("It contradicts no law about records in random runs", arguments: 0..<parts)
  func random(part: Int) throws {
    for seed in (part * Self.part)..<((part + 1) * Self.part) {
      var drawn = RandomRecords(seed: UInt64(seed))
      let text = drawn.scenario()
      let (built, problems) = BehaviourFixture.attempt(text)
      let run = BehaviourFixture.result(try #require(built, "\(problems)\n\(text)"))
      let found = Self.contradictions(run)
      #expect(found.isEmpty, "seed \(seed): \(found)\n\(text)")
      let faults = run.agreement.differences.filter { $0.severity == .fault }.map(\.text)
      #expect(faults.isEmpty, "seed \(seed): \(faults)\n\(text)")
    }
  }
}
