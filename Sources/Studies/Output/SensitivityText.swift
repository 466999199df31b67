internal import RunPlans
internal import StructuredText

/// The estimates of a sampled sweep for a terminal of 80 columns.
struct SensitivityText {
  private let sampled: SampledSweep
  private let results: [SensitivityResult]
  private let points: Int
  private let confidence: Double

  /// Takes the estimates of a sampled sweep.
  init(_ sampled: SampledSweep, of analysis: StudyAnalysis) {
    self.sampled = sampled
    results = analysis.sensitivity
    points = analysis.study.plan.points
    confidence = analysis.study.design.confidence
  }

  /// The lines; an empty one stands before each end point.
  var lines: [String] {
    var lines = [
      "Sampled          \(sampled.method.words), \(sampled.sample.rows) rows, "
        + "\(WordList.counted(sampled.sample.paths.count, "setting")): \(points) points"
    ]
    for (path, law) in zip(sampled.sample.paths, sampled.laws) {
      lines += TextColumns.wrapped("Setting          \(path) \(law)")
    }
    for result in results { lines += self.lines(of: result) }
    return lines
  }

  private func lines(of result: SensitivityResult) -> [String] {
    let words = EndPointWords(result.endPoint)
    let unit = result.endPoint.unit
    var lines = [""]
    lines += TextColumns.wrapped(
      "\(result.endPoint.id): \(words.name)\(unit.isEmpty ? "" : ", \(unit)")"
        + (result.mean.map { mean in
          "; mean \(StudyNumber.fixed(mean, words.decimals)), standard deviation "
            + "\(StudyNumber.fixed(result.deviation, words.decimals)) over the points"
        } ?? ""))
    if let obstacle = result.obstacle {
      return lines + TextColumns.wrapped("  nothing can be told: \(obstacle)")
    }
    func figures(_ index: Double, _ interval: ClosedRange<Double>) -> [String] {
      [
        StudyNumber.fixed(index, 3),
        "[\(StudyNumber.fixed(interval.lowerBound, 2)), "
          + "\(StudyNumber.fixed(interval.upperBound, 2))]",
      ]
    }
    switch result.estimates {
    case .sobol(let indices):
      let level = StudyNumber.text(confidence)
      var table = TerminalTable(
        header: ["setting", "alone", "[\(level) %]", "with others", "[\(level) %]"],
        [.left, .right, .left, .right, .left])
      for place in result.ranking {
        let index = indices[place]
        table.rows.append(
          [index.path] + figures(index.first, index.firstInterval)
            + figures(index.total, index.totalInterval))
      }
      lines += table.lines
      lines += result.caution.map { TextColumns.wrapped("  " + $0) } ?? []
    case .morris(let effects):
      var table = TerminalTable(
        header: ["setting", "effect", "deviation"], [.left, .right, .right])
      for place in result.ranking {
        let effect = effects[place]
        table.rows.append([
          effect.path, StudyNumber.fixed(effect.meanSize, words.decimals + 1),
          StudyNumber.fixed(effect.standardDeviation, words.decimals + 1),
        ])
      }
      lines += table.lines
    case .none: break
    }
    return lines
  }
}
