internal import ClosedLoop
internal import HealthStore
internal import Quantities

/// What people have set and typed in the app, of which a crash may take back the latest.
struct PeoplesActs {
  var therapy: TherapySettings
  var carbEntries: [SyncIdentifier: CarbStore.Entry]
  /// Doses that were logged, in U.
  var doses: [SyncIdentifier: Double]
  /// Glucose that was typed.
  var glucose: [SyncIdentifier: GlucoseConcentration]
  /// What was deleted from the event history.
  var deletions: [EventDeletion]

  /// What an app has now.
  init(in phone: Phone, at now: Instant) {
    therapy = phone.saved.therapy
    carbEntries = Dictionary(phone.carbRows.map { ($0.syncIdentifier, $0.entry) }) { $1 }
    doses = phone.loggedDoses(at: now)
    glucose = phone.typedGlucose(at: now)
    deletions = phone.deletions
  }
}

extension World {
  /// The app has started again without what it had not saved, which is told here.
  mutating func noteUnsaved(of former: PeoplesActs) {
    let kept = PeoplesActs(in: phone, at: now)
    noteUnsavedSettings(former.therapy, in: kept.therapy)
    presetWatch.restart(phone, at: now, noting: &trace)
    let lost = Set(former.carbEntries.keys).subtracting(kept.carbEntries.keys)
    for entry in names.carbEntries.take(lost) {
      note(.warning, entry.name, "The carb entry was not saved when the app stopped.")
    }
    for name in names.carbEntries.takenBack(from: former.carbEntries, to: kept.carbEntries) {
      note(.warning, name, "The change of the carb entry was not saved when the app stopped.")
    }
    for units in former.doses.filter({ kept.doses[$0.key] == nil }).values.sorted() {
      note(
        .warning, "log",
        "A dose of \(unitsText(units)) U that was logged in the app was not saved when the app "
          + "stopped.")
    }
    for deletion in former.deletions where !kept.deletions.contains(deletion) {
      note(
        .warning, "delete",
        "That the \(deletion.event.kind) of \(deletion.event.date) was deleted from the event "
          + "history was not saved when the app stopped.")
    }
    for value in former.glucose.filter({ kept.glucose[$0.key] == nil }).values.sorted() {
      note(
        .warning, "fingerstick",
        "\(glucoseUnit.words(value)) that were typed in the app were not saved when it stopped.")
    }
  }

  private mutating func noteUnsavedSettings(_ former: TherapySettings, in kept: TherapySettings) {
    if former.isClosedLoop != kept.isClosedLoop {
      note(
        .warning, "closedLoop",
        "That closed loop was switched \(former.isClosedLoop ? "on" : "off") was not saved when "
          + "the app stopped: it is \(kept.isClosedLoop ? "on" : "off") again.")
    }
    appRecord.noteDosing(isOn: kept.isClosedLoop, at: now)
    guard former.differsBesidesClosedLoop(from: kept) else { return }
    note(
      .warning, "settings",
      "The latest settings were not saved when the app stopped: it has those from before.")
  }
}

extension TherapySettings {
  /// Whether something else differs than whether the app doses by itself.
  func differsBesidesClosedLoop(from other: Self) -> Bool {
    var others = self
    others.isClosedLoop = other.isClosedLoop
    return others != other
  }
}
