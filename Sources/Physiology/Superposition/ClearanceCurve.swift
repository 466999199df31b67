import Determinism

/// How a unit of insulin is cleared, minute by minute.
///
/// Tidepool's simple metabolism model (tidepool-org/data-science-models), after C. C. Palerm et al.
/// 2009: activity (exp(−t/70) − exp(−t/55)) / (70 − 55) at whole minutes, summed up. After eight
/// hours nothing more happens: the 0.46 % still on board then are dropped.
enum ClearanceCurve {
  /// The minutes after which the effect of a dose stands still.
  static let lastMinute = 475
  /// The minutes after which nothing counts as on board.
  static let horizonMinutes = 480.0

  /// The share cleared after each whole minute, up to the last.
  static let cleared: [Double] = {
    var sum = 0.0
    return (0...lastMinute).map { minute in
      let t = Double(minute)
      sum += (PortableMath.exp(-t / 70) - PortableMath.exp(-t / 55)) / (70 - 55)
      return sum
    }
  }()

  /// The share cleared after `minutes`, between whole minutes on a straight line.
  @inline(__always)
  static func share(after minutes: Double, in cleared: [Double]) -> Double {
    guard minutes > 0 else { return 0 }
    guard minutes < Double(lastMinute) else { return cleared[lastMinute] }
    assert(cleared.count == lastMinute + 1, "The curve has a figure for each minute.")
    let minute = Int(minutes)
    let fraction = minutes - Double(minute)
    guard fraction > 0 else { return cleared[minute] }
    return cleared[minute] + fraction * (cleared[minute + 1] - cleared[minute])
  }
}

/// How the carbohydrate of a meal raises glucose: nothing for 20 minutes, then exponentially.
///
/// Tidepool's simple metabolism model, after M. Cescon 2013.
struct CarbohydrateCurve: Hashable, Sendable {
  static let delay = 20.0
  /// The time constant, in minutes.
  let timeConstant: Double
  /// The minutes after which nothing more is absorbed: those of insulin, or longer where a stomach
  /// empties slowly, so that it loses no more of a meal than another does.
  let lastMinute: Double

  /// The curve of a meal absorbed in so many minutes.
  ///
  /// The minutes are rounded down to a multiple of five and kept within 25 and 595; the constant is
  /// the whole number of minutes at which 99 % are absorbed by then.
  init(absorptionMinutes minutes: Double, emptying: Double = 1) {
    let usable = minutes.isFinite ? min(max(minutes, 25), 595) : 180
    let onGrid = (usable / 5).rounded(.down) * 5
    let constant = ((onGrid - Self.delay) / PortableMath.log(100)).rounded(.down)
    timeConstant = max(constant, 1) / max(emptying, 0.01)
    lastMinute = Double(ClearanceCurve.lastMinute) / min(max(emptying, 0.01), 1)
    assert(timeConstant > 0, "A meal takes some time.")
  }

  /// The share of the rise reached after `minutes`.
  func share(after minutes: Double) -> Double {
    let shown = min(minutes, lastMinute)
    guard shown >= Self.delay else { return 0 }
    return -PortableMath.expm1((Self.delay - shown) / timeConstant)
  }
}
