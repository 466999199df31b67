import Dosing
import Quantities
import TestSupport
import Testing

@Suite("What is known of an input spares comparing it")
struct InputContinuationTests {
  /// What a comparison of two lists finds.
  private func kept<Element: Equatable>(_ old: [Element], _ new: [Element]) -> KeptElements {
    var kept = KeptElements()
    guard let first = new.first, let gone = old.firstIndex(of: first) else { return kept }
    kept.noteLook(at: old.count)
    kept.noteRemovedFirst(gone)
    kept.noteChange(from: zip(old.dropFirst(gone), new).prefix { $0 == $1 }.count)
    return kept
  }

  @Test("An engine that is told decides as one that looks", arguments: 0..<Extent.of(1, whole: 8))
  func told(seed: Int) {
    var run = RandomEdits(seed: UInt64(2_000 + seed))
    var told = DosingEngine()
    var looking = DosingEngine()
    var before: AlgorithmInput?
    var known = 0
    for cycle in 0..<80 {
      let name: Comment = "seed \(2_000 + seed), cycle \(cycle)"
      var continuation: AlgorithmInput.Continuation?
      if let before {
        continuation = .init(
          glucose: kept(before.glucoseHistory, run.input.glucoseHistory),
          doses: kept(before.doses, run.input.doses), extent: DoseExtent(run.input.doses))
        if let continuation, continuation.doses.count > 0 { known += 1 }
      }
      let taken = told.inputsTaken
      let first = told.cycle(run.input, continuing: continuation)
      let second = looking.cycle(run.input)
      if told.inputsTaken > taken { before = run.input }
      // Doses that are out of order leave in another order, which rounding shows.
      let pairs: [(Double?, Double?)] = [
        (first.activeInsulin, second.activeInsulin), (first.activeCarbs, second.activeCarbs),
        (first.eventualGlucose?.mgdL, second.eventualGlucose?.mgdL),
      ]
      for (ours, theirs) in pairs { #expect(agree(ours ?? -1, theirs ?? -1), name) }
      #expect(difference(told.prediction.mgdL, looking.prediction.mgdL) == nil, name)
      run.next()
    }
    #expect(known > 20)
  }

  @Test("An engine that has seen nothing has no use for what is known")
  func newEngine() {
    let input = WorkedExample.input
    var kept = KeptElements()
    kept.noteLook(at: 2)
    let continuation = AlgorithmInput.Continuation(
      glucose: kept, doses: kept, extent: DoseExtent(input.doses))
    var told = DosingEngine()
    var looking = DosingEngine()
    #expect(told.cycle(input, continuing: continuation) == looking.cycle(input))
  }

  @Test("Only inputs without an error are counted")
  func inputsTaken() {
    var engine = DosingEngine()
    _ = engine.cycle(WorkedExample.input)
    #expect(engine.inputsTaken == 1)
    var bad = WorkedExample.input
    bad.glucoseHistory = []
    _ = engine.cycle(bad)
    #expect(engine.inputsTaken == 1)
    _ = engine.run(WorkedExample.input)
    #expect(engine.inputsTaken == 2)
  }

  @Test("After an input that ends in an error an engine is told of the one before that")
  func afterAnError() throws {
    var told = DosingEngine()
    let first = WorkedExample.input
    _ = told.cycle(first)
    // Two samples have left, two have come, and no entry of the ISF holds now.
    var broken = first
    broken.glucoseHistory.removeFirst(2)
    for second in [10, 40] {
      broken.glucoseHistory.append(
        .init(date: WorkedExample.at(12, 0, second), quantity: .mgdL(215)))
    }
    let now = first.predictionStart
    let (start, end) = try (
      #require(first.sensitivity.first).startDate, #require(first.sensitivity.last).endDate
    )
    broken.sensitivity = [
      .init(startDate: start, endDate: now - .minutes(1), value: 50),
      .init(startDate: now + .minutes(1), endDate: end, value: 50),
    ]
    let failed = told.cycle(
      broken,
      continuing: .init(
        glucose: kept(first.glucoseHistory, broken.glucoseHistory),
        doses: kept(first.doses, broken.doses), extent: DoseExtent(broken.doses)))
    #expect(failed.recommendation == .failure(.sensitivityMissingAtStart))
    #expect(told.inputsTaken == 1)
    var next = first
    next.glucoseHistory.removeFirst(2)
    next.glucoseHistory.append(.init(date: WorkedExample.at(12, 1), quantity: .mgdL(211)))
    let result = told.cycle(
      next,
      continuing: .init(
        glucose: kept(first.glucoseHistory, next.glucoseHistory),
        doses: kept(first.doses, next.doses), extent: DoseExtent(next.doses)))
    var looking = DosingEngine()
    #expect(result == looking.cycle(next))
  }

  @Test("Elements that leave, change and are looked at again")
  func keptElements() {
    var kept = KeptElements()
    #expect((kept.gone, kept.count) == (0, 0))
    kept.noteLook(at: 10)
    kept.noteRemovedFirst(3)
    #expect((kept.gone, kept.count) == (3, 7))
    // The last of ten is another, and is now the seventh.
    kept.noteChange(from: 6)
    #expect((kept.gone, kept.count) == (3, 6))
    kept.noteChange(from: 8)
    #expect(kept.count == 6)
    kept.noteRemovedFirst(9)
    #expect(kept.count == 0)
    kept.noteLook(at: 4)
    #expect((kept.gone, kept.count) == (0, 4))
  }

  @Test("The extent of doses that come and go is that of those that are there")
  func extent() {
    var random = RandomInput(seed: 11)
    let origin = WorkedExample.at(0, 0)
    for _ in 0..<200 {
      var doses: [AlgorithmInput.InsulinDose] = []
      var extent = DoseExtent()
      #expect(extent.isEmpty && extent.effectEnd == nil)
      for index in 0..<30 {
        let start = origin + .minutes(Int64(index) * 5)
        let dose = AlgorithmInput.InsulinDose(
          type: random.pick([.basal, .bolus]), startDate: start,
          endDate: start + .minutes(random.whole(0...60)), volume: 1,
          insulinModel: random.pick(InsulinModel.allCases))
        doses.append(dose)
        extent.add(dose)
        if random.chance(0.3) {
          let leaving = Int(random.whole(0...Int64(doses.count)))
          extent.removeFirst(leaving, of: doses)
          doses.removeFirst(leaving)
        }
        #expect(extent.earliestStart == doses.map(\.startDate).min())
        #expect(extent.latestTime == doses.flatMap { [$0.startDate, $0.endDate] }.max())
        #expect(extent.latestEnd == doses.map(\.endDate).max())
        #expect(
          extent.latestBasalEnd == doses.filter { $0.type == .basal }.map(\.endDate).max())
        // Inhaled insulin has acted after 5 h 10 min, the others after 6 h 10 min.
        let ends = doses.map { $0.endDate + .minutes($0.insulinModel == .afrezza ? 310 : 370) }
        #expect(extent.effectEnd == ends.max())
      }
    }
  }
}
