internal import Interchange
internal import Quantities
internal import StructuredText

/// What the patient took and ate in the hours before the start.
struct TidepoolPast {
  var doses: [JSONValue] = []
  var carbs: [JSONValue] = []
}

extension TidepoolEvents {
  /// The entries of the last eight hours before the start, which the original shows Loop.
  ///
  /// The original's patient does not meet them, and so a literal import only tells the app. As
  /// their author meant them they are lived through, and glucose at the start follows from that.
  func past(_ simulation: TidepoolSimulation) -> TidepoolPast {
    TidepoolPast(doses: pastDoses(simulation), carbs: pastCarbs(simulation))
  }

  private func pastDoses(_ simulation: TidepoolSimulation) -> [JSONValue] {
    var rows: [(offset: TimeSpan, value: JSONValue)] = []
    var told = simulation.reportedBoluses.filter { Self.isPast($0.offset) }
    let given = simulation.given.filter { Self.isPast($0.offset) }
    for bolus in told + given where bolus.units == nil { reportUndecided(bolus.position) }
    told.removeAll { $0.units == nil }
    for (index, bolus) in given.enumerated() {
      guard let amount = bolus.units else { continue }
      let match = told.place(for: bolus, before: given[(index + 1)...]) { $0.units == $1.units }
      guard mode == .asIntended, let match else {
        leaveOutPast(.bolusGiven, amount, at: bolus.position)
        continue
      }
      let report = told.remove(at: match)
      guard amount > 0 || report.units != 0 else { continue }
      reportLived(bolus.position)
      let reported = report.units ?? amount
      // Not written as a choice between a value and nil, which would be the value null.
      var told: JSONValue?
      if reported != amount { told = units(reported, .bolusReported, at: report.position) }
      rows.append(
        (
          bolus.offset,
          ImportText.object([
            ("at", .string(ImportText.relative(bolus.offset))),
            ("bolus", units(amount, .bolusGiven, at: bolus.position)),
            ("reported", told),
          ])
        ))
    }
    for bolus in told {
      guard let amount = bolus.units, amount > 0 else { continue }
      reportTold(bolus.position)
      rows.append(
        (
          bolus.offset,
          ImportText.object([
            ("at", .string(ImportText.relative(bolus.offset))), ("bolus", 0),
            ("reported", units(amount, .bolusReported, at: bolus.position)),
          ])
        ))
    }
    return sorted(rows)
  }

  private func pastCarbs(_ simulation: TidepoolSimulation) -> [JSONValue] {
    var rows: [(offset: TimeSpan, value: JSONValue)] = []
    func add(_ entry: TidepoolSimulation.Carbs, isEaten: Bool, isTold: Bool) {
      rows.append(
        (
          entry.offset,
          ImportText.object([
            ("at", .string(ImportText.relative(entry.offset))),
            ("grams", ImportText.number(entry.grams)),
            ("absorption", .string(ImportText.duration(entry.absorption))),
            ("eaten", isEaten ? nil : false), ("entered", isTold ? nil : false),
          ])
        ))
    }
    var told = simulation.reportedCarbs.filter { Self.isPast($0.offset) && $0.grams > 0 }
    for entry in simulation.eaten where Self.isPast(entry.offset) && entry.grams > 0 {
      guard mode == .asIntended else {
        leaveOutPast(.carbohydratesEaten, entry.grams, at: entry.position)
        continue
      }
      // An entry of the history is told as it is eaten; what is told otherwise is one of its own.
      let match = told.firstIndex {
        $0.offset == entry.offset && $0.grams == entry.grams && $0.absorption == entry.absorption
      }
      if let match { told.remove(at: match) }
      reportLived(entry.position)
      add(entry, isEaten: true, isTold: match != nil)
    }
    for entry in told {
      reportTold(entry.position)
      add(entry, isEaten: false, isTold: true)
    }
    for entry in simulation.reportedCarbs where Self.isPast(entry.offset) { reportFixed(entry) }
    return sorted(rows)
  }

  private func sorted(_ rows: [(offset: TimeSpan, value: JSONValue)]) -> [JSONValue] {
    rows.sorted { $0.offset < $1.offset }.map(\.value)
  }

  // MARK: - Remarks

  private func reportLived(_ position: TextPosition) {
    problems.add(
      .note, .decided, at: position,
      "This entry lies before the start and is lived through as history; glucose at the start "
        + "follows from it.")
  }

  private func reportTold(_ position: TextPosition) {
    problems.add(
      .note, .decided, at: position,
      "This entry lies before the start: the app is told of it, and the patient does not meet it.")
  }

  /// Says what the history cannot hold of an entry: that it was made or changed at another time.
  private func reportFixed(_ entry: TidepoolSimulation.Carbs) {
    let isLate = entry.enteredAt.map { $0 != entry.offset } ?? false
    guard isLate || !entry.edits.isEmpty else { return }
    let what = [isLate ? "\"entry_time\"" : nil, entry.edits.isEmpty ? nil : "\"edits\""]
      .compactMap(\.self)
    problems.add(
      .warning, .lost, at: entry.position,
      "\(what.joined(separator: " and ")) of an entry before the start are left out: the app knows "
        + "it as it stands here from when it was eaten.")
  }

  private func reportUndecided(_ position: TextPosition) {
    problems.add(
      .warning, .time, at: position,
      "Nothing is recommended before the start; this bolus is left out.")
  }

  private func leaveOutPast(
    _ quantity: ImportAccount.Quantity, _ amount: Double, at position: TextPosition
  ) {
    guard amount > 0 else { return }
    let reason =
      mode == .literal
      ? "before the start, where the original's patient meets nothing"
      : "before the start and unknown to the app"
    problems.add(.warning, .time, at: position, "This entry lies \(reason); it is left out.")
    journal.leaveOut(quantity, amount, because: reason, at: position)
  }
}
