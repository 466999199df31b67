internal import ScenarioLanguage
internal import StructuredText

/// A sweep whose points are drawn from laws, to tell which of its settings matter.
///
///     sweep: { sobol: { n: 512, of: { 'therapy.scale.sensitivity': { uniform: [0.6, 1.6] } } } }
///
/// All its settings move together from one point to the next.
public struct SampledSweep: Sendable {
  /// How the points are laid out, and what is estimated from them.
  public enum Method: String, CaseIterable, Hashable, Sendable {
    /// Shares of the variance, which need `n × (k + 2)` points for `k` settings.
    case sobol
    /// Sizes of effects, to sort out what does not matter: `n × (k + 1)` points.
    case morris

    /// The key of a sweep that is sampled, if it is.
    static func key(of sweep: JSONNode?) -> JSONMember? {
      sweep?.members?.first { member in allCases.contains { $0.rawValue == member.key } }
    }
  }

  /// The most rows, and the most points of all.
  static let maximumRows: Int64 = 65_536
  static let maximumPoints = SweepValues.maximumCount

  /// How the points are laid out.
  public let method: Method
  /// The shares that were drawn, from which the points were made.
  public let sample: SensitivitySample
  /// The law of each setting as the file has it, in the order of its paths.
  public let laws: [String]
  /// How many values each setting is chosen from; `nil` where numbers or spans are drawn.
  public let choices: [Int?]
  let axis: SweepAxis

  /// Reads a sampled sweep; `nil` where the sweep is none, or cannot be used, which is reported.
  static func read(
    _ sweep: JSONNode?, seed: UInt64, insulin: InsulinPaths, problems: ProblemList
  ) -> SampledSweep? {
    guard let sweep, let key = Method.key(of: sweep), let method = Method(rawValue: key.key)
    else { return nil }
    let others = (sweep.statedMembers ?? []).filter { $0.key != key.key }
    for other in others {
      problems.error(
        at: other.keyPosition,
        "\"\(key.key)\" draws all points of a sweep; \"\(other.key)\" cannot stand beside it.")
    }
    let field = Field(
      key.value, at: "sweep.\(key.key)", in: .standard, problems: problems)
    guard key.value.members != nil else {
      field.reportUnusable(expected: "an object such as { n: 64, of: { path: law } }")
      return nil
    }
    field.allowOnly(["n", "of"])
    let rows = field.required("n").integer(in: 2...maximumRows)
    let settings = SettingDistribution.read(field.required("of"), insulin)
    guard others.isEmpty, let rows, let settings else { return nil }
    let points = Int(rows) * (settings.count + (method == .sobol ? 2 : 1))
    guard points <= maximumPoints else {
      field["n"].error(
        "This makes \(points) points, and at most \(maximumPoints) are drawn; make \"n\" smaller.")
      return nil
    }
    return SampledSweep(method, Int(rows), settings, seed)
  }

  private init(_ method: Method, _ rows: Int, _ settings: [SettingDistribution], _ seed: UInt64) {
    self.method = method
    let sample = SensitivitySample(
      paths: settings.map(\.path.description), rows: rows, seed: seed)
    self.sample = sample
    laws = settings.map(\.text)
    choices = settings.map(\.choices)
    let points = method == .sobol ? sample.sobolPoints : sample.morrisPoints
    axis = SweepAxis(
      paths: settings.map { ($0.path, $0.position) },
      points: points.map { point in zip(settings, point).map { $0.value(at: $1) } })
  }
}
