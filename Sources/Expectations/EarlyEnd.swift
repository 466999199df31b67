/// A run that ended before the end of what an expectation looks at.
struct EarlyEnd: Hashable, Sendable {
  /// The name of the run.
  let run: String
  /// When it ended, on its own clock.
  let time: String

  /// What is told of runs that ended early, without a full stop; empty where there is none.
  static func remark(on ends: [EarlyEnd]) -> String {
    guard let first = ends.first else { return "" }
    guard ends.count > 1 else {
      return "\(first.run) ended as lethal at \(first.time), and is looked at until then"
    }
    return "\(ends.count) runs ended as lethal, and are looked at until then, the first "
      + "\(first.run) at \(first.time)"
  }
}
