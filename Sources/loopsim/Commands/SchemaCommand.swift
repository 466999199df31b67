import Arguments
import Reports
import ScenarioLanguage
import Scenarios
import StructuredText

/// Prints every key of a scenario file.
struct SchemaCommand: Command {
  enum Format: String, CaseIterable, ArgumentValue {
    case json
    case markdown
    /// For editors: draft 2020-12.
    case jsonSchema = "json-schema"
    /// What the files of a result hold, for people.
    case output
  }

  static let name = "schema"
  static let abstract = "Print every key of a scenario file with its type, default and meaning."
  static let discussion = """
    The table is the one that the checker uses. A key that is not supported is part of the format, \
    and this version refuses it rather than ignore it.

    An editor checks and completes scenarios by `--format json-schema`, a JSON Schema of draft \
    2020-12: keep it in a file, and name that file in the editor's settings or as the scenario's \
    "$schema". `loopsim check` sees more than any schema can say.
    """

  var format = Format.json

  static func describe(_ it: inout Parameters<Self>) {
    it.option(
      "format", \.format,
      help: "For programs, as tables for people, for editors, or what results hold.")
  }

  func run(to console: any Console) async throws {
    let table = SchemaTable()
    switch format {
    case .json: console.printJSON(table.json)
    case .output: console.write(OutputGuide.markdown, to: .output)
    case .jsonSchema: console.printJSON(EditorSchema().json)
    case .markdown: console.write(table.markdown, to: .output)
    }
  }
}
