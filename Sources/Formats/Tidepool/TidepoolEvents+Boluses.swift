internal import Interchange
internal import Quantities
internal import Scenarios
internal import StructuredText

extension TidepoolEvents {
  /// What is given and what is reported within the run.
  func boluses(_ simulation: TidepoolSimulation) -> [ImportedEvent] {
    var reported = simulation.reportedBoluses.filter {
      isInside($0.offset, $0.units ?? 0, .bolusReported, simulation, $0.position)
    }
    var events: [ImportedEvent] = []
    let given = simulation.given.filter {
      isInside($0.offset, $0.units ?? 0, .bolusGiven, simulation, $0.position)
    }
    for (index, bolus) in given.enumerated() {
      if given.dropFirst(index + 1).contains(where: { $0.offset == bolus.offset }) {
        reportOverwritten(bolus.position)
        if mode == .literal {
          journal.leaveOut(
            .bolusGiven, bolus.units ?? 0, because: "replaced by a later entry of the same time",
            at: bolus.position)
          continue
        }
      }
      let match = reported.place(for: bolus, before: given[(index + 1)...]) {
        $0.units == $1.units
      }
      let report = match.map { reported.remove(at: $0) }
      let isNothing = bolus.units == 0 && (report?.units ?? 0) == 0
      if isNothing { continue }
      guard happens(bolus.offset, bolus.position) else {
        journal.leaveOut(
          .bolusGiven, bolus.units ?? 0, because: "between the original's steps",
          at: bolus.position)
        if let report { reported.append(report) }
        continue
      }
      if let members = members(bolus, report: report, simulation) {
        events.append(event(bolus.offset, simulation, rank: 2, members))
      } else if let report {
        reported.append(report)
      }
    }
    for report in reported {
      guard let units = report.units, units > 0 else { continue }
      let told = reportedMember(units, at: report.position)
      events.append(
        event(
          report.offset, simulation, rank: 2,
          [("bolus", ImportText.object([("units", 0), told]))]))
    }
    return events
  }

  private func members(
    _ bolus: TidepoolSimulation.Bolus, report: TidepoolSimulation.Bolus?,
    _ simulation: TidepoolSimulation
  ) -> [(String, JSONValue?)]? {
    guard let units = bolus.units else { return recommended(bolus, report: report, simulation) }
    return given(units, report: report, at: bolus.position, simulation)
  }

  private func given(
    _ amount: Double, report: TidepoolSimulation.Bolus?, at position: TextPosition,
    _ simulation: TidepoolSimulation
  ) -> [(String, JSONValue?)] {
    guard let reportedUnits = report?.units else {
      let dose = units(amount, .bolusGiven, at: position, isFromPump: false)
      return [("injection", ImportText.object([("units", dose)])), ("entry", false)]
    }
    let dose: (String, JSONValue?) = ("units", units(amount, .bolusGiven, at: position))
    let told = reportedMember(reportedUnits, at: report?.position ?? position)
    var members = [dose]
    let isTold = reportedUnits != amount
    if !simulation.hasApp || !isTold && isAboveLimit(amount, at: position, simulation) {
      members.append(("by", "pump"))
    }
    if isTold { members.append(told) }
    return [("bolus", ImportText.object(members))]
  }

  /// Whether a bolus is more than the app takes, which is said: what the body got is no matter of
  /// the app's limits.
  private func isAboveLimit(
    _ amount: Double, at position: TextPosition, _ simulation: TidepoolSimulation
  ) -> Bool {
    let limit = simulation.maximumBolus ?? Vocabulary.usualMaximumBolus
    guard amount > limit else { return false }
    problems.add(
      .note, .decided, at: position,
      "A bolus of \(JSONField.shortText(amount)) U is more than the app takes "
        + "(\(JSONField.shortText(limit)) U); it is given on the pump itself, which knows no such "
        + "limit.")
    return true
  }

  private func reportedMember(
    _ amount: Double, at position: TextPosition
  ) -> (String, JSONValue?) {
    ("reported", ImportText.object([("units", units(amount, .bolusReported, at: position))]))
  }

  private func recommended(
    _ bolus: TidepoolSimulation.Bolus, report: TidepoolSimulation.Bolus?,
    _ simulation: TidepoolSimulation
  ) -> [(String, JSONValue?)]? {
    guard simulation.hasApp else {
      problems.add(
        .warning, .lost, at: bolus.position,
        "Nothing recommends a bolus here, because the simulation has no controller that does.")
      return nil
    }
    if simulation.controller?.kind == .loop {
      problems.add(
        mode == .literal ? .warning : .note, .ignored, at: bolus.position,
        "The original program never gives this recommended bolus"
          + (mode == .literal ? "." : "; here it is given."))
      if mode == .literal { return nil }
    }
    var members: [(String, JSONValue?)] = [("take", "recommended")]
    if let report {
      members.append(reportedMember(report.units ?? 0, at: report.position))
      journal.leaveOut(
        .bolusReported, report.units ?? 0,
        because: "reported of a bolus whose amount is decided "
          + "in the run", at: report.position)
    }
    return [("bolus", ImportText.object(members))]
  }
}
