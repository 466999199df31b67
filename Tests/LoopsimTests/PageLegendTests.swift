import Foundation
import Pages
import TestSupport
import Testing

@testable import loopsim

/// What stands beside the lanes of a run's page.
@Suite("Legends and axes of a page")
struct PageLegendTests {
  /// The page of a person with one basal rate, without a closed loop.
  private func page(_ more: String, days: String = "4h", glucose: Int = 120) throws -> String {
    let scratch = try Scratch()
    try Files.write(
      """
      { format: 'loopsim/1', id: 'look', app: { closedLoop: false },
        clock: { start: '2026-01-15T00:00:00', timeZone: 'UTC', duration: '\(days)' },
        patient: { model: 'tidepool-simple', initialGlucose: \(glucose),
          needs: { basal: [['00:00', 1]], sensitivity: [['00:00', 50]],
            carbRatio: [['00:00', 10]] } }, \(more) }
      """, to: scratch.file("look.json5"))
    let selection = try RunSelection(nil, in: scratch.file("look.json5"))
    return RunPage(
      try #require(ScenarioBatch.carryOut(selection.planned, seed: nil).report)
    ).html
  }

  private let suspended = "class=\"k-susp\"></s>suspended</i>"
  private let outside = ">◇ from outside the pump</i>"

