import Arguments
import HealthStore
import HealthStoreSQLite
import Interchange
import Quantities
import StructuredText

/// Writes samples in the form of another program.
struct StoreExportCommand: Command {
  static let name = "export"
  static let abstract = "Write samples as Apple Health, Tidepool or Nightscout have them."
  static let discussion = """
    'apple-health' writes an export.xml that Apple's own readers understand, with all samples; \
    'store import' gets an equal store out of it. 'tidepool' writes the JSON that Tidepool's \
    uploader sends, and 'nightscout' the JSON that Loop's service for Nightscout sends, with \
    glucose, insulin and carbohydrates.
    """

  /// The forms that are written.
  enum Format: String, ArgumentValue, CaseIterable {
    case appleHealth = "apple-health"
    case tidepool, nightscout
  }

  var file = ""
  var output = "-"
  var format = Format.appleHealth
  var types: [TypeWord] = []

  static func describe(_ it: inout Parameters<Self>) {
    it.positional("file", \.file, help: "The health store's file.")
    it.positional("output", \.output, isRequired: false, help: "The file to write, or '-'.")
    it.option("format", \.format, help: "The form of the output.")
    it.option("type", \.types, help: "Only samples of this type; repeatable.")
  }

  func run(to console: any Console) async throws {
    try Files.keep([StoreFile.inFolder(file)], apartFrom: [output])
    try ResultNames.keep(besides: [StoreFile.inFolder(file)], apartFrom: output)
    let store = try StoreFile.reading(file)
    let count: Int
    if output == "-" {
      count = try write(store, console) {
        console.write(String(decoding: $0, as: UTF8.self), to: .output)
      }
    } else {
      var written = 0
      try Files.write(to: output) { part in written = try write(store, console, part) }
      count = written
    }
    console.note("\(WordList.counted(count, "sample")) written.")
    let missing = try (chosen ?? []).filter {
      try !$0.isSampleType || store.latestSample(of: $0, as: .user) == nil
    }
    if !missing.isEmpty {
      console.note("The store has no sample of \(WordList.text(missing.map(\.name), atMost: 8)).")
    }
  }

  /// The types that are named, each once; `nil` where none is.
  private var chosen: [ObjectType]? {
    var named: Set<ObjectType> = []
    return types.isEmpty ? nil : types.map(\.type).filter { named.insert($0).inserted }
  }

  private func write(
    _ store: SQLiteHealthStore, _ console: any Console, _ part: ([UInt8]) throws -> Void
  ) throws -> Int {
    let wanted = chosen ?? ObjectType.allCases
    switch format {
    case .appleHealth: return try ExportFile.write(store, wanted, part)
    case .tidepool:
      var writer = TidepoolWriter(file: file)
      for restored in try store.allSamples(of: wanted) { writer.append(restored.sample) }
      try part(writer.bytes)
      return count(writer.report, console)
    case .nightscout:
      var writer = NightscoutWriter(file: file)
      for restored in try store.allSamples(of: wanted) { writer.append(restored.sample) }
      try part(writer.bytes)
      return count(writer.report, console)
    }
  }

  /// Says what was left out, and returns how many samples were written.
  private func count(_ report: ImportReport, _ console: any Console) -> Int {
    for omission in report.omissions {
      let amounts = omission.amountWords.map { " (\($0))" } ?? ""
      console.note("Left out, \(omission.count) of them\(amounts): \(omission.reason).")
    }
    return report.types.reduce(0) { $0 + $1.samples }
  }
}

/// Writing exports of Apple Health.
enum ExportFile {
  /// Writes the samples of some types part by part, and returns how many.
  static func write(
    _ store: SQLiteHealthStore, _ types: [ObjectType], _ part: ([UInt8]) throws -> Void
  ) throws -> Int {
    let characteristics = store.registry.characteristics.map { (type: $0.type, value: $0.value) }
    var count = 0
    var latest = Instant(secondsSince1970: 0)
    for type in types where type.isSampleType {
      if let sample = try store.latestSample(of: type, as: .user),
        !sample.hasUndeterminedDuration
      {
        latest = max(latest, sample.end)
      }
    }
    var writer = AppleHealthWriter(exportedAt: latest, characteristics: characteristics)
    for type in types {
      for restored in try store.allSamples(of: [type], besides: types) {
        writer.append(restored)
        count += 1
        if count.isMultiple(of: 1_000) { try part(writer.takeBytes()) }
      }
    }
    writer.finish()
    try part(writer.takeBytes())
    return count
  }

  /// An export of some samples alone.
  static func bytes(of samples: [RestoredSample], at instant: Instant) -> [UInt8] {
    var writer = AppleHealthWriter(exportedAt: instant, characteristics: [])
    for sample in samples { writer.append(sample) }
    writer.finish()
    return writer.takeBytes()
  }
}
