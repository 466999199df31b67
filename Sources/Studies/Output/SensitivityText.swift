internal import Scenarios

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
        + "\(sampled.sample.paths.count) settings: \(points) points"
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
    func figures(_ index: Double, _ interval: ClosedRange<Double>) -> String {
      TextColumns.right(StudyNumber.fixed(index, 3), 8)
        + " [\(StudyNumber.fixed(interval.lowerBound, 2)), "
        + "\(StudyNumber.fixed(interval.upperBound, 2))]"
    }
    switch result.estimates {
    case .sobol(let indices):
      let level = StudyNumber.text(confidence)
      lines.append(
        TextColumns.left("  setting", 34) + TextColumns.left("   alone [\(level) %]", 23)
          + "   with others [\(level) %]")
      for place in result.ranking {
        let index = indices[place]
        lines.append(
          TextColumns.left("  \(index.path)", 34)
            + TextColumns.left(figures(index.first, index.firstInterval), 23)
            + figures(index.total, index.totalInterval))
      }
    case .morris(let effects):
      lines.append(
        TextColumns.left("  setting", 44) + TextColumns.right("effect", 12)
          + TextColumns.right("deviation", 12))
      for place in result.ranking {
        let effect = effects[place]
        lines.append(
          TextColumns.left("  \(effect.path)", 44)
            + TextColumns.right(StudyNumber.fixed(effect.meanSize, words.decimals + 1), 12)
            + TextColumns.right(StudyNumber.fixed(effect.standardDeviation, words.decimals + 1), 12)
        )
      }
    case .none: break
    }
    return lines
  }
}
