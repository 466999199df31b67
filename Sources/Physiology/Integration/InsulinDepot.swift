import Quantities

/// Injected insulin that a preparation releases slowly, before it is absorbed like rapid insulin.
///
/// The rate of release is a trapezoid: it rises from the onset to the start of the plateau, stays,
/// and falls to nothing at the end. Everything is released in the end.
struct InsulinDepot: Hashable, Sendable {
  /// The corners of a trapezoid, in minutes after the injection.
  struct Release: Hashable, Sendable {
    let onset: Double
    let plateauStart: Double
    let plateauEnd: Double
    let end: Double

    /// The share released after so many minutes.
    func share(after minutes: Double) -> Double {
      let height = 2 / ((plateauEnd - plateauStart) + (end - onset))
      if minutes <= onset { return 0 }
      if minutes >= end { return 1 }
      if minutes < plateauStart {
        let risen = minutes - onset
        return height * risen * risen / (2 * (plateauStart - onset))
      }
      if minutes <= plateauEnd {
        return height * ((plateauStart - onset) / 2 + (minutes - plateauStart))
      }
      let left = end - minutes
      return 1 - height * left * left / (2 * (end - plateauEnd))
    }
  }

  private struct Dose: Hashable, Sendable {
    var start: Instant
    var units: Double
    var release: Release
  }

  /// How often the rate of release is brought up to date.
  static let grid = TimeSpan.minutes(5)

  private var doses: [Dose] = []

  var isEmpty: Bool { doses.isEmpty }

  mutating func add(_ units: Double, _ release: Release, at instant: Instant) {
    doses.append(Dose(start: instant, units: units, release: release))
  }

  /// The units released between two instants.
  func released(from start: Instant, to end: Instant) -> Double {
    var sum = 0.0
    for dose in doses {
      let before = dose.release.share(after: (start - dose.start).minutes)
      let after = dose.release.share(after: (end - dose.start).minutes)
      sum += dose.units * (after - before)
    }
    return sum
  }

  /// The units not yet released at an instant.
  func units(at instant: Instant) -> Double {
    doses.reduce(0) { sum, dose in
      sum + dose.units * (1 - dose.release.share(after: (instant - dose.start).minutes))
    }
  }

  /// Forgets doses that have been released whole.
  mutating func clear(at instant: Instant) {
    doses.removeAll { (instant - $0.start).minutes >= $0.release.end }
  }
}

extension InsulinFormulation {
  /// How a preparation is released before it is absorbed; nothing for those absorbed at once.
  ///
  /// The corners of NPH, glargine and degludec are those of xDrip's insulin profiles; those of
  /// regular insulin are this package's choice, made so that its effect peaks after two to three
  /// hours.
  var release: InsulinDepot.Release? {
    switch self {
    case .rapidActing, .ultraRapid: nil
    case .regular: .init(onset: 0, plateauStart: 15, plateauEnd: 60, end: 180)
    case .intermediate: .init(onset: 60, plateauStart: 120, plateauEnd: 720, end: 1_440)
    case .longActing: .init(onset: 60, plateauStart: 420, plateauEnd: 1_200, end: 2_160)
    case .ultraLong: .init(onset: 90, plateauStart: 120, plateauEnd: 2_460, end: 2_520)
    }
  }

  /// The share of a dose that starts in the second compartment under the skin.
  ///
  /// This is how ultra-rapid insulin is faster in the compartment models; the share is this
  /// package's choice and brings the peak of plasma insulin forward by about a quarter.
  var quickShare: Double { self == .ultraRapid ? 0.35 : 0 }
}
