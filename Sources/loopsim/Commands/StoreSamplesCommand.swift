import Arguments
import HealthStore
import HealthStoreSQLite
import Quantities
import Reports

/// Lists the types in a file.
struct StoreTypesCommand: Command {
  static let name = "types"
  static let abstract = "List the types that a health store holds, with their counts."

  var file = ""
  var format = StoreFormat.text

  static func describe(_ it: inout Parameters<Self>) {
    it.positional("file", \.file, help: "The health store's file.")
    it.option("format", \.format, help: "How to print.")
  }

  func run(to console: any Console) async throws {
    let store = try StoreFile.reading(file)
    var table = StoreTable(columns: OutputGuide.storeTypes.map(\.name))
    for type in ObjectType.allCases where type.isSampleType {
      let samples = try store.samples(of: type, as: .user)
      guard let first = samples.first else { continue }
      let last = samples.map(\.end).max() ?? first.end
      table.rows.append([
        .text(type.name), .text(type.kind.rawValue),
        StoreCell(
          store.registry.preferredUnit(for: type).map { StoreSelection.word(for: $0, in: format) }),
        .integer(samples.count),
        .text("\(first.start)"), .text("\(last)"),
      ])
    }
    table.print(as: format, to: console)
  }
}

/// Lists the samples of one type.
struct StoreSamplesCommand: Command {
  static let name = "samples"
  static let abstract = "List the samples of one type."
  static let discussion = """
    Every sample of every source is listed, as the health app shows them. With --as one sees what \
    a client sees: only its own samples of a type that it may not read, and correlations without \
    the members that are kept from it.
    """

  var file = ""
  var kind = TypeWord(.bloodGlucose)
  var from: InstantWord?
  var end: InstantWord?
  var source: String?
  var device: String?
  var unitWord: UnitWord?
  var viewer: String?
  var format = StoreFormat.text

  static func describe(_ it: inout Parameters<Self>) {
    it.positional("file", \.file, help: "The health store's file.")
    it.positional("type", \.kind, help: "The type, such as BloodGlucose.")
    it.option(
      "from", \.from, valueName: "time",
      help: "Only samples that overlap this time or later, \(InstantWord.form).")
    it.option("to", \.end, valueName: "time", help: "Only samples that start before this time.")
    it.option("source", \.source, help: "Only samples of the source with this name or bundle.")
    it.option("device", \.device, help: "Only samples of the device with this name.")
    it.option("unit", \.unitWord, help: "The unit to print values in, such as mmol/L.")
    it.option(
      "as", \.viewer, valueName: "client", help: "Show what the client sees; by name or bundle.")
    it.option("format", \.format, help: "How to print.")
  }

  private var type: ObjectType { kind.type }

  func validate() throws { try StoreSelection.check(unitWord, of: type) }

  func run(to console: any Console) async throws {
    let store = try StoreFile.reading(file)
    var predicate = try StoreSelection.predicate(from, end, source, in: store)
    if let device {
      let names = try store.devices(of: type, as: .user).compactMap(\.name)
      guard names.contains(device) else {
        let known = Set(names).sorted().map { "'\($0)'" }.joined(separator: ", ")
        let more = known.isEmpty ? "They name none." : "They name \(known)."
        throw Failure(.badInput, "No sample of \(type) is of a device '\(device)'. \(more)")
      }
      predicate = .and([predicate, .device(.name, allowed: [device])])
    }
    let shown = try unitWord?.unit ?? StoreSelection.unit(of: type, in: store)
    var table = StoreTable(columns: OutputGuide.storeSamples.map(\.name))
    let client = try viewer.map { try StoreClient($0, in: store).id } ?? .user
    for sample in try samples(in: store, matching: predicate, as: client) {
      table.rows.append([
        .text("\(sample.start)"), .text("\(sample.end)"), try value(of: sample, in: shown),
        StoreCell(shown.map { StoreSelection.word(for: $0, in: format) }),
        StoreCell(sample.metadata.insulinDeliveryReason.map { "\($0)" }),
        StoreCell(sample.source?.name), StoreCell(sample.metadata.syncIdentifier?.description),
        .text("\(sample.uuid)"),
      ])
    }
    table.print(as: format, to: console)
  }

