internal import StructuredText

/// What a document of Nightscout states of insulin and carbohydrates.
enum NightscoutAmounts {
  static func stated(_ document: JSONNode) -> [(ImportAccount.Quantity, Double)] {
    if OrefDose.isPumpEvent(document) { return OrefDose.stated(document) }
    guard ["eventType", "carbs", "insulin"].contains(where: { document[$0] != nil })
    else { return [] }
    var stated: [(ImportAccount.Quantity, Double)] = []
    if document["eventType"]?.string == "Temp Basal" {
      let minutes = number(document["duration"]).map { ($0 * 60_000).rounded() }
      let span = number(document["durationInMilliseconds"])?.rounded() ?? minutes ?? 0
      let rate = number(document["absolute"] ?? document["rate"])
      let units = number(document["amount"]) ?? rate.map { $0 * (span / 1_000) / 3_600 }
      if let units { stated.append((.basal, units)) }
    }
    if let combined = NightscoutCombo(document) {
      for part in [combined.now, combined.extended] where part != 0 {
        stated.append((.bolus, part))
      }
    } else if let pens = NightscoutPens(document) {
      if pens.rapid != 0 { stated.append((.bolus, pens.rapid)) }
      stated.append((.basal, pens.long))
    } else if let units = number(document["insulin"]), units != 0 {
      stated.append((.bolus, units))
    }
    if let grams = number(document["carbs"]), grams != 0 { stated.append((.carbohydrates, grams)) }
    return stated
  }

  static func number(_ node: JSONNode?) -> Double? {
    node?.double ?? node?.string.flatMap { Double(recorded: $0) }
  }
}

extension JSONField {
  /// A number, also where it stands as a text, as it often does in Nightscout.
  func looseNumber(in range: ClosedRange<Double>, unit: String) -> Double? {
    guard let text = node?.string else { return number(in: range, unit: unit) }
    guard let number = Double(recorded: text), range.contains(number) else {
      reportUnusable(expected: JSONField.expectation("a number", unit: unit, range: range))
      return nil
    }
    return number
  }
}
