import Arguments
import Reports
import Scenarios
import StructuredText

/// Prints every key of a scenario file.
struct SchemaCommand: Command {
  enum Format: String, CaseIterable, ArgumentValue {
    case json
    case markdown
    /// What the files of a result hold, for people.
    case output
  }

  static let name = "schema"
  static let abstract = "Print every key of a scenario file with its type, default and meaning."
  static let discussion = """
    The table is the one that the checker uses. A key that is not supported is part of the format, \
    and this version refuses it rather than ignore it.
    """

  var format = Format.json

  static func describe(_ it: inout Parameters<Self>) {
    it.option("format", \.format, help: "For programs, as tables for people, or what results hold.")
  }

  func run(to console: any Console) async throws {
    let table = SchemaTable()
    switch format {
    case .json: console.write(JSONWriter().text(table.json), to: .output)
    case .output: console.write(OutputGuide.markdown, to: .output)
    case .markdown: console.write(table.markdown, to: .output)
    }
  }
}
