import Arguments
import HealthStore
import HealthStoreSQLite
import Interchange
import Quantities
import StructuredText

/// Takes a deletion back.
struct StoreRestoreCommand: Command {
  static let name = "restore"
  static let abstract = "Add again what 'store delete' has deleted."
  static let discussion = """
    Give the record that 'store delete' wrote. The samples come back with their times, sources and \
    metadata, under new identities: apps have been told that the old ones are gone.
    """

  var file = ""
  var record = ""

  static func describe(_ it: inout Parameters<Self>) {
    it.positional("file", \.file, help: "The health store's file.")
    it.positional("record", \.record, help: "The record of the deletion.")
  }

  func run(to console: any Console) async throws {
    let parts = try Files.parts(of: record)
    var reader = AppleHealthReader(file: record)
    var samples: [RestoredSample] = []
    do {
      while let next = try reader.next(upTo: 10_000, input: parts) { samples += next }
    } catch let problem as TextProblem {
      throw Failure(.badInput, "\(problem)\nGive the record that 'loopsim store delete' wrote.")
    }
    let outcomes = try restore(samples)
    for warning in reader.report.warnings { console.note("\(warning)") }
    for (restored, outcome) in zip(samples, outcomes) {
      guard case .refused(let fault) = outcome else { continue }
      let sample = restored.sample
      console.note("Refused: \(sample.type), \(SampleWords(sample)): \(fault)")
    }
    let count = outcomes.count { $0 == .added }
    let passed = outcomes.count { $0 == .passedOver }
    console.print("Restored: \(count). Here already, or deleted again: \(passed).")
    guard count + passed > 0 else {
      throw Failure(
        .badInput, "\(record): error: nothing was restored: it holds no sample that could be.")
    }
  }

  /// Adds the samples again; the store is closed before anything is printed.
  private func restore(_ samples: [RestoredSample]) throws -> [RestoreOutcome] {
    var store = try StoreFile.writing(file)
    return try store.restore(samples.map { DeletionRecord.renamed($0) })
  }
}

/// What is kept of a deletion, so that it can be taken back.
enum DeletionRecord {
  /// Writes the record of samples that are about to be deleted, and returns its path.
  static func write(
    _ samples: [RestoredSample], beside path: String, row: Int64, at now: Instant
  ) throws -> String {
    let target = "\(path).deleted-\(row).xml"
    try Files.write(ExportFile.bytes(of: samples, at: now), to: target)
    return target
  }

  /// The sample under the identity that it gets when it is restored.
  static func renamed(_ restored: RestoredSample) -> RestoredSample {
    RestoredSample(renamed(restored.sample), created: restored.created)
  }

  private static func renamed(_ sample: Sample) -> Sample {
    let value: SampleValue =
      if case .correlation(let members) = sample.value {
        .correlation(members.map { renamed($0) })
      } else {
        sample.value
      }
    return Sample(
      restoring: SampleUUID(named: ["restored", "\(sample.uuid)"]), type: sample.type,
      start: sample.start, end: sample.end, value: value, device: sample.device,
      metadata: sample.metadata, sourceRevision: sample.sourceRevision)
  }
}
