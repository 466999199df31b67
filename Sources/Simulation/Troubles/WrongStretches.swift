internal import Quantities

/// Gathers the stretches of a run in which a figure that was shown lay far from the truth: those in
/// which it was too high, those in which it was too low, and those in which it went from one to the
/// other before either had lasted.
struct WrongStretches {
  /// How a figure was wrong.
  enum Direction {
    case tooHigh, tooLow
    /// Too high and too low in turn, neither of them for long.
    case byTurns
  }

  /// The stretches in which the figure was wrong in one way.
  struct Finding {
    var direction: Direction
    /// The first row in which it was, and the last one, or until when the figure of that stood
    /// where it is known.
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
    /// How much of that is no error, and makes the figure none of the worst.
    var explained = 0.0

    /// Whether it was further from the truth by more than rounding, so that the first of equal ones
    /// is the worst.
    func isWorse(than other: Self) -> Bool { error > other.error + 1e-9 }

    private var error: Double { difference.magnitude - explained }
  }

  /// A shorter stretch is no trouble by itself.
  private static let shortest = TimeSpan.minutes(15)

  /// After so long without a figure another stretch begins; `nil` where the last goes on.
  private let longestGap: TimeSpan?
  private var high: Finding?
  private var low: Finding?
  private var byTurns: Finding?
  private var open: Finding?
  /// Until when the latest figure of the open stretch was known to stand.
  private var stood: Instant?
  /// The short stretches before the open one that no right figure parts from one another and from
  /// it.
  private var turns: [Finding] = []
  private let keepsShort: Bool
  /// The stretches that are no trouble by themselves, one by one, where they are kept.
  private(set) var short: [Finding] = []

  init(longestGap: TimeSpan? = nil, keepsShort: Bool = false) {
    self.longestGap = longestGap
    self.keepsShort = keepsShort
  }

  /// Too high, too low, then by turns; those that there were, up to where ``close()`` was last
  /// called.
  var findings: [Finding] { [high, low, byTurns].compactMap(\.self) }

  /// Takes a figure that is wrong, later than those before.
  mutating func take(_ figure: Figure) {
    let direction: Direction = figure.difference > 0 ? .tooHigh : .tooLow
    if let open {
      let isLate = longestGap.map { figure.instant - open.end > $0 } ?? false
      if isLate { close() } else if open.direction != direction { closeOpen() }
    }
    var stretch =
      open
      ?? Finding(
        direction: direction, start: figure.instant, end: figure.instant, worst: figure)
    stretch.end = figure.instant
    stood = nil
    if figure.isWorse(than: stretch.worst) { stretch.worst = figure }
    open = stretch
  }

  /// Says that the figure taken last stood until an instant, at which there is another.
  ///
  /// What is shown is believed until then, so that the stretch lasts as long.
  mutating func stand(until instant: Instant) {
    assert(open.map { $0.end <= instant } ?? true, "Figures come in their order.")
    stood = instant
  }

  /// Ends the stretch that is open, as the figure is right or there is none.
  mutating func close() {
    closeOpen()
    closeTurns()
  }

  /// Ends the stretch that is open, as the figure is right or wrong in the other direction.
  private mutating func closeOpen() {
    guard var stretch = open else { return }
    open = nil
    if let stood { stretch.end = stood }
    stood = nil
    stretch.span = stretch.end - stretch.start
    guard stretch.span >= Self.shortest else {
      turns.append(stretch)
      return
    }
    closeTurns()
    if stretch.direction == .tooHigh {
      high = high?.joined(with: stretch) ?? stretch
    } else {
      low = low?.joined(with: stretch) ?? stretch
    }
  }

  /// Ends a row of short stretches, which together may have lasted.
  private mutating func closeTurns() {
    guard let first = turns.first, let last = turns.last else { return }
    if last.end - first.start >= Self.shortest {
      var whole = turns.dropFirst().reduce(first) { $0.joined(with: $1) }
      whole.direction = .byTurns
      whole.count = 1
      whole.span = last.end - first.start
      byTurns = byTurns?.joined(with: whole) ?? whole
    } else if keepsShort {
      short += turns
    }
    turns = []
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
    assert(end <= other.start, "Stretches do not overlap.")
    var all = self
    all.end = other.end
    all.count += other.count
    all.span = span + other.span
    if other.worst.isWorse(than: worst) { all.worst = other.worst }
    return all
  }
}
