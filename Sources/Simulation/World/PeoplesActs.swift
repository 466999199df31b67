internal import ClosedLoop
internal import HealthStore
internal import Quantities

/// What people have set and typed in the app, of which a crash may take back the latest.
struct PeoplesActs: Sendable {
  /// A dose that was logged.
  struct Dose: Sendable {
    /// When it was taken, by true time as far as the phone's clock is known to be wrong.
    var start: Instant
    /// How much it is, in U.
    var units: Double
  }

  var therapy: TherapySettings
  /// The preset that holds.
  var preset: TherapyOverride?
  /// It and those that are over, earliest first.
  var presets: [TherapyOverride]
  var carbEntries: [SyncIdentifier: CarbStore.Entry]
  var doses: [SyncIdentifier: Dose]
  /// Glucose that was typed.
  var glucose: [SyncIdentifier: GlucoseConcentration]
  /// What was deleted from the event history.
  var deletions: [EventDeletion]

  /// What an app has now.
  init(in phone: Phone, at now: Instant) {
    therapy = phone.saved.therapy
    preset = phone.preset(at: now)
    presets = phone.presets(at: now)
    carbEntries = Dictionary(phone.carbRows.map { ($0.syncIdentifier, $0.entry) }) { $1 }
    doses = phone.loggedDoses(at: now)
    glucose = phone.typedGlucose(at: now)
    deletions = phone.deletions
  }
}

extension World {
  /// The app stops in a crash that loses what it has not saved: what is done later is told apart.
  mutating func noteCrash() {
    guard actsAtCrash == nil else { return }
    actsAtCrash = PeoplesActs(in: phone, at: now)
  }

  /// The app has started again without what it had not saved, which is told here.
  mutating func noteUnsaved(of former: PeoplesActs) {
    let kept = PeoplesActs(in: phone, at: now)
    // What was there when the app stopped; without a fault that began, all of it.
    let stopped = actsAtCrash ?? former
    noteUnsavedSettings(former.therapy, in: kept.therapy, stopped.therapy)
    presetWatch.restart(
      phone, whileStopped: former.preset?.start != stopped.preset?.start, at: now, noting: &trace)
    notePastPresets(former, in: kept, stopped)
    noteUnsavedCarbs(former, in: kept, stopped)
    for (identifier, dose) in former.doses.filter({ kept.doses[$0.key] == nil })
      .sorted(by: { ($0.value.units, $0.value.start) < ($1.value.units, $1.value.start) })
    {
      circumstances.lostLogs.append(.init(start: dose.start, units: dose.units, instant: now))
      let text = "A dose of \(unitsText(dose.units)) U that was logged in the app"
      note(.warning, "log", text + lost(stopped.doses[identifier] == nil))
    }
    for deletion in former.deletions where !kept.deletions.contains(deletion) {
      note(
        .warning, "delete",
        "That the \(deletion.event.kind) of \(deletion.event.date) was deleted from the event "
          + "history" + lost(!stopped.deletions.contains(deletion)))
    }
    let typed = former.glucose.filter { kept.glucose[$0.key] == nil }
      .map { (value: $0.value, isLater: stopped.glucose[$0.key] == nil) }
    for glucose in typed.sorted(by: {
      $0.value == $1.value ? $1.isLater && !$0.isLater : $0.value < $1.value
    }) {
      note(
        .warning, "fingerstick",
        "\(glucoseUnit.words(glucose.value)) that were typed in the app"
          + (glucose.isLater
            ? " while it was stopped were lost when it started again."
            : " were not saved when it stopped."))
    }
  }

  /// The end of a sentence on what is lost.
  private func lost(_ isLater: Bool) -> String {
    isLater
      ? " while it was stopped was lost when it started again."
      : " was not saved when the app stopped."
  }

  /// Tells of presets that are over, and of which the app does not know that they were started or
  /// ended; of what holds now the watch on presets tells.
  private mutating func notePastPresets(
    _ former: PeoplesActs, in kept: PeoplesActs, _ stopped: PeoplesActs
  ) {
    for preset in former.presets where preset.start != former.preset?.start {
      let before = stopped.presets.first { $0.start == preset.start }
      guard let own = kept.presets.first(where: { $0.start == preset.start }) else {
        note(
          .warning, preset.name,
          "The preset \(preset.name) "
            + (before == nil
              ? "was started while the app was stopped, and was lost when it started again."
              : "was not saved when the app stopped."))
        continue
      }
      guard own.end != preset.end, own.start != kept.preset?.start else { continue }
      note(
        .warning, preset.name,
        "That the preset \(preset.name) was ended "
          + (before?.end == preset.end
            ? "was not saved when the app stopped."
            : "while the app was stopped was lost when it started again."))
    }
  }

  private mutating func noteUnsavedCarbs(
    _ former: PeoplesActs, in kept: PeoplesActs, _ stopped: PeoplesActs
  ) {
    func lost(_ isLater: Bool) -> String {
      isLater
        ? " was made while the app was stopped, and was lost when it started again."
        : " was not saved when the app stopped."
    }
    let gone = Set(former.carbEntries.keys).subtracting(kept.carbEntries.keys)
    for entry in names.carbEntries.noteLoss(of: gone) {
      let grams = former.carbEntries[entry.identifier].map { " of \(whole($0.mass.grams)) g" } ?? ""
      // It is told when the app starts again, which is not when it was made, nor when it was lost.
      note(
        .warning, entry.name,
        "The carb entry\(grams)"
          + (stopped.carbEntries[entry.identifier] == nil
            ? lost(true)
            : " was not saved when the app stopped, and was gone when it started again."))
    }
    let back = Set(kept.carbEntries.keys).subtracting(former.carbEntries.keys)
    for entry in names.carbEntries.noteReturn(of: back) {
      let grams = kept.carbEntries[entry.identifier].map { " of \(whole($0.mass.grams)) g" } ?? ""
      note(
        .warning, entry.name,
        "The deletion of the carb entry\(grams)"
          + lost(stopped.carbEntries[entry.identifier] != nil) + " The app has it again.")
    }
    let later = Set(
      names.carbEntries.takenBack(from: former.carbEntries, to: stopped.carbEntries))
    for name in names.carbEntries.takenBack(from: former.carbEntries, to: kept.carbEntries) {
      note(.warning, name, "The change of the carb entry" + lost(later.contains(name)))
    }
  }

  private mutating func noteUnsavedSettings(
    _ former: TherapySettings, in kept: TherapySettings, _ stopped: TherapySettings
  ) {
    if former.isClosedLoop != kept.isClosedLoop {
      let what = "That closed loop was switched \(former.isClosedLoop ? "on" : "off")"
      note(
        .warning, "closedLoop",
        what
          + (former.isClosedLoop == stopped.isClosedLoop
            ? " was not saved when the app stopped"
            : " while the app was stopped was lost when it started again")
          + ": it is \(kept.isClosedLoop ? "on" : "off") again.")
    }
    appRecord.noteDosing(isOn: kept.isClosedLoop, at: now)
    guard former.differsBesidesClosedLoop(from: kept) else { return }
    note(
      .warning, "settings",
      former.differsBesidesClosedLoop(from: stopped)
        ? "The settings that were saved while the app was stopped were lost when it started again: "
          + "it has those from before."
        : "The latest settings were not saved when the app stopped: it has those from before.")
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
