internal import Determinism
internal import Quantities
internal import Simulation
internal import StructuredText

/// What a fault of the person says:
/// `{ user: { late: { of: 'bolus', probability: 0.3, by: '20m' } } }`.
struct UserFaultSpec {
  /// What is done wrong.
  enum Kind: String, CaseIterable { case miss, late, double, misestimate }

  var kind: Kind
  var task: UserFault.Task
  /// How likely each event meant is affected.
  var share: Double
  /// The names of the events meant; nothing means all.
  var match: [String]?
  /// How late, or how long until the second time, in milliseconds.
  var by: NumberLaw
  /// The factor of a misjudged amount.
  var factor: NumberLaw
  /// How likely the fault exists at all.
  var probability: Double
  /// Only events planned for this time.
  var during: Range<Instant>?

  /// Reads a fault of the list; what is wrong with it is reported.
  init?(_ item: Field) {
    item.allowOnly(["id", "during", "probability", "user"])
    guard let members = item["user"].members(), members.count == 1, let member = members.first
    else {
      item["user"].error("A fault has one kind, such as { miss: { of: 'bolus' } }.")
      return nil
    }
    guard let kind = Kind(rawValue: member.key) else {
      let known = Kind.allCases.map(\.rawValue)
      member.field.error(
        "\"\(member.key)\" is not a fault of a person."
          + NearestName.suggestion(for: member.key, among: known)
          + " The kinds are: \(known.joined(separator: ", ")).")
      return nil
    }
    let field = member.field
    let own = kind == .misestimate ? ["bias", "sd"] : kind == .miss ? [] : ["by"]
    field.allowOnly(["of", "probability", "match"] + own)
    self.kind = kind
    task = field.standard("of") { $0.choice(UserFault.Task.self) }
    share = field.standard("probability") { $0.number() }
    probability = item.standard("probability") { $0.number() }
    by =
      kind == .late || kind == .double
      ? field.standard("by") { $0.durationLaw() } : .constant(0)
    factor =
      kind == .misestimate
      ? .factor(
        mean: field.standard("bias") { $0.number() },
        standardDeviation: field.standard("sd") { $0.number() }) : .constant(1)
    if field["match"].exists {
      match = (field["match"].itemsOrOne() ?? []).compactMap { $0.text() }
    }
    if item["during"].exists {
      guard let window = item["during"].during() else { return nil }
      during = window
    }
  }

  /// Whether an event is one of those meant.
  func means(_ event: String, at instant: Instant) -> Bool {
    if let during, !during.contains(instant) { return false }
    return match?.contains { OccurrenceName.isMeant(event, by: $0) } ?? true
  }

  /// One slip: what happens to one event.
  func slip(from stream: inout RandomStream) -> UserFault.Slip {
    switch kind {
    case .miss: return .missed
    case .late: return .late(span(from: &stream))
    case .double: return .doubled(after: span(from: &stream))
    case .misestimate:
      // Thousandths: what a person could write down.
      return .misjudged(
        factor: max(0.001, (factor.draw(from: &stream) * 1_000).rounded() / 1_000))
    }
  }

  private func span(from stream: inout RandomStream) -> TimeSpan {
    let seconds = (by.draw(from: &stream) / 1_000).rounded()
    return max(.seconds(1), TimeSpan(roundingSeconds: seconds) ?? .seconds(1))
  }

  /// The fault that does just one slip to one event.
  static func node(
    _ slip: UserFault.Slip, of task: UserFault.Task, event: String, id: String,
    at position: TextPosition
  ) -> JSONNode {
    var members: [(key: String, value: JSONNode.Value)] = [
      ("of", .string(task.rawValue)), ("match", .texts([event], at: position)),
    ]
    let kind: Kind
    switch slip {
    case .missed: kind = .miss
    case .late(let span):
      kind = .late
      members.append(("by", .string("\(span)")))
    case .doubled(let span):
      kind = .double
      members.append(("by", .string("\(span)")))
    case .misjudged(let factor):
      kind = .misestimate
      members.append(("bias", .written(factor)))
    }
    let user = JSONNode([(kind.rawValue, JSONNode(members, at: position).value)], at: position)
    return JSONNode([("id", .string(id)), ("user", user.value)], at: position)
  }
}
