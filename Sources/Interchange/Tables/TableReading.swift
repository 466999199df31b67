internal import Quantities
internal import StructuredText

/// Reads the rows of a table whose layout is known.
struct TableReading {
  /// The layout of the section that is read; at first that of one with glucose.
  var layout: TableLayout
  let options: RecordTable.Options
  let separator: UInt8
  let file: String
  /// Which marks in numbers of the section may stand between thousands: of glucose commas as well.
  var marks = DecimalMarks()
  /// Whether rows of the section state the unit of their glucose.
  var statesUnits = false

  /// A time as it stands in a field, before the order of dates is known.
  struct Stamp {
    let moment: TableMoment
    let text: String
    let position: TextPosition

    /// Reads the time of a field, with that of another beside it; `nil` where it is none.
    init?(_ field: CSVReader.Field, of words: String? = nil) {
      guard let moment = TableMoment(words ?? field.text), moment.isReadable else { return nil }
      (self.moment, text, position) = (moment, field.text, field.position)
    }
  }

  /// A value with its times before the order of dates is known.
  struct Pending {
    let start: Stamp
    let end: Stamp?
    let duration: TimeSpan?
    let position: TextPosition
    let person: String?
    let device: String?
    let value: RecordTable.Value

    /// Keeps a value of a row, which may have been given until a moment or for some time.
    init(
      _ value: RecordTable.Value, of row: TableRow, from start: Stamp, until end: Stamp? = nil,
      for duration: TimeSpan? = nil
    ) {
      self.start = start
      self.end = end
      self.duration = duration
      position = row.timeField.position
      person = row.person
      device = row.device
      self.value = value
    }
  }

  /// The rows; errors where one cannot be read, and where the dates or the unit cannot be told.
  func table(
    _ sections: [TableSection], _ problems: ProblemList
  ) -> RecordTable? {
    var table = RecordTable(program: layout.program, report: ImportReport(file: file))
    var pending: [Pending] = []
    for section in sections {
      var reading = self
      reading.layout = section.layout
      reading.marks = decimalMarks(in: section)
      reading.statesUnits = statesUnits(in: section)
      remarkOnOthers(in: section, &table)
      // A line of blanks is an empty line.
      for row in section.rows
      where row.countToLastText > 0 || row.count >= section.layout.minimumFields {
        table.report.countRecord()
        reading.read(row, into: &pending, &table, problems)
      }
    }
    guard !problems.hasErrors else { return nil }
    guard let order = order(of: pending, problems) else { return nil }
    if options.dateOrder != nil, pending.allSatisfy(\.start.moment.isOfOneOrder) {
      for entry in pending {
        table.report.remark(RecordTable.idleOrder, at: entry.start.position)
      }
    }
    func civil(_ stamp: Stamp) -> CivilTime? {
      if let time = stamp.moment.civil(order) { return time }
      problems.error(
        at: stamp.position,
        "\"\(stamp.text)\" is no date when dates are read \(order.rawValue).")
      return nil
    }
    for entry in pending {
      guard let time = civil(entry.start) else { continue }
      table.rows.append(
        RecordTable.Row(
          time: time, offset: entry.start.moment.offset, end: entry.end.flatMap(civil),
          endOffset: entry.end?.moment.offset, duration: entry.duration, person: entry.person,
          device: entry.device, value: entry.value, position: entry.position))
    }
    checkUnit(&table, problems)
    return problems.hasErrors ? nil : table
  }

  /// Names the columns that hold something and are not read, where the layout does not know all.
  private func remarkOnOthers(in section: TableSection, _ table: inout RecordTable) {
    func isFilled(_ row: [CSVReader.Field], _ column: Int) -> Bool {
      row.indices.contains(column) && !row[column].text.trimmed.isEmpty
    }
    let columns = section.layout.others.filter { column in
      section.rows.contains { isFilled($0, column) }
    }
    let names = WordList.text(columns.map { section.header[$0].text.trimmed }, atMost: 8)
    for row in section.rows {
      guard let column = columns.first(where: { isFilled(row, $0) }) else { continue }
      table.report.remark(
        "values in columns that are not read: \(names)", at: row[column].position)
    }
  }

  // MARK: - Dates

  /// The order of day and month: as said, as only one makes dates, else what the rest of the table
  /// suggests; an error where nothing does, and where every date may begin with its year.
  private func order(of pending: [Pending], _ problems: ProblemList) -> DateOrder? {
    if let order = options.dateOrder { return order }
    if let first = pending.first?.start,
      pending.allSatisfy(\.start.moment.mayBeginWithYear)
    {
      problems.error(
        at: first.position,
        "\"\(first.text)\" may begin with its year. Write years with four digits, or say with "
          + "--dates that the day or the month comes first.")
      return nil
    }
    var only: Set<DateOrder> = []
    let stamps = pending.map(\.start) + pending.compactMap(\.end)
    for stamp in stamps { if let order = stamp.moment.onlyOrder { only.insert(order) } }
    if only.count == 1, let order = only.first { return order }
    guard let ambiguous = stamps.first(where: { $0.moment.isAmbiguous }) else {
      return .monthFirst
    }
    if only.count > 1 {
      problems.error(
        at: ambiguous.position,
        "Some dates have the day first and some the month. Say which with --dates.")
      return nil
    }
    var customs: Set<DateOrder> = []
    if pending.contains(where: { $0.start.moment.hasHalfDay }) { customs.insert(.monthFirst) }
    let isMolar = layout.columns.contains { $0.isMolar == true }
    if separator == UInt8(ascii: ";") || isMolar { customs.insert(.dayFirst) }
    if let shorter = shorterOrder(of: pending) {
      // Where customs say otherwise, either may be meant; where they disagree, they say nothing.
      if customs.isEmpty || customs.contains(shorter) { return shorter }
    } else if customs.count == 1, let custom = customs.first {
      return custom
    }
    problems.error(
      at: ambiguous.position,
      "\"\(ambiguous.text)\" may have the day or the month first. Say which with --dates.")
    return nil
  }

  /// The order in which the rows span far less time than in the other; `nil` where none is such.
  private func shorterOrder(of pending: [Pending]) -> DateOrder? {
    let spans = DateOrder.allCases.map { order in
      let times = pending.compactMap { $0.start.moment.civil(order)?.millisecondsSince1970 }
      return (order: order, span: (times.max() ?? 0) - (times.min() ?? 0))
    }
    guard let best = spans.min(by: { $0.span < $1.span }),
      spans.allSatisfy({ $0.order == best.order || $0.span >= best.span + 20 * 86_400_000 })
    else { return nil }
    return best.order
  }
}
