import Foundation
import Pages
import TestSupport
import Testing

@testable import loopsim

/// What the page of a run shows of its days, worked out by hand.
@Suite("Days of a page")
struct PageDaysTests {
  /// The page of a person with one basal rate.
  private func page(_ more: String, clock: String) throws -> String {
    let scratch = try Scratch()
    try Files.write(
      """
      { format: 'loopsim/1', id: 'look', clock: { \(clock) },
        patient: { model: 'tidepool-simple', initialGlucose: 120,
          needs: { basal: [['00:00', 1]], sensitivity: [['00:00', 50]],
            carbRatio: [['00:00', 10]] } }, \(more) }
      """, to: scratch.file("look.json5"))
    let selection = try RunSelection(nil, in: scratch.file("look.json5"))
    return RunPage(
      try #require(ScenarioBatch.carryOut(selection.planned, seed: nil).report)
    ).html
  }

  @Test("The cursor begins on the day that lies open, also where no difference has a place")
  func cursorOnOpenDay() throws {
    let clock = "start: '2026-01-15T12:00:00', timeZone: 'UTC', duration: '3d'"
    let html = try page("app: { closedLoop: false }", clock: clock)
    // The first day lies open. The run lives the half of it from noon on, whose middle is at 18:00.
    #expect(html.contains("id=\"day-1\" data-t0=\"-720\" data-len=\"1440\" open"))
    #expect(html.contains("\"at\":360.0"))
    // A panel whose day the cursor is not on reads that day's nearest moment.
    #expect(html.contains("var at = shown(day)"))
  }

  @Test("Of more days than are drawn the last lead nowhere, and there is nothing to read of them")
  func daysWithoutPanel() throws {
    let clock = "start: '2026-01-01T00:00:00', timeZone: 'UTC', duration: '33d'"
    // A dose at one o'clock of the last day, which no record has.
    let late = "{ at: '+769h', injection: { units: 1, insulin: 'humalog' }, entry: false }"
    let html = try page("app: { closedLoop: false }, events: [\(late)]", clock: clock)
    #expect(html.components(separatedBy: "<details class=\"card tl\"").count == 32)
    #expect(html.components(separatedBy: "<div class=\"thumb\">").count == 3)
    #expect(html.contains(">Mon 2 Feb 01:00<b>") && !html.contains("data-go=\""))
    // 31 days of 1440 minutes.
    #expect(html.contains("\"to\":44640,"))
    let ids = Set(html.matches(of: /\ id="([^"]+)"/).map { String($0.1) })
    for link in html.matches(of: /href="#([^"]+)"/) {
      #expect(ids.contains(String(link.1)), "\(link.1)")
    }
  }

  @Test("A dose of a pen at each meal shows its amount without a zoom")
  func dosesAtMeals() throws {
    // Five and a half hours are 206 of the 900 pixels of a day, and the words of a dose about 150.
    let meals = ["+1h", "+6h30m", "+13h"].map {
      "{ at: '\($0)', meal: { grams: 45 } }, "
        + "{ at: '\($0)', injection: { units: 5, insulin: 'humalog', site: 'abdomen' } }"
    }
    let html = try page(
      "app: 'none', events: [\(meals.joined(separator: ", "))]", clock: "duration: '24h'")
    let shown = html.matches(of: /<i class="([^"]*)" style="[^"]*">◆ 5\.00 humalog \(abdomen\)</)
    #expect(shown.count == 3)
    #expect(shown.allSatisfy { !$0.1.contains(" z") })
  }

  @Test("The amount of a bolus stands before its bar where the bar of the next would cut it")
  func amountsBesideBars() throws {
    // Half an hour is 19 of the 900 pixels of a day, and the word 25 and what is free around it.
    let boluses = ["+6h", "+6h30m"].map { "{ at: '\($0)', bolus: { units: 2 } }" }
    let html = try page(
      "app: { closedLoop: false }, events: [\(boluses.joined(separator: ", "))]",
      clock: "duration: '24h'")
    let words = html.matches(of: /<i class="w([^"]*)" style="left:[^"]*">2\.00</)
    #expect(words.count == 2)
    #expect(words.first?.1.hasPrefix(" e ") == true && words.last?.1.hasPrefix(" e ") == false)
    #expect(words.allSatisfy { !$0.1.contains(" z") })
  }
}
