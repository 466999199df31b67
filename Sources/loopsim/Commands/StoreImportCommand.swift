import Arguments
import FileSystem
import Foundation
import HealthStore
import HealthStoreSQLite
import Interchange
import Quantities
import StructuredText

/// Takes samples over from another program's file.
struct StoreImportCommand: Command {
  static let name = "import"
  static let abstract = "Take over samples from Apple Health, Tidepool, Nightscout or tables."
  static let discussion = """
    Reads the export.xml of Apple Health (unpack the archive first; any size), Tidepool's data \
    model in JSON, dumps of Nightscout and histories of oref in JSON, and the CSV exports of \
    Dexcom Clarity, LibreView, CareLink, Tidepool, Eversense and xDrip. The store's file is made \
    where there is none. Samples keep their times and sources. Importing the same file twice adds \
    nothing, and what was deleted here does not come back. What is no sample is left out, counted, \
    and named, and insulin and carbohydrates are reconciled: what the file states, what was taken \
    over, and every difference with its reason.
    """

  var file = ""
  var input = ""
  var format: ExchangeFormat?
  var types: [TypeWord] = []
  var report: String?
  var zone: ZoneWord?
  var dates: DateWord?
  var unit: TableUnit?

  static func describe(_ it: inout Parameters<Self>) {
    it.positional("file", \.file, help: "The health store's file.")
    it.positional("input", \.input, help: "The file to read, or '-' for standard input.")
    it.option(
      "report", \.report, valueName: "file", help: "Write what came of the records as JSON.")
    it.option("format", \.format, help: "The form of the input; else its content decides.")
    it.option("zone", \.zone, help: "The time zone of a table whose times have none.")
    it.option("dates", \.dates, help: "Whether 03/04/2026 begins with the day or the month.")
    it.option(
      "unit", \.unit, help: "The unit of glucose in a table; else the table's own, or mg/dL.")
    it.option("type", \.types, help: "Only samples of this type; repeatable.")
  }

  func run(to console: any Console) async throws {
    let parts = try Files.parts(of: input)
    let first = try parts()
    guard !first.isEmpty else { throw Failure(.badInput, "\(input): the file is empty.") }
    let isNew = unsafe access(file, F_OK) != 0
    do {
      try take(first, then: parts, console)
    } catch {
      if isNew { removeEmptyStore() }
      throw error
    }
  }

  private func take(
    _ first: [UInt8], then parts: @escaping () throws -> [UInt8], _ console: any Console
  ) throws {
    var target = try ImportTarget(file)
    var waiting: [UInt8]? = first
    let input: () throws -> [UInt8] = {
      defer { waiting = nil }
      return try waiting ?? parts()
    }
    let format = try format ?? ExchangeFormat(of: first, file: self.input)
    if format == .appleHealth {
      try takeExport(&target, input)
    } else {
      try takeDocument(&target, input, as: format)
    }
    target.print(to: console)
    if let report { try Files.write(JSONWriter().text(target.json), to: report) }
  }

  private var chosen: Set<ObjectType>? { types.isEmpty ? nil : Set(types.map(\.type)) }

  private func takeExport(
    _ target: inout ImportTarget, _ input: () throws -> [UInt8]
  ) throws {
    var reader = AppleHealthReader(file: self.input, types: chosen)
    do {
      while let samples = try reader.next(upTo: 10_000, input: input) {
        try target.take(samples)
      }
    } catch let problem as TextProblem {
      throw Failure(.badInput, "\(problem)\n\(target.added) samples before it were taken over.")
    }
    for (type, value) in reader.characteristics where chosen == nil {
      try target.store.setCharacteristic(type, to: value)
      target.facts += 1
    }
    target.report = reader.report
  }

  private func takeDocument(
    _ target: inout ImportTarget, _ input: () throws -> [UInt8], as format: ExchangeFormat
  ) throws {
    var bytes: [UInt8] = []
    while case let part = try input(), !part.isEmpty {
      bytes += part
      guard bytes.count <= Files.sizeLimit else { throw Files.tooLarge(self.input) }
    }
    let options = RecordOptions(zone: zone, dates: dates?.order, unit: unit, types: chosen)
    let read = try RecordInput(file: self.input, options: options).samples(of: bytes, as: format)
    target.report = read.report
    try target.take(read.samples)
  }

  /// Removes a file that was made for an import of which nothing came.
  private func removeEmptyStore() {
    do throws(HealthStoreError) {
      guard try SQLiteHealthStore(reading: file).lastRow == 0 else { return }
    } catch {
      guard case .notAHealthStore = error else { return }
    }
    for ending in ["", "-wal", "-shm", "-journal"] {
      try? FileCalls.remove(file + ending)
    }
  }
}

/// The store that an import fills, and what came of it.
struct ImportTarget {
  var store: SQLiteHealthStore
  var report: ImportReport?
  /// How many facts about the user were taken over, such as the date of birth.
  var facts = 0
  private(set) var added = 0
  private var passedOver = 0
  private var refusals: [(reason: String, count: Int)] = []

  init(_ path: String) throws { store = try SQLiteHealthStore(path: path) }

  mutating func take(_ samples: [RestoredSample]) throws {
    var rest = samples[...]
    while !rest.isEmpty {
      for outcome in try store.restore(Array(rest.prefix(10_000))) {
        switch outcome {
        case .added: added += 1
        case .passedOver: passedOver += 1
        case .refused(let fault): refuse("\(fault)")
        }
      }
      rest = rest.dropFirst(10_000)
    }
  }

  private mutating func refuse(_ reason: String) {
    if let index = refusals.firstIndex(where: { $0.reason == reason }) {
      refusals[index].count += 1
    } else {
      refusals.append((reason, 1))
    }
  }

  /// What came of the records, and of the samples in the store.
  var json: JSONValue {
    var members: [JSONValue.Member] = []
    if case .object(let own)? = report?.json { members = own }
    members.append(
      .init(
        "store",
        [
          "added": .integer(Int64(added)), "known": .integer(Int64(passedOver)),
          "facts": .integer(Int64(facts)),
          "refused": .array(
            refusals.map { ["reason": .string($0.reason), "count": .integer(Int64($0.count))] }),
        ]))
    return .object(members)
  }

  func print(to console: any Console) {
    var table = StoreTable(columns: ["type", "read", "first", "last", "sources"])
    for count in report?.types ?? [] {
      table.rows.append([
        .text(count.type.name), .integer(count.samples), .text("\(count.first)"),
        .text("\(count.last)"), .text(count.sources.joined(separator: ", ")),
      ])
    }
    if !table.rows.isEmpty { table.print(as: .text, to: console) }
    for warning in report?.warnings ?? [] { console.note("\(warning)") }
    for line in report?.account.lines ?? [] { console.note(line) }
    if facts > 0 { console.note("Facts about the person, taken over: \(facts).") }
    for refusal in refusals.prefix(20) {
      console.note("Refused, \(refusal.count) of them: \(refusal.reason)")
    }
    console.print("Added: \(added). Here already, or deleted here: \(passedOver).")
  }
}
