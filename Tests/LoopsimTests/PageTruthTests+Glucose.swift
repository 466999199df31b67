import Pages
import Reports
import Testing

@testable import loopsim

extension PageTruthTests {
  // MARK: - What the lane of glucose shows

  @Test("While a preset holds, its correction range is drawn, and it is named")
  func presets() throws {
    func page(_ preset: String, _ events: String) throws -> String {
      try self.page(
        text(
          """
          therapy: { target: [['00:00', [100, 110]]], presets: { walk: { \(preset) } } },
          events: [\(events)]
          """)
      ).html
    }
    let hour = "{ at: '+1h', preset: 'walk', duration: '1h' }"
    let html = try page("target: [150, 160]", hour)
    // The axis runs from 40 to 285 mg/dL: 110 and 100 stand at 714 and 755 of 1,000 from above,
    // 160 and 150 at 510 and 551. The second of four hours is the preset's.
    #expect(
      html.contains(
        "class=\"ta\" d=\"M0 714h2500v41h-2500zm5000 0h5000v41h-5000zm-2500-204h2500v41h-2500z\""))
    #expect(html.contains(">preset walk</i>"))
    #expect(html.contains(" Presets: walk 01:00–02:00."))
    // One without a range leaves that of the schedule, and one that somebody ends is over then.
    let ended = "{ at: '+1h', preset: 'walk', indefinite: true }, { at: '+90m', preset: false }"
    let needs = try page("insulinNeeds: 0.5", ended)
    #expect(needs.contains("class=\"ta\" d=\"M0 714h10000v41h-10000z\""))
    #expect(needs.contains(" Presets: walk 01:00–01:30."))
    let open = try page("target: [150, 160]", "{ at: '+3h', preset: 'walk', indefinite: true }")
    #expect(open.contains(" Presets: walk 03:00–04:00."))
  }

  @Test("True glucose that lies below the chart is told with its lowest value")
  func belowTheChart() throws {
    let low = "app: 'none', events: [{ at: '+5m', injection: { units: 9 } }]"
    let html = try page(text(low)).html
    #expect(html.contains("true glucose below the chart, min <span data-mg=\"-"))
    #expect(html.contains(/below the chart, min <span data-mg="-[\d.]+">−\d+</))
    #expect(html.contains(/True glucose: lowest −\d+, highest 120 mg\/dL\./))
    #expect(try !page(text("")).html.contains("below the chart"))
  }

  @Test("How far predictions go is told of all their values, whichever are saved")
  func predictionsBetweenHalfHours() throws {
    // Half an hour of food beside much insulin: the peak lies between two half hours.
    let events = """
      app: { closedLoop: false }, events: [{ at: '+1h', bolus: { units: 9 } },
        { at: '+119m', entry: { grams: 80, absorption: '30m' } }]
      """
    func told(_ more: String) throws -> Substring? {
      try page(text("\(events)\(more)")).html.firstMatch(of: /Predictions go up to (\d+)/)?.1
    }
    let half = try told("")
    #expect(half != nil)
    #expect(try half == told(", output: { save: ['timeline', 'predictions'] }"))
  }

  @Test("A reading of a meter on which the loop dosed is in the chart")
  func metersReading() throws {
    // Without a sensor the reading of 02:00 serves the cycles until it is 15 minutes old: three.
    let gap = "faults: [{ during: ['+0m', '4h'], cgm: { dropout: { backfill: false } } }]"
    let meter = "events: [{ at: '+2h', fingerstick: { value: 150 } }]"
    let html = try page(text("\(gap), \(meter)")).html
    // The axis runs from 40 to 285 mg/dL: 150 stands at 551 of 1,000 from above.
    let dots = try #require(html.firstMatch(of: /<path class="c3" d="M5000 551h1([^"]*)"/))
    #expect(dots.1.count { $0 == "h" } == 2)
    #expect(html.contains("3 cycles of the loop decided on glucose of other apps."))
    #expect(html.contains(">● of other apps, dosed on</i>"))
    #expect(try !page(text(gap)).html.contains("of other apps"))
  }

  @Test("Grams stand as they were eaten, and the zooms of five minutes are told apart")
  func exactAmounts() throws {
    let snack = "events: [{ at: '+1h', meal: { grams: 12.5 }, entry: { grams: 7.5 } }]"
    let html = try page(text(snack)).html
    #expect(html.contains(">● 12.5 g eaten</i>") && html.contains(">7.5 g</i>"))
    #expect(html.contains("Carbs: 7.5 g were entered; 12.5 g were eaten."))
    let short = try page(text("", clock: "duration: '5m'")).html
    #expect(
      short.matches(of: /data-z="\d" aria-pressed="\w+">([^<]*)</).map { String($0.1) }
        == ["5 min", "2.5 min", "1.3 min", "0.6 min"])
  }

  @Test("A time of day that comes twice has its offset")
  func timesThatComeTwice() throws {
    // At 02:00 by UTC−05:00, two hours after the start, it is 01:00 by UTC−06:00.
    let clock = "start: '2026-11-01T00:00:00', timeZone: 'America/Chicago', duration: '4h'"
    func time(_ at: String) throws -> String? {
      let html = try page(
        text("events: [{ at: '\(at)', injection: { units: 1 } }]", clock: clock)
      ).html
      #expect(
        html.contains("\"twice\":[[60,120,\"UTC−05:00\"],[120,180,\"UTC−06:00\"]]"))
      return html.firstMatch(of: /data-go="\d+">([^<]*)</).map { String($0.1) }
    }
    #expect(try time("+90m") == "01:30 UTC−05:00")
    #expect(try time("+150m") == "01:30 UTC−06:00")
    #expect(try time("+190m") == "02:10")
    #expect(try page(text("")).html.contains("\"twice\":[]"))
  }
}
