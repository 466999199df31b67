import Testing

@testable import Studies

/// The sentence of a study beside the interval that it stands with: the cases are made up, so that
/// every interval can be told by hand.
@Suite("The sentence of a study fits its interval")
struct VerdictWordsTests {
  /// The sentence where ten patients have `from` under the control and so much more under the
  /// treatment, one half of them `spread` above `change` and the other half as much below it.
  private func sentence(_ goal: String, change: Double, spread: Double = 1) throws -> String {
    let study = """
      study: { control: 'plain',
        primary: [{ id: 'range', metric: 'tir(70,180)', better: 'higher', \(goal) }] }
      """
    let design = try Fixture.study(Fixture.scenario(patients: 10, Fixture.arms + study))
    let analysis = try Fixture.analysis(of: design) { item in
      let more = change + (item.patient % 2 == 0 ? spread : -spread)
      return [
        "range": "\(50 + (item.arm == 1 ? more : 0))", "digest": "\(item.patient * 2 + item.arm)",
      ]
    }
    return StudySentence(analysis).text
  }

  /// Student's half width is 2.262 · √(10 / 9) / √10 = 0.754; the mean lies 5 above nothing.
  @Test("What is better by less than was asked is not called no better")
  func betterByLess() throws {
    let range = "time in 70 to 180 mg/dL"
    let text = try sentence("superior: 8", change: 5)
    #expect(
      text.hasPrefix(
        "high was not shown to be better than plain in \(range) by more than 8 points; "
          + "\(range) rose by 5.00 points ["))
    #expect(
      try sentence("superior: true", change: 0.1).hasPrefix(
        "high was not shown to be better than plain in \(range); "))
    #expect(
      try sentence("superior: 3", change: 5).hasPrefix(
        "high is better than plain in \(range) by more than 3 points; "))
  }

  @Test(
    "What is worse is called worse, and by the margin where the interval lies beyond it",
    arguments: ["noninferior", "equivalent"])
  func worse(goal: String) throws {
    let range = "time in 70 to 180 mg/dL"
    #expect(
      try sentence("\(goal): 3", change: -5).hasPrefix(
        "high is worse than plain in \(range) by more than 3 points; \(range) fell by 5.00 points ["
      ))
    #expect(
      try sentence("\(goal): 3", change: -3).hasPrefix(
        "high is worse than plain in \(range), and was not shown to keep within 3 points; "))
    #expect(
      try sentence("\(goal): 3", change: 0, spread: 9).hasPrefix(
        "high was not shown to keep within 3 points of plain in \(range); "))
  }

  @Test("Hours with little insulin are not called hours of ketoacidosis, which no model has")
  func littleInsulin() throws {
    let study = """
      study: { control: 'plain',
        primary: [{ id: 'dka', metric: 'dkaHours', better: 'lower', superior: true }] }
      """
    let design = try Fixture.study(Fixture.scenario(patients: 10, Fixture.arms + study))
    let analysis = try Fixture.analysis(of: design) { item in
      ["dka": "\(item.patient % 3 + item.arm)", "digest": "\(item.patient * 2 + item.arm)"]
    }
    #expect(
      StudySentence(analysis).text
        == "high is worse than plain in hours with little insulin on board; hours with little "
        + "insulin on board rose by 1.00 h [1.00, 1.00].")
  }
}
