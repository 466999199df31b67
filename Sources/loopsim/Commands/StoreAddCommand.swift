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
    a reason; Loop counts a bolus of any source, and a basal only of its own. A blood pressure is \
    120/80, and a meal of several nutrients DietaryCarbohydrates=40,DietaryProtein=12: these \
    are correlations, whose members are samples of their own and go when the correlation goes.
    """

  var file = ""
  var kind = TypeWord(.insulinDelivery)
  var value = SampleValueWord.number(0)
  var start: InstantWord?
  var end: InstantWord?
  var unitWord: UnitWord?
  var reason: ReasonWord?

  static func describe(_ it: inout Parameters<Self>) {
    it.positional("file", \.file, help: "The health store's file.")
    it.positional("type", \.kind, help: "The type, such as DietaryCarbohydrates.")
    it.positional(
      "value", \.value,
      help: "The number, the number of a category, a pressure 120/80, or nutrients with numbers.")
    it.option(
      "at", \.start, valueName: "time", isRequired: true,
      help: "When the sample starts, such as 2026-01-05T08:00:00Z; without an offset it is UTC.")
    it.option("to", \.end, valueName: "time", help: "When the sample ends; else at its start.")
    it.option(
      "unit", \.unitWord,
      help: "The unit of the value; else that of the type, mg/dL for glucose.")
    it.option("reason", \.reason, help: "Why insulin was given.")
  }

  private var type: ObjectType { kind.type }

  func validate() throws {
    if type != .insulinDelivery, reason != nil {
      throw Failure(.usage, "Only insulin has a reason. Leave --reason out.")
    }
    if type == .food, unitWord != nil {
      throw Failure(
        .usage, "Each nutrient of a meal is in the unit of its own type. Leave --unit out.")
    }
    if type.kind == .category, unitWord != nil {
      throw Failure(.usage, "The number of a category has no unit. Leave --unit out.")
    }
  }

  func run(to console: any Console) async throws {
    guard let start = start?.instant(on: .utc) else { return }
    try Self.checkKind(of: type)
    guard type != .insulinDelivery || reason != nil else {
      throw Failure(.badInput, "Insulin needs a reason. Add --reason bolus or --reason basal.")
    }
    let sample = try addSample(from: start)
    if let doubt { console.note(doubt) }
    console.print("\(sample.uuid)")
    console.note("Added \(type) to \(file). The identity above is what 'delete' asks for.")
  }

  /// Adds the sample; the store is closed before anything is printed, so that nothing stays open
  /// where nobody can take the words.
  private func addSample(from start: Instant) throws -> Sample {
    var store = try StoreFile.writing(file)
    // The identity follows from the store's state, so that the same command gives the same file.
    var stream = RandomStream(seed: UInt64(store.lastRow), name: "sample added by hand")
    let sample = try sample(from: start, &stream)
    if let complaint = sample.complaintOnValue {
      throw Failure(.badInput, "\(complaint). Check the number and its unit.")
    }
    do throws(HealthStoreError) {
      try store.addByUser(sample, at: sample.end)
    } catch {
      // Of one object its number says nothing.
      guard case .invalidArgument(let argument, _?) = error else { throw error }
      throw HealthStoreError.invalidArgument(argument)
    }
    return sample
  }

  /// Refuses a type of which no number makes a sample.
  private static func checkKind(of type: ObjectType) throws(Failure) {
    switch type.kind {
    case .quantity, .category, .correlation: return
    case .characteristic:
      throw Failure(
        .badInput,
        "\(type) is a fact about the person, and no sample. Set it with 'loopsim store person'.")
    default:
      throw Failure(
        .badInput,
        "\(type) is of kind \(type.kind.rawValue), of which no number makes a sample. Add a "
          + "quantity, a category or a correlation.")
    }
  }

  /// A warning of glucose without a unit that nobody has in mg/dL, and people have in mmol/L.
  private var doubt: String? {
    guard type == .bloodGlucose, unitWord == nil, case .number(let number) = value,
      let likely = GlucoseUnit.milligramsPerDecilitre.meaning(ofImpossibleLimit: number)
    else { return nil }
    return "Warning: \(HealthQuantity.text(of: number)) is taken as mg/dL, which is no glucose of "
      + "anybody; with --unit mmol/L it is \(HealthQuantity.text(of: likely)) mg/dL."
  }

  private func sample(from start: Instant, _ stream: inout RandomStream) throws -> Sample {
    let uuid = SampleUUID(at: start, using: &stream)
    let end = end?.instant(on: .utc)
    switch (type.kind, value) {
    case (.correlation, .members(let values)):
      let members = try values.map { member in
        try Sample(
          member.type, quantity: quantity(member.number, of: member.type), start: start, end: end,
          uuid: SampleUUID(at: start, using: &stream), metadata: metadata)
      }
      return try Sample(
        type, members: members, start: start, end: end, uuid: uuid, metadata: metadata)
    case (.correlation, .number), (_, .members): throw misfit(value.word)
    case (.category, .number(let number)):
      guard let category = Int(exactly: number) else {
        throw Failure(.badInput, "\(type) needs a whole number, and \(number) is none.")
      }
      return try Sample(
        type, category: category, start: start, end: end, uuid: uuid, metadata: metadata)
    case (_, .number(let number)):
      return try Sample(
        type, quantity: quantity(number, of: type), start: start, end: end, uuid: uuid,
        metadata: metadata)
    }
  }

  /// A number in the unit that was given, or else in the type's own.
  private func quantity(_ number: Double, of type: ObjectType) -> HealthQuantity {
    HealthQuantity(number, unitWord?.unit ?? type.unit ?? .count)
  }

  private var metadata: Metadata {
    var metadata = Metadata()
    metadata.insulinDeliveryReason = reason?.reason
    return metadata
  }

  private func misfit(_ word: String) -> Failure {
    let expected =
      switch type {
      case .bloodPressure: "systolic and diastolic pressure, such as 120/80"
      case .food: "nutrients, such as DietaryCarbohydrates=40,DietaryProtein=12"
      default: "one number"
      }
    return Failure(.badInput, "\(type) cannot be '\(word)'. Give \(expected).")
  }
}
