public import Interchange
public import Outcomes
public import Quantities
public import StructuredText

/// Reads series of glucose from a table, one for each person in it.
///
/// Which tables are read is said at `RecordTable`.
public struct GlucoseTable: Sendable {
  /// The glucose of one person.
  public struct Person: Sendable {
    /// The name of the person in the table; `nil` where it has no column of people.
    public var name: String?
    /// The readings.
    public var series: GlucoseSeries
    /// The name of the column that was measured, as the table has it; several, separated by
    /// commas, where a program writes glucose to more than one.
    public var column: String
    /// The unit in which most glucose of the table is written, whatever the readings are kept in.
    public var unit: GlucoseUnit
    /// What is to be known of the readings, which belongs to every answer.
    public var notes: [String]
  }

  private let options: RecordTable.Options
  private let source: Metric.Source?
  private let clock: WallClock?

  /// Creates a reader; columns that are not named are found by their usual names.
  ///
  /// The unit is that of the column's name or of a column of units, else the one that is said here,
  /// else mg/dL. Of the timeline of a run, which holds both, the true glucose is measured, as the
  /// run itself does, or what `source` says. Where a clock is given, times of
  /// the wall are its, also in an hour that it shows twice, and those that state their offset from
  /// UTC are shown by it.
  public init(
    timeColumn: String? = nil, glucoseColumn: String? = nil, isMolar: Bool? = nil,
    personColumn: String? = nil, dateOrder: DateOrder? = nil,
    source: Metric.Source? = nil, clock: WallClock? = nil
  ) {
    self.source = source
    self.clock = clock
    options = RecordTable.Options(
      timeColumn: timeColumn, glucoseColumn: glucoseColumn, personColumn: personColumn,
      isMolar: isMolar, dateOrder: dateOrder)
  }

  /// Reads the table of one person; several people in it are an error.
  public func series(_ bytes: [UInt8], file: String, problems: ProblemList) -> GlucoseSeries? {
    guard let people = people(bytes, file: file, problems: problems) else { return nil }
    guard people.count < 2 else {
      problems.error(
        at: TextPosition(file: file, line: 1, column: 1),
        "The table holds \(people.count) people; one was expected.")
      return nil
    }
    return people.first?.series ?? GlucoseSeries([])
  }

  /// Reads a table; rows without a value are gaps, and rows that cannot be read are reported.
  ///
  /// Readings of a sensor are taken; those of a meter only where there are no others. What was left
  /// out, and values that stand for ones outside the sensor's range, are notes. Times with an
  /// offset from UTC are taken as what the wall clock showed, unless a clock is given; that all are
  /// in UTC, as programs write them wherever a person is, is a note.
  public func people(_ bytes: [UInt8], file: String, problems: ProblemList) -> [Person]? {
    var options = options
    let isTimeline = Self.isTimeline(bytes)
    if options.glucoseColumn == nil {
      if isTimeline {
        options.glucoseColumn = Self.timelineColumn(source ?? .truth)
      } else if let source {
        problems.error(
          at: TextPosition(file: file, line: 1, column: 1),
          "Only the timeline of a run has columns of true and of CGM glucose, so that "
            + "\"\(source.rawValue)\" chooses nothing here. Name the column with --glucose.")
        return nil
      }
    }
    guard
      let table = RecordTable.read(bytes, file: file, options: options, problems: problems)
    else { return nil }
    // A run has a clock of its own.
    let isOfUTC =
      !isTimeline && clock == nil && table.rows.contains { $0.isOfSensor || $0.isOfMeter }
      && table.rows.allSatisfy { $0.offset == .zero }
    let whole = note(table, isOfUTC: isOfUTC, file: file, problems)
    let reading = table.people.count > 1 ? whole.map { Self.ofWholeTable + $0 } : whole
    return table.people.map { name in
      let rows = table.rows.filter { $0.person == name }
      // A meter's readings are taken only where there are no others.
      let names =
        rows.contains(where: \.isOfSensor) || table.meterColumns.isEmpty
        ? table.glucoseColumns : table.meterColumns
      let read =
        clock.map { Self.series(rows, of: table, on: $0, problems) } ?? Self.series(rows)
      return Person(
        name: name, series: read.series, column: names.joined(separator: ", "),
        unit: table.glucoseUnit,
        notes: reading + read.notes)
    }.filter { !$0.series.isEmpty || table.people.count == 1 }
  }

  /// Whether a table is the timeline of a run, which has both kinds of glucose.
  public static func isTimeline(_ bytes: [UInt8]) -> Bool {
    let header = String(decoding: bytes.prefix { $0 != 0x0a && $0 != 0x0d }, as: UTF8.self)
    let names = header.split(separator: ",").map(String.init)
    return Metric.Source.allCases.allSatisfy { names.contains(timelineColumn($0)) }
  }

  /// How a note begins that is of all people of a table.
  package static let ofWholeTable = "In the whole table: "

