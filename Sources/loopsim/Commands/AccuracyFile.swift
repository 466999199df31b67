import Arguments
import Devices
import StructuredText

/// Reads what `cgm accuracy` is given.
enum AccuracyFile {
  /// The pairs of a table; problems are printed, and errors end the command.
  static func pairs(at path: String, notes console: any Console) throws -> [AccuracyPair] {
    let problems = ProblemList()
    let pairs = pairs(try Files.read(path), file: path, problems: problems)
    console.note(problems.sorted)
    guard !problems.hasErrors else { throw CommandLineError.exit(.badInput) }
    return pairs
  }

  /// The pairs of a table, with problems by their places.
  static func pairs(
    _ bytes: [UInt8], file: String, problems: ProblemList
  ) -> [AccuracyPair] {
    let separator = separator(of: bytes)
    guard let table = CSVTable(bytes, file: file, separator: separator, problems: problems) else {
      return []
    }
    let start = TextPosition(file: file, line: 1, column: 1)
    guard let reference = table.index(of: "reference"), let cgm = table.index(of: "cgm") else {
      problems.error(
        at: start, "The table needs the columns \"reference\" and \"cgm\", in mg/dL.")
      return []
    }
    let known = ["reference", "cgm", "sensor", "day", "reference_rate", "cgm_rate"]
    for field in table.header where !field.text.isEmpty && !known.contains(field.text) {
      let meant = NearestName.suggestion(for: field.text, among: known)
      problems.note(at: field.position, "The column \"\(field.text)\" is not read.\(meant)")
    }
    var columns = Columns(
      reference: reference, cgm: cgm, sensor: table.index(of: "sensor"),
      day: table.index(of: "day"), referenceRate: table.index(of: "reference_rate"),
      cgmRate: table.index(of: "cgm_rate"))
    if separator != UInt8(ascii: ",") { columns.marks = columns.marks(in: table, separator) }
    var sensors: [String: Int] = [:]
    let pairs = table.rows.compactMap { row in
      columns.pair(of: row, sensors: &sensors, problems: problems)
    }
    guard !pairs.isEmpty else {
      problems.error(at: start, "The table has no pair to judge.")
      return []
    }
    guard !problems.hasErrors else { return [] }
    // No sensor shows less, and half of the references are not those of people so low.
    if pairs.count(where: { $0.reference < lowest }) * 2 > pairs.count {
      problems.error(
        at: start,
        "Most references are below \(Int(lowest)), which is no glucose in mg/dL but may be one in "
          + "mmol/L. Write both columns in mg/dL.")
    } else if !pairs.contains(where: { $0.condition == .inRange }) {
      problems.error(
        at: start,
        "All readings are LOW or HIGH (below 40 or above 400 mg/dL), so that there is no pair to "
          + "judge.")
    }
    return pairs
  }

  /// The byte that separates the names of the columns.
  private static func separator(of bytes: [UInt8]) -> UInt8 {
    let line = bytes.prefix { $0 != 0x0a && $0 != 0x0d }
    return [UInt8(ascii: ";"), 0x09].first { line.contains($0) } ?? UInt8(ascii: ",")
  }

  /// The lowest glucose in mg/dL that a sensor shows.
  private static let lowest = 40.0

  /// The highest glucose in mg/dL that a table may hold, as of `outcomes`.
  private static let highest = 1_000.0

  /// The scores of the surveillance error grid.
  static func surveillance(
    at path: String, notes console: any Console
  ) throws -> SurveillanceGrid {
    let problems = ProblemList()
    var reader = CSVReader(try Files.read(path), file: path)
    var scores: [[Double]] = []
    while let row = reader.next() {
      let row = row.withoutEmptyEnd(keeping: 0)
      guard !row.isEmpty else { continue }
      scores.append(row.compactMap { number($0, what: "a score", problems: problems) })
    }
    problems.add(reader.problems)
    let grid = SurveillanceGrid(scores: scores)
    if grid == nil, !problems.hasErrors {
      problems.error(
        at: TextPosition(file: path, line: 1, column: 1),
        "The table has \(WordList.counted(scores.count, "row")); it needs at least 601, "
          + "each of as many scores."
      )
    }
    console.note(problems.sorted)
    guard let grid, !problems.hasErrors else { throw CommandLineError.exit(.badInput) }
    return grid
  }

