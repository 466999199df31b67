import Foundation
import Reports
import Simulation
import Testing

@testable import loopsim

@Suite("Pages")
struct ReportPageTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path

  /// The page of a library scenario.
  private func page(_ file: String) throws -> (html: String, report: RunReport) {
    let selection = try RunSelection(nil, in: Self.root + "/Scenarios/" + file)
    let finished = ScenarioBatch.carryOut(selection.planned, seed: nil)
    let report = try #require(finished.report)
    return (RunPage(report).html, report)
  }

  @Test("The page of a run fetches nothing, repeats itself, and stays small")
  func isOneFile() throws {
    let file = "basal-reporting/site-trouble-day.json5"
    let (html, _) = try page(file)
    #expect(html == (try page(file)).html)
    for word in ["http:", "https:", " src=", "@import", "url(", "onclick=\"", "<link"] {
      #expect(!html.contains(word), "\(word)")
    }
    #expect(html.utf8.count < 150_000)
    #expect(html.components(separatedBy: "<h1>").count == 2)
  }

  @Test("Every id is there once, and every link within the page leads somewhere")
  func linksResolve() throws {
    let (html, _) = try page("basal-reporting/site-trouble-day.json5")
    let ids = html.matches(of: /\ id="([^"]+)"/).map { String($0.1) }
    #expect(Set(ids).count == ids.count)
    for link in html.matches(of: /href="#([^"]+)"/) {
      #expect(ids.contains(String(link.1)), "\(link.1)")
    }
    #expect(
      html.components(separatedBy: "<svg").count == html.components(separatedBy: "</svg>").count)
  }

  @Test("Every difference stands in the list and, where it has a place, in the lane")
  func showsDifferences() throws {
    let (html, report) = try page("basal-reporting/site-trouble-day.json5")
    let count = report.summary.run.agreement.differences.count
    #expect(count >= 6)
    for number in 1...count { #expect(html.contains("<li id=\"d\(number)\">")) }
    for text in ["correction range", "Written to Health", "App recorded", "Pump delivered"] {
      #expect(html.contains(text))
    }
  }

  @Test("A run without differences says so and has no empty list")
  func agrees() throws {
    let (html, _) = try page("basal-reporting/constant-day-in-one-sample.json5")
    #expect(!html.contains("<ul class=\"dlist\">\n</ul>"))
  }
}
