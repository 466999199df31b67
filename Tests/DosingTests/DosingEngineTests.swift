import Dosing
import Quantities
import TestSupport
import Testing

@Suite("The incremental engine decides as the full evaluation does")
struct DosingEngineTests {
  @Test("Whatever is edited between cycles", arguments: 0..<Extent.of(1, whole: 8))
  func edits(seed: Int) {
    var run = RandomEdits(seed: UInt64(1_000 + seed))
    var engine = DosingEngine()
    for cycle in 0..<80 {
      let name: Comment = "seed \(1_000 + seed), cycle \(cycle)"
      let full = LoopAlgorithm.run(run.input)
      let fast = engine.run(run.input)
      guard same(full, fast, name) else { return }
      run.next()
    }
  }

  @Test("A schedule that begins with the first dose, as the window moves on")
  func movingSchedule() {
    // Doses of 5 minutes, one after the other; the schedule begins with the first of them.
    var input = WorkedExample.input
    let now = input.predictionStart
    input.carbEntries = []
    input.basal = [.init(startDate: now - .hours(6), endDate: now + .hours(1), value: 1)]
    input.sensitivity = [.init(startDate: now - .hours(12), endDate: now + .hours(9), value: 50)]
    input.doses = (0..<72).map { (index: Int64) -> AlgorithmInput.InsulinDose in
      let start = now - .minutes(5 * (72 - index))
      return .init(
        type: .basal, startDate: start, endDate: start + .minutes(5),
        volume: index % 3 == 0 ? 0.3 : 0.05)
    }
    var engine = DosingEngine()
    for cycle in 0..<40 {
      guard same(LoopAlgorithm.run(input), engine.run(input), "cycle \(cycle)") else { return }
      input.doses.removeFirst()
      input.basal[0].startDate = input.doses[0].startDate
    }
  }

  @Test("A bolus that begins now is on board in full, on the grid and off it", arguments: [0, 97])
  func bolusNow(seconds: Int64) {
    var input = WorkedExample.input
    let now = WorkedExample.at(12, 5) + .seconds(seconds)
    input.predictionStart = now
    input.doses = [.init(type: .bolus, startDate: now, endDate: now, volume: 1.5)]
    var engine = DosingEngine()
    #expect(engine.cycle(input).activeInsulin == 1.5)
    #expect(LoopAlgorithm.run(input).activeInsulin == 1.5)
  }

  @Test("A copy is a checkpoint: both go on as one would have")
  func checkpoint() {
    var run = RandomEdits(seed: 7)
    var engine = DosingEngine()
    for _ in 0..<10 {
      _ = engine.cycle(run.input)
      run.next()
    }
    var copy = engine
    var other = run
    let first = (0..<20).map { _ in
      run.next()
      return engine.cycle(run.input)
    }
    let second = (0..<20).map { _ in
      other.next()
      return copy.cycle(other.input)
    }
    #expect(first == second)
  }

  @Test("A cycle says what the whole output says")
  func cycleResult() throws {
    var engine = DosingEngine()
    let result = engine.cycle(WorkedExample.input)
    let output = engine.run(WorkedExample.input)
    #expect(result.recommendation == output.recommendation)
    #expect(result.correction == output.reasoning?.correction)
    #expect(result.activeInsulin == output.activeInsulin)
    #expect(result.eventualGlucose == output.predictedGlucose.last?.quantity)
    #expect(engine.predictedGlucose == output.predictedGlucose)
    #expect(agree(try #require(result.activeCarbs), 17.513828328897283))
  }

  @Test("After an error the engine goes on as if it had not been asked")
  func afterError() {
    var engine = DosingEngine()
    let good = WorkedExample.input
    for broken in 0..<4 {
      var bad = good
      switch broken {
      case 0: bad.glucoseHistory = []
      case 1: bad.carbRatio[0].startDate = WorkedExample.at(11, 19)
      case 2: bad.sensitivity[0].endDate = WorkedExample.at(11, 0)
      default: bad.carbRatio[0].value = 0
      }
      let name: Comment = "broken \(broken)"
      _ = same(LoopAlgorithm.run(good), engine.run(good), name)
      _ = same(LoopAlgorithm.run(bad), engine.run(bad), name)
      _ = same(LoopAlgorithm.run(good), engine.run(good), name)
    }
  }

  /// Whether two outputs agree, reporting the first difference.
  func same(_ full: AlgorithmOutput, _ fast: AlgorithmOutput, _ name: Comment) -> Bool {
    guard full.error == fast.error else {
      Issue.record(
        "\(String(describing: full.error)), not \(String(describing: fast.error)): \(name)")
      return false
    }
    guard full.error == nil else { return true }
    let a = full.effects
    let b = fast.effects
    let pairs: [(String, [Double], [Double])] = [
      ("doses", full.dosesRelativeToBasal.map(\.volume), fast.dosesRelativeToBasal.map(\.volume)),
      ("insulin", a.insulin.map(\.quantity), b.insulin.map(\.quantity)),
      ("on board", [full.activeInsulin ?? -1], [fast.activeInsulin ?? -1]),
      (
        "counteraction", a.insulinCounteraction.map { $0.mgdLPerSecond * 300 },
        b.insulinCounteraction.map { $0.mgdLPerSecond * 300 }
      ),
      ("remaining", a.carbStatus.map(\.remaining), b.carbStatus.map(\.remaining)),
      (
        "timelines", a.carbStatus.map { Double($0.observedTimeline?.count ?? -1) },
        b.carbStatus.map { Double($0.observedTimeline?.count ?? -1) }
      ),
      ("carbs", a.carbs.map(\.quantity), b.carbs.map(\.quantity)),
      ("carbs on board", [full.activeCarbs ?? -1], [fast.activeCarbs ?? -1]),
      (
        "discrepancies", a.retrospectiveGlucoseDiscrepancies.map(\.mgdL),
        b.retrospectiveGlucoseDiscrepancies.map(\.mgdL)
      ),
      (
        "correction", a.retrospectiveCorrection.map(\.quantity),
        b.retrospectiveCorrection.map(\.quantity)
      ),
      (
        "prediction", full.predictedGlucose.map(\.quantity.mgdL),
        fast.predictedGlucose.map(\.quantity.mgdL)
      ),
      (
        "basal", [full.automatic?.basalAdjustment.unitsPerHour ?? -1],
        [fast.automatic?.basalAdjustment.unitsPerHour ?? -1]
      ),
      (
        "bolus", [full.automatic?.bolusUnits ?? full.manual?.amount ?? -1],
        [fast.automatic?.bolusUnits ?? fast.manual?.amount ?? -1]
      ),
    ]
    for (what, ours, theirs) in pairs {
      if let found = difference(ours, theirs) {
        Issue.record("\(what): \(found): \(name)")
        return false
      }
    }
    let isSame =
      full.automatic?.direction == fast.automatic?.direction
      && full.predictedGlucose.map(\.startDate) == fast.predictedGlucose.map(\.startDate)
      && full.reasoning?.limits == fast.reasoning?.limits
    #expect(isSame, name)
    return isSame
  }
}
