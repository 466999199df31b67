import Quantities
import ScenarioLanguage
import StructuredText

// What several rules ask of an object.

extension Field {
  /// Refuses a second one of some keys, of which an object has one at most.
  ///
  /// - Parameters:
  ///   - keys: The keys, in the order in which they are named.
  ///   - reason: Why there is one at most, as a clause.
  /// - Returns: Those that are stated.
  @discardableResult
  func refuseSecond(of keys: [String], _ reason: String) -> [String] {
    let stated = keys.filter { self[$0].exists }
    if stated.count > 1 {
      self[stated[1]].error("\(reason); remove \"\(stated[1])\" or \"\(stated[0])\".")
    }
    return stated
  }

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
