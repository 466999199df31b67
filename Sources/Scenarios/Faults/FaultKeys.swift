internal import Quantities
internal import ScenarioLanguage
internal import StructuredText

/// The keys that every fault may have: its name, and when it comes.
struct FaultKeys: Sendable {
  /// By chance, with exponential waits.
  struct Arrivals: Sendable {
    var mean: TimeSpan
    var count: Int?
  }

  static let shared = Self()

  let id: Key<String?>
  let at: Key<Field?>
  let during: Key<Range<Instant>?>
  let every: Key<Arrivals?>
  let probability: Key<Double>
  /// All of them, as the reference has them.
  let all: [SchemaKey]
  /// The ways to say when a fault comes, of which each has one.
  let ways: [String]

  private init() {
    var keys = Keys()
    id = keys.optional(
      "id", .text, else: "`component.kind`, of the second `component.kind-2`",
      "A name for reports and `outside`.")
    at = keys.optional(
      "at", .unread(ScenarioSchema.occurrence),
      "When it begins, for faults with a `duration` or a moment.")
    during = keys.optional(
      "during", .during,
      "From when, and how long or until when. A span counts from the first time, with `+` or "
        + "without: `['+9h', '+1h']` is the hour from nine hours after the start on.")
    every = keys.optional(
      "every",
      .object { keys in
        let mean = keys.required(
          "mean", .duration(.minutes(1)...(.days(366))), "The mean wait.")
        let count = keys.optional(
          "count", .integer(1...100_000), else: "no limit",
          "The most times that are drawn, of which `probability` may leave some out.")
        return { field throws(UnusableKey) in
          Arrivals(mean: try field[mean], count: field[count])
        }
      }, "By chance, with exponential waits from the fault's own stream.")
    probability = keys.key(
      "probability", .fraction, default: "1.0",
      "How likely it comes: drawn for each of its times, but once for a `during` and for a `user`.")
    all = keys.all
    ways = [at.name, during.name, every.name]
  }

  /// The keys of kinds of fault that say when one ends beside `at` or `every`.
  static let ends = ["duration", "until", "restartAfter"]

  /// What goes wrong with a component: its first key that is no remark.
  static func kind(in component: JSONNode?) -> JSONMember? {
    component?.statedMembers?.first
  }

  /// The names of the faults of a list: the id, or component and kind such as `cgm.dropout`, and
  /// `cgm.dropout-2` for the second without an id.
  static func names(of faults: [JSONNode]) -> [String] {
    var counts: [String: Int] = [:]
    return faults.map { fault in
      if let id = fault[shared.id.name]?.string { return id }
      let component = ScenarioSchema.fault.kinds.first { fault[$0.name] != nil }?.name ?? "fault"
      let kind = kind(in: fault[component]).map { ".\($0.key)" } ?? ""
      let name = component + kind
      let count = (counts[name] ?? 0) + 1
      counts[name] = count
      return count == 1 ? name : "\(name)-\(count)"
    }
  }
}
