public import Outcomes
internal import Quantities
public import StructuredText

/// Reads glucose from a table: a column of times and one of values.
public struct GlucoseTable: Sendable {
  /// The names of columns that are looked for, in this order, when none is named.
  public static let timeColumns = ["time", "timestamp", "datetime", "date", "start"]
  public static let glucoseColumns = [
    "glucose_mgdl", "glucose", "cgm_mgdl", "cgm", "true_mgdl", "sgv", "bg", "value",
    "glucose_mmoll",
  ]

  private let timeColumn: String?
  private let glucoseColumn: String?
  private let isMolar: Bool?

  /// Creates a reader; columns that are not named are found by their usual names.
  ///
  /// Without a stated unit, a column that ends in `mmoll` holds mmol/L and any other mg/dL.
  public init(timeColumn: String? = nil, glucoseColumn: String? = nil, isMolar: Bool? = nil) {
    self.timeColumn = timeColumn
    self.glucoseColumn = glucoseColumn
    self.isMolar = isMolar
  }

  /// Reads a table; rows without a value are gaps, and rows that cannot be read are reported.
  ///
  /// Times are ISO 8601. Times with an offset from UTC are taken as what the wall clock showed.
  public func series(_ bytes: [UInt8], file: String, problems: ProblemList) -> GlucoseSeries? {
    guard let table = CSVTable(bytes, file: file, problems: problems),
      let time = column(timeColumn, among: Self.timeColumns, of: table, "times", problems),
      let glucose = column(
        glucoseColumn, among: Self.glucoseColumns, of: table, "glucose", problems)
    else { return nil }
    let molar = isMolar ?? table.header[glucose].text.lowercased().hasSuffix("mmoll")
    var points: [GlucoseSeries.Point] = []
    var offsets: [(instant: Instant, offset: TimeSpan)] = []
    for row in table.rows where !row[glucose].text.isEmpty {
      guard let moment = LocalMoment(row[time].text) else {
        problems.error(
          at: row[time].position,
          "\"\(row[time].text)\" is no time. Write one such as 2026-01-05T12:00:00.")
        continue
      }
      guard let value = Double(row[glucose].text), value.isFinite else {
        problems.error(
          at: row[glucose].position, "\"\(row[glucose].text)\" is no glucose value. Write a number."
        )
        continue
      }
      points.append(
        .init(moment.instant, mgdL: molar ? GlucoseConcentration.mmolL(value).mgdL : value))
      if offsets.last?.offset != moment.offset { offsets.append((moment.instant, moment.offset)) }
    }
    let clock = WallClock(
      initialOffset: offsets.first?.offset ?? .zero,
      transitions: offsets.dropFirst().map { .init(instant: $0.instant, offset: $0.offset) })
    return GlucoseSeries(points, clock: clock)
  }

  private func column(
    _ named: String?, among usual: [String], of table: CSVTable, _ what: String,
    _ problems: ProblemList
  ) -> Int? {
    let names = table.header.map { $0.text.lowercased() }
    if let named {
      if let index = names.firstIndex(of: named.lowercased()) { return index }
    } else if let found = usual.first(where: names.contains) {
      return names.firstIndex(of: found)
    }
    let position = table.header.first?.position ?? TextPosition(file: "", line: 1, column: 1)
    let heads = table.header.map(\.text).joined(separator: ", ")
    problems.error(
      at: position,
      named.map {
        "There is no column \"\($0)\"." + NearestName.suggestion(for: $0, among: names)
      } ?? "No column of \(what) is known among \(heads). Name it.")
    return nil
  }
}

/// A moment as a table writes it, with what the wall clock was ahead of UTC.
private struct LocalMoment {
  var instant: Instant
  var offset: TimeSpan

  /// Reads `2026-01-05T12:00:00`, with a blank for the `T` and with `Z` or `+02:00` at the end.
  init?(_ text: String) {
    let words = text.split(maxSplits: 1, omittingEmptySubsequences: false) {
      $0 == "T" || $0 == " "
    }
    guard words.count == 2 else { return nil }
    let numbers = words[0].split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
    guard numbers.count == 3, let year = numbers[0], let month = numbers[1], let day = numbers[2],
      (1_900...2_500).contains(year)
    else { return nil }
    let clock = words[1].prefix { $0.isNumber || $0 == ":" || $0 == "." }
    guard let time = TimeOfDay(clock), let offset = Self.offset(words[1].dropFirst(clock.count))
    else { return nil }
    let civil = CivilTime(year: year, month: month, day: day, timeOfDay: time)
    guard civil.isValid else { return nil }
    self.offset = offset
    instant = Instant(
      millisecondsSince1970: civil.millisecondsSince1970 - offset.milliseconds)
  }

  private static func offset(_ text: Substring) -> TimeSpan? {
    if text.isEmpty || text == "Z" { return .zero }
    guard let sign = text.first, sign == "+" || sign == "-" else { return nil }
    let digits = text.dropFirst().filter { $0 != ":" }
    guard digits.utf8.count == 4, let number = Int(digits), number % 100 < 60, number <= 1_800
    else { return nil }
    let span = TimeSpan.minutes(Int64(number / 100 * 60 + number % 100))
    return sign == "-" ? -span : span
  }
}
