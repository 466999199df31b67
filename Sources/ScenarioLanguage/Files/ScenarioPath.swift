public import StructuredText

/// The address of a value in a scenario, such as `patient.needs.sensitivity[0][1]`.
///
/// Items of a list are addressed by their place, from 0, or by their `id`:
/// `events[dinner].entry.grams`.
public struct ScenarioPath: Hashable, Sendable {
  /// A part of the address.
  public enum Part: Hashable, Sendable {
    /// A key of an object.
    case key(String)
    /// A place in a list, from 0.
    case index(Int)
    /// The item of a list whose `id` is this.
    case item(String)
  }

  /// Why an address leads nowhere.
  public struct Trouble: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String
  }

  /// The parts, from the outermost on.
  public let parts: [Part]
  /// Where the address is written, and with it the keys that it makes; `nil` for one that no file
  /// has.
  private var position: TextPosition?

  /// Whether two addresses are of the same value, wherever they are written.
  public static func == (left: Self, right: Self) -> Bool { left.parts == right.parts }

  /// Takes the parts into a hash.
  public func hash(into hasher: inout Hasher) { hasher.combine(parts) }

  /// Creates an address of keys alone.
  public init(keys: [String]) { parts = keys.map { .key($0) } }

  /// Reads an address that stands at a place of a file; `nil` where it is none, which is reported.
  package init?(_ text: String, at position: TextPosition, problems: ProblemList) {
    do throws(Trouble) {
      try self.init(text)
    } catch {
      problems.error(at: position, error.description)
      return nil
    }
    self.position = position
  }

  /// Reads an address.
  public init(_ text: String) throws(Trouble) {
    var parts: [Part] = []
    var rest = Substring(text)
    while !rest.isEmpty {
      if rest.first == "[" {
        guard let end = rest.firstIndex(of: "]"), !parts.isEmpty else {
          throw Trouble(
            description: "The path \"\(text)\" has a \"[\" without a list or without \"]\".")
        }
        let word = String(rest[rest.index(after: rest.startIndex)..<end])
        guard !word.isEmpty else {
          throw Trouble(
            description: "The path \"\(text)\" has empty brackets; write a place or an id.")
        }
        parts.append(Self.isPlace(word) ? .index(Int(word) ?? .max) : .item(word))
        rest = rest[rest.index(after: end)...]
      } else {
        if rest.first == "." {
          guard !parts.isEmpty, rest.count > 1 else { break }
          rest = rest.dropFirst()
        } else if !parts.isEmpty {
          break
        }
        let key = rest.prefix { $0 != "." && $0 != "[" && $0 != "]" }
        guard !key.isEmpty else { break }
        parts.append(.key(String(key)))
        rest = rest[key.endIndex...]
      }
    }
    guard rest.isEmpty, !parts.isEmpty else {
      throw Trouble(
        description: "\"\(text)\" is not a path. Write keys with dots between them, such as "
          + "'therapy.maxBasal' or 'events[dinner].meal.grams'.")
    }
    assert(!parts.isEmpty, "An address names something.")
    self.parts = parts
  }

  /// Whether a word in brackets is a place, and no id.
  private static func isPlace(_ word: String) -> Bool {
    word.utf8.allSatisfy { (0x30...0x39).contains($0) }
  }

  /// How an item of a list is addressed: by its id, or by its place where it has none that an
  /// address can name.
  package static func part(of item: JSONNode, at place: Int) -> Part {
    guard let id = item["id"]?.string, !isPlace(id), !id.contains("]") else { return .index(place) }
    return .item(id)
  }

  /// The value at this address; nothing when there is none.
  public func value(in root: JSONNode) -> JSONNode? {
    var node = root
    for part in parts {
      let next: JSONNode? =
        switch part {
        case .key(let key): node[key]
        case .index(let index):
          node.items.flatMap { $0.indices.contains(index) ? $0[index] : nil }
        case .item(let id): node.items?.first { $0["id"]?.string == id }
        }
      guard let next else { return nil }
      node = next
    }
    return node
  }

  /// The tree with another value at this address.
  ///
  /// Objects that are missing on the way are made; items of lists must be there.
  public func setting(_ value: JSONNode, in root: JSONNode) throws(Trouble) -> JSONNode {
    try setting(value, in: root, from: 0)
  }

  private func setting(
    _ value: JSONNode, in node: JSONNode, from start: Int
  ) throws(Trouble) -> JSONNode {
    guard start < parts.count else { return value }
    var result = node
    switch parts[start] {
    case .key(let key):
      guard var members = node.members else {
        throw Trouble(
          description: "The path \"\(self)\" looks for the key \"\(key)\" in \(node.kind) "
            + "(\(node.position)).")
      }
      let place = members.firstIndex { $0.key == key }
      if place == nil, start + 1 < parts.count {
        try requireKey(below: key, at: start, among: members)
      }
      let old = place.map { members[$0].value } ?? JSONNode(.object([]), at: value.position)
      let new = try setting(value, in: old, from: start + 1)
      if let place {
        members[place].value = new
        // Rows that stand beside the name of a table are those of that table alone.
        if start + 1 == parts.count,
          new.value != old.value || new.position.file != old.position.file
        {
          members.removeAll { ScenarioReader.isFilled($0, from: old) }
        }
      } else {
        let keyPosition = position ?? value.position
        members.append(JSONMember(key: key, keyPosition: keyPosition, value: new))
      }
      result.value = .object(members)
    case .index, .item:
      var items = node.items ?? []
      let place = try place(of: parts[start], in: node)
      items[place] = try setting(value, in: items[place], from: start + 1)
      result.value = .array(items)
    }
    return result
  }

  /// Objects can be made on the way to a value, and lists with their items cannot.
  private func requireKey(
    below key: String, at place: Int, among members: [JSONMember]
  ) throws(Trouble) {
    if case .key = parts[place + 1] { return }
    let list = Self.text(of: parts[...place])
    throw Trouble(
      description: "The path \"\(self)\" names an item of \"\(list)\", which nothing states."
        + NearestName.suggestion(for: key, among: members.map(\.key)))
  }

  private func place(of part: Part, in node: JSONNode) throws(Trouble) -> Int {
    guard let items = node.items else {
      throw Trouble(
        description: "The path \"\(self)\" looks for an item in \(node.kind) (\(node.position)); "
          + "only lists have items.")
    }
    switch part {
    case .index(let index) where items.indices.contains(index):
      if let named = items.firstIndex(where: { $0["id"]?.string == "\(index)" }), named != index {
        throw Trouble(
          description: "The path \"\(self)\" names the item at place \(index), and that at place "
            + "\(named) has the id \"\(index)\". Give it an id with a letter in it.")
      }
      return index
    case .item(let id):
      if let place = items.firstIndex(where: { $0["id"]?.string == id }) { return place }
      let known = items.compactMap { $0["id"]?.string }
      throw Trouble(
        description: "The path \"\(self)\" names an item with the id \"\(id)\", which the list at "
          + "\(node.position) does not have.\(NearestName.suggestion(for: id, among: known))")
    default:
      throw Trouble(
        description: "The path \"\(self)\" names an item beyond the \(items.count) of the list at "
          + "\(node.position).")
    }
  }
}

extension ScenarioPath: CustomStringConvertible {
  /// The address as files write it.
  public var description: String { Self.text(of: parts[...]) }

  private static func text(of parts: ArraySlice<Part>) -> String {
    var text = ""
    for part in parts {
      switch part {
      case .key(let key): text += text.isEmpty ? key : ".\(key)"
      case .index(let index): text += "[\(index)]"
      case .item(let id): text += "[\(id)]"
      }
    }
    return text
  }
}
