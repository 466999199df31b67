public import StructuredText

/// Lays one tree over another: what `extends` and `variants` mean.
///
/// Objects merge key by key; any other value replaces the inherited one. An object whose keys
/// begin with `$` edits the inherited value instead:
///
/// - `{ $append: […] }` and `{ $prepend: […] }` add items to an inherited list;
/// - `{ $remove: true }` takes the inherited value away;
/// - `{ $merge: { byKey: 'id', items: […] } }` lays each item over the inherited item with the same
///   value of that key, and appends those that match none.
///
/// Every value keeps the place where it was written. What a remark holds is no edit: it takes the
/// place of an inherited one.
public struct Overlay {
  /// Where problems go.
  public let problems: ProblemList

  /// Creates an overlay that reports to a list.
  public init(problems: ProblemList) { self.problems = problems }

  /// The tree that results, or nothing when the overlay takes everything away.
  public func merged(_ base: JSONNode?, _ overlay: JSONNode) -> JSONNode? {
    switch overlay.value {
    case .object(let members):
      if members.contains(where: { $0.key.hasPrefix("$") }) {
        return edited(base, overlay, members)
      }
      return mergedObject(base?.members ?? [], members, at: overlay.position)
    case .array(let items):
      return JSONNode(.array(items.compactMap { item in withoutEdits(item) }), at: overlay.position)
    default:
      return overlay
    }
  }

  /// One scenario laid over another, or nothing when the overlay takes everything away.
  ///
  /// Variants are overlays themselves, so edits in them wait until a variant is applied; a variant
  /// of the same name replaces the inherited one, and `{ $remove: true }` takes it away, or in
  /// place of all variants takes all of them away.
  public func mergedDocument(_ base: JSONNode?, _ overlay: JSONNode) -> JSONNode? {
    func split(_ node: JSONNode) -> (rest: JSONNode, variants: JSONMember?) {
      guard let members = node.members else { return (node, nil) }
      let rest = members.filter { $0.key != Self.variantsKey }
      return (
        JSONNode(.object(rest), at: node.position), members.first { $0.key == Self.variantsKey }
      )
    }
    let (own, variants) = split(overlay)
    let inherited = base.map { split($0) }
    guard var result = merged(inherited?.rest, own) else { return nil }
    guard var kept = variants ?? inherited?.variants else { return result }
    if let variants, let own = variants.value.members {
      let all = inherited?.variants.map { [$0] } ?? []
      if own.count == 1, isRemoval(of: variants, from: all) { return result }
      let former = inherited?.variants?.value.members ?? []
      let names = Set(own.map(\.key))
      let staying = own.filter { !isRemoval(of: $0, from: former) }
      let left = former.filter { !names.contains($0.key) } + staying
      // Where the last one is taken away, there are none, as if there had never been any.
      if left.isEmpty, !own.isEmpty { return result }
      kept.value.value = .object(left)
    }
    result.value = .object((result.members ?? []) + [kept])
    return result
  }

  /// Whether a variant is only to be taken away; where it is not there, that is a warning.
  private func isRemoval(of variant: JSONMember, from inherited: [JSONMember]) -> Bool {
    guard let removal = variant.value.members?.first(where: { $0.key == "$remove" }),
      removal.value.bool == true
    else { return false }
    if !inherited.contains(where: { $0.key == variant.key }) {
      problems.warning(at: removal.keyPosition, code: "W-NOEFFECT", Self.idleRemoval)
    }
    return true
  }

  private func mergedObject(
    _ base: [JSONMember], _ overlay: [JSONMember], at position: TextPosition
  ) -> JSONNode {
    var result = base
    var places: [String: Int] = [:]
    for (index, member) in base.enumerated() { places[member.key] = index }
    var removed: Set<Int> = []
    for member in overlay {
      let place = places[member.key]
      let value =
        JSONField.isCarried(member.key)
        ? member.value : merged(place.map { result[$0].value }, member.value)
      switch (place, value) {
      case (let place?, let value?):
        result[place].value = value
        result[place].keyPosition = member.keyPosition
      case (let place?, nil): removed.insert(place)
      case (nil, let value?):
        result.append(JSONMember(key: member.key, keyPosition: member.keyPosition, value: value))
      case (nil, nil): break
      }
    }
    let kept = result.enumerated().filter { !removed.contains($0.offset) }.map(\.element)
    return JSONNode(.object(kept), at: position)
  }

  /// An item of a list that replaces the inherited one; edits have nothing to edit there.
  private func withoutEdits(_ item: JSONNode) -> JSONNode? {
    if let key = item.members?.first(where: { $0.key.hasPrefix("$") }) {
      problems.error(
        at: key.keyPosition,
        """
        "\(key.key)" cannot stand in a list that replaces the inherited one. Write \
        { $merge: { byKey: 'id', items: […] } } in place of the list.
        """)
      return nil
    }
    return merged(nil, item)
  }

