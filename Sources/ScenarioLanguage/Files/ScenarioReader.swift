public import StructuredText

/// Reads scenario files with everything they extend.
///
/// A reader keeps the files it has parsed, so that a thousand scenarios on one base read it once.
public struct ScenarioReader {
  /// The most files that one scenario may be built from, itself included.
  public static let maximumFiles = 64

  /// Where files come from.
  public let files: any ScenarioFiles
  /// The folder that no file may reach out of; the folder of each scenario unless stated.
  public let root: String?
  /// Whether files may lie outside the root.
  public let allowsOutside: Bool

  private var parsed: [String: JSONReader.Reading] = [:]
  /// How many files were laid over what they extend so far: the work that reading took.
  private(set) var mergedFiles = 0

  /// Creates a reader.
  public init(files: any ScenarioFiles, root: String? = nil, allowsOutside: Bool = false) {
    self.files = files
    self.root = root
    self.allowsOutside = allowsOutside
  }

  /// Reads a scenario and lays it over what it extends.
  ///
  /// Returns nothing when a file is missing, lies outside the folder of the scenarios, or cannot be
  /// understood: what the scenario then lacks is no further mistake of it. What else is wrong is
  /// reported and left for further checks.
  public mutating func read(_ path: String, problems: ProblemList) -> ScenarioDocument? {
    let start = TextPosition(file: path, line: 1, column: 1)
    let canonical = files.canonicalPath(of: path)
    // What comes on standard input is taken for a file where the program runs.
    let place = path == FilePath.standardInput ? files.canonicalPath(of: "stdin") : canonical
    let folder = root.map { files.canonicalPath(of: $0) } ?? Self.scenarioRoot(of: place)
    let reach = FileReach(root: folder, allowsOutside: allowsOutside, files: files)
    var chain = Chain(problems: problems, reach: reach)
    guard
      let tree = merged(path, canonical: canonical, namedAt: start, &chain), let own = chain.own,
      !chain.lacksBase
    else { return nil }
    return ScenarioDocument(
      file: path, reach: reach,
      tree: fillingTables(of: tree, in: folder, problems: problems) ?? tree, own: own,
      sources: chain.sources, problems: problems)
  }

  /// The bytes of a table or other file that a scenario names.
  public func bytes(
    of path: String, namedBy node: JSONNode, in document: ScenarioDocument, problems: ProblemList
  ) -> (path: String, bytes: [UInt8])? {
    bytes(of: path, namedBy: node, in: document.root, problems: problems)
  }

  func bytes(
    of path: String, namedBy node: JSONNode, in folder: String, problems: ProblemList
  ) -> (path: String, bytes: [UInt8])? {
    let reach = FileReach(root: folder, allowsOutside: allowsOutside, files: files)
    let full = reach.path(of: path, namedBy: node.position.file)
    if let refusal = reach.refusal(of: full, named: path) {
      problems.error(at: node.position, refusal)
      return nil
    }
    do throws(FileTrouble) {
      return (full, try files.bytes(of: full))
    } catch {
      problems.error(at: node.position, code: error.code, error.description)
      return nil
    }
  }

  /// The nearest folder named `Scenarios` around a file, or the file's own folder.
  static func scenarioRoot(of canonical: String) -> String {
    var folder = FilePath.folder(of: canonical)
    while !folder.isEmpty, folder != "/" {
      if folder == "Scenarios" || folder.hasSuffix("/Scenarios") { return folder }
      folder = FilePath.folder(of: folder)
    }
    return FilePath.folder(of: canonical)
  }

  // MARK: - Extending

  /// What is known while a scenario and the files under it are read.
  private struct Chain {
    let problems: ProblemList
    let reach: FileReach
    /// The files being read, each extended by the one before it.
    var open: [String] = []
    var sources: [String] = []
    var own: JSONNode?
    /// Whether a file that is extended could not be had.
    var lacksBase = false
    /// The files that are done, each with all that it extends.
    var done: [String: JSONNode?] = [:]
  }

