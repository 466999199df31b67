import ClosedLoop
import StructuredText
import Testing

@testable import Bridge

/// Each guard in a scenario in which it acts.
@Suite("Guards between a program and the pump")
struct GuardTests {
  /// A scenario in which a guard acts on what a program always wants.
  struct Case: Sendable, CustomTestStringConvertible {
    var guarding: CommandGuard
    /// Keys of the scenario.
    var more = ""
    /// What the program answers to a question, by its number.
    var act: @Sendable (Int64) -> [JSONValue.Member]

    var testDescription: String { guarding.rawValue }

    init(
      _ guarding: CommandGuard, _ more: String = "",
      act: @escaping @Sendable (Int64) -> [JSONValue.Member]
    ) {
      (self.guarding, self.more, self.act) = (guarding, more, act)
    }
  }

  private static func rate(_ rate: Double, _ duration: Double = 1_800) -> JSONValue.Member {
    .init("tempBasal", ["rate": .number(rate), "duration": .number(duration)])
  }

  private static func bolus(_ units: Double) -> JSONValue.Member { .init("bolus", .number(units)) }

  private static func fault(_ words: String) -> String {
    "faults: [{ during: ['+1h', '1h'], \(words) }]"
  }

  private static let cases = [
    Case(.openLoop, "app: { closedLoop: false }") { _ in [rate(2)] },
    Case(.pumpUnknown, "faults: [{ during: ['+0m', '2h'], pump: { commLoss: {} } }]") { _ in
      [rate(2)]
    },
    Case(.deliveryUncertain, fault("pump: { uncertainDelivery: { resolveAfter: '30m' } }")) {
      // The reply to a command is lost only where there is one.
      [rate($0 % 2 == 0 ? 2 : 1.5)]
    },
    Case(.stopped, "faults: [{ at: '+1h', pump: { batteryDepleted: { duration: '1h' } } }]") { _ in
      [rate(2)]
    },
    Case(.suspended) { $0 == 3 ? [.init("suspend", true)] : [rate(2)] },
    Case(.staleGlucose, fault("cgm: { dropout: {} }")) { _ in [rate(2)] },
    Case(.unreliableGlucose, fault("cgm: { unreliable: {} }")) { _ in [rate(2)] },
    Case(.belowZero) { _ in [rate(-0.5)] },
    Case(.maxBasal) { _ in [rate(30)] },
    Case(.maxBolus) { $0 == 3 ? [bolus(25)] : [] },
    Case(.maxActiveInsulin, "app: { maxActiveInsulin: 3 }") { $0 % 12 == 3 ? [bolus(2)] : [] },
    Case(.bolusInProgress) { $0 == 3 || $0 == 4 ? [bolus(9)] : [] },
    Case(.pumpStep) { _ in [rate(1.234)] },
    Case(.pumpMaximum, "controller: { guards: 'pump' }") { _ in [rate(99)] },
    Case(.duration) { _ in [rate(1.5, 2_000)] },
  ]

  @Test("Every guard has a case")
  func complete() {
    #expect(Set(Self.cases.map(\.guarding)) == Set(CommandGuard.allCases))
  }

  @Test("It acts, and the program, the happenings and the summary tell it", arguments: cases)
  func acts(_ one: Case) throws {
    let scenario = """
      { format: 'loopsim/1', id: 'guarded', clock: { duration: '2h', preRoll: '0m' },
        patient: { model: 'tidepool-simple', initialGlucose: 170,
          needs: { basal: [['00:00', 1]], sensitivity: [['00:00', 45]],
            carbRatio: [['00:00', 10]] } },
        therapy: { maxBasal: 4, maxBolus: 10 }, \(one.more) }
      """
    var session = BridgeFixture.session(["s.json5": scenario])
    var message = session.ask(["type": "reset", "scenario": "s.json5"]).last
    var told = 0
    while let question = message, question.text("type") == "decide" {
      for report in question["last"]?.items ?? []
      where report["guards"]?.items?.contains(.string(one.guarding.rawValue)) == true {
        told += 1
        #expect(report["asked"] != report["given"])
      }
      let n = try #require(question.whole("n"))
      message =
        session.ask(
          .object(
            [.init("type", "act"), .init("run", "r1"), .init("n", .integer(n))] + one.act(n))
        ).last
    }
    let end = try #require(message)
    #expect(end.text("type") == "end", "\(end)")
    #expect(told > 0)
    let counted = end["summary"]?["guards"]?.whole(one.guarding.rawValue) ?? 0
    // What became of the very last answer is told to nobody.
    #expect(counted >= told && counted <= told + 2)
    let table = session.ask(["type": "records", "run": "r1", "table": "happenings"]).first
    let kinds = table?["columns"]?["kind"]?.items ?? []
    let names = table?["columns"]?["name"]?.items ?? []
    let happened = zip(kinds, names).count {
      $0 == "guard" && $1 == .string(one.guarding.rawValue)
    }
    #expect(happened == counted)
  }
}
