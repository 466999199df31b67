import HealthStore
import Quantities
import Records
import Testing

@testable import Pages

extension AuditPageTests {
  /// Two days with basal of 1 U/h by one source, of which another has the second half of the first
  /// day as well, and what is given besides.
  private func audit(besides others: [RestoredSample] = []) -> Audit {
    let halves: [(name: String, half: Int64)] = [
      ("Loop", 0), ("Loop", 1), ("Loop", 2), ("Loop", 3), ("Other", 1),
    ]
    let basal = halves.enumerated().map { number, entry -> RestoredSample in
      var metadata = Metadata()
      metadata[.insulinDeliveryReason] = .number(1)
      metadata.hasLoopKitOrigin = true
      metadata.scheduledBasalRate = InsulinRate(milliunitsPerHour: 1_000)
      let start = Self.midnight + .hours(12) * entry.half
      let source = Source(name: entry.name, bundleIdentifier: "test.\(entry.name)")
      return RestoredSample(
        Sample(
          restoring: SampleUUID(high: 5, low: UInt64(number)), type: .insulinDelivery,
          start: start, end: start + .hours(12),
          value: .quantity(HealthQuantity(12, .internationalUnit)), metadata: metadata,
          sourceRevision: SourceRevision(source: source)), created: start + .hours(12))
    }
    return Audit(basal + others)
  }

  private static let midnight = Instant(secondsSince1970: 1_772_582_400)

  @Test("What is there twice until midnight is no finding of the day that begins there")
  func untilMidnight() {
    let html = AuditPage(audit(), file: "record.json", version: "1").html
    #expect(html.contains("<p class=\"big\">Not on 1 of 2 days</p>"))
    #expect(html.matches(of: /aria-label="1 finding on this day\."/).count == 1)
    // A name breaks anywhere rather than widen the page.
    #expect(html.contains("<th scope=\"row\" class=\"name\">Other</th>"))
    // On a phone its amount stands beside the rest as a whole, which no narrow column cuts up.
    #expect(html.contains(/<div class="amt"><b>\+12 U<\/b><div>[^\n]*<\/div><\/div><\/li>/))
  }

  @Test("Readings of two sources at one time are counted once in how complete glucose is")
  func twoSensors() {
    // Each has one in five minutes of the first day, which is half of the record.
    let readings = (0..<576).map { number -> RestoredSample in
      let instant = Self.midnight + .minutes(5 * Int64(number / 2))
      let source = Source(name: "S\(number % 2)", bundleIdentifier: "test.s\(number % 2)")
      return RestoredSample(
        Sample(
          restoring: SampleUUID(high: 6, low: UInt64(number)), type: .bloodGlucose,
          start: instant, end: instant,
          value: .quantity(HealthQuantity(110, .milligramPerDecilitre)),
          sourceRevision: SourceRevision(source: source)), created: instant)
    }
    let audit = audit(besides: readings)
    let row = "<dt>Glucose, of one in 5 min</dt><dd>50.0 %</dd>"
    #expect(AuditPage(audit, file: "record.json", version: "1").html.contains(row))
    #expect(HealthStorePage(audit, file: "record.sqlite", version: "1").html.contains(row))
    #expect(!AuditPage(audit, file: "record.json", version: "1").html.contains("aria-label=\"\""))
  }

  @Test("The time of a finding moves the cursor to the first step that has something of it")
  func linkToStep() {
    // The step of 08:00 has nothing of a pen's dose at 08:02.
    let start = Self.midnight + .hours(8) + .minutes(2)
    var metadata = Metadata()
    metadata[.insulinDeliveryReason] = .number(2)
    let dose = RestoredSample(
      Sample(
        restoring: SampleUUID(high: 7, low: 0), type: .insulinDelivery, start: start, end: start,
        value: .quantity(HealthQuantity(3, .internationalUnit)), metadata: metadata,
        sourceRevision: SourceRevision(source: Source(name: "Pen", bundleIdentifier: "test.pen"))),
      created: start)
    let html = AuditPage(audit(besides: [dose]), file: "record.json", version: "1").html
    #expect(html.contains("data-go=\"485\">2026-03-04 08:02</a>"))
  }
}
