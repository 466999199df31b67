internal import ClosedLoop
internal import Dosing
internal import Quantities
internal import Reports
internal import Simulation
internal import StructuredText
internal import Typesetting

/// The settings of the app that were in force in a run.
struct SettingsInForce {
  private let report: RunReport

  /// Takes a run.
  init(_ report: RunReport) { self.report = report }

  /// The settings, a list for each change.
  var markup: Markup {
    let glucose = GlucoseWords(report.glucoseUnit)
    let parts = report.observation.settings.enumerated().map { place, snapshot -> Markup in
      let therapy = snapshot.therapy
      let heading: Markup =
        place == 0
        ? ""
        : """
        <p class="small">From \(report.date(snapshot.start)) \(report.clock(snapshot.start)):</p>
        """
      let range = schedule(therapy.targets) {
        "\(glucose.value($0.lower.mgdL))–\(glucose.value($0.upper.mgdL))"
      }
      let pairs: [(name: Markup, value: Markup)] = [
        (
          "Basal schedule, U/h",
          schedule(therapy.basal) { "\(RecordLanes.units($0.unitsPerHour))" }
        ),
        (
          "Sensitivity, \(glucose.unitName) per U",
          schedule(therapy.sensitivity) { glucose.value($0.mgdLPerUnit) }
        ),
        (
          "Carb ratio, g per U",
          schedule(therapy.carbRatio) { "\(RecordLanes.short($0.gramsPerUnit))" }
        ),
        ("Correction range, \(glucose.unitName)", range),
        (
          "Suspend threshold, \(glucose.unitName)",
          therapy.suspendThreshold.map { $0.mgdL > 0 ? glucose.value($0.mgdL) : "none" }
            ?? "lower end of the range"
        ),
        (
          "Largest basal rate and bolus",
          "\(therapy.maximumBasalRate.description), \(therapy.maximumBolus.description)"
        ),
        ("Dosing", therapy.strategy == .automaticBolus ? "automatic boluses" : "temp basals"),
        ("Loop", therapy.isClosedLoop ? "closed" : "open"),
        ("Insulin", "\(therapy.insulinType.rawValue)"),
        ("Pump pulse", "\(report.summary.run.pulseSize.unitsText) U"),
      ]
      let items = pairs.map { "<div><dt>\($0.name)</dt><dd>\($0.value)</dd></div>" as Markup }
      return "\(heading)<dl class=\"set\">\(items.joined())</dl>"
    }
    let rest: Markup =
      parts.count > 12
      ? "<p class=\"small\">And \(WordList.counted(parts.count - 12, "more change")).</p>" : ""
    return parts.prefix(12).joined() + rest
  }

  private func schedule<Value>(_ schedule: DailySchedule<Value>, _ text: (Value) -> Markup)
    -> Markup
  {
    if schedule.entries.count == 1 { return text(schedule.entries[0].value) }
    return schedule.entries.map { "\($0.start.hoursAndMinutes) \(text($0.value))" as Markup }
      .joined(separator: " · ")
  }
}
