import Arguments
import FileSystem
import Foundation
import HealthStore
import HealthStoreSQLite
import Interchange
import Quantities
import StructuredText

/// The forms of other programs' files, on the command line.
enum ExchangeFormat: String, ArgumentValue, CaseIterable {
  case appleHealth = "apple-health"
  case tidepool, nightscout
}

/// Takes samples over from another program's file.
struct StoreImportCommand: Command {
  static let name = "import"
  static let abstract = "Take over samples from Apple Health, Tidepool or Nightscout."
  static let discussion = """
    Reads the export.xml of Apple Health (unpack the archive first; any size), Tidepool's data \
    model in JSON, and dumps of Nightscout in JSON. The store's file is made where there is none. \
    Samples keep their times and sources. Importing the same file twice adds nothing, and what \
    was deleted here does not come back. What is no sample is left out, counted, and named.
    """

  var file = ""
  var input = ""
  var format: ExchangeFormat?
  var types: [TypeWord] = []

  static func describe(_ it: inout Parameters<Self>) {
    it.positional("file", \.file, help: "The health store's file.")
    it.positional("input", \.input, help: "The file to read, or '-' for standard input.")
    it.option("format", \.format, help: "The form of the input; else its content decides.")
    it.option("type", \.types, help: "Only samples of this type; repeatable.")
  }

  func run(to console: any Console) async throws {
    let parts = try Files.parts(of: input)
    let first = try parts()
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
    switch format ?? Self.format(of: first) {
    case .appleHealth: try takeExport(&target, input)
    case .tidepool: try takeDocument(&target, input, isTidepool: true)
    case .nightscout: try takeDocument(&target, input, isTidepool: false)
    }
    target.print(to: console)
  }

  /// XML begins with "<"; Nightscout's documents have an event, a reading or a profile.
  private static func format(of first: [UInt8]) -> ExchangeFormat {
    let text = String(decoding: first.prefix(1 << 16), as: UTF8.self)
    if text.drop(while: { $0.isWhitespace || $0 == "\u{FEFF}" }).first == "<" {
      return .appleHealth
    }
    let marks = ["\"eventType\"", "\"sgv\"", "\"mbg\"", "\"entries\"", "\"defaultProfile\""]
    return marks.contains { text.contains($0) } ? .nightscout : .tidepool
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
    }
    target.report = reader.report
  }

  private func takeDocument(
    _ target: inout ImportTarget, _ input: () throws -> [UInt8], isTidepool: Bool
  ) throws {
    var bytes: [UInt8] = []
    while case let part = try input(), !part.isEmpty {
      bytes += part
      guard bytes.count <= Files.sizeLimit else { throw Files.tooLarge(self.input) }
    }
    let problems = ProblemList()
    let reading = JSONReader.read(bytes, file: self.input)
    problems.add(reading.problems)
    var samples: [RestoredSample]?
    if let root = reading.root, isTidepool {
      var reader = TidepoolReader(file: self.input)
      samples = reader.samples(of: root, problems: problems)
      target.report = reader.report
    } else if let root = reading.root {
      var reader = NightscoutReader(file: self.input) { ZoneWord(argument: $0)?.clock }
      samples = reader.samples(of: root, problems: problems)
      target.report = reader.report
    }
    guard let samples, !problems.hasErrors else {
      throw Failure(.badInput, problems.sorted.map(\.description).joined(separator: "\n"))
    }
    try target.take(samples.filter { chosen?.contains($0.sample.type) ?? true })
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
    for refusal in refusals.prefix(20) {
      console.note("Refused, \(refusal.count) of them: \(refusal.reason)")
    }
    console.print("Added: \(added). Here already, or deleted here: \(passedOver).")
  }
}
