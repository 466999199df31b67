import Arguments
import Physiology
import Quantities
import Reports
import StructuredText

/// Lists the virtual patients that have names.
struct PatientsCommand: Command {
  static let name = "patients"
  static let abstract = "List the virtual patients with their parameters, units and sources."
  static let discussion = """
    Without a name every patient is one line; with names each patient's parameters follow, to six \
    digits. The basal rate is the one that holds 120 mg/dL.
    """

  /// How the list is printed.
  enum Format: String, ArgumentValue, CaseIterable { case text, csv, json }

  var names: [String] = []
  var format = Format.text

  static func describe(_ it: inout Parameters<Self>) {
    it.positional(
      "names", \.names, isRequired: false, help: "The patients to show; all unless given.")
    it.option("format", \.format, help: "How to print the list.")
  }

  func run(to console: any Console) async throws {
    let chosen = try names.isEmpty ? PatientDescription.catalogue : names.map(Self.described)
    switch format {
    case .json:
      console.printJSON(.array(chosen.map(Self.json)))
    case .csv:
      var writer = CSVWriter(header: OutputGuide.patientParameters.map(\.name))
      for patient in chosen {
        for parameter in patient.parameters {
          writer.field(patient.identifier)
          writer.field(patient.model.name)
          writer.field(parameter.name)
          writer.field(shortest: parameter.value)
          writer.field(parameter.unit)
        }
      }
      console.write(writer.text, to: .output)
    case .text:
      if names.isEmpty {
        console.print(Self.table(chosen))
      } else {
        console.print(chosen.map(Self.sheet).joined(separator: "\n\n"))
      }
    }
  }

  private static func described(_ name: String) throws -> PatientDescription {
    do throws(PatientError) {
      return try PatientDescription.named(name)
    } catch {
      let known = PatientDescription.catalogue.map(\.identifier)
      let hint = NearestName.suggestion(for: name, among: known)
      throw Failure(
        .usage,
        "There is no patient \"\(name)\".\(hint) \"loopsim patients\" lists all of them.")
    }
  }

  private static func table(_ patients: [PatientDescription]) -> String {
    var lines = [row("patient", "model", "weight kg", "basal U/h")]
    for patient in patients {
      let weight = patient.parameters.first { $0.name == "BW" }?.value ?? .nan
      lines.append(
        row(
          patient.identifier, patient.model.name, FixedDecimal.text(weight, decimals: 1),
          FixedDecimal.text(patient.basalRate(holding: .mgdL(120)) ?? .nan, decimals: 3)))
    }
    return (lines + ["", footnote]).joined(separator: "\n")
  }

  private static let footnote = """
    The patients of uva-padova-s2008 are those of uva-padova-s2013 too. tidepool-simple has no \
    patients:
    a scenario states its needs. uva-padova-s2013, hovorka and bergman have equations for exercise.
    A body may also be a program of yours, with the model external: Scenarios/BRIDGE.md.
    """

  private static func row(_ cells: String...) -> String {
    let widths = [20, 18, 11, 11]
    return zip(cells, widths).enumerated().map { index, cell in
      let blanks = String(repeating: " ", count: max(0, cell.1 - cell.0.count))
      return index < 2 ? cell.0 + blanks : blanks + cell.0
    }.joined()
  }

  private static func sheet(_ patient: PatientDescription) -> String {
    var lines = [
      "\(patient.identifier) - \(patient.model.name)", "  source: \(patient.model.source)",
    ]
    for parameter in patient.parameters {
      let name =
        parameter.name
        + String(repeating: " ", count: max(1, 14 - parameter.name.count))
      let unit = parameter.unit == "1" ? "" : " \(parameter.unit)"
      lines.append("  \(name)\(number(parameter.value))\(unit)")
    }
    return lines.joined(separator: "\n")
  }

  /// A number to six digits that count; JSON has all of them.
  private static func number(_ value: Double) -> String {
    var decimals = 5
    var size = value.magnitude
    while size >= 10, decimals > 0 {
      size /= 10
      decimals -= 1
    }
    while size < 1, size > 0, decimals < 12 {
      size *= 10
      decimals += 1
    }
    var text = FixedDecimal.text(value, decimals: decimals)
    guard text.contains(".") else { return text }
    while text.hasSuffix("0") { text.removeLast() }
    if text.hasSuffix(".") { text.removeLast() }
    return text
  }

  private static func json(_ patient: PatientDescription) -> JSONValue {
    let parameters = patient.parameters.map { parameter -> JSONValue in
      [
        "name": .string(parameter.name), "value": .number(parameter.value),
        "unit": .string(parameter.unit),
      ]
    }
    return [
      "id": .string(patient.identifier), "model": .string(patient.model.name),
      "source": .string(patient.model.source),
      "basal_U_per_h_at_120_mgdL": .number(patient.basalRate(holding: .mgdL(120)) ?? .nan),
      "parameters": .array(parameters),
    ]
  }
}
