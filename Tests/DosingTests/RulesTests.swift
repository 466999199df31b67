import Dosing
import Quantities
import Testing

@Suite("The app's rules around the algorithm")
struct RulesTests {
  let now = WorkedExample.at(12, 2, 30)

  @Test("Doses reach back 16 h 10 min, glucose 12 h 1 min, targets 6 h 10 min ahead on the grid")
  func windows() {
    let windows = DataWindows(at: now)
    #expect(windows.doses.lowerBound == now - .minutes(970))
    #expect(windows.glucose == (now - .minutes(721))...now)
    #expect(windows.target.upperBound == WorkedExample.at(18, 15))
    #expect(windows.carbEntries.upperBound == WorkedExample.at(18, 15))
  }

  @Test("A running temp basal counts as far as it has run, a bolus whole, a later dose not at all")
  func trimming() {
    func dose(_ type: AlgorithmInput.DeliveryType, _ start: TimeSpan) -> AlgorithmInput.InsulinDose
    {
      .init(
        type: type, startDate: now + start, endDate: now + start + .minutes(30), volume: 0.9)
    }
    let cut = dose(.basal, -.minutes(10)).trimmed(to: now)
    #expect(cut?.endDate == now)
    #expect(cut.map { agree($0.volume, 0.3) } == true)
    #expect(dose(.bolus, -.minutes(10)).trimmed(to: now) == dose(.bolus, -.minutes(10)))
    #expect(dose(.basal, .minutes(1)).trimmed(to: now) == nil)
    #expect(dose(.basal, -.minutes(40)).trimmed(to: now) == dose(.basal, -.minutes(40)))
  }

  @Test("Data must be at most 15 minutes old; the older app takes 5 minutes ahead at most")
  func recency() {
    let rules = DataRecency()
    func refusal(_ glucose: TimeSpan?, _ pump: TimeSpan?, _ rules: DataRecency) -> DosingRefusal? {
      do {
        try rules.check(
          at: now, lastGlucose: glucose.map { now - $0 }, lastPumpData: pump.map { now - $0 })
        return nil
      } catch {
        return error
      }
    }
    #expect(refusal(.minutes(15), .minutes(15), rules) == nil)
    #expect(refusal(nil, nil, rules) == .missingGlucose)
    #expect(
      refusal(.seconds(901), nil, rules) == .glucoseTooOld(age: .seconds(901)))
    #expect(refusal(.zero, nil, rules) == .pumpDataTooOld(age: nil))
    #expect(refusal(.zero, .minutes(16), rules) == .pumpDataTooOld(age: .minutes(16)))
    #expect(refusal(-.minutes(6), .zero, rules) == nil)
    #expect(
      refusal(-.minutes(6), .zero, DataRecency(.older))
        == .invalidFutureGlucose(ahead: .minutes(6)))
    #expect(
      refusal(-.minutes(16), .zero, rules) == .invalidFutureGlucose(ahead: .minutes(16)))
  }

  @Test("The loop runs again after more than 4.2 minutes")
  func trigger() {
    #expect(LoopTrigger.isDue(at: now, lastLoop: nil))
    #expect(!LoopTrigger.isDue(at: now, lastLoop: now - .seconds(252)))
    #expect(LoopTrigger.isDue(at: now, lastLoop: now - .seconds(253)))
  }

  @Test(
    "Glucose-based application goes from 0.2 ten above the range to 0.8 at 200 mg/dL",
    arguments: [(90.0, 0.2), (110, 0.2), (155, 0.5), (200, 0.8), (300, 0.8)])
  func applicationFactor(glucose: Double, factor: Double) {
    let found = ApplicationFactor.glucoseBased.factor(
      at: .mgdL(glucose), rangeLowerBound: .mgdL(100))
    #expect(agree(found, factor, to: 1e-15))
    #expect(
      ApplicationFactor.standard.factor(at: .mgdL(glucose), rangeLowerBound: .mgdL(100)) == 0.4)
  }

  @Test(
    "Glucose-based application is 0.2 up to ten above the range, also where it cannot rise",
    arguments: [(190.0, 150.0, 0.2), (190, 200, 0.2), (190, 200.5, 0.8), (195, 205, 0.2)])
  func applicationFactorOfHighRange(lower: Double, glucose: Double, factor: Double) {
    // At 190 mg/dL the rise from 200 to 200 mg/dL is 0.6/0, and nothing of it no number.
    let found = ApplicationFactor.glucoseBased.factor(
      at: .mgdL(glucose), rangeLowerBound: .mgdL(lower))
    #expect(found == factor)
  }

  @Test("The older app gives less when it loops more often than every five minutes")
  func olderScale() {
    #expect(ApplicationFactor.olderScale(at: now, lastCompletedLoop: nil) == 1)
    #expect(ApplicationFactor.olderScale(at: now, lastCompletedLoop: now - .minutes(1)) == 0.2)
    #expect(ApplicationFactor.olderScale(at: now, lastCompletedLoop: now - .minutes(9)) == 1)
  }

  @Test("A temp basal is set, left alone or cancelled by what is running and what is scheduled")
  func reissue() {
    let rules = TempBasalAdjustment(neutralRate: 1, neutralMatchesPump: true)
    func command(
      _ rate: Int64, running: Int64?, left: TimeSpan, _ rules: TempBasalAdjustment
    ) -> TempBasalCommand? {
      rules.command(
        for: .init(milliunitsPerHour: rate),
        running: running.map { .init(rate: .init(milliunitsPerHour: $0), end: now + left) },
        at: now)
    }
    let set = TempBasalCommand.set(.init(milliunitsPerHour: 500), for: .minutes(30))
    #expect(command(500, running: 500, left: .minutes(12), rules) == nil)
    #expect(command(500, running: 500, left: .minutes(11), rules) == set)
    #expect(command(500, running: 550, left: .minutes(25), rules) == set)
    #expect(command(1_000, running: 550, left: .minutes(25), rules) == .cancel)
    #expect(command(1_000, running: nil, left: .zero, rules) == nil)
    #expect(command(1_000, running: 550, left: .zero, rules) == nil)
    #expect(command(500, running: nil, left: .zero, rules) == set)
    let overridden = TempBasalAdjustment(neutralRate: 0.5, neutralMatchesPump: false)
    #expect(command(500, running: nil, left: .zero, overridden) == set)
    #expect(command(500, running: 550, left: .minutes(25), overridden) == set)
  }
}

