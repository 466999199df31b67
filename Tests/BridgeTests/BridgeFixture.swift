import ClosedLoop
import Dosing
import Quantities
import RunPlans
import ScenarioLanguage
import Scenarios
import Simulation
import StructuredText

@testable import Bridge

/// Scenarios and clients for the tests of the bridge.
enum BridgeFixture {
  /// A closed-loop evening with a meal; `more` is put among its keys.
  static func scenario(
    _ more: String = "", dosing: String = "tempBasal",
    events: String = "{ at: '+1h', meal: { grams: 30 } }"
  ) -> String {
    """
    { format: 'loopsim/1', id: 'evening', clock: { duration: '4h' }, random: { seed: 3 },
      patient: { model: 'tidepool-simple', initialGlucose: 170,
        needs: { basal: [['00:00', 1]], sensitivity: [['00:00', 45]],
          carbRatio: [['00:00', 10]] } },
      cgm: { model: 'dexcomG6' }, app: { dosing: '\(dosing)' },
      events: [\(events)], \(more) }
    """
  }

  /// A meal with the bolus that is recommended for it.
  static let mealWithBolus =
    "{ at: '+1h', meal: { grams: 30 } }, { at: '+1h', bolus: { take: 'recommended' } }"

  /// A session whose files are in memory.
  static func session(_ files: [String: String] = [:]) -> ServeSession {
    ServeSession(files: MemoryFiles(files), version: "test", write: { _, _ in [] })
  }

  /// The built run of a text.
  static func built(_ text: String) -> BuiltRun? {
    let problems = ProblemList()
    var reader = ScenarioReader(files: MemoryFiles(["s.json5": text]))
    guard let plan = ScenarioCheck.plan("s.json5", reader: &reader, problems: problems) else {
      return nil
    }
    return RunBuilder.build(plan.run(at: 0), problems: problems)
  }
}

extension ServeSession {
  /// The answers to a request, as values.
  mutating func ask(_ request: JSONValue) -> [JSONValue] {
    ask(line: BridgeProtocol.line(request))
  }

  mutating func ask(line: String) -> [JSONValue] {
    reply(to: Array(line.utf8)).compactMap {
      JSONReader.read(text: $0, file: "answer").root.map { JSONValue($0) }
    }
  }
}

extension JSONValue {
  /// The text of a key.
  func text(_ key: String) -> String? {
    guard case .string(let text) = self[key] else { return nil }
    return text
  }

  /// The number of a key.
  func number(_ key: String) -> Double? { self[key]?.asNumber }

  /// The numbers of a list; `nil` without the key.
  func numbers(_ key: String) -> [Double]? { self[key]?.items?.compactMap(\.asNumber) }

  private var asNumber: Double? {
    switch self {
    case .number(let number): number
    case .integer(let number): Double(number)
    default: nil
    }
  }

  /// The whole number of a key.
  func whole(_ key: String) -> Int64? {
    guard case .integer(let number) = self[key] else { return nil }
    return number
  }
}
