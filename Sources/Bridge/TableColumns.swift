internal import StructuredText

/// A table of a run that is over, column by column.
struct TableColumns {
  /// What the cells of a column are; a column without a value is one of texts.
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
      let numbers = texts.map { Double($0) }
      let isNumber =
        zip(texts, numbers).allSatisfy { $0.isEmpty || $1 != nil } && texts.contains { $0 != "" }
      return (column.text, isNumber ? .numbers(numbers) : .texts(texts))
    }
  }
}
