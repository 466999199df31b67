import Quantities
package import StructuredText

/// Walks a scenario along the schema and reports what does not fit.
package struct SchemaCheck {
  let problems: ProblemList

  /// Creates a walk that reports to a list.
  package init(problems: ProblemList) { self.problems = problems }

  /// Reports what in a value is not as its shape has it.
  package func check(_ field: Field, _ shape: Shape) {
    switch shape {
    case .plain(let plain): plain.check(field)
    case .schedule(let shape): _ = field.schedule { value in checked(value, shape) }
    case .list(let shape): for item in field.items() ?? [] { check(item, shape) }
    case .pair(let shape, let phrase): checkPair(field, shape, phrase)
    case .listOrOne(let shape): for item in field.itemsOrOne() ?? [] { check(item, shape) }
    case .object(let shape): checkObject(field, shape)
    case .map(let shape):
      if case .object = shape { field.node?.reportEntryCalledNote(to: problems) }
      for member in field.members() ?? [] where member.key != "zip" { check(member.field, shape) }
    case .either(let shapes): checkEither(field, shapes)
    }
  }

  /// Whether a value of a schedule fits; what does not is reported.
  private func checked(_ field: Field, _ shape: Shape) -> Bool? {
    let scratch = ProblemList()
    SchemaCheck(problems: scratch).check(field.reporting(to: scratch), shape)
    problems.add(scratch.problems)
    return scratch.hasErrors ? nil : true
  }

  private func checkPair(_ field: Field, _ shape: Shape, _ phrase: String) {
    guard field.node?.items?.count == 2 else { return field.reportUnusable(expected: phrase) }
    for item in field.listed { check(item, shape) }
  }

  // MARK: - Alternatives

  private func checkEither(_ field: Field, _ shapes: [Shape]) {
    guard let node = field.node else { return }
    let kind = JSONKind(of: node)
    let possible = shapes.filter { $0.accepts(kind) }
    guard let first = possible.first else {
      return field.reportUnusable(expected: Shape.either(shapes).phrase)
    }
    check(field, possible.count > 1 ? possible[Self.meant(by: field, among: possible)] : first)
  }

  /// The place of the shape that was meant by a value, of several that it may have: that which
  /// knows most of an object's keys, and of such the one with the fewest errors.
  static func meant(by field: Field, among shapes: [Shape]) -> Int {
    let trials = shapes.map { shape in
      let trial = ProblemList()
      SchemaCheck(problems: trial).check(field.reporting(to: trial), shape)
      let errors = trial.problems.count { $0.severity == .error }
      return (unknownKeys(of: field.node, in: shape), errors)
    }
    return trials.indices.min { trials[$0] < trials[$1] } ?? 0
  }

  /// How many keys of an object one of its possible shapes does not have.
  private static func unknownKeys(of node: JSONNode?, in shape: Shape) -> Int {
    guard case .object(let shape) = shape else { return 0 }
    return (node?.statedMembers ?? []).count { !shape.names.contains($0.key) }
  }

  // MARK: - Objects

  private func checkObject(_ field: Field, _ shape: ObjectShape) {
    if let example = Self.example(of: shape, with: field.node) {
      return field.reportUnusable(expected: "an object in braces, such as \(example)")
    }
    guard let members = field.members() else { return }
    var known = shape.keys
    if !shape.kinds.isEmpty {
      known += kind(of: field, shape, Set(members.map(\.key)))
    }
    let anchored = anchor(of: field).map { field.anchored(at: $0) } ?? field
    for key in known {
      let value = key.isAnchored ? anchored : field
      if field[key.name].exists {
        if let refusal = key.refusal {
          // At the key, as every other reader of the object finds it unknown there.
          let place = members.first { $0.key == key.name }?.keyPosition
          problems.error(
            at: place ?? field.json.position,
            "\"\(field[key.name].path)\" is not supported by this version. \(refusal)")
        } else {
          check(value[key.name], key.shape)
        }
      } else if key.isRequired {
        field.required(key.name).json.reportMissing(expected: key.shape.phrase)
      }
    }
    let names = known.map(\.name)
    for member in members where !names.contains(member.key) {
      reportUnknown(member.key, at: member.keyPosition, in: field, shape, names)
    }
  }

  /// An object with a number or a text that stands in its place, under the key that such a value
  /// has most likely, which is one that may have just this text; `nil` where it is neither, or
  /// where there is no such key.
  private static func example(of shape: ObjectShape, with node: JSONNode?) -> String? {
    guard let node, node.double != nil || node.string != nil else { return nil }
    let likely: [String] =
      switch node.string {
      case nil: ["grams", "units", "seed"]
      // A patient of a model, such as adult#001.
      case let text? where text.contains("#"): ["name"]
      default: ["model", "from", "duration"]
      }
    let names = shape.keys.map(\.name)
    let word = node.string.flatMap { text in
      shape.keys.first { $0.shape.accepts(.text) && $0.shape.words.contains("'\(text)'") }?.name
    }
    return (word ?? likely.first(where: names.contains)).map { "{ \($0): \(node.quoted) }" }
  }

  /// The instant at which an object first happens, for values within it that count from there.
  private func anchor(of field: Field) -> Instant? {
    let at = field["at"]
    guard let text = at.node?.string ?? at[0].node?.string ?? Self.firstDay(of: at),
      let time = TimeText(text)
    else { return nil }
    let context = field.context
    return time.resolved(from: context.anchor, start: context.start, on: context.wallClock).instant
  }

  /// The first of the times of what comes daily.
  private static func firstDay(of at: Field) -> String? {
    guard let time = at["daily"].node?.string else { return nil }
    guard let day = at["days"][0].node?.double, let day = Int(exactly: day) else { return time }
    return "d\(day) \(time)"
  }

  /// The key that says what an object is, with the keys that may stand beside it.
  private func kind(of field: Field, _ shape: ObjectShape, _ present: Set<String>) -> [SchemaKey] {
    var found = shape.kinds.filter { present.contains($0.name) }
    let companions = Set(found.flatMap { $0.companions.map(\.name) })
    if found.count > 1 { found.removeAll { companions.contains($0.name) } }
    let names = shape.kinds.map(\.name)
    guard let first = found.first else {
      let unknown = present.filter { key in !shape.keys.contains { $0.name == key } }.sorted()
      let isNear = unknown.contains { !OtherWords.suggestion(for: $0, among: names).isEmpty }
      // Where all kinds are listed with an unknown key, they need not be listed twice.
      let isListed = !unknown.isEmpty && shape.keys.count + names.count <= Self.mostListed
      if !isNear, !isListed {
        field.error(
          "This is no \(shape.plainNoun) yet: it needs one of \(names.joined(separator: ", ")).")
      }
      return []
    }
    for other in found.dropFirst() {
      field[other.name].error(
        """
        \(shape.sentenceNoun) is one thing; it cannot be "\(first.name)" and "\(other.name)". Make \
        two of it.
        """)
    }
    return found + first.companions
  }

  /// The most keys that an error lists.
  static let mostListed = 14

  private func reportUnknown(
    _ key: String, at position: TextPosition, in field: Field, _ shape: ObjectShape,
    _ names: [String]
  ) {
    // The kind that was found is among the names already.
    let all = names + shape.kinds.map(\.name).filter { !names.contains($0) }
    if let kind = shape.kinds.first(where: { $0.companions.contains { $0.name == key } }) {
      problems.error(
        at: position, "\"\(key)\" has a meaning only beside \"\(kind.name)\".")
      return
    }
    if shape.kinds.contains(where: { $0.name == key }) { return }
    field.reporting(to: problems).reportUnknown(key, at: position, among: all)
  }
}

extension Field {
  /// Reports what is wrong with an object that cannot be read, in the words of the file's check, so
  /// that each mistake is told once.
  package func reportMisshapen(_ shape: ObjectShape) {
    SchemaCheck(problems: problems).check(self, .object(shape))
    assert(problems.hasErrors, "What cannot be read has something wrong with it.")
  }
}

extension ObjectShape {
  /// The noun without its article.
  var plainNoun: String {
    noun.split(separator: " ").dropFirst().joined(separator: " ")
  }

  var sentenceNoun: String { noun.prefix(1).uppercased() + noun.dropFirst() }
}

extension JSONKind {
  init(of node: JSONNode) {
    self =
      switch node.value {
      case .null: .null
      case .bool: .bool
      case .integer, .number: .number
      case .string: .text
      case .array: .list
      case .object: .object
      }
  }
}

extension JSONNode {
  /// Reports an object called `note` among objects that are called by names: it would be a remark.
  package func reportEntryCalledNote(to problems: ProblemList) {
    guard let note = members?.first(where: { $0.key == "note" }), note.value.members != nil
    else { return }
    problems.error(
      at: note.keyPosition,
      "\"note\" is a remark here, and no name. Write a remark as a text, and anything else under "
        + "another name.")
  }
}
