internal import StructuredText

/// The moments of a comparison at which one side alone has a value, so that nothing is compared.
struct UnsharedMoments: Hashable, Sendable {
  /// How many only the run has that is looked at.
  var this = 0
  /// How many only the other side has.
  var other = 0

  /// What is told of them, without a full stop; empty where there is none.
  ///
  /// - Parameters:
  ///   - comparisons: Those of each run.
  ///   - otherName: What the other side is called.
  /// - Returns: The remark.
  static func remark(on comparisons: [UnsharedMoments], otherName: String) -> String {
    let (this, other) = (comparisons.map(\.this).sum, comparisons.map(\.other).sum)
    let run = comparisons.count > 1 ? "these runs" : "this run"
    var parts: [String] = []
    if this > 0 { parts.append("\(WordList.counted(this, "moment")) of \(run) alone") }
    if other > 0 { parts.append("\(WordList.counted(other, "moment")) of \(otherName) alone") }
    guard !parts.isEmpty else { return "" }
    return "not compared: \(parts.joined(separator: " and "))"
  }
}

extension [Int] {
  fileprivate var sum: Int { reduce(0, +) }
}
