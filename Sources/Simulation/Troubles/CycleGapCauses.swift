internal import ClosedLoop
internal import Quantities

/// Why the cycles of a time without a decision came to none.
struct CycleGapCauses {
  /// Causes that differ in their numbers alone.
  private struct Kind {
    var first: String
    var count = 0
    /// Whether a later one has other numbers.
    var isVaried = false

    mutating func take(_ failure: String) {
      count += 1
      if failure != first { isVaried = true }
    }
  }

  private var cause: String?
  /// The first cause after those of an app that did not run.
  private var later: (instant: Instant, cause: String)?
  private var kinds: [Substring: Kind] = [:]
  private var count = 0

  /// Notes why a cycle came to no decision.
  mutating func note(_ failure: String, at instant: Instant) {
    count += 1
    kinds[Self.kind(of: failure), default: Kind(first: failure)].take(failure)
    if cause == nil || cause == Self.waiting {
      cause = failure
    } else if failure == RunResult.appOff {
      later = nil
    } else if later == nil {
      later = (instant, failure)
    }
  }

  /// What is told of them at the end of that time; `nil` where no cycle was due in it.
  func words(until end: Instant, _ time: (Instant) -> String) -> String? {
    guard let cause else { return nil }
    guard cause != RunResult.appOff else {
      let known = later.flatMap { $0.instant + .minutes(15) < end ? $0 : nil }
      return known.map {
        "\(cause.dropLast()); from \(time($0.instant)) on: \(Self.quoted($0.cause))"
      } ?? cause
    }
    let isVaried = kinds[Self.kind(of: cause)]?.isVaried ?? false
    let quoted = (isVaried ? "at first " : "") + Self.quoted(cause)
    // No two kinds have more than half.
    guard let most = kinds.first(where: { $0.value.count * 2 > count }),
      most.key != Self.kind(of: cause), most.value.first != Self.waiting
    else { return quoted }
    let first = most.value.isVaried ? ", at first" : ""
    let share = "in \(most.value.count) of its \(count) cycles\(first)"
    let beginning = quoted == cause ? String(cause.dropLast()) : quoted
    return "\(beginning); \(share): \(Self.quoted(most.value.first))"
  }

  /// What the app said then, with its advice for that moment, as a quotation; what is told of the
  /// app stays as it is.
  private static func quoted(_ cause: String) -> String {
    [RunResult.appOff, RunResult.appAsleep, RunResult.loopSkipped].contains(cause)
      ? cause : "\"\(cause)\""
  }

  private static let waiting = Refusal.bolusInProgress.description

  /// The words before the first number: of one cause the numbers go on from cycle to cycle.
  ///
  /// A day without a decision has hundreds of cycles: what is looked at is bytes.
  private static func kind(of failure: String) -> Substring {
    Substring(failure.utf8.prefix { !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
  }
}
