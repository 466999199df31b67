/// The help page of one command.
struct HelpText {
  let page: CommandPage

  /// The column at which descriptions start.
  private static let descriptionColumn = 26

  /// The page, wrapped to a number of columns.
  func rendered(width: Int) -> String {
    var sections: [String] = []
    if !page.abstract.isEmpty {
      sections.append(Wording.wrapped("OVERVIEW: \(page.abstract)", width: width))
    }
    if !page.discussion.isEmpty {
      sections.append(Wording.wrapped(page.discussion, width: width))
    }
    sections.append("USAGE: \(page.usage)")
    let places = page.parameters.filter(\.isPositional)
    sections += section("ARGUMENTS", places.map { ($0.label, $0.description) }, width: width)
    sections += section("OPTIONS", options, width: width)
    sections += section(
      "SUBCOMMANDS",
      page.subcommands.map { ($0.names.joined(separator: ", "), $0.abstract) }, width: width)
    if !page.subcommands.isEmpty {
      let program = page.verbs[0]
      let inner = page.verbs.dropFirst().map { "\($0) " }.joined()
      sections.append("  See '\(program) help \(inner)<subcommand>' for detailed help.")
    }
    return sections.joined(separator: "\n\n")
  }

  private var options: [(label: String, description: String)] {
    var rows = page.parameters.filter { !$0.isPositional }.map { ($0.label, $0.description) }
    if page.offersVersion { rows.append(("--version", "Show the version.")) }
    rows.append(("-h, --help", "Show help information."))
    return rows
  }

  private func section(
    _ title: String, _ rows: [(label: String, description: String)], width: Int
  ) -> [String] {
    guard !rows.isEmpty else { return [] }
    let lines = rows.map { row(label: $0.label, description: $0.description, width: width) }
    return ["\(title):\n" + lines.joined(separator: "\n")]
  }

  private func row(label: String, description: String, width: Int) -> String {
    let left = "  \(label)"
    guard !description.isEmpty else { return left }
    let right = Wording.wrapped(description, width: width, indent: Self.descriptionColumn)
    guard left.count < Self.descriptionColumn else { return "\(left)\n\(right)" }
    return left + right.dropFirst(left.count)
  }
}
