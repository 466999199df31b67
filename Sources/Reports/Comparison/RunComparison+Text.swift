import Expectations
public import StructuredText

extension RunComparison {
  /// The comparison for people: the first difference, then every column and figure that differs.
  ///
  /// The figures of the summaries can be listed side by side also where they are equal.
  public func lines(
    _ leftName: String, _ rightName: String, listsEqualFigures: Bool
  ) -> [String] {
    var lines = identity.map { "\($0.name): \(leftName) \($0.left), \(rightName) \($0.right)" }
    if let first {
      lines.append(
        "first difference: \(first.table): \(first.difference.sentence(leftName, rightName))")
    }
    for table in tables {
      for name in table.comparison.columnsOnlyLeft {
        lines.append("\(table.name): the column \(name) is only in \(leftName)")
      }
      for name in table.comparison.columnsOnlyRight {
        lines.append("\(table.name): the column \(name) is only in \(rightName)")
      }
    }
    lines += tablesOnlyLeft.map { "\($0) is only in \(leftName)" }
    lines += tablesOnlyRight.map { "\($0) is only in \(rightName)" }
    lines += statements.onlyLeft.map { "only \(leftName) says: \(InertText.line($0))" }
    lines += statements.onlyRight.map { "only \(rightName) says: \(InertText.line($0))" }
    let columns = columnTable
    if !columns.rows.isEmpty { lines += [""] + columns.lines }
    let figures = figureTable(leftName, rightName, listsEqualFigures)
    if !figures.rows.isEmpty { lines += [""] + figures.lines }
    return lines
  }

  /// The columns with values that are not equal.
  private var columnTable: TerminalTable {
    var table = TerminalTable(
      header: ["table", "column", "values", "beyond tolerance", "largest difference", "at"],
      [.left, .left, .right, .right, .right, .left])
    for compared in tables {
      let comparison = compared.comparison
      for column in comparison.columns where column.differing > 0 || column.largest != nil {
        table.rows.append([
          compared.name, column.name, "\(column.compared)", "\(column.differing)",
          column.largest.map { shown($0.difference) } ?? "–", column.largest?.row.description ?? "",
        ])
      }
      if comparison.rowsOnlyLeft + comparison.rowsOnlyRight > 0 {
        table.rows.append([
          compared.name, "rows", "\(compared.rows.left), \(compared.rows.right)",
          "\(comparison.rowsOnlyLeft + comparison.rowsOnlyRight)", "–", "",
        ])
      }
    }
    return table
  }

  /// The figures side by side; those of the ledgers only where they differ.
  private func figureTable(
    _ leftName: String, _ rightName: String, _ listsEqual: Bool
  ) -> TerminalTable {
    var table = TerminalTable(
      header: ["figure", leftName, rightName, "difference"], [.left, .right, .right, .right])
    for pair in figures
    where pair.left != pair.right || listsEqual && !pair.name.hasPrefix("ledger.") {
      var difference = ""
      if let left = pair.left, let right = pair.right, left != right {
        difference = shown(right - left)
      }
      table.rows.append([
        pair.name, pair.left.map(shown) ?? "–", pair.right.map(shown) ?? "–", difference,
      ])
    }
    return table
  }

  /// A number with at most six decimals.
  private func shown(_ value: Double) -> String {
    var text = FixedDecimal.text(value, decimals: 6)
    while text.hasSuffix("0") { text.removeLast() }
    if text.hasSuffix(".") { text.removeLast() }
    return text
  }

  /// The comparison as a JSON tree.
  public var json: JSONValue {
    [
      "same": .bool(isSame),
      "first": first.map {
        [
          "table": .string($0.table), "row": Self.text($0.difference.row?.cell),
          "row_number": Self.number($0.difference.row), "column": .string($0.difference.column),
          "a": Self.text($0.difference.left),
          "b": Self.text($0.difference.right),
        ]
      } ?? .null,
      "tables": .array(tables.map(json)),
      "only_a": .array(tablesOnlyLeft.map { .string($0) }),
      "only_b": .array(tablesOnlyRight.map { .string($0) }),
      "says_only_a": .array(statements.onlyLeft.map { .string($0) }),
      "says_only_b": .array(statements.onlyRight.map { .string($0) }),
      "identity": .array(
        identity.map {
          ["name": .string($0.name), "a": .string($0.left), "b": .string($0.right)]
        }),
      "figures": .array(
        figures.map {
          [
            "name": .string($0.name), "a": $0.left.map { .number($0) } ?? .null,
            "b": $0.right.map { .number($0) } ?? .null,
          ]
        }),
    ]
  }

  private func json(_ compared: Compared) -> JSONValue {
    [
      "name": .string(compared.name), "same": .bool(compared.comparison.isSame),
      "rows_a": .integer(Int64(compared.rows.left)), "rows_b": .integer(Int64(compared.rows.right)),
      "rows_only_a": .integer(Int64(compared.comparison.rowsOnlyLeft)),
      "rows_only_b": .integer(Int64(compared.comparison.rowsOnlyRight)),
      "columns_only_a": .array(compared.comparison.columnsOnlyLeft.map { .string($0) }),
      "columns_only_b": .array(compared.comparison.columnsOnlyRight.map { .string($0) }),
      "columns": .array(
        compared.comparison.columns.map { column in
          [
            "name": .string(column.name), "compared": .integer(Int64(column.compared)),
            "differing": .integer(Int64(column.differing)),
            "largest_difference": column.largest.map { .number($0.difference) } ?? .null,
            "at": Self.text(column.largest?.row.cell),
            "at_number": Self.number(column.largest?.row),
          ]
        }),
    ]
  }

  private static func text(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }

  /// Which of the rows with its first cell a row is, from 1.
  private static func number(_ row: TableComparison.Row?) -> JSONValue {
    row.map { .integer(Int64($0.number)) } ?? .null
  }
}
