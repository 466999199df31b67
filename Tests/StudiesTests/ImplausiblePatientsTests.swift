import StructuredText
import Testing

@testable import Studies

/// Patients whose control is outside what the models were made for.
@Suite("Implausible patients")
struct ImplausiblePatientsTests {
  @Test("A control that ended in death early is a death, and not a patient beyond the model")
  func deaths() throws {
    let study = try Fixture.study(Fixture.scenario(Fixture.arms + Fixture.goals))
    let analysis = try Fixture.analysis(of: study) { item in
      switch (item.patient, item.arm) {
      // What was not lived counts as out of range: at 04:30 no more than 18.75 % can be in it.
      case (0, 0): ["status": "lethal", "tir": "18.75", "mean": "", "digest": "0"]
      case (1, 0): ["tir": "12", "mean": "300", "digest": "1"]
      case (2, 0): ["tir": "90", "max_true": "601", "mean": "150", "digest": "2"]
      default: ["tir": "90", "mean": "150", "digest": "3"]
      }
    }
    let patients = (0..<3).map { study.patient($0).id }
    #expect(analysis.flow.lethal == 1)
    #expect(analysis.flow.implausible == [patients[1], patients[2]])
    #expect(analysis.flow.implausibleTreated.isEmpty)
  }

  /// Patient 0 leaves the model under both arms, 1 and 3 under the treatment alone; that 2 is never
  /// in range there is a result.
  @Test("Glucose beyond the model under a treatment alone is told, in text, table and list")
  func treated() throws {
    let study = try Fixture.study(Fixture.scenario(Fixture.arms + Fixture.goals))
    let analysis = try Fixture.analysis(of: study) { item in
      let made = ["tir": "90", "mean": "150", "digest": "\(item.number)"]
      let own: [String: String] =
        switch (item.patient, item.arm) {
        case (0, _): ["max_true": "601"]
        case (1, 1): ["max_true": "917"]
        case (2, 1): ["tir": "0", "max_true": "600"]
        case (3, 1): ["min_true": "19"]
        default: [:]
        }
      return made.merging(own) { $1 }
    }
    let patients = (0..<4).map { study.patient($0).id }
    #expect(analysis.flow.implausible == [patients[0]])
    #expect(analysis.flow.implausibleTreated == [patients[1], patients[3]])
    let lines = StudyText(analysis).lines
    #expect(lines.contains("Implausible      1 patient under control: p0"))
    #expect(lines.contains("Implausible      2 patients under a treatment alone: p1, p3"))
    let flow = StudySummary(analysis, casesDigest: "0").json["flow"]
    #expect(flow?["implausible_treated"] == ["p1", "p3"])
    let digest = StudyDigest(plan: "a", cases: "b", summary: "c")
    #expect(
      StudyChecklist(analysis, digest: digest).text.contains(
        "* Under a treatment alone 2 patients are outside what the models were made for: p1, p3. "
          + "They stay in.\n"))
  }
}
