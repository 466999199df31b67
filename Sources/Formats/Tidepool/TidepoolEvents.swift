internal import Quantities
internal import StructuredText

/// An event of an imported scenario with its place in time.
struct ImportedEvent {
  var offset: TimeSpan
  /// The order among events of one moment: switches, meals, boluses, the rest.
  var rank: Int
  var value: JSONValue
}

/// Turns the pairs of true and reported entries of a simulation into events that hold both.
struct TidepoolEvents {
  let mode: ImportMode
  let problems: ProblemList

  /// The events of the simulation; those beyond its time are reported and left out.
  func events(_ simulation: TidepoolSimulation) -> [ImportedEvent] {
    var events = meals(simulation) + boluses(simulation)
    if mode == .asIntended {
      events += exercise(simulation) + switches(simulation)
    } else {
      reportIgnored(simulation)
    }
    return events
  }

  private func event(
    _ offset: TimeSpan, _ simulation: TidepoolSimulation, rank: Int,
    _ members: [(String, JSONValue?)]
  ) -> ImportedEvent {
    let at: (String, JSONValue?) = ("at", ImportText.moment(offset, after: simulation.start))
    return ImportedEvent(offset: offset, rank: rank, value: ImportText.object([at] + members))
  }

  /// Whether an entry lies within the run; reports it when not.
  private func isInside(
    _ offset: TimeSpan, _ simulation: TidepoolSimulation, _ position: TextPosition
  ) -> Bool {
    if offset >= .zero, offset <= simulation.duration { return true }
    let side = offset < .zero ? "before the start" : "after the end"
    problems.add(
      .warning, .time, at: position, "This entry lies \(side) of the run and is left out.")
    return false
  }

  /// Whether the original program lets the patient meet an entry at this time.
  private func happens(_ offset: TimeSpan, _ position: TextPosition) -> Bool {
    guard offset.milliseconds % 300_000 != 0 else { return true }
    problems.add(
      mode == .literal ? .warning : .note, .offGrid, at: position,
      "This entry lies between five-minute steps, where the original program forgets it for the "
        + "patient" + (mode == .literal ? "." : "; here it happens at its own second."))
    return mode == .asIntended
  }

  // MARK: - Meals

  private func meals(_ simulation: TidepoolSimulation) -> [ImportedEvent] {
    var reported = simulation.reportedCarbs.filter { isInside($0.offset, simulation, $0.position) }
    var events: [ImportedEvent] = []
    // Nothing eaten, or nothing entered, is no event.
    reported.removeAll { $0.grams == 0 && $0.edits.isEmpty }
    for eaten in latest(simulation.eaten, simulation) where eaten.grams > 0 {
      let match = reported.firstIndex { $0.offset == eaten.offset }
      let entry = match.map { reported.remove(at: $0) }
      guard happens(eaten.offset, eaten.position) else {
        if let entry { reported.append(entry) }
        continue
      }
      let meal = ImportText.object([
        ("grams", ImportText.number(eaten.grams)),
        ("absorption", .string(ImportText.duration(eaten.absorption))),
      ])
      let learned = entry.map { entryValue($0, like: eaten) } ?? .some(.bool(false))
      events.append(
        event(eaten.offset, simulation, rank: 1, [("meal", meal), ("entry", learned)]))
    }
    for entry in reported {
      let value = entryValue(entry, like: nil) ?? .object([])
      events.append(event(entry.offset, simulation, rank: 1, [("entry", value)]))
    }
    return events
  }

  /// The entries within the run; in literal mode only the last one of each moment.
  private func latest(_ entries: [TidepoolSimulation.Carbs], _ simulation: TidepoolSimulation)
    -> [TidepoolSimulation.Carbs]
  {
    let inside = entries.filter { isInside($0.offset, simulation, $0.position) }
    return inside.enumerated().filter { index, entry in
      guard inside.dropFirst(index + 1).contains(where: { $0.offset == entry.offset }) else {
        return true
      }
      reportOverwritten(entry.position)
      return mode == .asIntended
    }.map(\.element)
  }

  private func reportOverwritten(_ position: TextPosition) {
    problems.add(
      mode == .literal ? .warning : .note, .duplicate, at: position,
      "A later entry has the same time and replaces this one in the original program"
        + (mode == .literal ? "." : "; here both happen."))
  }

  /// What the app learns; nothing when it is what was eaten.
  private func entryValue(_ entry: TidepoolSimulation.Carbs, like eaten: TidepoolSimulation.Carbs?)
    -> JSONValue?
  {
    let isSame =
      eaten.map { $0.grams == entry.grams && $0.absorption == entry.absorption } ?? false
    let delay = entry.enteredAt.map { $0 - entry.offset } ?? .zero
    let edits = entry.edits.compactMap { edit($0, entry) }
    if isSame, delay == .zero, edits.isEmpty { return nil }
    return ImportText.object([
      ("at", delay == .zero ? nil : .string(ImportText.relative(delay))),
      ("id", entry.name.map { .string(ImportText.slug($0)) }),
      ("grams", ImportText.number(entry.grams)),
      ("absorption", .string(ImportText.duration(entry.absorption))),
      ("edits", edits.isEmpty ? nil : .array(edits)),
    ])
  }

