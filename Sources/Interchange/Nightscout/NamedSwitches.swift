internal import Quantities
internal import StructuredText

/// The switches that only name their profile, as people enter them in Nightscout, and the documents
/// in which profiles are stored by their names.
///
/// What a name means is what the store in force has under it. Who edits a profile stores all of
/// them anew: from then on, or from the end of a switch for a while, the name means the edited one.
/// Source: `nightscout/cgm-remote-monitor`, `lib/profilefunctions.js`.
struct NamedSwitches {
  /// A switch to a profile of which it has the name.
  private struct Named {
    var profile: String
    var change: NightscoutSwitch.Change
    var position: TextPosition
  }

  /// The profiles of a document, from when it is in force.
  private struct Store {
    var start: Instant
    var profiles: [String: NightscoutProfile]
  }

  private var switches: [Named] = []
  private var stores: [Store] = []

  /// How many switches there are.
  var count: Int { switches.count }

  /// Forgets so many switches that were added last.
  mutating func removeLast(_ count: Int) { switches.removeLast(count) }

  /// Takes in the profiles of a document.
  mutating func store(_ profiles: [String: NightscoutProfile], from start: Instant) {
    stores.append(Store(start: start, profiles: profiles))
  }

  /// Takes in a switch; false for one that names no profile.
  mutating func add(_ treatment: JSONField, at instant: Instant) -> Bool {
    guard let name = treatment["profile"].node?.string, !name.isEmpty else { return false }
    switches.append(
      Named(
        profile: name, change: .init(treatment, at: instant), position: treatment.position))
    return true
  }

  /// What the switches come to, beside others, and the places of those whose profile nobody stored.
  func resolved(
    beside others: [NightscoutSwitch]
  ) -> (switches: [NightscoutSwitch], unknown: [TextPosition]) {
    let stores = stores.sorted { $0.start < $1.start }
    let ends = switches.map { one in
      (
        start: one.change.start,
        end: one.change.span > .zero ? one.change.start + one.change.span : nil
      )
    }
    let all = NightscoutSwitchTimes(ends + others.map { ($0.profile.start, $0.end) })
    var found: [NightscoutSwitch] = []
    var unknown: [TextPosition] = []
    for one in switches {
      let start = one.change.start
      // Before the first document that one holds, as the profiles are there all along.
      guard let store = stores.last(where: { $0.start <= start }) ?? stores.first,
        let profile = store.profiles[one.profile]
      else {
        unknown.append(one.position)
        continue
      }
      found.append(NightscoutSwitch(toNamed: profile, one.change))
      guard one.change.span == .zero else { continue }
      let next = all.lasting(after: start)
      for later in stores where later.start > start && next.map({ later.start < $0 }) ?? true {
        let free = all.free(from: later.start)
        guard next.map({ free < $0 }) ?? true, let edited = later.profiles[one.profile] else {
          continue
        }
        var change = one.change
        change.start = free
        found.append(NightscoutSwitch(toNamed: edited, change))
      }
    }
    return (found, unknown)
  }
}
