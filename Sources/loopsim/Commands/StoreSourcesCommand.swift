import Arguments
import HealthStore
import HealthStoreSQLite
import Reports
import StructuredText

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
    var table = StoreTable(columns: OutputGuide.storeSources.map(\.name))
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
    Without --share and --read it lists the permissions that are determined. Without types a \
    change holds for all of them. Changes hold from the client's next call on.
    """

  var file = ""
  var client: String?
  var types: [TypeWord] = []
  var share: PermissionWord?
  var read: PermissionWord?
  var format = StoreFormat.text

  static func describe(_ it: inout Parameters<Self>) {
    it.positional("file", \.file, help: "The health store's file.")
    it.positional("client", \.client, isRequired: false, help: "The client's name or bundle.")
    it.positional("types", \.types, isRequired: false, help: "The types to change.")
    it.option("share", \.share, help: "Whether the client may write.")
    it.option("read", \.read, help: "Whether the client may read.")
    it.option("format", \.format, help: "How to print.")
  }

  func validate() throws {
    guard let first = types.first else { return }
    guard share != nil || read != nil else {
      throw Failure(
        .usage, "Say what is to change of \(first.word), with --share or --read, or name no type.")
    }
    if let whole = types.first(where: { !$0.type.isAuthorizable }) {
      throw Failure(
        .usage, "\(whole.word) has the permissions of its members. Name the types of these.")
    }
    if share == .allow, let fixed = types.first(where: { !$0.type.isShareable }) {
      throw Failure(.usage, "No client writes \(fixed.word). Leave --share allow out.")
    }
  }

  func run(to console: any Console) async throws {
    guard share != nil || read != nil else {
      let store = try StoreFile.reading(file)
      let family = try client.map { try StoreClient($0, in: store).client.family }
      return table(of: store, family).print(as: format, to: console)
    }
    guard let client else {
      throw Failure(.usage, "Name the client whose permissions are to change.")
    }
    try change(client).print(as: format, to: console)
  }

  /// Changes the permissions, and gives those of the client then; the store is closed before they
  /// are printed.
  private func change(_ client: String) throws -> StoreTable {
    var store = try StoreFile.writing(file)
    let holder = try StoreClient(client, in: store)
    let changed = types.isEmpty ? ObjectType.allCases.filter(\.isAuthorizable) : types.map(\.type)
    for type in changed {
      var authorization = store.registry.authorization(of: holder.client.family, for: type)
      if let share, type.isShareable || share != .allow { authorization.share = share.status }
      if let read { authorization.read = read.status }
      try store.setAuthorization(authorization, of: holder.id, for: [type])
    }
    return table(of: store, holder.client.family)
  }

  /// The permissions that are determined; for people those that most types share on one line.
  private func table(of store: SQLiteHealthStore, _ wanted: String?) -> StoreTable {
    var table = StoreTable(columns: OutputGuide.storePermissions.map(\.name))
    // Correlations have the permissions of their members.
    let determinable = ObjectType.allCases.count { $0.kind != .correlation }
    for family in store.registry.families where wanted == nil || wanted == family.name {
      var types: [(type: ObjectType, authorization: Authorization)] = []
      for type in ObjectType.allCases {
        let authorization = store.registry.authorization(of: family.name, for: type)
        if authorization != .notDetermined { types.append((type, authorization)) }
      }
      let usual = Dictionary(grouping: types.map(\.authorization)) { $0 }.values
        .filter { format == .text && $0.count > 20 }.map { ($0[0], $0.count) }
      for (type, authorization) in types where !usual.contains(where: { $0.0 == authorization }) {
        table.rows.append(row(family.name, type.name, authorization))
      }
      for (authorization, count) in usual.sorted(by: { $0.1 > $1.1 }) {
        let number = WordList.counted(count, "type")
        let name =
          count == determinable
          ? "all \(number)"
          : count == types.count
            ? number
            : "the other \(number)"
        table.rows.append(row(family.name, name, authorization))
      }
    }
    return table
  }

  private func row(
    _ family: String, _ type: String, _ authorization: Authorization
  ) -> [StoreCell] {
    [
      .text(family), .text(type), .text("\(authorization.share)"),
      .text("\(authorization.read)"),
    ]
  }
}

extension ObjectType {
  /// Whether there is a permission for the type; correlations have that of their members.
  fileprivate var isAuthorizable: Bool { kind != .correlation }
}
