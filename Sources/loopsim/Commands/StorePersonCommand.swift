import Arguments
import HealthStore
import HealthStoreSQLite
import Interchange
import Quantities
import Reports

/// Shows and sets the facts about the person that apps read and never write.
struct StorePersonCommand: Command {
  static let name = "person"
  static let abstract = "Show or set facts about the person, such as the date of birth."
  static let discussion = """
    Apps may read these facts where the person allows it, and never write them. Without a fact \
    all of them are listed. With --as one sees what a client sees: a fact that it may not read \
    looks as if it had never been set.
    """

  var file = ""
  var fact: TypeWord?
  var value: String?
  var viewer: String?
  var format = StoreFormat.text

  static func describe(_ it: inout Parameters<Self>) {
    it.positional("file", \.file, help: "The health store's file.")
    it.positional("fact", \.fact, isRequired: false, help: "The fact, such as WheelchairUse.")
    it.positional(
      "value", \.value, isRequired: false, help: "What to set, such as Yes, or 1990-05-17.")
    it.option(
      "as", \.viewer, valueName: "client", help: "Show what the client sees; by name or bundle.")
    it.option("format", \.format, help: "How to print.")
  }

  func validate() throws {
    if let fact, fact.type.kind != .characteristic {
      let facts = CharacteristicNames.types.map(\.name).joined(separator: ", ")
      throw Failure(.usage, "\(fact.word) is no fact about the person. There are \(facts).")
    }
    if value != nil, viewer != nil {
      throw Failure(.usage, "No client sets a fact about the person. Leave --as out.")
    }
  }

  func run(to console: any Console) async throws {
    if let fact, let value {
      guard let number = CharacteristicNames.value(ofName: value, type: fact.type) else {
        throw Failure(.badInput, Self.refusal(of: value, for: fact.type))
      }
      var store = try StoreFile.writing(file)
      try store.setCharacteristic(fact.type, to: number)
    }
    let store = try StoreFile.reading(file)
    let client = try viewer.map { try StoreClient($0, in: store).id } ?? .user
    var table = StoreTable(columns: OutputGuide.storePerson.map(\.name))
    for type in fact.map({ [$0.type] }) ?? CharacteristicNames.types {
      table.rows.append([.text(type.name), .text(try Self.text(of: type, in: store, as: client))])
    }
    table.print(as: format, to: console)
  }

  private static func text(
    of type: ObjectType, in store: SQLiteHealthStore, as client: ClientID
  ) throws -> String {
    guard type == .dateOfBirth else {
      return CharacteristicNames.name(
        of: try store.registry.characteristic(type, as: client), type: type)
    }
    return try store.registry.dateOfBirth(as: client)?.dateText ?? CharacteristicNames.notSet
  }

  private static func refusal(of value: String, for type: ObjectType) -> String {
    guard type != .dateOfBirth else {
      return "'\(value)' is no date of birth. Give a day such as 1990-05-17."
    }
    let names = CharacteristicNames.names(of: type).joined(separator: ", ")
    return "\(type.name) cannot be '\(value)'. It is one of \(names)."
  }
}
