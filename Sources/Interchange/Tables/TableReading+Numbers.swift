internal import StructuredText

extension TableReading {
  /// The columns of glucose whose only commas are such as that in `1,210`, beside values without.
  ///
  /// Where fields are separated by commas, one in a number was quoted: a decimal comma, as every
  /// number of the column then has, or one between thousands. Tabs say as little of it, and beside
  /// semicolons it is one between thousands only where `1,234.5` says so.
  func groupedColumns(of section: TableSection) -> Set<Int> {
    let indices = section.layout.columns.filter(\.isGlucose).map(\.index)
    return Set(
      indices.filter { index in
        let numbers = texts(of: index, in: section).filter { number($0) != nil }
        let withComma = numbers.filter { $0.contains(",") }
        let isSaid = withComma.contains(where: Self.hasPointBehindComma)
        guard isSaid || separator != UInt8(ascii: ";") && withComma.count < numbers.count else {
          return false
        }
        return !withComma.isEmpty
          && withComma.allSatisfy { Self.mayBeGrouped($0, by: ",") || Self.hasPointBehindComma($0) }
      })
  }

  /// Whether a number of a section has a comma that can be none but a decimal one, so that a point
  /// may stand between thousands, as in `1.210`.
  func hasDecimalCommas(in section: TableSection) -> Bool {
    section.layout.columns.contains { column in
      texts(of: column.index, in: section).contains { text in
        guard text.contains(","), number(text) != nil, !Self.hasPointBehindComma(text) else {
          return false
        }
        return separator == UInt8(ascii: ";") || !Self.mayBeGrouped(text, by: ",")
      }
    }
  }

  /// Whether a number is such as `1,234.5`, whose comma stands between thousands.
  private static func hasPointBehindComma(_ text: String) -> Bool {
    text.firstIndex(of: ",").map { text[$0...].contains(".") } ?? false
  }

  private func texts(of index: Int, in section: TableSection) -> [String] {
    section.rows.compactMap { $0.indices.contains(index) ? $0[index].text.trimmed : nil }
  }

  /// Whether the mark in a number means decimals or thousands for certain; reports it otherwise.
  func isCertain(
    _ field: CSVReader.Field, in column: Int? = nil, _ problems: ProblemList
  ) -> Bool {
    let text = field.text.trimmed
    let isGrouped = column.map(groupedColumns.contains) ?? false
    let mark =
      isGrouped && Self.mayBeGrouped(text, by: ",")
      ? "comma" : hasDecimalCommas && Self.mayBeGrouped(text, by: ".") ? "point" : nil
    guard let mark else { return true }
    problems.error(
      at: field.position,
      "\"\(field.text)\" may have a decimal \(mark) or one between thousands. Write it without.")
    return false
  }

  /// Whether a number has a mark before its last three digits, one to three others before it, and
  /// nothing else; `0,210` has no thousands.
  private static func mayBeGrouped(_ text: String, by mark: Character) -> Bool {
    let parts = text.split(separator: mark, omittingEmptySubsequences: false)
    guard parts.count == 2, (1...3).contains(parts[0].utf8.count), !parts[0].hasPrefix("0"),
      parts[1].utf8.count == 3
    else { return false }
    return parts.allSatisfy { $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }
  }

  /// A number with a decimal point or, where the separator or quotes allow it, a decimal comma.
  func number(_ text: String) -> Double? {
    let text = text.trimmed
    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) || ".,+-eE".utf8.contains($0) }) else {
      return nil
    }
    return Double(pointOrComma: text)
  }
}
