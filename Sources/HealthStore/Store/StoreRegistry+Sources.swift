// Where samples come from, and which of several sources counts.

extension StoreRegistry {
  /// The place of the revision under which a client's samples are saved now.
  func revisionIndex(of client: ClientID) -> Int? {
    // There is one of each; those of apps come after that of the health app.
    revisions.indices.last { isRevision($0, of: client) }
  }

  /// Whether a revision is ``HealthClient/revision`` of a client, told text by text.
  private func isRevision(_ index: Int, of client: ClientID) -> Bool {
    let number = client.number
    return revisions[index].revision.version == clients[number]?.version
      && revisions[index].revision.source.bundleIdentifier == clients[number]?.bundleIdentifier
      && revisions[index].revision.source.name == clients[number]?.name
      && revisions[index].revision.productType == clients[number]?.productType
      && revisions[index].revision.operatingSystemVersion
        == clients[number]?.operatingSystemVersion
  }

  /// The name that people see of a client; empty for one that is not registered.
  public func name(of client: ClientID) -> String {
    (clients.indices.contains(client.number) ? clients[client.number]?.name : nil) ?? ""
  }

  /// The place of a client's source; that of the health app where it has none.
  func sourceIndex(of client: ClientID) -> Int {
    let identifier = clients[client.number]?.bundleIdentifier
    return sources.indices.first { sources[$0].bundleIdentifier == identifier } ?? 0
  }

  /// A stored sample with the source revision that its row names.
  func revised(_ stored: StoredSample) -> Sample {
    var sample = stored.sample
    sample.sourceRevision = revisions[Int(stored.revision)].revision
    return sample
  }

  /// The sources in the order in which they count for a type.
  ///
  /// By default manual entries come first, then watches, phones, and other apps in the order of
  /// their appearance.
  func priority(for type: ObjectType) -> [Int] {
    let chosen = priorities.first { $0.type == type }?.sources ?? []
    let others = sources.indices.filter { !chosen.contains($0) }
    let ranked = others.sorted { (rank(ofSource: $0), $0) < (rank(ofSource: $1), $1) }
    // What a source wrote counts once, however often the user named it.
    var seen: Set<Int> = []
    return (chosen + ranked).filter { seen.insert($0).inserted }
  }

  /// The sources in the order in which they count for a type, as the health app lists them.
  public func prioritizedSources(for type: ObjectType) -> [Source] {
    priority(for: type).map { sources[$0] }
  }

  private func rank(ofSource index: Int) -> Int {
    assert(sources.indices.contains(index), "A source that is ranked is registered.")
    let product = revisions.first { $0.source == index }?.revision.productType
    return sources[index].rank(onProduct: product)
  }

  /// The changes that make a revision and its source known where they are not, and the places of
  /// both.
  func places(
    of revision: SourceRevision
  ) -> (revision: Int32, source: Int32, changes: [RegistryChange]) {
    if let index = revisions.firstIndex(where: { $0.revision == revision }) {
      return (Int32(index), Int32(revisions[index].source), [])
    }
    let source = revision.source
    let known = sources.firstIndex { $0.bundleIdentifier == source.bundleIdentifier }
    // A source has one name, which what is restored does not change.
    if let known, sources[known] != source { return places(of: revision.ofSource(sources[known])) }
    let index = known ?? sources.count
    var changes: [RegistryChange] = []
    if known == nil { changes.append(.source(index: index, source)) }
    let number = revisions.count
    changes.append(.revision(index: number, .init(source: index, revision: revision)))
    return (Int32(number), Int32(index), changes)
  }
}

extension Source {
  /// The rank by which sources count unless the user has set their order: manual entries first,
  /// then watches, phones, and other apps; those of one rank count as they come.
  package func rank(onProduct product: String?) -> Int {
    let bundle = originalIdentifier
    if bundle == Source.healthApp.bundleIdentifier { return 0 }
    guard bundle.lowercased().hasPrefix("com.apple.health") else { return 3 }
    return product?.hasPrefix("Watch") == true ? 1 : 2
  }

  /// The identifier that a source had before another program's file brought it here, which stands
  /// behind `import` and the name of the program, where the file tells it.
  package var originalIdentifier: Substring {
    let parts = bundleIdentifier.split(separator: ".", maxSplits: 2)
    return parts.count == 3 && parts[0] == "import" && parts[2].contains(".")
      ? parts[2] : bundleIdentifier[...]
  }
}
