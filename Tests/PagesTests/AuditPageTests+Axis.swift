import Expectations
import HealthStore
import Quantities
import Records
import StructuredText
import Testing

@testable import Pages
@testable import Reports
@testable import Typesetting

extension AuditPageTests {
  @Test("The axis of a day ends at 24:00, and the amounts of boluses stand beside one another")
  func wordsOfLanes() {
    let midnight = Instant(secondsSince1970: 1_772_582_400)
    // Two minutes are 1.25 of the 900 px of a day, and an amount takes more.
    let samples = [0, 2, 4, 360].map { (minute: Int64) -> RestoredSample in
      var metadata = Metadata()
      metadata[.insulinDeliveryReason] = .number(2)
      let start = midnight + .hours(10) + .minutes(minute)
      return RestoredSample(
        Sample(
          restoring: SampleUUID(high: 5, low: UInt64(minute)), type: .insulinDelivery,
          start: start, end: start,
          value: .quantity(HealthQuantity(2.5, .internationalUnit)), metadata: metadata,
          sourceRevision: SourceRevision(source: Source(name: "P", bundleIdentifier: "test.p"))),
        created: start)
    }
    let html = AuditPage(Audit(samples), file: "record.json", version: "1").html
    #expect(html.matches(of: /<i class="w b" [^>]*>2\.5</).count == 2)
    #expect(html.contains(/<i class="w e ax" style="left:100%;[^>]*>24:00</))
  }

  @Test("On a day of 23 hours the axis has the hours of the clock, and a mark where it is set on")
  func springDay() {
    // 06:00 UTC on 8 March 2026 is midnight by UTC−06:00; at 08:00 UTC 02:00 becomes 03:00.
    let midnight = Instant(secondsSince1970: 1_772_949_600)
    let change = midnight + .hours(2)
    let clock = WallClock(
      initialOffset: .hours(-6), transitions: [.init(instant: change, offset: .hours(-5))])
    let samples = (0..<23 as Range<Int64>).map { hour -> RestoredSample in
      var metadata = Metadata()
      metadata[.insulinDeliveryReason] = .number(1)
      let start = midnight + .hours(hour)
      return RestoredSample(
        Sample(
          restoring: SampleUUID(high: 5, low: UInt64(hour)), type: .insulinDelivery,
          start: start, end: start + .hours(1),
          value: .quantity(HealthQuantity(1, .internationalUnit)), metadata: metadata,
          sourceRevision: SourceRevision(source: Source(name: "P", bundleIdentifier: "test.p"))),
        created: start)
    }
    let audit = Audit(samples, Audit.Options(clock: clock, zone: "America/Chicago"))
    let html = AuditPage(audit, file: "record.json", version: "1").html
    let hours = html.matches(of: /<i class="w(?: e)? ax" style="[^"]*">([^<]*)</).map { $0.1 }
    #expect(
      hours == ["00:00", "03:00", "06:00", "09:00", "12:00", "15:00", "18:00", "21:00", "24:00"])
    // After 120 minutes the clock is an hour ahead of the timeline.
    #expect(html.contains("\"off\":[[0,0],[120,60]]") && html.contains("data-len=\"1380\""))
    // Two of 23 hours are 8.7 % of the day.
    #expect(html.contains("<i class=\"bx cc\" style=\"left:8.7%;"))
  }

  @Test("A time that comes twice has its offset, also where clocks are set back by half an hour")
  func timesTwice() {
    // Lord Howe Island: at 15:00 UTC on 4 April 2026 the clock goes from 02:00 back to 01:30.
    let change = Instant(secondsSince1970: 1_775_314_800)
    let clock = WallClock(
      initialOffset: .hours(11),
      transitions: [.init(instant: change, offset: .hours(10) + .minutes(30))])
    let audit = Audit([], Audit.Options(clock: clock, zone: "Australia/Lord_Howe"))
    #expect(audit.time(change - .minutes(31)) == "01:29")
    #expect(audit.time(change - .minutes(15)) == "01:45 UTC+11:00")
    #expect(audit.time(change) == "01:30 UTC+10:30")
    #expect(audit.time(change + .minutes(15)) == "01:45 UTC+10:30")
    #expect(audit.time(change + .minutes(30)) == "02:00")
  }

  @Test("A day of 24 hours and a half is told as long as it is")
  func halfHourDay() {
    // On Lord Howe Island 5 April 2026 begins at 13:00 UTC, and the clock goes back half an hour.
    let midnight = Instant(secondsSince1970: 1_775_307_600)
    let clock = WallClock(
      initialOffset: .hours(11),
      transitions: [
        .init(instant: midnight + .hours(2), offset: .hours(10) + .minutes(30))
      ])
    var metadata = Metadata()
    metadata[.insulinDeliveryReason] = .number(1)
    let sample = RestoredSample(
      Sample(
        restoring: SampleUUID(high: 5, low: 0), type: .insulinDelivery, start: midnight,
        end: midnight + .hours(24), value: .quantity(HealthQuantity(24, .internationalUnit)),
        metadata: metadata,
        sourceRevision: SourceRevision(source: Source(name: "P", bundleIdentifier: "test.p"))),
      created: midnight + .hours(24))
    let audit = Audit([sample], Audit.Options(clock: clock, zone: "Australia/Lord_Howe"))
    let html = HealthStorePage(audit, file: "record.sqlite", version: "1").html
    #expect(html.contains("<summary>2026-04-05 ") && html.contains(" readings, 24.5 h</span>"))
  }
  @Test("Amounts of carbohydrate stand below the axis, where no low reading is")
  func food() {
    let midnight = Instant(secondsSince1970: 1_772_582_400)
    func sample(_ number: UInt64, _ type: ObjectType, _ value: HealthQuantity) -> RestoredSample {
      let start = midnight + .hours(10) + .minutes(Int64(5 * number))
      return RestoredSample(
        Sample(
          restoring: SampleUUID(high: 5, low: number), type: type, start: start, end: start,
          value: .quantity(value),
          sourceRevision: SourceRevision(source: Source(name: "P", bundleIdentifier: "test.p"))),
        created: start)
    }
    var samples = (0..<12 as Range<UInt64>).map {
      sample($0, .bloodGlucose, HealthQuantity(40, .milligramPerDecilitre))
    }
    func row() -> Substring? {
      let html = AuditPage(Audit(samples), file: "record.json", version: "1").html
      return html.firstMatch(of: /<div class="row [^\n]*<b>Glucose<[^\n]*/)?.0
    }
    // 40 mg/dL is the lower end of an axis of 112 pixels, and food has 20 more for itself.
    #expect(row()?.contains("--h:112\"") == true && row()?.contains(" 1000h1") == true)
    samples.append(sample(12, .dietaryCarbohydrates, HealthQuantity(20, .gram)))
    #expect(row()?.contains("--h:132\"") == true && row()?.contains(" 848h1") == true)
    // The middle of the word is 7 pixels above the end of the lane.
    #expect(row()?.contains("top:94.7%\">20 g<") == true)
  }
}
