import Foundation
import Outcomes
import Pages
import Quantities
import Reports
import Simulation
import TestSupport
import Testing

@testable import loopsim

/// What the first look at a page must not hide.
@Suite("What pages tell at first sight")
struct PageTruthTests {
  func text(_ more: String, clock: String = "duration: '4h'") -> String {
    """
    { format: 'loopsim/1', id: 'look', clock: { \(clock) },
      patient: { model: 'tidepool-simple', initialGlucose: 120,
        needs: { basal: [['00:00', 1]], sensitivity: [['00:00', 50]],
          carbRatio: [['00:00', 10]] } }, \(more) }
    """
  }

  /// The page of a scenario, and the glucose of its summary.
  func page(_ text: String) throws -> (html: String, report: RunReport) {
    let scratch = try Scratch()
    try Files.write(text, to: scratch.file("look.json5"))
    let selection = try RunSelection(nil, in: scratch.file("look.json5"))
    let report = try #require(ScenarioBatch.carryOut(selection.planned, seed: nil).report)
    return (RunPage(report).html, report)
  }

  /// The value that a card gives beside a name.
  private func value(_ name: String, in html: String) throws -> String {
    let start = try #require(html.range(of: "<dt>\(name)</dt><dd>"), "\(name)")
    let end = try #require(html[start.upperBound...].range(of: "</dd>"))
    return String(html[start.upperBound..<end.lowerBound]).replacing(/<[^>]*>/, with: "")
  }

  @Test("The time that the sensor saw is told, and marked where it is less than 70 %")
  func active() throws {
    let gap = "faults: [{ during: ['+1h', '2h'], cgm: { dropout: { backfill: false } } }]"
    // Readings every five minutes from 0:00 to 0:55 and from 3:00 to 3:55, and none from 1:00 on:
    // 24 of the 48 that begin in the four hours.
    #expect(try value("CGM active", in: page(text(gap)).html) == "! 50 % of the time")
    #expect(try value("CGM active", in: page(text("")).html) == "100 % of the time")
    let whole = gap.replacing("'+1h', '2h'", with: "'+0m', '4h'")
    #expect(try value("CGM active", in: page(text(whole)).html) == "! 0 % of the time")
  }

  @Test("Modes are told by shape and words too, and a lethal end is marked where the run ends")
  func shapes() throws {
    let stop = "events: [{ at: '+1h', suspend: { duration: '30m' } }]"
    let stopped = try page(text(stop)).html
    #expect(stopped.contains("<i class=\"k\">thin: closed loop</i>"))
    #expect(stopped.contains("<i class=\"k\">tall: suspended</i>"))
    let plain = try page(text("")).html
    #expect(!plain.contains("thin: closed loop") && !plain.contains("lethal"))
    let low = text("events: [{ at: '+5m', injection: { units: 9 }, entry: false }]")
    let lethal = try page(
      low.replacing("initialGlucose: 120,", with: "initialGlucose: 120, floor: { glucose: 40 },")
    ).html
    #expect(lethal.contains(">lethal</b>") || lethal.contains(">lethal</"))
    #expect(lethal.contains("lethal: below <span data-mg=\"40.0\">40</span>"))
    #expect(lethal.contains("where the run ends."))
  }

