import ScenarioLanguage
import StructuredText

/// Rules that join several keys of one event, so that none of them is left out in silence.
struct EventRules {
  let event: Field

  func check() {
    checkDevices()
    checkStore()
    checkDeletion()
    checkEdits()
    checkMeasures()
    checkRemote()
    if event["preset"].node?.bool == false {
      for key in ["until", "duration", "indefinite"] {
        event[key].warnOfNoEffect("\"\(key)\" has no effect: a preset ends here, and none begins.")
      }
    }
  }

  /// The keys that are there, in the order of the file.
  private func keys(of field: Field, among names: [String]) -> [String] {
    field.node?.members?.map(\.key).filter { names.contains($0) } ?? []
  }

  /// Refuses a second thing in one event, of which one alone would be done.
  private func checkOne(of names: [String], in field: Field, _ what: String) {
    let found = keys(of: field, among: names)
    guard found.count > 1 else { return }
    field[found[1]].error(
      "\(what) is one thing; it cannot be \"\(found[0])\" and \"\(found[1])\". "
        + "Make two events of it."
    )
  }

  private func checkDevices() {
    checkOne(
      of: ["replace", "remove", "attach", "prime", "refill", "setTime", "clearAlarm"],
      in: event["pump"], "What is done to the pump")
    checkOne(
      of: ["replace", "calibrate", "stop"], in: event["cgm"], "What is done to the sensor")
  }

  private func checkStore() {
    let store = event["healthStore"]
    if store.node?.statedMembers?.isEmpty == true {
      store.error("Say what happens: write, revoke, grant or restore.")
    }
    let write = store["write"]
    checkOne(of: ["glucose", "carbs", "bolus", "basal"], in: write, "What is written")
    if !write["basal"].exists {
      write["duration"].warnOfNoEffect(
        "\"duration\" has no effect: only a basal segment has a length.")
    }
  }

  private func checkDeletion() {
    let match = event["delete"]["match"]
    if match["last"].exists, match["all"].node?.bool == true {
      match["last"].error(
        "All that match are deleted, or the last of them; remove \"last\" or \"all\".")
    }
  }

  private func checkEdits() {
    let edits = event["entry"]["edits"]
    for edit in edits.listed {
      let changes = keys(of: edit, among: ["grams", "absorption", "eatenAt"])
      if edit["delete"].exists {
        if let change = changes.first {
          edit[change].error("An entry that is deleted has no \"\(change)\" any more.")
        }
      } else if changes.isEmpty, edit.node?.members != nil {
        edit.error("Say what is changed: grams, absorption, eatenAt, or delete: true.")
      }
    }
  }

  private func checkMeasures() {
    let meter = event["fingerstick"]
    if meter["value"].exists, meter["error"].exists {
      meter["error"].error(
        "A meter shows a \"value\", or the truth with an \"error\"; remove one of them.")
    }
    let exercise = event["exercise"]
    if exercise["mets"].exists {
      if exercise["heartRate"].exists {
        exercise["mets"].error("Exercise has a \"heartRate\" or \"mets\"; remove one of them.")
      } else {
        exercise["intensity"].warnOfNoEffect("\"intensity\" has no effect beside \"mets\".")
      }
    }
  }

  private func checkRemote() {
    let remote = event["remote"]
    if remote["override"].node?.bool == false {
      remote["duration"].warnOfNoEffect(
        "\"duration\" has no effect: a preset ends here, and none begins.")
    }
    guard !remote["bolus"].exists, !remote["carbs"].exists else { return }
    remote["code"].warnOfNoEffect(
      "\"code\" has no effect: the app asks for one with boluses and carbohydrates alone.")
  }
}
