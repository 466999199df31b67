internal import StructuredText

/// Into how many shards a study is divided in one folder; its results do not depend on it.
public struct StudyLayout: Hashable, Sendable {
  /// The version of the layout's file.
  private static let format: Int64 = 1

  /// How many shards there are.
  public var shards: Int
  /// The digest of the plan.
  public var planDigest: String

  /// Creates a `StudyLayout` from its parts; see the properties.
  public init(shards: Int, planDigest: String) {
    self.shards = shards
    self.planDigest = planDigest
  }

  /// The layout's file.
  public var text: String {
    let value: JSONValue = [
      "format": .integer(Self.format), "plan_sha256": .string(planDigest),
      "shards": .integer(Int64(shards)),
    ]
    return JSONWriter().line(value) + "\n"
  }

  /// Reads a layout; `nil` where it is none.
  public init?(_ bytes: [UInt8], file: String) {
    let reading = JSONReader.read(bytes, file: file)
    guard let root = reading.root, root["format"]?.integer == Self.format,
      let digest = root["plan_sha256"]?.string,
      let shards = root["shards"]?.integer,
      (1...Int64(StudyPlan.maximumShards)).contains(shards)
    else { return nil }
    self.init(shards: Int(shards), planDigest: digest)
  }
}
