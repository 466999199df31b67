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
    let first = stated ?? TherapyBlock.standard.maximumBolus?.units ?? .infinity
    let saved = self["events"].listed.map { $0["settings"]["maxBolus"] }
    let wrong = self["faults"].listed.map { $0["app"]["wrongSetting"] }
      .filter { $0["path"].node?.string == "therapy.maxBolus" }.map { $0["value"] }
    let later = (saved + wrong).compactMap { $0.node?.double }.max() ?? 0
    return later > first ? (later, true) : (first, stated != nil)
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
