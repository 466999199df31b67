internal import ClosedLoop
internal import Quantities
internal import ScenarioLanguage
internal import StructuredText

extension RunBuilder {
  /// What of the therapy the scenario does not state, with its values and where they come from;
  /// `nil` where it states everything.
  func derivedTherapy(_ therapy: TherapySettings) -> String? {
    let block = root["therapy"]
    let needs = root["patient"]["needs"]
    var parts: [String] = []
    func add<Value>(
      _ key: String, _ name: String, _ schedule: DailySchedule<Value>, _ unit: String,
      _ number: (Value) -> Double
    ) {
      guard !block[key].exists, let first = schedule.entries.first else { return }
      let value = JSONField.shortText((number(first.value) * 1_000).rounded() / 1_000)
      let more = schedule.entries.count > 1 ? " (\(schedule.entries.count) entries)" : ""
      parts.append("\(name) \(value) \(unit)\(more)")
    }
    add("basal", "basal", therapy.basal, "U/h", \.unitsPerHour)
    let unit = root.context.glucoseUnit
    add("sensitivity", "ISF", therapy.sensitivity, "\(unit.rawValue) per U") {
      $0.mgdLPerUnit / unit.mgdL
    }
    add("carbRatio", "CR", therapy.carbRatio, "g/U", \.gramsPerUnit)
    guard !parts.isEmpty else { return nil }
    let origin =
      needs.node?.string != nil
      ? "from the patient's published table"
      : needs.exists ? "from patient.needs" : "derived from the body"
    return "\(parts.joined(separator: ", ")), \(origin)"
  }
}
