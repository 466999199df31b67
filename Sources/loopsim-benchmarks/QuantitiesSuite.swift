import Quantities

/// Time and amounts: what every other module stands on.
enum QuantitiesSuite {
  static let suite = Suite(
    name: "quantities",
    cases: [
      Benchmark(name: "expand a year of 48 entries", unit: "segment", units: 365 * 48) {
        expandSchedule(opaque(halfHourly), days: 365)
      },
      Benchmark(name: "civil time of an instant", unit: "instant", units: 100_000) {
        var sum = Checksum()
        var instant = opaque(Instant(secondsSince1970: 1_772_323_200))
        for _ in 0..<100_000 {
          let civil = losAngeles.civilTime(at: instant)
          sum.absorb(Int64(civil.day) + civil.timeOfDay.milliseconds)
          instant += .minutes(5)
        }
        return sum.value
      },
      Benchmark(name: "write an instant as ISO 8601", unit: "instant", units: 10_000) {
        var sum = Checksum()
        var instant = opaque(Instant(secondsSince1970: 1_772_323_200))
        for _ in 0..<10_000 {
          for byte in losAngeles.iso8601(instant).utf8 { sum.absorb(UInt64(byte)) }
          instant += .minutes(5)
        }
        return sum.value
      },
      Benchmark(name: "add amounts", unit: "amount", units: 100_000) {
        let pulse = opaque(InsulinAmount(milliunits: 50))
        var total = opaque(InsulinAmount.zero)
        for index in 0..<100_000 as Range<Int64> { total += pulse * (index & 7) }
        return UInt64(bitPattern: total.milliunits)
      },
    ])

  private static let halfHourly: DailySchedule<InsulinRate> = {
    let entries = (0..<48).compactMap { index in
      TimeOfDay(hour: index / 2, minute: index % 2 * 30).map {
        DailySchedule.Entry(
          start: $0, value: InsulinRate(milliunitsPerHour: 400 + Int64(index) * 25))
      }
    }
    return (try? DailySchedule(entries)) ?? DailySchedule(always: .zero)
  }()

  /// Los Angeles in 2026: winter time, then daylight saving time, then winter time.
  private static let losAngeles = WallClock(
    initialOffset: .hours(-8),
    transitions: [
      .init(instant: Instant(secondsSince1970: 1_772_964_000), offset: .hours(-7)),
      .init(instant: Instant(secondsSince1970: 1_793_523_600), offset: .hours(-8)),
    ])

  private static func expandSchedule(_ schedule: DailySchedule<InsulinRate>, days: Int64) -> UInt64
  {
    let start = Instant(secondsSince1970: 1_767_254_400)
    let timeline = schedule.timeline(from: start, to: start + .days(days), on: losAngeles)
    var sum = Checksum()
    for segment in timeline.segments {
      sum.absorb(segment.value.milliunitsPerHour)
      sum.absorb(segment.end.millisecondsSince1970)
    }
    return sum.value
  }
}
