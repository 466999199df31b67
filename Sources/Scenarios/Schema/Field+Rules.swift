import Quantities
import ScenarioLanguage
import Simulation
import StructuredText

// What several rules ask of an object.

extension Field {
  /// The span of time that stands there; `nil` for anything else, of which others tell.
  var span: TimeSpan? {
    node?.string.flatMap(SpanText.milliseconds).map { TimeSpan(milliseconds: $0) }
  }

  /// The largest bolus that the app takes at some time of the scenario of which this is the root,
  /// in U, and whether the scenario says so.
  ///
  /// A setting that is saved later, or a wrong one, may allow more than the therapy.
  var largestMaximumBolus: (units: Double, isStated: Bool) {
    let stated = self["therapy"]["maxBolus"].node?.double
    let first = stated ?? Vocabulary.usualMaximumBolus
    let later = laterLimits("maxBolus").max() ?? 0
    return later > first ? (later, true) : (first, stated != nil)
  }

  /// The highest temp basal that the app of a scenario, of which this is the root, takes at some
  /// time, in U/h; `nil` where the therapy states none, or there is no app.
  var largestMaximumBasal: Double? {
    guard hasApp, let stated = self["therapy"]["maxBasal"].node?.double else { return nil }
    return max(stated, laterLimits("maxBasal").max() ?? 0)
  }

  /// The values of a limit that are saved later, or that are wrong ones.
  private func laterLimits(_ key: String) -> [Double] {
    let saved = self["events"].listed.map { $0["settings"][key] }
    let wrong = self["faults"].listed.map { $0["app"]["wrongSetting"] }
      .filter { $0["path"].node?.string == "therapy.\(key)" }.map { $0["value"] }
    return (saved + wrong).compactMap { $0.node?.double }
  }

  /// Whether the app of the scenario, of which this is the root, gives automatic boluses at some
  /// time.
  var givesAutomaticBoluses: Bool {
    let events = self["events"].listed.map { $0["settings"]["dosing"] }
    let faults = self["faults"].listed.map { $0["app"]["wrongSetting"]["value"] }
    return ([self["app"]["dosing"]] + events + faults).contains {
      $0.node?.string == "automaticBolus"
    }
  }

  /// Warns of the part of a correction that an automatic bolus gives, where the scenario, of which
  /// this is the root, has none.
  ///
  /// - Parameter settings: The settings that may say it.
  func warnOfApplicationFactor(_ settings: Field) {
    guard settings["applicationFactor"].exists, !givesAutomaticBoluses else { return }
    settings["applicationFactor"].warnOfNoEffect(
      "applicationFactor has no effect with dosing: 'tempBasal'; only automatic boluses use it.")
  }

  /// Whether the scenario, of which this is the root, expects an event of one of some kinds.
  func expects(anyOf kinds: [String]) -> Bool {
    self["expect"].listed.contains { expectation in
      ["event", "events"].contains { name in
        expectation[name]["kind"].node?.string.map { kinds.contains($0) } ?? false
      }
    }
  }
}
