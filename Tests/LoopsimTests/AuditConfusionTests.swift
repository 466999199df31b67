import Foundation
import HealthStore
import Interchange
import Quantities
import Records
import RunPlans
import ScenarioLanguage
import Scenarios
import Simulation
import StructuredText
import TestSupport
import Testing

@testable import loopsim

/// Records of runs, with defects put in, through each format and the audit.
@Suite("The audit finds what was put into a record")
struct AuditConfusionTests {
  /// A form of file with what it can carry.
  enum Format: String, CaseIterable {
    case appleHealth, tidepool, nightscout

    /// The samples after a way through the format.
    func carried(_ samples: [RestoredSample]) throws -> [RestoredSample] {
      switch self {
      case .appleHealth:
        let end = samples.map(\.sample.end).max() ?? Instant(secondsSince1970: 0)
        let bytes = ExportFile.bytes(of: samples, at: end)
        var reader = AppleHealthReader(file: "export.xml")
        var parts = [bytes, []][...]
        var read: [RestoredSample] = []
        while let some = try reader.next(upTo: 10_000, input: { parts.popFirst() ?? [] }) {
          read += some
        }
        return read
      case .tidepool:
        var writer = TidepoolWriter(file: "data.json")
        for restored in samples { writer.append(restored.sample) }
        return try RecordInput(file: "data.json", options: RecordOptions())
          .samples(of: writer.bytes, as: .tidepool).samples
      case .nightscout:
        var writer = NightscoutWriter(file: "dump.json")
        for restored in samples { writer.append(restored.sample) }
        return try RecordInput(file: "dump.json", options: RecordOptions())
          .samples(of: writer.bytes, as: .nightscout).samples
      }
    }
  }

  /// A defect, the finding that it must give, and the formats that can carry it.
  enum Defect: String, CaseIterable {
    case lostSegment, twiceInSource, secondUploader, lateBolus, bolusAsBasal, noReason, twoVersions

    var kind: AuditFinding.Kind {
      switch self {
      case .lostSegment: .gap
      case .twiceInSource: .duplicateWithin
      case .secondUploader: .duplicateAcross
      case .lateBolus: .late
      case .bolusAsBasal: .impossibleRate
      case .noReason: .unlabelled
      case .twoVersions: .syncConflict
      }
    }

    var formats: Set<Format> {
      switch self {
      // Tidepool and Nightscout say when a dose was given, not when it was written.
      case .lateBolus, .noReason: [.appleHealth]
      // Loop's service for Nightscout sends no scheduled basal, so that a gap cannot be told.
      case .lostSegment, .bolusAsBasal: [.appleHealth, .tidepool]
      case .twoVersions: [.appleHealth, .tidepool]
      case .twiceInSource, .secondUploader: Set(Format.allCases)
      }
    }
  }

  /// What was put in.
  struct Injected {
    var samples: [RestoredSample]
    var time: Instant
    var units: Double
  }

  // MARK: - Runs

  static let bodies = [
    """
    model: 'tidepool-simple', needs: { basal: [['00:00', 0.8]], sensitivity: [['00:00', 45]],
      carbRatio: [['00:00', 10]] }
    """,
    "model: 'uva-padova-s2008', name: 'adult#001'",
    "model: 'uva-padova-s2008', name: 'adolescent#002'",
    "model: 'hovorka', generated: { member: 3 }", "model: 'uva-padova-s2013', name: 'adult#003'",
  ]

  static func scenario(_ index: Int, duration: String) -> String {
    let body = bodies[index % bodies.count]
    let dosing = index % 2 == 0 ? "automaticBolus" : "tempBasal"
    let meal = 20 + 5 * (index % 9)
    return """
      { format: 'loopsim/1', id: 'record-\(index)', random: { seed: \(index) },
        clock: { start: '2026-03-0\(3 + index % 4)T\(index % 2 == 0 ? "07" : "18"):00:00',
          timeZone: 'UTC', duration: '\(duration)' },
        patient: { \(body) }, cgm: { model: 'ar1' }, app: { dosing: '\(dosing)' },
        events: [{ at: '+1h', meal: { grams: \(meal), absorption: '3h' }, entry: {} },
          { at: '+1h', bolus: { units: \(2 + index % 3) } },
          { at: '+5h', bolus: { units: 1.5 } }] }
      """
  }

