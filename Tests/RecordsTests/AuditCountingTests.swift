import ClosedLoop
import HealthStore
import Quantities
import Testing

@testable import Records

@Suite("What a record holds twice or late, counted")
struct AuditCountingTests {
  private func finding(_ audit: Audit, _ kind: AuditFinding.Kind) throws -> AuditFinding {
    try #require(audit.findings.first { $0.kind == kind }, "\(audit.findings.map(\.kind))")
  }

  @Test("A dose repeats one dose of another source, in whatever order the three stand")
  func oneOfTwo() throws {
    for place in 0..<3 {
      var maker = RecordMaker()
      maker.day()
      for index in 0..<3 {
        maker.bolus(
          1, .hours(12) + .seconds(30 * Int64(index)), by: index == place ? "Loop" : "Cloud")
      }
      let result = Audit(maker.samples)
      // Cloud has two boluses of 1 U, and Loop has one of them.
      #expect(abs(result.days[0].twice - 1) < 1e-9, "\(place)")
      #expect(abs(try finding(result, .duplicateAcross).amount - 1) < 1e-9, "\(place)")
    }
  }

  @Test("Segments that begin at once and hold as much, and end at other times, overlap")
  func overlapFromTheStart() throws {
    var maker = RecordMaker()
    maker.day()
    maker.basal(0.3, .hours(10), .minutes(615))
    let result = Audit(maker.samples)
    // A quarter of an hour of the half hour's 0.3 U.
    #expect(abs(result.days[0].twice - 0.15) < 1e-9)
    let found = try finding(result, .overlap)
    #expect(found.severity == .fault && abs(found.amount - 0.15) < 1e-9)
    #expect(!result.contains(.duplicateWithin))
  }

  @Test("Overlapping segments that are versions or copies are told once")
  func toldOnce() {
    var maker = RecordMaker()
    maker.day()
    // Two samples of the first segment of the next day, that of 0.45 U written later.
    maker.basal(0.3, .hours(24), .minutes(24 * 60 + 30), sync: "segment")
    maker.basal(0.45, .hours(24), .minutes(24 * 60 + 45), sync: "segment")
    // Two segments that overlap one another, in time that another source covers.
    maker.basal(0.3, .hours(12), .minutes(750), by: "Cloud")
    maker.basal(0.3, .minutes(735), .minutes(765), by: "Cloud")
    let result = Audit(maker.samples)
    let told = result.findings.filter { $0.amount > 0 }
    #expect(told.map(\.kind) == [.duplicateAcross, .syncConflict], "\(told.map(\.title))")
    #expect(zip(told.map(\.amount), [0.6, 0.45]).allSatisfy { abs($0 - $1) < 1e-9 })
    #expect(abs(result.days.reduce(0) { $0 + $1.twice } - 1.05) < 1e-9)
  }

  @Test("A segment that is there twice is told where its identifier is that of another dose too")
  func twiceAmongClashes() throws {
    var maker = RecordMaker()
    maker.day(without: [0, 1, 2, 3, 4])
    for _ in 0..<2 { maker.basal(0.3, .zero, .minutes(30), sync: "one") }
    maker.basal(0.3, .minutes(30), .hours(1))
    maker.basal(1.5, .hours(1), .minutes(150), sync: "one")
    let result = Audit(maker.samples)
    #expect(abs(try finding(result, .overlap).amount - 0.3) < 1e-9)
    #expect(abs(result.days[0].twice - 0.3) < 1e-9)
    #expect(try finding(result, .syncConflict).title == "One sync identifier of two doses")
  }

  @Test("A stretch without basal of two sources, each with some on both sides, is missing once")
  func missingOnce() throws {
    var maker = RecordMaker()
    for half in 0..<48 as Range<Int64> where ![4, 5].contains(half) {
      maker.basal(
        0.3, .minutes(30) * half, .minutes(30) * (half + 1),
        by: half.isMultiple(of: 2) ? "Loop" : "Trio")
    }
    let result = Audit(maker.samples)
    #expect(result.findings.count { $0.kind == .gap } == 1)
    let found = try finding(result, .gap)
    #expect(abs(found.amount + 0.6) < 1e-9)
    #expect(found.cause == "No sample of any source covers one stretch.")
    #expect(AuditText.headline(result) == "The record lacks 0.6 U of basal")
  }

