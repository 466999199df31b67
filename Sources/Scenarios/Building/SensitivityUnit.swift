internal import Quantities
internal import ScenarioLanguage
internal import Simulation
internal import StructuredText

/// Tells a sensitivity in the other unit of glucose by the basal beside it, where the sensitivity
/// by itself may be meant: a child's 8 mmol/L per U is an adult's 8 mg/dL per U.
///
/// What 1 U lowers, times the basal of a day, is 230 to 1,980 mg/dL for all published virtual
/// patients, by their tables and as they are tried out (`loopsim patients`): who needs little
/// insulin falls by much per U. In the other unit it is 18 times less, or more.
struct SensitivityUnit {
  /// Less than this times a day's basal nobody falls, in mg/dL; half of the least that is known.
  private static let least = 115.0
  /// More than this times a day's basal nobody falls, in mg/dL; more than twice the most.
  private static let most = 5_000.0
  /// Nobody whom 1 U lowers by less, in mg/dL, needs next to no basal; others may, in a remission.
  private static let resistant = 15.0

  let sensitivity: DailySchedule<InsulinSensitivity>
  let basal: DailySchedule<InsulinRate>

  /// Warns where the schedule of the therapy, or of the needs that stand in for it, is stated.
  func warn(in root: Field) {
    let own = root["therapy"]["sensitivity"]
    let field = own.exists ? own : root["patient"]["needs"]["sensitivity"]
    let values = sensitivity.entries.map(\.value.mgdLPerUnit)
    let daily = dailyBasal
    guard field.exists, daily > 0, let low = values.min(), let high = values.max() else { return }
    let unit = root.context.glucoseUnit
    switch unit {
    case .milligramsPerDecilitre
    where low >= 7 && high < Self.resistant && high * daily < Self.least:
      warn(at: field, "at most", high, daily, "so little insulin falls by more")
    case .millimolesPerLitre where high <= 500 && low * daily > Self.most:
      warn(at: field, "at least", low, daily, "so much insulin falls by less")
    default: break
    }
  }

  private func warn(
    at field: Field, _ bound: String, _ mgdL: Double, _ daily: Double, _ reason: String
  ) {
    let unit = field.context.glucoseUnit
    let number = JSONField.shortText((mgdL / unit.mgdL * 10).rounded() / 10)
    field.warning(
      code: "W-UNIT",
      "\"\(field.path)\" is \(bound) \(number) \(unit.rawValue) per U, and basal "
        + "\(JSONField.shortText((daily * 10).rounded() / 10)) U a day: a body that needs "
        + "\(reason) per U. It looks like \(unit.other.rawValue) per U; \(field.wordsOfUnit).")
  }

  /// The basal of a day, in U.
  private var dailyBasal: Double {
    let entries = basal.entries
    let ends = entries.dropFirst().map(\.start.sinceMidnight.hours) + [24]
    return zip(entries, ends).reduce(0) { sum, part in
      let hours = part.1 - part.0.start.sinceMidnight.hours
      return sum + Double(part.0.value.milliunitsPerHour) / 1_000 * hours
    }
  }
}
