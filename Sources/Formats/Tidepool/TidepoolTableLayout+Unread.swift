internal import Quantities
internal import StructuredText

/// What stands in a table and has no effect, in the original program as here.
extension TidepoolTableLayout {
  /// The rows of which one cell counts.
  private static let singles = ["time_to_calculate_at", "offset_applied_to_dates"]

  /// The rows that say how long the parts of a schedule last, which follows from their starts.
  private static let ends: [(starts: String, ends: String)] = [
    ("sensitivity_ratio_start_times", "sensitivity_ratio_end_times"),
    ("target_range_start_times", "target_range_end_times"),
  ]

  /// The rows of times, and those that hold what was at each of them.
  private static let entries: [(times: String, values: [String])] = [
    ("carb_dates", ["carb_values", "actual_carbs"]),
    ("dose_start_times", ["dose_values", "actual_doses"]),
  ]

  /// Reports cells that the import does not read and that say something else than those it reads.
  func reportUnread() {
    for name in Self.singles {
      for cell in table.row(name)?.cells.dropFirst() ?? [] {
        problems.add(
          .warning, .lost, at: cell.position,
          "\"\(name)\" has one value, the first; this one is left out.")
      }
    }
    if mode == .literal { reportOtherUnits() }
    for row in table.nameless {
      problems.add(
        .warning, .lost, at: row, "This row has no name in its first column; it is left out.")
    }
    reportWords()
    reportEndsOfDoses()
    for (starts, ends) in Self.ends {
      reportLengths(ends, of: starts) { TidepoolTime.clock($1)?.milliseconds == $0 }
    }
    reportLengths("basal_rate_minutes", of: "basal_rate_start_times", isSpan: true) {
      Double($1) == Double($0) / 60_000
    }
    for (times, values) in Self.entries { reportTimesAlone(times, values) }
  }

  /// Reports words that are no yes, and that the original program takes for no.
  private func reportWords() {
    for row in table.rows where row.name.hasSuffix("_enabled") {
      guard let cell = row.setting else { continue }
      let word = TidepoolTable.trimmed(cell.text).lowercased()
      guard !Self.yes.contains(word), !["no", "false", "f", "0"].contains(word) else { continue }
      problems.add(
        .warning, .ignored, at: cell.position,
        "The original program takes \"\(cell.text)\" for no, and so does the import.")
    }
  }

  private func reportOtherUnits() {
    let cells = table.row("glucose_units")?.cells ?? []
    for cell in cells.dropFirst() where cell.text != cells[0].text {
      problems.add(
        .warning, .ignored, at: cell.position,
        "The original program takes all glucose to be in \"\(cells[0].text)\", the first unit.")
    }
  }

  private func reportEndsOfDoses() {
    let starts = table.texts("dose_start_times")
    for (place, end) in table.texts("dose_end_times").sorted(by: { $0.key < $1.key }) {
      let start = starts[place].map(\.text)
      guard start.flatMap(TidepoolTime.date) != TidepoolTime.date(end.text), start != end.text
      else { continue }
      problems.add(
        .warning, .ignored, at: end.position,
        "The original program gives each dose at its start and at once, and so does the import: "
          + "this end has no effect.")
    }
  }

  /// Reports ends or lengths of the parts of a schedule that are not as the starts have it.
  ///
  /// - Parameters:
  ///   - row: The row of ends or lengths.
  ///   - starts: The row of starts.
  ///   - isSpan: Whether the row holds lengths.
  ///   - isRight: Whether so many milliseconds, of the day or of a length, are what a text says.
  private func reportLengths(
    _ row: String, of starts: String, isSpan: Bool = false, _ isRight: (Int64, String) -> Bool
  ) {
    let times = table.texts(starts).compactMapValues { TidepoolTime.clock($0.text)?.milliseconds }
    let ordered = times.sorted { $0.key < $1.key }
    let day = TimeSpan.days(1).milliseconds
    var expected: [Int: Int64] = [:]
    for (index, part) in ordered.enumerated() {
      let isLast = index + 1 == ordered.count
      let end = isLast ? ordered[0].value : ordered[index + 1].value
      expected[part.key] = isSpan ? end - part.value + (isLast ? day : 0) : end
    }
    for (place, cell) in table.texts(row).sorted(by: { $0.key < $1.key })
    where !(expected[place].map { isRight($0, cell.text) } ?? false) {
      problems.add(
        .warning, .ignored, at: cell.position,
        "\"\(row)\" has no effect: in the original program as here, a part of a schedule goes on "
          + "until the next one of \"\(starts)\".")
    }
  }

  private func reportTimesAlone(_ times: String, _ values: [String]) {
    // A literal import closes up empty cells.
    guard mode == .asIntended else { return }
    let filled = Set(values.flatMap { table.row($0)?.places ?? [] })
    for (place, time) in table.texts(times).sorted(by: { $0.key < $1.key })
    where !filled.contains(place) {
      problems.add(
        .warning, .lost, at: time.position,
        "\"\(times)\" has a time in a column in which no row has an amount; it is left out.")
    }
  }
}

extension TidepoolTable {
  /// The texts of a row by their columns, without blanks at their ends.
  fileprivate func texts(_ name: String) -> [Int: (text: String, position: TextPosition)] {
    guard let row = row(name) else { return [:] }
    let cells = row.cells.map { (text: Self.trimmed($0.text), position: $0.position) }
    return Dictionary(zip(row.places, cells)) { first, _ in first }
  }
}
