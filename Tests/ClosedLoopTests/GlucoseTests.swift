import Devices
import HealthStore
import Quantities
import Testing

@testable import ClosedLoop

@Suite("Glucose between CGM, app and health store")
struct GlucoseTests {
  /// Runs with a noisy CGM, with the vendor's app beside or without.
  static func run(hours: Int64, vendor: Bool) throws -> Bench {
    var bench = try Bench(schedule: [(0, 400)], from: at(6)) {
      $0.sensor = vendor ? .dexcomApp : .init()
    }
    var app = VendorGlucoseApp()
    if vendor { try app.open(&bench.store) }
    for step in 1...(hours * 12) {
      bench.mgdL = 120 + Double((step * 37) % 23)
      app.observe(
        GlucoseReading(number: step, instant: at(6, step * 5), glucose: .mgdL(bench.mgdL)))
      try app.write(to: &bench.store, at: at(6, step * 5))
      try bench.run(until: at(6, step * 5))
    }
    return bench
  }

  static func sources(_ bench: Bench) throws -> [String: [Sample]] {
    try Dictionary(grouping: bench.samples(.bloodGlucose)) { $0.source?.name ?? "" }
  }

  @Test("H69: a reading is in the health store in the same cycle, raw, under Loop's name")
  func writesAtOnce() throws {
    var bench = try Bench(from: at(9))
    bench.mgdL = 123
    try bench.run(until: at(9, 5))
    let sample = try #require(try bench.samples(.bloodGlucose).first)
    #expect(sample.start == at(9, 5))
    #expect(sample.glucose == .mgdL(123))
    #expect(sample.source?.name == "Loop")
    #expect(sample.metadata.syncVersion == 1)
  }

  @Test(
    "H70, H71, D26: Loop holds the last 3 hours, the vendor's app everything earlier, once each")
  func handsOverToTheVendor() throws {
    let bench = try Self.run(hours: 6, vendor: true)
    let sources = try Self.sources(bench)
    let loop = try #require(sources["Loop"])
    let vendor = try #require(sources["Dexcom G6"])
    #expect(vendor.map(\.start).max() == at(9))
    #expect(loop.map(\.start).min() == at(9))
    #expect(vendor.count == 36)
    #expect(loop.count == 37)
    let onlyOnce = Set(loop.map(\.start)).intersection(vendor.map(\.start))
    // The one of exactly 3 hours ago is there twice until the next reading.
    #expect(onlyOnce == [at(9)])
  }

  @Test("H72, D27: with any other CGM all readings stay Loop's")
  func staysLoops() throws {
    let sources = try Self.sources(Self.run(hours: 6, vendor: false))
    #expect(sources["Loop"]?.count == 72)
    #expect(sources.count == 1)
  }

  @Test("H73, D28: the vendor's values are smoother than the transmitter's")
  func vendorSmooths() throws {
    let bench = try Self.run(hours: 6, vendor: true)
    func roughness(_ values: [Double]) -> Double {
      zip(zip(values, values.dropFirst()), values.dropFirst(2)).map {
        let second = $0.0.0 - 2 * $0.0.1 + $0.1
        return second * second
      }.reduce(0, +)
    }
    let raw = (1...36).map { 120 + Double(($0 * 37) % 23) }
    let vendor = try Self.sources(bench)["Dexcom G6"]?.compactMap(\.glucose?.mgdL) ?? []
    #expect(roughness(vendor) < roughness(raw) / 4)
  }

  @Test("H74: own samples of more than 7 days ago and those of others are left alone")
  func leavesOldAndForeignSamples() throws {
    var bench = try Bench(from: at(9)) { $0.sensor = .dexcomApp }
    let loop = try #require(bench.app.health.client)
    let old = at(9) - .days(8)
    try bench.store.save(
      [.bloodGlucose(.mgdL(99), at: old, uuid: SampleUUID(high: 1, low: 1))], as: loop, at: old)
    let meter = try bench.store.register(
      HealthClient(bundleIdentifier: "com.example.meter", name: "Meter"), granting: .full)
    try bench.store.save(
      [.bloodGlucose(.mgdL(98), at: at(2), uuid: SampleUUID(high: 1, low: 2))], as: meter,
      at: at(2))
    try bench.run(until: at(9, 10))
    let kept = try bench.samples(.bloodGlucose).compactMap(\.glucose?.mgdL)
    #expect(kept.prefix(2) == [99, 98])
  }

  @Test("H75: a fingerstick of another app is read and used")
  func readsFingersticks() throws {
    var bench = try Bench(from: at(9))
    let meter = try bench.store.register(
      HealthClient(bundleIdentifier: "com.example.meter", name: "Meter"), granting: .full)
    bench.sendsGlucose = false
    try bench.store.save(
      [.bloodGlucose(.mgdL(87), at: at(9, 4), uuid: SampleUUID(high: 1, low: 2))], as: meter,
      at: at(9, 4))
    try bench.run(until: at(9, 5))
    #expect(bench.app.glucose.store.newest?.glucose == .mgdL(87))
    #expect(bench.app.glucose.store.newest?.provenance == "com.example.meter")
    #expect(bench.decisions.last?.refusal == nil)
  }

