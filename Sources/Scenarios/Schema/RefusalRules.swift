import ClosedLoop
import Devices
import Quantities
import ScenarioLanguage
import Simulation
import StructuredText

/// Warns of what pump and app will refuse when the time comes, and of days that never come.
struct RefusalRules {
  let root: Field

  func check() {
    for event in root["events"].listed {
      checkDays(event["at"]["days"])
      guard !isMeant else { continue }
      checkEntries(of: event)
      checkTempBasal(event["basal"]["duration"])
      checkRemote(event["remote"])
    }
    if !isMeant {
      for dose in root["history"]["doses"].listed { checkTempBasal(dose["duration"]) }
    }
    for fault in root["faults"].listed { checkDays(fault["at"]["days"]) }
    for meal in root["behaviour"]["meals"].listed { checkDays(meal["days"]) }
  }

  /// Whether the scenario expects a refusal.
  var isMeant: Bool { root.expects(anyOf: ["warning"]) }

  private func refused(_ field: Field, _ sentence: String) {
    field.warning(code: "W-REFUSED", sentence)
  }

  // MARK: - Days

  private func checkDays(_ field: Field) {
    let context = root.context
    let last = context.wallClock.civilTime(at: context.end).dayNumber - context.firstDay
    for item in field.listed {
      guard let day = item.node?.integer, day > last else { continue }
      item.warnOfNoEffect("Day \(day) never comes: the run has the days 0 to \(last).")
    }
  }

  // MARK: - Carbohydrates

  private func checkEntries(of event: Field) {
    let meal = event["meal"]
    let entry = event["entry"]
    if meal.exists, entry.node?.bool == false { return }
    guard meal.exists || event["entry"].node?.members != nil, !event["injection"].exists else {
      return
    }
    checkMass(entry["grams"].exists ? entry["grams"] : meal["grams"])
    checkAbsorption(entry["absorption"].exists ? entry["absorption"] : meal["absorption"])
    for edit in entry["edits"].listed {
      checkMass(edit["grams"])
      checkAbsorption(edit["absorption"])
    }
  }

  private func checkMass(_ field: Field) {
    guard let grams = field.node?.double, grams > CarbStore.largestEntry else { return }
    refused(
      field,
      "The app refuses an entry of \(JSONField.shortText(grams)) g; it takes at most "
        + "\(JSONField.shortText(CarbStore.largestEntry)) g.")
  }

  private func checkAbsorption(_ field: Field) {
    let times = CarbStore.absorptionTimes
    guard let time = field.span, !times.contains(time) else { return }
    refused(
      field,
      "The app refuses an absorption time of \(time); it takes \(times.lowerBound) to "
        + "\(times.upperBound).")
  }

  // MARK: - Insulin

  private func checkTempBasal(_ stated: Field) {
    guard let duration = stated.span, let profile = PumpChoice.profile(of: root),
      !profile.tempBasal.accepts(duration: duration)
    else { return }
    let rule = profile.tempBasal
    refused(
      stated,
      "The \(profile.name) refuses a temp basal of \(stated.node?.string ?? ""); durations are "
        + "multiples of "
        + "\(rule.durationStep) from \(rule.minimumDuration) to \(rule.maximumDuration).")
  }

  private func checkRemote(_ remote: Field) {
    checkMass(remote["carbs"])
    checkAbsorption(remote["absorption"])
    let standard = TherapyBlock.standard.maximumBolus?.units
    let maximum = root["therapy"]["maxBolus"].node?.double ?? standard ?? .infinity
    if let units = remote["bolus"].node?.double, units > maximum {
      refused(
        remote["bolus"],
        "The app refuses a remote bolus above maxBolus (\(JSONField.shortText(maximum)) U).")
    }
    let presets = root["therapy"]["presets"].node?.members?.map(\.key) ?? []
    if let name = remote["override"].node?.string, !presets.contains(name) {
      refused(
        remote["override"],
        "The app refuses it: there is no preset \"\(name)\" in therapy.presets."
          + NearestName.suggestion(for: name, among: presets))
    }
  }
}
