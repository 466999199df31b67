internal import Quantities

/// A client that saves or deletes, and what it may write.
struct StoreWriter {
  /// The number under which the client calls.
  let client: ClientID
  /// The place of the client's source in the registry; its samples are the client's own.
  let source: Int32
  /// The place of the revision under which the client saves now; `nil` if it has none.
  private let revisionIndex: Int32?

  /// Checks what must hold before any call of the client.
  init(_ client: ClientID, in registry: borrowing StoreRegistry) throws(HealthStoreError) {
    self.client = client
    try registry.check(client)
    let revision = registry.revisionIndex(of: client)
    // The source of the client's revision is its own, and need not be looked for.
    let source = revision.map { registry.revisions[$0].source }
    assert(
      source ?? registry.sourceIndex(of: client) == registry.sourceIndex(of: client),
      "A revision names the source that it is of.")
    self.source = Int32(source ?? registry.sourceIndex(of: client))
    revisionIndex = revision.map(Int32.init)
  }

  /// The place of the revision under which the client's samples are saved now.
  func revision() throws(HealthStoreError) -> Int32 {
    guard let revisionIndex else { throw .invalidArgument(.unknownClient) }
    return revisionIndex
  }

  /// Whether a stored sample is the client's own; everything is the user's.
  func owns(_ stored: StoredSample) -> Bool { client == .user || stored.source == source }

  /// Checks that a stored sample is the client's own.
  func checkOwning(
    _ stored: StoredSample, in registry: StoreRegistry
  ) throws(HealthStoreError) {
    guard owns(stored) else {
      throw .foreignObject(client: registry.name(of: client), uuid: stored.sample.uuid)
    }
  }

  /// Checks the types, the permissions and the contents of samples, in this order.
  func checkSaving(_ samples: [Sample], in registry: StoreRegistry) throws(HealthStoreError) {
    try checkSaveable(samples)
    try checkAuthorization(samples, in: registry)
    try checkContent(samples, in: registry)
  }

  /// Checks a sample that is saved alone.
  func checkSaving(_ sample: Sample, in registry: StoreRegistry) throws(HealthStoreError) {
    try checkSaveable(sample.type, object: 0)
    try checkAuthorization(sample.type, in: registry)
    try checkContent(sample, sample.type.row, object: 0, in: registry)
  }

  /// Checks that a client may write a type of which it wants to delete samples.
  func checkSharing(
    _ type: ObjectType, object: Int?, in registry: StoreRegistry
  ) throws(HealthStoreError) {
    guard client != .user, type.kind != .correlation else { return }
    try checkAsked(type, in: registry)
    guard registry.authorization(of: client, for: type).share != .denied else {
      throw .authorizationDenied(client: registry.name(of: client), type: type, object: object)
    }
  }

  private func checkSaveable(_ samples: [Sample]) throws(HealthStoreError) {
    guard !samples.isEmpty else { throw .invalidArgument(.emptyList) }
    let span = samples.span
    for index in span.indices { try checkSaveable(span[index].type, object: index) }
  }

  private func checkSaveable(_ type: ObjectType, object: Int) throws(HealthStoreError) {
    guard type.isSampleType else { throw .invalidArgument(.notSaveable(type), object: object) }
  }

  /// Checks the permission for every type once: first that all were asked for, then that all are
  /// granted.
  private func checkAuthorization(
    _ samples: [Sample], in registry: StoreRegistry
  ) throws(HealthStoreError) {
    guard client != .user else { return }
    if samples.isSingle { return try checkAuthorization(samples[0].type, in: registry) }
    var first = [Int](repeating: -1, count: ObjectType.allCases.count)
    for (index, sample) in samples.enumerated() {
      if case .correlation(let members) = sample.value {
        for member in members where first[Int(member.type.rawValue)] < 0 {
          first[Int(member.type.rawValue)] = index
        }
      } else if first[Int(sample.type.rawValue)] < 0 {
        first[Int(sample.type.rawValue)] = index
      }
    }
    let types = ObjectType.allCases.filter { first[Int($0.rawValue)] >= 0 }
    for type in types { try checkAsked(type, in: registry) }
    for type in types { try checkGranted(type, object: first[Int(type.rawValue)], in: registry) }
  }

  /// Checks the permission for the type of a single sample.
  private func checkAuthorization(
    _ type: ObjectType, in registry: StoreRegistry
  ) throws(HealthStoreError) {
    guard client != .user else { return }
    try checkAsked(type, in: registry)
    try checkGranted(type, object: 0, in: registry)
  }

  private func checkAsked(
    _ type: ObjectType, in registry: StoreRegistry
  ) throws(HealthStoreError) {
    guard registry.authorization(of: client, for: type).share != .notDetermined else {
      throw .authorizationNotDetermined(client: registry.name(of: client), type: type)
    }
  }

  /// Checks that a type may be written; `object` is the index at which it comes first.
  private func checkGranted(
    _ type: ObjectType, object: Int, in registry: StoreRegistry
  ) throws(HealthStoreError) {
    guard registry.authorization(of: client, for: type).share != .denied, type.isShareable else {
      throw .authorizationDenied(client: registry.name(of: client), type: type, object: object)
    }
  }

  private func checkContent(
    _ samples: [Sample], in registry: StoreRegistry
  ) throws(HealthStoreError) {
    var type = samples.first?.type ?? .bloodGlucose
    var row = type.row
    let span = samples.span
    for index in span.indices {
      if span[index].type != type {
        type = span[index].type
        row = type.row
      }
      try checkContent(span[index], row, object: index, in: registry)
    }
  }

  private func checkContent(
    _ sample: Sample, _ row: TypeRow, object: Int, in registry: StoreRegistry
  ) throws(HealthStoreError) {
    let earliest = registry.settings.earliestPermittedSampleDate
    if let fault = SavingRules.faultOfSaved(sample, row, earliest: earliest) {
      throw .invalidArgument(fault, object: object)
    }
    for member in sample.members {
      if let fault = SavingRules.fault(member, member.type.row, earliest: earliest) {
        throw .invalidArgument(fault, object: object)
      }
    }
  }
}

extension [Sample] {
  /// Whether there is one sample, without members: then nothing has to be kept apart.
  var isSingle: Bool {
    guard count == 1 else { return false }
    if case .correlation = self[0].value { return false }
    return true
  }
}
