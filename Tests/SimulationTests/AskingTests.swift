import Dosing
import Quantities
import Testing

@testable import ClosedLoop
@testable import Simulation

@Suite("The questions of a run keep themselves")
struct AskingTests {
  private static func asking(_ adviser: BolusAdviser? = nil) throws -> Asking {
    var setup = try Fixture().setup()
    setup.controller = .algorithm
    setup.controllerRules.manualBolus = adviser
    return Asking(beginning: setup)
  }

  private static func ask(
    _ asking: inout Asking, for waiting: Asking.Waiting = .cycle, settled: [CommandReport] = []
  ) {
    asking.ask(
      .algorithm(.blank), for: waiting, at: .at(1), local: WallClock.utc.civilTime(at: .at(1)),
      settled: settled, truth: nil)
  }

  private static let request = BolusRequest(.recommended(scale: 1, cap: nil), name: "wish")

  private static var bolus: AskedBolus {
    AskedBolus(
      event: ScenarioEvent(at: .at(1), id: "wish", .bolus(request)), request: request, rest: [])
  }

  @Test("A question stands until an answer to it comes, whatever others come before")
  func stands() throws {
    var asking = try Self.asking()
    #expect(throws: AnswerError.nothingAsked) { _ = try asking.take(.missing("nobody is there")) }
    Self.ask(&asking, for: .bolus(Self.bolus))
    #expect(asking.question?.isForBolus == true)
    #expect(throws: AnswerError.wrongSeat) { _ = try asking.take(.commands(ControllerAnswer())) }
    #expect(throws: AnswerError.notFinite) { _ = try asking.take(.bolus(.success(.nan))) }
    #expect(asking.question != nil)
    guard case .bolus(let asked) = try asking.take(.bolus(.success(1))) else {
      Issue.record("What goes on is what waited for the answer.")
      return
    }
    #expect(asked.event.id == "wish")
    #expect(asking.question == nil)
  }

  @Test("What became of a command on its way is told once, also when the question came before it")
  func settles() throws {
    var asking = try Self.asking()
    func report(_ units: Double, _ outcome: CommandReport.Outcome) -> CommandReport {
      CommandReport(command: ControllerCommand(.bolus(units: units)), outcome: outcome)
    }
    asking.note([report(1, .underway), report(2, .underway)])
    Self.ask(&asking, settled: [report(1, .failed("no"))])
    #expect(asking.question?.last == [report(1, .failed("no")), report(2, .underway)])
    _ = try asking.take(.missing("no answer"))
    asking.note([report(3, .carriedOut)])
    Self.ask(&asking, settled: [report(2, .carriedOut)])
    #expect(asking.question?.last == [report(2, .carriedOut), report(3, .carriedOut)])
  }

  @Test("Questions are numbered, and what became of commands is told with the next one only")
  func numbers() throws {
    var asking = try Self.asking()
    let report = CommandReport(
      command: ControllerCommand(.bolus(units: 1)), outcome: .carriedOut)
    asking.note([report])
    var told: [[CommandReport]] = []
    var numbers: [Int?] = []
    for _ in 0..<3 {
      Self.ask(&asking)
      numbers.append(asking.question?.number)
      told.append(asking.question?.last ?? [])
      _ = try asking.take(.missing("no answer"))
    }
    #expect(numbers == [0, 1, 2])
    #expect(told == [[report], [], []])
  }

  @Test("Conditions that the body does not know, and who recommends boluses, are told once")
  func tellsOnce() throws {
    var asking = try Self.asking()
    #expect(asking.takeUnknown(of: ["exercise", "stress", "exercise"]) == ["exercise", "stress"])
    #expect(asking.takeUnknown(of: ["stress", "sleep"]) == ["sleep"])
    let news = (0..<2).map { _ in asking.takeNewsOfAdviser(for: Self.request) }
    #expect(news == [true, false])
    var advised = try Self.asking(.program)
    #expect(advised.asksProgram(for: Self.request))
    let isNews = advised.takeNewsOfAdviser(for: Self.request)
    #expect(!isNews)
  }
}