@Suite("Overrides change the settings of their own time")
struct OverrideTests {
  let history = OverrideHistory([
    .init(
      targetRange: GlucoseRange(lower: .mgdL(140), upper: .mgdL(160)), insulinNeedsFactor: 0.5,
      start: WorkedExample.at(10, 30), end: WorkedExample.at(11, 30))
  ])

  @Test("Half the insulin needs halve the basal and double ISF and carb ratio")
  func factors() {
    let basal = [
      WorkedExample.entry((6, 0), (11, 0), 0.8), WorkedExample.entry((11, 0), (14, 0), 1),
    ]
    #expect(
      history.applied(toBasal: basal) == [
        WorkedExample.entry((6, 0), (10, 30), 0.8), WorkedExample.entry((10, 30), (11, 0), 0.4),
        WorkedExample.entry((11, 0), (11, 30), 0.5), WorkedExample.entry((11, 30), (14, 0), 1),
      ])
    let ratio = [WorkedExample.entry((6, 0), (11, 30), 10)]
    let changed = [
      WorkedExample.entry((6, 0), (10, 30), 10), WorkedExample.entry((10, 30), (11, 30), 20),
    ]
    #expect(history.applied(toCarbRatio: ratio) == changed)
    #expect(history.applied(toSensitivity: ratio) == changed)
  }

  @Test("A range replaces the targets to the end of the timeline, past the override's own end")
  func target() {
    let entry = AlgorithmInput.TargetEntry(
      startDate: WorkedExample.at(9, 0), endDate: WorkedExample.at(20, 0), lowerBound: .mgdL(100),
      upperBound: .mgdL(110))
    let during = history.applied(toTarget: [entry], at: WorkedExample.at(11, 0))
    #expect(during.map(\.lowerBound) == [.mgdL(100), .mgdL(140)])
    #expect(during.map(\.startDate) == [WorkedExample.at(9, 0), WorkedExample.at(10, 30)])
    #expect(during.last?.endDate == WorkedExample.at(20, 0))
    #expect(history.applied(toTarget: [entry], at: WorkedExample.at(11, 30)) == [entry])
  }

  @Test("The pump's schedule is not the neutral rate while an override is active")
  func neutral() {
    #expect(!history.neutralMatchesPump(at: WorkedExample.at(11, 0)))
    #expect(history.neutralMatchesPump(at: WorkedExample.at(11, 30)))
    let range = OverrideHistory([
      .init(
        targetRange: GlucoseRange(lower: .mgdL(80), upper: .mgdL(90)),
        start: WorkedExample.at(10, 0))
    ])
    #expect(!range.neutralMatchesPump(at: WorkedExample.at(11, 0)))
    #expect(range.neutralMatchesPump(at: WorkedExample.at(11, 0), .older))
  }
}