  /// The insulin, food and glucose that a run wrote to the health store.
  static func record(_ index: Int, duration: String = "8h") throws -> [RestoredSample] {
    let problems = ProblemList()
    var reader = ScenarioReader(
      files: MemoryFiles(["r.json5": scenario(index, duration: duration)]))
    let read = reader.read("r.json5", problems: problems)
    let document = try #require(read, "\(problems.sorted)")
    let plan = try #require(
      RunPlan(document, reader: reader, problems: problems), "\(problems.sorted)")
    let built = RunBuilder.build(plan.run(at: 0), problems: problems)
    var run = Run(try #require(built, "\(problems.sorted)").setup)
    while run.step() {}
    let store = run.finish().store
    return try store.allSamples(of: [.insulinDelivery, .dietaryCarbohydrates, .bloodGlucose])
      .filter { !$0.sample.hasUndeterminedDuration }
  }

  // MARK: - Defects

  static func changed(
    _ restored: RestoredSample, _ number: UInt64, start: Instant? = nil, end: Instant? = nil,
    units: Double? = nil, by name: String? = nil, written: Instant? = nil,
    _ change: (inout Metadata) -> Void = { _ in }
  ) -> RestoredSample {
    let sample = restored.sample
    var metadata = sample.metadata
    change(&metadata)
    let value = units.map { SampleValue.quantity(HealthQuantity($0, .internationalUnit)) }
    let revision = name.map {
      SourceRevision(source: Source(name: $0, bundleIdentifier: "org.example.\($0)"))
    }
    return RestoredSample(
      Sample(
        restoring: SampleUUID(high: 99, low: number), type: sample.type,
        start: start ?? sample.start, end: end ?? sample.end, value: value ?? sample.value,
        metadata: metadata, sourceRevision: revision ?? sample.sourceRevision),
      created: written ?? restored.created)
  }

  /// The record with a defect; `nil` where it has no dose for it.
  static func inject(_ defect: Defect, into samples: [RestoredSample]) -> Injected? {
    let insulin = samples.filter { $0.sample.type == .insulinDelivery }
      .sorted { $0.sample.start < $1.sample.start }
    let boluses = insulin.filter { $0.sample.metadata.insulinDeliveryReason == .bolus }
    let basal = insulin.filter { $0.sample.metadata.insulinDeliveryReason == .basal }
    guard
      let bolus = boluses.max(by: { ($0.sample.storedValue ?? 0) < ($1.sample.storedValue ?? 0) })
    else { return nil }
    let units = bolus.sample.storedValue ?? 0
    func replacing(_ old: RestoredSample, by new: [RestoredSample]) -> [RestoredSample] {
      samples.filter { $0.sample.uuid != old.sample.uuid } + new
    }
    func renamed(_ metadata: inout Metadata) {
      if metadata.syncIdentifier != nil { metadata.setSync(identifier: "other", version: 1) }
    }
    switch defect {
    case .lostSegment:
      let inner = basal.dropFirst().dropLast().filter {
        $0.sample.end - $0.sample.start >= .minutes(11)
      }
      guard let lost = inner.first else { return nil }
      return Injected(
        samples: samples.filter { $0.sample.uuid != lost.sample.uuid }, time: lost.sample.start,
        units: .nan)
    case .twiceInSource:
      return Injected(
        samples: samples + [changed(bolus, 1, renamed)], time: bolus.sample.start, units: units)
    case .secondUploader:
      let start = bolus.sample.start + .seconds(20)
      let copy = changed(
        bolus, 2, start: start, end: start + bolus.sample.duration, by: "Cloud", renamed)
      return Injected(samples: samples + [copy], time: bolus.sample.start, units: units)
    case .lateBolus:
      let late = changed(bolus, 3, written: bolus.sample.end + .hours(3))
      return Injected(samples: replacing(bolus, by: [late]), time: bolus.sample.start, units: 0)
    case .bolusAsBasal:
      guard let segment = basal.first(where: { $0.sample.duration >= .minutes(5) }) else {
        return nil
      }
      let cut = segment.sample.start + .seconds(110)
      let big = changed(segment, 4, end: cut, units: 2.05) { metadata in
        metadata.programmedTempBasalRate = nil
      }
      let rest = changed(segment, 5, start: cut, renamed)
      return Injected(
        samples: replacing(segment, by: [big, rest]), time: segment.sample.start, units: 0)
    case .noReason:
      let mute = changed(bolus, 6) { $0.insulinDeliveryReason = nil }
      return Injected(samples: replacing(bolus, by: [mute]), time: bolus.sample.start, units: units)
    case .twoVersions:
      guard bolus.sample.metadata.syncIdentifier != nil else { return nil }
      let other = changed(bolus, 7, units: units + 0.5)
      return Injected(samples: samples + [other], time: bolus.sample.start, units: .nan)
    }
  }

