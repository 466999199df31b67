public import StructuredText

/// A scenario file after merging, before its variants are told apart.
public struct ScenarioDocument: Sendable {
  /// The version of the format that this package reads.
  public static let format = "loopsim/1"

  /// The file's path as it was asked for.
  public let file: String
  /// The folder that the files it names may not reach out of.
  public var root: String { reach.root }
  /// Which files it may name.
  package let reach: FileReach
  /// The scenario's name, unique in a tree of scenarios.
  public let id: String
  /// The whole scenario, every value with the place where it was written.
  public let tree: JSONNode
  /// What the file itself says, before anything it extends.
  public let own: JSONNode
  /// The files that the scenario was built from, itself first.
  public let sources: [String]

  init(
    file: String, reach: FileReach, tree: JSONNode, own: JSONNode, sources: [String],
    problems: ProblemList
  ) {
    self.file = file
    self.reach = reach
    self.own = own
    self.sources = sources
    self.tree = tree
    id = Self.identity(of: tree, file: file, problems: problems)
    if tree["format"] == nil {
      problems.error(
        at: tree.position,
        "\"format\" is missing. Write format: '\(Self.format)' as the first key.")
    }
  }

  /// The words by which scenarios are chosen.
  public var tags: [String] { tree["tags"]?.items?.compactMap(\.string) ?? [] }

  /// The title, for reports.
  public var title: String? { tree["title"]?.string }

  static func checkFormat(of tree: JSONNode, problems: ProblemList) {
    guard let node = tree["format"], node.string != Self.format else { return }
    guard let text = node.string else {
      return problems.error(
        at: node.position, "The format must be '\(Self.format)', not \(node.quoted).")
    }
    let remedy =
      text.hasPrefix("loopsim/")
      ? "this version of loopsim reads only '\(Self.format)'."
      : "write format: '\(Self.format)'."
    problems.error(at: node.position, "The format \(node.quoted) is not known; \(remedy)")
  }

  private static func identity(of tree: JSONNode, file: String, problems: ProblemList) -> String {
    guard let node = tree["id"] else {
      // An id has no dots; the name of a file may have some.
      let name = FilePath.stem(of: file).lowercased().map { $0 == "." ? "-" : $0 }
      let stem = String(RunName.safe(String(name)).drop { $0 == "-" })
      return stem.isEmpty ? "scenario" : stem
    }
    guard let id = node.string, RunName.isSlug(id) else {
      problems.error(
        at: node.position, "\"id\" must be \(RunName.slugWords), not \(node.quoted).")
      return "scenario"
    }
    return id
  }
}
