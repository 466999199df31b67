import Foundation
import HealthStore
import Quantities
import StructuredText
import TestSupport
import Testing

@testable import Interchange

/// Damaged files of every format: an outcome or a located error, never a crash.
///
/// `LOOPSIM_MUTATIONS=10000` tries as many of each format.
@Suite("Mutated records")
struct MutatedRecordTests {
  enum Format: String, CaseIterable, CustomTestStringConvertible {
    case appleHealth, tidepool, nightscout, oref, clarity, table

    var testDescription: String { rawValue }

    var intact: [UInt8] {
      let text =
        switch self {
        case .appleHealth:
          """
          <?xml version="1.0" encoding="UTF-8"?>
          <HealthData locale="en_US"><ExportDate value="2026-01-01 00:00:00 +0100"/>
          <Me HKCharacteristicTypeIdentifierBiologicalSex="HKBiologicalSexFemale"/>
          <Record type="HKQuantityTypeIdentifierInsulinDelivery" sourceName="Loop" unit="IU"
           creationDate="2026-02-03 07:00:00 +0100" startDate="2026-02-03 07:00:00 +0100"
           endDate="2026-02-03 07:30:00 +0100" value="0.55">
           <MetadataEntry key="HKInsulinDeliveryReason" value="1"/></Record>
          <Record type="HKQuantityTypeIdentifierDietaryCarbohydrates" sourceName="Loop" unit="g"
           startDate="2026-02-03 07:00:00 +0100" endDate="2026-02-03 07:00:00 +0100" value="45"/>
          <ActivitySummary dateComponents="2026-02-03"/></HealthData>
          """
        case .tidepool: ProgramFileTests.tidepoolExample
        case .nightscout: ProgramFileTests.nightscoutExample()
        case .oref:
          """
          [{"timestamp":"2026-02-03T12:30:00.000Z","_type":"Bolus","amount":0.4,"isSMB":true},
           {"timestamp":"2026-02-03T12:00:00.000Z","_type":"TempBasalDuration","duration (min)":30},
           {"timestamp":"2026-02-03T12:00:00.000Z","_type":"TempBasal","rate":1.6}]
          """
        case .clarity: RecordTableTests.clarity
        case .table:
          "id;time;gl;units\nA;03.02.2026 08:05;5,6;mmol/L\nB;13.02.2026 8:10;6,1;mmol/L\n"
        }
      return Array(text.utf8)
    }

    /// Reads bytes; whether samples came, or a problem with a place.
    func hasOutcome(_ bytes: [UInt8]) -> Bool {
      let problems = ProblemList()
      switch self {
      case .appleHealth:
        var reader = AppleHealthReader(file: "m.xml")
        var parts = [bytes, []][...]
        do {
          while try reader.next(upTo: 100, input: { parts.popFirst() ?? [] }) != nil {}
          return true
        } catch let problem as TextProblem {
          return problem.position.line >= 1
        } catch {
          return false
        }
      case .tidepool, .nightscout, .oref:
        let reading = JSONReader.read(bytes, file: "m.json")
        guard let root = reading.root else { return !reading.problems.isEmpty }
        if self == .tidepool {
          var reader = TidepoolReader(file: "m.json")
          return outcome(reader.samples(of: root, problems: problems), reader.report, problems)
        }
        var reader = NightscoutReader(file: "m.json")
        return outcome(reader.samples(of: root, problems: problems), reader.report, problems)
      case .clarity, .table:
        guard var table = RecordTable.read(bytes, file: "m.csv", problems: problems) else {
          return problems.problems.contains { $0.position.line >= 1 }
        }
        _ = table.samples(on: .utc)
        return true
      }
    }

    private func outcome(
      _ samples: [RestoredSample]?, _ report: ImportReport, _ problems: ProblemList
    ) -> Bool {
      guard samples != nil else { return problems.hasErrors }
      return report.account.totals.allSatisfy {
        report.account.unexplained(of: $0.quantity) == .zero
      }
    }
  }

  private static var count: Int {
    ProcessInfo.processInfo.environment["LOOPSIM_MUTATIONS"].flatMap { Int($0) }
      ?? Extent.of(50, whole: 150)
  }

  @Test("Each gives samples or a located problem", arguments: Format.allCases)
  func survives(format: Format) {
    var state: UInt64 = 0x9e37_79b9
    func draw(_ limit: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % max(limit, 1)
    }
    let intact = format.intact
    let words: [[UInt8]] = [
      "null", "-1", "1e308", "99999999999999999999", "\"\"", "{}", "[]", "0x10", "NaN", ",", ";",
    ].map { Array($0.utf8) }
    for _ in 0..<Self.count {
      var bytes = intact
      for _ in 0...draw(4) {
        let place = draw(bytes.count)
        switch draw(4) {
        case 0: bytes[place] = UInt8(draw(256))
        case 1: bytes.removeSubrange(place..<min(bytes.count, place + 1 + draw(20)))
        case 2: bytes.insert(contentsOf: words[draw(words.count)], at: place)
        default:
          let end = min(bytes.count, place + 1 + draw(60))
          bytes.insert(contentsOf: bytes[place..<end], at: draw(bytes.count))
        }
        if bytes.isEmpty { break }
      }
      #expect(format.hasOutcome(bytes), "\(String(decoding: bytes, as: UTF8.self))")
    }
  }
}