  @Test("H86: a write that fails is made up for with the next reading")
  func retriesFailedWrites() throws {
    var bench = try Bench(from: at(9))
    try bench.run(until: at(9, 5))
    try bench.store.changeSettings { $0.isRestricted = true }
    try bench.run(until: at(9, 10))
    try bench.store.changeSettings { $0.isRestricted = false }
    #expect(try bench.samples(.bloodGlucose).count == 1)
    #expect(bench.app.warnings.count == 2)
    try bench.run(until: at(9, 15))
    #expect(try bench.samples(.bloodGlucose).count == 3)
  }

  @Test("A value that arrives while writing is not allowed is never written")
  func neverWritesWithoutPermission() throws {
    var bench = try Bench(from: at(9), grants: .readOnly)
    try bench.run(until: at(9, 10))
    let loop = try #require(bench.app.health.client)
    try bench.store.setAuthorization(.full, of: loop, for: [.bloodGlucose])
    try bench.run(until: at(9, 20))
    #expect(try bench.samples(.bloodGlucose).map(\.start) == [at(9, 15), at(9, 20)])
  }

  @Test("A reading that comes twice is stored once; one with a storage delay is written later")
  func knowsReadings() throws {
    var bench = try Bench(from: at(9)) { $0.sensor = .init(healthStorageDelay: .minutes(10)) }
    let reading = GlucoseReading(number: 7, instant: at(9), glucose: .mgdL(100))
    bench.app.ingest(reading, at: at(9))
    bench.app.ingest(reading, at: at(9, 1))
    #expect(bench.app.glucose.store.rows.count == 1)
    bench.app.report(to: &bench.store, at: at(9, 9))
    #expect(try bench.samples(.bloodGlucose).isEmpty)
    bench.app.report(to: &bench.store, at: at(9, 10))
    #expect(try bench.samples(.bloodGlucose).count == 1)
  }

  @Test("H84: with mmol/L chosen in the health store all is shown in it, and dosing is the same")
  func showsTheChosenUnit() throws {
    var plain = try Bench(schedule: [(0, 400)], from: at(6), closedLoop: true)
    var molar = plain
    try molar.store.setPreferredUnit(.millimolePerLitre, for: .bloodGlucose)
    for step in 1...24 as ClosedRange<Int64> {
      (plain.mgdL, molar.mgdL) = (150 + Double(step), 150 + Double(step))
      try plain.run(until: at(6, step * 5))
      try molar.run(until: at(6, step * 5))
    }
    #expect(molar.decisions.map { "\($0)" } == plain.decisions.map { "\($0)" })
    #expect(molar.decisions.count == 24)
    #expect(try molar.samples(.insulinDelivery) == plain.samples(.insulinDelivery))
    let first = try #require(try plain.samples(.bloodGlucose).first)
    #expect(first.glucose == .mgdL(151))
    #expect(plain.store.registry.displayText(of: first) == "151 mg/dL")
    #expect(molar.store.registry.displayText(of: first) == "8.4 mmol/L")
  }

  @Test("H85: a CGM that shows another unit than the health store is a warning, and no more")
  func warnsOfUnits() throws {
    var bench = try Bench(from: at(9))
    bench.app.noteDisplayUnits(sensor: "mg/dL", store: "mg/dL")
    #expect(bench.app.warnings.isEmpty)
    bench.app.noteDisplayUnits(sensor: "mg/dL", store: "mmol/L")
    bench.app.noteDisplayUnits(sensor: "mg/dL", store: "mmol/L")
    #expect(bench.app.warnings == [.displayUnitDiffers(sensor: "mg/dL", store: "mmol/L")])
  }

  @Test("What cannot be written as a run ends is told, and values of others are not taken")
  func endsRefused() throws {
    var bench = try Bench(from: at(9)) { $0.readsForeignGlucose = false }
    try bench.run(until: at(9, 5))
    let meter = try bench.store.register(
      HealthClient(bundleIdentifier: "com.example.meter", name: "Meter"), granting: .full)
    try bench.store.save(
      .bloodGlucose(.mgdL(87), at: at(9, 6), uuid: SampleUUID(high: 9, low: 9)), as: meter,
      at: at(9, 6))
    bench.app.ingestChanges(of: &bench.store, at: at(9, 7))
    #expect(bench.app.glucose.store.newest?.date == at(9, 5))
    #expect(bench.app.warnings.isEmpty)
    bench.now = at(9, 10)
    bench.sense()
    try bench.store.changeSettings { $0.isRestricted = true }
    bench.app.flush(to: &bench.store, at: at(9, 10))
    #expect(!bench.app.warnings.isEmpty)
  }
}
