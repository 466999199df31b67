internal import Dosing
internal import Quantities

/// The curve of a pump's insulin by the second: what is left of a unit that was given at once.
public struct InsulinFractions: Sendable {
  /// The fraction at each whole second; 0 afterwards.
  let bySecond: [Double]
  private let model: InsulinModel

  /// The curve by which Loop counts the pump's insulin in a run.
  public init(of setup: Setup) {
    model = setup.pumpInsulinModel
    let seconds = Int(InsulinModel.longestEffectDuration) + 600
    bySecond = (0...seconds).map { [model] in
      LoopAlgorithm.fractionOnBoard(of: model, secondsAfter: Double($0))
    }
  }

  /// Whether the curve is that of a run.
  public func holds(for setup: Setup) -> Bool { setup.pumpInsulinModel == model }

  /// What is left after a time, linear between whole seconds.
  func fraction(afterMilliseconds milliseconds: Int64) -> Double {
    guard milliseconds >= 0 else { return 1 }
    let second = Int(milliseconds / 1_000)
    guard second + 1 < bySecond.count else { return 0 }
    let (first, next) = (bySecond[second], bySecond[second + 1])
    return first + (next - first) * Double(milliseconds % 1_000) / 1_000
  }
}

/// Net insulin on board, counted pulse by pulse against the schedule.
///
/// The scheduled basal is counted in one piece for each cycle, so that the figure agrees with that
/// of the app, where its records are right, within one pulse and what the pump has not reported.
struct PulseInsulin: Sendable {
  private let fractions: InsulinFractions
  /// Pulses, and what the schedule would have given as amounts below zero, by time.
  private var parts: [(instant: Instant, units: Double)] = []
  private var firstActing = 0

  init(_ fractions: InsulinFractions) { self.fractions = fractions }

  mutating func note(_ units: Double, at instant: Instant) { parts.append((instant, units)) }

  /// What acts at an instant, which is not before those asked for earlier.
  mutating func onBoard(at now: Instant) -> Double {
    let spent = now - .seconds(Int64(fractions.bySecond.count))
    while firstActing < parts.count, parts[firstActing].instant < spent { firstActing += 1 }
    var sum = 0.0
    for part in parts[firstActing...] {
      sum += part.units * fractions.fraction(afterMilliseconds: (now - part.instant).milliseconds)
    }
    return sum
  }
}
