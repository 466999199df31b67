internal import ClosedLoop
internal import Quantities
internal import ScenarioLanguage
internal import StructuredText

/// What of the therapy a scenario does not state, with its values and where they come from.
struct DerivedTherapy {
  private let root: Field
  private let therapy: TherapySettings

  /// The therapy of a scenario as it is in the run.
  init(_ therapy: TherapySettings, of root: Field) {
    self.root = root
    self.therapy = therapy
  }

  /// All of it in a sentence's part; `nil` where the scenario states everything.
  var text: String? {
    let unit = root.context.glucoseUnit
    let parts = [
      part("basal", "basal", therapy.basal, "U/h", \.unitsPerHour),
      part("sensitivity", "ISF", therapy.sensitivity, "\(unit.rawValue) per U") {
        $0.mgdLPerUnit / unit.mgdL
      },
      part("carbRatio", "CR", therapy.carbRatio, "g/U", \.gramsPerUnit),
    ].compactMap(\.self)
    return parts.isEmpty ? nil : "\(parts.joined(separator: ", ")), \(origin)"
  }

  /// The first value of a schedule, and how many there are; `nil` for one that is stated.
  private func part<Value>(
    _ key: String, _ name: String, _ schedule: DailySchedule<Value>, _ unit: String,
    _ number: (Value) -> Double
  ) -> String? {
    guard !root["therapy"][key].exists, let first = schedule.entries.first else { return nil }
    let value = JSONField.shortText((number(first.value) * 1_000).rounded() / 1_000)
    let more = schedule.entries.count > 1 ? " (\(schedule.entries.count) entries)" : ""
    return "\(name) \(value) \(unit)\(more)"
  }

  private var origin: String {
    let needs = root["patient"]["needs"]
    if needs.node?.string != nil { return "from the patient's published table" }
    return needs.exists ? "from patient.needs" : "derived from the body"
  }
}
