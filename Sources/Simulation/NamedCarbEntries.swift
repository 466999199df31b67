internal import ClosedLoop
internal import HealthStore
internal import Quantities

/// The carb entries of a scenario that are in the app, by the names that the scenario gave them.
///
/// Each stands here as the app has it: one is changed or deleted in the app first, and stays as it
/// is where the app refuses that.
struct NamedCarbEntries: Sendable {
  /// A carb entry and its name.
  struct Named: Sendable {
    var name: String
    var identifier: SyncIdentifier
    var entry: CarbStore.Entry
  }

  /// The entries, in the order in which they were made.
  private(set) var all: [Named] = []

  /// Adds an entry that the app has taken.
  mutating func add(_ name: String, _ entry: CarbStore.Entry, as identifier: SyncIdentifier) {
    assert(identifier != "", "An entry that was taken has an identifier.")
    all.append(Named(name: name, identifier: identifier, entry: entry))
  }

  /// A person changes the last entry of a name in the app.
  mutating func edit(
    _ name: String, grams: Double?, absorption: TimeSpan?, eatenAt: Instant?,
    in phone: inout Phone, at now: Instant, noting trace: inout Trace
  ) {
    guard let index = all.lastIndex(where: { $0.name == name }) else {
      return trace.note(.warning, name, "There is no carb entry \(name) to edit.", at: now)
    }
    var entry = all[index].entry
    if let grams { entry.mass = CarbohydrateMass(grams: grams) }
    if let absorption { entry.absorptionTime = absorption }
    if let eatenAt { entry.date = eatenAt }
    do throws(CarbStore.Refusal) {
      try phone.editCarbs(all[index].identifier, to: entry, at: now)
      all[index].entry = entry
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

  /// Takes back changes that the app has lost.
  ///
  /// - Returns: The names of those entries.
  mutating func takeBack(
    from former: [SyncIdentifier: CarbStore.Entry], to kept: [SyncIdentifier: CarbStore.Entry]
  ) -> [String] {
    all.indices.compactMap { index in
      let identifier = all[index].identifier
      guard let was = former[identifier], let now = kept[identifier], was != now else { return nil }
      all[index].entry.mass = now.mass
      all[index].entry.absorptionTime = now.absorptionTime
      all[index].entry.date += now.date - was.date
      return all[index].name
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
