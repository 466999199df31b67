import Quantities
import ScenarioLanguage
import StructuredText
import Testing

@Suite("What a scenario is read against")
struct ReadingContextTests {
  private static func context(_ clock: String) throws -> (ReadingContext, ProblemList) {
    let problems = ProblemList()
    let tree = try #require(JSONReader.read(text: "{ clock: { \(clock) } }", file: "c").root)
    return (ReadingContext(of: tree, problems: problems), problems)
  }

  @Test("An unknown zone is reported with the nearest name, and UTC is read in its place")
  func zones() throws {
    let (context, problems) = try Self.context("timeZone: 'Europe/Lodnon'")
    #expect(
      problems.problems.first?.sentence.contains("Did you mean \"Europe/London\"?") == true)
    #expect(context.wallClock == .utc)
  }

  @Test("A run begins when the clock of its zone shows its start, and ends after its duration")
  func start() throws {
    let (context, problems) = try Self.context(
      "start: '2026-03-08T12:00:00', timeZone: 'America/Los_Angeles', duration: '36h'")
    #expect(problems.problems.isEmpty)
    #expect(context.start.description == "2026-03-08T19:00:00Z")
    #expect(context.end.description == "2026-03-10T07:00:00Z")
    #expect(context.anchor == context.start)
  }
}
