import Foundation
import HealthStore
import Quantities
import StructuredText
import Testing

@testable import Interchange

/// What a way through each format keeps, held against the table of the guide.
@Suite("What a way through a format loses")
struct FormatLossTests {
  private enum Format: String, CaseIterable {
    case appleHealth = "Apple Health"
    case tidepool = "Tidepool"
    case nightscout = "Nightscout"

    func carried(_ samples: [RestoredSample]) throws -> [RestoredSample] {
      switch self {
      case .appleHealth:
        var writer = AppleHealthWriter(exportedAt: start + .days(1), characteristics: [])
        for restored in samples { writer.append(restored) }
        writer.finish()
        let bytes = writer.takeBytes()
        var reader = AppleHealthReader(file: "export.xml")
        var parts = [bytes, []][...]
        var read: [RestoredSample] = []
        while let some = try reader.next(upTo: 100, input: { parts.popFirst() ?? [] }) {
          read += some
        }
        return read
      case .tidepool:
        var writer = TidepoolWriter(file: "data.json")
        for restored in samples { writer.append(restored.sample) }
        let root = try #require(JSONReader.read(writer.bytes, file: "data.json").root)
        var reader = TidepoolReader(file: "data.json")
        return reader.samples(of: root, problems: ProblemList()) ?? []
      case .nightscout:
        var writer = NightscoutWriter(file: "dump.json")
        for restored in samples { writer.append(restored.sample) }
        let root = try #require(JSONReader.read(writer.bytes, file: "dump.json").root)
        var reader = NightscoutReader(file: "dump.json") { _ in .utc }
        return reader.samples(of: root, problems: ProblemList()) ?? []
      }
    }
  }

  private static let start = Instant(secondsSince1970: 1_770_102_000)
  private static let source = SourceRevision(
    source: Source(name: "Loop", bundleIdentifier: "com.loopkit.Loop"))

  private static func sample(
    _ number: UInt64, _ type: ObjectType, _ quantity: HealthQuantity, from: TimeSpan = .zero,
    to: TimeSpan = .zero, written: TimeSpan? = nil, _ change: (inout Metadata) -> Void = { _ in }
  ) -> RestoredSample {
    var metadata = Metadata()
    change(&metadata)
    return RestoredSample(
      Sample(
        restoring: SampleUUID(high: 5, low: number), type: type, start: start + from,
        end: start + to, value: .quantity(quantity), metadata: metadata, sourceRevision: source),
      created: start + (written ?? to))
  }

  private static func bolus(
    _ units: Double = 1.5, lasting: TimeSpan = .zero, written: TimeSpan? = nil,
    _ change: @escaping (inout Metadata) -> Void = { _ in }
  ) -> RestoredSample {
    sample(
      1, .insulinDelivery, .init(units, .internationalUnit), to: lasting, written: written
    ) {
      $0.insulinDeliveryReason = .bolus
      $0.hasLoopKitOrigin = true
      $0.setSync(identifier: "b1", version: 2)
      change(&$0)
    }
  }

  private static func basal(
    _ number: UInt64 = 2, from: TimeSpan = .zero, to: TimeSpan = .minutes(30), temp: Double? = nil
  ) -> RestoredSample {
    let units = (temp ?? 0.8) * (to - from).hours
    return sample(number, .insulinDelivery, .init(units, .internationalUnit), from: from, to: to) {
      $0.insulinDeliveryReason = .basal
      $0.hasLoopKitOrigin = true
      $0.isSuspend = false
      $0.scheduledBasalRate = InsulinRate(roundingUnitsPerHour: 0.8)
      $0.programmedTempBasalRate = temp.flatMap { InsulinRate(roundingUnitsPerHour: $0) }
      $0.setSync(identifier: "s\(number)", version: 1)
    }
  }

  /// `kept` or `lost` for a part of the only sample, `left` where there is none.
  private static func word<Part: Equatable>(
    _ format: Format, _ given: RestoredSample, _ part: (RestoredSample) -> Part
  ) throws -> String {
    let read = try format.carried([given])
    guard let first = read.first else { return "left" }
    return part(first) == part(given) ? "kept" : "lost"
  }

