public import HealthStore
internal import StructuredText

extension ClinicalDocument {
  /// Reads a clinical document in HL7 CDA, and takes out the four fields by which it is found.
  ///
  /// The document must be well formed, have `ClinicalDocument` of the namespace `urn:hl7-org:v3` as
  /// its root, and contain type, identity, code, time, a patient, an author and a custodian.
  /// Several authors are joined with a comma. HealthKit: `HKCDADocumentSample(data:…)`, which
  /// checks in its own, unpublished way; what is asked for here is our choice.
  ///
  /// - Throws: `invalidArgument` with the line and the element that is missing or wrong.
  public init(cda xml: [UInt8]) throws(HealthStoreError) {
    var reader = CDAReader(xml)
    try reader.read()
    self.init(
      restoring: xml, title: reader.title.first ?? "", patientName: reader.patient,
      custodianName: reader.custodian, authorName: reader.authors)
  }
}

/// Walks through a clinical document and keeps what its fields are made of.
private struct CDAReader {
  private static let namespace = "urn:hl7-org:v3"
  private static let required = [
    "typeId", "id", "code", "effectiveTime", "recordTarget/patientRole", "author", "custodian",
  ]

  private var scanner: XMLScanner
  private var path: [String] = []
  private var seen: Set<String> = []
  private var parts: [String: [String]] = [:]
  private var organisations: [String] = []
  private var people: [[String]] = []
  private var prefix = ""
  private(set) var title: [String] = []

  init(_ xml: [UInt8]) { scanner = XMLScanner(xml, file: "document") }

  /// The given and family names of the patient.
  var patient: String {
    Self.collapsed(parts["recordTarget/patientRole/patient/name"] ?? [])
  }

  var custodian: String {
    Self.collapsed(
      parts["custodian/assignedCustodian/representedCustodianOrganization/name"] ?? [])
  }

  /// The authors' names; an author who is no person has the name of the organisation.
  var authors: String {
    zip(people, organisations).map { person, organisation in
      person.isEmpty ? organisation : Self.collapsed(person)
    }.filter { !$0.isEmpty }.joined(separator: ", ")
  }

  mutating func read() throws(HealthStoreError) {
    do {
      while let piece = try scanner.next() {
        switch piece {
        case .start: try start()
        case .text: text(scanner.text)
        case .end: path.removeLast()
        }
      }
    } catch let problem as TextProblem {
      throw .invalidArgument(
        .document(
          line: problem.position.line, element: path.last ?? "ClinicalDocument",
          problem: problem.sentence))
    } catch let error as HealthStoreError {
      throw error
    } catch {
      throw .invalidArgument(
        .document(line: 1, element: "ClinicalDocument", problem: "\(error)"))
    }
    for element in Self.required where !seen.contains(element) {
      throw fault(at: element, "it is missing")
    }
  }

  private mutating func start() throws(HealthStoreError) {
    var name = scanner.name
    if path.isEmpty {
      prefix = name.hasSuffix(":ClinicalDocument") ? String(name.dropLast(16)) : ""
      let declared = scanner.allAttributes.first {
        $0.name == (prefix.isEmpty ? "xmlns" : "xmlns:\(prefix.dropLast())")
      }
      guard name == "\(prefix)ClinicalDocument", declared?.value == Self.namespace else {
        throw fault(at: name, "the root must be ClinicalDocument in \(Self.namespace)")
      }
    }
    if !prefix.isEmpty, name.hasPrefix(prefix) { name = String(name.dropFirst(prefix.count)) }
    path.append(name)
    let place = path.dropFirst().joined(separator: "/")
    seen.insert(place)
    if place == "author" {
      people.append([])
      organisations.append("")
    }
  }

  private mutating func text(_ text: String) {
    let place = path.dropFirst().joined(separator: "/")
    if place == "title" { title = [Self.collapsed(title + [text])] }
    for field in [
      "recordTarget/patientRole/patient/name",
      "custodian/assignedCustodian/representedCustodianOrganization/name",
    ] where place == field || place.hasPrefix(field + "/") {
      parts[field, default: []].append(text)
    }
    guard !people.isEmpty else { return }
    let person = "author/assignedAuthor/assignedPerson/name"
    if place == person || place.hasPrefix(person + "/") { people[people.count - 1].append(text) }
    if place == "author/assignedAuthor/representedOrganization/name" {
      organisations[organisations.count - 1] = Self.collapsed([text])
    }
  }

  private func fault(at element: String, _ problem: String) -> HealthStoreError {
    .invalidArgument(
      .document(line: scanner.position.line, element: element, problem: problem))
  }

  /// Texts joined by single blanks.
  private static func collapsed(_ texts: [String]) -> String {
    texts.flatMap { $0.split(whereSeparator: \.isWhitespace) }.joined(separator: " ")
  }
}
