import Foundation
import HealthStore
import RunPlans
import ScenarioLanguage
import Scenarios
import Simulation
import StructuredText
import Testing

@testable import loopsim

/// The minimal cases of `.ci/cases`: files that once were read wrongly.
@Suite("Files that once were read wrongly")
struct KeptCasesTests {
  private static func files(in folder: String, scenarios: Bool) throws -> [String] {
    let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appending(path: "../../.ci/cases/\(folder)").standardizedFileURL
    return try FileManager.default.contentsOfDirectory(atPath: url.path).sorted()
      .filter { $0.hasSuffix(".json5") == scenarios }
      .map { url.appending(path: $0).path }
  }

  @Test("A scenario's run keeps its laws, and no records that differ are called alike")
  func runs() throws {
    let files = try Self.files(in: "read", scenarios: true)
    #expect(files.count >= 4)
    for file in files {
      let problems = ProblemList()
      var reader = ScenarioReader(files: MachineFiles())
      let plan = try #require(
        ScenarioCheck.plan(file, reader: &reader, problems: problems), "\(problems.sorted)")
      let built = RunBuilder.build(plan.run(at: 0), problems: problems)
      var run = Run(try #require(built, "\(problems.sorted)").setup)
      while run.step() {}
      let result = run.finish()
      #expect(result.violations.isEmpty, "\(file): \(result.violations)")
      let agreement = result.agreement
      guard agreement.answer == .yes else { continue }
      for totals in [agreement.basal, agreement.bolus] {
        for record in [totals.app, totals.healthStore] {
          #expect(abs(try #require(record) - totals.reference) < 5e-4, "\(file)")
        }
      }
    }
  }

  @Test("A record comes to the units that its name says")
  func records() throws {
    let files = try Self.files(in: "read", scenarios: false)
    #expect(files.count >= 8)
    for file in files {
      let name = URL(fileURLWithPath: file).deletingPathExtension().lastPathComponent
      let said = try #require(name.split(separator: "@").last.flatMap { Double($0) })
      let (samples, notes, _) = try RecordArguments().samples(of: [file])
      let insulin = samples.map(\.sample).filter { $0.type == .insulinDelivery }
      let units = insulin.compactMap(\.storedValue).reduce(0, +)
      #expect(abs(units - said) < 1e-6, "\(name): \(units)")
      #expect(!samples.isEmpty, "\(name)")
      #expect(!notes.contains { $0.contains("unexplained") }, "\(name): \(notes)")
    }
  }

  @Test("What must be refused is refused by name, with a place or a reason")
  func refusals() throws {
    for file in try Self.files(in: "refused", scenarios: true) {
      let problems = ProblemList()
      var reader = ScenarioReader(
        files: MachineFiles(), root: URL(fileURLWithPath: file).deletingLastPathComponent().path,
        allowsOutside: false)
      let plan = ScenarioCheck.plan(file, reader: &reader, problems: problems)
      if let plan, !problems.hasErrors { _ = RunBuilder.build(plan.run(at: 0), problems: problems) }
      #expect(problems.hasErrors, "\(file)")
      #expect(problems.problems.allSatisfy { $0.position.line >= 1 })
    }
    for file in try Self.files(in: "refused", scenarios: false) {
      let failure = #expect(throws: Failure.self) { try RecordArguments().samples(of: [file]) }
      #expect(failure.map { "\($0)" }?.contains(file) == true)
      #expect(failure?.exitCode == .badInput)
    }
  }
}
