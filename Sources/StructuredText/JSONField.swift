/// A value of a document that is being read, or the place where one is missing.
///
/// A field knows where it stands (`patient.needs.sensitivity[0][1]`) and reports to a list of
/// problems. Each reading function returns nothing when the value is missing, which is no problem
/// unless it was asked for with ``required(_:)``, or when it is unusable, which is reported once:
///
///     let meal = JSONField(root, problems: problems).required("meal")
///     let grams = meal.required("grams").number(in: 0...500, unit: "g")
///     let name = meal["name"].text()
///     meal.allowOnly(["grams", "name"])
public struct JSONField {
  /// The value; nothing when it is missing.
  public let node: JSONNode?
  /// The way to the value from the root of the document.
  private let trail: Trail
  /// Where problems go.
  public let problems: ProblemList
  /// Whether reading the value reports that it is missing.
  public let isRequired: Bool
  /// The place of the value, or that of the nearest object around it.
  public let position: TextPosition

  /// The root of a document, or a value that is there at a path of one.
  public init(_ node: JSONNode, at path: String = "", problems: ProblemList) {
    self.init(
      node: node, path: path, problems: problems, isRequired: true, position: node.position)
  }

  /// A value of a document.
  public init(
    node: JSONNode?, path: String, problems: ProblemList, isRequired: Bool, position: TextPosition
  ) {
    self.init(
      node: node, at: .start(path), problems: problems, isRequired: isRequired, position: position)
  }

  private init(
    node: JSONNode?, at trail: Trail, problems: ProblemList, isRequired: Bool,
    position: TextPosition
  ) {
    self.node = node
    self.trail = trail
    self.problems = problems
    self.isRequired = isRequired
    self.position = position
  }

  /// The way to a value, of which a text is made only where a sentence tells it: nearly every value
  /// that is looked up is right.
  private indirect enum Trail {
    case start(String)
    case key(String, below: Trail)
    case item(Int, of: Trail)

    var path: String {
      switch self {
      case .start(let path): return path
      case .key(let key, let outer):
        let path = outer.path
        return path.isEmpty ? key : "\(path).\(key)"
      case .item(let index, let outer): return "\(outer.path)[\(index)]"
      }
    }
  }

  /// The place of the value from the root of the document, empty for the root.
  public var path: String { trail.path }

  /// Whether there is a value.
  public var exists: Bool { node != nil }

  /// The last part of the path, as a sentence names the value.
  public var name: String {
    guard let dot = path.lastIndex(of: ".") else { return path }
    return String(path[path.index(after: dot)...])
  }

  /// The value of a key; a missing one is no problem.
  public subscript(key: String) -> JSONField { member(key, isRequired: false) }

  /// The value of a key; reading it reports when it is missing.
  public func required(_ key: String) -> JSONField { member(key, isRequired: true) }

  /// An item of a list; a missing one is no problem.
  public subscript(index: Int) -> JSONField {
    let items = node?.items ?? []
    let item = items.indices.contains(index) ? items[index] : nil
    return JSONField(
      node: item, at: .item(index, of: trail), problems: problems, isRequired: false,
      position: item?.position ?? position)
  }

  /// The value of an item of this list.
  func item(_ node: JSONNode, at index: Int) -> JSONField {
    JSONField(
      node: node, at: .item(index, of: trail), problems: problems, isRequired: true,
      position: node.position)
  }

  /// The value of a member of this object.
  func value(of member: JSONMember) -> JSONField {
    JSONField(
      node: member.value, at: .key(member.key, below: trail), problems: problems,
      isRequired: true, position: member.value.position)
  }

  private func member(_ key: String, isRequired: Bool) -> JSONField {
    let value = node?[key]
    // What is there and has no keys is reported itself; null stands for what is absent.
    if isRequired, let node, node.members == nil, !node.isNull {
      reportUnusable(expected: "an object in braces")
    }
    return JSONField(
      node: value, at: .key(key, below: trail), problems: problems,
      // A missing object has been reported itself; what it would hold is not asked for again.
      isRequired: isRequired && node?.members != nil, position: value?.position ?? position)
  }

  // MARK: - Reporting

  /// Reports an error at the place of the value.
  public func error(_ sentence: String) { problems.error(at: position, sentence) }

  /// Reports a warning at the place of the value.
  public func warning(code: String? = nil, _ sentence: String) {
    problems.warning(at: position, code: code, sentence)
  }

  /// Reports that something else was expected.
  ///
  /// - Parameter expected: What the value must be, such as "a number of grams".
  public func reportUnusable(expected: String) {
    guard let node else { return reportMissing(expected: expected) }
    guard !problems.hasError(at: node.position) else { return }
    // Of a list that has the wrong values it would be no help to say that it is a list.
    let found =
      node.items != nil && expected.hasPrefix("a list")
      ? "; this list is not one" : ", not \(node.quoted)"
    problems.error(at: node.position, "\(subject) must be \(expected)\(found).")
  }

  /// Reports that the value is missing, when it is required.
  public func reportMissing(expected: String) {
    guard isRequired else { return }
    problems.error(at: position, "\(subject) is missing; it must be \(expected).")
  }

  private var subject: String { path.isEmpty ? "The document" : "\"\(path)\"" }
}

extension ProblemList {
  /// Whether an error was reported at a place, so that a second one would say nothing new.
  public func hasError(at position: TextPosition) -> Bool {
    problems.contains { $0.position == position && $0.severity == .error }
  }
}
