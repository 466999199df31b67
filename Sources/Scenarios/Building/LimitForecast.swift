internal import ClosedLoop
internal import Quantities
internal import ScenarioLanguage
internal import Simulation
internal import StructuredText

/// Whether settings that are saved in a run lie beyond limits that hold by then.
struct LimitForecast {
  let root: Field
  /// What is programmed at first.
  let therapy: TherapySettings
  /// What happens, faults included, in the order of time.
  let events: [ScenarioEvent]
  let places: EventPlaces

  /// Warns where settings are saved of which one lies beyond another, whichever of the two is new,
  /// and where a person sets a temp basal above the maximum by then.
  ///
  /// From settings on that are saved on a condition nothing is said.
  func warn() {
    guard root.hasApp else { return }
    var current = therapy
    var told: Set<String> = []
    for event in events where event.concernsLimits {
      guard event.condition == nil || !event.mayChangeLimits else { return }
      if case .tempBasal(let rate, _, _) = event.action {
        let asked = places[event]["basal"]["rate"]
        if rate > current.maximumBasalRate, told.insert(asked.path).inserted {
          warn(ofTempBasalAt: asked, above: current.maximumBasalRate)
        }
        continue
      }
      guard case .changeSettings(let change) = event.action else {
        current = therapy
        continue
      }
      current = change.applied(to: current)
      let settings = places[event]["settings"]
      guard told.insert(settings.path).inserted else { continue }
      if change.basal != nil || change.maximumBasalRate != nil { checkRates(current, settings) }
      if change.targets != nil || change.suspendThreshold != nil { checkRanges(current, settings) }
    }
  }

  /// Warns of a temp basal that the app will cut, unless a fault may make the limit another one.
  private func warn(ofTempBasalAt asked: Field, above most: InsulinRate) {
    guard !RefusalRules(root: root).isMeant else { return }
    let wrong = root["faults"].listed.map { $0["app"]["wrongSetting"]["path"].node?.string }
    guard !wrong.contains("therapy.maxBasal") else { return }
    asked.warning(
      code: LimitWords.code,
      "The app takes no temp basal above maxBasal (\(JSONField.shortText(most.unitsPerHour)) U/h) "
        + "by then.")
  }

  private func checkRates(_ therapy: TherapySettings, _ settings: Field) {
    let maximum = therapy.maximumBasalRate
    for (place, entry) in therapy.basal.entries.enumerated() where entry.value > maximum {
      let isNew = settings["basal"].exists
      (isNew ? settings["basal"][place][1] : settings["maxBasal"]).warning(
        code: LimitWords.code,
        LimitWords.rate(entry.value.unitsPerHour, above: maximum.unitsPerHour))
      if !isNew { return }
    }
  }

  private func checkRanges(_ therapy: TherapySettings, _ settings: Field) {
    guard let threshold = therapy.suspendThreshold else { return }
    let unit = root.context.glucoseUnit.mgdL
    for (place, entry) in therapy.targets.entries.enumerated() where entry.value.lower < threshold {
      let isNew = settings["target"].exists
      (isNew ? settings["target"][place][1] : settings["suspendThreshold"]).warning(
        code: LimitWords.code,
        LimitWords.range(
          from: written(entry.value.lower.mgdL / unit), below: written(threshold.mgdL / unit)))
      if !isNew { return }
    }
  }

  /// A value as it was written, without the last bits of its conversion.
  private func written(_ value: Double) -> Double { (value * 1e6).rounded() / 1e6 }
}

/// What is said of a setting that lies beyond a limit, at first and of what is saved later.
enum LimitWords {
  static let code = "W-LIMITS"

  /// A rate of the schedule in U/h that no temp basal may have.
  static func rate(_ rate: Double, above maximum: Double) -> String {
    "The scheduled rate \(JSONField.shortText(rate)) U/h is above maxBasal "
      + "(\(JSONField.shortText(maximum)) U/h), which bounds what the algorithm gives."
  }

  /// A correction range of which a part is never reached, both in the file's unit.
  static func range(from lower: Double, below threshold: Double) -> String {
    "The correction range begins at \(JSONField.shortText(lower)), below the suspend threshold "
      + "(\(JSONField.shortText(threshold)))."
  }
}

extension ScenarioEvent {
  /// Whether limits may become others with it, or the app holds it to one.
  fileprivate var concernsLimits: Bool {
    if case .tempBasal(_, _, onPump: false) = action { true } else { mayChangeLimits }
  }

  /// Whether the settings that the app goes by may become others, to stay.
  fileprivate var mayChangeLimits: Bool {
    switch action {
    case .changeSettings, .reinstallApp: true
    default: false
    }
  }
}
