import StructuredText
import Testing

@testable import Studies

/// What is told of an interval: where it ends, and what it says where it has no width.
@Suite("The interval that is told")
struct ToldIntervalTests {
  private static func study(_ sweep: String = "") -> String {
    Fixture.arms + sweep + """
      study: { control: 'plain', strata: 'group',
        primary: [{ id: 'low', metric: 'below(54)', better: 'lower', superior: true }] }
      """
  }

  private static func number(_ value: JSONValue?) -> Double? {
    switch value {
    case .number(let number): number
    case .integer(let number): Double(number)
    default: nil
    }
  }

  /// The ends of an interval; `nil` for one that is no number.
  private static func ends(_ value: JSONValue?) -> [Double?] {
    (value?.items ?? []).map { number($0) }
  }

  private static func comparison(_ analysis: StudyAnalysis) throws -> JSONValue {
    let summary = StudySummary(analysis, casesDigest: "0").json
    return try #require(summary["comparisons"]?.items?.first)
  }

  /// One of 22 patients, and one of her group, has 80 points more: no resample bounds how many more
  /// others might have.
  private func skewed(_ sweep: String = "") throws -> StudyAnalysis {
    let study = try Fixture.study(Fixture.scenario(patients: 22, Self.study(sweep)))
    let header = CaseRow.header(study.design)
    let rows = try (0..<study.plan.units).flatMap { study.cases(ofUnit: $0) }.map { item in
      let patient = study.patient(item.patient)
      let known = [
        "case": "\(item.number)", "unit": "\(item.unit)", "patient": patient.id,
        "group": patient.group ?? "", "replicate": "\(item.replicate)", "point": "\(item.point)",
        "arm": study.plan.arms[item.arm], "status": "ok", "days": "1", "seed": "7",
        "digest": "\(item.number)", "low": item.arm == 1 && item.patient == 3 ? "80" : "0",
      ]
      return try #require(CaseRow(header.map { known[$0] ?? "" }))
    }
    return try Fixture.analysis(study, CaseRow.table(rows, header: header, withHeader: true))
  }

  @Test("Summary, text and table end the interval of a share of time at 100 points alike")
  func endsOfShares() throws {
    let analysis = try skewed()
    let result = try #require(analysis.comparisons.first?.results.first)
    #expect(result.interval?.upper == nil, "The resamples must leave it open.")
    let comparison = try Self.comparison(analysis)
    let difference = comparison["endpoints"]?.items?.first?["difference"]
    #expect(Self.ends(difference?["interval"]).last == 100)
    // What a method gives by itself stands as it gives it.
    #expect(difference?["studentised"]?.items?.last == "none")
    let groups = (comparison["groups"]?.items ?? []).map { Self.ends($0["interval"]) }
    #expect(groups.count == 2 && groups.flatMap { $0 }.contains(100), "\(groups)")
    #expect(!groups.flatMap { $0 }.contains(nil), "\(groups)")
    #expect(StudyText(analysis).lines.contains { $0.contains(", 100.000]") })
  }

  @Test("A sweep's table ends the interval of a share of time at 100 points")
  func endsOfSurface() throws {
    let analysis = try skewed("sweep: { 'therapy.maxBolus': [4, 6] },")
    let table = try #require(StudyTables(analysis).surface)
    let rows = String(decoding: table, as: UTF8.self).split(whereSeparator: \.isNewline)
    let upper = try #require(rows[0].split(separator: ",").firstIndex(of: "upper"))
    for row in rows.dropFirst() {
      #expect(row.split(separator: ",", omittingEmptySubsequences: false)[upper] == "100", "\(row)")
    }
    #expect(rows.count == 3)
  }

  @Test("With failed runs the worst and the best are told within the ends of shares")
  func endsOfBounds() throws {
    let study = try Fixture.study(Fixture.scenario(patients: 22, Self.study()))
    let analysis = try Fixture.analysis(of: study) { item in
      item.patient == 3 && item.arm == 1
        ? ["status": "failed", "reason": "made to fail"] : ["low": "0"]
    }
    let result = try #require(analysis.comparisons.first?.results.first)
    #expect(result.bounds.contains { $0.upper == nil })
    let endPoint = try Self.comparison(analysis)["endpoints"]?.items?.first
    let ends = (endPoint?["goal"]?["bounds_failed"]?.items ?? []).flatMap { Self.ends($0) }
    #expect(ends.count == 4 && ends.contains(100) && !ends.contains(nil), "\(ends)")
  }

  @Test("Of patients who all differ by the same amount it is said that the interval has no width")
  func sameDifference() throws {
    let study = try Fixture.study(Fixture.scenario(patients: 10, Self.study()))
    let analysis = try Fixture.analysis(of: study) { ["low": "\(5 - 2 * $0.arm)"] }
    // 1 - 0.025^(1/10) = 0.3085: Clopper and Pearson's bound with none of ten.
    let words =
      "Note  low: all 10 patients differ by the same amount, so that the interval has no width: of "
      + "all patients up to 31 % may differ by another, and the study does not say by how much."
    #expect(StudyText(analysis).lines.joined(separator: " ").contains(words))
  }
}
