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
    for place in (root["events"].node?.items ?? []).indices {
      let event = root["events"][place]
      checkDays(event["at"]["days"])
      guard !isMeant else { continue }
      checkEntries(of: event)
      checkTempBasal(event["basal"])
      checkRemote(event["remote"])
    }
    for place in (root["faults"].node?.items ?? []).indices {
      checkDays(root["faults"][place]["at"]["days"])
    }
    for place in (root["behaviour"]["meals"].node?.items ?? []).indices {
      checkDays(root["behaviour"]["meals"][place]["days"])
    }
  }

  /// Whether the scenario expects a refusal.
  var isMeant: Bool {
    (root["expect"].node?.items ?? []).contains { expectation in
      [expectation["event"], expectation["events"]].contains {
        $0?["kind"]?.string == "warning"
      }
    }
  }

  private func refused(_ field: Field, _ sentence: String) {
    field.warning(code: "W-REFUSED", sentence)
  }

  // MARK: - Days

  private func checkDays(_ field: Field) {
    let context = root.context
    let first = context.wallClock.civilTime(at: context.start).dayNumber
    let last = context.wallClock.civilTime(at: context.end).dayNumber - first
    for place in (field.node?.items ?? []).indices {
      guard let day = field[place].node?.integer, day > last else { continue }
      field[place].warnOfNoEffect("Day \(day) never comes: the run has the days 0 to \(last).")
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
    for place in (entry["edits"].node?.items ?? []).indices {
      checkMass(entry["edits"][place]["grams"])
      checkAbsorption(entry["edits"][place]["absorption"])
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
    guard let text = field.node?.string, let milliseconds = SpanText.milliseconds(of: text) else {
      return
    }
    let time = TimeSpan(milliseconds: milliseconds)
    guard !times.contains(time) else { return }
    refused(
      field,
      "The app refuses an absorption time of \(time); it takes \(times.lowerBound) to "
        + "\(times.upperBound).")
  }

  // MARK: - Insulin

  private func checkTempBasal(_ field: Field) {
    guard let text = field["duration"].node?.string,
      let milliseconds = SpanText.milliseconds(of: text), let profile = PumpChoice.profile(of: root)
    else { return }
    let rule = profile.tempBasal
    guard !rule.accepts(duration: TimeSpan(milliseconds: milliseconds)) else { return }
    refused(
      field["duration"],
      "The \(profile.name) refuses a temp basal of \(text); durations are multiples of "
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
