internal import StructuredText

/// The answer of a sampled sweep in one sentence: what matters most to an end point.
struct SensitivitySentence {
  private let result: SensitivityResult

  /// Takes what was found of an end point.
  init(_ result: SensitivityResult) { self.result = result }

  /// The sentence.
  var text: String {
    let words = EndPointWords(result.endPoint)
    let name = words.name
    guard let first = result.ranking.first else {
      return "No setting can be told to matter for \(name): \(result.obstacle ?? "")."
    }
    let rivals = result.rivals
    switch result.estimates {
    case .sobol(let indices):
      let index = indices[first]
      return "\(index.path) \(rivals.isEmpty ? "matters" : "seems to matter") most for \(name): "
        + "by itself it explains \(share(index.first)) % of the variance "
        + "[\(share(index.firstInterval.lowerBound)), "
        + "\(share(index.firstInterval.upperBound))], with what it does together with others "
        + "\(share(index.total)) % [\(share(index.totalInterval.lowerBound)), "
        + "\(share(index.totalInterval.upperBound))]." + overlap(rivals)
        + (result.caution(on: [index], whole: "100 %").map { " \($0)" } ?? "")
    case .morris(let effects):
      let leaders = [effects[first]] + effects.filter { rivals.contains($0.path) }
      let names = WordList.text(leaders.map(\.path), atMost: Self.mostNamed)
      let deviations = leaders.prefix(Self.mostNamed).map {
        StudyNumber.fixed($0.standardDeviation, words.decimals)
      }
      let isOne = leaders.count == 1
      return "\(names) \(isOne ? "moves" : "move") \(name) most\(isOne ? "" : ", all alike"): by "
        + words.difference(StudyNumber.fixed(effects[first].meanSize, words.decimals))
        + " over \(isOne ? "its range" : "their ranges") in the mean, with "
        + (isOne ? "a standard deviation" : "standard deviations")
        + " of \(deviations.joined(separator: ", "))."
    case .none: return ""
    }
  }

  /// Which settings may matter as much.
  private func overlap(_ rivals: [String]) -> String {
    guard !rivals.isEmpty else { return "" }
    return " The \(rivals.count == 1 ? "interval" : "intervals") of "
      + "\(WordList.text(rivals, atMost: Self.mostNamed)) with others "
      + "\(WordList.verb("overlaps", of: rivals.count)) with its."
  }

  /// The most settings that are named.
  private static let mostNamed = 4

  private func share(_ value: Double) -> String { StudyNumber.fixed(100 * value, 0) }
}