  private mutating func merged(
    _ path: String, canonical: String, namedAt position: TextPosition, _ chain: inout Chain
  ) -> JSONNode? {
    mergedFiles += 1
    guard let file = parse(path, namedAt: position, chain.problems) else { return nil }
    guard file.members != nil else {
      chain.problems.error(
        at: file.position, "A scenario must be an object in braces, not \(file.kind).")
      return nil
    }
    let tree = RenamedKeys.renamed(
      Self.withoutEditorSchema(file, chain.problems), problems: chain.problems)
    if chain.own == nil { chain.own = tree }
    if !chain.sources.contains(path) { chain.sources.append(path) }
    guard chain.sources.count <= Self.maximumFiles else {
      chain.problems.error(
        at: position, "A scenario is built from at most \(Self.maximumFiles) files.")
      return nil
    }
    ScenarioDocument.checkFormat(of: tree, problems: chain.problems)
    let overlay = Overlay(problems: chain.problems)
    var result: JSONNode?
    chain.open.append(canonical)
    defer { chain.open.removeLast() }
    for name in names(in: tree["extends"], chain.problems) {
      guard let text = name.string, let inherited = base(text, named: name, by: path, &chain)
      else {
        chain.lacksBase = true
        continue
      }
      result = overlay.mergedDocument(result, inherited)
    }
    let members = (tree.members ?? []).filter { $0.key != "extends" }
    // An identity is a file's own: what it extends is another scenario.
    if let inherited = result?.members {
      result?.value = .object(inherited.filter { $0.key != "id" })
    }
    return overlay.mergedDocument(result, JSONNode(.object(members), at: tree.position))
  }

  private mutating func base(
    _ name: String, named node: JSONNode, by path: String, _ chain: inout Chain
  ) -> JSONNode? {
    let full = chain.reach.path(of: name, namedBy: path)
    let canonical = files.canonicalPath(of: full)
    if let place = chain.open.firstIndex(of: canonical) {
      let circle = (chain.open[place...] + [canonical]).map {
        $0.split(separator: "/").last.map(String.init) ?? $0
      }
      chain.problems.error(
        at: node.position,
        "Files extend one another in a circle: \(circle.joined(separator: " → ")). Break it here.")
      return nil
    }
    if let refusal = chain.reach.refusal(of: full, named: name) {
      chain.problems.error(at: node.position, refusal)
      return nil
    }
    // However many files extend the same one, it is laid over its own bases once.
    if let done = chain.done[full] { return done }
    let tree = merged(full, canonical: canonical, namedAt: node.position, &chain)
    chain.done[full] = .some(tree)
    return tree
  }

  /// The tree without the name of the schema by which an editor checks the file; it is the file's
  /// own and means nothing else.
  private static func withoutEditorSchema(_ tree: JSONNode, _ problems: ProblemList) -> JSONNode {
    guard let schema = tree["$schema"] else { return tree }
    if schema.string == nil {
      problems.error(
        at: schema.position,
        "\"$schema\" must be the address of a schema in quotes, not "
          + "\(schema.quoted).")
    }
    var own = tree
    own.value = .object((tree.members ?? []).filter { $0.key != "$schema" })
    return own
  }

  private func names(in node: JSONNode?, _ problems: ProblemList) -> [JSONNode] {
    guard let node else { return [] }
    let names = node.items ?? [node]
    return names.filter { name in
      if name.string != nil { return true }
      problems.error(
        at: name.position,
        "\"extends\" must be a path in quotes, or a list of paths, not \(name.quoted).")
      return false
    }
  }

  private mutating func parse(
    _ path: String, namedAt position: TextPosition, _ problems: ProblemList
  ) -> JSONNode? {
    if let reading = parsed[path] {
      problems.add(reading.problems)
      return reading.root
    }
    do throws(FileTrouble) {
      let reading = JSONReader.read(try files.bytes(of: path), file: path)
      parsed[path] = reading
      problems.add(reading.problems)
      return reading.root
    } catch {
      problems.error(at: position, code: error.code, error.description)
      return nil
    }
  }
}
