internal import Quantities
internal import StructuredText

/// What a testing scenario of the Loop app holds; all times count from its reference date.
struct LoopScenarioData {
  struct Glucose {
    var offset: TimeSpan
    var mgdL: Double
  }

  /// A temp basal in U/h, or a bolus in U.
  struct Dose {
    var offset: TimeSpan
    var amount: Double
    var duration: TimeSpan
  }

  struct Carbs {
    var offset: TimeSpan
    var grams: Double
    var absorption: TimeSpan
    var enteredAt: TimeSpan?
  }

  var glucose: [Glucose]
  var basals: [Dose]
  var boluses: [Dose]
  var carbs: [Carbs]
  /// What is carried as it is: device actions and reloads.
  var carried: [JSONValue.Member]

  /// Reads the object of a file; nothing, with located problems, when a part is unusable.
  init?(_ root: JSONField) {
    func list(_ key: String) -> [JSONField] { root.required(key).items() ?? [] }
    glucose = list("glucoseValues").compactMap { item in
      guard let offset = Self.span(item.required("dateOffset")),
        let value = item.required("mgdlValue").number(in: 0...2_000, unit: "mg/dL")
      else { return nil }
      return Glucose(offset: offset, mgdL: value)
    }
    basals = list("basalDoses").compactMap { item in
      Self.dose(item, amount: "unitsPerHourValue", duration: "duration")
    }
    boluses = list("bolusDoses").compactMap { item in
      Self.dose(item, amount: "unitsValue", duration: "deliveryDuration")
    }
    carbs = list("carbEntries").compactMap { item in
      guard let offset = Self.span(item.required("dateOffset")),
        let grams = item.required("gramValue").number(in: 0...10_000, unit: "g"),
        let absorption = Self.span(item.required("absorptionTime"))
      else { return nil }
      let entered = item["enteredAtOffset"]
      return Carbs(
        offset: offset, grams: grams, absorption: absorption,
        enteredAt: entered.exists ? Self.span(entered) : nil)
    }
    carried = ["deviceActions", "reloadManager"].compactMap { key in
      root[key].node.map { JSONValue.Member(key, JSONValue($0)) }
    }
    if root.problems.hasErrors { return nil }
  }

  private static func dose(_ item: JSONField, amount: String, duration: String) -> Dose? {
    guard let offset = span(item.required("dateOffset")),
      let value = item.required(amount).number(in: 0...1_000),
      let length = span(item.required(duration))
    else { return nil }
    guard length >= .zero else {
      item[duration].reportUnusable(expected: "a number of seconds that is not negative")
      return nil
    }
    return Dose(offset: offset, amount: value, duration: length)
  }

  private static func span(_ field: JSONField) -> TimeSpan? {
    guard let seconds = field.number(in: -3e7...3e7, unit: "s") else { return nil }
    return TimeSpan(roundingSeconds: seconds)
  }

  /// How long the run has to be to hold everything, at least an hour, in whole hours.
  var duration: TimeSpan {
    let ends =
      glucose.map(\.offset) + (basals + boluses).map { $0.offset + $0.duration }
      + carbs.map { max($0.offset, $0.enteredAt ?? $0.offset) }
    let last = max(ends.max() ?? .zero, .hours(1))
    return .hours((last + .milliseconds(3_599_999)).quotient(by: .hours(1)))
  }
}
