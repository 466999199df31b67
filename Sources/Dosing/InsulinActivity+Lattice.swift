import Determinism

/// The fraction of effect remaining at ascending times, mostly 300 s apart.
///
/// Times that lie whole steps after an earlier one share its exponential.
struct Lattice {
  let activity: InsulinActivity
  private var anchor = 0.0
  private var exponential = 0.0
  private var isAnchored = false
  /// The fractions remaining where the first time lies one step after the delay; empty elsewhere.
  private var table: [Double] = []

  init(_ activity: InsulinActivity) { self.activity = activity }

  /// The same with the table of an insulin.
  init(of model: InsulinModel) {
    activity = .of(model)
    table = ActivityTables.of(model).remaining
  }

  /// `R(x)`; the same as `InsulinActivity.remaining` to rounding.
  @inline(__always)
  mutating func remaining(_ x: Double) -> Double {
    let steps = (x - activity.delay) / TimeAxis.step
    guard anchor == TimeAxis.step, steps >= 1, steps < Double(table.count)
    else { return computed(x) }
    let step = Int(steps)
    return Double(step) == steps ? table[step] : computed(x)
  }

  /// `R(x)`, never from the table.
  mutating func computed(_ x: Double) -> Double {
    let t = x - activity.delay
    if t <= 0 { return 1 }
    if t >= activity.actionDuration { return 0 }
    let steps = (t - anchor) / TimeAxis.step
    // Where that is not the nearest, no whole step is near.
    let k = Int(steps + 0.5)
    guard isAnchored, k >= 0, k < activity.decay.count,
      (Double(k) * TimeAxis.step - (t - anchor)).magnitude < 1e-9
    else {
      anchor = t
      exponential = PortableMath.exp(-t / activity.tau)
      isAnchored = true
      return 1 - activity.absorbed(t, exponential)
    }
    return 1 - activity.absorbed(t, exponential * activity.decay[k])
  }
}
