import ClosedLoop
import HealthStore
import Quantities
import Testing

@testable import Records

/// Builds records by hand.
struct RecordMaker {
  static let midnight = Instant(secondsSince1970: 1_772_582_400)  // 2026-03-04T00:00:00Z
  var samples: [RestoredSample] = []
  private var number: UInt64 = 0

  private mutating func add(
    _ type: ObjectType, _ value: HealthQuantity, _ start: TimeSpan, _ end: TimeSpan,
    _ metadata: Metadata, by name: String, written: TimeSpan? = nil
  ) {
    number += 1
    let source = Source(name: name, bundleIdentifier: "test.\(name)")
    samples.append(
      RestoredSample(
        Sample(
          restoring: SampleUUID(high: 7, low: number), type: type, start: Self.midnight + start,
          end: Self.midnight + end, value: .quantity(value), metadata: metadata,
          sourceRevision: SourceRevision(source: source)),
        created: Self.midnight + (written ?? end)))
  }

  mutating func basal(
    _ units: Double, _ start: TimeSpan, _ end: TimeSpan, scheduled: Double? = 0.6,
    temp: Double? = nil, isSuspend: Bool = false, by name: String = "Loop",
    sync: SyncIdentifier? = nil
  ) {
    var metadata = Metadata()
    metadata.insulinDeliveryReason = .basal
    metadata.hasLoopKitOrigin = name == "Loop"
    metadata.scheduledBasalRate = scheduled.flatMap { InsulinRate(roundingUnitsPerHour: $0) }
    metadata.programmedTempBasalRate = temp.flatMap { InsulinRate(roundingUnitsPerHour: $0) }
    if isSuspend { metadata.isSuspend = true }
    if let sync { metadata.setSync(identifier: sync, version: 1) }
    add(.insulinDelivery, .init(units, .internationalUnit), start, end, metadata, by: name)
  }

  mutating func bolus(
    _ units: Double, _ start: TimeSpan, by name: String = "Loop", lasting: TimeSpan = .zero,
    written: TimeSpan? = nil, isByHand: Bool = false, hasReason: Bool = true,
    sync: SyncIdentifier? = nil, version: Int = 1
  ) {
    var metadata = Metadata()
    if hasReason { metadata.insulinDeliveryReason = .bolus }
    metadata.hasLoopKitOrigin = name == "Loop"
    if isByHand { metadata[.wasUserEntered] = .flag(true) }
    if let sync { metadata.setSync(identifier: sync, version: version) }
    add(
      .insulinDelivery, .init(units, .internationalUnit), start, start + lasting, metadata,
      by: name, written: written)
  }

  mutating func food(_ grams: Double, _ start: TimeSpan, by name: String = "Loop") {
    add(.dietaryCarbohydrates, .init(grams, .gram), start, start, Metadata(), by: name)
  }

  mutating func glucose(
    _ mgdL: Double, _ start: TimeSpan, by name: String = "CGM", written: TimeSpan? = nil,
    zone: String? = nil
  ) {
    var metadata = Metadata()
    if let zone { metadata[.timeZone] = .text(zone) }
    add(
      .bloodGlucose, .init(mgdL, .milligramPerDecilitre), start, start, metadata, by: name,
      written: written)
  }

  /// A day of half-hour segments of 0.3 U at 0.6 U/h.
  mutating func day(from: Int64 = 0, by name: String = "Loop", without: Set<Int64> = []) {
    for half in 0..<48 as Range<Int64> where !without.contains(half) {
      let start = TimeSpan.minutes(30) * half + .days(1) * from
      basal(0.3, start, start + .minutes(30), by: name)
    }
  }
}

extension TherapySettings {
  /// Settings for the person of a ``RecordMaker``, of 0.6 U/h.
  static let ofMaker = TherapySettings(
    basal: .init(always: InsulinRate(milliunitsPerHour: 600)),
    sensitivity: .init(always: InsulinSensitivity(mgdLPerUnit: 50)),
    carbRatio: .init(always: CarbohydrateRatio(gramsPerUnit: 10)),
    targets: .init(always: GlucoseRange(lower: .mgdL(100), upper: .mgdL(115))),
    suspendThreshold: .mgdL(75), maximumBolus: InsulinAmount(milliunits: 10_000),
    maximumBasalRate: InsulinRate(milliunitsPerHour: 4_000))
}