  /// What is said of a table whose times are all in UTC.
  private static let inUTC =
    "All times are in UTC, and days and nights are taken as those of UTC. Name the person's time "
    + "zone with --zone."

  /// The most people without a reading that are named.
  private static let mostNamed = 10

  private static func timelineColumn(_ source: Metric.Source) -> String {
    switch source {
    case .truth: "glucose_true_mgdL"
    case .cgm: "glucose_cgm_mgdL"
    }
  }

  /// Notes what was left out of a table and what values stand for, and gives it in words.
  private func note(
    _ table: RecordTable, isOfUTC: Bool, file: String, _ problems: ProblemList
  ) -> [String] {
    let top = TextPosition(file: file, line: 1, column: 1)
    var found: [(sentence: String, place: TextPosition)] = []
    if isOfUTC { found.append((Self.inUTC, top)) }
    if table.lows + table.highs > 0 {
      found.append(
        (
          "\(WordList.counted(table.lows, "value", "is")) \"Low\" and "
            + "\(table.highs) \"High\"; they count as 39 and 401 mg/dL.", top
        ))
    }
    let meters = table.rows.count(where: \.isOfMeter)
    let sensors = table.rows.count(where: \.isOfSensor)
    if meters > 0, sensors > 0 {
      found.append(("\(WordList.counted(meters, "reading")) of a meter left out.", top))
    }
    for omission in table.report.omissions
    where table.program != "table" || !RecordTable.gaps.contains(omission.reason) {
      found.append(
        (
          "\(WordList.counted(omission.count, "row")) left out: \(omission.words).",
          omission.first ?? top
        ))
    }
    let measured = table.rows.lazy.filter { $0.isOfSensor || $0.isOfMeter }.compactMap(\.person)
    let missing = table.namedPeople.subtracting(measured).sorted()
    if !missing.isEmpty, missing.count < table.namedPeople.count {
      let names = WordList.text(missing, atMost: Self.mostNamed)
      found.append(("The table has no reading of glucose of \(names).", top))
    }
    for remark in table.report.remarks where remark.reason == RecordTable.idleOrder {
      found.append(
        (
          "\(WordList.counted(remark.count, "row", "has")) \(remark.reason).", remark.first ?? top
        ))
    }
    for note in found { problems.note(at: note.place, note.sentence) }
    return found.map(\.sentence)
  }

  /// The readings of a sensor, or those of a meter where there are no others.
  private static func measured(_ rows: [RecordTable.Row]) -> [RecordTable.Row] {
    let sensor = rows.filter(\.isOfSensor)
    return sensor.isEmpty ? rows.filter(\.isOfMeter) : sensor
  }

  /// The readings by a clock on the wall, and what is to be known of their times.
  private static func series(
    _ rows: [RecordTable.Row], of table: RecordTable, on clock: WallClock,
    _ problems: ProblemList
  ) -> (series: GlucoseSeries, notes: [String]) {
    var own = table
    own.rows = measured(rows)
    let timed = own.timed(on: clock)
    let points = timed.compactMap { row, instant in
      row.value.mgdL.map { GlucoseSeries.Point(instant, mgdL: $0) }
    }
    let told = [RecordTable.shownTwice, RecordTable.skipped]
    let notes = own.report.remarks.filter { told.contains($0.reason) }.map { remark in
      let sentence = "\(WordList.counted(remark.count, "row", "has")) \(remark.reason)."
      if let place = remark.first { problems.note(at: place, sentence) }
      return sentence
    }
    return (GlucoseSeries(points, clock: clock), notes + DevicePair.sentences(on: timed))
  }

  /// The readings as their times are written, and what is to be known of who took them.
  private static func series(
    _ rows: [RecordTable.Row]
  ) -> (series: GlucoseSeries, notes: [String]) {
    var points: [GlucoseSeries.Point] = []
    var timed: [(row: RecordTable.Row, instant: Instant)] = []
    var offsets: [(instant: Instant, offset: TimeSpan)] = []
    for row in measured(rows) {
      guard let mgdL = row.value.mgdL else { continue }
      let offset = row.offset ?? .zero
      let instant = Instant(
        millisecondsSince1970: row.time.millisecondsSince1970 - offset.milliseconds)
      points.append(.init(instant, mgdL: mgdL))
      timed.append((row, instant))
      offsets.append((instant, offset))
    }
    // A table may begin with its newest reading: an offset holds from the earliest that has it.
    offsets.sort { $0.instant < $1.instant }
    let changes = offsets.indices.dropFirst().filter {
      offsets[$0].offset != offsets[$0 - 1].offset
    }
    let clock = WallClock(
      initialOffset: offsets.first?.offset ?? .zero,
      transitions: changes.map { .init(instant: offsets[$0].instant, offset: offsets[$0].offset) })
    return (GlucoseSeries(points, clock: clock), DevicePair.sentences(on: timed))
  }
}
