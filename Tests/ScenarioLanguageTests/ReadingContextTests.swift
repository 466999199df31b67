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

  @Test("A start for which the clock has no second showing is an error, as any other time is")
  func lacksSecond() throws {
    let zone = "timeZone: 'America/Los_Angeles'"
    let (_, once) = try Self.context("start: '2026-01-05T00:00:00~2', \(zone)")
    #expect(
      once.problems.map(\.description) == [
        "c:1:19: error: The clock shows this time only once that day. Remove '~2'."
      ])
    // On 1 November 2026 clocks go back from 02:00 PDT (-7) to 01:00 PST (-8).
    let (context, problems) = try Self.context("start: '2026-11-01T01:30:00~2', \(zone)")
    #expect(problems.problems.isEmpty)
    #expect(context.start.description == "2026-11-01T09:30:00Z")
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

  @Test("The clock of a run is the same however its start is written")
  func sameClock() throws {
    // Sydney's clocks go back at 2025-04-05T16:00Z, between 401 days after 2024-02-29T11:49Z and
    // 401 days after 22:49Z, which is what the local text would be in UTC.
    let rest = "timeZone: 'Australia/Sydney', duration: '24h'"
    let (local, _) = try Self.context("start: '2024-02-29T22:49:00', \(rest)")
    let (absolute, _) = try Self.context("start: '2024-02-29T11:49:00Z', \(rest)")
    #expect(local.start == absolute.start)
    #expect(local.wallClock == absolute.wallClock)
  }
}
