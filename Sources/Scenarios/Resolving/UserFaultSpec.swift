internal import Determinism
internal import Quantities
internal import ScenarioLanguage
internal import Simulation
internal import StructuredText

/// What a fault of the person says:
/// `{ user: { late: { of: 'bolus', probability: 0.3, by: '20m' } } }`.
struct UserFaultSpec {
  var task: UserFault.Task
  /// How likely each event meant is affected.
  var share: Double
  /// The names of the events meant; `nil` means all.
  var match: [String]?
  /// Draws what happens to one event.
  var slip: Drawing
  /// How likely the fault exists at all.
  var probability = 1.0
  /// Only events planned for this time.
  var during: Range<Instant>?

  /// Draws what happens to one event.
  typealias Drawing = @Sendable (inout RandomStream) -> UserFault.Slip

  /// Reads a fault of the list; what is wrong with it is reported.
  init?(_ item: Field) {
    let keys = FaultKeys.shared
    item.allowOnly([keys.id.name, keys.during.name, keys.probability.name, Self.schema.name])
    guard let spec = Self.form.read(item[Self.schema.name]) else { return nil }
    self = spec
    probability = item[keys.probability]
    if item[keys.during.name].exists {
      guard let window = item[keys.during] else { return nil }
      during = window
    }
  }

  private init(task: UserFault.Task, share: Double, match: [String]?, slip: @escaping Drawing) {
    self.task = task
    self.share = share
    self.match = match
    self.slip = slip
  }

  /// Whether an event is one of those meant.
  func means(_ event: String, at instant: Instant) -> Bool {
    if let during, !during.contains(instant) { return false }
    return match?.contains { OccurrenceName.isMeant(event, by: $0) } ?? true
  }

  // MARK: - Kinds

  /// What the reference says of the person's faults.
  static let schema = SchemaKey(
    "user", form.shape,
    "What the person does wrong with meals' entries and boluses; `at` and `every` are refused "
      + "beside it.")

  private static let form: Form<Self> = .one(
    of: [
      slip(.miss, "Entries or boluses are forgotten.") { _ in { _ in { _ in .missed } } },
      slip(.late, "They come late.") {
        let by = $0.key("by", shift, default: "'20m'", "How late.")
        return { field in
          let law = field[by]
          return { .late(span(law, &$0)) }
        }
      },
      slip(.double, "They are made twice, as by two carers.") {
        let by = $0.key("by", shift, default: "'5m'", "How long after the first.")
        return { field in
          let law = field[by]
          return { .doubled(after: span(law, &$0)) }
        }
      },
      slip(.misestimate, "The amount is misjudged.") {
        let bias = $0.key("bias", .number(0.01...10), default: "1.0", "The mean factor.")
        let deviation = $0.key(
          "sd", .number(0...5), default: "0", "Its deviation; the law is log-normal.")
        return { field in
          let law = Distribution.factor(mean: field[bias], standardDeviation: field[deviation])
          // Thousandths: what a person could write down.
          return { .misjudged(factor: max(0.001, (law.draw(from: &$0) * 1_000).rounded() / 1_000)) }
        }
      },
    ], noun: "a user fault")

  private static let shift = Form.durationLaw(.seconds(1)...(.days(1)))

  private static func span(_ law: Distribution, _ stream: inout RandomStream) -> TimeSpan {
    let seconds = (law.draw(from: &stream) / 1_000).rounded()
    return max(.seconds(1), TimeSpan(roundingSeconds: seconds) ?? .seconds(1))
  }

  private static func slip(
    _ name: Name, _ meaning: String,
    _ describe: @escaping @Sendable (inout Keys) -> @Sendable (Field) -> Drawing
  ) -> Kind<Self> {
    Kind(
      name.rawValue, meaning,
      .object { keys in
        let task = keys.key(
          "of", .choice(UserFault.Task.self), default: "'meal'",
          "The entry of a meal, or a bolus.")
        let share = keys.key(
          "probability", .fraction, default: "1.0", "How likely each is affected.")
        let match = keys.optional(
          "match", .listOrOne(.text), else: "all",
          "The ids of the events meant; `'lunch'` means `lunch#1`, `lunch#2` too.")
        let drawing = describe(&keys)
        return {
          Self(task: $0[task], share: $0[share], match: $0[match], slip: drawing($0))
        }
      })
  }

  // MARK: - Writing

  private enum Name: String { case miss, late, double, misestimate }

  /// The fault that does just one slip to one event.
  static func node(
    _ slip: UserFault.Slip, of task: UserFault.Task, event: String, id: String,
    at position: TextPosition
  ) -> JSONNode {
    var members: [(key: String, value: JSONNode.Value)] = [
      ("of", .string(task.rawValue)), ("match", .texts([event], at: position)),
    ]
    let kind: Name
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
