public import Quantities
public import StructuredText

/// A table of what happened, as vendors' programs and researchers write it.
///
/// Read are the CSV exports of ``programs``, our own tables, and any table with a column of times
/// and one of glucose. Columns may be separated by commas, semicolons or tabs; numbers may have
/// decimal commas; days may stand first; `Low` and `High` stand for values outside the sensor's
/// range.
public struct RecordTable: Sendable {
  /// The programs whose tables are known, as a sentence names them.
  public static let programs =
    "Dexcom Clarity, LibreView, CareLink, t:connect, Glooko, Tidepool, Eversense and xDrip"

  /// What a row says.
  public enum Value: Hashable, Sendable {
    /// Glucose in mg/dL of a sensor.
    case glucose(Double)
    /// Glucose in mg/dL of a meter.
    case meter(Double)
    /// A bolus or an injection of rapid-acting insulin, in units.
    case bolus(Double)
    /// Long-acting insulin, in units.
    case longActing(Double)
    /// What a pump gave as basal over the time of the row, in units.
    case basal(Double, kind: BasalKind)
    /// Carbohydrates in grams.
    case carbohydrates(Double)

    /// The glucose in mg/dL; `nil` for insulin and food.
    package var mgdL: Double? {
      switch self {
      case .glucose(let mgdL), .meter(let mgdL): mgdL
      default: nil
      }
    }
  }

  /// What ran when a pump gave basal.
  public enum BasalKind: Hashable, Sendable {
    /// The schedule, or what a loop made of it.
    case scheduled
    /// A temp basal.
    case temp
    /// Nothing, as delivery was suspended.
    case suspended
  }

  /// One thing that happened.
  public struct Row: Hashable, Sendable {
    /// The date and time on the wall clock.
    public var time: CivilTime
    /// What the wall clock was ahead of UTC, where the table says so.
    public var offset: TimeSpan?
    /// Until when insulin was given, on the wall clock; `nil` for what was given at once.
    public var end: CivilTime?
    /// What the wall clock was ahead of UTC at the end, where the table says so.
    public var endOffset: TimeSpan?
    /// How long basal ran; `nil` for what is no basal.
    public var duration: TimeSpan?
    /// Whose it is, where the table holds several people.
    public var person: String?
    /// The device that measured or was used, where the table names it.
    public var device: String?
    /// What happened.
    public var value: Value
    /// Where the row stands.
    public var position: TextPosition
  }

  /// What the caller knows of a table.
  public struct Options: Hashable, Sendable {
    /// The name of the column of times; `nil` to find it.
    public var timeColumn: String?
    /// The name of the column of glucose; `nil` to find it.
    public var glucoseColumn: String?
    /// The name of the column of people; `nil` to find it.
    public var personColumn: String?
    /// Whether glucose is in mmol/L where the table does not say its unit.
    public var isMolar: Bool?
    /// Whether day or month come first; `nil` to find out.
    public var dateOrder: DateOrder?

    /// Creates a `Options` from its parts; see the properties.
    public init(
      timeColumn: String? = nil, glucoseColumn: String? = nil, personColumn: String? = nil,
      isMolar: Bool? = nil, dateOrder: DateOrder? = nil
    ) {
      self.timeColumn = timeColumn
      self.glucoseColumn = glucoseColumn
      self.personColumn = personColumn
      self.isMolar = isMolar
      self.dateOrder = dateOrder
    }
  }

  /// The program that wrote the table.
  public var program: String
  /// The names of the columns of glucose, as the header has them; without those of meters.
  public var glucoseColumns: [String] = []
  /// The names of the columns of meters' glucose.
  public var meterColumns: [String] = []
  /// The rows in the order of the file.
  public var rows: [Row] = []
  /// Where words stand for values below the sensor's range.
  var lowPlaces: [TextPosition] = []
  /// Where words stand for values above the sensor's range.
  var highPlaces: [TextPosition] = []
  /// How many values stood for ones below the sensor's range.
  public var lows: Int { lowPlaces.count }
  /// How many readings were above the sensor's range.
  public var highs: Int { highPlaces.count }
  /// How many values of glucose are written in mmol/L.
  var molarValues = 0
  /// What came of the rows.
  public var report: ImportReport

  /// The names of people in the table, also of those of whom nothing is read.
  public internal(set) var namedPeople: Set<String> = []

  /// The people of the table in the order of their first rows; one without a name where the table
  /// has no column of people.
  public var people: [String?] {
    var people: [String?] = []
    var seen: Set<String?> = []
    for row in rows where seen.insert(row.person).inserted { people.append(row.person) }
    return people
  }

