internal import Outcomes
internal import RunPlans
internal import StructuredText

/// The estimates of a sampled sweep as the summary of a study has them.
struct SensitivityJSON {
  private let sampled: SampledSweep
  private let results: [SensitivityResult]
  private let points: Int

  /// Takes the estimates of a sampled sweep.
  init(_ sampled: SampledSweep, of analysis: StudyAnalysis) {
    self.sampled = sampled
    results = analysis.sensitivity
    points = analysis.study.plan.points
  }

  /// The method, the settings with their laws, and the estimates for each end point.
  var value: JSONValue {
    let settings = zip(sampled.sample.paths, sampled.laws).map { path, law -> JSONValue in
      ["path": .string(path), "law": .string(law)]
    }
    return .object([
      .init("method", .string(sampled.method.rawValue)),
      .init("rows", .integer(Int64(sampled.sample.rows))),
      .init("points", .integer(Int64(points))),
      .init("settings", .array(settings)),
      .init("endpoints", .array(results.map(json(of:)))),
    ])
  }

  private func json(of result: SensitivityResult) -> JSONValue {
    let point = result.endPoint
    let estimates: [JSONValue] =
      switch result.estimates {
      case .sobol(let indices):
        indices.map { index in
          .object([
            .init("path", .string(index.path)), .init("first", .number(index.first)),
            .init("first_interval", .ends(of: index.firstInterval)),
            .init("total", .number(index.total)),
            .init("total_interval", .ends(of: index.totalInterval)),
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
      .init("mean", .optional(result.mean)), .init("sd", .optional(result.deviation)),
      .init("obstacle", result.obstacle.map { .string($0) } ?? .null),
      .init("estimates", .array(estimates)),
    ])
  }
}
