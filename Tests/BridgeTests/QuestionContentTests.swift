import ClosedLoop
import Quantities
import Scenarios
import Simulation
import StructuredText
import Testing

@testable import Bridge

/// Questions are made of the one before them; what they say must not depend on that.
@Suite("Questions that go on from the last one")
struct QuestionContentTests {
  private static let events = """
    { at: '+1h', meal: { grams: 30 } }, { at: '+65m', bolus: { units: 2 } },
    { at: '+2h', suspend: { duration: '20m' } },
    { at: '+150m', meal: { grams: 15 } }
    """

  /// What a program does: temp basals that change, are repeated and are cancelled, and boluses.
  private static func answer(_ number: Int) -> ControllerAnswer {
    switch number % 7 {
    case 0, 1: ControllerAnswer(tempBasal: .start(unitsPerHour: 1.4, duration: .minutes(30)))
    case 3: ControllerAnswer(tempBasal: .cancel)
    case 5: ControllerAnswer(tempBasal: nil, bolus: 0.3)
    default: ControllerAnswer()
    }
  }

  @Test(
    "They say what a question from scratch says, and a client's rows are those of the window",
    arguments: [1, 24])
  func goesOn(hours: Int64) throws {
    let text = BridgeFixture.scenario(
      "faults: [{ during: ['+90m', '20m'], cgm: { dropout: {} } }]", events: Self.events)
    var setup = try #require(BridgeFixture.built(text)).setup
    setup.controller = .controller
    setup.controllerRules.history = .hours(hours)
    var run = Run(setup)
    var last: QuestionContent?
    var writer = QuestionWriter()
    var rows: [String: [String: JSONValue]] = [:]
    var told = 0
    while let question = run.nextQuestion() {
      let whole = QuestionContent(question)
      let content = QuestionContent(question, after: last)
      last = content
      #expect(content.asked == whole.asked)
      let message = writer.message(question, content)
      for table in whole.tables {
        #expect(
          table.rows.map(\.value)
            == content.tables.first { $0.name == table.name }?.rows.map(\.value))
        for row in message[table.name]?.items ?? [] {
          told += 1
          // A client knows glucose by its time, doses by name and time, and others by name.
          let name = Self.name(of: row, in: table.name)
          if row["removed"] == nil {
            rows[table.name, default: [:]][name] = row
          } else {
            rows[table.name]?.keys.filter { $0.hasPrefix(name) }.forEach {
              rows[table.name]?[$0] = nil
            }
          }
        }
        let known = rows[table.name] ?? [:]
        for row in table.rows {
          #expect(known[Self.name(of: row.value, in: table.name)] == row.value)
        }
      }
      try run.answer(.commands(Self.answer(question.number)))
    }
    // Few rows are told twice.
    #expect(told > 60 && told < 400)
  }

  private static func name(of row: JSONValue, in table: String) -> String {
    let (id, start) = (row.text("id") ?? "", row.text("start") ?? "")
    switch table {
    case "glucose": return row.text("at") ?? ""
    case "doses": return "\(id) \(start)"
    default: return id
    }
  }
}
