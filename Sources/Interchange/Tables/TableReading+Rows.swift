internal import Quantities
internal import StructuredText

extension TableReading {
  /// Reads a row, and keeps what it holds until the order of dates is known.
  ///
  /// What cannot be read is an error; a row of which nothing is read is counted with the reason.
  func read(
    _ fields: [CSVReader.Field], into pending: inout [Pending], _ table: inout RecordTable,
    _ problems: ProblemList
  ) {
    guard let row = TableRow(fields, layout), isOfTable(row, &table, problems) else { return }
    if let person = row.person { table.namedPeople.insert(person) }
    let meal = row.marker?.grams.flatMap(number).flatMap { $0 > 0 ? $0 : nil }
    guard row.holdsAmounts || meal != nil || layout.basal != nil else {
      return table.report.leaveOut(reasonForBareRow(row), at: row.position)
    }
    guard let moment = moment(of: row, &table, problems) else { return }
    if let columns = layout.basal {
      if let (value, duration) = basal(columns, row, &table, problems) {
        pending.append(Pending(value, of: row, from: moment, for: duration))
      }
      return
    }
    var isUsed = false
    if let bolus = sum(of: row.bolusParts, problems) {
      isUsed = true
      pending.append(Pending(.bolus(bolus), of: row, from: moment))
      remarkOnMissingBeginning(row, at: row.bolusParts[0].field.position, &table)
    }
    for column in row.filled {
      if let reason = reasonForNoReading(column, row) {
        isUsed = true
        table.report.leaveOut(reason, at: row.fields[column.index].position)
        continue
      }
      guard let value = value(of: column, row, &table, problems) else { continue }
      isUsed = true
      if let span = span(of: column, row, problems) {
        pending.append(Pending(value, of: row, from: span.start, until: span.end))
      } else {
        remarkOnMissingSpan(of: column, row, &table)
        pending.append(Pending(value, of: row, from: moment))
      }
    }
    if let meal {
      isUsed = true
      pending.append(Pending(.carbohydrates(meal), of: row, from: moment))
    }
    if isUsed {
      // Of what stands in such a row a part is read.
      for reason in row.unreadReasons { table.report.remark(reason, at: row.position) }
    } else if !problems.hasError(at: row.position) {
      table.report.leaveOut(reasonForUnusedRow(row), at: row.position)
    }
  }

  // MARK: - Which rows are read

  /// Whether a row is one of the table, and not the sum of others; says what it is otherwise.
  private func isOfTable(
    _ row: TableRow, _ table: inout RecordTable, _ problems: ProblemList
  ) -> Bool {
    // Empty fields at the end are commas that a spreadsheet left.
    let surplus = row.fields.dropFirst(layout.minimumFields)
      .contains { !$0.text.trimmed.isEmpty }
    guard row.fields.count >= layout.minimumFields, layout.allowsBareRows || !surplus else {
      if layout.allowsBareRows {
        table.report.leaveOut("rows that are no records are not read", at: row.position)
      } else {
        problems.error(
          at: row.position,
          "This row has \(WordList.counted(row.fields.count, "field")); the header names "
            + "\(WordList.counted(layout.minimumFields, "column")).")
      }
      return false
    }
    guard let sums = layout.sums, row.text(sums.column).lowercased() == sums.word else {
      return true
    }
    table.report.leaveOut(sums.reason, at: row.position)
    return false
  }

  /// Why a row is left out in which no column of amounts holds anything.
  private func reasonForBareRow(_ row: TableRow) -> String {
    guard layout.allowsBareRows else { return RecordTable.withoutGlucose }
    if !row.unreadReasons.isEmpty { return row.unreadReasons.joined(separator: ", and ") }
    return row.marker?.reason
      ?? (row.word.isEmpty ? "rows without glucose, insulin or food" : rows(of: row.word))
  }

  /// Why a row is left out whose columns hold something of which nothing is read.
  private func reasonForUnusedRow(_ row: TableRow) -> String {
    if !row.word.isEmpty { return rows(of: row.word) }
    let isOfNoKind = layout.kind != nil && row.filled.contains { $0.kind == .glucose }
    return isOfNoKind ? "rows of glucose without a type" : RecordTable.withoutValue
  }

  /// The rows of a type of which nothing is read, in words.
  private func rows(of word: String) -> String {
    let isRead = layout.kind.map { $0.sensor.contains(word) || $0.meter.contains(word) } ?? false
    return "rows of type '\(word)'\(isRead ? " without a value" : "")"
  }

  // MARK: - Times