  private func edit(_ node: JSONNode, _ entry: TidepoolSimulation.Carbs) -> JSONValue? {
    guard let text = node["edit_time"]?.string, let date = TidepoolTime.date(text)
    else {
      problems.add(
        .warning, .lost, at: node.position, "An edit needs a time such as 8/15/2019 12:30:00.")
      return nil
    }
    let offset = TidepoolTime.span(from: entry.date, to: date)
    let isDeletion = node["operation"]?.string == "delete"
    let grams = number("value", of: node)
    let minutes = number("duration", of: node)
    let absorption = minutes.flatMap { TimeSpan(roundingSeconds: $0 * 60) }
    let moved = node["start_time"]?.string.flatMap(TidepoolTime.date).map {
      TidepoolTime.span(from: entry.date, to: $0)
    }
    return ImportText.object([
      ("at", .string(ImportText.relative(offset))),
      ("delete", isDeletion ? true : nil),
      ("grams", grams.map(ImportText.number)),
      ("absorption", absorption.map { .string(ImportText.duration($0)) }),
      ("at_meal", moved.map { .string(ImportText.relative($0)) }),
    ])
  }

  /// The number of a key; a function of its own because the optimiser of Swift 6.3.1 fails an
  /// internal check on the same chain written in place.
  private func number(_ key: String, of node: JSONNode) -> Double? { node[key]?.double }

  // MARK: - Boluses

  private func boluses(_ simulation: TidepoolSimulation) -> [ImportedEvent] {
    var reported = simulation.reportedBoluses.filter {
      isInside($0.offset, simulation, $0.position)
    }
    var events: [ImportedEvent] = []
    let given = simulation.given.filter { isInside($0.offset, simulation, $0.position) }
    for (index, bolus) in given.enumerated() {
      if given.dropFirst(index + 1).contains(where: { $0.offset == bolus.offset }) {
        reportOverwritten(bolus.position)
        if mode == .literal { continue }
      }
      let match = reported.firstIndex { $0.offset == bolus.offset }
      let report = match.map { reported.remove(at: $0) }
      let isNothing = bolus.units == 0 && (report?.units ?? 0) == 0
      guard !isNothing, happens(bolus.offset, bolus.position) else {
        if let report { reported.append(report) }
        continue
      }
      let members =
        bolus.units.map { givenMembers(units: $0, report: report) }
        ?? recommended(bolus, report: report, simulation)
      if let members {
        events.append(event(bolus.offset, simulation, rank: 2, members))
      } else if let report {
        reported.append(report)
      }
    }
    for report in reported {
      guard let units = report.units, units > 0 else { continue }
      events.append(
        event(
          report.offset, simulation, rank: 2,
          [("bolus", ImportText.object([("units", 0), reportedMember(units)]))]))
    }
    return events
  }

  private func givenMembers(units: Double, report: TidepoolSimulation.Bolus?) -> [(
    String, JSONValue?
  )] {
    let amount: (String, JSONValue?) = ("units", ImportText.number(units))
    guard let reportedUnits = report?.units else {
      return [("injection", ImportText.object([amount])), ("entry", false)]
    }
    guard reportedUnits != units else { return [("bolus", ImportText.object([amount]))] }
    return [("bolus", ImportText.object([amount, reportedMember(reportedUnits)]))]
  }

  private func reportedMember(_ units: Double) -> (String, JSONValue?) {
    ("reported", ImportText.object([("units", ImportText.number(units))]))
  }

  private func recommended(
    _ bolus: TidepoolSimulation.Bolus, report: TidepoolSimulation.Bolus?,
    _ simulation: TidepoolSimulation
  ) -> [(String, JSONValue?)]? {
    guard let controller = simulation.controller else {
      problems.add(
        .warning, .lost, at: bolus.position,
        "Nothing recommends a bolus here, because the simulation has no controller.")
      return nil
    }
    if controller.kind == .loop {
      problems.add(
        mode == .literal ? .warning : .note, .ignored, at: bolus.position,
        "The original program never gives this recommended bolus"
          + (mode == .literal ? "." : "; here it is given."))
      if mode == .literal { return nil }
    }
    var members: [(String, JSONValue?)] = [("take", "recommended")]
    if let report { members.append(reportedMember(report.units ?? 0)) }
    return [("bolus", ImportText.object(members))]
  }
}
