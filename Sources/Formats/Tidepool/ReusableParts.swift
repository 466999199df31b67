internal import Quantities
internal import StructuredText

/// The reusable parts to which Tidepool's scenario files point, found by name in a folder.
///
/// A pointer such as `reusable.metabolism_settings.median_v1` names a folder and a file without its
/// extension. All folders below the named one are searched, those of the original program first,
/// then the whole tree, then without regard to letter case. Files are read once.
public final class ReusableParts {
  /// A part that was found, and what the finding gave reason to say.
  struct Part {
    var node: JSONNode
    var path: String
    /// Whether the part points to no other.
    var isPlain: Bool
    /// What was wrong with its file, although it could be read.
    var warnings: [TextProblem]
    var remark: (reason: ImportReason, sentence: String)?
  }

  /// Why a pointer gave no part.
  struct Failure: Error {
    var sentence: String
    var problems: [TextProblem] = []
  }

  private let read: (String) throws -> [UInt8]?
  private let paths: [String]
  private var byStem: [String: [Int]] = [:]
  private var found: [String: Part] = [:]
  private var cache: [String: Result<Loaded, Failure>] = [:]
  /// Histories of glucose that were read before, by their place and the start they count from.
  var histories: [GlucoseKey: [TidepoolGlucosePoint]] = [:]

  /// A history of glucose in a part.
  struct GlucoseKey: Hashable {
    var position: TextPosition
    var start: CivilTime
  }

  /// The file of a part.
  private struct Loaded {
    var node: JSONNode
    var isPlain: Bool
    var warnings: [TextProblem]
  }

  /// Prepares the parts of a folder.
  ///
  /// - Parameters:
  ///   - paths: The files below the folder `reusable`, relative to it, with `/` between names.
  ///   - read: Gives the bytes of one of them, or nothing when there is no such file; throws what
  ///     says why it cannot be read.
  public init(paths: [String], read: @escaping (String) throws -> [UInt8]?) {
    self.paths = paths.filter { $0.hasSuffix(".json") || $0.hasSuffix(".csv") }.sorted()
    self.read = read
    for (index, path) in self.paths.enumerated() {
      byStem[Self.stem(of: path).lowercased(), default: []].append(index)
    }
  }

  /// How many parts there are.
  public var count: Int { paths.count }

  /// The folders that the original program searches below a named one, in its order.
  private static let searched = [
    "base", "suspend", "loop_versions", "specialized", "profiles", "suspensions", "presets",
    "versions", "types",
  ]

  /// The part that a pointer names.
  func part(_ pointer: String) throws(Failure) -> Part {
    if let known = found[pointer] { return known }
    let words = pointer.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard let root = words.firstIndex(of: "reusable"), words.count > root + 1,
      let stem = words.last
    else {
      throw Failure(sentence: "\"\(pointer)\" does not name a part below reusable.")
    }
    let folder = words[(root + 1)..<(words.count - 1)].joined(separator: "/")
    guard let path = path(folder: folder, stem: stem) else {
      let near = paths.filter { $0.hasPrefix(folder) }
      let stems = (near + paths).map { Self.stem(of: $0) }
      throw Failure(
        sentence: "\"\(pointer)\" points to a part that is not there."
          + NearestName.suggestion(for: stem, among: stems))
    }
    let loaded = try load(path)
    let part = Part(
      node: loaded.node, path: path, isPlain: loaded.isPlain, warnings: loaded.warnings,
      remark: remark(pointer, folder: folder, stem: stem, path))
    found[pointer] = part
    return part
  }

  private func path(folder: String, stem: String) -> String? {
    let candidates = (byStem[stem.lowercased()] ?? []).map { paths[$0] }
    func rank(_ path: String) -> (Int, Int, Int, Int, String) {
      let place = Self.folder(of: path)
      let isBelow = place == folder || place.hasPrefix(folder + "/")
      let rest = place == folder ? "" : String(place.dropFirst(folder.count + 1))
      let order = place == folder ? -1 : Self.searched.firstIndex(of: rest) ?? Self.searched.count
      return (
        isBelow ? 0 : 1, Self.stem(of: path) == stem ? 0 : 1, isBelow ? order : 0,
        path.hasSuffix(".json") ? 0 : 1, path
      )
    }
    return candidates.min { rank($0) < rank($1) }
  }

  /// What to say about a part that the original program would look for in vain.
  private func remark(_ pointer: String, folder: String, stem: String, _ path: String)
    -> (ImportReason, String)?
  {
    let place = Self.folder(of: path)
    let rest = String(place.dropFirst(min(place.count, folder.count + 1)))
    if Self.stem(of: path) != stem {
      return (
        .pointerCase,
        "\"\(pointer)\" differs in letter case from \(path), which is used; name it so."
      )
    }
    if place == folder || place.hasPrefix(folder + "/") && Self.searched.contains(rest) {
      return nil
    }
    return (
      .pointerMoved, "\"\(pointer)\" is found at \(path), where the original program does not look."
    )
  }

  private func load(_ path: String) throws(Failure) -> Loaded {
    if let known = cache[path] { return try known.get() }
    let result = result(path)
    cache[path] = result
    return try result.get()
  }

  private static func isPlain(_ node: JSONNode) -> Bool {
    switch node.value {
    case .string(let text): !text.contains("reusable")
    case .array(let items): items.allSatisfy(isPlain)
    case .object(let members): members.allSatisfy { isPlain($0.value) }
    default: true
    }
  }

  private func result(_ path: String) -> Result<Loaded, Failure> {
    let file = "reusable/\(path)"
    let bytes: [UInt8]?
    do {
      bytes = try read(path)
    } catch {
      return .failure(Failure(sentence: "The part \(file) cannot be used. \(error)"))
    }
    guard let bytes else {
      return .failure(Failure(sentence: "The part \(file) cannot be read."))
    }
    let problems = ProblemList()
    let node =
      path.hasSuffix(".csv")
      ? TidepoolGlucose.node(csv: bytes, file: file, problems: problems)
      : OtherJSON.read(bytes, file: file, problems)
    if let node, !problems.hasErrors {
      return .success(
        Loaded(node: node, isPlain: Self.isPlain(node), warnings: problems.problems))
    }
    return .failure(
      Failure(sentence: "The part \(file) cannot be used.", problems: problems.problems))
  }

  private static func stem(of path: String) -> String {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    guard let dot = name.lastIndex(of: ".") else { return name }
    return String(name[..<dot])
  }

  private static func folder(of path: String) -> String {
    path.split(separator: "/").dropLast().joined(separator: "/")
  }
}
