import Expectations
import HealthStore
import Quantities
import Records
import Testing

@testable import Reports

@Suite("The page of an audit")
struct AuditPageTests {
  /// Two days with a gap and boluses, or three without a fault and with a bolus written late.
  private func page(
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
    return AuditPage(Audit(samples), file: "record.json", version: "1").html
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
    ] { #expect(html.contains(part), "\(part)") }
    #expect(html == page())
  }

  @Test("The axis of glucose reaches to the highest reading and names what is far above target")
  func glucoseAxis() {
    // 429 goes up to 440, and 15 more leave room; 40 is the least that sensors show.
    let axis = GlucoseAxis(of: [100, 429, 60])
    #expect(axis.low == 40 && axis.high == 455)
    #expect(abs(axis.y(429) - 26.0 / 415) < 1e-12)
    #expect(axis.ticks(height: 112) == [400, 250, 180, 70])
    #expect(GlucoseAxis(of: []).high == 285)
    var drawing = Drawing(height: 100)
    drawing.addReadings([(x: 0, mgdL: 429), (x: 0.5, mgdL: 200), (x: 1, mgdL: 60)], on: axis)
    #expect(drawing.shapes.map(\.style) == [.high, .veryHigh, .low, .hollow])
    #expect(drawing.shapes.map(\.path.data)[1] == "M0 63h1")
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
    #expect(html.contains("Yes, with 1 thing to check"))
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