  @Test("What only warns is told on the page of a run and of a batch, and holds in no count")
  func warnings() throws {
    let found = try page(
      text(
        "expect: [{ id: 'soft', metric: 'mean', max: 1, severity: 'warn' }, "
          + "{ id: 'held', metric: 'mean', min: 1 }]"))
    #expect(found.report.summary.oneLine.contains(" 1/2 expectations"))
    #expect(found.html.contains("; 1 expectation only warns; "))
    #expect(found.html.contains(">Expectation soft, which only warns: mean@true "))
    let row = try #require(BatchRow(found.report, hasFailed: false))
    let batch = BatchPage([row], joint: [], version: "0").html(linksToRuns: false)
    #expect(
      batch.contains(
        "<p>All expectations but 1 that only warns, and the laws of the simulation, hold in 1 of 1 "
          + "run.</p>"))
  }

  @Test("True lows and highs that no sensor shows stand in the card and in the chart")
  func extremes() throws {
    let low = try page(text("events: [{ at: '+5m', injection: { units: 6 }, entry: false }]"))
    let least = try #require(low.report.summary.measurements.trueGlucose.values.min())
    #expect(least < 39)
    let told = try value("Truly lowest, highest", in: low.html)
    let shown = Int(least.rounded())
    let lowest = shown < 0 ? "\u{2212}\(-shown)" : "\(shown)"
    // Below 54 mg/dL a low is one of level 2, which the card marks.
    #expect(told.hasPrefix("! \(lowest), "), "\(told) \(least)")
    #expect(try !value("Truly lowest, highest", in: page(text("")).html).contains("!"))
    #expect(low.html.contains("True glucose: lowest \(lowest), "))
    // The axis begins at the ten below the true low, and not at what the sensor can show.
    let axis = max(0, Int(least / 10) * 10)
    #expect(low.html.contains("data-low=\"\(axis)\""), "\(least)")

    let high = try page(
      text(
        "cgm: { range: [40, 400] }, events: [{ at: '+5m', meal: { grams: 400 }, entry: false }]",
        clock: "duration: '8h'"))
    let most = try #require(high.report.summary.measurements.trueGlucose.values.max())
    #expect(most > 700)
    #expect(try value("Truly lowest, highest", in: high.html).contains(", \(Int(most.rounded())) "))
    #expect(high.html.contains("true glucose above the chart, max"))
    #expect(!low.html.contains("above the chart"))
    // Of numbers that would stand on one another on so long an axis one is left out.
    #expect(high.html.contains(">400</span>") && high.html.contains(">600</span>"))
  }

  @Test("A fault of a moment has its label, also where the axis begins and ends")
  func momentaryFaults() throws {
    let faults = ["first", "middle", "last"].enumerated().map { place, name in
      "{ id: '\(name)-thing', at: '+\(place * 2)h', pump: { airBubble: { units: 0.2 } } }"
    }
    let html = try page(text("faults: [\(faults.joined(separator: ", "))]")).html
    for name in ["first-thing", "middle-thing", "last-thing"] {
      #expect(html.contains(">\(name)</"), "\(name)")
    }
    #expect(html.contains(" Faults: first-thing, middle-thing, last-thing."))
  }

  @Test("Names of faults stand in rows where they are near, also before a change of the clocks")
  func namesInRows() throws {
    let faults = [("one", "+2h"), ("two", "+2h5m"), ("three", "+2h10m"), ("four", "+12h")].map {
      "{ id: 'fault-\($0.0)', at: '\($0.1)', pump: { airBubble: { units: 0.2 } } }"
    }
    let html = try page(
      text(
        "faults: [\(faults.joined(separator: ", "))], "
          + "events: [{ at: '+10h', timeZone: '+03:00' }]", clock: "duration: '24h'")
    ).html
    for name in ["one", "two", "three", "four"] {
      #expect(html.contains(">fault-\(name)</"), "\(name)")
    }
    #expect(html.contains(">clocks: UTC+03:00</"))
  }

  @Test("A schedule that goes on at one rate is one stretch of what the chart reads out")
  func oneStretch() throws {
    // Six hours at 1 U/h: 120 pulses of 0.05 U, over a midnight.
    let html = try page(
      text("app: 'none'", clock: "start: '2026-02-03T21:00:00', duration: '6h'")
    ).html
    #expect(html.contains("\"pump\":[0,360,0,1,120]"))
  }

  @Test("Food that the app was not told of so stands in the lane of the body")
  func food() throws {
    func lane(_ more: String) throws -> [String] {
      try page(text(more)).html.matches(of: /● [^<]*/).map { String($0.0) }
    }
    #expect(try lane("events: [{ at: '+1h', meal: { grams: 40 } }]").isEmpty)
    #expect(
      try lane("events: [{ at: '+1h', meal: { grams: 40 }, entry: false }]") == ["● 40 g eaten"])
    #expect(
      try lane("events: [{ at: '+1h', meal: { grams: 40 }, entry: { grams: 30 } }]")
        == ["● 40 g eaten"])
    // Without an app all food is told, below the doses where both are.
    let both = """
      app: 'none', events: [{ at: '+1h', meal: { grams: 40 } },
        { at: '+1h', injection: { units: 4 } }]
      """
    let html = try page(text(both)).html
    #expect(html.contains(">◆ 4.00 humalog</i>") && html.contains(">● 40 g eaten</i>"))
  }

  @Test("Records that agree are no good news where something went wrong")
  func agreement() throws {
    func card(_ more: String) throws -> String {
      let html = try page(text(more)).html
      let match = try #require(html.firstMatch(of: /verdict (\w+)" aria-labelledby="k1"/))
      #expect(html.contains("<p class=\"big\">Yes"))
      #expect(html.contains(">What went wrong</h2>") == (match.1 != "ok"))
      // The sentences stand below all cards, across the page, and not in one of them.
      #expect(html.contains("<div class=\"wrongs\">") == (match.1 != "ok"))
      #expect(!html.contains("<h3>What went wrong"))
      // On a phone they stand below the answer, and not below all cards.
      if match.1 != "ok" {
        let wrong = try #require(html.firstRange(of: "id=\"k5\""))
        let next = try #require(html.firstRange(of: "id=\"k2\""))
        #expect(wrong.lowerBound < next.lowerBound)
      }
      return String(match.1)
    }
    #expect(try card("") == "ok")
    #expect(
      try card("faults: [{ during: ['+0m', '4h'], cgm: { dropout: { backfill: false } } }]")
        == "warn")
    #expect(try card("expect: [{ id: 'low', metric: 'mean', max: 20 }]") == "warn")
  }

  @Test("What failed or was not survived is red, and other troubles are to be looked at")
  func severityOfWhatWentWrong() throws {
    func card(_ text: String) throws -> String {
      let html = try page(text).html
      return String(try #require(html.firstMatch(of: /verdict (\w+)" aria-labelledby="k5"/)).1)
    }
    let silent = "faults: [{ during: ['+0m', '4h'], cgm: { dropout: { backfill: false } } }]"
    #expect(try card(text(silent)) == "warn")
    #expect(try card(text("expect: [{ id: 'low', metric: 'mean', max: 20 }]")) == "bad")
    let low = text("events: [{ at: '+5m', injection: { units: 9 }, entry: false }]")
    let floor = "initialGlucose: 120, floor: { glucose: 40 },"
    #expect(try card(low.replacing("initialGlucose: 120,", with: floor)) == "bad")
  }

  @Test("Boluses that the pump never began are among what was asked for, and in the chart")
  func bolusesInVain() throws {
    // 2 U are given. The pump refuses 3 U at 01:30, and the phone is off at 02:30 for 4 U; the same
    // 4 U are given with the pump's own buttons at 02:40.
    let more = """
      events: [{ at: '+30m', bolus: { units: 2 } }, { at: '+90m', bolus: { units: 3 } },
        { at: '+2h30m', bolus: { units: 4 } },
        { at: '+2h40m', bolus: { units: 4, by: 'pump' } }],
      faults: [{ during: ['+1h', '1h'], pump: { reject: { what: 'bolus' } } },
        { during: ['+2h10m', '1h'], phone: { off: {} } }]
      """
    let (html, report) = try page(text(more))
    #expect(report.summary.run.boluses.map(\.asked.units) == [2, 4])
    #expect(html.contains("<th scope=\"row\">Bolus</th><td class=\"num opt\">13.000</td>"))
    #expect(html.contains("2 boluses of 7.00 U together were asked for and never begun."))
    #expect(html.contains("0 of 3.00") && html.contains("0 of 4.00"))
    let fine = try page(text("events: [{ at: '+30m', bolus: { units: 2 } }]")).html
    #expect(fine.contains("<th scope=\"row\">Bolus</th><td class=\"num opt\">2.000</td>"))
    #expect(!fine.contains("never begun"))
  }

  @Test("What people asked for is told as they asked, and why less of it was given")
  func bolusesCutAndMisreported() throws {
    // Asked for are 12 U, of which the app takes its maximum of 10, nothing, where the pump counts
    // 3 U, and 2 U that the pump does not count: 14 U, of which it counts 13.
    let html = try page(
      text(
        """
        app: { closedLoop: false },
        events: [{ at: '+30m', bolus: { units: 12 } },
          { at: '+1h30m', bolus: { units: 0, reported: { units: 3 } } },
          { at: '+2h30m', bolus: { units: 2, reported: { units: 0 } } }]
        """)
    ).html
    #expect(html.contains("<th scope=\"row\">Bolus</th><td class=\"num opt\">14.000</td>"))
    #expect(html.contains(", and 2.00 U of boluses were not given."))
    #expect(
      html.contains(
        "It counts 1.00 U more of boluses than was asked for, as it reports them wrongly."))
    #expect(!html.contains("never begun"))
  }

  @Test("A bolus that the pump would misreport and refuses is one that it never began")
  func misreportedInVain() throws {
    // At 1.5 U a minute 6 U take four minutes; one minute on the pump refuses another bolus.
    let html = try page(
      text(
        """
        app: { closedLoop: false },
        events: [{ at: '+30m', bolus: { units: 6 } },
          { at: '+31m', bolus: { units: 2, reported: { units: 3 } } }]
        """)
    ).html
    #expect(html.contains("<th scope=\"row\">Bolus</th><td class=\"num opt\">8.000</td>"))
    #expect(html.contains("A bolus of 2.00 U was asked for and never begun."))
    // A minute after the other there is no room for words in the lane: its label says it.
    #expect(html.contains("1 bolus asked for and never begun, 2.00 U."))
  }

  @Test("No curve runs over hours in which the app knew no value")
  func curves() throws {
    // A point every five minutes, and a move to the first of each piece.
    func pieces(_ more: String) throws -> Int {
      let html = try page(text("events: [{ at: '+20m', bolus: { units: 2 } }], \(more)")).html
      let path = try #require(html.firstMatch(of: /<path class="io" d="([^"]*)"/))
      return path.1.count { $0 == "M" || $0 == "m" }
    }
    #expect(try pieces("faults: []") == 1)
    #expect(try pieces("faults: [{ during: ['+1h', '5m'], phone: { off: {} } }]") == 1)
    #expect(try pieces("faults: [{ during: ['+1h', '1h'], phone: { off: {} } }]") == 2)
  }

  @Test("A day's insulin has that of pens, and a part of a day says how long it is")
  func daysWithPens() throws {
    let html = try page(
      text(
        """
        app: 'none', events: [{ at: '+1h', injection: { units: 6 } },
          { at: '+2h', injection: { units: 1.5 } }, { at: 'd1 09:00', injection: { units: 2 } }]
        """, clock: "start: '2026-02-03T06:00:00', duration: '2d'")
    ).html
    // 18 hours at 1 U/h, 24, and 6; what is not yet a pulse comes in the next day.
    #expect(html.contains("U pump + 7.50 U outside, 18 h"))
    #expect(html.contains("U pump + 2.00 U outside</span>"))
    #expect(html.contains(/in range, \d\.\d\d U, 6 h/))
  }

  @Test("A journey over midnight is told on the day to which it leads")
  func journeyOverMidnight() throws {
    // 12:00 in New York (UTC−05:00) is 17:00 UTC and 02:00 of the next day in Tokyo; then 01:00 is
    // 00:00 two hours further west.
    for (zone, to) in [("Asia/Tokyo", "UTC+09:00"), ("+07:00", "UTC+07:00")] {
      let html = try page(
        text(
          "events: [{ at: '12:00', timeZone: '\(zone)' }]",
          clock: "start: '2026-02-03T00:00:00', timeZone: 'America/New_York', duration: '2d'")
      ).html
      #expect(html.contains("clocks: \(to)"))
      #expect(html.contains("UTC−05:00 to \(to)"))
    }
  }

  @Test("The dose of a batch's day is the mean of the runs' days, whatever hours came twice")
  func dailyDose() async throws {
    let scratch = try Scratch()
    let out = scratch.file("out")
    // 1 U/h from noon to noon, and 7 hours of the clock come twice: they would count as one each.
    let journey = text(
      "app: { closedLoop: false }, events: [{ at: '18:00', timeZone: '-07:00' }]",
      clock: "start: '2026-02-03T12:00:00', duration: '24h'"
    ).replacing("1]], sens", with: "0.5], ['18:00', 2]], sens")
    try Files.write(journey, to: scratch.file("a.json5"))
    try Files.write(
      text("", clock: "duration: '24h'").replacing("'look'", with: "'other'"),
      to: scratch.file("b.json5"))
    let words = ["run", scratch.file("a.json5"), scratch.file("b.json5"), "-q", "--report"]
    #expect(await program(words + ["--out", out]).code == 0)
    let html = try String(contentsOfFile: out + "/report.html", encoding: .utf8)
    let card = try #require(html.firstMatch(of: /Pump's insulin a day, mean.*?big">([\d.]+) U/))
    #expect(html.contains("all runs \(card.1) U a day."))
  }

  @Test("A batch says of how many troubles of a run it does not tell")
  func moreTroubles() async throws {
    let scratch = try Scratch()
    // Boluses that an empty pump refuses, insulin in no record and a sensor without readings.
    let events =
      (1...3).map { "{ at: '+\($0)h', bolus: { units: \($0) } }" } + [
        "{ at: '+4h', injection: { units: 1 }, entry: false }"
      ]
    let faults = """
      faults: [{ at: '+10m', pump: { empty: {} } },
        { during: ['+5h', '1h'], cgm: { dropout: { backfill: false } } }]
      """
    for name in ["a", "b"] {
      try Files.write(
        text("\(faults), events: [\(events.joined(separator: ", "))]", clock: "duration: '8h'")
          .replacing("'look'", with: "'\(name)'"), to: scratch.file("\(name).json5"))
    }
    let out = scratch.file("out")
    let words = ["run", scratch.file("a.json5"), scratch.file("b.json5"), "-q", "--report"]
    #expect(await program(words + ["--out", out]).code == 0)
    let summary = try String(contentsOfFile: out + "/a/summary.json", encoding: .utf8)
    let object = try JSONSerialization.jsonObject(with: Data(summary.utf8)) as? [String: Any]
    let troubles = try #require(object?["troubles"] as? [Any])
    #expect(troubles.count > 3)
    let html = try String(contentsOfFile: out + "/report.html", encoding: .utf8)
    #expect(html.contains("And \(troubles.count - 3) more."))
  }

  @Test("A day on which the clocks change says from what to what")
  func clocks() throws {
    let travel = try page(
      text(
        "events: [{ at: 'd1 10:00', timeZone: 'America/Los_Angeles' }]",
        clock: "start: '2026-02-03T00:00:00', timeZone: 'Europe/Berlin', duration: '2d'")
    ).html
    #expect(travel.contains("h, UTC+01:00 to UTC−08:00"))
    #expect(travel.contains("clocks: UTC−08:00"))
    #expect(!(try page(text("")).html.contains("clocks: ")))
  }

  @Test("Times within sentences are those of people, and no line breaks them")
  func times() throws {
    // 2026-03-07 was a Saturday. A run of two days names days, and a change of clocks offsets.
    let more = """
      cgm: { model: 'ideal' }, events: [{ at: 'd1 01:00', timeZone: 'Asia/Tokyo' }],
      faults: [{ during: ['11:00', '2h'], cgm: { dropout: { backfill: false } } }]
      """
    let clock = "start: '2026-03-07T00:00:00', timeZone: 'America/Chicago', duration: '28h'"
    let html = try page(text(more, clock: clock)).html
    #expect(
      html.contains(
        "<time datetime=\"2026-03-07T10:55:00-06:00\">Sat 7 Mar 10:55 UTC−06:00</time>"))
    #expect(!html.contains("from 2026-03-07T"))
  }

  @Test("Without an app nothing is read out of an app or a health store")
  func noApp() throws {
    let plain = try page(text("")).html
    let alone = try page(text("app: 'none'")).html
    for part in ["data-r=\"l\"", "data-r=\"h\""] {
      #expect(plain.contains(part) && !alone.contains(part))
    }
    #expect(alone.contains("data-r=\"p\""))
  }
}
