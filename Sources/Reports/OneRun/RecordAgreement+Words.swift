internal import Quantities
public import Simulation
internal import StructuredText

/// The answer about the records, as every form of a run's answer gives it.
extension RecordAgreement {
  /// Question and answer in one line, for a heading.
  public var headline: String {
    guard hasApp else { return Self.withoutApp }
    let count = differences.count(where: \.isDifference)
    let counted =
      count == 1
      ? "1 difference, and it has its cause" : "\(count) differences, each with its cause"
    return switch answer {
    case .yes: "Do the records agree?  Yes."
    case .explained: "Do the records agree?  Explained: \(counted)."
    case .no: "Do the records agree?  No."
    }
  }

  /// Whether an app and a health store have records too.
  var hasApp: Bool { records.contains(.app) }

  /// What stands in the place of the answer where there is no app.
  package static let withoutApp = "Without an app nothing records insulin but the pump."

  /// The answer in two words, for a line with other figures.
  public var shortAnswer: String {
    guard hasApp else { return "without an app" }
    return switch answer {
    case .yes: "records agree"
    case .explained: "records explained"
    case .no: "records differ"
    }
  }

  /// The name of a record in a table.
  package static func name(_ record: Record) -> String {
    switch record {
    case .body: "body"
    case .pump: "pump"
    case .app: "app"
    case .healthStore: "health store"
    }
  }

  /// The name of a row of the table; what the pump gave without a command is in the last.
  package static func name(_ origin: Origin, hasUnasked: Bool) -> String {
    guard origin == .elsewhere else { return origin.rawValue }
    return hasUnasked ? "from elsewhere or unasked" : "from elsewhere"
  }

  /// The answer, the table and every difference as a JSON tree; without an app there is no answer.
  func json(clock: WallClock) -> JSONValue {
    [
      "answer": hasApp ? .string(answer.rawValue) : .null,
      "basal": json(basal), "bolus": json(bolus), "elsewhere": json(elsewhere),
      "differences": .array(differences.map { json($0, clock) }),
    ]
  }

  private func json(_ totals: Totals) -> JSONValue {
    [
      "body_U": .amount(totals.body), "pump_U": totals.pump.map(JSONValue.amount) ?? .null,
      "app_U": totals.app.map(JSONValue.amount) ?? .null,
      "health_store_U": totals.healthStore.map(JSONValue.amount) ?? .null,
    ]
  }

  private func json(_ difference: RecordDifference, _ clock: WallClock) -> JSONValue {
    [
      "severity": .string(difference.severity.rawValue),
      "kind": .string(difference.kind.rawValue),
      "origin": difference.origin.map { .string($0.rawValue) } ?? .null,
      "records": .array(difference.records.map { .string($0.rawValue) }),
      "start": .string(clock.iso8601(difference.start)),
      "end": .string(clock.iso8601(difference.end)),
      "units": .amount(difference.units),
      "text": .string(difference.text),
    ]
  }
}
