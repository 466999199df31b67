internal import Outcomes
public import Scenarios
internal import StructuredText

extension StudyAnalysis {
  /// The answer of a sampled sweep in one sentence: what matters most to the first end point.
  var sensitivitySentence: String {
    guard let result = sensitivity.first else { return "The study has no end point." }
    let name = EndPointWords(result.endPoint).name
    guard let first = result.ranking.first else {
      return "No setting can be told to matter for \(name): \(result.obstacle ?? "")."
    }
    switch result.estimates {
    case .sobol(let indices):
      let index = indices[first]
      return "\(index.path) matters most for \(name): by itself it explains "
        + "\(Self.share(index.first)) % of the variance "
        + "[\(Self.share(index.firstInterval.lowerBound)), "
        + "\(Self.share(index.firstInterval.upperBound))], with what it does together with others "
        + "\(Self.share(index.total)) % [\(Self.share(index.totalInterval.lowerBound)), "
        + "\(Self.share(index.totalInterval.upperBound))]."
    case .morris(let effects):
      let effect = effects[first]
      let decimals = EndPointWords(result.endPoint).decimals
      return "\(effect.path) moves \(name) most: by "
        + "\(StudyNumber.fixed(effect.meanSize, decimals)) \(Self.unit(result.endPoint)) over its "
        + "range in the mean, with a standard deviation of "
        + "\(StudyNumber.fixed(effect.standardDeviation, decimals))."
    case .none: return ""
    }
  }

  private static func share(_ value: Double) -> String { StudyNumber.fixed(100 * value, 0) }

  /// The estimates of all end points for a terminal of 80 columns.
  var sensitivityLines: [String] {
    guard let sampled = study.design.sampled else { return [] }
    var lines = [
      "Sampled          \(sampled.method.words), \(sampled.sample.rows) rows, "
        + "\(sampled.sample.paths.count) settings: \(study.plan.points) points"
    ]
    for (path, law) in zip(sampled.sample.paths, sampled.laws) {
      lines += Self.wrapped("Setting          \(path) \(law)", width: 80)
    }
    for result in sensitivity { lines += self.lines(of: result) }
    return lines
  }

  private func lines(of result: SensitivityResult) -> [String] {
    let words = EndPointWords(result.endPoint)
    let unit = result.endPoint.unit
    var lines = [""]
    lines += Self.wrapped(
      "\(result.endPoint.id): \(words.name)\(unit.isEmpty ? "" : ", \(unit)")"
        + (result.mean.map { mean in
          "; mean \(StudyNumber.fixed(mean, words.decimals)), standard deviation "
            + "\(StudyNumber.fixed(result.deviation, words.decimals)) over the points"
        } ?? ""), width: 80)
    if let obstacle = result.obstacle {
      return lines + Self.wrapped("  nothing can be told: \(obstacle)", width: 80)
    }
    func figures(_ index: Double, _ interval: ClosedRange<Double>) -> String {
      Self.right(StudyNumber.fixed(index, 3), 8)
        + " [\(StudyNumber.fixed(interval.lowerBound, 2)), "
        + "\(StudyNumber.fixed(interval.upperBound, 2))]"
    }
    switch result.estimates {
    case .sobol(let indices):
      let level = Self.percent(study.design.confidence)
      lines.append(
        Self.padded("  setting", 34) + Self.padded("   alone [\(level) %]", 23)
          + "   with others [\(level) %]")
      for place in result.ranking {
        let index = indices[place]
        lines.append(
          Self.padded("  \(index.path)", 34)
            + Self.padded(figures(index.first, index.firstInterval), 23)
            + figures(index.total, index.totalInterval))
      }
    case .morris(let effects):
      lines.append(
        Self.padded("  setting", 44) + Self.right("effect", 12) + Self.right("deviation", 12))
      for place in result.ranking {
        let effect = effects[place]
        lines.append(
          Self.padded("  \(effect.path)", 44)
            + Self.right(StudyNumber.fixed(effect.meanSize, words.decimals + 1), 12)
            + Self.right(StudyNumber.fixed(effect.standardDeviation, words.decimals + 1), 12))
      }
    case .none: break
    }
    return lines
  }

  /// The member of the summary; it is there only where a sweep is sampled.
  var sensitivityMembers: [JSONValue.Member] {
    guard let sampled = study.design.sampled else { return [] }
    let settings = zip(sampled.sample.paths, sampled.laws).map { path, law -> JSONValue in
      ["path": .string(path), "law": .string(law)]
    }
    return [
      .init(
        "sensitivity",
        .object([
          .init("method", .string(sampled.method.rawValue)),
          .init("rows", .integer(Int64(sampled.sample.rows))),
          .init("points", .integer(Int64(study.plan.points))),
          .init("settings", .array(settings)),
          .init("endpoints", .array(sensitivity.map(json(of:)))),
        ]))
    ]
  }

  private func json(of result: SensitivityResult) -> JSONValue {
    let point = result.endPoint
    func range(_ interval: ClosedRange<Double>) -> JSONValue {
      .array([.number(interval.lowerBound), .number(interval.upperBound)])
    }
    let estimates: [JSONValue] =
      switch result.estimates {
      case .sobol(let indices):
        indices.map { index in
          .object([
            .init("path", .string(index.path)), .init("first", .number(index.first)),
            .init("first_interval", range(index.firstInterval)),
            .init("total", .number(index.total)),
            .init("total_interval", range(index.totalInterval)),
          ])
        }
      case .morris(let effects):
        effects.map { effect in
          .object([
            .init("path", .string(effect.path)), .init("mean_size", .number(effect.meanSize)),
            .init("sd", .number(effect.standardDeviation)),
          ])
        }
      case .none: []
      }
    return .object([
      .init("id", .string(point.id)), .init("metric", .string(point.metric.description)),
      .init("unit", .string(point.unit)), .init("missing", .integer(Int64(result.missing))),
      .init("mean", Self.number(result.mean)), .init("sd", Self.number(result.deviation)),
      .init("obstacle", result.obstacle.map { .string($0) } ?? .null),
      .init("estimates", .array(estimates)),
    ])
  }
}

extension SampledSweep.Method {
  /// What the method is called.
  public var words: String {
    switch self {
    case .sobol: "Sobol's indices"
    case .morris: "Morris's screening"
    }
  }
}
