import Determinism
import Dosing
import Interchange
import Quantities
import StructuredText
import Testing

@Suite("The algorithm's input is written so that it reads back equal")
struct AlgorithmInputWritingTests {
  /// Draws inputs with every key, dates between seconds, and numbers of all digits.
  private struct Source {
    var stream: RandomStream

    init(seed: UInt64) { stream = RandomStream(seed: seed, name: "input writing") }

    mutating func number(_ range: ClosedRange<Double>) -> Double {
      range.lowerBound + stream.unit() * (range.upperBound - range.lowerBound)
    }

    mutating func pick<Item>(_ items: [Item]) -> Item {
      items[Int(stream.integer(below: UInt64(items.count)))]
    }

    mutating func instant() -> Instant {
      Instant(millisecondsSince1970: 1_700_000_000_000 + Int64(stream.integer(below: 1 << 36)))
    }

    mutating func list<Item>(_ make: (inout Self) -> Item) -> [Item] {
      (0..<stream.integer(below: 6)).map { _ in make(&self) }
    }

    mutating func entries() -> [AlgorithmInput.ScheduleEntry] {
      list { .init(startDate: $0.instant(), endDate: $0.instant(), value: $0.number(0...99)) }
    }

    mutating func maybe(_ value: Double) -> Double? { stream.unit() < 0.5 ? value : nil }

    mutating func input() -> AlgorithmInput {
      AlgorithmInput(
        predictionStart: instant(),
        glucoseHistory: list {
          .init(
            date: $0.instant(), quantity: .mgdL($0.number(40...400)),
            provenanceIdentifier: $0.pick(["a", "dexcom \"G6\"", "é\n"]),
            isDisplayOnly: $0.pick([true, false]), wasUserEntered: $0.pick([true, false]))
        },
        doses: list {
          .init(
            type: $0.pick([.bolus, .basal]), startDate: $0.instant(), endDate: $0.instant(),
            volume: $0.number(-1...9), insulinModel: $0.pick(InsulinModel.allCases))
        },
        carbEntries: list {
          .init(
            date: $0.instant(), quantity: .init(grams: $0.number(0...200)),
            absorptionTime: $0.pick([nil, .milliseconds(7_200_125), .hours(3)]))
        },
        basal: entries(), sensitivity: entries(), carbRatio: entries(),
        target: list {
          .init(
            startDate: $0.instant(), endDate: $0.instant(), lowerBound: .mgdL($0.number(60...120)),
            upperBound: .mgdL($0.number(100...180)))
        },
        suspendThreshold: maybe(number(50...90)).map { .mgdL($0) }, maximumBolus: number(0...20),
        maximumBasalRate: number(0...9), maximumActiveInsulinMultiplier: maybe(number(0...4)),
        useIntegralRetrospectiveCorrection: pick([true, false]),
        includePositiveVelocityAndRC: pick([true, false]),
        useMidAbsorptionISF: pick([true, false]),
        carbAbsorptionModel: pick(CarbAbsorptionModel.allCases),
        recommendationInsulinModel: pick(InsulinModel.allCases),
        recommendationType: pick(RecommendationType.allCases),
        automaticBolusApplicationFactor: maybe(number(0...1)),
        automaticBolusLimitFactor: maybe(number(0...1)),
        gradualTransitionsThreshold: .init(mgdL: number(0...80)),
        generation: pick(LoopGeneration.allCases))
    }
  }

  @Test("Writing, reading and writing again is the identity", arguments: 0..<200 as Range<UInt64>)
  func roundTrip(seed: UInt64) throws {
    var source = Source(seed: seed)
    let input = source.input()
    let text = AlgorithmInputFile.text(input)
    let reading = AlgorithmInputFile.read(Array(text.utf8), file: "input.json")
    // Doses that end before they start, of which there are many, have their warnings.
    #expect(!reading.problems.contains { $0.severity == .error }, "\(reading.problems)")
    #expect(!reading.problems.contains { $0.sentence.contains("no effect") })
    let read = try #require(reading.input)
    #expect(read == input)
    #expect(AlgorithmInputFile.text(read) == text)
  }

  @Test("An input that LoopAlgorithm's JSON can hold needs no keys of our own")
  func usesTheOriginalsKeys() {
    let input = AlgorithmInput(
      predictionStart: Instant(secondsSince1970: 1_717_243_350), glucoseHistory: [],
      doses: [
        .init(
          type: .bolus, startDate: Instant(secondsSince1970: 1_717_240_000),
          endDate: Instant(secondsSince1970: 1_717_240_060), volume: 1, insulinModel: .lyumjev)
      ],
      basal: [], sensitivity: [], carbRatio: [], target: [], maximumBolus: 5, maximumBasalRate: 4)
    let text = AlgorithmInputFile.text(input)
    #expect(!text.contains("loopsim"))
    #expect(text.contains("\"predictionStart\": \"2024-06-01T12:02:30Z\""))
    #expect(text.contains("\"insulinType\": \"lyumjev\""))
    #expect(!text.contains("suspendThreshold"))
  }

  @Test("A key of our own with another word is told by its place")
  func refusesUnknownWords() {
    let text = """
      {"predictionStart": "2024-06-01T12:02:30Z", "glucoseHistory": [], "doses": [],
       "carbEntries": [], "basal": [], "sensitivity": [], "carbRatio": [], "target": [],
       "maxBolus": 5, "maxBasalRate": 4, "loopsimGeneration": "oldest"}
      """
    let reading = AlgorithmInputFile.read(Array(text.utf8), file: "i.json")
    #expect(reading.input == nil)
    #expect(reading.problems.first?.position.line == 3)
  }
}
