import Determinism
import Quantities

/// Insulin on its way to where it is absorbed: released slowly under the skin, or in the lungs.
struct InsulinDepot: Hashable, Sendable {
  /// What is released over a stretch of time, in U.
  struct Released: Hashable, Sendable {
    var underSkin = 0.0
    var intoPlasma = 0.0
  }

  private struct Dose: Hashable, Sendable {
    var start: Instant
    var units: Double
    /// The course of the release; nothing in the lungs.
    var release: InsulinRelease?

    func share(after minutes: Double) -> Double {
      guard let release else {
        if minutes <= 0 { return 0 }
        return minutes >= InsulinDepot.lungEnd
          ? 1 : 1 - PortableMath.exp(-InsulinDepot.lungRate * minutes)
      }
      return release.share(after: minutes)
    }

    var end: Double { release?.end ?? InsulinDepot.lungEnd }
  }

  /// How often the rate of a slow release is brought up to date.
  private static let grid = TimeSpan.minutes(5)
  /// The same while something is released within half a day, which changes more in five minutes.
  private static let quickGrid = TimeSpan.minutes(1)

  /// The rate, per minute, at which the lungs pass insulin on: that of the UVA/Padova model of 2017
  /// as SmartCGMS has it, from a fit; and the time after which nothing counts any more.
  static let lungRate = 0.042
  static let lungEnd = 720.0

  private var doses: [Dose] = []

  var isEmpty: Bool { doses.isEmpty }

  /// When after an instant the rate of release is brought up to date.
  func nextChange(after instant: Instant) -> Instant {
    let grid = doses.contains { $0.end <= Self.lungEnd } ? Self.quickGrid : Self.grid
    return instant.floored(to: grid) + grid
  }

  /// Adds a dose; without a release it lies in the lungs.
  ///
  /// What is below 0 is taken from the last dose that holds as much: of what is left of that, and
  /// so is never given.
  mutating func add(_ units: Double, _ release: InsulinRelease?, at instant: Instant) {
    guard units < 0 else {
      doses.append(Dose(start: instant, units: units, release: release))
      return
    }
    func left(of dose: Dose) -> Double { 1 - dose.share(after: (instant - dose.start).minutes) }
    let begun = doses.lastIndex { $0.release == release && $0.units * left(of: $0) + units >= 0 }
    assert(begun != nil, "A depot gives back no more than was put into it.")
    // What is gone is gone: all of the units come off what is still to come.
    if let begun { doses[begun].units += units / left(of: doses[begun]) }
  }

  /// Adds what is left of a constant rate, in U/min, that lasted until an instant.
  mutating func fill(at rate: Double, _ release: InsulinRelease, until instant: Instant) {
    assert(doses.isEmpty, "A depot is filled before anything else comes.")
    // The insulin of five minutes is a dose in their middle.
    let count = Int64((release.end / Self.grid.minutes).rounded(.up))
    for step in stride(from: count, through: 1, by: -1) {
      let middle = instant - Self.grid * step + .seconds(150)
      add(rate * Self.grid.minutes, release, at: middle)
    }
    clear(at: instant)
  }

  /// What is released between two instants.
  func released(from start: Instant, to end: Instant) -> Released {
    assert(start <= end, "A depot releases forward in time.")
    var sum = Released()
    for dose in doses {
      let before = dose.share(after: (start - dose.start).minutes)
      let after = dose.share(after: (end - dose.start).minutes)
      assert(before <= after, "What was released stays released.")
      let units = dose.units * (after - before)
      if dose.release == nil { sum.intoPlasma += units } else { sum.underSkin += units }
    }
    return sum
  }

  /// The units not yet released at an instant.
  func units(at instant: Instant) -> Double {
    doses.reduce(0) { sum, dose in
      sum + dose.units * (1 - dose.share(after: (instant - dose.start).minutes))
    }
  }

  /// Forgets doses that have been released whole.
  mutating func clear(at instant: Instant) {
    doses.removeAll { (instant - $0.start).minutes >= $0.end }
  }
}
