import Arguments
import Determinism
import HealthStore
import HealthStoreSQLite
import Quantities

/// Why insulin was given, on the command line.
enum ReasonWord: String, ArgumentValue, CaseIterable {
  case basal, bolus

  var reason: InsulinDeliveryReason { self == .basal ? .basal : .bolus }
}

/// Adds a sample as the user.
struct StoreAddCommand: Command {
  static let name = "add"
  static let abstract = "Add a sample by hand, as in the health app."
  static let discussion = """
    The sample's source is the health app, and it is marked as entered by a person. Insulin needs \
    a reason; Loop counts a bolus of any source, and a basal only of its own.
    """

  var file = ""
  var kind = TypeWord(.insulinDelivery)
  var value = 0.0
  var start: InstantWord?
  var end: InstantWord?
  var unitWord: UnitWord?
  var reason: ReasonWord?

  static func describe(_ it: inout Parameters<Self>) {
    it.positional("file", \.file, help: "The health store's file.")
    it.positional("type", \.kind, help: "The type, such as DietaryCarbohydrates.")
    it.positional("value", \.value, help: "The number, or the number of a category.")
    it.option(
      "at", \.start, valueName: "time", isRequired: true,
      help: "When the sample starts, such as 2026-01-05T08:00:00Z.")
    it.option("to", \.end, valueName: "time", help: "When the sample ends; else at its start.")
    it.option("unit", \.unitWord, help: "The unit of the value; else that of the type.")
    it.option("reason", \.reason, help: "Why insulin was given.")
  }

  private var type: ObjectType { kind.type }

  func run(to console: any Console) async throws {
    guard let start = start?.instant else { return }
    guard type != .insulinDelivery || reason != nil else {
      throw Failure(.badInput, "Insulin needs a reason. Add --reason bolus or --reason basal.")
    }
    var store = try StoreFile.writing(file)
    // The identity follows from the store's state, so that the same command gives the same file.
    var stream = RandomStream(seed: UInt64(store.lastRow), name: "sample added by hand")
    let uuid = SampleUUID(at: start, using: &stream)
    var metadata = Metadata()
    metadata.insulinDeliveryReason = reason?.reason
    let sample: Sample
    if type.kind == .category {
      guard let category = Int(exactly: value) else {
        throw Failure(.badInput, "\(type) needs a whole number, and \(value) is none.")
      }
      sample = try Sample(
        type, category: category, start: start, end: end?.instant, uuid: uuid, metadata: metadata)
    } else {
      let quantity = HealthQuantity(value, unitWord?.unit ?? type.unit ?? .count)
      sample = try Sample(
        type, quantity: quantity, start: start, end: end?.instant, uuid: uuid, metadata: metadata)
    }
    try store.addByUser(sample, at: sample.end)
    console.print("\(uuid)")
    console.note("Added \(type) to \(file). The identity above is what 'delete' asks for.")
  }
}

/// Deletes samples as the user.
struct StoreDeleteCommand: Command {
  static let name = "delete"
  static let abstract = "Delete samples of any source, as in the health app."
  static let discussion = """
    Deleting insulin is risky: it lowers the insulin on board that Loop reckons with, so that Loop \
    may deliver insulin that is not needed. A dose that is still in Loop's event history comes \
    back with the next cycle; to be rid of it, delete it in both places. For insulin that was not \
    absorbed, rather open the loop for three to six hours. What is deleted is printed, and kept in \
    a record beside the file, from which 'loopsim store restore' adds it again.
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
    var table = StoreTable(columns: ["deleted", "start", "end", "value", "source"])
    for sample in samples { table.rows.append(row(of: sample)) }
    table.print(as: .text, to: console)
    console.note("To take this back: loopsim store restore \(file) \(record)")
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
      samples.append(sample)
    }
    let now = time?.instant ?? samples.map(\.end).max() ?? Instant(secondsSince1970: 0)
    let kept = try store.allSamples(
      of: ObjectType.allCases.filter { type in
        samples.contains { $0.type == type }
      }
    ).filter { restored in samples.contains { $0.uuid == restored.sample.uuid } }
    let hasInsulin = samples.contains { $0.type == .insulinDelivery }
    let before = hasInsulin ? try StoredInsulin.onBoard(in: store, at: now) : nil
    let record = try DeletionRecord.write(kept, beside: file, row: store.lastRow, at: now)
    try store.delete(samples.map(\.uuid), as: .user, at: now)
    let after = hasInsulin ? try StoredInsulin.onBoard(in: store, at: now) : nil
    guard let before, let after else { return (samples, record, nil) }
    return (samples, record, InsulinEffect(instant: now, before: before, after: after))
  }

  private func row(of sample: Sample) -> [StoreCell] {
    let quantity = sample.quantity.map { "\($0)" }
    let category = sample.category.map { "\($0)" }
    return [
      .text(sample.type.name), .text("\(sample.start)"), .text("\(sample.end)"),
      StoreCell(quantity ?? category), StoreCell(sample.source?.name),
    ]
  }
}