  @Test("A legend names what is drawn, and nothing else")
  func names() throws {
    let plain = try page("")
    for key in ["class=\"o1\"></s>in range", "class=\"k-sched\"></s>scheduled</i>"] {
      #expect(plain.contains(key), "\(key)")
    }
    for key in [
      "class=\"o2\"", "class=\"o4\"", "class=\"k-susp\"", "class=\"k-temp\"", "class=\"k-ev\"",
      outside, "▽ deleted",
    ] { #expect(!plain.contains(key), "\(key)") }

    let eventful = try page(
      """
      events: [{ at: '+30m', basal: { rate: 2, duration: '30m' } },
        { at: '+2h', suspend: { duration: '30m' } },
        { at: '+3h', injection: { units: 0.1, insulin: 'humalog' } }]
      """, glucose: 60)
    for key in [
      "class=\"o4\"></s>below", "class=\"k-temp\"></s>temp basal", suspended,
      "class=\"k-ev\"></s>temp basal, U/h", outside,
    ] { #expect(eventful.contains(key), "\(key)") }
  }

  @Test("The legend says what a dashed mode is, also where the whole run has no other")
  func dashedModes() throws {
    #expect(try page("").contains(">dashed: open loop</i>"))
    let silent = "faults: [{ during: ['+1h', '1h'], cgm: { dropout: { backfill: false } } }]"
    #expect(try page(silent).contains(">dashed: open loop, no CGM</i>"))
  }

  @Test("Nothing runs through the words and numbers of insulin on board")
  func insulinOnBoard() throws {
    // The axis ends at 1.35 times the peak, which lies 0.35 / 1.35 or 25.93 % below the border; its
    // word stands 15 % above it. The zero stands away from the numbers of the next lane.
    let html = try page("events: [{ at: '+1h', bolus: { units: 2 } }]")
    #expect(html.contains(/top:10\.93%">peak [0-9]/))
    #expect(html.contains("<i style=\"top:93%\">0</i>"))
  }

  @Test("Of two days each has its legend; of many the one that lies open has that of all")
  func days() throws {
    // On the third day there is no suspension, but a dose that no record has.
    let events = """
      events: [{ at: '+4h', suspend: { duration: '30m' } },
        { at: '+60h', injection: { units: 0.1, insulin: 'humalog' }, entry: false }]
      """
    func panels(_ days: String) throws -> [Substring] {
      Array(
        try page(events, days: days).split(separator: "<details class=\"card tl\"").dropFirst())
    }
    let few = try panels("3d")
    #expect(few.map { $0.contains(suspended) } == [true, false, false])
    #expect(few.allSatisfy { $0.contains("class=\"k-sched\"") })
    let many = try panels("5d")
    #expect(many.count == 5 && many[2].prefix(90).contains(" open"))
    #expect(many.map { $0.contains(suspended) } == [false, false, true, false, false])
    #expect(many.map { $0.contains("class=\"k-sched\"") } == [false, false, true, false, false])
  }

  @Test("Ranges of a few readings say so, and that glucose was truly out of range")
  func fewReadings() throws {
    // The sensor sees what comes before 100 g are eaten without a bolus: five readings, which
    // stand for 25 of 480 minutes.
    let gap = "faults: [{ during: ['+25m', '+8h'], cgm: { dropout: { backfill: false } } }]"
    let meal = "events: [{ at: '+30m', meal: { grams: 100 } }]"
    let hidden = try page("\(meal), \(gap)", days: "8h")
    #expect(hidden.contains(", CGM, 5 % of the run</h2>"))
    #expect(hidden.contains("True glucose in range</dt><dd><span class=\"warnt\">! "))
    let seen = try page(meal, days: "8h")
    #expect(seen.contains(", CGM, whole run</h2>"))
    #expect(seen.contains("True glucose in range</dt><dd>"))
    #expect(!seen.contains("<dd><span class=\"warnt\">"))
  }

  @Test("A sensor that saw nothing of a run has no ranges and no risk")
  func nothingSeen() throws {
    // The one reading is that of the end, where nothing more is simulated.
    let blind = "faults: [{ during: ['+0m', '4h'], cgm: { dropout: { backfill: false } } }]"
    let html = try page(blind)
    #expect(html.contains(", true glucose, whole run</h2>"))
    #expect(html.contains("Loop, and risk by true glucose</h2>"))
    #expect(!html.contains(", CGM, ") && !html.contains("risk by CGM"))
  }

  @Test("The number of the lowest reading stands above it where there is no room below")
  func lowestReading() throws {
    let html = try page(
      "cgm: { model: 'ideal' }, events: [{ at: '+1h', meal: { grams: 60 } }]", glucose: 50)
    // The axis begins at 40 and the lane has 204 pixels; 13 above a reading of 50 is its number.
    let high = try #require(html.firstMatch(of: /data-low="40" data-high="([0-9]+)"/))
    let top = try #require(Double(String(high.1)))
    let found = try #require(html.firstMatch(of: /top:([0-9.]+)%">min <span data-mg="50.0">50</))
    let place = try #require(Double(String(found.1)))
    let expected = ((top - 50) / (top - 40) * 204 - 13) / 204 * 100
    #expect(abs(place - expected) < 0.01, "\(place) \(expected)")
  }

  @Test("The axis of the pump names its highest rate where that is round")
  func pumpAxis() throws {
    let html = try page("events: [{ at: '+1h', basal: { rate: 5, duration: '30m' } }]")
    // Rates stand between 80 % and 30 % of the lane, and the highest is 1/1.08 of its axis:
    // 0.8 - 0.5 / 1.08 = 0.3370.
    #expect(html.contains("<i style=\"top:80%\">0</i><i style=\"top:33.7%\">5</i>"))
    // Of 1.9 U/h it names 1.5, as 2 is above it: 0.8 - 1.5 / (1.9 * 1.08) * 0.5 = 0.4345.
    let lower = try page("events: [{ at: '+1h', basal: { rate: 1.9, duration: '30m' } }]")
    #expect(lower.contains("<i style=\"top:43.45%\">1.5</i>"))
  }

  @Test("The highest rate that is told of a pump is one that it ran, and not its schedule's")
  func highestRate() throws {
    let html = try page(
      "events: [{ at: '+0m', basal: { rate: 0, duration: '2h' } }]",
      days: "2h")
    #expect(html.contains("Pump: 0.00 U in 0 pulses; 1 basal program, highest rate 0 U/h."))
  }
}
