import HealthStore
import Interchange
import Testing

@Suite("Clinical documents in CDA")
struct ClinicalDocumentTests {
  static let valid = """
    <?xml version="1.0"?>
    <ClinicalDocument xmlns="urn:hl7-org:v3">
      <typeId root="2.16.840.1.113883.1.3"/><id root="1"/><code code="34133-9"/>
      <title>Summary  of
        care</title>
      <effectiveTime value="20260101"/>
      <recordTarget><patientRole><patient>
        <name><given>Ann</given> <given>B.</given><family>Example</family></name>
      </patient></patientRole></recordTarget>
      <author><assignedAuthor><assignedPerson>
        <name><given>Carl</given><family>Writer</family></name>
      </assignedPerson></assignedAuthor></author>
      <author><assignedAuthor><representedOrganization><name>Lab</name>
      </representedOrganization></assignedAuthor></author>
      <custodian><assignedCustodian><representedCustodianOrganization>
        <name>Good Health Clinic</name>
      </representedCustodianOrganization></assignedCustodian></custodian>
    </ClinicalDocument>
    """

  @Test("H179 Title, patient, custodian and authors are taken from their places")
  func fields() throws {
    let document = try ClinicalDocument(cda: Array(Self.valid.utf8))
    #expect(document.title == "Summary of care")
    #expect(document.patientName == "Ann B. Example")
    #expect(document.custodianName == "Good Health Clinic")
    #expect(document.authorName == "Carl Writer, Lab")
    #expect(document.xml == Array(Self.valid.utf8))
  }

  @Test("A prefix on every element changes nothing")
  func prefixes() throws {
    let prefixed = Self.valid.replacing("</", with: "</h:").replacing("<", with: "<h:")
      .replacing("<h:/h:", with: "</h:").replacing("<h:?", with: "<?")
      .replacing("xmlns=", with: "xmlns:h=")
    let document = try ClinicalDocument(cda: Array(prefixed.utf8))
    #expect(document.title == "Summary of care")
  }

  @Test(
    "H178 An invalid document is refused with the element and the line",
    arguments: [
      ("<typeId root=\"2.16.840.1.113883.1.3\"/>", "", "typeId"),
      ("<effectiveTime value=\"20260101\"/>", "", "effectiveTime"),
      ("urn:hl7-org:v3", "urn:other", "ClinicalDocument"),
      ("patientRole>", "role>", "recordTarget/patientRole"),
      ("</ClinicalDocument>", "", "line"), ("<title>", "<title", "line"),
      ("custodian>", "keeper>", "custodian"),
    ])
  func refusals(old: String, new: String, words: String) {
    let broken = Self.valid.replacing(old, with: new)
    let error = #expect(throws: HealthStoreError.self) {
      try ClinicalDocument(cda: Array(broken.utf8))
    }
    #expect(error?.code == 3)
    #expect(error?.description.contains(words) == true)
  }
}
