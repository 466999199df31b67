internal import ClosedLoop
internal import HealthStore
internal import Quantities

/// What the events of a scenario have made, found by the names that the scenario gave them.
struct ScenarioNames: Sendable {
  /// A carb entry of the scenario that is in the app.
  struct NamedEntry: Sendable {
    var name: String
    var identifier: SyncIdentifier
    var entry: CarbStore.Entry
  }

  /// Identifiers of pump events, entries and samples, by the event's name.
  private var made: [(name: String, identifier: SyncIdentifier)] = []
  private(set) var carbEntries: [NamedEntry] = []
  /// Whether what was to happen under a condition happens, by the event's name.
  private var conditions: [String: Bool] = [:]

  mutating func note(_ name: String, made identifier: SyncIdentifier) {
    made.append((name, identifier))
  }

  /// Whether something with an identifier came from an event; from any where no name is given.
  func isMade(_ identifier: SyncIdentifier, by name: String?) -> Bool {
    guard let name else { return true }
    return made.contains { made in
      // A segment that was cut has its part behind the identifier.
      (made.name == name || made.name.hasPrefix("\(name)#"))
        && (made.identifier == identifier || identifier.isPart(of: made.identifier))
    }
  }

  // MARK: - Carb entries

  mutating func note(_ name: String, entered entry: CarbStore.Entry, as identifier: SyncIdentifier)
  {
    assert(identifier != "", "An entry that was taken has an identifier.")
    carbEntries.append(NamedEntry(name: name, identifier: identifier, entry: entry))
    note(name, made: identifier)
  }

  /// The last carb entry of a name; `nil` if there is none.
  func carbEntry(_ name: String) -> NamedEntry? { carbEntries.last { $0.name == name } }

  mutating func change(_ changed: NamedEntry) {
    guard let index = carbEntries.lastIndex(where: { $0.identifier == changed.identifier })
    else { return }
    carbEntries[index] = changed
  }

  mutating func removeCarbEntries(where isGone: (NamedEntry) -> Bool) {
    carbEntries.removeAll(where: isGone)
  }

  // MARK: - Conditions

  /// Whether what stands under a condition happens; `nil` if that has not been looked at.
  func isFulfilled(_ condition: String) -> Bool? { conditions[condition] }

  mutating func note(_ condition: String, isFulfilled: Bool) {
    conditions[condition] = isFulfilled
  }
}
