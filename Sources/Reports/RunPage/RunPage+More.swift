internal import ClosedLoop
internal import Dosing
internal import Quantities
internal import Scenarios
internal import Simulation
internal import StructuredText

extension RunPage {
  /// How many doses the table shows; those after them are in the results' folder.
  private var mostDoses: Int { report.isLong ? 60 : 200 }

  /// What a reader may want to look up: what went wrong, every dose, the settings.
  var more: Markup {
    let wrong = wrongs
    let lines = wrong.prefix(40).map { "<li>\($0)</li>" as Markup }.joined()
    let rest: Markup = wrong.count > 40 ? "<li>and \(wrong.count - 40) more</li>" : ""
    let shown =
      wrong.isEmpty
      ? ""
      : PageParts.folded(
        "What went wrong (\(wrong.count))", id: "wrong", isOpen: wrong.count <= 12,
        opensInPrint: true, "<ul>\(lines)\(rest)</ul>")
    let heading = run.hasApp ? "Every dose in every record" : "Every dose"
    let doses = PageParts.folded("\(heading) (\(report.doses.count))", doseTable)
    let settings = run.hasApp ? PageParts.folded("Settings in force", settings) : ""
    let command =
      report.file.isEmpty
      ? "" : PageParts.folded("Run it again", PageParts.command(commands))
    return "<section class=\"card more\">\(shown)\(doses)\(settings)\(command)</section>\n"
  }

  private var commands: String {
    ShellWord.line(["loopsim", "report", report.file, "--run", report.summary.run.id])
  }

  // MARK: - Doses

  private var doseTable: Markup {
    var columns: [PageTable.Column] = [
      .init("From"), .init("To"), .init("Kind"), .init("Rate U/h", number: true, optional: true),
      .init("Asked U", number: true, optional: true),
      .init("Body", number: true, style: "c-b"), .init("Pump", number: true, style: "c-p"),
    ]
    if run.hasApp {
      columns += [
        .init("App", number: true, style: "c-l"), .init("Event"),
        .init("Health", number: true, style: "c-h"), .init("Written", optional: true),
      ]
    }
    columns.append(.init("Difference"))
    var table = PageTable(columns, caption: "Every dose in every record")
    let hasDays = report.days.count > 1
    for dose in report.doses.prefix(mostDoses) {
      let date = hasDays ? report.date(dose.start, withYear: false) + " " : ""
      let links = dose.differences.prefix(6).map { index -> Markup in
        "<a href=\"#d\(report.number(of: index))\">\(report.number(of: index))</a>"
      }.joined(separator: " ")
      let isMissing = dose.differences.contains { report.differences[$0].severity == .fault }
      var cells: [PageTable.Cell] = [
        "\(date)\(report.clock(dose.start))", "\(report.clock(dose.end, isEnd: true))",
        "\(words(of: dose))",
        .init("\(dose.rate.map { RecordLanes.units($0.unitsPerHour) } ?? "")"),
        .init("\(dose.asked.map { FixedDecimal.text($0, decimals: 3) } ?? "")"),
        number(dose.body), number(dose.pump),
      ]
      if run.hasApp {
        cells += [
          number(dose.app), "\(event(dose))",
          dose.store == nil && isMissing
            ? .init("missing", style: "badt") : number(dose.store),
          .init("\(dose.written.map { report.clock($0) } ?? "")"),
        ]
      }
      table.rows.append(cells + [.init(links)])
    }
    let rest = report.doses.count - table.rows.count
    return table.markup
      + (rest > 0 ? "<p class=\"small\">And \(rest) more, in doses.csv.</p>" : "")
  }

  private func number(_ units: Double?) -> PageTable.Cell {
    .init(units.map { "\(RecordLanes.units($0))" } ?? "–")
  }

  private func words(of dose: DoseRow) -> String {
    guard dose.kind == .external, let source = dose.source else { return dose.kind.words }
    return "\(dose.kind.words): \(source)"
  }

  private func event(_ dose: DoseRow) -> String {
    if let deleted = dose.deletedFromHistory { return "deleted \(report.clock(deleted))" }
    return dose.isInEventHistory.map { $0 ? "yes" : "no" } ?? "–"
  }

  // MARK: - Settings

  private var settings: Markup {
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
          therapy.suspendThreshold.map { glucose.value($0.mgdL) } ?? "lower end of the range"
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
      parts.count > 12 ? "<p class=\"small\">And \(parts.count - 12) more changes.</p>" : ""
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
