import Foundation
import Pages
import Quantities
import Reports
import Simulation
import TestSupport
import Testing

@testable import loopsim

/// What the page of a run shows of its days, worked out by hand.
@Suite("Days of a page")
struct PageDaysTests {
  /// The page of a person with one basal rate.
  private func page(_ more: String, clock: String) throws -> String {
    RunPage(try report(more, clock: clock)).html
  }

  private func report(_ more: String, clock: String) throws -> RunReport {
    let scratch = try Scratch()
    try Files.write(
      """
      { format: 'loopsim/1', id: 'look', clock: { \(clock) },
        patient: { model: 'tidepool-simple', initialGlucose: 120,
          needs: { basal: [['00:00', 1]], sensitivity: [['00:00', 50]],
            carbRatio: [['00:00', 10]] } }, \(more) }
      """, to: scratch.file("look.json5"))
    let selection = try RunSelection(nil, in: scratch.file("look.json5"))
    return try #require(ScenarioBatch.carryOut(selection.planned, seed: nil).report)
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

  @Test("The days of a run over several years have their years")
  func years() throws {
    let gap = "faults: [{ at: '+50h', cgm: { dropout: { duration: '1h', backfill: false } } }]"
    let html = try page(gap, clock: "start: '2026-12-30T00:00:00', duration: '3d'")
    #expect(html.contains("<span class=\"hd\">Wed 30 Dec 2026<"))
    #expect(html.contains("<span class=\"hd\">Fri 1 Jan 2027<"))
    // The reading of 01:55 is the last one before the gap.
    #expect(html.contains(">Fri 1 Jan 2027 01:55<"))
    let oneYear = try page(gap, clock: "start: '2026-12-20T00:00:00', duration: '3d'")
    #expect(oneYear.contains("<span class=\"hd\">Sun 20 Dec<"))
    #expect(oneYear.contains(">Tue 22 Dec 01:55<"))
  }

  @Test("The insulin of some days stands on its card as it does in the text of the run")
  func insulinOfDays() throws {
    // Ten days at 1 U/h are 240 U.
    let html = try page(
      "app: { closedLoop: false }, events: [{ at: '+1h', bolus: { units: 2.05 } }]",
      clock: "duration: '10d'")
    #expect(html.contains("</s>Bolus<b>2.05</b>"))
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

  @Test("What happens at midnight is of the day that begins, and of no other")
  func midnight() throws {
    // 30 g in two entries, an injection of 3 U and a bolus of 2 U at the midnight between two days.
    let html = try page(
      """
      app: { closedLoop: false }, events: [{ at: 'd1 00:00', meal: { grams: 20 } },
        { at: 'd1 00:00', meal: { grams: 10 } }, { at: 'd1 00:00', injection: { units: 3 } },
        { at: 'd1 00:00', bolus: { units: 2 } }]
      """, clock: "start: '2026-02-03T12:00:00', timeZone: 'UTC', duration: '37h30m'")
    func count(_ words: String) -> Int { html.components(separatedBy: words).count - 1 }
    // 12 hours at 1 U/h; 24 hours at 1 U/h in two samples, with 3 U and 2 U.
    #expect(count("Health store: 1 basal sample and 0 doses, 12.00 U.") == 1)
    #expect(count("Health store: 2 basal samples and 2 doses, 29.00 U.") == 1)
    #expect(count("Carbs: 0 g were entered; 0 g were eaten.") == 2)
    #expect(count("Carbs: 30 g were entered; 30 g were eaten.") == 1)
    #expect(count("Body: 1 injection;") == 1)
    #expect(count("suspensions, 1 bolus,") == 1)
    // A reading each five minutes: 12 hours, 24, and an hour and a half with the one at its end.
    for readings in [144, 288, 19] { #expect(count(", \(readings) readings.") == 1) }
    #expect(count("1.50 U, 1.5 h") >= 1)
    #expect(count(", 00:00: Dose from outside the pump\"") == 1)
  }

  @Test("Basal of the health store that goes on over midnight counts in each day by its share")
  func basalOverMidnight() throws {
    // At 18:00 in London it is noon at UTC−06:00: the person's days have 18 hours of the run each,
    // at 1 U/h, and the samples end at noon and at midnight of London.
    let html = try page(
      "app: { closedLoop: false }, events: [{ at: '18:00', timeZone: '-06:00' }]",
      clock: "start: '2026-10-25T12:00:00', timeZone: 'Europe/London', duration: '36h'")
    let held = html.matches(of: /Health store: 2 basal samples and 0 doses, ([\d.]+) U\./)
    #expect(held.map { String($0.1) } == ["18.00", "18.00"])
    // The sample from 18:00 to 06:00 is written at the end of the run, and not as it begins.
    #expect(html.contains(">Mon 26 Oct 18:00<"))
  }

  @Test("The lane of modes has no sensor from the first cycle that refuses an old reading")
  func modeWithoutReading() throws {
    // The last reading is of 00:55, which at 01:10 is 15 minutes old.
    let html = try page(
      "faults: [{ during: ['+1h', '2h'], cgm: { dropout: { backfill: false } } }]",
      clock: "duration: '4h'")
    #expect(
      html.contains("Modes: Closed loop 00:00–01:10, No CGM 01:10–03:00, Closed loop 03:00–04:00."))
  }

  @Test("The lane of modes has a suspension from its beginning to its end, however short")
  func modeOfSuspension() throws {
    // The trace has a row each five minutes, between two of which the second lies as a whole.
    let html = try page(
      """
      app: { closedLoop: false }, events: [{ at: '+112m', suspend: { duration: '21m' } },
        { at: '+171m', suspend: { duration: '2m' } }]
      """, clock: "duration: '4h'")
    #expect(
      html.contains(
        "Modes: Open loop 00:00–01:52, Suspended 01:52–02:13, Open loop 02:13–02:51, "
          + "Suspended 02:51–02:53, Open loop 02:53–04:00."))
  }

  @Test("The time of a difference moves the cursor to the step to which its key does")
  func linkToStep() throws {
    // The step of 01:00 has nothing of a dose at 01:02.
    let html = try page(
      "app: { closedLoop: false }, events: [{ at: '+62m', injection: { units: 3 } }]",
      clock: "duration: '4h'")
    #expect(html.contains("data-go=\"65\">01:02</a>"))
    #expect(html.contains("\"stops\":[65]"))
  }

  @Test("What the health store holds of a long-acting insulin is among what is written there")
  func longActing() throws {
    // Four hours at 1 U/h in one sample, and 9 U of a pen, which the store has as basal.
    let html = try page(
      """
      app: { closedLoop: false },
      events: [{ at: '+1h', injection: { units: 9, insulin: 'glargine' } }]
      """, clock: "duration: '4h'")
    #expect(html.contains("Health store: 1 basal sample and 1 dose, 13.00 U."))
    #expect(html.contains(">◇ 9.00 Pen<") && html.contains(">◇ from outside the pump</i>"))
    #expect(html.contains("[60,\"dose 9.00 U from Pen\"]"))
  }

  @Test("What ends on another day than it began has the date of its end, and no moment lasts a day")
  func datesOfEnds() throws {
    // Thirty hours from 22:00 on, and a dose at midnight.
    let html = try page(
      """
      app: 'none', events: [{ at: '+10h', suspend: { duration: '30h' } },
        { at: 'd1 00:00', injection: { units: 3 } }]
      """, clock: "start: '2026-01-15T12:00:00', timeZone: 'UTC', duration: '3d'")
    let stop = "<th scope=\"row\">Thu 15 Jan 22:00</th><td>Sat 17 Jan 04:00</td><td>Suspended</td>"
    #expect(html.contains(stop))
    let dose = "<th scope=\"row\">Fri 16 Jan 00:00</th><td>00:00</td><td>From outside: humalog</td>"
    #expect(html.contains(dose))
    // What ends at midnight ends with its own day.
    #expect(html.contains("<th scope=\"row\">Sat 17 Jan 04:00</th><td>24:00</td>"))
  }

  @Test("A gap of days in a health store has the date of its end, and each day its own part of it")
  func gapOverDays() async throws {
    let scratch = try Scratch()
    // What began from 11:00 on the second day to 09:00 on the fourth is deleted: the basal from
    // noon on, until the temp basal of the fourth day.
    try Files.write(
      """
      { format: 'loopsim/1', id: 'gap', app: { closedLoop: false },
        clock: { start: '2026-01-15T00:00:00', timeZone: 'UTC', duration: '5d' },
        patient: { model: 'tidepool-simple', initialGlucose: 120,
          needs: { basal: [['00:00', 1]], sensitivity: [['00:00', 50]],
            carbRatio: [['00:00', 10]] } },
        events: [{ at: { daily: '10:00' }, basal: { rate: 0.5, duration: '2h' } },
          { at: 'd3 20:00', delete: { from: 'healthStore',
            match: { kind: 'any', all: true, between: ['d1 11:00', 'd3 09:00'] } } }] }
      """, to: scratch.file("gap.json5"))
    let out = scratch.file("out")
    let words = ["run", scratch.file("gap.json5"), "-q", "--report", "--out", out]
    #expect(await program(words).code == 0)
    // On the page of the run itself each of the three days has what it lacks.
    let page = try String(contentsOfFile: out + "/gap/report.html", encoding: .utf8)
    for day in ["Fri 16", "Sat 17", "Sun 18"] {
      #expect(page.contains("<span class=\"hd\">\(day) Jan<span class=\"chip warn\">! 1</span>"))
    }
    #expect(page.contains("<span class=\"hd\">Mon 19 Jan</span>"))
    let store = out + "/gap/health.sqlite"
    let html = await program(["report", store, "--zone", "UTC", "-o", "-"]).output
    let row = "2026-01-16</th><td>12:00</td><td>2026-01-18 10:00</td><td>No basal</td>"
    #expect(html.contains("<th scope=\"row\">" + row))
    for words in [
      "no basal from 12:00 to 24:00.", "0 U, no basal from 00:00 to 24:00.",
      "no basal from 00:00 to 10:00.",
    ] { #expect(html.contains(words), "\(words)") }
  }

  @Test("A difference at the last moment of a run is one of its last day")
  func differenceAtTheEnd() throws {
    let html = try page(
      "app: { closedLoop: false }, events: [{ at: '+48h', injection: { units: 3 } }]",
      clock: "start: '2026-01-15T00:00:00', timeZone: 'UTC', duration: '2d'")
    #expect(html.contains("<span class=\"hd\">Fri 16 Jan<span class=\"chip ok\">✓ 1</span></span>"))
    #expect(html.contains("<span class=\"hd\">Thu 15 Jan</span>"))
  }

  @Test("The hours of an axis are whole ones also behind a change of clocks by half an hour")
  func halfHourBack() throws {
    // On Lord Howe Island the clock goes from 02:00 back to 01:30 on 5 April 2026; hours are named
    // from a zoom on, and each third at once.
    let html = try page(
      "app: 'none'", clock: "start: '2026-04-05T00:00:00', timeZone: 'Australia/Lord_Howe'")
    let words = html.matches(of: /<i class="w[^"]* ax[^"]*" style="[^"]*">([0-9:]+)</)
    let times = Set(words.map { String($0.1) })
    #expect(times.isSuperset(of: ["00:00", "02:00", "03:00", "21:00", "22:00"]))
    #expect(times.allSatisfy { $0.hasSuffix(":00") }, "\(times)")
  }

  @Test("Where a run of a day shows the time of its start again, a moment has its date")
  func sameTimeAgain() throws {
    func report(from start: String, _ zone: String) throws -> RunReport {
      let clock = "start: '\(start)', timeZone: '\(zone)', duration: '24h'"
      return try self.report("app: 'none'", clock: clock)
    }
    let day = try report(from: "2026-01-15T06:00:00", "UTC")
    #expect(day.moment(day.run.start) == "06:00")
    #expect(day.moment(day.run.end - .minutes(1)) == "05:59")
    #expect(day.moment(day.run.end) == "Fri 16 Jan 06:00")
    #expect(day.moment(day.run.end, beside: day.run.start, isEnd: true) == "Fri 16 Jan 06:00")
    #expect(day.moment(day.run.end, beside: day.run.end - .hours(1), isEnd: true) == "06:00")
    // The day is 23 hours long, as the clock goes from 02:00 to 03:00.
    let short = try report(from: "2026-03-08T00:30:00", "America/Chicago")
    #expect(short.moment(short.run.start + .minutes(23 * 60 - 1)) == "00:29")
    #expect(short.moment(short.run.start + .hours(23)) == "Mon 9 Mar 00:30")
    let midnight = try report(from: "2026-01-15T00:00:00", "UTC")
    let (start, end) = (midnight.run.start, midnight.run.end)
    #expect(midnight.moment(end, beside: start, isEnd: true) == "24:00")
  }

  @Test("A law that does not hold on some day of a longer run has its date in the text")
  func dateOfLaw() throws {
    let clock = "start: '2026-01-15T00:00:00', timeZone: 'UTC', duration: '2d'"
    var summary = try report("app: 'none'", clock: clock).summary
    let instant = summary.run.start + .hours(30)
    summary.run.violations = [.init(name: "law", instant: instant, text: "It is broken.")]
    #expect(summary.lines().contains("  2026-01-16T06:00:00  law: It is broken."))
  }

  @Test("Of a temp basal that began before the run its card has what was given in the run")
  func tempBasalBefore() throws {
    // Three hours at 3 U/h lie before 06:00, and one lies after it; then three hours at 1 U/h.
    let html = try page(
      """
      app: { closedLoop: false }, therapy: { maxBasal: 6 },
      events: [{ at: '-3h', basal: { rate: 3, duration: '4h' } }]
      """, clock: "start: '2026-01-15T06:00:00', timeZone: 'UTC', duration: '4h', preRoll: '6h'")
    #expect(html.contains("<p class=\"big\">6.00 U<small> by the pump</small></p>"))
    #expect(html.contains("</s>Scheduled<b>3.00</b>") && html.contains("</s>Temp basal<b>3.00</b>"))
  }

  @Test("What the pump did before the run is none of the run's boluses, and said to be of before")
  func accountsOfBefore() throws {
    // Of 6 U at 09:00 a minute's 1.5 U are given.
    let before = try report(
      """
      app: { closedLoop: false },
      events: [{ at: '-3h', bolus: { units: 6 } }, { at: '-179m', suspend: { duration: '31m' } }]
      """, clock: "start: '2026-01-15T12:00:00', timeZone: 'UTC', duration: '4h', preRoll: '6h'")
    let html = RunPage(before).html
    #expect(html.contains(" U of basal since Thu 15 Jan 06:00, before the run, "))
    #expect(!html.contains("of boluses were not given") && !html.contains("over the whole run"))
    let line = "  These count from 2026-01-15T06:00:00Z on, before the run begins."
    #expect(before.summary.lines().contains(line))
    let within = try page(
      """
      app: { closedLoop: false },
      events: [{ at: '+1h', bolus: { units: 6 } }, { at: '+61m', suspend: { duration: '30m' } }]
      """, clock: "duration: '4h'")
    #expect(within.contains(" U of basal over the whole run, "))
    #expect(within.contains(", and 4.50 U of boluses were not given."))
  }
}
