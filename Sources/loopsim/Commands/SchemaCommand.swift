import Arguments
import Scenarios
import StructuredText

/// Prints every key of a scenario file.
struct SchemaCommand: Command {
  enum Format: String, CaseIterable, ArgumentValue {
    case json
    case markdown
  }

  static let name = "schema"
  static let abstract = "Print every key of a scenario file with its type, default and meaning."
  static let discussion = """
    The table is the one that the checker uses. A key that is not supported is part of the format, \
    and this version refuses it rather than ignore it.
    """

  var format = Format.json

  static func describe(_ it: inout Parameters<Self>) {
    it.option("format", \.format, help: "For programs, or as tables for people.")
  }

  func run(to console: any Console) async throws {
    let table = SchemaTable()
    switch format {
    case .json: console.write(JSONWriter().text(table.json), to: .output)
    case .markdown: console.write(table.markdown, to: .output)
    }
  }
}
