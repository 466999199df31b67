import StructuredText

extension CSVTable {
  /// The table of a result, with every row of it.
  ///
  /// What is cut off, as by a full disk or a copy that broke off, would otherwise count as never
  /// written.
  ///
  /// - Throws: ``Failure`` with all that is wrong with the table.
  static func whole(_ bytes: [UInt8], file: String) throws(Failure) -> CSVTable {
    let problems = ProblemList()
    guard let table = CSVTable(bytes, file: file, problems: problems), !problems.hasErrors else {
      throw Failure(problems.sorted)
    }
    return table
  }
}
