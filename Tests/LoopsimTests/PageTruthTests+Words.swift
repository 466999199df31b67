import Pages
import Reports
import Testing

@testable import loopsim

extension PageTruthTests {
  @Test("The heading of a batch says in which unit the limit of lows is")
  func unitOfLows() throws {
    let low = text("").replacing("initialGlucose: 120", with: "initialGlucose: 50")
    let inMoles = low.replacing("initialGlucose: 50", with: "initialGlucose: 2.8")
      .replacing("[['00:00', 50]]", with: "[['00:00', 2.8]]")
      .replacing("clock:", with: "glucoseUnit: 'mmol/L', clock:")
    for (scenario, limit) in [(low, "54 mg/dL"), (inMoles, "3.0 mmol/L")] {
      let row = try #require(BatchRow(page(scenario).report, hasFailed: false))
      let html = BatchPage([row], joint: [], version: "0").html(linksToRuns: false)
      #expect(
        html.contains("<h1>1 of 1 is below \(limit) for more than 1 % of the time</h1>"),
        "\(html.prefix(2_000))")
    }
  }

  @Test("A suspend threshold that a scenario takes away is told as none, and not as 0")
  func noThreshold() throws {
    let none = try page(text("therapy: { suspendThreshold: 'none' }")).html
    #expect(none.contains(/<dt>Suspend threshold, .*?<\/dt><dd>none<\/dd>/))
    let usual = try page(text("")).html
    #expect(usual.contains(/<dt>Suspend threshold, .*?<\/dt><dd><span data-mg="75\.0">75</))
  }
}
