import Arguments
import HealthStore
import HealthStoreSQLite

/// Lists who wrote to a file, and what each client may do.
struct StoreSourcesCommand: Command {
  static let name = "sources"
  static let abstract = "List the sources of a health store with their counts."

  var file = ""
  var format = StoreFormat.text

  static func describe(_ it: inout Parameters<Self>) {
    it.positional("file", \.file, help: "The health store's file.")
    it.option("format", \.format, help: "How to print.")
  }

  func run(to console: any Console) async throws {
    let store = try StoreFile.reading(file)
    var table = StoreTable(columns: ["source", "bundle", "type", "samples", "first", "last"])
    for source in store.registry.sources {
      for type in ObjectType.allCases where type.isSampleType {
        let own = SamplePredicate.from(sources: [source.bundleIdentifier])
        let samples = try store.samples(of: type, matching: own, as: .user)
        guard let first = samples.first else { continue }
        let last = samples.map(\.end).max() ?? first.end
        table.rows.append([
          .text(source.name), .text(source.bundleIdentifier), .text(type.name),
          .integer(samples.count), .text("\(first.start)"), .text("\(last)"),
        ])
      }
    }
    table.print(as: format, to: console)
  }
}

/// What the user answers about one direction.
enum PermissionWord: String, ArgumentValue, CaseIterable {
  case allow, deny, ask

  var status: AuthorizationStatus {
    switch self {
    case .allow: .authorized
    case .deny: .denied
    case .ask: .notDetermined
    }
  }
}

/// Shows and changes what clients may do.
struct StoreAuthorizeCommand: Command {
  static let name = "authorize"
  static let abstract = "Show or change what a client may read and write."
  static let discussion = """
    Without a client it lists the permissions that are determined. Changes hold from the client's \
    next call on.
    """

  var file = ""
  var client: String?
  var types: [TypeWord] = []
  var share: PermissionWord?
  var read: PermissionWord?
  var format = StoreFormat.text

  static func describe(_ it: inout Parameters<Self>) {
    it.positional("file", \.file, help: "The health store's file.")
    it.positional("client", \.client, help: "The client's name or bundle.")
    it.positional("types", \.types, isRequired: false, help: "The types to change.")
    it.option("share", \.share, help: "Whether the client may write.")
    it.option("read", \.read, help: "Whether the client may read.")
    it.option("format", \.format, help: "How to print.")
  }

  func run(to console: any Console) async throws {
    guard let client, !types.isEmpty, share != nil || read != nil else {
      return table(of: try StoreFile.reading(file)).print(as: format, to: console)
    }
    var store = try StoreFile.writing(file)
    let known = store.registry.clients.enumerated().compactMap { number, entry in
      entry.map { (number, $0) }
    }
    guard let found = known.first(where: { $1.name == client || $1.bundleIdentifier == client })
    else {
      let names = known.dropFirst().map { "'\($0.1.name)'" }.joined(separator: ", ")
      throw Failure(.badInput, "The store has no client '\(client)'. It has \(names).")
    }
    for type in types.map(\.type) {
      var authorization = store.registry.authorization(of: found.1.family, for: type)
      if let share { authorization.share = share.status }
      if let read { authorization.read = read.status }
      try store.setAuthorization(authorization, of: ClientID(number: found.0), for: [type])
    }
    table(of: store).print(as: format, to: console)
  }

  private func table(of store: SQLiteHealthStore) -> StoreTable {
    var table = StoreTable(columns: ["client", "type", "share", "read"])
    for family in store.registry.families where client == nil || client == family.name {
      for type in ObjectType.allCases {
        let authorization = store.registry.authorization(of: family.name, for: type)
        guard authorization != .notDetermined else { continue }
        table.rows.append([
          .text(family.name), .text(type.name), .text("\(authorization.share)"),
          .text("\(authorization.read)"),
        ])
      }
    }
    return table
  }
}
