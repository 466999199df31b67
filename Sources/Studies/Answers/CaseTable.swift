public import StructuredText

/// The rows of a whole study, as its merged file has them.
public struct CaseTable: Sendable {
  /// The rows, by the number of the case.
  public let rows: [CaseRow]

  /// Reads the table; what is wrong is reported with its line, and `nil` is returned.
  ///
  /// Every case of the plan must be there once and in its order.
  public init?(_ bytes: [UInt8], file: String, study: StudyProtocol, problems: ProblemList) {
    let header = CaseRow.header(study.design)
    guard let table = CSVTable(bytes, file: file, problems: problems), !problems.hasErrors,
      let first = table.header.first
    else { return nil }
    guard table.header.map(\.text) == header else {
      problems.error(at: first.position, "The columns are not those of the study's plan.")
      return nil
    }
    var rows: [CaseRow] = []
    rows.reserveCapacity(table.rows.count)
    for fields in table.rows {
      guard let row = CaseRow(fields.map(\.text)) else {
        problems.error(at: fields[0].position, "This row is no row of a case.")
        return nil
      }
      if let mismatch = Self.mismatch(row, at: rows.count, study) {
        problems.error(at: fields[0].position, mismatch)
        return nil
      }
      rows.append(row)
    }
    guard rows.count == study.plan.runs else {
      problems.error(
        at: first.position,
        "The table has \(WordList.counted(rows.count, "case")); the plan has \(study.plan.runs).")
      return nil
    }
    self.rows = rows
  }

  private static func mismatch(_ row: CaseRow, at place: Int, _ study: StudyProtocol) -> String? {
    guard row.number == place, place < study.plan.runs else {
      return "Here stands case \(row.number), where case \(place) belongs."
    }
    let item = study.case(place)
    guard row.unit == item.unit, row.replicate == item.replicate, row.point == item.point,
      row.arm == study.plan.arms[item.arm], row.patient == study.patient(item.patient).id
    else { return "Case \(place) is not the one that the plan has." }
    return nil
  }
}
