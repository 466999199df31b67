internal import Interchange
internal import StructuredText

/// The amounts of one simulation while it is carried over.
///
/// A class, because all parts of an importer write to the same account.
final class ImportJournal {
  var account = ImportAccount()

  /// Notes an amount that is left out.
  func leaveOut(
    _ quantity: ImportAccount.Quantity, _ amount: Double, because reason: String,
    at position: TextPosition
  ) {
    account.change(quantity, by: -amount, because: reason, at: position)
  }
}

extension ImportAccount {
  /// Adds up what a scenario of ours holds in its events and its history.
  mutating func makeTotals(ofEvents events: [JSONValue], doses: [JSONValue], carbs: [JSONValue]) {
    for event in events {
      if let bolus = event["bolus"] { makeBolus(bolus["units"], reported: bolus["reported"]) }
      if let units = event["injection"]?["units"]?.amount { make(.bolusGiven, units) }
      let eaten = event["meal"]?["grams"]?.amount
      if let eaten { make(.carbohydratesEaten, eaten) }
      // An entry without grams of its own repeats those of the meal.
      guard event["entry"] != false, eaten != nil || event["entry"] != nil,
        event["injection"] == nil
      else { continue }
      if let grams = event["entry"]?["grams"]?.amount ?? eaten {
        make(.carbohydratesEntered, grams)
      }
    }
    for dose in doses {
      guard let units = dose["bolus"]?.amount else { continue }
      let reported = dose["reported"]?.amount ?? units
      if units > 0 { make(.bolusGiven, units) }
      if reported > 0 { make(.bolusReported, reported) }
    }
    for entry in carbs {
      guard let grams = entry["grams"]?.amount else { continue }
      if entry["eaten"] != false { make(.carbohydratesEaten, grams) }
      if entry["entered"] != false { make(.carbohydratesEntered, grams) }
    }
  }

  private mutating func makeBolus(_ given: JSONValue?, reported: JSONValue?) {
    guard let units = given?.amount else { return }
    let told = reported?["units"]?.amount ?? units
    if units > 0 { make(.bolusGiven, units) }
    if told > 0 { make(.bolusReported, told) }
  }
}

extension JSONValue {
  /// The value as a number.
  fileprivate var amount: Double? {
    switch self {
    case .integer(let integer): Double(integer)
    case .number(let number): number
    default: nil
    }
  }
}
