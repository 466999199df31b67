internal import StructuredText

/// Divides several whole scenarios into what all of them share and what each has of its own.
enum ImportedVariants {
  /// The shared members, and for each scenario the members to lay over them.
  static func divided(_ scenarios: [JSONValue]) -> (shared: JSONValue, overlays: [JSONValue]) {
    guard let first = scenarios.first, scenarios.count > 1 else {
      return (scenarios.first ?? .object([]), scenarios.map { _ in .object([]) })
    }
    let shared = scenarios.dropFirst().reduce(first) { common($0, $1) ?? .object([]) }
    let overlays = scenarios.map { difference($0, from: shared) ?? .object([]) }
    return (shared, overlays)
  }

  /// What two values have in common; nothing when they differ as a whole.
  private static func common(_ left: JSONValue, _ right: JSONValue) -> JSONValue? {
    if left == right { return left }
    guard case .object(let ours) = left, case .object = right else { return nil }
    let members = ours.compactMap { member -> JSONValue.Member? in
      guard let other = right[member.key], let value = common(member.value, other) else {
        return nil
      }
      return JSONValue.Member(member.key, value)
    }
    return members.isEmpty ? nil : .object(members)
  }

  /// What has to be laid over the shared value; nothing when nothing has to.
  private static func difference(_ whole: JSONValue, from shared: JSONValue) -> JSONValue? {
    if whole == shared { return nil }
    guard case .object(let members) = whole, case .object = shared else { return whole }
    let rest = members.compactMap { member -> JSONValue.Member? in
      guard let other = shared[member.key] else { return member }
      return difference(member.value, from: other).map { JSONValue.Member(member.key, $0) }
    }
    return rest.isEmpty ? nil : .object(rest)
  }
}
