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

  /// The events whose commands reach the pump later than they were sent, and when.
  private var late: [(name: String, due: Instant)] = []

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

  /// Notes that a command of an event reaches the pump later than it was sent.
  mutating func note(_ name: String, reachesPumpAt due: Instant) { late.append((name, due)) }

  /// Finds what the commands have made that reached the pump late, up to an instant.
  mutating func findLate(in delivery: Delivery, at now: Instant) {
    guard late.contains(where: { $0.due <= now }) else { return }
    for (name, due) in late where due <= now {
      let bolus = delivery.record.boluses.last { $0.start <= due }
      if let bolus, bolus.start == due { note(name, made: bolus.identifier) }
      let program = delivery.pump.program
      if let event = program.event, program.start == due {
        note(name, made: SyncIdentifier(event))
      }
    }
    late.removeAll { $0.due <= now }
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
