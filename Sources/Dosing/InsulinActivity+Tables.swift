/// The fractions on board of deliveries that last whole steps, whole steps after their starts.
///
/// A loop runs every five minutes and gives insulin for so long, so that nearly all doses of a run
/// are found here. Invariant: an entry is what the function of the table computes, to the bit.
struct OnBoardTable: Sendable {
  /// The longest delivery in the table, in steps: an hour.
  static let longest = 12

  /// How many steps each delivery is followed; from the last one on its fraction stays.
  private let width: Int
  /// By duration, then by time.
  private let fractions: [Double]

  /// Tabulates the fraction on board some seconds after the start of a delivery over a duration.
  init(_ activity: InsulinActivity, _ fraction: (_ x: Double, _ duration: Double) -> Double) {
    width = Int(activity.effectDuration / TimeAxis.step) + Self.longest + 2
    var fractions: [Double] = []
    fractions.reserveCapacity(width * (Self.longest + 1))
    for steps in 0...Self.longest {
      for step in 0..<width {
        fractions.append(fraction(Double(step) * TimeAxis.step, Double(steps) * TimeAxis.step))
      }
    }
    self.fractions = fractions
  }

  /// The fraction on board; `nil` for what does not last or lie whole steps.
  @inline(__always)
  func fraction(_ x: Double, of duration: Double) -> Double? {
    guard let count = Self.stepCount(of: duration), x >= 0,
      x < Double(TimeAxis.maximumSteps) * TimeAxis.step
    else { return nil }
    let step = Int(x / TimeAxis.step)
    return Double(step) * TimeAxis.step == x ? fraction(atStep: step, of: count) : nil
  }

  /// The fraction on board some steps after the start of a delivery over a number of them.
  @inline(__always)
  func fraction(atStep step: Int, of count: Int) -> Double {
    assert(step >= 0, "Nothing is on board before it is given.")
    assert((0...Self.longest).contains(count), "Only doses of few whole steps are tabulated.")
    return fractions[count * width + min(step, width - 1)]
  }

  /// How many steps a delivery lasts; `nil` where that is no whole number, or too many.
  @inline(__always)
  static func stepCount(of duration: Double) -> Int? {
    guard duration >= 0, duration <= Double(longest) * TimeAxis.step else { return nil }
    let count = Int(duration / TimeAxis.step)
    return Double(count) * TimeAxis.step == duration ? count : nil
  }
}

/// What of an activity is tabulated at whole steps, for each insulin when it is first needed.
struct ActivityTables: Sendable {
  /// The fractions on board as ``InsulinActivity/fractionOnBoard(_:of:)`` has them.
  let onBoard: OnBoardTable
  /// The same as a ``LatticePhase`` on the grid has them.
  let onBoardOfLattice: OnBoardTable
  /// The fraction remaining `k` steps after the delay, as a ``Lattice`` has it whose first time is
  /// the first step.
  let remaining: [Double]
  /// The time some whole steps after delivery, from 0 until all has acted.
  let steps: [Step]

  /// A time some whole steps after delivery.
  struct Step: Sendable {
    /// The time as a share of the action with its delay.
    var share: Double
    /// The fraction remaining, as ``remaining`` has it; 1 during the delay.
    var remaining: Double
  }

  private init(_ model: InsulinModel) {
    let activity = InsulinActivity.of(model)
    onBoard = OnBoardTable(activity) { activity.fractionOnBoard($0, of: $1) }
    let phase = LatticePhase(offset: 0, activity)
    let exponential = activity.exponential(TimeAxis.step)
    onBoardOfLattice = OnBoardTable(activity) {
      phase.fractionOnBoard(
        $0, of: $1, first: TimeAxis.step, exponential: exponential, activity)
    }
    var lattice = Lattice(activity)
    remaining = activity.decay.indices.map {
      lattice.computed(activity.delay + Double($0) * TimeAxis.step)
    }
    let delay = Int(activity.delay / TimeAxis.step)
    let duration = model.effectDuration
    steps = (0...Int(duration / TimeAxis.step)).map { [remaining] step in
      Step(
        share: Double(step) * TimeAxis.step / duration,
        remaining: step <= delay ? 1 : remaining[step - delay])
    }
  }

  private static let rapidActingAdult = Self(.rapidActingAdult)
  private static let rapidActingChild = Self(.rapidActingChild)
  private static let fiasp = Self(.fiasp)
  private static let lyumjev = Self(.lyumjev)
  private static let afrezza = Self(.afrezza)

  /// The tables of an insulin.
  static func of(_ model: InsulinModel) -> Self {
    switch model {
    case .rapidActingAdult: rapidActingAdult
    case .rapidActingChild: rapidActingChild
    case .fiasp: fiasp
    case .lyumjev: lyumjev
    case .afrezza: afrezza
    }
  }
}

/// How far an instant lies behind the five-minute grid, with the exponential of that.
///
/// All doses of one insulin share it: `e^(−t/τ)` of a dose is that of its first grid time, that of
/// the offset and one of the table, multiplied.
struct LatticePhase: Sendable {
  /// Seconds.
  let offset: Double
  /// `e^(−offset/τ)`.
  let factor: Double

  init(offset: Double, _ activity: InsulinActivity) {
    self.offset = offset
    factor = activity.computedExponential(offset)
  }

  /// The fraction on board of a dose whose first grid time lies `first` seconds after its delay,
  /// with `exponential` there.
  @inline(__always)
  func fractionOnBoard(
    _ x: Double, of duration: Double, first: Double, exponential: Double,
    _ activity: InsulinActivity
  ) -> Double {
    activity.fractionOnBoard(x, of: duration) { t in
      // Whole steps and the offset lie between the dose's first grid time and t.
      let elapsed = t - first - offset
      let k = Int(elapsed / TimeAxis.step + 0.5)
      guard k >= 0, k < activity.decay.count,
        (Double(k) * TimeAxis.step - elapsed).magnitude < 1e-6
      else { return activity.computedExponential(t) }
      return exponential * factor * activity.decay[k]
    }
  }
}
