import Quantities

/// The doses of the last eight hours, oldest first.
struct SuperposedDoses: Hashable, Sendable {
  private struct Dose: Hashable, Sendable {
    var instant: Int64
    var units: Double
    /// The change of glucose, in mg/dL, once everything is cleared.
    var effect: Double
    /// How much faster than rapid insulin it is cleared.
    var speed: Double
    /// Whether it entered at once, and was not gathered from what flowed.
    var isWhole: Bool
  }

  private var doses: ContiguousArray<Dose> = []
  private var first = 0

  mutating func append(
    units: Double, effect: Double, speed: Double = 1, isWhole: Bool = false, at instant: Instant
  ) {
    doses.append(
      Dose(
        instant: instant.millisecondsSince1970, units: units, effect: effect, speed: speed,
        isWhole: isWhole))
  }

  /// Takes units, which are never given, from the last dose that entered at once and is as large,
  /// with their effect.
  ///
  /// What flowed has no effect where it meets the need, and so has none to give back.
  mutating func takeBack(units: Double, speed: Double) {
    assert(units > 0, "What is taken back is something.")
    let begun = doses[first...].lastIndex {
      $0.isWhole && $0.speed == speed && $0.units >= units
    }
    assert(begun != nil, "Of a dose no more is taken back than was given.")
    guard let begun else { return }
    doses[begun].effect *= 1 - units / doses[begun].units
    doses[begun].units -= units
  }

  /// The change of glucose reached by an instant, in mg/dL.
  func effect(at instant: Instant) -> Double {
    let cleared = ClearanceCurve.cleared
    var sum = 0.0
    for index in first..<doses.count {
      let dose = doses[index]
      if dose.effect != 0 { sum += dose.effect * share(dose, instant, cleared) }
    }
    return sum
  }

  /// The insulin not yet cleared at an instant, in U.
  func onBoard(at instant: Instant) -> Double {
    let cleared = ClearanceCurve.cleared
    var sum = 0.0
    for index in first..<doses.count {
      let dose = doses[index]
      let minutes = minutes(dose, instant)
      if minutes < 480 {
        sum += dose.units * (1 - ClearanceCurve.share(after: minutes, in: cleared))
      }
    }
    return sum
  }

  /// Drops what is over eight hours old, and returns the change of glucose it leaves for good.
  mutating func retire(at instant: Instant) -> Double {
    var left = 0.0
    let whole = ClearanceCurve.cleared[ClearanceCurve.lastMinute]
    while first < doses.count, minutes(doses[first], instant) >= ClearanceCurve.horizonMinutes {
      left += doses[first].effect * whole
      assert(first < doses.count, "Only a dose that is there has acted.")
      first += 1
    }
    if first > 512 {
      assert(first <= doses.count, "No more doses are dropped than there are.")
      doses.removeFirst(first)
      first = 0
    }
    return left
  }

  @inline(__always)
  private func minutes(_ dose: Dose, _ instant: Instant) -> Double {
    Double(instant.millisecondsSince1970 - dose.instant) / 60_000 * dose.speed
  }

  @inline(__always)
  private func share(_ dose: Dose, _ instant: Instant, _ cleared: [Double]) -> Double {
    ClearanceCurve.share(after: minutes(dose, instant), in: cleared)
  }
}

/// A meal, or a step of the patient's own secretion, that is changing glucose.
struct SuperposedMeal: Hashable, Sendable {
  private let start: Instant
  private let rise: Double
  private let curve: CarbohydrateCurve?

  /// A meal that will raise glucose by `rise` mg/dL.
  init(start: Instant, rise: Double, curve: CarbohydrateCurve) {
    self.start = start
    self.rise = rise
    self.curve = curve
  }

  /// A drop of glucose, in mg/dL, that is complete five minutes on and grows evenly until then.
  init(start: Instant, drop: Double) {
    self.start = start
    rise = drop
    curve = nil
  }

  func rise(at instant: Instant) -> Double {
    let minutes = (instant - start).minutes
    guard let curve else { return rise * min(max(minutes / 5, 0), 1) }
    return rise * curve.share(after: minutes)
  }

  func isOver(at instant: Instant) -> Bool {
    (instant - start).minutes >= (curve?.lastMinute ?? 5)
  }
}