  private static func temps(_ read: [RestoredSample]) -> [RestoredSample] {
    read.filter { $0.sample.metadata.programmedTempBasalRate != nil }
  }

  /// The first word of a row's cell.
  private static func found(_ row: String, _ format: Format) throws -> String? {
    switch row {
    case "identity of a sample": return try word(format, bolus()) { $0.sample.uuid }
    case "name of the source": return try word(format, bolus()) { $0.sample.source?.name }
    case "time of writing": return try word(format, bolus(written: .hours(3))) { $0.created }
    case "sync identifier and version":
      return try word(format, bolus()) {
        "\($0.sample.metadata.syncIdentifier ?? "") \($0.sample.metadata.syncVersion ?? 0)"
      }
    case "scheduled basal": return try word(format, basal()) { $0.sample.storedValue }
    case "scheduled rate of a temp basal":
      return try word(format, basal(temp: 1.2)) { $0.sample.metadata.scheduledBasalRate }
    case "programmed rate of a temp basal":
      return try word(format, basal(temp: 1.2)) { $0.sample.metadata.programmedTempBasalRate }
    case "end of a bolus": return try word(format, bolus(lasting: .minutes(2))) { $0.sample.end }
    case "overlap of basal segments of one app":
      let read = temps(
        try format.carried([
          basal(2, temp: 1.2), basal(3, from: .minutes(20), to: .minutes(50), temp: 2),
        ]))
      return read.map(\.sample.duration) == [.minutes(30), .minutes(30)] ? "kept" : "lost"
    case "insulin without a reason":
      let mute = bolus { $0.insulinDeliveryReason = nil }
      return try word(format, mute) { $0.sample.metadata.insulinDeliveryReason }
    case "basal insulin of a pen":
      let pen = sample(6, .insulinDelivery, .init(12, .internationalUnit)) {
        $0.insulinDeliveryReason = .basal
        $0[.wasUserEntered] = .flag(true)
      }
      return try word(format, pen) { "\($0.sample.storedValue ?? 0) \($0.sample.duration)" }
    case "glucose below 39 mg/dL", "glucose above 1000 mg/dL":
      let value = row.contains("below") ? 20.0 : 1_200
      return try word(format, sample(4, .bloodGlucose, .init(value, .milligramPerDecilitre))) {
        ($0.sample.storedValue ?? 0).rounded()
      }
    case "carbohydrates of a meal of several nutrients":
      let members = [
        sample(7, .dietaryCarbohydrates, .init(46, .gram)).sample,
        sample(8, .dietaryProtein, .init(12, .gram)).sample,
      ]
      let meal = RestoredSample(
        Sample(
          restoring: SampleUUID(high: 5, low: 9), type: .food, start: start, end: start,
          value: .correlation(members), sourceRevision: source),
        created: start)
      return try word(format, meal) { read in
        ([read.sample] + read.sample.members).filter { $0.type == .dietaryCarbohydrates }
          .compactMap(\.storedValue)
      }
    case "types other than glucose, insulin, food":
      return try word(format, sample(5, .bodyMass, HealthQuantity(70, .kilogram))) {
        $0.sample.storedValue
      }
    default: return nil
    }
  }

  @Test("The guide's table says what each format keeps, row by row")
  func table() throws {
    let guide = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Scenarios/RECORDS.md").standardizedFileURL
    let lines = try String(contentsOf: guide, encoding: .utf8).split(separator: "\n")
    let begin = try #require(lines.firstIndex { $0.hasPrefix("| | Apple Health") })
    let rows = lines[(begin + 2)...].prefix { $0.hasPrefix("|") }
    #expect(rows.count == 15)
    for row in rows {
      let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      try #require(cells.count == 4)
      for (format, cell) in zip(Format.allCases, cells.dropFirst()) {
        let word = try Self.found(cells[0], format)
        #expect(
          word == cell.split { $0 == " " || $0 == ":" }.first.map(String.init),
          "\(cells[0]): \(format)")
      }
    }
  }
}
