internal import Quantities

/// Gathers the stretches of a run in which a figure that was shown lay far from the truth, those in
/// which it was too high apart from those in which it was too low.
struct WrongStretches {
  /// The stretches in which the figure was wrong in one direction.
  struct Finding {
    /// The first and the last row in which it was.
    var start: Instant
    var end: Instant
    /// How many stretches there were, and how long they lasted together.
    var count = 1
    var span = TimeSpan.zero
    /// The figure where it was worst.
    var worst: Figure
  }

  /// What was shown in a row, and what was true, in the unit of whoever compares them.
  struct Figure {
    var instant: Instant
    var shown: Double
    var truth: Double
    /// How much too high the figure was; less than zero where it was too low.
    var difference: Double

    /// Whether it was further from the truth by more than rounding, so that the first of equal ones
    /// is the worst.
    func isWorse(than other: Self) -> Bool {
      difference.magnitude > other.difference.magnitude + 1e-9
    }
  }

  /// A shorter stretch is no trouble by itself.
  private static let shortest = TimeSpan.minutes(15)

  /// After so long without a figure another stretch begins; `nil` where the last goes on.
  private let longestGap: TimeSpan?
  private var high: Finding?
  private var low: Finding?
  private var open: Finding?
  private let keepsShort: Bool
  /// The stretches that are no trouble by themselves, one by one, where they are kept.
  private(set) var short: [Finding] = []

  init(longestGap: TimeSpan? = nil, keepsShort: Bool = false) {
    self.longestGap = longestGap
    self.keepsShort = keepsShort
  }

  /// Too high, then too low; those that there were, up to where ``close()`` was last called.
  var findings: [Finding] { [high, low].compactMap(\.self) }

  /// Takes a figure that is wrong, later than those before.
  mutating func take(_ figure: Figure) {
    if let open {
      let isLate = longestGap.map { figure.instant - open.end > $0 } ?? false
      if isLate || open.worst.difference.sign != figure.difference.sign { close() }
    }
    var stretch = open ?? Finding(start: figure.instant, end: figure.instant, worst: figure)
    stretch.end = figure.instant
    if figure.isWorse(than: stretch.worst) { stretch.worst = figure }
    open = stretch
  }

  /// Ends the stretch that is open, as the figure is right or there is none.
  mutating func close() {
    guard var stretch = open else { return }
    open = nil
    stretch.span = stretch.end - stretch.start
    guard stretch.span >= Self.shortest else {
      if keepsShort { short.append(stretch) }
      return
    }
    if stretch.worst.difference > 0 {
      high = high?.joined(with: stretch) ?? stretch
    } else {
      low = low?.joined(with: stretch) ?? stretch
    }
  }
}

extension [WrongStretches.Finding] {
  /// All as one, where there are any.
  var joined: Self {
    guard let first else { return [] }
    return [dropFirst().reduce(first) { $0.joined(with: $1) }]
  }
}

extension WrongStretches.Finding {
  /// Both as one; the other is the later.
  fileprivate func joined(with other: Self) -> Self {
    assert(end < other.start, "Stretches do not overlap.")
    var all = self
    all.end = other.end
    all.count += other.count
    all.span = span + other.span
    if other.worst.isWorse(than: worst) { all.worst = other.worst }
    return all
  }
}
