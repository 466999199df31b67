import Testing

@testable import Studies

/// Runs that end early have fewer events because they have less time.
@Suite("Early deaths in a study")
struct EarlyDeathTests {
  /// Patients without a goal: one or two lows until death, ten in the whole time.
  @Test("No difference is claimed that is one of time alone", arguments: [0, 1])
  func deathsDecideNothing(deadly: Int) throws {
    let study = """
      study: { control: 'plain',
        primary: [{ id: 'range', metric: 'tir(70,180)', better: 'higher', superior: true }],
        safety: [{ id: 'lows', metric: 'lows(54,15m)', better: 'lower' }] }
      """
    let made = try Fixture.study(Fixture.scenario(patients: 10, Fixture.arms + study))
    let analysis = try Fixture.analysis(of: made) { item in
      let (patient, digest) = (item.patient, "\(item.patient)")
      guard item.arm == deadly else {
        return ["range": "\(60 + patient)", "lows": "10", "digest": digest]
      }
      return [
        "range": "\(60 + patient)", "lows": "\(1 + patient % 2)", "status": "lethal",
        "days": "0.5", "digest": digest,
      ]
    }
    let result = try #require(analysis.comparisons.first?.results.last)
    #expect(result.interval.map { $0.side == (deadly == 1 ? -1 : 1) } == true)
    #expect(result.isDecidedByDeaths)
    let text = StudyText(analysis).lines.joined(separator: " ")
    #expect(text.contains("Note  lows: the interval alone excludes no difference, but not where"))
  }
}
