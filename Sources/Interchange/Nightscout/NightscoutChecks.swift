internal import HealthStore
internal import Quantities
internal import StructuredText

/// The values of a meter that Nightscout holds as treatments, `BG Check`, or beside a meal.
///
/// Most apps store the same value as an entry `mbg` too, so that a check counts only where there is
/// no such entry in its minute.
struct NightscoutChecks {
  private struct Check {
    var instant: Instant
    var glucose: GlucoseConcentration
    var author: ImportedSource.Author?
    var uuid: SampleUUID
    var position: TextPosition
  }

  private var checks: [Check] = []
  private var entries: Set<Int64> = []

  /// How many checks there are so far.
  var count: Int { checks.count }

  /// Forgets so many checks that were added last.
  mutating func removeLast(_ count: Int) { checks.removeLast(count) }

  /// Notes the time of an entry `mbg`.
  mutating func note(entryAt instant: Instant) { entries.insert(Self.minute(instant)) }

  /// Whether the glucose of a treatment is a check, be it beside insulin or food: its event or the
  /// glucose itself says so.
  static func isOne(_ treatment: JSONField) -> Bool {
    treatment["eventType"].node?.string == "BG Check"
      || treatment["glucoseType"].node?.string?.lowercased() == "finger"
  }

  /// Adds a treatment; why it is left out where it is.
  mutating func add(
    _ treatment: JSONField, at instant: Instant, by author: ImportedSource.Author?,
    _ uuid: SampleUUID
  ) -> String? {
    if treatment["glucoseType"].text()?.lowercased() == "sensor" {
      return "a check by the sensor's own value is no reading of a meter"
    }
    let unit = treatment["units"].text()?.lowercased() ?? "mg/dl"
    let isMolar = unit.hasPrefix("mmol")
    guard isMolar || unit.hasPrefix("mg") else {
      treatment["units"].reportUnusable(expected: "mg/dl or mmol")
      return nil
    }
    guard
      let value = treatment.required("glucose").looseNumber(
        in: 0...1_000, unit: isMolar ? "mmol/L" : "mg/dL")
    else { return nil }
    let glucose: GlucoseConcentration = isMolar ? .mmolL(value) : .mgdL(value)
    guard treatment["units"].exists || value >= 39 else {
      return "a check below 39 without 'units' may be in mmol/L"
    }
    guard glucose.mgdL >= 10 else { return "a check below 10 mg/dL is no glucose" }
    checks.append(
      Check(
        instant: instant, glucose: glucose, author: author, uuid: uuid,
        position: treatment.position))
    return nil
  }

  /// The samples of the checks, and the places of those that an entry states too.
  func resolved() -> (
    samples: [(sample: Sample, author: ImportedSource.Author?)], repeated: [TextPosition]
  ) {
    let repeated = checks.filter { entries.contains(Self.minute($0.instant)) }
    let others = checks.filter { !entries.contains(Self.minute($0.instant)) }
    return (
      others.map { (.bloodGlucose($0.glucose, at: $0.instant, uuid: $0.uuid), $0.author) },
      repeated.map(\.position)
    )
  }

  private static func minute(_ instant: Instant) -> Int64 {
    instant.millisecondsSince1970 / 60_000
  }
}
