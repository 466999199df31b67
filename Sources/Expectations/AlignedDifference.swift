internal import StructuredText

/// Two lists of rows side by side: what is only expected, what was only found, and what is both.
struct AlignedDifference {
  /// A line: `-` for a row that was expected and not found, `+` for one found and not expected.
  private struct Line {
    var mark: String
    var cells: [String]
  }

  private let lines: [Line]

  /// How many equal rows are shown before and after a difference.
  private static let context = 3

  /// Aligns the rows.
  ///
  /// - Parameters:
  ///   - expected: The cells of the rows that were expected.
  ///   - found: The cells of the rows that were found.
  ///   - matches: Whether an expected row, by its place, is a found one.
  init(expected: [[String]], found: [[String]], matches: (Int, Int) -> Bool) {
    let rows = expected.indices.map { Place.expected($0) }
    let difference = found.indices.map { Place.found($0) }.difference(from: rows) { first, second in
      switch (first, second) {
      case (.expected(let row), .found(let sample)), (.found(let sample), .expected(let row)):
        matches(row, sample)
      default: false
      }
    }
    var missing: Set<Int> = []
    var additional: Set<Int> = []
    for change in difference {
      switch change {
      case .remove(let offset, _, _): missing.insert(offset)
      case .insert(let offset, _, _): additional.insert(offset)
      }
    }
    var lines: [Line] = []
    var (row, sample) = (0, 0)
    while row < expected.count || sample < found.count {
      if row < expected.count, missing.contains(row) {
        lines.append(Line(mark: "-", cells: expected[row]))
        row += 1
      } else if sample < found.count, additional.contains(sample) || row >= expected.count {
        lines.append(Line(mark: "+", cells: found[sample]))
        sample += 1
      } else {
        lines.append(Line(mark: " ", cells: expected[row]))
        (row, sample) = (row + 1, sample + 1)
      }
    }
    self.lines = lines
  }

  /// A row by its list and its place there.
  private enum Place {
    case expected(Int), found(Int)
  }

  /// The lines, their cells in columns; equal rows far from every difference are left out.
  var text: String {
    let columns = lines.map(\.cells.count).max() ?? 0
    let widths = (0..<columns).map { column in
      lines.map { column < $0.cells.count ? TextWidth.columns(of: $0.cells[column]) : 0 }.max() ?? 0
    }
    let changed = lines.indices.filter { lines[$0].mark != " " }
    var shown: [String] = ["- expected, + found"]
    var isGap = false
    for (place, line) in lines.enumerated() {
      guard changed.contains(where: { ($0 - place).magnitude <= Self.context }) else {
        if !isGap { shown.append("  …") }
        isGap = true
        continue
      }
      isGap = false
      let cells = zip(line.cells, widths).map { cell, width in
        cell + String(repeating: " ", count: max(0, width - TextWidth.columns(of: cell)))
      }
      var text = "\(line.mark) \(cells.joined(separator: "  "))"
      while text.last == " " { text.removeLast() }
      shown.append(text)
    }
    return shown.joined(separator: "\n")
  }
}
