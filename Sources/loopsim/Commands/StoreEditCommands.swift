import Arguments
import Determinism
import FileSystem
import HealthStore
import HealthStoreSQLite
import Quantities
import Reports
import StructuredText

/// Deletes samples as the user.
struct StoreDeleteCommand: Command {
  static let name = "delete"
  static let abstract = "Delete samples of any source, as in the health app."
  static let discussion = """
    Deleting insulin is risky: it lowers the insulin on board that Loop reckons with, so that Loop \
    may deliver insulin that is not needed. A dose that is still in Loop's event history comes \
    back with the next cycle; to be rid of it, delete it in both places. For insulin that was not \
    absorbed, rather open the loop for three to six hours. What is deleted is printed, and kept in \
    a record beside the file, from which 'loopsim store restore' adds it again; a nutrient of a \
    meal that stays comes back as a sample of its own.
    """

  var file = ""
  var uuids: [String] = []
  var time: InstantWord?

  static func describe(_ it: inout Parameters<Self>) {
    it.positional("file", \.file, help: "The health store's file.")
    it.positional("uuids", \.uuids, help: "The identities of the samples.")
    it.option(
      "at", \.time, valueName: "time", help: "The time of deletion; else the end of the last.")
  }

  func run(to console: any Console) async throws {
    let (samples, record, effect) = try deleteSamples()
    var table = StoreTable(columns: OutputGuide.storeDeleted.map(\.name))
    for sample in samples { table.rows.append(row(of: sample)) }
    table.print(as: .text, to: console)
    console.note(
      "To take this back: " + ShellWord.line(["loopsim", "store", "restore", file, record]))
    if let effect { console.note("\(effect)") }
  }

  /// Deletes what the words name, all or nothing, and returns it.
  private func deleteSamples() throws -> ([Sample], record: String, InsulinEffect?) {
    var store = try StoreFile.writing(file)
    var samples: [Sample] = []
    for text in uuids {
      guard let uuid = SampleUUID(text) else {
        throw Failure(.badInput, "'\(text)' is no identity. Copy one from 'loopsim store samples'.")
      }
      guard let sample = try store.sample(uuid, as: .user) else {
        throw HealthStoreError.invalidArgument(.notInStore(uuid))
      }
      // Named twice, it is deleted once.
      if !samples.contains(where: { $0.uuid == uuid }) { samples.append(sample) }
    }
    // Before anything is kept of them: what is refused leaves everything as it was.
    try store.checkDeletion(of: samples.map(\.uuid), as: .user)
    // Nobody knows yet when some end.
    let ends = samples.map { $0.hasUndeterminedDuration ? $0.start : $0.end }
    let now = time?.instant(on: .utc) ?? ends.max() ?? Instant(secondsSince1970: 0)
    let kept = try Self.kept(of: samples, in: store)
    let hasInsulin = samples.contains { $0.type == .insulinDelivery }
    let before = hasInsulin ? try StoredInsulin.onBoard(in: store, at: now) : nil
    let record = try DeletionRecord.write(
      kept, beside: StoreFile.inFolder(file), row: store.lastRow, at: now)
    do throws(HealthStoreError) {
      try store.delete(samples.map(\.uuid), as: .user, at: now)
    } catch {
      // Where another program holds the file, nothing is deleted, and the record would add once
      // more what is there.
      if case .inUse = error { try? FileCalls.remove(record) }
      throw error
    }
    // As they are kept: correlations with their members.
    let whole = Dictionary(kept.map { ($0.sample.uuid, $0.sample) }) { first, _ in first }
    let told = samples.map { whole[$0.uuid] ?? $0 }
    let after = hasInsulin ? try StoredInsulin.onBoard(in: store, at: now) : nil
    guard let before, let after else { return (told, record, nil) }
    return (told, record, InsulinEffect(instant: now, before: before, after: after))
  }

  /// What is kept of samples that are about to be deleted: each once, with its members.
  private static func kept(
    of samples: [Sample], in store: SQLiteHealthStore
  ) throws -> [RestoredSample] {
    let types = Set(samples.map(\.type))
    let wanted = Set(samples.map(\.uuid))
    let all = try store.allSamples(
      of: ObjectType.allCases.filter { types.contains($0) || $0.kind == .correlation })
    return all.flatMap { restored -> [RestoredSample] in
      if wanted.contains(restored.sample.uuid) { return [restored] }
      // What is deleted of a correlation that stays comes back as a sample of its own.
      return restored.sample.members.filter { wanted.contains($0.uuid) }.map {
        RestoredSample($0, created: restored.created)
      }
    }
  }

  private func row(of sample: Sample) -> [StoreCell] {
    let value =
      switch sample.value {
      case .quantity(let quantity): "\(quantity)"
      case .category(let category): "\(category)"
      case .correlation(let members): StoreSamplesCommand.text(of: members)
      case .document(let document): document.title
      case .workout(let workout): "\(HealthQuantity(workout.duration.minutes, .minute))"
      }
    return [
      .text(sample.type.name), .text("\(sample.start)"), .text("\(sample.end)"), .text(value),
      StoreCell(sample.source?.name),
    ]
  }
}