  // MARK: - Edits

  /// The key that holds overlays of a scenario, by their names.
  package static let variantsKey = "variants"

  static let idleRemoval = "Nothing is inherited here, so there is nothing to remove."

  private static let operators = ["$append", "$prepend", "$remove", "$merge"]

  private func edited(
    _ base: JSONNode?, _ overlay: JSONNode, _ members: [JSONMember]
  ) -> JSONNode? {
    var result = base
    for member in members {
      switch member.key {
      case "$append", "$prepend":
        guard let items = list(member) else { continue }
        if member.value.items?.isEmpty == true {
          problems.warning(
            at: member.keyPosition, code: "W-NOEFFECT",
            "The list is empty, so that nothing is added.")
        }
        let inherited = inheritedItems(result, member)
        result = JSONNode(
          .array(member.key == "$append" ? inherited + items : items + inherited),
          at: overlay.position)
      case "$remove":
        guard member.value.bool == true, members.count == 1 else {
          problems.error(
            at: member.keyPosition, "\"$remove\" stands alone and is true: { $remove: true }.")
          continue
        }
        if base == nil {
          problems.warning(at: member.keyPosition, code: "W-NOEFFECT", Self.idleRemoval)
        }
        return nil
      case "$merge": result = mergedByKey(result, member) ?? result
      default:
        let why =
          member.key.hasPrefix("$")
          ? "is not an edit of an inherited value; known: "
            + "\(Self.operators.joined(separator: ", "))."
            + NearestName.suggestion(for: member.key, among: Self.operators)
          : "cannot stand beside an edit such as \"$append\"; put it into an object of its own."
        problems.error(at: member.keyPosition, "\"\(member.key)\" \(why)")
      }
    }
    return result ?? JSONNode(.null, at: overlay.position)
  }

  private func list(_ member: JSONMember) -> [JSONNode]? {
    guard let items = member.value.items else {
      problems.error(
        at: member.value.position,
        "\"\(member.key)\" must hold a list of items, not \(member.value.quoted).")
      return nil
    }
    return items.compactMap { item in withoutEdits(item) }
  }

  private func inheritedItems(_ base: JSONNode?, _ member: JSONMember) -> [JSONNode] {
    guard let base else { return [] }
    guard let items = base.items else {
      problems.error(
        at: member.keyPosition,
        """
        "\(member.key)" edits a list, but the inherited value is \(base.kind) \
        (\(base.position)).
        """)
      return []
    }
    return items
  }

  private func mergedByKey(_ base: JSONNode?, _ member: JSONMember) -> JSONNode? {
    JSONField(member.value, at: member.key, problems: problems).allowOnly(["byKey", "items"])
    guard let key = member.value["byKey"]?.string, let overlays = member.value["items"]?.items
    else {
      problems.error(
        at: member.value.position,
        "\"$merge\" must hold the key to match by and the items: { byKey: 'id', items: […] }.")
      return nil
    }
    var result: [JSONNode?] = inheritedItems(base, member)
    // Where each name stands: a list may be as long as a file is.
    var places: [JSONNode.Value: [Int]] = [:]
    for (place, item) in result.enumerated() {
      if let name = item?[key] { places[name.value, default: []].append(place) }
    }
    for overlay in overlays {
      guard let name = overlay[key], name.members == nil else {
        problems.error(
          at: overlay.position, "This item needs \"\(key)\", by which it is matched.")
        continue
      }
      if let place = places[name.value]?.first {
        result[place] = matched(result[place], overlay, key: key)
        if result[place] == nil { places[name.value]?.removeFirst() }
      } else if let removal = overlay.members?.first(where: { $0.key == "$remove" }),
        removal.value.bool == true
      {
        problems.warning(at: removal.keyPosition, code: "W-NOEFFECT", Self.idleRemoval)
      } else if let item = withoutEdits(overlay) {
        places[name.value] = [result.count]
        result.append(item)
      }
    }
    return JSONNode(.array(result.compactMap(\.self)), at: member.value.position)
  }

  /// One item laid over its match; `{ id: 'x', $remove: true }` takes the match away.
  private func matched(_ base: JSONNode?, _ overlay: JSONNode, key: String) -> JSONNode? {
    let members = overlay.members ?? []
    if members.contains(where: { $0.key == "$remove" && $0.value.bool == true }) {
      if let other = members.first(where: { $0.key != "$remove" && $0.key != key }) {
        problems.error(
          at: other.keyPosition, "\"\(other.key)\" cannot stand in an item that is removed.")
      }
      return nil
    }
    return merged(base, overlay)
  }
}