  /// The number in a field, of a column where marks may be in doubt; there are no decimal commas
  /// without these.
  private static func number(
    _ field: CSVReader.Field, what: String, marks: DecimalMarks? = nil, in column: Int? = nil,
    problems: ProblemList
  ) -> Double? {
    guard marks?.isCertain(field, in: column, problems) ?? true else { return nil }
    let number = marks == nil ? Double(decimal: field.text) : Double(pointOrComma: field.text)
    if let number { return number }
    problems.error(at: field.position, "\"\(field.text)\" is not \(what). Write a number.")
    return nil
  }

  /// Where each figure stands in a row.
  private struct Columns {
    var reference: Int
    var cgm: Int
    var sensor: Int?
    var day: Int?
    var referenceRate: Int?
    var cgmRate: Int?
    /// Which marks in numbers are in doubt; `nil` where there are no decimal commas.
    var marks: DecimalMarks?

    /// Which marks in the numbers of a table are in doubt.
    func marks(in table: CSVTable, _ separator: UInt8) -> DecimalMarks {
      let columns = [reference, cgm, day, referenceRate, cgmRate].compactMap(\.self).map { index in
        DecimalMarks.Column(
          index: index,
          numbers: table.rows.map { $0[index].text }.filter { Double(pointOrComma: $0) != nil },
          mayHaveThousands: index == reference || index == cgm)
      }
      return DecimalMarks(columns, separator: separator)
    }

    private func number(
      _ row: [CSVReader.Field], _ column: Int, what: String, problems: ProblemList
    ) -> Double? {
      AccuracyFile.number(row[column], what: what, marks: marks, in: column, problems: problems)
    }

    func pair(
      of row: [CSVReader.Field], sensors: inout [String: Int], problems: ProblemList
    ) -> AccuracyPair? {
      guard let truth = number(row, reference, what: "a reference", problems: problems)
      else { return nil }
      guard truth > 0, truth <= AccuracyFile.highest else {
        problems.error(
          at: row[reference].position,
          "A reference of \(row[reference].text) cannot be; it is "
            + "above 0 and at most \(Int(AccuracyFile.highest)) mg/dL.")
        return nil
      }
      guard let (reading, condition) = reading(row, problems) else { return nil }
      var pair = AccuracyPair(reference: truth, reading: reading, condition: condition)
      if let sensor {
        let next = sensors.count + 1
        pair.sensor = sensors[row[sensor].text, default: next]
        sensors[row[sensor].text] = pair.sensor
      }
      if let day, let value = number(row, day, what: "a day of wear", problems: problems) {
        guard (1...400).contains(value), value == value.rounded() else {
          problems.error(
            at: row[day].position,
            "Day \(row[day].text) is not a day of wear, a whole number from 1 to 400.")
          return nil
        }
        pair.day = Int(value)
      }
      pair.referenceRate = rate(row, referenceRate, problems)
      pair.readingRate = rate(row, cgmRate, problems)
      return pair
    }

    /// A rate; an empty field is none.
    private func rate(
      _ row: [CSVReader.Field], _ column: Int?, _ problems: ProblemList
    ) -> Double? {
      guard let column, !row[column].text.isEmpty else { return nil }
      return number(row, column, what: "a rate", problems: problems)
    }

    /// A reading, which may be the word LOW or HIGH.
    private func reading(
      _ row: [CSVReader.Field], _ problems: ProblemList
    ) -> (Double, GlucoseReading.Condition)? {
      let field = row[cgm]
      switch field.text.lowercased() {
      case "low": return (40, .belowRange)
      case "high": return (400, .aboveRange)
      default:
        guard let value = number(row, cgm, what: "a reading, LOW or HIGH", problems: problems)
        else { return nil }
        guard value >= 0 else {
          problems.error(
            at: field.position, "A reading of \(field.text) cannot be; it is not below 0 mg/dL.")
          return nil
        }
        if value < 40 { return (40, .belowRange) }
        return value > 400 ? (400, .aboveRange) : (value, .inRange)
      }
    }
  }
}
