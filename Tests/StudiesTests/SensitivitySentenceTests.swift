import RunPlans
import StructuredText
import Testing

@testable import Studies

/// What a sampled sweep says where its rows are too few.
@Suite("Sampled sweeps of few rows")
struct SensitivitySentenceTests {
  /// A study of two settings from 0 to 1 in which the end point is a function of both.
  private static func analysis(
    _ method: String, rows: Int, _ function: ([Double]) -> Double
  ) throws -> StudyAnalysis {
    let study = try Fixture.study(
      Fixture.scenario(
        patients: 1, hours: 1,
        "sweep: { \(method): { n: \(rows), of: { 'app.x-1': { uniform: [0, 1] }, "
          + "'app.x-2': { uniform: [0, 1] } } } }, "
          + "study: { primary: [{ id: 'seen', metric: 'mean@cgm', better: 'lower' }] }"))
    let header = CaseRow.header(study.design)
    let rows = try study.cases(ofUnit: 0).map { item in
      let value = function(study.settings(at: item.point).compactMap(\.value.double))
      let known = [
        "case": "\(item.number)", "unit": "0", "patient": study.patient(0).id, "replicate": "0",
        "point": "\(item.point)", "status": "ok", "days": "1", "seed": "7", "seen": "\(value)",
      ]
      return try #require(CaseRow(header.map { known[$0] ?? "" }))
    }
    return try Fixture.analysis(
      study, CaseRow.table(rows, header: header, withHeader: true))
  }

  @Test("Settings that may matter as much are named, and shares that are none are not left alone")
  func fewRows() throws {
    // One point of sixteen is another: its row alone has all of the variance.
    var count = 0
    let analysis = try Self.analysis("sobol", rows: 4) { _ in
      defer { count += 1 }
      return count == 0 ? 200 : 100
    }
    let sentence = StudySentence(analysis).text
    #expect(sentence.hasPrefix("app.x-1 seems to matter most for mean glucose: by itself"))
    #expect(sentence.contains(" The interval of app.x-2 with others overlaps with its."))
    #expect(
      sentence.contains(
        " Shares below 0 or above 100 % are the error of a sample of 4 rows: it takes more of them."
      ), "\(sentence)")
    let text = StudyText(analysis).lines.joined(separator: " ")
    #expect(text.contains("Shares below 0 or above 1 are the error of a sample of 4 rows"))
  }

  /// What settings add to one another is all that each explains, alone and with others, so that in
  /// a sample either is the larger.
  @Test("More alone than with others is called the error of the sample")
  func moreAlone() throws {
    var told = 0
    for rows in 4..<40 {
      let analysis = try Self.analysis("sobol", rows: rows) { 100 + 24 * $0[0] + 10 * $0[1] }
      let result = try #require(analysis.sensitivity.first)
      guard case .sobol(let indices) = result.estimates else { continue }
      let text = StudyText(analysis).lines.joined(separator: " ")
      let isTold = text.contains("is the error of a sample of \(rows) rows: it takes more of them.")
      guard indices.allSatisfy({ (0...1).contains($0.first) && (0...1).contains($0.total) }) else {
        #expect(!isTold, "\(text)")
        continue
      }
      told += isTold ? 1 : 0
      #expect(isTold == indices.contains { $0.first > $0.total + 0.005 }, "\(text)")
    }
    #expect(told > 0)
  }

  @Test("Rows whose variance is none are called too few where the end point is not the same")
  func noVariance() throws {
    // The second point of the first row has the first setting of the other matrix.
    var count = 0
    let analysis = try Self.analysis("sobol", rows: 4) { _ in
      defer { count += 1 }
      return count == 1 ? 200 : 100
    }
    #expect(
      StudySentence(analysis).text
        == "No setting can be told to matter for mean glucose: it differs only at points at which "
        + "one setting alone is drawn anew, and the variance is that of the others; it takes more "
        + "than 4 rows.")
  }

  @Test("A setting that alone has an effect matters most, without a word more")
  func alone() throws {
    let analysis = try Self.analysis("morris", rows: 4) { 100 + 10 * $0[0] }
    #expect(
      StudySentence(analysis).text
        == "app.x-1 moves mean glucose most: by 10.0 mg/dL over its range in the mean, with a "
        + "standard deviation of 0.0.")
  }

  @Test("Settings whose effects have the same size are named together")
  func alike() throws {
    let analysis = try Self.analysis("morris", rows: 4) { settings in
      100 + (settings[0] < 0.5 ? 1 : 0) + (settings[1] < 0.5 ? 1 : 0)
    }
    let sentence = StudySentence(analysis).text
    #expect(
      sentence.hasPrefix(
        "app.x-1, app.x-2 move mean glucose most, all alike: by 2.0 mg/dL over their ranges in "
          + "the mean, with standard deviations of ")
        || sentence.hasPrefix("app.x-2, app.x-1 move mean glucose most, all alike: by 2.0 mg/dL"),
      "\(sentence)")
  }
}
