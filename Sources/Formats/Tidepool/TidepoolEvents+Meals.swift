internal import Interchange
internal import Quantities
internal import StructuredText

extension TidepoolEvents {
  /// What is eaten and what is entered within the run.
  func meals(_ simulation: TidepoolSimulation) -> [ImportedEvent] {
    var reported = simulation.reportedCarbs.filter {
      isInside($0.offset, $0.grams, .carbohydratesEntered, simulation, $0.position)
    }
    var names: Set<String> = []
    for index in reported.indices {
      guard let name = reported[index].name else { continue }
      reported[index].name = ImportText.slug(name, notAmong: &names)
    }
    var events: [ImportedEvent] = []
    // Nothing eaten, or nothing entered, is no event.
    reported.removeAll { $0.grams == 0 && $0.edits.isEmpty }
    let meals = latest(simulation.eaten, simulation)
    for (index, eaten) in meals.enumerated() where eaten.grams > 0 {
      let match = reported.place(for: eaten, before: meals[(index + 1)...]) {
        $0.grams == $1.grams && $0.absorption == $1.absorption
      }
      let entry = match.map { reported.remove(at: $0) }
      guard happens(eaten.offset, eaten.position) else {
        journal.leaveOut(
          .carbohydratesEaten, eaten.grams, because: "between the original's steps",
          at: eaten.position)
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
    let inside = entries.filter {
      isInside($0.offset, $0.grams, .carbohydratesEaten, simulation, $0.position)
    }
    return inside.enumerated().filter { index, entry in
      guard inside.dropFirst(index + 1).contains(where: { $0.offset == entry.offset }) else {
        return true
      }
      reportOverwritten(entry.position)
      if mode == .literal {
        journal.leaveOut(
          .carbohydratesEaten, entry.grams, because: "replaced by a later entry of the same time",
          at: entry.position)
      }
      return mode == .asIntended
    }.map(\.element)
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
      ("id", entry.name.map { .string($0) }),
      ("grams", ImportText.number(entry.grams)),
      ("absorption", .string(ImportText.duration(entry.absorption))),
      ("edits", edits.isEmpty ? nil : .array(edits)),
    ])
  }

  private func edit(_ field: JSONField, _ entry: TidepoolSimulation.Carbs) -> JSONValue? {
    guard let date = moment("edit_time", of: field) else {
      problems.add(
        .warning, .lost, at: field.position, "An edit needs a time such as 8/15/2019 12:30:00.")
      return nil
    }
    let offset = TidepoolTime.span(from: entry.date, to: date)
    let operation = field["operation"]
    let isNamed = operation.exists && operation.node?.isNull == false
    let isDeletion = isNamed && operation.choice(of: ["update", "delete"]) == "delete"
    let grams = isDeletion ? nil : number("value", of: field, in: 0...10_000)
    let minutes = isDeletion ? nil : number("duration", of: field, in: 0...14_400)
    let absorption = minutes.flatMap { TimeSpan(roundingSeconds: $0 * 60) }
    let moved = isDeletion ? nil : moment("start_time", of: field)
    let eatenAt = moved.map { TidepoolTime.span(from: entry.date, to: $0) }
    return ImportText.object([
      ("at", .string(ImportText.relative(offset))),
      ("delete", isDeletion ? true : nil),
      ("grams", grams.map(ImportText.number)),
      ("absorption", absorption.map { .string(ImportText.duration($0)) }),
      ("eatenAt", eatenAt.map { .string(ImportText.relative($0)) }),
    ])
  }

  /// The number of a key that need not be there.
  private func number(
    _ key: String, of field: JSONField, in range: ClosedRange<Double>
  ) -> Double? {
    guard let node = field[key].node, !node.isNull else { return nil }
    return field[key].number(in: range)
  }

  /// The time of a key that need not be there; one that cannot be read is an error.
  private func moment(_ key: String, of field: JSONField) -> CivilTime? {
    guard let node = field[key].node, !node.isNull else { return nil }
    if let date = node.string.flatMap(TidepoolTime.date) { return date }
    field[key].reportUnusable(expected: "a time such as 8/15/2019 12:30:00")
    return nil
  }
}
