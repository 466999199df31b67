import ClosedLoop
import Physiology
import Quantities
import Simulation
import StructuredText
import Testing

@testable import Bridge

@Suite("What a program may say in an answer")
struct AnswerTests {
  /// The sentence on an answer to the first question; `nil` where it is taken.
  private static func refusal(_ keys: String) -> String? {
    var session = BridgeFixture.session(["s.json5": BridgeFixture.scenario()])
    _ = session.ask(["type": "reset", "scenario": "s.json5"])
    let answer = session.ask(line: "{\"type\":\"act\",\"run\":\"r1\",\"n\":0,\(keys)}").first
    return answer?.text("type") == "error" ? answer?.text("text") : nil
  }

  @Test(
    "A message that is no JSON is told as a message, by its columns",
    arguments: [
      (
        #"{"type":"hello","protocol":1"#,
        #"Column 29: The message ends before the object opened at column 1 is closed. Add "}"."#
      ),
      (
        #"{"type":"hello"}{"type":"hello"}"#,
        "Column 17: The message goes on after its value has ended. "
          + "Remove the rest, from here on."
      ),
      (
        #"{"can":["fork"}"#,
        #"Column 15: "}" cannot stand here: the list opened at column 8 is closed with "]"."#
      ),
      (
        #"{"type":"hello","type":1}"#,
        #"Column 17: The key "type" is repeated; it is already at column 2. Remove one of them."#
      ),
    ])
  func speaksOfMessages(line: String, sentence: String) throws {
    var session = BridgeFixture.session()
    #expect(try #require(session.ask(line: line).first).text("text") == sentence)
  }

  @Test("A body's answer is kept with the glucose at its sensor where that is another")
  func keepsBodies() {
    func kept(sensed: Double?) -> JSONValue {
      AnswerWriter.value(
        .lived(BodyAnswer(.init(glucose: .mgdL(120), sensed: sensed.map { .mgdL($0) }))))
    }
    #expect(kept(sensed: nil) == ["glucose": .number(120)])
    #expect(kept(sensed: 120) == ["glucose": .number(120)])
    #expect(kept(sensed: 112.5) == ["glucose": .number(120), "sensed": .number(112.5)])
  }