  private func samples(
    in store: SQLiteHealthStore, matching predicate: SamplePredicate, as client: ClientID
  ) throws -> [Sample] {
    type.kind == .correlation
      ? try store.correlations(of: type, matching: predicate, as: client)
      : try store.samples(of: type, matching: predicate, as: client)
  }

  private func value(of sample: Sample, in unit: HealthUnit?) throws -> StoreCell {
    if let quantity = sample.quantity, let unit {
      let value = try quantity.value(in: unit)
      guard type == .bloodGlucose else { return .number(value) }
      let text = type.displayText(of: value, in: unit)
      return .shown(String(text.prefix { $0 != " " }), value)
    }
    if let category = sample.category { return .integer(category) }
    if type.kind == .correlation { return .text(Self.text(of: sample.members)) }
    if let document = sample.document { return .text(document.title) }
    return StoreCell(sample.workout.map { Double($0.duration.minutes) })
  }
}

extension StoreSamplesCommand {
  /// The members of a correlation, such as `BloodPressureSystolic 120 mmHg`, in the order of types.
  static func text(of members: [Sample]) -> String {
    members.sorted { $0.type.name > $1.type.name }.map { member in
      let value = member.storedValue.map { StoreCell.number($0).readable } ?? ""
      return "\(member.type.name) \(value) \(member.type.unit?.unitString ?? "")"
    }.joined(separator: ", ")
  }
}

/// Which samples a command is about.
enum StoreSelection {
  static func predicate(
    _ from: InstantWord?, _ end: InstantWord?, _ source: String?, in store: SQLiteHealthStore,
    on clock: WallClock = .utc
  ) throws -> SamplePredicate {
    let (start, stop) = (from?.instant(on: clock), end?.instant(on: clock))
    if let start, let stop, stop < start {
      throw Failure(.usage, "Nothing lies from \(start) to \(stop): --to is before --from.")
    }
    var parts = [SamplePredicate.samples(start: start, end: stop)]
    if let start {
      // A query of HealthKit's finds what ends as its time begins; that does not overlap it.
      parts.append(
        .or([
          .samples(start: start, options: .strictStartDate),
          .samples(start: start + .milliseconds(1)),
        ]))
    }
    if let source {
      let known = store.registry.sources
      let bundles = known.filter { $0.name == source || $0.bundleIdentifier == source }
        .map(\.bundleIdentifier)
      guard !bundles.isEmpty else { throw unknownSource(source, among: known) }
      parts.append(.from(sources: bundles))
    }
    return .and(parts)
  }

  static func unknownSource(_ word: String, among known: [Source]) -> Failure {
    let names = known.map { "'\($0.name)'" }.joined(separator: ", ")
    return Failure(.badInput, "The store has no source '\(word)'. It has \(names).")
  }

  /// A unit as people write it: that of glucose without its molar mass.
  static func text(of unit: HealthUnit) -> String {
    unit == .millimolePerLitre ? "mmol/L" : unit.unitString
  }

  /// A unit as it stands in a table: for people as they write it, else as a health store does.
  static func word(for unit: HealthUnit, in format: StoreFormat) -> String {
    format == .text ? text(of: unit) : unit.unitString
  }

  /// Refuses a unit that the values of a type are never in.
  static func check(_ unit: UnitWord?, of type: ObjectType) throws {
    guard let unit else { return }
    guard let own = type.unit else {
      throw Failure(.usage, "The values of \(type) have no unit to choose. Leave --unit out.")
    }
    guard own.isCompatible(with: unit.unit) else {
      throw Failure(
        .usage,
        "\(word(for: unit.unit, in: .text)) does not fit \(type), whose values are in "
          + "\(own.unitString). Choose another --unit.")
    }
  }

  /// The unit the user wants to see; nothing for types without one.
  static func unit(of type: ObjectType, in store: SQLiteHealthStore) throws -> HealthUnit? {
    store.registry.preferredUnit(for: type)
  }
}