  /// Whether the audit names the defect at its time with its units.
  static func isFound(_ injected: Injected, _ kind: AuditFinding.Kind, _ audit: Audit) -> Bool {
    audit.findings.contains { finding in
      finding.kind == kind
        && finding.occurrences.contains { place in
          (place.start - injected.time).magnitude <= .seconds(1)
            && (injected.units.isNaN || (place.amount.magnitude - injected.units).magnitude <= 5e-4)
        }
    }
  }

  @Test("Every defect that a format can carry is found, and clean records have none")
  func confusion() throws {
    var found: [String: Int] = [:]
    var tried: [String: Int] = [:]
    // Forty hold the whole table; two, or one, are what a test run has time for.
    let asked = ProcessInfo.processInfo.environment["LOOPSIM_AUDIT_RECORDS"]
    let count = asked.flatMap(Int.init) ?? Extent.of(1, whole: 2)
    for index in 0..<count {
      let record = try Self.record(index, duration: Extent.of("6h", whole: "8h"))
      for format in Format.allCases {
        let clean = Audit(try format.carried(record))
        let worst = clean.findings.filter { $0.severity == .fault || $0.severity == .check }
        #expect(
          worst.isEmpty,
          "record-\(index), \(format): \(worst.map { "\($0.kind) \($0.start) \($0.cause)" })")
        for defect in Defect.allCases where defect.formats.contains(format) {
          guard let injected = Self.inject(defect, into: record) else { continue }
          let audit = Audit(try format.carried(injected.samples))
          let key = "\(defect) \(format)"
          tried[key, default: 0] += 1
          let isFound = Self.isFound(injected, defect.kind, audit)
          if isFound { found[key, default: 0] += 1 }
          #expect(
            isFound, "record-\(index), \(key): \(audit.findings.map { "\($0.kind) \($0.start)" })")
        }
      }
    }
    for key in tried.keys.sorted() {
      #expect(found[key] == tried[key], "\(key)")
      #expect(tried[key] ?? 0 >= count * 3 / 4, "\(key): \(tried[key] ?? 0)")
    }
    #expect(tried.count == Defect.allCases.reduce(0) { $0 + $1.formats.count })
  }

  @Test("A clock that was set is found through every format, and days alike give nothing")
  func shiftedDays() throws {
    // Eight days of three meals; from the fifth on, at ten, two hours later by the clock.
    func samples(shift: TimeSpan) -> [RestoredSample] {
      let start = Instant(secondsSince1970: 1_772_582_400)
      let source = Source(name: "CGM", bundleIdentifier: "org.example.cgm")
      return (0..<(8 * 288)).map { step in
        let minute = step % 288 * 5
        let meal = [450, 720, 1_140].map { max(0, 120 - abs(Double(minute - $0))) }.reduce(0, +)
        let time = start + .minutes(5) * Int64(step) + (step < 4 * 288 + 120 ? .zero : shift)
        let sample = Sample(
          restoring: SampleUUID(high: 98, low: UInt64(step)), type: .bloodGlucose, start: time,
          end: time,
          value: .quantity(
            HealthQuantity((100 + meal + Double(step * 7 % 11)).rounded(), .milligramPerDecilitre)),
          sourceRevision: SourceRevision(source: source))
        return RestoredSample(sample, created: time)
      }
    }
    for format in Extent.some(of: Format.allCases.reversed(), every: 4) {
      let clean = Audit(try format.carried(samples(shift: .zero)))
      #expect(clean.findings.allSatisfy { $0.severity == .note }, "\(format)")
      let shifted = Audit(try format.carried(samples(shift: .hours(2))))
      let found = shifted.findings.filter { $0.kind == .clockChange }
      #expect(found.map(\.severity) == [.check], "\(format)")
      #expect(found.first?.cause.contains("2 h later") == true, "\(format)")
    }
    // With the whole table, eight days of two runs too.
    guard ProcessInfo.processInfo.environment["LOOPSIM_AUDIT_RECORDS"] != nil else { return }
    for index in 0..<2 {
      let clean = Audit(try Self.record(index, duration: "8d"))
      let worst = clean.findings.filter { $0.severity == .fault || $0.severity == .check }
      #expect(worst.isEmpty, "\(index): \(worst.map { "\($0.kind) \($0.start) \($0.cause)" })")
    }
  }
}
