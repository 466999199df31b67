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
        let again = content.tables.first { $0.name == table.name }
        #expect(again?.rows.map(\.value) == table.rows.map(\.value))
        for row in message[table.name]?.items ?? [] {
          told += 1
          // A client knows glucose by its time, and everything else by its name.
          rows[table.name, default: [:]][Self.name(of: row)] = row["removed"] == nil ? row : nil
        }
        let known = rows[table.name] ?? [:]
        #expect(Set(table.rows.map { Self.name(of: $0.value) }).count == table.rows.count)
        for row in table.rows { #expect(known[Self.name(of: row.value)] == row.value) }
      }
      try run.answer(.commands(Self.answer(question.number)))
    }
    // Few rows are told twice.
    #expect(told > 60 && told < 400)
  }

  private static func name(of row: JSONValue) -> String {
    row.text("id") ?? row.text("at") ?? ""
  }

  /// The questions of a run in which a program answers; nothing where it says nothing.
  private static func questions(
    _ scenario: String, act: (Int64) -> [JSONValue.Member] = { _ in [] }
  ) -> [JSONValue] {
    var session = BridgeFixture.session(["s.json5": scenario])
    var message = session.ask(["type": "reset", "scenario": "s.json5"]).last
    var questions: [JSONValue] = []
    while let question = message, question.text("type") == "decide" {
      questions.append(question)
      let n = question.whole("n") ?? 0
      message =
        session.ask(
          .object([.init("type", "act"), .init("run", "r1"), .init("n", .integer(n))] + act(n))
        ).last
    }
    return questions
  }

  private static func rows(_ table: String, of question: JSONValue) -> [JSONValue] {
    question[table]?.items ?? []
  }

  @Test("An entry that was deleted is told as removed, also where it was the only one")
  func tellsOfTheLastRemoved() {
    let questions = Self.questions(
      BridgeFixture.scenario(
        events:
          "{ at: '+1h', meal: { grams: 30 }, entry: { edits: [{ at: '+30m', delete: true }] } }"
      ))
    let carbs = questions.flatMap { Self.rows("carbs", of: $0) }
    #expect(carbs.count == 2)
    #expect(carbs.last?["removed"] == true)
    #expect(carbs.first?.text("id") == carbs.last?.text("id"))
  }

  @Test("The parts of a dose that was cut stay where the whole is told as removed")
  func cutDoseStays() {
    // A temp basal over an entry of the schedule is one dose while it runs, and two when it is
    // over.
    let questions = Self.questions(Self.threeRates) { n in
      n == 8 ? [.init("tempBasal", ["rate": 2, "duration": 1_800])] : []
    }
    var doses: [String: JSONValue] = [:]
    for question in questions {
      for row in Self.rows("doses", of: question) {
        doses[Self.name(of: row)] = row["removed"] == nil ? row : nil
      }
    }
    let temps = doses.values.filter { $0.text("kind") == "tempBasal" }
    #expect(temps.count == 2)
    #expect(temps.reduce(0) { $0 + ($1.number("units") ?? 0) } == 1)
  }

  @Test("Of two values of one time the one that stays is told again when the other is gone")
  func twinStays() {
    let questions = Self.questions(
      BridgeFixture.scenario(
        "faults: [{ during: ['+1h', '+12m'], cgm: { timestamp: { duplicate: true } } }]",
        events:
          "{ at: '+76m', delete: { from: 'healthStore', match: { kind: 'glucose', last: 2 } } }"))
    // Four readings have the stamp of 00:55. One of them goes, and that of 01:15.
    let rows = Self.rows("glucose", of: questions[16])
    #expect(rows.map { $0["removed"] == true } == [true, true, false, false, false, false])
    #expect(
      rows.compactMap { $0.text("at").map { $0.dropFirst(11).prefix(5) } }
        == ["00:55", "01:15", "00:55", "00:55", "00:55", "01:20"])
  }

  /// Four hours of a schedule with three rates: 1 U/h, from 01:00 on 0.8, and from 02:00 on 1.4.
  private static let threeRates = BridgeFixture.scenario().replacing(
    "basal: [['00:00', 1]]", with: "basal: [['00:00', 1], ['01:00', 0.8], ['02:00', 1.4]]")

  @Test("The rate of a pump that follows its schedule is that of the entry that holds")
  func rateFollowsSchedule() {
    let questions = Self.questions(Self.threeRates)
    #expect(questions.count == 49)
    for question in questions {
      let hour = (question.number("seconds") ?? 0) / 3_600
      #expect(question["pump"]?.number("rate") == (hour < 1 ? 1 : hour < 2 ? 0.8 : 1.4))
      #expect(question["pump"]?.text("program") == "scheduled")
    }
  }

  @Test("Schedules go by the clock to which the pump was set, and a question tells its time")
  func scheduleTime() {
    // At 01:00 UTC summer time ends, and phones show 02:00 for 03:00; the pump's clock is left.
    let night = Self.threeRates.replacing(
      "clock: { duration: '4h' }",
      with: "clock: { start: '2026-10-25T00:00:00', timeZone: 'Europe/Berlin', duration: '4h' }")
    let question = Self.questions(night)[42]
    #expect(question.text("at") == "2026-10-25T01:30:00Z")
    #expect(question.text("local") == "02:30")
    #expect(question.text("scheduleTime") == "03:30")
  }

  @Test("What has become too old for the window is not told as removed")
  func oldIsNotRemoved() {
    let day = BridgeFixture.scenario().replacing("duration: '4h'", with: "duration: '27h'")
    // A rate that goes on, and boluses within it that leave the window before it does.
    let questions = Self.questions(day) { n in
      n == 2 || n == 5
        ? [.init("bolus", 0.3)]
        : n == 0 ? [.init("tempBasal", ["rate": 1.5, "duration": 36_000])] : []
    }
    #expect(questions.count > 300)
    let rows = questions.flatMap { question in
      ["glucose", "pumpEvents", "doses", "carbs"].flatMap { Self.rows($0, of: question) }
    }
    #expect(!rows.isEmpty && rows.allSatisfy { $0["removed"] == nil })
  }

  @Test("A command that took time and failed is told as failed, not as underway for ever")
  func tellsOfLateFailures() {
    let scenario = BridgeFixture.scenario(
      "pump: { commLatency: '10s' }, faults: [{ during: ['+2h', '1h'], pump: { commLoss: {} } }]")
    let questions = Self.questions(scenario) { n in
      [.init("tempBasal", ["rate": .number(n.isMultiple(of: 2) ? 1.5 : 1.2), "duration": 1_800])]
    }
    let reports = questions.flatMap { Self.rows("last", of: $0) }
    let results = reports.compactMap { $0.text("result") }
    #expect(!results.contains("underway"))
    #expect(results.count == questions.count - 1)
    #expect(results.contains { $0.hasPrefix("The pump cannot be reached") })
    #expect(results.contains("ok"))
  }
}
