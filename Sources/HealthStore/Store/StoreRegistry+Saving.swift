internal import Quantities

// What a client may save and delete, as far as no other sample has to be looked at.

extension StoreRegistry {
  /// Checks the types, the permissions and the contents of samples, in this order.
  func checkSaving(
    _ samples: [Sample], _ writer: HealthClient, _ client: ClientID
  ) throws(HealthStoreError) {
    try checkSaveable(samples)
    try checkAuthorization(samples, writer, client)
    try checkContent(samples)
  }

  /// Checks a sample that is saved alone.
  func checkSaving(
    _ sample: Sample, _ writer: HealthClient, _ client: ClientID
  ) throws(HealthStoreError) {
    try checkSaveable(sample.type, object: 0)
    try checkAuthorization(sample.type, writer, client)
    try checkContent(sample, sample.type.row, object: 0)
  }

  /// Checks that a client may write a type of which it wants to delete samples.
  func checkSharing(
    _ type: ObjectType, object: Int?, _ writer: HealthClient, _ client: ClientID
  ) throws(HealthStoreError) {
    guard client != .user, type.kind != .correlation else { return }
    switch authorization(of: client, for: type).share {
    case .authorized: return
    case .denied: throw .authorizationDenied(client: writer.name, type: type, object: object)
    case .notDetermined: throw .authorizationNotDetermined(client: writer.name, type: type)
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
    _ samples: [Sample], _ writer: HealthClient, _ client: ClientID
  ) throws(HealthStoreError) {
    guard client != .user else { return }
    if samples.isSingle {
      return try checkAuthorization(samples[0].type, writer, client)
    }
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
    for type in types { try checkAsked(type, writer, client) }
    for type in types { try checkGranted(type, writer, client, object: first[Int(type.rawValue)]) }
  }

  /// Checks the permission for the type of a single sample.
  private func checkAuthorization(
    _ type: ObjectType, _ writer: HealthClient, _ client: ClientID
  ) throws(HealthStoreError) {
    guard client != .user else { return }
    try checkAsked(type, writer, client)
    try checkGranted(type, writer, client, object: 0)
  }

  private func checkAsked(
    _ type: ObjectType, _ writer: HealthClient, _ client: ClientID
  ) throws(HealthStoreError) {
    guard authorization(of: client, for: type).share != .notDetermined else {
      throw .authorizationNotDetermined(client: writer.name, type: type)
    }
  }

  /// Checks that a type may be written; `object` is the index at which it comes first.
  private func checkGranted(
    _ type: ObjectType, _ writer: HealthClient, _ client: ClientID, object: Int
  ) throws(HealthStoreError) {
    guard authorization(of: client, for: type).share != .denied, type.isShareable
    else {
      throw .authorizationDenied(client: writer.name, type: type, object: object)
    }
  }

  private func checkContent(_ samples: [Sample]) throws(HealthStoreError) {
    var type = samples.first?.type ?? .bloodGlucose
    var row = type.row
    let span = samples.span
    for index in span.indices {
      if span[index].type != type {
        type = span[index].type
        row = type.row
      }
      try checkContent(span[index], row, object: index)
    }
  }

  private func checkContent(
    _ sample: Sample, _ row: TypeRow, object: Int
  ) throws(HealthStoreError) {
    let earliest = settings.earliestPermittedSampleDate
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
