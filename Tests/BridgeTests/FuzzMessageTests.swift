import ClosedLoop
import Quantities
import Simulation
import StructuredText
import TestSupport
import Testing
import TimeZones

@testable import Bridge

/// Damage to what programs and clients say.
///
/// Whatever is done to a message, an answer comes, and what is refused is said. A trap ends the
/// process. `LOOPSIM_MUTATIONS` asks for more cases than the few that every run of the tests tries.
@Suite("Damaged messages")
struct FuzzMessageTests {
  private static let words = [
    "null", "-1", "1e400", "9223372036854775808", "NaN", "{}", "[[", "true", "\"r1\"",
    "\"\\u0000\"",
    "\"cancel\"", "\"\\ud800\"",
  ]

  private static let requests = [
    #"{"type":"hello","id":1,"protocol":1,"name":"client","role":"environment"}"#,
    #"{"type":"check","id":"a","scenario":"s.json5"}"#,
    #"{"type":"reset","id":2,"scenario":"s.json5","seed":"7","privileged":true}"#,
    #"{"type":"reset","scenario":"s.json5","overrides":{"patient.initialGlucose":90}}"#,
    #"{"type":"act","run":"r1","n":0,"tempBasal":{"rate":1.3,"minutes":30},"bolus":0.5}"#,
    #"{"type":"act","run":"r1","n":1,"cob":12,"prediction":[100,101.5,103],"note":"x"}"#,
    #"{"type":"fork","run":"r1"}"#, #"{"type":"restore","run":"r1","from":"r2"}"#,
    #"{"type":"records","run":"r1","tables":["timeline"]}"#,
    #"{"type":"write","run":"r1","folder":"out"}"#, #"{"type":"close","run":"r1"}"#,
    #"{"type":"predict","input":{"glucoseHistory":[{"date":"2026-02-03T07:00:00Z","value":112}]}}"#,
  ]

  @Test("Requests of a client: each is answered in JSON, and the session goes on")
  func serves() {
    var chance = Chance(state: 21)
    let scenario = BridgeFixture.scenario().replacing("duration: '4h'", with: "duration: '30m'")
    var session = BridgeFixture.session()
    for number in 0..<Chance.cases(orElse: 300) {
      // Every session is asked some questions in their order, and most of them are damaged.
      if number % 40 == 0 {
        session = BridgeFixture.session(["s.json5": scenario])
        for line in Self.requests.prefix(3) { _ = session.reply(to: Array(line.utf8)) }
      }
      let line = Array(Self.requests[chance.below(Self.requests.count)].utf8)
      let answers = session.reply(to: chance.damaged(line, Self.words))
      #expect(!answers.isEmpty)
      for answer in answers {
        let value = JSONReader.read(text: answer, file: "answer").root.map { JSONValue($0) }
        #expect(value?.text("type") != nil, "\(answer.prefix(200))")
      }
    }
    let bye = session.reply(to: Array(#"{"type":"close"}"#.utf8))
    #expect(bye.first?.contains("closed") == true)
  }

  @Test("Answers of a program in both seats")
  func answers() {
    var chance = Chance(state: 22)
    let lines = [
      #"{"type":"act","run":"r1","n":3,"tempBasal":{"rate":1.3,"minutes":30},"bolus":0.5,"#
        + #""cancelBolus":false,"suspend":false,"cob":12.5,"prediction":[100,101.5,103]}"#,
      #"{"type":"act","n":3,"tempBasal":"cancel","resume":true}"#,
      #"{"type":"act","n":3,"recommendation":{"automatic":{"bolusUnits":0.2,"#
        + #""basalAdjustment":{"unitsPerHour":0.5,"duration":1800}}},"cob":3}"#,
    ]
    for number in 0..<Chance.cases(orElse: 600) {
      let line = chance.damaged(Array(lines[number % lines.count].utf8), Self.words)
      switch BridgeProtocol.read(line, limit: BridgeProtocol.longestRequest) {
      case .failure(let problem): #expect(!"\(problem)".isEmpty)
      case .success(let field):
        for seat in [ControllerSeat.controller, .algorithm] {
          let answer = AnswerReader.answer(field, seat: seat, number: 3)
          #expect(answer != nil || field.problems.hasErrors)
        }
      }
    }
  }

  @Test("The kept decisions of a run")
  func transcripts() {
    var chance = Chance(state: 23)
    let text = #"""
      {"transcript":1,"run":"a","scenario":"b","seed":"1","privileged":false,\#
      "program":{"seat":"controller"}}
      {"n":0,"at":"2026-01-05T00:00:00Z","asked":"x","answer":{"bolus":1}}
      {"n":1,"at":"2026-01-05T00:05:00Z","asked":"y","answer":{"tempBasal":{"rate":1,"minutes":30}}}

      """#
    for _ in 0..<Chance.cases(orElse: 300) {
      let problems = ProblemList()
      let bytes = chance.damaged(Array(text.utf8), Self.words)
      let read = Transcript.read(bytes, file: "d.ndjson", problems: problems)
      #expect(read != nil || problems.hasErrors)
      for problem in problems.problems { #expect(problem.position.line >= 1) }
    }
  }

  @Test("The names of time zones, which the system's database is asked for")
  func zones() {
    var chance = Chance(state: 24)
    let names = ["Europe/Berlin", "America/Argentina/Buenos_Aires", "+05:30", "UTC", "Etc/GMT+5"]
    let words = ["/etc/passwd", "../../../../etc/localtime", "\u{0}", "", "/", "posix/UTC", "a/b"]
    for number in 0..<Chance.cases(orElse: 300) {
      let bytes = chance.damaged(Array(names[number % names.count].utf8), words)
      let name =
        number % 7 == 0 ? words[chance.below(words.count)] : String(decoding: bytes, as: UTF8.self)
      let clock = ZoneDatabase.wallClock(
        named: name, from: .init(secondsSince1970: 1_700_000_000),
        to: .init(secondsSince1970: 1_720_000_000))
      if let clock { #expect(clock.initialOffset.milliseconds.magnitude <= 26 * 3_600_000) }
    }
  }
}
