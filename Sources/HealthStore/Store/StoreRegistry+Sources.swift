// Where samples come from, and which of several sources counts.

extension StoreRegistry {
  /// The place of the revision under which a client's samples are saved now.
  func revisionIndex(of client: HealthClient) -> Int? {
    for index in revisions.indices where revisions[index].revision.isOne(of: client) {
      return index
    }
    return nil
  }

  /// The name that people see of a client.
  func name(of client: ClientID) -> String {
    (clients.indices.contains(client.number) ? clients[client.number]?.name : nil) ?? ""
  }

  /// The place of a client's source; that of the health app where it has none.
  func sourceIndex(of client: HealthClient) -> Int {
    sources.firstIndex { $0.bundleIdentifier == client.bundleIdentifier } ?? 0
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
    return chosen
      + others.sorted { (rank(ofSource: $0), $0) < (rank(ofSource: $1), $1) }
  }

  private func rank(ofSource index: Int) -> Int {
    assert(sources.indices.contains(index), "A source that is ranked is registered.")
    let bundle = sources[index].bundleIdentifier
    if bundle == Source.healthApp.bundleIdentifier { return 0 }
    guard bundle.lowercased().hasPrefix("com.apple.health") else { return 3 }
    let product = revisions.first { $0.source == index }?.revision.productType ?? ""
    return product.hasPrefix("Watch") ? 1 : 2
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
    let index = known ?? sources.count
    var changes: [RegistryChange] = []
    if known == nil { changes.append(.source(index: index, source)) }
    let number = revisions.count
    changes.append(.revision(index: number, .init(source: index, revision: revision)))
    return (Int32(number), Int32(index), changes)
  }
}