  /// When a row was; `nil`, with an error or a count, where nobody can read it.
  private func moment(
    of row: TableRow, _ table: inout RecordTable, _ problems: ProblemList
  ) -> Stamp? {
    let time = layout.time.map(row.text).joined(separator: " ")
    if let stamp = Stamp(row.timeField, of: time) { return stamp }
    let position = row.timeField.position
    if layout.allowsBareRows, !time.contains(where: \.isNumber) {
      // Sections of a table repeat its header.
      table.report.leaveOut("rows without a time", at: position)
    } else {
      reportTime(time, at: position, problems)
    }
    return nil
  }

  /// From when and until when insulin was given; `nil` where the row does not say both.
  private func span(
    of column: TableLayout.Column, _ row: TableRow, _ problems: ProblemList
  ) -> (start: Stamp, end: Stamp)? {
    guard let span = column.span, !row.text(span.start).isEmpty, !row.text(span.end).isEmpty else {
      return nil
    }
    let fields = [span.start, span.end].map { row.fields[$0] }
    let stamps = fields.compactMap { Stamp($0) }
    for field in fields where Stamp(field) == nil {
      reportTime(field.text, at: field.position, problems)
    }
    guard stamps.count == 2 else { return nil }
    if (stamps[0].moment.offset == nil) != (stamps[1].moment.offset == nil) {
      problems.error(
        at: fields[1].position,
        "Of when insulin began, \"\(fields[0].text)\", and ended, \"\(fields[1].text)\", one has "
          + "an offset from UTC and one has none.")
    }
    return (stamps[0], stamps[1])
  }

  private func reportTime(_ text: String, at position: TextPosition, _ problems: ProblemList) {
    problems.error(
      at: position, "\"\(text)\" is no time. Write one such as 2026-01-05T12:00:00.")
  }

  /// Says of insulin that was given over a time that it is taken as given at once.
  private func remarkOnMissingSpan(
    of column: TableLayout.Column, _ row: TableRow, _ table: inout RecordTable
  ) {
    let position = row.fields[column.index].position
    if column.isExtended { table.report.remark(ImportReport.noDuration, at: position) }
    if column.kind == .bolus { remarkOnMissingBeginning(row, at: position, &table) }
  }

  private func remarkOnMissingBeginning(
    _ row: TableRow, at position: TextPosition, _ table: inout RecordTable
  ) {
    guard let time = layout.bolusTime,
      row.text(time).contains(where: { "123456789".contains($0) })
    else { return }
    table.report.remark(ImportReport.noBeginning, at: position)
  }

  // MARK: - Amounts

  /// What a pump gave as basal, and how long; `nil` where a row does not say it.
  private func basal(
    _ columns: (kind: Int, minutes: Int, rate: Int, units: Int), _ row: TableRow,
    _ table: inout RecordTable, _ problems: ProblemList
  ) -> (RecordTable.Value, TimeSpan)? {
    func amount(_ index: Int) -> Double? {
      let field = row.fields[index]
      guard !field.text.trimmed.isEmpty else { return nil }
      if let number = number(field.text), (0...10_000).contains(number) { return number }
      problems.error(at: field.position, "\"\(field.text)\" is no amount. Write a number.")
      return nil
    }
    let kind = RecordTable.BasalKind(row.fields[columns.kind].text)
    let (minutes, rate, units) = (
      amount(columns.minutes), amount(columns.rate), amount(columns.units)
    )
    guard !problems.hasError(at: row.fields[columns.minutes].position),
      !problems.hasError(at: row.fields[columns.rate].position),
      !problems.hasError(at: row.fields[columns.units].position)
    else { return nil }
    let stated = units ?? rate.map { $0 * (minutes ?? 0) / 60 } ?? (kind == .suspended ? 0 : nil)
    guard let minutes, minutes > 0, let stated else {
      table.report.leaveOut(
        "basal without a duration, or without a rate or units", at: row.position)
      return nil
    }
    return (
      .basal(stated.toBillionths, kind: kind),
      .milliseconds(Int64((minutes * 60_000).rounded()))
    )
  }

  /// The bolus whose parts some fields are; `nil` where there is none, or one cannot be read.
  private func sum(
    of parts: [(field: CSVReader.Field, mayBeBelowZero: Bool)], _ problems: ProblemList
  ) -> Double? {
    var sum = 0.0
    for (field, mayBeBelowZero) in parts {
      guard let amount = amount(field, mayBeBelowZero: mayBeBelowZero, problems) else {
        return nil
      }
      sum += amount
    }
    let bolus = sum.toBillionths
    // What was changed of a proposal may be below 0, and what was given is not.
    if bolus < 0 {
      let texts = parts.map { "\"\($0.field.text)\"" }.joined(separator: ", ")
      problems.error(
        at: parts[0].field.position,
        "The parts of this bolus (\(texts)) are below 0 together. Write parts that come to 0 or "
          + "more.")
    }
    return bolus > 0 ? bolus : nil
  }

