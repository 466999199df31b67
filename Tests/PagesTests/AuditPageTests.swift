import Expectations
import HealthStore
import Quantities
import Records
import StructuredText
import Testing

@testable import Pages
@testable import Reports
@testable import Typesetting

@Suite("The page of an audit")
struct AuditPageTests {
  /// Two days with a gap and boluses, or three without a fault and with a bolus written late.
  func page(
    _ name: String = "Loop", isTwice: Bool = true, isLate: Bool = false
  ) -> String {
    let midnight = Instant(secondsSince1970: 1_772_582_400)
    var samples: [RestoredSample] = []
    func add(_ units: Double, _ start: TimeSpan, _ end: TimeSpan, _ reason: Double, _ by: String) {
      var metadata = Metadata()
      metadata[.insulinDeliveryReason] = .number(reason)
      metadata.hasLoopKitOrigin = by == name
      metadata.scheduledBasalRate = reason == 1 ? InsulinRate(milliunitsPerHour: 600) : nil
      let source = Source(name: by, bundleIdentifier: "test.\(by)")
      samples.append(
        RestoredSample(
          Sample(
            restoring: SampleUUID(high: 5, low: UInt64(samples.count)), type: .insulinDelivery,
            start: midnight + start, end: midnight + end,
            value: .quantity(HealthQuantity(units, .internationalUnit)), metadata: metadata,
            sourceRevision: SourceRevision(source: source)),
          created: midnight + end + (isLate && reason == 2 ? .hours(3) : .zero)))
    }
    for half in 0..<(isLate ? 144 : 96) as Range<Int64> where isLate || half != 10 {
      add(0.3, .minutes(30) * half, .minutes(30) * (half + 1), 1, name)
    }
    for hour in [8, 13, 19] as [Int64] {
      add(2, .hours(hour), .hours(hour), 2, name)
      if isTwice { add(2, .hours(hour) + .seconds(20), .hours(hour) + .seconds(20), 2, "Cloud") }
    }
    let options = Audit.Options(reading: ["record.json:9:1: 3 records are left out: <odd>."])
    return AuditPage(Audit(samples, options), file: "record.json", version: "1").html
  }

