import Outcomes
import Quantities
import Testing

@testable import Pages

/// Figures of a page beside what is said of them: rounding must not make them contradict it.
@Suite("Figures that pages round")
struct ShownFiguresTests {
  @Test(
    "A glycaemia risk index is shown with as many decimals as its zone takes",
    arguments: [
      (0, "0, zone A"), (20, "20, zone A"), (20.3, "20.3, zone B"), (20.04, "20.04, zone B"),
      (20.6, "21, zone B"), (39.7, "40, zone B"), (80.000_4, "80.0004, zone E"),
      (100, "100, zone E"),
    ])
  func riskIndex(index: Double, text: String) {
    #expect(LoopCard.zoned(index) == text)
  }

  /// Of 14 days of five minutes 4,032 readings are due; without one 99.975 % of them are there.
  @Test("Readings are not all there where one is missing")
  func missingReading() {
    func html(without missing: Int?) -> String {
      let points = (0..<4_032).filter { $0 != missing }.map {
        GlucoseSeries.Point(
          Instant(millisecondsSince1970: Int64($0) * 300_000), mgdL: 120)
      }
      let person = GlucosePage.Person(name: "p", series: GlucoseSeries(points))
      return GlucosePage([person], unit: .milligramsPerDecilitre, version: "1").html
    }
    let name = "<dt>Readings there are, of those due, %</dt>"
    #expect(html(without: nil).contains("\(name)<dd>100.0</dd>"))
    #expect(html(without: 2_000).contains("\(name)<dd>&gt;99.9</dd>"))
  }
}
