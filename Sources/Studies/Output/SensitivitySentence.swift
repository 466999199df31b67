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
    switch result.estimates {
    case .sobol(let indices):
      let index = indices[first]
      return "\(index.path) matters most for \(name): by itself it explains "
        + "\(share(index.first)) % of the variance "
        + "[\(share(index.firstInterval.lowerBound)), "
        + "\(share(index.firstInterval.upperBound))], with what it does together with others "
        + "\(share(index.total)) % [\(share(index.totalInterval.lowerBound)), "
        + "\(share(index.totalInterval.upperBound))]."
    case .morris(let effects):
      let effect = effects[first]
      return "\(effect.path) moves \(name) most: by "
        + words.difference(StudyNumber.fixed(effect.meanSize, words.decimals)) + " over its "
        + "range in the mean, with a standard deviation of "
        + "\(StudyNumber.fixed(effect.standardDeviation, words.decimals))."
    case .none: return ""
    }
  }

  private func share(_ value: Double) -> String { StudyNumber.fixed(100 * value, 0) }
}
