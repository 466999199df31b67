internal import StructuredText

/// A table of a run that is over, column by column.
struct TableColumns {
  /// What the cells of a column are, which its name says and not what stands in it: an identifier
  /// of digits is a text, and an amount is a number also where no row has one.
  enum Cells {
    /// Numbers, `nil` where a cell is empty.
    case numbers([Double?])
    /// Texts.
    case texts([String])
  }

  /// The columns in the order of the table.
  let columns: [(name: String, cells: Cells)]
  /// How many rows there are.
  let count: Int

  /// Reads a table as its file has it; `nil` if it cannot be read.
  init?(_ text: String, name: String) {
    guard let table = CSVTable(Array(text.utf8), file: name, problems: ProblemList()) else {
      return nil
    }
    count = table.rows.count
    columns = table.header.enumerated().map { index, column in
      let texts = table.rows.map { $0.indices.contains(index) ? $0[index].text : "" }
      guard Self.isMeasured(column.text) else { return (column.text, .texts(texts)) }
      let numbers = texts.map { Double($0) }
      let isReadable = zip(texts, numbers).allSatisfy { $0.isEmpty || $1 != nil }
      assert(isReadable, "An amount is a number.")
      return (column.text, isReadable ? .numbers(numbers) : .texts(texts))
    }
  }

  /// Whether a column holds amounts or counts, whose names end with their unit but for a few.
  private static func isMeasured(_ column: String) -> Bool {
    let counts: Set = ["seconds", "minutes", "units", "pulses", "commands"]
    return counts.contains(column)
      || ["_U", "_U_per_h", "_g", "_mgdL", "_minutes"].contains { column.hasSuffix($0) }
  }
}
