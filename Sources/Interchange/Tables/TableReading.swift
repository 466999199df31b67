internal import Quantities
internal import StructuredText

/// Reads the rows of a table whose layout is known.
struct TableReading {
  /// The layout of the section that is read; at first that of one with glucose.
  var layout: TableLayout
  let options: RecordTable.Options
  let separator: UInt8
  let file: String

  /// A value with its time before the order of dates is known.
  private struct Pending {
    var moment: TableMoment
    var end: TableMoment?
    var duration: TimeSpan?
    var text: CSVReader.Field
    var person: String?
    var device: String?
    var value: RecordTable.Value
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
    for entry in pending {
      guard let time = entry.moment.civil(order) else {
        problems.error(
          at: entry.text.position,
          "\"\(entry.text.text)\" is no date when dates are read \(order.rawValue).")
        continue
      }
      table.rows.append(
        RecordTable.Row(
          time: time, offset: entry.moment.offset, end: entry.end?.civil(order),
          duration: entry.duration, person: entry.person, device: entry.device, value: entry.value,
          position: entry.text.position))
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

  // MARK: - Rows

  private func read(
    _ row: [CSVReader.Field], into pending: inout [Pending], _ table: inout RecordTable,
    _ problems: ProblemList
  ) {
    guard let first = row.first else { return }
    func text(_ index: Int) -> String {
      row.indices.contains(index) ? row[index].text.trimmed : ""
    }
    // Empty fields at the end are commas that a spreadsheet left.
    let surplus = row.dropFirst(layout.minimumFields).contains { !$0.text.trimmed.isEmpty }
    guard row.count >= layout.minimumFields, layout.allowsBareRows || !surplus else {
      if layout.allowsBareRows {
        table.report.leaveOut("rows that are no records are not read", at: first.position)
      } else {
        problems.error(
          at: first.position,
          "This row has \(WordList.counted(row.count, "field")); the header names "
            + "\(WordList.counted(layout.minimumFields, "column")).")
      }
      return
    }
    if let sums = layout.sums, text(sums.column).lowercased() == sums.word {
      table.report.leaveOut(sums.reason, at: first.position)
      return
    }
    let filled = layout.columns.filter { !text($0.index).isEmpty }
    // Parts beside their sum are not counted again.
    let parts =
      filled.contains { $0.kind == .bolus }
      ? [] : layout.bolusParts.filter { !text($0).isEmpty }.map { row[$0] }
    let word = layout.kind.map { text($0.index).lowercased() } ?? ""
    let marked = layout.marker.flatMap { EventMarker(text($0)) }
    let meal = marked?.grams.flatMap(number).flatMap { $0 > 0 ? $0 : nil }
    let unread = layout.unread.filter { $0.columns.contains { !text($0).isEmpty } }
    guard !filled.isEmpty || !parts.isEmpty || meal != nil || layout.basal != nil else {
      if layout.allowsBareRows {
        let reason = unread.isEmpty ? nil : unread.map(\.reason).joined(separator: ", and ")
        table.report.leaveOut(
          reason ?? marked?.reason
            ?? (word.isEmpty ? "rows without glucose, insulin or food" : rows(of: word)),
          at: first.position)
      } else {
        table.report.leaveOut(RecordTable.withoutGlucose, at: first.position)
      }
      return
    }
    let time = layout.time.map(text).joined(separator: " ")
    guard let moment = TableMoment(time), moment.isReadable else {
      let position = row[layout.time[0]].position
      if layout.allowsBareRows, !time.contains(where: \.isNumber) {
        // Sections of a table repeat its header.
        table.report.leaveOut("rows without a time", at: position)
      } else {
        problems.error(
          at: position, "\"\(time)\" is no time. Write one such as 2026-01-05T12:00:00.")
      }
      return
    }
    let person = layout.person.map(text).flatMap { $0.isEmpty ? nil : $0 }
    let words = layout.device.map(text).filter { !$0.isEmpty }
    let device = words.isEmpty ? nil : words.joined(separator: " ")
    if let basal = layout.basal {
      guard let (value, duration) = self.basal(basal, row, &table, problems) else { return }
      pending.append(
        Pending(
          moment: moment, duration: duration, text: row[layout.time[0]], person: person,
          device: device, value: value))
      return
    }
    func add(_ value: RecordTable.Value, over span: (start: TableMoment, end: TableMoment)? = nil) {
      pending.append(
        Pending(
          moment: span?.start ?? moment, end: span?.end, text: row[layout.time[0]], person: person,
          device: device, value: value))
    }
    var isUsed = false
    if let bolus = sum(of: parts, problems) {
      isUsed = true
      add(.bolus(bolus))
    }
    for column in filled {
      if let least = layout.leastReading, column.kind == .sensor,
        let number = number(row[column.index].text), (0..<least).contains(number),
        // With a fraction it is in mmol/L, of which the whole table is judged.
        number == number.rounded()
      {
        table.report.leaveOut(ImportReport.sensorError, at: row[column.index].position)
        isUsed = true
        continue
      }
      guard let value = value(of: column, row, word, text, &table, problems) else { continue }
      isUsed = true
      if let span = column.span, let start = TableMoment(text(span.start)), start.isReadable,
        let end = TableMoment(text(span.end)), end.isReadable
      {
        add(value, over: (start, end))
        continue
      }
      if column.isExtended {
        table.report.remark(ImportReport.noDuration, at: row[column.index].position)
      }
      if column.kind == .bolus, let time = layout.bolusTime,
        text(time).contains(where: { "123456789".contains($0) })
      {
        table.report.remark(ImportReport.noBeginning, at: row[column.index].position)
      }
      add(value)
    }
    if let meal {
      isUsed = true
      add(.carbohydrates(meal))
    }
    // Of what stands in such a row a part is read.
    for part in unread where isUsed { table.report.remark(part.reason, at: first.position) }
    if !isUsed, !problems.hasError(at: first.position) {
      let isOfNoKind = layout.kind != nil && filled.contains { $0.kind == .glucose }
      table.report.leaveOut(
        !word.isEmpty
          ? rows(of: word)
          : isOfNoKind ? "rows of glucose without a type" : RecordTable.withoutValue,
        at: first.position)
    }
  }

  /// The rows of a type of which nothing is read, in words.
  private func rows(of word: String) -> String {
    let isRead = layout.kind.map { $0.sensor.contains(word) || $0.meter.contains(word) } ?? false
    return "rows of type '\(word)'\(isRead ? " without a value" : "")"
  }

  /// What a pump gave as basal, and how long; `nil` where a row does not say it.
  private func basal(
    _ columns: (kind: Int, minutes: Int, rate: Int, units: Int), _ row: [CSVReader.Field],
    _ table: inout RecordTable, _ problems: ProblemList
  ) -> (RecordTable.Value, TimeSpan)? {
    func amount(_ index: Int) -> Double? {
      let field = row[index]
      guard !field.text.trimmed.isEmpty else { return nil }
      if let number = number(field.text), (0...10_000).contains(number) { return number }
      problems.error(at: field.position, "\"\(field.text)\" is no amount. Write a number.")
      return nil
    }
    let kind = RecordTable.BasalKind(row[columns.kind].text)
    let (minutes, rate, units) = (
      amount(columns.minutes), amount(columns.rate), amount(columns.units)
    )
    guard !problems.hasError(at: row[columns.minutes].position),
      !problems.hasError(at: row[columns.rate].position),
      !problems.hasError(at: row[columns.units].position)
    else { return nil }
    let stated = units ?? rate.map { $0 * (minutes ?? 0) / 60 } ?? (kind == .suspended ? 0 : nil)
    guard let minutes, minutes > 0, let stated else {
      table.report.leaveOut(
        "basal without a duration, or without a rate or units", at: row[0].position)
      return nil
    }
    return (
      .basal(stated.toBillionths, kind: kind),
      .milliseconds(Int64((minutes * 60_000).rounded()))
    )
  }

  /// The bolus whose parts some fields are; `nil` where there is none, or one cannot be read.
  private func sum(of parts: [CSVReader.Field], _ problems: ProblemList) -> Double? {
    var sum = 0.0
    for part in parts {
      guard let amount = number(part.text) else {
        problems.error(at: part.position, "\"\(part.text)\" is no amount. Write a number.")
        return nil
      }
      sum += amount
    }
    return sum > 0 ? sum.toBillionths : nil
  }

  private func value(
    of column: TableLayout.Column, _ row: [CSVReader.Field], _ word: String,
    _ text: (Int) -> String, _ table: inout RecordTable, _ problems: ProblemList
  ) -> RecordTable.Value? {
    let field = row[column.index]
    guard column.isGlucose else {
      guard let amount = number(field.text) else {
        problems.error(at: field.position, "\"\(field.text)\" is no amount. Write a number.")
        return nil
      }
      guard amount >= 0 else {
        problems.error(
          at: field.position,
          "\"\(field.text)\" is no amount, as it is below 0. Write a number from 0 on.")
        return nil
      }
      guard amount > 0 else { return nil }
      let isLong = layout.action.map { Self.isLongActing(text($0)) } ?? false
      return switch column.kind {
      case .bolus where isLong: .longActing(amount)
      case .bolus: .bolus(amount)
      case .longActing: .longActing(amount)
      default: .carbohydrates(amount)
      }
    }
    var isMeter = column.kind == .meter
    if column.kind == .glucose, let kind = layout.kind {
      isMeter = kind.meter.contains(word)
      guard isMeter || kind.sensor.contains(word) else { return nil }
    }
    guard let mgdL = glucose(field, column, text, &table, problems) else { return nil }
    return isMeter ? .meter(mgdL) : .glucose(mgdL)
  }

  /// Whether a word says that insulin acts for long, in the languages of Clarity.
  private static func isLongActing(_ word: String) -> Bool {
    let word = word.lowercased()
    return ["long", "lang", "lent", "prolong", "basal"].contains { word.contains($0) }
  }

  private func glucose(
    _ field: CSVReader.Field, _ column: TableLayout.Column, _ text: (Int) -> String,
    _ table: inout RecordTable, _ problems: ProblemList
  ) -> Double? {
    switch field.text.trimmed.lowercased() {
    case "low", "lo", "niedrig", "bajo", "bas", "basso", "laag", "lav":
      table.lowPlaces.append(field.position)
      return RecordTable.belowRange
    case "high", "hi", "hoch", "alto", "haut", "élevé", "hoog", "høj", "høy":
      table.highPlaces.append(field.position)
      return RecordTable.aboveRange
    case "nan", "null", "na", "none": return nil
    default: break
    }
    guard let number = number(field.text) else {
      problems.error(
        at: field.position, "\"\(field.text)\" is no glucose value. Write a number.")
      return nil
    }
    let stated = layout.unit.flatMap { TableLayout.isMolar(text($0)) }
    let isMolar = stated ?? column.isMolar ?? options.isMolar ?? false
    if let unit = layout.unit, !text(unit).isEmpty, stated == nil, options.isMolar == nil {
      problems.error(
        at: field.position, "\"\(text(unit))\" is no unit of glucose: mg/dL or mmol/L is.")
      return nil
    }
    guard isMolar else { return number }
    table.molarValues += 1
    return GlucoseConcentration.recorded(mgdL: GlucoseConcentration.mmolL(number).mgdL).mgdL
  }

  /// A number with a decimal point or, where the separator or quotes allow it, a decimal comma.
  private func number(_ text: String) -> Double? {
    let text = text.trimmed
    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) || ".,+-eE".utf8.contains($0) }) else {
      return nil
    }
    let number = Double(text) ?? Double(text.replacing(",", with: ".", maxReplacements: 1))
    return number.flatMap { $0.isFinite ? $0 : nil }
  }

  // MARK: - Dates

  /// The order of day and month: as said, as only one makes dates, else what the rest of the table
  /// suggests; an error where nothing does.
  private func order(of pending: [Pending], _ problems: ProblemList) -> DateOrder? {
    if let order = options.dateOrder { return order }
    var only: Set<DateOrder> = []
    for entry in pending { if let order = entry.moment.onlyOrder { only.insert(order) } }
    if only.count == 1, let order = only.first { return order }
    guard let ambiguous = pending.first(where: { $0.moment.isAmbiguous }) else {
      return .monthFirst
    }
    if only.count > 1 {
      problems.error(
        at: ambiguous.text.position,
        "Some dates have the day first and some the month. Say which with --dates.")
      return nil
    }
    if pending.contains(where: { $0.moment.hasHalfDay }) { return .monthFirst }
    let isMolar = layout.columns.contains { $0.isMolar == true }
    if separator == UInt8(ascii: ";") || isMolar { return .dayFirst }
    let spans = DateOrder.allCases.map { order in
      let times = pending.compactMap { $0.moment.civil(order)?.millisecondsSince1970 }
      return (order: order, span: (times.max() ?? 0) - (times.min() ?? 0))
    }
    if let best = spans.min(by: { $0.span < $1.span }),
      spans.allSatisfy({ $0.order == best.order || $0.span >= best.span + 20 * 86_400_000 })
    {
      return best.order
    }
    problems.error(
      at: ambiguous.text.position,
      "\"\(ambiguous.text.text)\" may have the day or the month first. Say which with --dates.")
    return nil
  }
}
