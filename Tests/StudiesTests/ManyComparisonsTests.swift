import Testing

@testable import Studies

/// What is told beside the differences where there are so many that each has one line.
@Suite("Many comparisons in few lines")
struct ManyComparisonsTests {
  /// Six patients, two replicates, six points of which the first is the control; `made` gives the
  /// share of a case, `nil` for none.
  private func analysis(
    failing: Bool = false, _ made: (StudyProtocol.Case) -> Double?
  ) throws -> StudyAnalysis {
    let study = try Fixture.study(
      Fixture.scenario(
        """
        random: { replicates: 2 },
        sweep: { 'therapy.maxBolus': [1, 2, 3, 4, 5, 6] },
        study: { control: { 'therapy.maxBolus': 1 },
          primary: [{ id: 'low', metric: 'below(54)', better: 'lower', superior: true }] }
        """))
    return try Fixture.analysis(of: study) { item in
      let value = made(item)
      return [
        "point": "\(item.point)", "low": value.map { "\($0)" } ?? "",
        "status": value == nil && failing ? "failed" : "ok",
        "reason": value == nil && failing ? "made to fail" : "",
      ]
    }
  }

  /// A patient has so many points fewer lows at each point of the sweep.
  private func share(_ item: StudyProtocol.Case) -> Double {
    Double(20 + item.patient - item.point) + Double(item.replicate) / 4
  }

  @Test("Who is compared is told where some are not, and pairs of runs that are left out")
  func countsCompared() throws {
    let analysis = try analysis { item in
      let isMissing =
        item.patient == 2 && item.point == 3
        || item.patient == 4 && item.point == 5 && item.replicate == 1
      return isMissing ? nil : share(item)
    }
    let lines = StudyText(analysis).lines
    #expect(lines.contains { $0.hasPrefix("point") && $0.contains("compared") })
    #expect(lines.contains { $0.hasPrefix("4 ") && $0.contains("5 of 6") }, "\(lines)")
    #expect(lines.contains { $0.hasPrefix("2 ") && $0.contains("6 of 6") }, "\(lines)")
    // Five comparisons of six patients with two replicates, but the one patient who is in none.
    #expect(
      lines.joined(separator: " ").contains(
        "Note  low: 1 of 58 pairs of runs left out, as one of the two has no value; their "))
    let whole = StudyText(try self.analysis { share($0) }).lines
    #expect(!whole.contains { $0.contains("compared ") || $0.contains("left out") })
  }

  @Test("A point with few patients for the skew of its differences has its note, as on the page")
  func tellsOfSkew() throws {
    // One patient of six differs at the last point: a skew of 4/√5, whose square times 25 is 80.
    let analysis = try analysis { item in
      item.point == 5 && item.patient == 0 ? 8 : 20
    }
    let lines = StudyText(analysis).lines
    #expect(
      lines.joined(separator: " ").contains(
        "Note  6: a single one of 6 patients differs, and unevenly: the interval is wide because "),
      "\(lines)")
    #expect(lines.joined(separator: " ").contains("some 80 patients"), "\(lines)")
    #expect(try !StudyText(self.analysis { share($0) }).lines.contains { $0.contains("unevenly") })
  }

  @Test("A goal that its interval meets, and that failed runs keep from being met, is explained")
  func explainsFailures() throws {
    let analysis = try analysis(failing: true) { item in
      item.patient == 4 && item.point == 5 && item.replicate == 1 ? nil : share(item)
    }
    let lines = StudyText(analysis).lines
    #expect(lines.contains { $0.hasPrefix("6 ") && $0.contains("not met") }, "\(lines)")
    #expect(
      lines.joined(separator: " ").contains(
        "Note  6: the interval alone would meet the goal, but not with the worst and the best in "
          + "place of the failed runs."))
  }
}
