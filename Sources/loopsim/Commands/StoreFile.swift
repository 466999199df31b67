import Arguments
import FileSystem
import FoundationEssentials
import Glibc
import HealthStore
import HealthStoreSQLite
import Quantities
import Reports
import StructuredText
import TimeZones

extension HealthStoreError: ClassifiedError {
  var exitCode: ExitCode { ExitCode(rawValue: processExitCode) ?? .badInput }
}

/// A unit on the command line; `mmol/L` is that of glucose.
struct UnitWord: ArgumentValue {
  var unit: HealthUnit

  init?(argument: String) {
    if argument == "mmol/L" {
      unit = .millimolePerLitre
      return
    }
    guard let unit = try? HealthUnit(argument) else { return nil }
    self.unit = unit
  }

  static var expectation: String? { "a unit as HealthKit writes it, such as mg/dL, IU or mmol/L" }
  var word: String { unit.unitString }
}

/// A type on the command line, by its short name or HealthKit's identifier.
struct TypeWord: ArgumentValue {
  var type: ObjectType

  init(_ type: ObjectType) { self.type = type }

  init?(argument: String) {
    guard let type = ObjectType(name: argument) else { return nil }
    self.type = type
  }

  static var knownWords: [String] {
    ObjectType.allCases.map(\.name) + ObjectType.allCases.map(\.identifier)
  }
  static var expectation: String? {
    "a type of HealthKit's, such as BloodGlucose; 'loopsim store types' lists those of a store"
  }

  var word: String { type.name }
}

/// An instant on the command line: ISO 8601 with an offset, or a date or time without one, which is
/// that of a time zone.
struct InstantWord: ArgumentValue {
  private enum Stated {
    case instant(Instant)
    case local(CivilTime)
  }

  private let stated: Stated
  let word: String

  init?(argument: String) {
    if let instant = Instant(iso8601: argument) {
      stated = .instant(instant)
    } else if let civil = CivilTime(iso8601: argument) {
      stated = .local(civil)
    } else {
      return nil
    }
    word = argument
  }

  /// The instant; a time without an offset is one of a clock.
  func instant(on clock: WallClock) -> Instant {
    switch stated {
    case .instant(let instant): instant
    case .local(let civil): clock.reading(of: civil).instant
    }
  }

  /// What is to be known of a time that a clock shows twice, or not at all; else `nil`.
  func note(on clock: WallClock) -> String? {
    guard case .local(let civil) = stated else { return nil }
    let reading = clock.reading(of: civil)
    let used = clock.iso8601(reading.instant)
    return switch reading {
    case .once: nil
    case .skipped: "The clock skips \(word); the first instant after the gap is used, \(used)."
    case .twice(_, let second):
      "The clock shows \(word) twice; the first is used, \(used). The second is "
        + "\(clock.iso8601(second))."
    }
  }

  /// How an instant is written, for the help of options, where no time zone can be named.
  static let form = "\(examples); without an offset it is UTC"
  /// How an instant is written, for the help of options, beside `--zone`.
  static let formBesideZone = "\(examples); without an offset it is the local time of --zone"
  private static let examples = "such as 2026-01-15T07:00:00-06:00 or 2026-01-15"

  static var expectation: String? { "a time or a date, \(examples)" }
}

extension Console {
  /// Says what is to be known of times on a clock.
  func note(_ words: [InstantWord?], on clock: WallClock) {
    for note in words.compactMap({ $0?.note(on: clock) }) { self.note(note) }
  }
}

/// A day on the command line, such as `2026-01-05`.
struct DayWord: ArgumentValue {
  var day: CivilTime

  init?(argument: String) {
    guard let civil = CivilTime(iso8601: argument), civil.timeOfDay == .midnight else { return nil }
    day = civil
  }

  static var expectation: String? { "a day, such as 2026-01-05" }
  var word: String { day.dateText }

  var components: DayComponents {
    DayComponents(era: 1, year: day.year, month: day.month, day: day.day)
  }
}

/// A time zone on the command line: an IANA name, `UTC`, or an offset such as `+02:00`.
struct ZoneWord: ArgumentValue {
  var clock: WallClock
  let word: String

  static let utc = Self(clock: .utc, word: "UTC")

  private init(clock: WallClock, word: String) { (self.clock, self.word) = (clock, word) }

  init?(argument: String) {
    let clock = ZoneDatabase.wallClock(
      named: argument, from: Instant(secondsSince1970: 0),
      to: Instant(secondsSince1970: 4_000_000_000))
    guard let clock else { return nil }
    self.init(clock: clock, word: argument)
  }

