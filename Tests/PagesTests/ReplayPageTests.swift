import Expectations
import Pages
import Reports
import Testing

@Suite("The page of a replay")
struct ReplayPageTests {
  /// A run with an expectation that fails, and one before it that only warns.
  private func outcome(_ id: String, warning: String) -> ReplayOutcome {
    var soft = ExpectationResult(
      .failed, expectation: warning, run: id, file: "day.json5", isWarning: true,
      message: "a little low")
    soft.replay = "loopsim replay day.json5 --run \(id) --at 01:00"
    var hard = ExpectationResult(
      .failed, expectation: "hard", run: id, file: "day.json5", message: "far too low")
    hard.replay = "loopsim replay day.json5 --run \(id) --at 02:00"
    return ReplayOutcome(
      id: id, file: "day.json5", title: "A day", state: .failed, verdicts: [soft, hard])
  }

  @Test("It shows the time of the expectation that fails, and not of one that only warns")
  func commandOfFailure() {
    let html = ReplayPage([outcome("one", warning: "soft")], lines: [], version: "1").html
    #expect(html.contains("--run one --at 02:00"))
    #expect(!html.contains("--at 01:00"))
    #expect(html.contains("far too low") && !html.contains("a little low"))
  }

  @Test("Failures are alike whatever else only warns")
  func alike() {
    let outcomes = [outcome("one", warning: "soft"), outcome("two", warning: "other")]
    let html = ReplayPage(outcomes, lines: [], version: "1").html
    #expect(html.contains("<h1>Of 2 runs 2 fail, all alike</h1>"), "\(html.prefix(3_000))")
  }
}