  @Test("A reading that stands twice in one source is told, and no sensor stands still by it")
  func readingsTwice() throws {
    var maker = RecordMaker()
    maker.day()
    // A value is there for three readings, and with their copies six times.
    for step in 0..<60 as Range<Int64> {
      for _ in 0..<2 { maker.glucose(100 + 10 * Double(step / 3), .minutes(5) * step) }
    }
    let result = Audit(maker.samples)
    let found = try finding(result, .duplicateWithin)
    #expect(found.severity == .check && found.occurrences.count == 60 && found.amount == 0)
    #expect(
      found.cause == "60 readings of CGM stand twice, with the same time and value.")
    #expect(!result.contains(.glucoseStuck) && result.counts.glucose == 120)
    #expect(
      AuditText.headline(result)
        == "The record has no fault and 1 thing to check; 14.4 U a day from 1 source, no insulin "
        + "twice")
  }

  @Test("A cycle goes once by a reading that stands twice, and it is said")
  func cyclesOnce() {
    var maker = RecordMaker()
    for step in 0..<24 as Range<Int64> {
      for _ in 0..<2 { maker.glucose(110 + Double(step), .minutes(5) * step) }
    }
    let test = Backtest("once", samples: maker.samples, therapy: .ofMaker, clock: .utc)
    #expect(test.rows.count == 24 && test.readingsTwice == 24)
    #expect(
      BacktestText.lacking(test).contains(
        "24 readings stand twice in one source, with the same time and value: they are used once."))
  }

  @Test("The store's own total goes by the order of its sources, by itself as they come")
  func storeOrder() throws {
    var maker = RecordMaker()
    maker.basal(0.5, .minutes(5), .minutes(25), by: "Cloud")
    maker.basal(0.2, .minutes(10), .minutes(30))
    maker.day(without: [0])
    // All of Cloud's, the 5 of 20 minutes after it, and 47 segments of 0.3 U.
    #expect(abs(Audit(maker.samples).days[0].storeOwn - 14.65) < 1e-9)
    // All of Loop's, and the 5 of 20 minutes before it.
    let loop = Source(name: "Loop", bundleIdentifier: "test.Loop")
    let chosen = Audit(maker.samples, Audit.Options(priority: [loop]))
    #expect(abs(chosen.days[0].storeOwn - 14.425) < 1e-9)
    // A health store has the same figure.
    var store = InMemoryHealthStore()
    _ = try store.restore(maker.samples)
    let figures = try store.statistics(
      of: .insulinDelivery, options: .cumulativeSum, as: .user)
    #expect(abs((figures.merged.sum ?? 0) - 14.65) < 1e-9)
  }

  @Test("What is there twice and is less than a hundredth of a unit is not told as none")
  func little() throws {
    var maker = RecordMaker()
    maker.day(without: [10])
    maker.basal(0.302, .hours(5), .minutes(330) + .seconds(20))
    let result = Audit(maker.samples)
    // Twenty seconds of the segment from 05:30, of 0.3 U in half an hour.
    #expect(
      AuditText.headline(result)
        == "The samples of 2026-03-04 add up to 14.4 U; 0.003 U of it are counted twice")
    #expect(AuditText.units(0.0014) == "0.001 U")
    #expect(AuditText.units(0) == "0 U" && AuditText.units(0.0001) == "0 U")
  }

  @Test("Of boluses written late all that are missed at one time count, and not the largest alone")
  func lateTogether() throws {
    var maker = RecordMaker()
    maker.day()
    maker.bolus(5, .hours(12), written: .hours(15))
    maker.bolus(4, .minutes(730), written: .hours(15))
    // When this one is given the others are written.
    maker.bolus(8, .hours(15), written: .hours(18))
    let found = try finding(Audit(maker.samples), .late)
    #expect(
      found.consequence
        == "Until then whoever read the record missed up to 9 U of active insulin.")
  }

  @Test("Of boluses written days late those count together that act at one time")
  func lateForDays() throws {
    var maker = RecordMaker()
    maker.day()
    for day in 0..<6 as Range<Int64> {
      for hour in [7, 12, 18] as [Int64] {
        maker.bolus(5, .hours(24 * day + hour), written: .hours(24 * 7))
      }
    }
    let found = try finding(Audit(maker.samples), .late)
    // By LoopKit's exponential model of 360 min with its peak at 75 min and a delay of 10 min, of
    // the 5 U of 07:00 there are 0.099 U at 12:00, and of all 90 U no more acts at any time.
    #expect(
      found.consequence
        == "Until then whoever read the record missed up to 5.1 U of active insulin.")
  }

  @Test("What a page draws of each sample is its kind and the rate that it states")
  func marks() {
    var maker = RecordMaker()
    maker.basal(0.6, .zero, .hours(1))
    maker.basal(1.2, .hours(1), .hours(2), temp: 1.2)
    maker.basal(0, .hours(2), .hours(3), isSuspend: true)
    maker.basal(0.5, .hours(3), .hours(4), scheduled: nil)
    maker.bolus(2, .hours(4))
    maker.bolus(1, .hours(5), hasReason: false)
    maker.food(20, .hours(6))
    let marks = Audit(maker.samples).marks.sorted { $0.start < $1.start }
    #expect(
      marks.map(\.kind)
        == ["Basal", "Temp basal", "Suspension", "Basal", "Bolus", "Bolus", "Food"])
    #expect(marks.map(\.rate) == [0.6, 1.2, 0, nil, nil, nil, nil])
    #expect(marks.map(\.isBasal) == [true, true, true, true, false, false, false])
    #expect(marks.map(\.isFood) == [false, false, false, false, false, false, true])
    #expect(marks.map(\.amount) == [0.6, 1.2, 0, 0.5, 2, 1, 20])
  }
}
