internal import Determinism

/// The digests by which a study can be cited and checked.
public struct StudyDigest: Hashable, Sendable {
  /// The digest of the plan.
  public let plan: String
  /// The digest of the merged rows.
  public let cases: String
  /// The digest of the summary.
  public let summary: String

  /// Creates a `StudyDigest` from its parts; see the properties.
  public init(plan: String, cases: String, summary: String) {
    self.plan = plan
    self.cases = cases
    self.summary = summary
  }

  /// Sixteen digits of the digest of all three, by which the study is cited.
  public var short: String {
    String(SHA256.hexadecimal(of: (plan + cases + summary).utf8).prefix(16))
  }
}
