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
  /// The place of the value from the root of the document, empty for the root.
  public let path: String
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
    self.node = node
    self.path = path
    self.problems = problems
    self.isRequired = isRequired
    self.position = position
  }

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
      node: item, path: "\(path)[\(index)]", problems: problems, isRequired: false,
      position: item?.position ?? position)
  }

  private func member(_ key: String, isRequired: Bool) -> JSONField {
    let value = node?[key]
    // What is there and has no keys is reported itself; null stands for what is absent.
    if isRequired, let node, node.members == nil, !node.isNull {
      reportUnusable(expected: "an object in braces")
    }
    return JSONField(
      node: value, path: path.isEmpty ? key : "\(path).\(key)", problems: problems,
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
