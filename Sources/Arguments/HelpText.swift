/// The help page of one command.
struct HelpText {
  let page: CommandPage

  /// The column at which descriptions start.
  private static let descriptionColumn = 26
  /// The same for the names of commands in groups.
  private static let narrowColumn = 15

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
    sections += subcommands(width: width)
    if !page.subcommands.isEmpty {
      let program = page.verbs[0]
      let inner = page.verbs.dropFirst().map { "\($0) " }.joined()
      sections.append("  See '\(program) help \(inner)<subcommand>' for detailed help.")
    }
    return sections.joined(separator: "\n\n")
  }

  /// The commands below this one: in groups where it has some, each on a line of its own.
  private func subcommands(width: Int) -> [String] {
    func rows(_ entries: [CommandPage.Entry]) -> [(label: String, description: String)] {
      entries.map { ($0.names.joined(separator: ", "), $0.abstract) }
    }
    guard !page.groups.isEmpty else {
      return section("SUBCOMMANDS", rows(page.subcommands), width: width)
    }
    let grouped = Set(page.groups.flatMap(\.names))
    let rest = page.subcommands.filter { !grouped.contains($0.names[0]) }
    let groups = page.groups.map { group in
      (
        group.title,
        group.names.compactMap { name in page.subcommands.first { $0.names[0] == name } }
      )
    }
    let lines = (groups + [("Other", rest)]).filter { !$0.1.isEmpty }.map { title, entries in
      let lines = rows(entries).map {
        row(
          label: $0.label, description: $0.description, width: width, column: Self.narrowColumn)
      }
      return "\(title)\n" + lines.joined(separator: "\n")
    }
    return ["SUBCOMMANDS:\n" + lines.joined(separator: "\n")]
  }

  private var options: [(label: String, description: String)] {
    var rows = page.parameters.filter { !$0.isPositional }.map { ($0.label, $0.description) }
    if page.offersVersion { rows.append(("--version", CommandPage.versionMeaning)) }
    rows.append(("-h, --help", CommandPage.helpMeaning))
    return rows
  }

  private func section(
    _ title: String, _ rows: [(label: String, description: String)], width: Int
  ) -> [String] {
    guard !rows.isEmpty else { return [] }
    let lines = rows.map { row(label: $0.label, description: $0.description, width: width) }
    return ["\(title):\n" + lines.joined(separator: "\n")]
  }

  private func row(
    label: String, description: String, width: Int, column: Int = Self.descriptionColumn
  ) -> String {
    let left = "  \(label)"
    guard !description.isEmpty else { return left }
    let right = Wording.wrapped(description, width: width, indent: column)
    guard left.count < column else { return "\(left)\n\(right)" }
    return left + right.dropFirst(left.count)
  }
}
