internal import Expectations
internal import Quantities
internal import Simulation
public import StructuredText

/// What went wrong in a run, as every form of its answer says it.
extension RunSummary {
  /// The expectations that fail the run, a sentence each.
  package var failureLines: [String] {
    expectations.filter { $0.outcome != .passed && !$0.isWarning }
      .map { "Expectation \($0.expectation): \($0.message)" }
  }

  /// The expectations that do not hold and only warn of it, a sentence each.
  package var warningLines: [String] {
    expectations.filter { $0.outcome != .passed && $0.isWarning }
      .map { "Expectation \($0.expectation), which only warns: \($0.message)" }
  }

  /// How many expectations hold; those that only warn do so or not like all others.
  var held: Int { expectations.count { $0.outcome == .passed } }

  /// One sentence for each trouble, the worst first.
  public var troubleLines: [String] { troubles.map(\.sentence) }

  /// The block of a text; empty where nothing went wrong.
  var troubleBlock: [String] {
    guard !troubles.isEmpty else { return [] }
    let shown = troubleLines.prefix(12).map { "  \(InertText.line($0))" }
    let rest = troubles.count - shown.count
    return ["What went wrong"] + shown + (rest > 0 ? ["  and \(rest) more in summary.json"] : [])
      + [""]
  }

  /// The worst trouble, for a line with other figures; empty where nothing went wrong.
  var troubleNote: String {
    guard let worst = troubles.first else { return "" }
    let rest = troubles.count - 1
    return "; went wrong: \(InertText.line(worst.sentence))"
      + (rest > 0 ? " And \(rest) more." : "")
  }

  /// The list as a JSON tree.
  public var troublesJSON: JSONValue {
    .array(
      troubles.map { trouble in
        var members: [JSONValue.Member] = [
          .init("kind", .string(trouble.kind.rawValue)),
          .init("start", .string(run.clock.iso8601(trouble.start))),
          .init("end", .string(run.clock.iso8601(trouble.end))),
          .init("seconds", .number(trouble.duration.seconds)),
          .init("count", .integer(Int64(trouble.count))),
        ]
        if let units = trouble.units { members.append(.init("units", .rounded(units.units, 3))) }
        members.append(.init("text", .string(trouble.text)))
        return .object(members)
      })
  }
}
