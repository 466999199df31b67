import Dosing
import Quantities
import StructuredText

/// Warns of what the algorithm takes as it is, and nobody can have: the answer may be far from any
/// that a person would get.
///
/// Of the items of a list the first is named, and how many more are like it.
struct UnusualAlgorithmInput {
  private let root: JSONField

  /// Begins with an input that could be read.
  init(_ root: JSONField) { self.root = root }

  /// Warns of everything.
  func warn() {
    let shown = 20.0...1_000
    let found = odd("glucoseHistory", "value") { !shown.contains($0) }
    let isMolar = found.first.map { (1..<35).contains($0.value) } ?? false
    tell(
      found, "mg/dL", "no sensor shows glucose below 20 or above 1000 mg/dL",
      isMolar ? " If that is in mmol/L, write it in mg/dL." : "")
    tell(odd("doses", "volume") { $0 < 0 }, "U", "no dose is negative")
    tell(odd("carbEntries", "grams") { $0 < 0 }, "g", "no meal is negative")
    tell(odd("carbEntries", "absorptionTime") { $0 <= 0 }, "s", "absorption takes time")
    tell(odd("basal", "value") { $0 < 0 }, "U/h", "no rate is negative")
    for key in ["sensitivity", "carbRatio"] {
      tell(odd(key, "value") { $0 <= 0 }, "", "it is above 0 in every person")
    }
    tell(odd("target", "lowerBound") { $0 <= 0 }, "mg/dL", "glucose is above 0")
    for key in ["doses", "basal", "sensitivity", "carbRatio", "target"] { warnOfOrder(key) }
    warnOfCrossedTargets()
    for list in ["glucoseHistory", "carbEntries"] { warnOfDisorder(list, by: "date") }
    for list in ["basal", "sensitivity", "carbRatio", "target"] {
      warnOfDisorder(list, by: "startDate")
    }
    for (key, unit) in [
      ("maxBolus", "U"), ("maxBasalRate", "U/h"), ("suspendThreshold", "mg/dL"),
      ("maxActiveInsulinMultiplier", ""), ("automaticBolusApplicationFactor", ""),
      ("gradualTransitionsThreshold", "mg/dL"),
    ] {
      let field = root[key]
      guard let value = field.node?.double, value < 0 else { continue }
      tell([(field, value)], unit, "no limit is negative")
    }
    let factor = root["automaticBolusApplicationFactor"]
    if let value = factor.node?.double, value > 1 {
      tell([(factor, value)], "", "above 1 a bolus is more than is needed")
    }
    warnOfFuture()
  }

  /// The last glucose of so long after the decision that the app would refuse to dose on it.
  private func warnOfFuture() {
    guard let last = items("glucoseHistory").last,
      let date = last["date"].node?.string.flatMap({ Instant(iso8601: $0) }),
      let now = root["predictionStart"].node?.string.flatMap({ Instant(iso8601: $0) })
    else { return }
    let limit = DataRecency().limitAhead
    guard date - now > limit else { return }
    last["date"].warning(
      "\"\(last["date"].path)\" is \(date - now) after \"predictionStart\"; the algorithm predicts "
        + "from it, and Loop does not dose on glucose of more than \(limit) ahead.")
  }

  private typealias Finding = (field: JSONField, value: Double)

  /// The items of a list.
  private func items(_ list: String) -> [JSONField] {
    (root[list].node?.items ?? []).indices.map { root[list][$0] }
  }

  /// The numbers of a key in the items of a list that are odd.
  private func odd(_ list: String, _ key: String, _ isOdd: (Double) -> Bool) -> [Finding] {
    items(list).compactMap { item in
      guard let value = item[key].node?.double, isOdd(value) else { return nil }
      return (item[key], value)
    }
  }

  private func tell(
    _ found: [Finding], _ unit: String, _ reason: String, _ advice: String = ""
  ) {
    guard let (field, value) = found.first else { return }
    let amount = "\(JSONField.shortText(value))\(unit.isEmpty ? "" : " \(unit)")"
    field.warning("\"\(field.path)\" is \(amount)\(alike(found.count)); \(reason).\(advice)")
  }

  /// How many are like the first.
  private func alike(_ count: Int) -> String {
    let more = count - 1
    return more > 0 ? ", and \(more) more \(WordList.verb("is", of: more)) like it" : ""
  }

  /// What ends before it starts.
  private func warnOfOrder(_ list: String) {
    let found = items(list).filter { item in
      guard let start = item["startDate"].node?.string.flatMap({ Instant(iso8601: $0) }),
        let end = item["endDate"].node?.string.flatMap({ Instant(iso8601: $0) })
      else { return false }
      return end < start
    }
    guard let field = found.first?["endDate"] else { return }
    field.warning("\"\(field.path)\" is before \"startDate\"\(alike(found.count)).")
  }

  /// Items before the one ahead of them, for which the algorithm has no answer.
  private func warnOfDisorder(_ list: String, by key: String) {
    let items = items(list)
    let times = items.map { $0[key].node?.string.flatMap { Instant(iso8601: $0) } }
    let found = zip(items.dropFirst(), zip(times, times.dropFirst())).filter { _, pair in
      guard let former = pair.0, let time = pair.1 else { return false }
      return time < former
    }
    guard let field = found.first?.0[key] else { return }
    field.warning(
      "\"\(field.path)\" is before that of the item ahead of it\(alike(found.count)); the "
        + "algorithm predicts nothing from such a list. Sort it by time.")
  }

  private func warnOfCrossedTargets() {
    let found = items("target").filter { item in
      guard let low = item["lowerBound"].node?.double, let high = item["upperBound"].node?.double
      else { return false }
      return high < low
    }
    guard let field = found.first?["upperBound"] else { return }
    field.warning("\"\(field.path)\" is below \"lowerBound\"\(alike(found.count)).")
  }
}
