import Devices
import Dosing
import HealthStore
import Quantities
import Testing

@testable import ClosedLoop

/// What a person, a carer or a program may ask of the app, with the last value that is taken and
/// the first that is not.
@Suite("The limits of what the app takes")
struct LimitTests {
  @Test("Food was eaten 12 hours ago at most, and is eaten within the hour")
  func timesOfEating() {
    #expect(CarbStore.takes(at(0), at: at(12)))
    #expect(!CarbStore.takes(at(0) - .milliseconds(1), at: at(12)))
    #expect(CarbStore.takes(at(13), at: at(12)))
    #expect(!CarbStore.takes(at(13) + .milliseconds(1), at: at(12)))
  }

  @Test("An entry has more than 0 and at most 250 g, for half an hour to 8 hours")
  func entries() {
    func takes(_ grams: Double, over absorption: TimeSpan? = nil) -> Bool {
      let entry = CarbStore.Entry(
        date: at(12), mass: .init(grams: grams), absorptionTime: absorption)
      return (try? CarbStore.check(entry, at: at(12))) != nil
    }
    #expect(takes(0.1) && takes(250))
    #expect(!takes(0) && !takes(250.1) && !takes(-5))
    #expect(
      "\(CarbStore.Refusal.massOutOfRange(.init(grams: 265)))"
        == "A carbohydrate entry of 265.0 g is more than 250 g. Correct it.")
    #expect(
      "\(CarbStore.Refusal.massOutOfRange(.init(grams: 0)))"
        == "A carbohydrate entry of 0.0 g is not more than 0 g. Correct it.")
    #expect(takes(20, over: .minutes(30)) && takes(20, over: .hours(8)))
    #expect(!takes(20, over: .minutes(29)) && !takes(20, over: .hours(8) + .seconds(1)))
  }

  @Test("More than 0 and at most 30 U are logged, and none of what is yet to come")
  func loggedDoses() {
    #expect(InsulinRecords.canLog(30, at: at(12), now: at(12)))
    #expect(InsulinRecords.canLog(0.05, at: at(11), now: at(12)))
    #expect(!InsulinRecords.canLog(30.05, at: at(12), now: at(12)))
    #expect(!InsulinRecords.canLog(0, at: at(12), now: at(12)))
    #expect(!InsulinRecords.canLog(1, at: at(12) + .milliseconds(1), now: at(12)))
  }

  @Test("A meter's value from 10 to 600 mg/dL is typed in")
  func typedGlucose() {
    #expect(KnownGlucose.canEnter(.mgdL(10)) && KnownGlucose.canEnter(.mgdL(600)))
    #expect(!KnownGlucose.canEnter(.mgdL(9.9)) && !KnownGlucose.canEnter(.mgdL(600.1)))
  }

  @Test("A command from afar is valid up to its end, with the maximum bolus, and for a day")
  func remoteCommands() throws {
    let bench = try Bench(from: at(9))
    let therapy = bench.app.therapies.current
    let rules = RemoteRules(therapy)
    let most = therapy.maximumBolus
    try rules.checkCommand(expiring: at(9, 5), at: at(9, 5))
    #expect(throws: RemoteRefusal.expired(since: at(9, 5))) {
      try rules.checkCommand(expiring: at(9, 5), at: at(9, 5) + .milliseconds(1))
    }
    try rules.checkBolus(units: most.units)
    #expect(throws: RemoteRefusal.exceedsMaximumBolus(most)) {
      try rules.checkBolus(units: most.units + 0.05)
    }
    #expect(throws: RemoteRefusal.noBolus) { try rules.checkBolus(units: 0) }
    try rules.checkPreset(lasting: .hours(24))
    try rules.checkPreset(lasting: nil)
    #expect(throws: RemoteRefusal.presetTooLong(.hours(24))) {
      try rules.checkPreset(lasting: .hours(24) + .seconds(1))
    }
  }

  @Test("A calculator corrects what is above its threshold, and not the threshold itself")
  func correction() {
    let calculator = BolusCalculator(
      carbohydrates: .init(grams: 0), target: .mgdL(100), correctsAbove: .mgdL(150),
      countsInsulinOnBoard: false)
    func advised(at glucose: Double) -> Double {
      calculator.bolus(
        carbRatio: 10, sensitivity: 50, range: .init(lower: .mgdL(90), upper: .mgdL(110)),
        glucose: .mgdL(glucose), insulinOnBoard: 0
      ).units
    }
    #expect(advised(at: 150) == 0)
    // 51 mg/dL above the target, at 50 mg/dL per U.
    #expect(abs(advised(at: 151) - 1.02) < 1e-12)
  }

  @Test("Insulin on board is taken off a correction, and what is lacking is not added")
  func correctionWithInsulinOnBoard() {
    let calculator = BolusCalculator(carbohydrates: .init(grams: 0), target: .mgdL(100))
    func advised(onBoard: Double) -> Double {
      calculator.bolus(
        carbRatio: 10, sensitivity: 50, range: .init(lower: .mgdL(90), upper: .mgdL(110)),
        glucose: .mgdL(200), insulinOnBoard: onBoard
      ).units
    }
    // 100 mg/dL above the target, at 50 mg/dL per U.
    #expect(advised(onBoard: 0.5) == 1.5)
    #expect(advised(onBoard: 0) == 2)
    #expect(advised(onBoard: -1) == 2)
  }

  @Test("A preset holds from its start on, and no more at its end")
  func presetHolds() {
    let preset = TherapyOverride(name: "run", from: at(9), until: at(10))
    #expect(preset.holds(at: at(9)))
    #expect(preset.holds(at: at(10) - .milliseconds(1)))
    #expect(!preset.holds(at: at(10)))
    #expect(!preset.holds(at: at(9) - .milliseconds(1)))
  }

  @Test("Of two durations equally near to what is asked the pump runs the shorter")
  func nearestDuration() {
    let rule = PumpProfile.generic50.tempBasal
    #expect(rule.nearest(to: .minutes(45)) == .minutes(30))
    #expect(rule.nearest(to: .minutes(46)) == .minutes(60))
    #expect(rule.nearest(to: .minutes(44)) == .minutes(30))
  }

  @Test("Readings half an hour apart are one stretch, and a second more makes two")
  func stretchesOfReadings() {
    func count(_ span: TimeSpan) -> Int {
      var stretches = GlucoseStretches()
      for instant in [at(9), at(9) + span] { stretches.add(instant) }
      return stretches.all.count
    }
    #expect(count(.minutes(30)) == 1)
    #expect(count(.minutes(30) + .seconds(1)) == 2)
  }

  @Test("A high temp basal that is over needs no end when the CGM cannot be relied on")
  func unreliableGlucose() {
    for (second, basal) in [(0, .none), (1, .cancel)] as [(Int64, Decision.BasalChange)] {
      var decision = Decision(at: at(1), isClosedLoop: true)
      decision.stopHighTempBasal(
        RunningTempBasal(rate: rate(2_000), end: at(1, 0, second)), scheduled: rate(1_000))
      #expect(decision.basal == basal)
    }
  }

  @Test("A pump that has stopped says what makes it run again")
  func stoppedPump() {
    #expect(
      "\(Refusal.pumpStopped(.occlusion))"
        == "The pump has stopped (occlusion); clear the alarm or replace the pump.")
    for alarm in [PumpAlarm.expired, .reservoirEmpty, .failure] {
      #expect("\(Refusal.pumpStopped(alarm))" == "\(PumpError.stopped(alarm))")
    }
  }

  @Test("Without fresh glucose a program may set the neutral rate, and none above it")
  func cautiousRates() throws {
    let limits = CommandLimits(of: try Bench(from: at(9)).app)
    func guards(_ rate: Double) -> [CommandGuard] {
      limits.tempBasal(
        rate, for: .minutes(30), by: .app, scheduledRate: InsulinRate(milliunitsPerHour: 500),
        neutralRate: 0.5,
        caution: .staleGlucose
      ).guards
    }
    #expect(guards(0.5) == [])
    #expect(guards(0.45) == [])
    #expect(guards(0.55) == [.staleGlucose])
  }

  @Test(
    "A bolus of a program leaves no more on board than twice the maximum bolus of 10 U",
    arguments: [
      (5, 15, 5, []), (5, 18, 2, [.maxActiveInsulin]), (5, 20, 0, [.maxActiveInsulin]),
      (5, 25, 0, [.maxActiveInsulin]), (12, -3, 10, [.maxBolus]),
      (12, 16, 4, [.maxBolus, .maxActiveInsulin]), (-1, 0, 0, [.belowZero]),
    ] as [(Double, Double, Double, [CommandGuard])])
  func programmedBoluses(
    asked: Double, onBoard: Double, given: Double, guards: [CommandGuard]
  ) throws {
    let limits = CommandLimits(of: try Bench(from: at(9)).app)
    func bolus(isAutomatic: Bool, _ set: GuardSet) -> ControllerCommand {
      limits.bolus(
        asked, isAutomatic: isAutomatic, by: set, insulinOnBoard: onBoard, caution: nil)
    }
    func units(_ command: ControllerCommand) -> Double {
      guard case .startBolus(let amount, _)? = command.given else { return 0 }
      return amount.units
    }
    let automatic = bolus(isAutomatic: true, .app)
    #expect(units(automatic) == given)
    #expect(automatic.guards == guards)
    // What a person confirms, and what goes past the app, is not held against insulin on board.
    #expect(units(bolus(isAutomatic: false, .app)) == min(10, max(0, asked)))
    #expect(units(bolus(isAutomatic: true, .pump)) == max(0, asked))
  }

  @Test("Data of 15 minutes are taken, and a millisecond later no more")
  func recency() {
    func refusal(_ glucose: Instant, _ pump: Instant) -> DosingRefusal? {
      do throws(DosingRefusal) {
        try DataRecency().check(at: at(12), lastGlucose: glucose, lastPumpData: pump)
        return nil
      } catch {
        return error
      }
    }
    let (last, old) = (at(11, 45), at(11, 45) - .milliseconds(1))
    #expect(refusal(last, last) == nil)
    let age = TimeSpan.minutes(15) + .milliseconds(1)
    #expect(refusal(old, last) == .glucoseTooOld(age: age))
    #expect(refusal(last, old) == .pumpDataTooOld(age: age))
    #expect(refusal(at(12, 15), last) == nil)
    #expect(refusal(at(12, 15) + .milliseconds(1), last) == .invalidFutureGlucose(ahead: age))
  }

  @Test("A decision tells of every command of a program, in the order in which they are sent")
  func programInWords() throws {
    var bench = try Bench(from: at(8), closedLoop: true)
    try bench.run(until: at(8, 10))
    func words(_ answer: ControllerAnswer) -> String {
      var app = bench.app
      _ = app.beginControllerCycle(at: at(8, 15), history: .hours(1))
      return app.endCycle(at: at(8, 15), with: answer, guards: .pump).decision.summary
    }
    var answer = ControllerAnswer(
      tempBasal: .start(unitsPerHour: 1, duration: .minutes(30)), bolus: 0.5)
    answer.cancelsBolus = true
    answer.suspends = true
    #expect(words(answer) == "cancel bolus, temp 1.00 U/h for 30m, bolus 0.50 U, suspend")
    answer = ControllerAnswer(tempBasal: .cancel)
    answer.resumes = true
    #expect(words(answer) == "resume, cancel temp")
    #expect(words(ControllerAnswer()) == "no change")
  }

  @Test("A temp basal is asked for as long as the pump runs one so high", arguments: [800, 1_000])
  func cutOff(milliunits: Int64) throws {
    var bench = try Bench(schedule: [(0, 400)], closedLoop: true, profile: .dana) {
      $0.therapy.maximumBasalRate = rate(milliunits)
    }
    bench.mgdL = 300
    try bench.live()
    // Above twice the schedule, as 1 U/h is beside 0.4 U/h, it runs for a quarter of an hour.
    let duration = TimeSpan.minutes(milliunits == 800 ? 30 : 15)
    let decision = try #require(bench.decisions.last)
    #expect(decision.basal == .start(rate(milliunits), duration: duration))
    #expect(
      decision.commands == [
        .startTempBasal(rate(milliunits), duration: duration, automatic: true)
      ])
    bench.readPump()
    #expect(bench.app.pump.runningTemp?.end == midnight + duration)
  }

  @Test("The calculator goes by the glucose that the app has, right or wrong")
  func calculatorUnderFaults() throws {
    let calculator = BolusCalculator(
      carbohydrates: .init(grams: 0), target: .mgdL(100), countsInsulinOnBoard: false)
    var bench = try Bench(schedule: [(0, 400)]) {
      $0.therapy.sensitivity = DailySchedule(always: InsulinSensitivity(mgdLPerUnit: 50))
    }
    bench.mgdL = 150
    try bench.run(until: at(1))
    bench.mgdL = 250
    try bench.run(until: at(1, 10))
    func advised() -> Double { bench.app.bolus(by: calculator, at: bench.now).units }
    #expect(advised() == 3)
    bench.app.begin(.corrupt(.glucose, .max), id: "wrong", at: bench.now)
    // A CGM shows 400 mg/dL at most.
    #expect(advised() == 6)
    bench.app.endDisturbance(id: "wrong")
    // Ten minutes ago it was 150 mg/dL.
    bench.app.begin(.stale(age: .minutes(10)), id: "old", at: bench.now)
    #expect(advised() == 1)
    bench.app.endDisturbance(id: "old")
    bench.now += .minutes(16)
    #expect(advised() == 0)
  }

  @Test("A program in place of the app is told what the pump gave just now, and its figures stand")
  func programKnows() throws {
    var bench = try Bench(from: at(8), closedLoop: true)
    try bench.run(until: at(8, 10))
    var app = bench.app
    _ = app.beginControllerCycle(at: at(8, 15), history: .hours(1))
    #expect(app.insulin.lastSynchronisation == at(8, 15))
    var answer = ControllerAnswer()
    answer.carbsOnBoard = 12
    answer.predictedGlucose = [110, 120]
    let decision = app.endCycle(at: at(8, 15), with: answer, guards: .pump).decision
    #expect(decision.carbsOnBoard == 12)
    #expect(decision.predictedGlucose.map(\.startDate) == [at(8, 15), at(8, 20)])
    #expect(decision.predictedGlucose.map(\.quantity) == [.mgdL(110), .mgdL(120)])
  }
}