  /// The amount in a field; `nil` where it is none, which is reported.
  private func amount(
    _ field: CSVReader.Field, mayBeBelowZero: Bool = false, _ problems: ProblemList
  ) -> Double? {
    guard marks.isCertain(field, problems) else { return nil }
    guard let amount = number(field.text) else {
      problems.error(at: field.position, "\"\(field.text)\" is no amount. Write a number.")
      return nil
    }
    guard amount >= 0 || mayBeBelowZero else {
      problems.error(
        at: field.position,
        "\"\(field.text)\" is no amount, as it is below 0. Write a number from 0 on.")
      return nil
    }
    return amount
  }

  /// Why a number in a column of glucose is no glucose; `nil` for one that may be.
  private func reasonForNoReading(_ column: TableLayout.Column, _ row: TableRow) -> String? {
    guard column.isGlucose, let number = number(row.fields[column.index].text) else { return nil }
    // With a fraction it is in mmol/L, of which the whole table is judged.
    if let least = layout.leastReading, column.kind == .sensor, (0..<least).contains(number),
      number == number.rounded()
    {
      return ImportReport.sensorError
    }
    guard number == 0, !column.mayBeZero, isReading(column, row) else { return nil }
    return "a glucose of 0, which nobody has: programs write it where there is none"
  }

  /// Whether the row is one of those that a column of glucose is of.
  private func isReading(_ column: TableLayout.Column, _ row: TableRow) -> Bool {
    guard column.kind == .glucose, let kind = layout.kind else { return true }
    return kind.meter.contains(row.word) || kind.sensor.contains(row.word)
  }

  private func value(
    of column: TableLayout.Column, _ row: TableRow, _ table: inout RecordTable,
    _ problems: ProblemList
  ) -> RecordTable.Value? {
    let field = row.fields[column.index]
    guard column.isGlucose else {
      guard let amount = amount(field, problems) else { return nil }
      guard amount > 0 else { return nil }
      let isLong = layout.action.map { Self.isLongActing(row.text($0)) } ?? false
      return switch column.kind {
      case .bolus where isLong: .longActing(amount)
      case .bolus: .bolus(amount)
      case .longActing: .longActing(amount)
      default: .carbohydrates(amount)
      }
    }
    var isMeter = column.kind == .meter
    if column.kind == .glucose, let kind = layout.kind {
      isMeter = kind.meter.contains(row.word)
      guard isReading(column, row) else { return nil }
    }
    guard let mgdL = glucose(in: column, row, &table, problems) else { return nil }
    return isMeter ? .meter(mgdL) : .glucose(mgdL)
  }

  /// Whether a word says that insulin acts for long, in the languages of Clarity.
  private static func isLongActing(_ word: String) -> Bool {
    let word = word.lowercased()
    return ["long", "lang", "lent", "prolong", "basal"].contains { word.contains($0) }
  }

  private func glucose(
    in column: TableLayout.Column, _ row: TableRow, _ table: inout RecordTable,
    _ problems: ProblemList
  ) -> Double? {
    let field = row.fields[column.index]
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
    guard marks.isCertain(field, in: column.index, problems) else { return nil }
    guard let number = number(field.text) else {
      problems.error(
        at: field.position, "\"\(field.text)\" is no glucose value. Write a number.")
      return nil
    }
    let stated = layout.unit.flatMap { TableLayout.isMolar(row.text($0)) }
    let isMolar = stated ?? column.isMolar ?? options.isMolar ?? false
    if let unit = layout.unit, !row.text(unit).isEmpty, stated == nil, options.isMolar == nil {
      problems.error(
        at: field.position, "\"\(row.text(unit))\" is no unit of glucose: mg/dL or mmol/L is.")
      return nil
    }
    if statesUnits, stated == nil, column.isMolar == nil, options.isMolar == nil {
      problems.error(
        at: field.position,
        "The unit of \"\(field.text)\" is not stated, as that of other rows is. Write it, or say "
          + "--unit.")
      return nil
    }
    guard isMolar else { return number }
    table.molarValues += 1
    return GlucoseConcentration.recorded(mgdL: GlucoseConcentration.mmolL(number).mgdL).mgdL
  }

  /// Whether a row of a section states a unit of glucose.
  func statesUnits(in section: TableSection) -> Bool {
    guard let unit = section.layout.unit else { return false }
    return section.rows.contains {
      $0.indices.contains(unit) && TableLayout.isMolar($0[unit].text) != nil
    }
  }
}
