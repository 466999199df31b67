public import Quantities

/// What the user is to decide before a client sees documents it was not told of before.
///
/// HealthKit: the sheet that an `HKDocumentQuery` shows.
public struct DocumentSheet: Hashable, Sendable {
  /// Who wants to see documents.
  public let client: ClientID
  /// The documents, without their content, in the order of samples.
  public let documents: [Sample]
}

/// Clinical documents, to each of which the user grants access by itself.
extension HealthRecordStore {
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
    let found = try FoundDocuments(
      matching: predicate, sortedBy: sorts, as: client, in: contents)
    if let answer, let offered = found.offered(in: contents.registry) {
      let chosen = answer(DocumentSheet(client: client, documents: offered))
      try contents.commit(found.grants(of: offered, granting: chosen))
    }
    return found.visible(limit: limit, includingContent: includingContent, in: contents.registry)
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
