import Arguments
import Physiology
import StructuredText
import Testing

@testable import loopsim

@Suite("The command patients")
struct PatientsCommandTests {
  @Test("The list has a line for every patient")
  func list() async {
    let result = await program(["patients"])
    #expect(result.code == 0)
    let lines = result.output.split(separator: "\n")
    #expect(lines.count == PatientDescription.catalogue.count + 4)
    #expect(lines.contains { $0.contains("uva-padova-s2013") })
    #expect(lines.contains { $0.hasPrefix("adult#001 ") && $0.contains("uva-padova-s2008") })
  }

  @Test("A named patient shows its parameters with units and the source")
  func sheet() async {
    let result = await program(["patients", "adult#001"])
    #expect(result.output.contains("  Gb            138.56 mg/dL\n"))
    #expect(result.output.contains("simglucose"))
    let small = await program(["patients", "bergman#average"])
    #expect(small.output.contains("  P3            0.00005 1/min² per mU/L\n"))
    #expect(small.output.contains("  Gb            44.7778 mmol/L\n"))
  }

  @Test("JSON holds every patient and every parameter")
  func json() async throws {
    let result = await program(["patients", "ivp#001", "hovorka2004#nominal", "--format", "json"])
    let reading = JSONReader.read(text: result.output, file: "patients")
    #expect(reading.problems.isEmpty)
    guard case .array(let patients)? = reading.root.map({ JSONValue($0) }) else {
      Issue.record("The output is no list.")
      return
    }
    #expect(patients.count == 2)
    #expect(patients.first?["id"] == "ivp#001")
  }

  @Test("A name nobody has is a usage error with the nearest name")
  func unknown() async {
    let result = await program(["patients", "adlut#001"])
    #expect(result.code == 64)
    #expect(result.error.contains("Did you mean \"adult#001\"?"))
  }
}
