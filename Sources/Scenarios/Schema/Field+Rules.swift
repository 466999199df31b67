import Quantities
import ScenarioLanguage
import StructuredText

// What several rules ask of an object.

extension Field {
  /// The span of time that stands there; `nil` for anything else, of which others tell.
  var span: TimeSpan? {
    node?.string.flatMap(SpanText.milliseconds).map { TimeSpan(milliseconds: $0) }
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
