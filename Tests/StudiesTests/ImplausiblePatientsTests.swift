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
  }
}