  @Test("Of many days those with insulin twice are drawn, and it is said where there are none")
  func manyDays() {
    let midnight = Instant(secondsSince1970: 1_772_582_400)
    func page(twiceOn days: Range<Int64>) -> String {
      var samples: [RestoredSample] = []
      func add(_ start: TimeSpan, _ reason: Double, _ name: String) {
        var metadata = Metadata()
        metadata[.insulinDeliveryReason] = .number(reason)
        metadata.hasLoopKitOrigin = name == "Loop"
        let source = Source(name: name, bundleIdentifier: "test.\(name)")
        let end = midnight + start + (reason == 1 ? .days(1) : .zero)
        samples.append(
          RestoredSample(
            Sample(
              restoring: SampleUUID(high: 5, low: UInt64(samples.count)), type: .insulinDelivery,
              start: midnight + start, end: end,
              value: .quantity(HealthQuantity(12, .internationalUnit)), metadata: metadata,
              sourceRevision: SourceRevision(source: source)), created: end))
      }
      for day in 0..<40 as Range<Int64> {
        add(.days(day), 1, "Loop")
        add(.days(day) + .hours(9), 2, "Loop")
        if days.contains(day) { add(.days(day) + .hours(9) + .seconds(9), 2, "Cloud") }
      }
      return AuditPage(Audit(samples, Audit.Options()), file: "r.json", version: "1").html
    }
    let table = "All days are in the table below."
    #expect(page(twiceOn: 0..<0).contains("None of 40 days has insulin twice. \(table)"))
    #expect(page(twiceOn: 3..<4).contains("1 of 40 days has insulin twice. \(table)"))
    #expect(
      page(twiceOn: 0..<35).contains(
        "35 of 40 days have insulin twice; the first 31 are drawn. \(table)"))
    // No name is cut off, and none squeezes what is found.
    #expect(page(twiceOn: 0..<1).contains("fit-content(45%)"))
  }

  @Test("The headline is the worst day; every finding has a place in the list and in the lanes")
  func headline() {
    let html = page()
    #expect(
      html.contains(
        "<h1>The samples of 2026-03-04 add up to 26.1 U; 6 U of it are counted twice</h1>"))
    for part in [
      "Can this record be trusted?", "Three totals of 2026-03-04", "href=\"#f1\"", "id=\"f1\"",
      "Basal is missing", "Boluses counted twice", "Not judged, and why", "Other days",
      "Dashed red line: insulin on board of all samples; blue line: reconciled.",
      "<path class=\"mg\"", "Reading the files",
      "record.json:9:1: 3 records are left out: &lt;odd&gt;.",
    ] { #expect(html.contains(part), "\(part)") }
    #expect(html.contains("<bdi>Loop</bdi>") && html.contains("<bdi>Cloud</bdi>"))
    #expect(html == page())
    // Paper has no folds: what is folded on a screen is opened in print, and no day is cut in two.
    #expect(page().contains("details{break-inside:avoid}"))
    let others = html.firstRange(of: "Other days</h2>").map { html[$0.upperBound...].prefix(40) }
    #expect(others?.hasPrefix("<details class=\"tl\" id=\"day-2026-03-05\"") == true)
  }

  @Test("A cursor reads what each source has, insulin on board and the findings, day by day")
  func cursor() {
    let html = page()
    // Two days of 1440 minutes stand on the timeline, five minutes apart.
    #expect(html.contains("id=\"day-2026-03-04\" data-t0=\"0\" data-len=\"1440\""))
    #expect(
      html.contains("id=\"day-2026-03-05\" data-t0=\"1445\" data-len=\"1440\" data-print>"))
    #expect(html.contains("\"from\":0,\"to\":2885,\"step\":5,"))
    #expect(html.contains("\"off\":[[0,0],[1445,-1445]]"))
    #expect(html.contains("\"mode\":[0,1440,\"2026-03-04\",5,1440,\"2026-03-05\"]"))
    // Most is there twice five minutes after the second of three boluses, when something is left
    // of the first: at 13:05.
    #expect(html.contains("\"at\":785,"))
    // Half hours of 0.3 U, of which the one from 05:00 on is missing, and boluses of 2 U.
    #expect(html.contains("\"sources\":[[[0,30,0.3,0,0,30,0.3,0,"))
    #expect(html.contains(",0.3,0,0,30,null,1,0,30,0.3,0,"))
    #expect(html.contains("[480,\"bolus 2 U\"],[780,\"bolus 2 U\"],[1140,\"bolus 2 U\"]"))
    #expect(html.contains("\"stops\":[300,"))
    // One read-out, from which the script makes that of the other day.
    #expect(html.matches(of: /class="read own"/).count == 1)
    for (name, key) in [("Glucose", "bg"), ("Loop", "s0"), ("Cloud", "s1"), ("Findings", "found")] {
      #expect(html.contains("<span>\(name)</span><b data-r=\"\(key)\">"), "\(name)")
    }
    #expect(html.matches(of: /<div class="cur">/).count == 2)
    // The time of a finding leads to its day and moves the cursor.
    #expect(html.contains("<a href=\"#day-2026-03-04\" data-go=\"300\">2026-03-04 05:00</a>"))
  }

  @Test("The page says how much of the time basal covers, and how many boluses came in time")
  func completeness() {
    // 95 of the 96 half hours of two days are 98.96 %; nobody says when anything was written.
    let html = page()
    #expect(html.contains("<dt>Basal covered</dt><dd>99.0 %</dd>"))
    #expect(!html.contains("within two cycles"))
    // All of three days, and three boluses that were written three hours late.
    let late = page(isTwice: false, isLate: true)
    #expect(late.contains("<dt>Basal covered</dt><dd>100.0 %</dd>"))
    #expect(late.contains("<dt>Boluses written within two cycles</dt><dd>0 of 3</dd>"))
  }

  @Test("The three totals of a day are drawn on one scale, with what is counted twice")
  func totalsByDay() {
    // On 4 March 47 half hours of 0.3 U are 14.1 U, and six boluses of 2 U are 12, three of them
    // twice; on the day after 48 half hours are 14.4 U.
    let html = page()
    #expect(html.matches(of: /<div class="sums">/).count == 2)
    #expect(html.contains("<h3>2026-03-04 <span class=\"badt\">6.00 U twice</span></h3>"))
    for text in [
      "<span>Plain sum</span>", "<b>26.10 U</b>", "<span>Store's own</span>",
      "<span>Reconciled</span>", "<b>20.10 U</b>", "<span>All three</span>", "<b>14.40 U</b>",
    ] { #expect(html.contains(text), "\(text)") }
    // 20.1 of 26.1 are 77.01 %, and 6 are 22.99 %.
    #expect(
      html.contains(
        "<i class=\"i-t\" style=\"flex:77.01 0 3px\"></i>"
          + "<i class=\"f-twice\" style=\"flex:22.99 0 3px\"></i>"))
    #expect(html.contains("<s class=\"f-twice\"></s> counted twice"))
    #expect(html.contains("<dt>Plain sum of all samples</dt><dd>26.10 U</dd>"))
  }

  @Test("A record that ends at midnight ends on the day before")
  func lastDay() {
    // From midnight of 4 March 2026 in UTC 96 half hours are two days, and 144 three.
    #expect(page().contains("2026-03-04 to 2026-03-05, UTC"))
    #expect(page(isLate: true).contains("2026-03-04 to 2026-03-06, UTC"))
  }

  @Test("What was not read whole is trusted as far as it was read")
  func partlyRead() {
    let start = Instant(secondsSince1970: 1_772_582_400)
    var metadata = Metadata()
    metadata[.insulinDeliveryReason] = .number(1)
    let sample = RestoredSample(
      Sample(
        restoring: SampleUUID(high: 5, low: 1), type: .insulinDelivery, start: start,
        end: start + .days(1), value: .quantity(HealthQuantity(24, .internationalUnit)),
        metadata: metadata,
        sourceRevision: SourceRevision(source: Source(name: "P", bundleIdentifier: "test.p"))),
      created: start)
    func verdict(_ reading: [String]) -> String? {
      let audit = Audit([sample], Audit.Options(reading: reading))
      let html = AuditPage(audit, file: "record.json", version: "1").html
      return html.firstMatch(of: /<p class="big">(.*?)<\/p>/).map { String($0.1) }
    }
    #expect(verdict([])?.hasPrefix("Yes") == true)
    #expect(verdict(["1 record is left out."])?.hasPrefix("As far as it was read") == true)
  }

  @Test("The axis of glucose reaches to the highest reading and names what is far above target")
  func glucoseAxis() {
    // 429 goes up to 440, and 15 more leave room; 40 is the least that sensors show.
    let axis = GlucoseAxis(of: [100, 429, 60])
    #expect(axis.low == 40 && axis.high == 455)
    #expect(abs(axis.y(429) - 26.0 / 415) < 1e-12)
    #expect(axis.ticks(height: 112) == [400, 250, 180, 70])
    #expect(GlucoseAxis(of: []).high == 285)
    // Of 112 pixels of 140 each has its place four fifths as far from above.
    #expect(abs(GlucoseAxis(of: [100, 429, 60], upTo: 0.8).y(429) - 0.8 * 26 / 415) < 1e-12)
    #expect(GlucoseAxis(of: [], upTo: 0.8).y(40) == 0.8)
    var drawing = Drawing(height: 100)
    drawing.addReadings([(x: 0, mgdL: 429), (x: 0.5, mgdL: 200), (x: 1, mgdL: 60)], on: axis)
    #expect(drawing.shapes.map(\.style) == [.high, .veryHigh, .low, .hollow])
    #expect(drawing.shapes.map(\.path.data)[1] == "M0 63h1")
  }

  @Test("A day with more findings than are drawn says how many more there are", arguments: [4, 11])
  func manyFindings(sources: Int) {
    let midnight = Instant(secondsSince1970: 1_772_582_400)
    func sample(
      _ number: Int, of name: String, _ reason: Double, _ units: Double, from start: Instant,
      to end: Instant
    ) -> RestoredSample {
      var metadata = Metadata()
      metadata[.insulinDeliveryReason] = .number(reason)
      return RestoredSample(
        Sample(
          restoring: SampleUUID(high: 5, low: UInt64(number)), type: .insulinDelivery,
          start: start, end: end,
          value: .quantity(HealthQuantity(units, .internationalUnit)), metadata: metadata,
          sourceRevision: SourceRevision(
            source: Source(name: name, bundleIdentifier: "test.\(name)"))),
        created: start)
    }
    // Each source wrote a bolus twice, at an hour of its own, and the first the basal of the day.
    let samples = (0..<sources * 2).map { index in
      let start = midnight + .hours(1 + Int64(index / 2))
      return sample(index, of: "P\(index / 2)", 2, 2, from: start, to: start)
    }
    let basal = sample(100, of: "P0", 1, 24, from: midnight, to: midnight + .days(1))
    let audit = Audit(samples + [basal])
    let found = audit.findings.count { $0.severity != .note }
    #expect(found == 2 * sources)
    let html = AuditPage(audit, file: "record.json", version: "1").html
    #expect(html.contains("more, listed below") == (sources > 4))
    #expect(html.contains("and 14 more, listed below") == (sources == 11))
  }

  @Test("Two runs with different starts are said to be drawn each from its own")
  func starts() throws {
    func run(_ times: [String], _ glucose: Int) throws -> RecordedRun {
      let rows = times.enumerated().map { "\($1),\($0 * 300),\(glucose + $0)\n" }.joined()
      let text = "time,seconds,glucose_true_mgdL\n" + rows
      let table = CSVTable(Array(text.utf8), file: "timeline.csv", problems: ProblemList())
      return RecordedRun(tables: [.init("timeline.csv", try #require(table))])
    }
    let morning = ["2026-01-15T06:00:00Z", "2026-01-15T06:05:00Z", "2026-01-15T06:10:00Z"]
    let later = ["2026-01-15T08:00:00Z", "2026-01-15T08:05:00Z", "2026-01-15T08:10:00Z"]
    func page(_ left: RecordedRun, _ right: RecordedRun) -> String {
      let pair = ComparePage.Pair(
        name: "", left: left, right: right,
        comparison: RunComparison(
          left, right, tolerances: ColumnTolerances(), ignoring: [], figuresDecide: true))
      return ComparePage("a", "b", [pair], version: "1").html
    }
    #expect(
      try page(run(morning, 100), run(later, 110)).contains(
        "A begins at 2026-01-15T06:00:00Z, and B at 2026-01-15T08:00:00Z; each is drawn from its "
          + "own start."))
    #expect(try !page(run(morning, 100), run(morning, 110)).contains("its own start"))
  }

  @Test("A page of two runs has glucose in the unit of the scenario, and rates as steps")
  func unitsAndSteps() throws {
    func run(_ last: Int) throws -> RecordedRun {
      let text = """
        time,seconds,glucose_true_mgdL,programmed_rate_U_per_h
        2026-01-15T06:00:00Z,0,90,1
        2026-01-15T06:05:00Z,300,\(last),1
        2026-01-15T06:10:00Z,600,\(last),3

        """
      let table = CSVTable(Array(text.utf8), file: "timeline.csv", problems: ProblemList())
      var run = RecordedRun(tables: [.init("timeline.csv", try #require(table))])
      run.identity = [("glucose unit", "mmol/L")]
      return run
    }
    let pair = ComparePage.Pair(
      name: "", left: try run(180), right: try run(270),
      comparison: RunComparison(
        try run(180), try run(270), tolerances: ColumnTolerances(), ignoring: [],
        figuresDecide: true))
    let page = ComparePage("a", "b", [pair], version: "1")
    // 270 and 90 mg/dL are 15.0 and 5.0 mmol/L.
    #expect(page.html.contains("True glucose, <span data-unit>mmol/L</span>"))
    #expect(page.html.contains("<span data-mg=\"270.0\">15.0</span>"))
    #expect(page.html.contains("<span data-mg=\"90.0\">5.0</span>"))
    #expect(page.html.contains("True glucose, mmol/L: A and B over each other."))
    // Sentences are wrapped, and the columns of tables stay below one another.
    let parts = page.html.split(separator: "<pre class=\"wide\" tabindex=\"0\"")
    #expect(parts.count == 2)
    #expect(parts[0].contains("<pre>") && parts[0].contains("first difference: timeline.csv: row"))
    // What was found is the main part of a page, between its head and its foot.
    let marks = ["</header>", "<main>", "</main>", "<footer>"].map { page.html.firstRange(of: $0) }
    let places = marks.compactMap { $0?.lowerBound }
    #expect(places.count == 4 && places == places.sorted())
    #expect(parts[1].contains("beyond tolerance") && !parts[1].contains("first difference"))
    let figure = try #require(page.figures.first?.text)
    #expect(figure.contains(">15.0<") && !figure.contains(">270<"))
  }

  @Test("So many of a severity are counted in words")
  func chips() {
    #expect(PageSeverity.fault.counted(2) == "2 faults")
    #expect(PageSeverity.note.counted(1) == "1 note")
    #expect(PageSeverity.expected.counted(3) == "3 expected")
  }

  @Test("A page of tables that are of no run does not call them simulated")
  func comparesTables() throws {
    let run = RecordedRun(tables: [])
    var simulated = run
    simulated.identity = [("run", "a")]
    func page(_ one: RecordedRun) -> String {
      let pair = ComparePage.Pair(
        name: "", left: one, right: one,
        comparison: RunComparison(
          one, one, tolerances: ColumnTolerances(), ignoring: [], figuresDecide: true))
      return ComparePage("a.csv", "b.csv", [pair], version: "1").html
    }
    #expect(!page(run).contains("simulated data"))
    #expect(page(simulated).contains("simulated data"))
  }

  @Test("Without a fault the day is drawn that has the first thing to check, and not the middle")
  func firstCheck() {
    let html = page(isTwice: false, isLate: true)
    #expect(html.contains("As far as it was read, with 1 thing to check"))
    #expect(html.contains("Three totals of 2026-03-04"))
    #expect(html.contains("2026-03-04: what each source wrote"))
  }

  @Test("A source's name is inert in the page")
  func inert() {
    let html = page("<script>alert(1)</script>")
    #expect(!html.contains("<script>alert"))
    #expect(html.contains("&lt;script&gt;alert(1)"))
  }

  @Test("The page fetches nothing, and is small")
  func small() {
    let html = page()
    #expect(!html.contains("http://") && !html.contains("https://"))
    #expect(html.utf8.count < 150_000)
  }
  @Test("A sample that crosses midnight counts on each day with the part that lies in it")
  func crossingMidnight() {
    let midnight = Instant(secondsSince1970: 1_772_582_400)
    // 3 U from 22:00 to 04:00: 1 U before midnight, 2 U after it; and 4 U that end at midnight.
    let spans: [(Double, TimeSpan, TimeSpan)] = [
      (3, .hours(-2), .hours(4)), (4, .hours(-10), .zero - .hours(2)), (6, .hours(20), .hours(24)),
    ]
    let samples = spans.enumerated().map { index, span in
      var metadata = Metadata()
      metadata[.insulinDeliveryReason] = .number(1)
      return RestoredSample(
        Sample(
          restoring: SampleUUID(high: 5, low: UInt64(index)), type: .insulinDelivery,
          start: midnight + span.1, end: midnight + span.2,
          value: .quantity(HealthQuantity(span.0, .internationalUnit)), metadata: metadata,
          sourceRevision: SourceRevision(
            source: Source(name: "Loop", bundleIdentifier: "test.Loop"))),
        created: midnight + span.2)
    }
    let audit = Audit(samples)
    #expect(audit.days.map(\.plain) == [5, 8])
    let names = audit.days.map { AuditLanes(audit: audit, day: $0).figure.text }
    #expect(names[0].contains("Loop, 5 U"))
    #expect(names[1].contains("Loop, 8 U"))
  }
}
