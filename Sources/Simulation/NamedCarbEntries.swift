internal import ClosedLoop
internal import HealthStore
internal import Quantities

/// The carb entries of a scenario that are in the app, by the names that the scenario gave them.
///
/// What an entry says is the app's alone; here is only what it is called.
struct NamedCarbEntries: Sendable {
  /// A carb entry and its name.
  struct Named: Sendable {
    var name: String
    var identifier: SyncIdentifier
  }

  /// The entries, in the order in which they were made.
  private(set) var all: [Named] = []

  /// Adds an entry that the app has taken.
  mutating func add(_ name: String, as identifier: SyncIdentifier) {
    assert(identifier != "", "An entry that was taken has an identifier.")
    all.append(Named(name: name, identifier: identifier))
  }

  /// A person changes the last entry of a name in the app.
  func edit(
    _ name: String, grams: Double?, absorption: TimeSpan?, eatenAt: Instant?,
    in phone: inout Phone, at now: Instant, noting trace: inout Trace
  ) {
    guard let index = all.lastIndex(where: { $0.name == name }) else {
      return trace.note(.warning, name, "There is no carb entry \(name) to edit.", at: now)
    }
    do throws(CarbStore.Refusal) {
      let entry = try phone.carbEntry(
        all[index].identifier, grams: grams, absorption: absorption, eatenAt: eatenAt)
      try phone.editCarbs(all[index].identifier, to: entry, at: now)
      let changes = [
        grams.map { "to \(whole($0)) g" },
        eatenAt.map { "to be eaten at \(phone.civilTime(at: $0).timeOfDay)" },
        absorption.map { "to be absorbed over \($0)" },
      ].compactMap(\.self)
      trace.note(
        .carbEntry, name, "The carb entry is changed \(changes.joined(separator: ", ")).", at: now)
    } catch {
      trace.note(.warning, name, "The carb entry was not changed: \(error)", at: now)
    }
  }

  /// A person deletes the last entry of a name in the app.
  mutating func delete(
    _ name: String, in phone: inout Phone, at now: Instant, noting trace: inout Trace
  ) {
    guard let index = all.lastIndex(where: { $0.name == name }) else {
      return trace.note(.warning, name, "There is no carb entry \(name) to delete.", at: now)
    }
    do throws(CarbStore.Refusal) {
      try phone.deleteCarbs(all[index].identifier, at: now)
      all.remove(at: index)
      trace.note(.carbEntry, name, "The carb entry is deleted in the app.", at: now)
    } catch {
      trace.note(.warning, name, "The carb entry was not deleted: \(error)", at: now)
    }
  }

  /// The names of the entries whose changes the app has lost.
  func takenBack(
    from former: [SyncIdentifier: CarbStore.Entry], to kept: [SyncIdentifier: CarbStore.Entry]
  ) -> [String] {
    all.compactMap { named in
      guard let was = former[named.identifier], let now = kept[named.identifier] else { return nil }
      return was == now ? nil : named.name
    }
  }

  /// Forgets the entries that the app has lost, and returns them.
  ///
  /// Those that it lacked before may come back, such as from a backup of the health store.
  mutating func take(_ lost: Set<SyncIdentifier>) -> [Named] {
    defer { all.removeAll { lost.contains($0.identifier) } }
    return all.filter { lost.contains($0.identifier) }
  }
}
