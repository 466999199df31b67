import HealthStore
import Quantities

@testable import Interchange

/// A store with a sample of every kind, for exports.
enum ExportFixture {
  static let start = Instant(secondsSince1970: 1_770_098_400)

  static func samples() throws -> [Sample] {
    var number: UInt64 = 0
    func uuid() -> SampleUUID {
      number += 1
      return SampleUUID(high: 0x8000, low: 0x8000_0000_0000_0000 + number)
    }
    let odd = start + .milliseconds(123)
    var metadata = Metadata([
      (.timeZone, .text("Europe/Berlin")), (MetadataKey("x <&> \"y\""), .text("a\nb\tc")),
      (MetadataKey("count"), .number(0.1)), (MetadataKey("flag"), .flag(false)),
      (MetadataKey("when"), .date(odd)), (MetadataKey("day"), .date(start)),
      (MetadataKey("rate"), .quantity(.init(0.85, .internationalUnitPerHour))),
      (.userCreatedDate, .date(odd)), (.wasTakenInLab, .text("no flag")),
    ])
    metadata.setSync(identifier: "a", version: 3)
    let device = Device(
      name: "Cuff", manufacturer: "Omron, Inc.", model: "M7", hardwareVersion: "1",
      firmwareVersion: "2", softwareVersion: "3", localIdentifier: "4", udiDeviceIdentifier: "5")
    let pressures = try [ObjectType.bloodPressureSystolic, .bloodPressureDiastolic].map {
      try Sample(
        $0, quantity: .init(80.5, .millimetreOfMercury), start: start, uuid: uuid(),
        device: device)
    }
    return [
      .bloodGlucose(.mgdL(123.456), at: odd, uuid: uuid(), metadata: metadata),
      try Sample(
        .bloodGlucose, quantity: .init(5.5, .millimolePerLitre), start: start, uuid: uuid()),
      .insulinDelivery(
        units: 0.6, reason: .basal, start: start, end: odd, uuid: uuid(), device: device),
      .dietaryCarbohydrates(CarbohydrateMass(grams: 45), at: start, uuid: uuid()),
      try Sample(.sleepAnalysis, category: 4, start: start, end: odd, uuid: uuid()),
      try Sample(.mindfulSession, category: 0, start: start, uuid: uuid()),
      try Sample(.bloodPressure, members: pressures, start: start, uuid: uuid(), device: device),
      try Sample(
        .food,
        members: [
          Sample(.dietaryProtein, quantity: .init(5, .gram), start: start, uuid: uuid())
        ], start: start, uuid: uuid(), metadata: [.foodType: .text("Bread")]),
      Sample(
        workout: Workout(
          activity: .wheelchairRunPace, duration: .seconds(1_234), kilocalories: 88.5,
          metres: 4_321,
          events: [.init(.lap, at: odd, duration: .seconds(30)), .init(.pause, at: start)]),
        start: start, end: odd + .hours(1), uuid: uuid()),
    ]
  }

  static func export(_ store: InMemoryHealthStore) throws -> [UInt8] {
    var writer = AppleHealthWriter(exportedAt: start, characteristics: [])
    for restored in try store.allSamples() { writer.append(restored) }
    writer.finish()
    return writer.takeBytes()
  }
}
