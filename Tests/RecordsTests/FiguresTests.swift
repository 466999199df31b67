import HealthStore
import Quantities
import Testing

@testable import Records

@Suite("What a loop said of its cycles, beside a backtest")
struct FiguresTests {
  @Test("Between two points of a prediction it is on the line that joins them")
  func betweenPoints() {
    let start = RecordMaker.midnight
    let said = LoopFigures(
      instant: start, insulinOnBoard: nil, carbsOnBoard: nil, predictionStart: start,
      predicted: [100, 110, 90])
    #expect(said.prediction(at: start) == 100)
    #expect(said.prediction(at: start + .milliseconds(150_000)) == 105)
    #expect(said.prediction(at: start + .minutes(5)) == 110)
    #expect(said.prediction(at: start + .minutes(6)) == 106)
    #expect(said.prediction(at: start + .minutes(10)) == 90)
    #expect(said.prediction(at: start + .milliseconds(600_001)) == nil)
    #expect(said.prediction(at: start - .milliseconds(1)) == nil)
  }

  @Test("A cycle counts by the largest of its differences, and one without both does not")
  func counting() {
    var figure = FiguresComparison.Figure(name: "insulin", unit: "U", tolerance: 0.25)
    #expect(figure.add([(own: 1, said: 1.25), (own: 2, said: 2)]) == true)
    #expect(figure.add([(own: 1, said: 1), (own: 3, said: 1.5)]) == false)
    #expect(figure.add([(own: nil, said: 1), (own: 2, said: nil)]) == nil)
    #expect(figure.add([(own: 1, said: 0.5)]) == false)
    #expect(figure.count == 3)
    #expect(figure.equal == 1)
    #expect(figure.largest == 1.5)
  }

  @Test(
    "Two doses under one identifier are apart by amount and by more than a quarter of an hour",
    arguments: [
      (2, 3, 16, 1, true), (2, 3, 15, 1, false), (2, 2, 60, 1, false), (2, 3, 60, 2, false),
    ] as [(Double, Double, Int64, Int, Bool)])
  func clashes(first: Double, second: Double, minutes: Int64, version: Int, isClash: Bool) {
    let identifier = SyncIdentifier("dose 7")
    var maker = RecordMaker()
    maker.bolus(second, .hours(1) + .minutes(minutes), sync: identifier, version: version)
    maker.bolus(first, .hours(1), sync: identifier, version: 1)
    let found = IdentifierClash.all(in: maker.samples)
    #expect(found.count == (isClash ? 1 : 0))
    #expect(found.allSatisfy { $0.identifier == identifier })
    #expect(found.allSatisfy { $0.first.storedValue == first })
    #expect(found.allSatisfy { $0.second.storedValue == second })
  }
}
