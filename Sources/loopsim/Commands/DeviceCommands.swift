import Arguments
import Devices
import Reports
import StructuredText

/// How a list of devices is printed.
enum DeviceListFormat: String, CaseIterable, ArgumentValue { case text, csv, json }

/// Lists the pumps that a scenario can name.
struct PumpsCommand: Command {
  static let name = "pumps"
  static let abstract = "List the virtual pumps with their limits, speeds and sources."

  var ids: [String] = []
  var format = DeviceListFormat.text

  static func describe(_ it: inout Parameters<Self>) {
    it.positional("ids", \.ids, isRequired: false, help: "The pumps to list; all unless given.")
    it.option("format", \.format, help: "How to print the list.")
  }

  func run(to console: any Console) async throws {
    try DeviceList.print(
      PumpProfile.catalogue.map(DeviceText.entry),
      named: ids.map { $0 == PumpProfile.genericName ? PumpProfile.generic50.id : $0 },
      kind: "pump", as: format, to: console)
  }
}

/// Lists the sensors that a scenario can name.
struct SensorsCommand: Command {
  static let name = "sensors"
  static let abstract = "List the virtual CGM sensors with their life, error and sources."

  var ids: [String] = []
  var format = DeviceListFormat.text

  static func describe(_ it: inout Parameters<Self>) {
    it.positional("ids", \.ids, isRequired: false, help: "The sensors to list; all unless given.")
    it.option("format", \.format, help: "How to print the list.")
  }

  func run(to console: any Console) async throws {
    try DeviceList.print(
      SensorProfile.catalogue.map(DeviceText.entry), named: ids, kind: "sensor", as: format,
      to: console)
  }
}

/// A list of devices on its way to a console.
private enum DeviceList {
  static func print(
    _ entries: [DeviceText.Entry], named ids: [String], kind: String,
    as format: DeviceListFormat, to console: any Console
  ) throws {
    let chosen = try ids.isEmpty ? entries : ids.map { try entry($0, of: entries, kind) }
    switch format {
    case .text:
      let blocks = chosen.map { DeviceText.lines($0).joined(separator: "\n") }
      console.print(blocks.joined(separator: "\n\n"))
    case .csv:
      var writer = CSVWriter(header: OutputGuide.deviceProperties.map(\.name))
      for entry in chosen {
        for line in entry.lines {
          writer.append(row: [entry.id, entry.name, line.label, line.text])
        }
      }
      console.write(writer.text, to: .output)
    case .json:
      let items = chosen.map { entry -> JSONValue in
        let lines = entry.lines.map { line -> JSONValue in
          ["property": .string(line.label), "value": .string(line.text)]
        }
        return [
          "id": .string(entry.id), "name": .string(entry.name), "properties": .array(lines),
        ]
      }
      console.printJSON(.array(items))
    }
  }

  private static func entry(
    _ id: String, of entries: [DeviceText.Entry], _ kind: String
  ) throws -> DeviceText.Entry {
    if let entry = entries.first(where: { $0.id == id }) { return entry }
    throw Failure.unknown(kind, id, among: entries.map(\.id))
  }
}

extension Failure {
  /// A device that does not exist, with the nearest name and all the others.
  static func unknown(_ kind: String, _ id: String, among names: [String]) -> Self {
    let hint = NearestName.suggestion(for: id, among: names)
    return Self(
      .usage,
      "There is no \(kind) \"\(id)\".\(hint) There are: \(names.joined(separator: ", ")).")
  }
}