  @Test("A byte that is no UTF-8 in a message is told without a file to save")
  func speaksOfBytes() throws {
    var session = BridgeFixture.session()
    let answer = try #require(session.reply(to: Array(#"{"type":""#.utf8) + [0xff]).first)
    #expect(
      answer.contains(
        "Column 10: This byte is not UTF-8 text. Write the message as UTF-8, or check that it is "
          + "not damaged."), "\(answer)")
  }

  @Test(
    "An answer that says several of which one can be meant is refused, whichever they are",
    arguments: [
      (#""units":4,"recommendation":{"manual":{"amount":1}}"#, "units", "recommendation"),
      (#""units":4,"error":"missingGlucose""#, "units", "error"),
      (#""error":"missingGlucose","recommendation":{}"#, "recommendation", "error"),
      (#""recommendation":{"automatic":{},"manual":{"amount":1}}"#, "manual", "automatic"),
    ])
  func severalInOne(keys: String, first: String, second: String) throws {
    let root = try #require(JSONReader.read(Array("{\(keys)}".utf8), file: "message").root)
    let problems = ProblemList()
    #expect(AnswerReader.bolus(JSONField(root, problems: problems), number: nil) == nil)
    #expect(
      problems.problems.map(\.sentence) == [
        "\"\(first)\" and \"\(second)\" are both there; an answer can say one of them alone."
      ])
  }

  @Test(
    "What an answer has as null is not said, and contradicts nothing",
    arguments: [
      #""recommendation":{"automatic":null,"manual":{"amount":1}}"#,
      #""units":null,"recommendation":{"manual":{"amount":1}}"#,
    ])
  func nullIsNotSaid(keys: String) throws {
    let root = try #require(JSONReader.read(Array("{\(keys)}".utf8), file: "message").root)
    let problems = ProblemList()
    let answer = AnswerReader.bolus(JSONField(root, problems: problems), number: nil)
    #expect(problems.problems.map(\.sentence) == [])
    guard case .bolus(.success(let units)) = answer else {
      Issue.record("No bolus is recommended: \(String(describing: answer))")
      return
    }
    #expect(units == 1)
  }

  @Test("To suspend and to resume in one answer is refused, as nobody knows what it wants")
  func contradiction() {
    #expect(
      Self.refusal(#""suspend":true,"resume":true"#)
        == "\"suspend\" and \"resume\" are both true; an answer can ask for one of them alone.")
    #expect(Self.refusal(#""suspend":true,"resume":false"#) == nil)
    #expect(Self.refusal(#""suspend":false,"resume":true"#) == nil)
  }

  /// The sentence on an answer in the seat of the algorithm; `nil` where it is taken.
  private static func refusalOfRunner(_ keys: String) -> String? {
    var session = BridgeFixture.session(["s.json5": BridgeFixture.scenario()])
    _ = session.ask(["type": "reset", "scenario": "s.json5", "seat": "algorithm"])
    let answer = session.ask(line: "{\"type\":\"act\",\"run\":\"r1\",\"n\":0,\(keys)}").first
    return answer?.text("type") == "error" ? answer?.text("text") : nil
  }

  /// A recommendation with more keys at each of its levels.
  private static func recommended(
    _ outer: String = "", automatic: String = "", basal: String = ""
  ) -> String {
    """
    "recommendation":{"automatic":{"basalAdjustment":{"unitsPerHour":1,"duration":1800\(basal)}\
    \(automatic)}\(outer)}
    """
  }

  @Test("A key that the output of LoopAlgorithm's runner does not have is refused at every level")
  func keysOfTheRunner() {
    #expect(Self.refusalOfRunner(Self.recommended()) == nil)
    #expect(
      Self.refusalOfRunner(
        Self.recommended(automatic: #","bolusUnits":0.2,"direction":"increase""#)) == nil)
    for (keys, key, place) in [
      (Self.recommended(automatic: #","bolusUnit":0.2"#), "bolusUnit", ".automatic"),
      (Self.recommended(basal: #","rate":2"#), "rate", ".automatic.basalAdjustment"),
      (Self.recommended(#","automatik":{}"#), "automatik", ""),
    ] {
      let found = Self.refusalOfRunner(keys) ?? ""
      #expect(
        found.hasPrefix("\"\(key)\" is not a known key in \"recommendation\(place)\"."), "\(found)")
    }
  }

  @Test("A value of the runner's prediction without a time is refused, and none is none")
  func timesOfThePrediction() {
    func refusal(_ prediction: String) -> String? {
      Self.refusalOfRunner("\(Self.recommended()),\"predictedGlucose\":\(prediction)")
    }
    #expect(refusal("null") == nil && refusal("[]") == nil)
    #expect(refusal(#"[{"startDate":"2026-01-05T01:00:00Z","quantity":100}]"#) == nil)
    #expect(
      refusal(#"[{"startDate":"yesterday","quantity":100}]"#)
        == "\"predictedGlucose[0].startDate\" must be a time with its offset, such as "
        + "2026-01-15T08:00:00Z, not \"yesterday\".")
  }

  @Test("The values of the runner's prediction follow each other on a grid")
  func gridOfThePrediction() {
    func refusal(_ times: String...) -> String? {
      let values = times.map { "{\"startDate\":\"2026-01-05T\($0)Z\",\"quantity\":100}" }
      return Self.refusalOfRunner(
        "\(Self.recommended()),\"predictedGlucose\":[\(values.joined(separator: ","))]")
    }
    // The reading, the grid, and a value that is appended.
    #expect(refusal("01:02:07", "01:05:00", "01:10:00", "01:15:00", "01:17:30") == nil)
    #expect(refusal("01:02:07", "01:05:00", "01:06:00") == nil)
    let later = "must be later than that of the value before it."
    #expect(
      refusal("01:00:00", "01:00:00", "01:00:00") == "\"predictedGlucose[1].startDate\" \(later)")
    #expect(
      refusal("01:00:00", "01:05:00", "01:04:00") == "\"predictedGlucose[2].startDate\" \(later)")
    #expect(
      refusal("01:00:00", "01:05:00", "01:10:00", "01:25:00", "01:30:00")
        == "\"predictedGlucose[3].startDate\" is 15m after that of the value before it, and must "
        + "be 5m after it, as the ones before are apart.")
  }

  @Test(
    "What is null changes nothing, whatever the key",
    arguments: [
      "tempBasal", "bolus", "cancelBolus", "suspend", "resume", "cob", "prediction", "note",
    ])
  func nothing(key: String) { #expect(Self.refusal("\"\(key)\":null") == nil) }

  @Test("A program need not say the question's number nor a temp basal's duration; a client must")
  func nullNumber() throws {
    let text = #"{"type":"act","n":null,"tempBasal":{"rate":1,"duration":null}}"#
    let problems = ProblemList()
    let root = try #require(JSONReader.read(text: text, file: "message").root)
    let answer = AnswerReader.answer(
      JSONField(root, problems: problems), seat: .controller, number: 3)
    guard case .commands(let commands)? = answer, case .start(1, let span)? = commands.tempBasal
    else {
      Issue.record("\(problems.problems)")
      return
    }
    #expect(span == .minutes(30))
    var session = BridgeFixture.session(["s.json5": BridgeFixture.scenario()])
    _ = session.ask(["type": "reset", "scenario": "s.json5"])
    let refused = session.ask(line: #"{"type":"act","run":"r1","n":null}"#).first
    #expect(refused?.text("type") == "error")
    #expect(refused?.text("path") == "$.n")
  }

  @Test("The documented ranges are those that are held")
  func ranges() {
    for right in [
      #""cob":0"#, #""cob":10000"#, #""prediction":[-5]"#, #""prediction":[-1e6,1e6]"#,
      #""tempBasal":{"rate":1,"duration":1}"#, #""tempBasal":{"rate":1,"duration":86400}"#,
    ] {
      #expect(Self.refusal(right) == nil, "\(right)")
    }
    for wrong in [
      #""cob":-0.1"#, #""cob":10001"#, #""prediction":[1000001]"#, #""prediction":[-1000001]"#,
      #""tempBasal":{"rate":1,"duration":0.5}"#, #""tempBasal":{"rate":1,"duration":86401}"#,
      #""tempBasal":{"rate":1000001}"#, #""bolus":-1000001"#,
    ] {
      #expect(Self.refusal(wrong) != nil, "\(wrong)")
    }
    let many = Array(repeating: "1", count: 1_001).joined(separator: ",")
    #expect(
      Self.refusal("\"prediction\":[\(many)]")
        == "\"prediction\" has 1001 values; at most 1000 are read.")
  }
}