  /// The zone that another program's file names, in whatever case of letters.
  init?(inFile name: String) {
    if let zone = Self(argument: name) {
      self = zone
    } else if let known = ZoneDatabase.name(like: name) {
      self.init(argument: known)
    } else {
      return nil
    }
  }

  static var knownWords: [String] { ["UTC"] + ZoneDatabase.names }
  static var expectation: String? {
    "a name such as Europe/Berlin, UTC, or an offset such as +02:00"
  }
}

/// How a table is printed.
enum StoreFormat: String, ArgumentValue, CaseIterable {
  case text, csv, json
  /// CSV without cells that a spreadsheet would execute.
  case csvSafe = "csv-safe"
}

/// Opening the files of health stores.
enum StoreFile {
  /// The store's file where a folder of results was named, otherwise the file that was named.
  static func inFolder(_ path: String) -> String {
    Files.isFolder(path) == true ? "\(path)/health.sqlite" : path
  }

  /// The store's file that a word means: a file of SQLite's, or a folder with nothing but a store;
  /// `nil` for anything else, such as a scenario or the folder of a run's results.
  static func path(of word: String) -> String? {
    let file = inFolder(word)
    if file != word, unsafe access("\(word)/summary.json", F_OK) == 0 { return nil }
    guard InputFile.isRegular(file), let first = try? InputFile(file).next(upTo: 15)
    else { return nil }
    return first == Array("SQLite format 3".utf8) ? file : nil
  }

  /// Opens a file that exists for reading; a run may be writing to it.
  static func reading(_ path: String) throws -> SQLiteHealthStore {
    let path = inFolder(path)
    try checkExists(path)
    return try SQLiteHealthStore(reading: path)
  }

  /// Opens a store that exists for reading and writing, which nobody else may do meanwhile.
  static func writing(_ path: String) throws -> SQLiteHealthStore {
    let path = inFolder(path)
    try checkExists(path)
    return try SQLiteHealthStore(path: path, durability: .machine, mayBeNew: false)
  }

  static func checkExists(_ path: String) throws {
    guard unsafe access(path, R_OK) == 0 else { throw Files.problem(.read, path, errno) }
  }
}

/// A value in a table that people read aligned and machines exactly.
enum StoreCell {
  case text(String)
  case number(Double)
  case integer(Int)
  /// A number with the text in which people read it.
  case shown(String, Double)
  case nothing

  init(_ text: String?) { self = text.map { .text($0) } ?? .nothing }
  init(_ number: Double?) { self = number.map { .number($0) } ?? .nothing }

  /// For people: numbers with at most four decimals.
  var readable: String {
    if case .shown(let text, _) = self { return text }
    guard case .number(let number) = self else { return exact }
    let rounded = (number * 10_000).rounded() / 10_000
    return number.magnitude < 1e9 ? HealthQuantity.text(of: rounded) : exact
  }

  /// For machines: numbers in the fewest digits that read back equal.
  var exact: String {
    switch self {
    case .text(let text): text
    case .number(let number): HealthQuantity.text(of: number)
    case .integer(let integer): "\(integer)"
    case .shown(_, let number): HealthQuantity.text(of: number)
    case .nothing: ""
    }
  }

  var json: JSONValue {
    switch self {
    case .text(let text): .string(text)
    case .number(let number), .shown(_, let number): .number(number)
    case .integer(let integer): .integer(Int64(integer))
    case .nothing: .null
    }
  }
}

/// A table in the three formats.
struct StoreTable {
  /// The names, as in the tables of a run: `rate_U_per_h`.
  var columns: [String]
  var rows: [[StoreCell]] = []

  /// The name of a column for people: `rate U/h` for `rate_U_per_h`.
  private static func words(_ column: String) -> String {
    column.replacing("_per_", with: "/").replacing("_", with: " ")
  }

  func print(as format: StoreFormat, to console: any Console) {
    switch format {
    case .text:
      let isNumeric = columns.indices.map { column in
        rows.contains { row in
          switch row[column] {
          case .number, .integer, .shown: true
          case .text, .nothing: false
          }
        }
      }
      var table = TerminalTable(
        header: columns.map(Self.words), isNumeric.map { $0 ? .right : .left })
      table.indent = 0
      table.rows = rows.map { $0.map(\.readable) }
      for line in table.lines { console.print(line) }
    case .csv, .csvSafe:
      var writer = CSVWriter(header: columns)
      for row in rows { writer.append(row: row.map(\.exact)) }
      let text = format == .csvSafe ? CSVWriter.withoutFormulas(writer.text) : writer.text
      console.write(text, to: .output)
    case .json:
      let items = rows.map { row in
        JSONValue.object(zip(columns, row).map { .init($0, $1.json) })
      }
      console.printJSON(.array(items))
    }
  }
}
