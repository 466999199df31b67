public import Quantities

/// Clinical documents, to each of which the user grants access by itself.
extension HealthRecordStore {
  /// What the user is to decide before a client sees documents it was not told of before.
  ///
  /// HealthKit: the sheet that an `HKDocumentQuery` shows.
  public struct DocumentSheet: Hashable, Sendable {
    /// Who wants to see documents.
    public let client: ClientID
    /// The documents, without their content, in the order of samples.
    public let documents: [Sample]
  }

  /// The documents that match and that the client may see; without their XML unless asked for.
  ///
  /// In the foreground the user is asked about documents that were never offered: the answer is the
  /// documents granted, and the others are refused until the user changes that. In the background
  /// nobody is asked. A client always sees its own documents. HealthKit: `HKDocumentQuery`.
  public mutating func documents(
    matching predicate: SamplePredicate = .all,
    sortedBy sorts: [SampleSort] = [SampleSort(.start)], limit: Int? = nil,
    includingContent: Bool = false, as client: ClientID,
    asking answer: ((DocumentSheet) -> [SampleUUID])? = nil
  ) throws(HealthStoreError) -> [Sample] {
    let reader = try contents.registry.checkedReader(client)
    let found = try contents.storedSamples(
      of: .clinicalDocument, matching: predicate, sortedBy: sorts, limit: nil, as: client,
      includingUngranted: true)
    let own = Int32(contents.registry.sourceIndex(of: reader))
    let offered = found.filter { isUndecided($0, own: own, client: client, reader) }
    if let answer, !offered.isEmpty {
      let sheet = DocumentSheet(client: client, documents: offered.map(described))
      let chosen = answer(sheet)
      try contents.commit(
        offered.map { stored in
          .grant(
            DocumentGrant(
              family: reader.family, uuid: stored.sample.uuid,
              state: chosen.contains(stored.sample.uuid) ? .granted : .refused))
        })
    }
    let visible = found.filter {
      client == .user || $0.source == own
        || contents.registry.grant(of: $0.sample.uuid, reader) == .granted
    }.prefix(StoreContents<Backend>.most(limit))
    return visible.map { stored in
      var sample = described(stored)
      if includingContent { sample.value = stored.sample.value }
      return sample
    }
  }

  /// A document's sample with its source and without its content.
  private func described(_ stored: StoredSample) -> Sample {
    var sample = contents.registry.revised(stored)
    if let document = sample.document { sample.value = .document(document.withoutContent) }
    return sample
  }

  /// Grants or refuses a client's family one document, as the user does in the health app.
  ///
  /// HealthKit has no call for it: the user does it in the health app.
  public mutating func setGrant(
    _ state: DocumentGrant.State, of document: SampleUUID, to client: ClientID
  ) throws(HealthStoreError) {
    let family = try contents.registry.checkedClient(client).family
    try contents.commit([.grant(DocumentGrant(family: family, uuid: document, state: state))])
  }

  private func isUndecided(
    _ stored: StoredSample, own: Int32, client: ClientID, _ reader: HealthClient
  ) -> Bool {
    client != .user && stored.source != own
      && contents.registry.grant(of: stored.sample.uuid, reader) == nil
  }
}

extension Sample {
  /// Creates a sample of a clinical document.
  ///
  /// HealthKit: `HKCDADocumentSample(data:start:end:metadata:)`.
  public init(
    document: ClinicalDocument, start: Instant, end: Instant, uuid: SampleUUID,
    metadata: Metadata = .none
  ) {
    self.init(
      restoring: uuid, type: .clinicalDocument, start: start, end: end,
      value: .document(document), metadata: metadata)
  }
}
