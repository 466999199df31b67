internal import ClosedLoop
internal import Devices
internal import HealthStore
internal import Quantities

/// What the events of a scenario have made, found by the names that the scenario gave them.
struct ScenarioNames: Sendable {
  /// The names of the events that made a pump event, an entry or a sample, by its identifier.
  private var makers: [SyncIdentifier: [String]] = [:]
  /// The carb entries that are in the app.
  var carbEntries = NamedCarbEntries()
  /// Whether what was to happen under a condition happens, by the event's name.
  private var conditions: [String: Bool] = [:]
  /// The events whose suspension of delivery was refused: nothing is there for them to resume.
  private var refusedSuspensions: Set<String> = []
  /// What people did to suspend and to resume delivery, the last of it last, but for what the pump
  /// did not take.
  private var suspending: [Suspending] = []

  /// The events whose commands a fault holds up on the way to the pump, and their numbers.
  private var late: [(name: String, number: Int)] = []

  mutating func note(_ name: String, made identifier: SyncIdentifier) {
    makers[identifier, default: []].append(name)
  }

  /// Whether something with an identifier came from an event; from any where no name is given.
  func isMade(_ identifier: SyncIdentifier, by name: String?) -> Bool {
    guard let name else { return true }
    func isMade(_ identifier: SyncIdentifier) -> Bool {
      makers[identifier]?.contains { $0 == name || $0.hasPrefix("\(name)#") } ?? false
    }
    // A segment that was cut has its part behind the identifier.
    return isMade(identifier) || identifier.wholes.contains(where: isMade)
  }

  // MARK: - Commands that come late

  /// Notes that a fault holds up a command of an event, by the command's number.
  mutating func note(_ name: String, heldUp number: Int) { late.append((name, number)) }

  /// Finds what the commands have made that have reached the pump late.
  mutating func findLate(in pump: Pump) {
    guard !late.isEmpty else { return }
    for (name, number) in late {
      if let event = pump.event(madeByHeldUp: number) { note(name, made: SyncIdentifier(event)) }
    }
    late.removeAll { !pump.isHeldUp($0.number) }
  }

  // MARK: - Suspensions

  /// That an event suspends or resumes delivery; another pod resumes it too, for none.
  private enum Suspending: Hashable, Sendable {
    case suspension(String)
    case resumption(String?)
  }

  /// Notes whether an event's suspension was refused for certain; one whose reply is missing may
  /// still come.
  mutating func noteSuspension(by name: String, isRefused: Bool) {
    if isRefused { refusedSuspensions.insert(name) } else { refusedSuspensions.remove(name) }
    note(.suspension(name), isRefused: isRefused)
  }

  /// Notes whether delivery is resumed for an event, whoever suspended it.
  mutating func noteResumption(by name: String?, isRefused: Bool = false) {
    note(.resumption(name), isRefused: isRefused)
  }

  /// What was sent and then refused, or lost, leaves all as it was before.
  private mutating func note(_ act: Suspending, isRefused: Bool) {
    if !isRefused {
      suspending.append(act)
    } else if let place = suspending.lastIndex(of: act) {
      suspending.remove(at: place)
    }
  }

  /// Whether an event's suspension was refused, ended earlier, or another one has taken its place,
  /// so that its end resumes nothing.
  func isSuspensionIdle(by name: String) -> Bool {
    if refusedSuspensions.contains(name) { return true }
    return suspending.contains(.suspension(name)) && suspending.last != .suspension(name)
  }

  // MARK: - Conditions

  /// Whether what stands under a condition happens; `nil` if that has not been looked at.
  func isFulfilled(_ condition: String) -> Bool? { conditions[condition] }

  mutating func note(_ condition: String, isFulfilled: Bool) {
    conditions[condition] = isFulfilled
  }
}
