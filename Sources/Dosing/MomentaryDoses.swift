internal import Determinism
public import Quantities
internal import WorkCounting

/// Doses of one insulin, each given at once, and what is on board of them at instants that come one
/// after the other.
///
/// Where `s`, `τ`, `T` and `a` are those of the curve of the insulin (the exponential model of
/// ``InsulinModel``), a dose of `u` units has on board, `t` seconds after its delay,
///
///     u(1 − s(1 − a)) + s(1 − a)·(1 + t/τ − t²/(τT(1 − a)))·u·e^(−t/τ)
///
/// for 0 < t < T. So three sums over the doses that act, of `u·e^(−t/τ)` times 1, `t` and `t²`, are
/// enough for all of them, and are carried from one instant to the next. A dose is looked at when
/// it begins to act and when it has acted, not at each instant between.
///
/// Invariant: what is on board is the sum of ``LoopAlgorithm/fractionOnBoard(of:secondsAfter:)``
/// times the units of each dose, to 1e-12 of the units that act.
///
/// Source of the curve: LoopKit/LoopAlgorithm, `ExponentialInsulinModel.swift`.
public struct MomentaryDoses: Sendable {
  private struct Dose {
    /// When the delay of the dose is over, in milliseconds since 1970, and the part of one after.
    var acts: Int64
    var rest: Double
    var units: Double
  }

  /// The doses in the order of time: those that have acted up to ``spent``, those that act up to
  /// ``acting``, then those in their delay or still to be given.
  private var doses: ContiguousArray<Dose> = []
  private var spent = 0
  private var acting = 0
  /// Once so many doses have acted the sums are counted anew, so that no rounding stays in them.
  private var spentAtRecount = 0
  private var sums = Sums()
  /// When the sums hold, in milliseconds since 1970.
  private var now = Int64.min / 4

  private let tau: Double
  private let square: Double
  private let scale: Double
  /// The delay in milliseconds, and the time of action after it in seconds.
  private let delay: Int64
  private let actionDuration: Double

  /// Begins with no dose of an insulin.
  public init(of model: InsulinModel) {
    let activity = InsulinActivity.of(model)
    tau = activity.tau
    square = activity.square
    scale = activity.scale
    delay = Int64((activity.delay * 1_000).rounded())
    actionDuration = activity.actionDuration
  }

  /// Adds a dose that is not given before the last one that was added, nor before the last instant
  /// that was asked for.
  ///
  /// - Parameters:
  ///   - units: How much is given, in U.
  ///   - instant: When it is given.
  ///   - milliseconds: The part of a millisecond, or more, by which it is given later.
  public mutating func append(_ units: Double, at instant: Instant, plus milliseconds: Double = 0) {
    let dose = Dose(
      acts: instant.millisecondsSince1970 + delay, rest: milliseconds, units: units)
    assert(
      doses.last.map { $0.acts <= dose.acts } ?? true, "Doses are added in the order of time.")
    doses.append(dose)
  }

  /// What is on board at an instant that is not before the last one asked for, in U.
  public mutating func onBoard(at instant: Instant) -> Double {
    carry(to: instant.millisecondsSince1970)
    while spent < acting, age(of: doses[spent]) >= actionDuration {
      take(doses[spent], sign: -1)
      spent += 1
    }
    while acting < doses.count {
      let age = age(of: doses[acting])
      guard age > 0 else { break }
      if age >= actionDuration, spent == acting {
        spent += 1
      } else {
        take(doses[acting], sign: 1)
      }
      acting += 1
    }
    if spent > spentAtRecount || spent == acting { recount() }
    var units =
      (1 - scale) * sums.units
      + scale * (sums.zeroth + sums.first / tau - sums.second / square)
    for index in acting..<doses.count {
      Work.visit(rows: 1)
      guard Double(now - doses[index].acts + delay) >= doses[index].rest else { break }
      units += doses[index].units
    }
    return units
  }

  // MARK: - The sums

  /// The units of the doses that act, and their `u·e^(−t/τ)` times 1, `t` and `t²`.
  private struct Sums {
    var units = 0.0
    var zeroth = 0.0
    var first = 0.0
    var second = 0.0
  }

  /// How many seconds ago the delay of a dose was over; negative before.
  private func age(of dose: Dose) -> Double { (Double(now - dose.acts) - dose.rest) / 1_000 }

  private mutating func carry(to next: Int64) {
    assert(next >= now, "Instants are asked for in the order of time.")
    let step = Double(next - now) / 1_000
    now = next
    guard spent < acting, step > 0 else { return }
    let decay = PortableMath.exp(-step / tau)
    sums.second = (sums.second + step * (2 * sums.first + step * sums.zeroth)) * decay
    sums.first = (sums.first + step * sums.zeroth) * decay
    sums.zeroth *= decay
  }

  private mutating func take(_ dose: Dose, sign: Double) {
    Work.visit(rows: 1)
    let age = age(of: dose)
    assert(age > 0, "A dose is in the sums from when it begins to act.")
    let remains = sign * dose.units * PortableMath.exp(-age / tau)
    sums.units += sign * dose.units
    sums.zeroth += remains
    sums.first += remains * age
    sums.second += remains * age * age
  }

  /// Counts the doses that act from none, and forgets those that have acted.
  private mutating func recount() {
    assert(spent <= acting && acting <= doses.count, "Doses begin to act before they have acted.")
    sums = Sums()
    if spent == 0 { return }
    doses.removeFirst(spent)
    acting -= spent
    spent = 0
    spentAtRecount = acting
    for index in 0..<acting { take(doses[index], sign: 1) }
  }
}
