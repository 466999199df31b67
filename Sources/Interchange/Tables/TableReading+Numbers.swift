internal import StructuredText

extension TableReading {
  /// Which marks in the numbers of a section may stand between thousands.
  func decimalMarks(in section: TableSection) -> DecimalMarks {
    let columns = section.layout.columns.map { column in
      let texts = section.rows.compactMap { row in
        row.indices.contains(column.index) ? row[column.index].text.trimmed : nil
      }
      return DecimalMarks.Column(
        index: column.index, numbers: texts.filter { number($0) != nil },
        mayHaveThousands: column.isGlucose)
    }
    return DecimalMarks(columns, separator: separator)
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