  /// The unit in which most glucose of the table is written; mg/dL where it has none.
  public var glucoseUnit: GlucoseUnit {
    2 * molarValues > rows.count { $0.value.mgdL != nil }
      ? .millimolesPerLitre : .milligramsPerDecilitre
  }

  /// Why rows of a table of glucose are left out that are gaps.
  public static let gaps: Set = [withoutGlucose, withoutValue]
  /// What is to be known of records where the order of dates that is said changes none.
  public static let idleOrder =
    "a date that --dates does not change, as it can be read in one way alone"
  static let withoutGlucose = "rows without glucose"
  static let withoutValue = "rows without a value"

  /// The values that stand for glucose below and above what a sensor shows, in mg/dL.
  static let belowRange = 39.0
  static let aboveRange = 401.0

  /// Reads a table.
  ///
  /// Rows that cannot be read are reported as errors with their places; rows that hold something
  /// else are counted in the report. Returns nothing where the table is none that is known.
  public static func read(
    _ bytes: [UInt8], file: String, options: Options = Options(), problems: ProblemList
  ) -> RecordTable? {
    let top = TextPosition(file: file, line: 1, column: 1)
    if let sentence = UnreadableFile.sentence(of: bytes) ?? UnreadableFile.logSentence(of: bytes) {
      problems.error(at: top, sentence)
      return nil
    }
    let separator = separator(of: bytes, options)
    var reader = CSVReader(bytes, file: file, separator: separator)
    var fields: [[CSVReader.Field]] = []
    while let row = reader.next() { fields.append(row) }
    problems.add(reader.problems)
    guard !fields.isEmpty, reader.problems.isEmpty else {
      if reader.problems.isEmpty {
        problems.error(at: top, "The table is empty; its first line must name the columns.")
      }
      return nil
    }
    func table(_ layout: TableLayout, under header: Int) -> RecordTable? {
      assert(fields.indices.contains(header), "The table has the line that names its columns.")
      let sections = TableSection.all(of: fields, layout, under: header)
      let reading = TableReading(
        layout: (sections.first { $0.layout.columns.contains(where: \.isGlucose) } ?? sections[0])
          .layout, options: options, separator: separator, file: file)
      var table = reading.table(sections, problems)
      table?.glucoseColumns = sections.flatMap { $0.glucoseNames(ofMeters: false) }
      table?.meterColumns = sections.flatMap { $0.glucoseNames(ofMeters: true) }
      return table
    }
    return layout(of: fields, options, problems).flatMap { table($0.layout, under: $0.header) }
  }

  /// The layout of a table, and which of its lines names the columns.
  static func layout(
    of fields: [[CSVReader.Field]], _ options: Options, _ problems: ProblemList
  ) -> (layout: TableLayout, header: Int)? {
    for (index, header) in fields.prefix(60).enumerated() {
      if let layout = TableLayout.known(header, at: index, options) { return (layout, index) }
    }
    // Lines about the export may stand above the header.
    let header = fields.prefix(60).firstIndex { TableLayout.isHeader($0, options) } ?? 0
    return TableLayout.plain(fields[header], options, problems).map { ($0, header) }
  }

  /// The byte that separates most fields in one of the first lines, of those by which a line is
  /// one of names of columns: a note in a row may have more commas than the table has columns.
  static func separator(of bytes: [UInt8], _ options: Options = Options()) -> UInt8 {
    let candidates = [UInt8(ascii: ","), UInt8(ascii: ";"), 0x09]
    var most = [0, 0, 0]
    var lines = 0
    var length = 0
    var counts = [0, 0, 0]
    var isQuoted = false
    for byte in bytes {
      length += 1
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      if !isQuoted, let index = candidates.firstIndex(of: byte) { counts[index] += 1 }
      guard byte == 0x0a || byte == 0x0d else { continue }
      most = zip(most, counts).map(max)
      counts = [0, 0, 0]
      lines += 1
      if lines > 40 { break }
    }
    most = zip(most, counts).map(max)
    let beginning = Array(bytes.prefix(length))
    let ranked = candidates.indices.sorted { (-most[$0], $0) < (-most[$1], $1) }
      .filter { most[$0] > 0 }.map { candidates[$0] }
    return ranked.first { namesColumns(beginning, separatedBy: $0, options) } ?? ranked.first
      ?? candidates[0]
  }

  /// Whether one of the first lines of a table names its columns, when they are separated so.
  private static func namesColumns(
    _ beginning: [UInt8], separatedBy separator: UInt8, _ options: Options
  ) -> Bool {
    var reader = CSVReader(beginning, file: "table", separator: separator)
    var line = 0
    while let row = reader.next() {
      if TableLayout.known(row, at: line, options) != nil || TableLayout.isHeader(row, options) {
        return true
      }
      line += 1
    }
    return false
  }
}
