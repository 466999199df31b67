import HealthStore
import Quantities
import Testing

@testable import Records

@Suite("Readings that a clock shifts")
struct GlucoseShiftTests {
  /// Glucose at a time of day: three meals over a slow wave.
  private static func usual(_ minute: Int) -> Double {
    let meals = [(7 * 60 + 30, 90.0), (12 * 60, 60.0), (19 * 60, 110.0)].map { start, height in
      let time = Double((minute - start + 1_440) % 1_440)
      // Rises in 70 minutes and falls again, as a gamma curve.
      return height * time / 70 * exponential(1 - time / 70)
    }
    return 110 + meals.reduce(0, +)
  }

  private static func exponential(_ x: Double) -> Double {
    // Enough for a test: (1 + x / n) to the power of n.
    var power = max(0, 1 + x / 1_024)
    for _ in 0..<10 { power *= power }
    return power
  }

  /// Eight days of readings with noise of ±10 mg/dL, each a time later than the body had it.
  private static func record(
    by shift: (TimeSpan) -> TimeSpan, body: (TimeSpan) -> TimeSpan = { $0 }, stray: Int64? = nil
  ) -> [AuditFinding] {
    var maker = RecordMaker()
    if let stray { maker.glucose(120, .days(stray)) }
    var state: UInt64 = 3
    for step in 0..<(8 * 288) as Range<Int64> {
      let time = TimeSpan.minutes(5) * step
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let noise = Double(state >> 40) / Double(1 << 24) * 20 - 10
      let minute = (body(time).milliseconds / 60_000 + 1_440) % 1_440
      maker.glucose(usual(Int(minute)) + noise, time + shift(time))
    }
    return Audit(maker.samples).findings.filter { $0.kind == .clockChange }
  }

  /// The fifth day at ten.
  private static let change = TimeSpan.days(4) + .hours(10)

  @Test("A clock that is set is found with its shift, and when it was set")
  func set() throws {
    let late = Self.record { $0 < Self.change ? .zero : .hours(2) }
    #expect(late.map(\.severity) == [.check])
    #expect(late[0].cause.contains("run 2 h later than"), "\(late[0].cause)")
    #expect((late[0].start - (RecordMaker.midnight + Self.change)).magnitude <= .minutes(15))
    let early = Self.record { $0 < Self.change ? .zero : -.minutes(95) }
    #expect(early.map(\.severity) == [.check])
    #expect(early[0].cause.contains("run 1 h 3"), "\(early[0].cause)")
    #expect(
      (early[0].start - (RecordMaker.midnight + Self.change)).magnitude <= .minutes(110))
  }

  @Test("One date that is decades off hides no clock that is set")
  func besideStray() {
    // 2026-03-04 is 20,516 days after 1970-01-01.
    let found = Self.record(by: { $0 < Self.change ? .zero : .hours(2) }, stray: -20_516)
    #expect(found.map(\.severity) == [.check])
    #expect(found.allSatisfy { $0.cause.contains("run 2 h later than") })
  }

  @Test("A clock that is right gives none, nor do twenty minutes")
  func right() {
    #expect(Self.record { _ in .zero }.isEmpty)
    #expect(Self.record { $0 < Self.change ? .zero : .minutes(20) }.isEmpty)
  }

  @Test("Days that begin later without a jump of the readings are only worth knowing")
  func holidays() {
    let findings = Self.record(by: { _ in .zero }) { $0 < .days(4) ? $0 : $0 - .hours(3) }
    #expect(findings.map(\.severity) == [.note])
  }

  @Test("Days that are not alike give none")
  func restless() {
    var maker = RecordMaker()
    for step in 0..<(8 * 288) as Range<Int64> {
      // The meals of each day at other times.
      let day = step / 288
      let minute = (step % 288 * 5 + day * day * 170) % 1_440
      let time = TimeSpan.minutes(5) * step
      let shift = time < Self.change ? TimeSpan.zero : .hours(2)
      maker.glucose(Self.usual(Int(minute)), time + shift)
    }
    #expect(!Audit(maker.samples).findings.contains { $0.kind == .clockChange })
  }

  @Test("Two doses under one identifier are two people; a dose that was moved is one")
  func clashes() {
    var maker = RecordMaker()
    for number in 0..<5 as Range<Int64> {
      maker.bolus(Double(number) + 1, .hours(number), sync: "dose-\(number)")
      // One that is written twice, and one that grew while it ran.
      maker.bolus(Double(number) + 1, .hours(number), sync: "dose-\(number)")
      maker.basal(0.1, .hours(number), .hours(number) + .minutes(5), sync: "basal-\(number)")
      maker.basal(0.3, .hours(number), .hours(number) + .minutes(15), sync: "basal-\(number)")
    }
    #expect(IdentifierClash.all(in: maker.samples).isEmpty)
    for number in 0..<4 as Range<Int64> {
      maker.bolus(Double(number) + 2.5, .hours(number) + .minutes(40), sync: "dose-\(number)")
    }
    let found = IdentifierClash.all(in: maker.samples)
    #expect(found.map(\.identifier) == ["dose-0", "dose-1", "dose-2", "dose-3"])
    // Under another source the same numbers are another pump's.
    var other = RecordMaker()
    for number in 0..<4 as Range<Int64> {
      other.bolus(1, .hours(number), sync: "dose-\(number)")
      other.bolus(2, .hours(number) + .hours(1), by: "Pen", sync: "dose-\(number)")
    }
    #expect(IdentifierClash.all(in: other.samples).isEmpty)
  }
}
