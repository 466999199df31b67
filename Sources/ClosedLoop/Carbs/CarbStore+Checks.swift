public import Quantities

extension CarbStore {
  /// The most grams of one entry (Loop, `LoopConstants.swift`).
  public static let largestEntry = 250.0
  /// The absorption times that an entry may have (Loop, `LoopConstants.swift`).
  public static let absorptionTimes = TimeSpan.minutes(30)...TimeSpan.hours(8)
  /// How long before it is typed food may have been eaten (Loop, `LoopConstants.swift`).
  public static let longestPast = TimeSpan.hours(12)
  /// How long after it is typed food may be eaten (Loop, `LoopConstants.swift`).
  public static let longestAhead = TimeSpan.hours(1)

  /// Whether food may be entered at an instant with a time of eating.
  public static func takes(_ date: Instant, at now: Instant) -> Bool {
    date >= now - longestPast && date <= now + longestAhead
  }

  /// Whether the app takes an entry that is typed at an instant.
  public static func takes(_ entry: Entry, at now: Instant) -> Bool {
    (try? check(entry, at: now)) != nil
  }

  /// The limits of the Loop app for one entry.
  static func check(_ entry: Entry, at now: Instant) throws(Refusal) {
    guard entry.mass.grams > 0, entry.mass.grams <= largestEntry else {
      throw .massOutOfRange(entry.mass)
    }
    if let time = entry.absorptionTime {
      guard absorptionTimes.contains(time) else { throw .absorptionTimeOutOfRange(time) }
    }
    guard takes(entry.date, at: now) else { throw .dateOutOfRange(entry.date, now: now) }
  }
}

extension CarbStore.Refusal: CustomStringConvertible {
  public var description: String {
    switch self {
    case .unknownEntry(let identifier):
      "There is no carbohydrate entry \(identifier). Give the identifier of an active one."
    case .unauthorized(let identifier, let provenance):
      "The carbohydrate entry \(identifier) was made by \(provenance). Change it there."
    case .massOutOfRange(let mass):
      mass.grams > CarbStore.largestEntry
        ? "A carbohydrate entry of \(mass.grams) g is more than \(Int(CarbStore.largestEntry)) g. "
          + "Correct it."
        : "A carbohydrate entry of \(mass.grams) g is not more than 0 g. Correct it."
    case .absorptionTimeOutOfRange(let time):
      "An absorption time of \(time) is not between \(CarbStore.absorptionTimes.lowerBound) and "
        + "\(CarbStore.absorptionTimes.upperBound). Correct it."
    case .dateOutOfRange(let date, let now):
      "Carbohydrates at \(date) are more than \(CarbStore.longestPast) before or "
        + "\(CarbStore.longestAhead) after \(now). Correct the time."
    }
  }
}
