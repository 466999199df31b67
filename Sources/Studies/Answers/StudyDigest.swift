internal import Determinism

/// The digests by which a study can be cited and checked.
public struct StudyDigest: Hashable, Sendable {
  public let plan: String
  public let cases: String
  public let summary: String

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
