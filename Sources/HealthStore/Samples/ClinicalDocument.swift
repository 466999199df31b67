/// A clinical document in HL7 CDA with the four fields by which it is found.
///
/// HealthKit: `HKCDADocumentSample.CDADocument`.
public struct ClinicalDocument: Hashable, Sendable {
  /// The document as it was given; nothing where a query did not ask for it.
  public internal(set) var xml: [UInt8]?
  /// The title of the document.
  public let title: String
  /// The name of the patient.
  public let patientName: String
  /// The name of the institution that keeps it.
  public let custodianName: String
  /// The name of the author.
  public let authorName: String

  /// Puts a document together from its stored fields, without reading the XML.
  public init(
    restoring xml: [UInt8]?, title: String, patientName: String, custodianName: String,
    authorName: String
  ) {
    self.xml = xml
    self.title = title
    self.patientName = patientName
    self.custodianName = custodianName
    self.authorName = authorName
  }

  /// The document without its XML.
  public var withoutContent: Self {
    var copy = self
    copy.xml = nil
    return copy
  }
}
