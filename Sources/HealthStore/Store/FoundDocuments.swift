internal import Quantities

/// The clinical documents that match a client's question, with those it may not see.
struct FoundDocuments {
  private let client: ClientID
  private let reader: HealthClient
  /// The place of the reader's source, whose documents it always sees.
  private let own: Int32
  private let found: [StoredSample]

  /// Finds the documents, whatever the user has granted.
  init<Backend>(
    matching predicate: SamplePredicate, sortedBy sorts: [SampleSort], as client: ClientID,
    in contents: StoreContents<Backend>
  ) throws(HealthStoreError) {
    reader = try contents.registry.checkedClient(client)
    found = try contents.storedSamples(
      of: .clinicalDocument, matching: predicate, sortedBy: sorts, limit: nil, as: client,
      includingUngranted: true)
    own = Int32(contents.registry.sourceIndex(of: client))
    self.client = client
  }

  /// The documents about which the user has never been asked, without their content; `nil` when
  /// there are none.
  func offered(in registry: StoreRegistry) -> [Sample]? {
    let offered = found.filter {
      client != .user && $0.source != own && registry.grant(of: $0.sample.uuid, reader) == nil
    }
    return offered.isEmpty ? nil : offered.map { Self.described($0, in: registry) }
  }

  /// What the user's choice among the offered documents changes: the others are refused.
  func grants(of offered: [Sample], granting chosen: [SampleUUID]) -> [RegistryChange] {
    offered.map { document in
      .grant(
        DocumentGrant(
          family: reader.family, uuid: document.uuid,
          state: chosen.contains(document.uuid) ? .granted : .refused))
    }
  }

  /// The documents that the client sees, as far as a limit allows.
  func visible(
    limit: Int?, includingContent: Bool, in registry: StoreRegistry
  ) -> [Sample] {
    found.filter {
      client == .user || $0.source == own
        || registry.grant(of: $0.sample.uuid, reader) == .granted
    }.prefix(SampleSort.most(limit)).map { stored in
      var sample = Self.described(stored, in: registry)
      if includingContent { sample.value = stored.sample.value }
      return sample
    }
  }

  /// A document's sample with its source and without its content.
  private static func described(_ stored: StoredSample, in registry: StoreRegistry) -> Sample {
    var sample = registry.revised(stored)
    if let document = sample.document { sample.value = .document(document.withoutContent) }
    return sample
  }
}
