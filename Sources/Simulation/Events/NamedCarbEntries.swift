internal import ClosedLoop
internal import HealthStore
internal import Quantities

/// The carb entries of a scenario, by the names that the scenario gave them.
///
/// What an entry says, and whether it is there, is the app's alone; here is only what it is called.
struct NamedCarbEntries: Sendable {
  /// A carb entry and its name.
  struct Named: Sendable {
    var name: String
    var identifier: SyncIdentifier
    /// Whether a person has deleted it in the app, or the app has lost it in a crash.
    ///
    /// It may be there all the same: a crash takes back the deletion, and the health store gives
    /// back what had been written.
    var isGone = false
  }

  /// The entries, in the order in which they were made.
  private(set) var all: [Named] = []

  /// Adds an entry that the app has taken.
  mutating func add(_ name: String, as identifier: SyncIdentifier) {
    assert(identifier != "", "An entry that was taken has an identifier.")
    all.append(Named(name: name, identifier: identifier))
  }

  /// The place of the last entry of a name that the app has; where it has none, of the last that
  /// should be there.
  private func place(of name: String, in phone: Phone) -> Int? {
    let known = phone.carbEntries
    return all.lastIndex { $0.name == name && known.contains($0.identifier) }
      ?? all.lastIndex { $0.name == name && !$0.isGone }
  }

  /// A person changes the last entry of a name in the app.
  func edit(
    _ name: String, grams: Double?, absorption: TimeSpan?, eatenAt: Instant?,
    in phone: inout Phone, at now: Instant, noting trace: inout Trace
  ) {
    guard let index = place(of: name, in: phone) else {
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
    guard let index = place(of: name, in: phone) else {
      return trace.note(.warning, name, "There is no carb entry \(name) to delete.", at: now)
    }
    do throws(CarbStore.Refusal) {
      try phone.deleteCarbs(all[index].identifier, at: now)
      all[index].isGone = true
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

  /// Notes that the app has lost entries in a crash, and returns those of them that have names.
  ///
  /// What it lacked before is not among them: that may come back, such as from a backup of the
  /// health store.
  mutating func noteLoss(of lost: Set<SyncIdentifier>) -> [Named] {
    mark(lost, isGone: true)
  }

  /// Notes that the app has entries again whose deletion it has lost in a crash, and returns those
  /// of them that have names.
  mutating func noteReturn(of back: Set<SyncIdentifier>) -> [Named] {
    mark(back, isGone: false)
  }

  private mutating func mark(_ identifiers: Set<SyncIdentifier>, isGone: Bool) -> [Named] {
    for index in all.indices where identifiers.contains(all[index].identifier) {
      all[index].isGone = isGone
    }
    return all.filter { identifiers.contains($0.identifier) }
  }
}
