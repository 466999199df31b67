import Devices
import Dosing
import HealthStore
import Quantities
import Testing

@testable import ClosedLoop

@Suite("Cycles of the loop")
struct DecisionTests {
  static func command(of decision: Decision?) -> PumpCommand? { decision?.commands.first }

  @Test("H87: new glucose 4 minutes after the last cycle starts none, after 5 minutes it does")
  func waitsBetweenCycles() throws {
    var bench = try Bench(from: at(9))
    #expect(bench.app.cycles.isDue(for: .newGlucose, at: at(9)))
    _ = bench.app.decide(at: at(9))
    #expect(!bench.app.cycles.isDue(for: .newGlucose, at: at(9, 4)))
    #expect(!bench.app.cycles.isDue(for: .newGlucose, at: at(9, 4, 12)))
    #expect(bench.app.cycles.isDue(for: .newGlucose, at: at(9, 4, 13)))
    #expect(bench.app.cycles.isDue(for: .heartbeat, at: at(9, 1)))
  }

  @Test("D25: glucose 15 min 1 s old is refused by the app, exactly 15 min old by the algorithm")
  func refusesOldGlucose() throws {
    var bench = try Bench(from: at(9))
    try bench.run(until: at(9, 5))
    bench.now = at(9, 20)
    bench.readPump()
    #expect(bench.app.decide(at: at(9, 20)).refusal == .algorithm(.glucoseTooOld))
    bench.now = at(9, 20, 1)
    bench.readPump()
    let decision = bench.app.decide(at: bench.now)
    #expect(decision.refusal == .data(.glucoseTooOld(age: .minutes(15) + .seconds(1))))
    #expect(decision.commands.isEmpty)
  }

  @Test("D74: pump data 15 min 1 s old are refused, 15 min old are not")
  func refusesOldPumpData() throws {
    var bench = try Bench(from: at(9), closedLoop: true)
    bench.mgdL = 250
    bench.readPump()
    bench.now = at(9, 15)
    bench.sense()
    #expect(bench.app.decide(at: bench.now).refusal == nil)
    bench.now = at(9, 15, 1)
    let decision = bench.app.decide(at: bench.now)
    #expect(decision.refusal == .data(.pumpDataTooOld(age: .minutes(15) + .seconds(1))))
    #expect(decision.commands.isEmpty)
  }

  @Test("Without glucose, or with glucose far in the future, nothing is decided")
  func refusesMissingAndFutureGlucose() throws {
    var bench = try Bench(from: at(9))
    bench.readPump()
    #expect(bench.app.decide(at: at(9)).refusal == .data(.missingGlucose))
    bench.app.ingest(GlucoseReading(instant: at(9, 16), glucose: .mgdL(100)), at: at(9))
    #expect(
      bench.app.decide(at: at(9)).refusal == .data(.invalidFutureGlucose(ahead: .minutes(16))))
  }

  @Test("A pump that was never read is refused")
  func refusesAnUnreadPump() throws {
    var bench = try Bench(from: at(9))
    bench.sense()
    #expect(bench.app.decide(at: at(9)).refusal == .data(.pumpDataTooOld(age: nil)))
  }

  @Test("Open loop computes the same recommendation and commands nothing")
  func onlyRecommendsInOpenLoop() throws {
    var open = try Bench(from: at(9))
    var closed = try Bench(from: at(9), closedLoop: true)
    // (200 − 105) mg/dL over 50 mg/dL/U within half an hour, on top of 0.4 U/h.
    open.mgdL = 200
    closed.mgdL = 200
    try open.run(until: at(9, 5))
    try closed.run(until: at(9, 5))
    let wanted = try #require(closed.decisions.last)
    let shown = try #require(open.decisions.last)
    #expect(shown.recommendation == wanted.recommendation)
    #expect(shown.basal == wanted.basal)
    #expect(shown.commands.isEmpty)
    #expect(
      Self.command(of: wanted)
        == .startTempBasal(rate(4_200), duration: .minutes(30), automatic: true))
  }

  @Test("A rate that already runs is sent again only when less than 11 minutes of it are left")
  func reissuesLate() throws {
    var bench = try Bench(schedule: [(0, 400)], from: at(9), closedLoop: true) {
      $0.therapy.maximumBasalRate = rate(1_000)
    }
    bench.mgdL = 300
    try bench.run(until: at(10, 30))
    let sent = bench.decisions.filter { !$0.commands.isEmpty }.map(\.instant)
    #expect(sent == [at(9, 5), at(9, 25), at(9, 45), at(10, 5), at(10, 25)])
  }

  @Test("Automatic boluses give a part of the correction and leave the basal at most scheduled")
  func givesAutomaticBoluses() throws {
    var bench = try Bench(
      schedule: [(0, 400)], from: at(9), closedLoop: true, strategy: .automaticBolus)
    bench.mgdL = 205
    try bench.run(until: at(9, 5))
    // (205 − 105) mg/dL over 50 mg/dL/U, of which 0.4, rounded down to 0.05 U; the target at the
    // end of the action is 105.
    let decision = try #require(bench.decisions.last)
    #expect(decision.bolus == .milliunits(800))
    #expect(decision.commands == [.startBolus(.milliunits(800), automatic: true)])
    try bench.run(until: at(9, 10))
    #expect(bench.app.pump.events.events.first?.dose?.isAutomatic == true)
  }

  @Test("Automatic dosing does not raise insulin on board above twice the largest bolus")
  func limitsInsulinOnBoard() throws {
    var bench = try Bench(
      schedule: [(0, 400)], from: at(9), closedLoop: true, strategy: .automaticBolus
    ) { $0.therapy.maximumBolus = .milliunits(1_000) }
    bench.mgdL = 390
    try bench.run(until: at(12))
    let highest = bench.decisions.compactMap(\.insulinOnBoard).max() ?? 0
    #expect(highest <= 2 && highest > 1.8)
  }

  @Test("A suspended pump is computed for and not commanded")
  func doesNotCommandASuspendedPump() throws {
    var bench = try Bench(schedule: [(0, 400)], from: at(9), closedLoop: true)
    try bench.send(.suspend, at: at(9, 2))
    bench.mgdL = 300
    try bench.run(until: at(9, 5))
    let decision = try #require(bench.decisions.last)
    #expect(decision.refusal == .pumpSuspended)
    #expect(decision.recommendation != nil)
    #expect(decision.commands.isEmpty)
  }

  @Test("Unreliable glucose ends a high temp basal and leaves a low one")
  func stopsHighTempBasals() throws {
    for (temp, commands) in [(2_000, [.cancelTempBasal]), (100, [])] as [(Int64, [PumpCommand])] {
      var bench = try Bench(schedule: [(0, 400)], from: at(9), closedLoop: true)
      try bench.run(until: at(9, 5))
      bench.send(.startTempBasal(rate(temp), duration: .minutes(30), automatic: true))
      bench.now = at(9, 10)
      bench.readPump()
      bench.app.ingest(
        GlucoseReading(
          number: 1_000, instant: at(9, 10), glucose: .mgdL(300), isUnreliable: true), at: at(9, 10)
      )
      let decision = bench.app.decide(at: at(9, 10))
      #expect(decision.refusal == .glucoseUnreliable)
      #expect(decision.commands == commands)
    }
  }

  @Test("Opening the loop cancels an automatic temp basal; a lower maximum cancels a higher one")
  func cancelsOnChangedSettings() throws {
    var bench = try Bench(schedule: [(0, 400)], from: at(9), closedLoop: true)
    bench.mgdL = 300
    try bench.run(until: at(9, 5))
    var opened = bench
    var manual = opened.app.therapy
    manual.isClosedLoop = false
    #expect(opened.app.change(to: manual, at: at(9, 6)) == [.cancelTempBasal])
    var lowered = bench.app.therapy
    lowered.maximumBasalRate = rate(3_000)
    #expect(bench.app.change(to: lowered, at: at(9, 6)) == [.cancelTempBasal])
    lowered.maximumBasalRate = rate(6_000)
    #expect(bench.app.change(to: lowered, at: at(9, 6)).isEmpty)
  }

  @Test("D71, D72: a command without a reply blocks dosing until the pump is read, and counts")
  func blocksOnUncertainDelivery() throws {
    var bench = try Bench(schedule: [(0, 400)], from: at(9), closedLoop: true)
    bench.mgdL = 300
    try bench.run(until: at(9, 5))
    let command = PumpCommand.startBolus(.milliunits(2_000), automatic: true)
    bench.app.acknowledge(command, result: .failure(.uncertainDelivery(command)), at: at(9, 6))
    #expect(try #require(bench.app.insulinOnBoard(at: at(9, 6))) > 1.9)
    let blocked = bench.app.decide(at: at(9, 6))
    #expect(blocked.refusal == .deliveryUncertain)
    #expect(blocked.commands.isEmpty)
    bench.now = at(9, 10)
    bench.readPump()
    #expect(bench.app.pump.uncertain.isEmpty)
    let assumed = bench.app.pump.events.events.filter(\.syncIdentifier.isAssumed)
    #expect(assumed.isEmpty)
    #expect(try #require(bench.app.insulinOnBoard(at: at(9, 10))) < 0.5)
  }

  @Test("D73: when the pod is gone a bolus and a high temp basal count as given, a low one not")
  func assumesTheWorst() throws {
    let half = TimeSpan.minutes(30)
    let cases: [(PumpCommand, Int, Double)] = [
      (.startBolus(.milliunits(2_000), automatic: true), 1, 2),
      // 20 minutes at 2 U/h, until the pod was replaced.
      (.startTempBasal(rate(2_000), duration: half, automatic: true), 1, 2.0 / 3),
      (.startTempBasal(rate(100), duration: half, automatic: true), 0, 0),
      (.suspend, 0, 0),
    ]
    for ahead in [TimeSpan.zero, .hours(2)] {
      for (command, events, units) in cases {
        var bench = try Bench(schedule: [(0, 400)], from: at(9), profile: .omnipodDASH)
        try bench.run(until: at(9, 5))
        bench.app.clockError = ahead
        bench.app.acknowledge(
          command, result: .failure(.uncertainDelivery(command)), at: at(9, 6) + ahead)
        #expect(bench.app.pump.uncertain.map(\.command) == [command])
        bench.now = at(9, 26)
        try bench.pump.replaceReservoir(at: at(9, 26))
        bench.readPump()
        #expect(bench.app.pump.uncertain.isEmpty)
        let assumed = bench.app.pump.events.events.filter(\.syncIdentifier.isAssumed)
        #expect(assumed.count == events)
        #expect(abs(assumed.reduce(0) { $0 + ($1.dose?.programmedUnits ?? 0) } - units) < 1e-9)
      }
    }
  }

  @Test("A bolus runs until the end that the pump told, however wrong the phone's clock is")
  func knowsARunningBolus() throws {
    for ahead in [TimeSpan.zero, .hours(2), .hours(-2)] {
      var bench = try Bench(schedule: [(0, 400)], from: at(9), profile: .omnipodDASH)
      try bench.run(until: at(9, 5))
      bench.app.clockError = ahead
      // 5 U take 200 s.
      try bench.pump.startBolus(.milliunits(5_000), at: at(9, 6))
      bench.now = at(9, 7)
      bench.readPump()
      let known = bench.app.pump
      #expect(known.isBolusRunning(at: at(9, 9, 19) + ahead), "\(ahead)")
      #expect(!known.isBolusRunning(at: at(9, 9, 20) + ahead), "\(ahead)")
      let refusal = known.inability(at: at(9, 9) + ahead, .omnipodDASH)
      #expect(refusal == .bolusInProgress, "\(ahead)")
    }
  }

  @Test("A temp basal runs until the end that the pump told, however wrong the phone's clock is")
  func knowsARunningTempBasal() throws {
    for ahead in [TimeSpan.zero, .hours(2), .hours(-2)] {
      var bench = try Bench(schedule: [(0, 400)], from: at(9))
      try bench.run(until: at(9, 5))
      bench.app.clockError = ahead
      try bench.pump.startTempBasal(rate: rate(1_000), duration: .minutes(30), at: at(9, 6))
      // It was asked for a little more than the pump can run.
      bench.app.acknowledge(
        .startTempBasal(rate(1_020), duration: .minutes(30), automatic: true),
        result: .success(()), at: at(9, 6) + ahead)
      bench.now = at(9, 7)
      bench.readPump()
      let running = bench.app.pump.runningTemp
      #expect(running?.end == at(9, 36) + ahead, "\(ahead)")
      #expect(running?.rate == rate(1_020), "\(ahead)")
    }
  }

  @Test("The next reading settles a command without a reply, however wrong the phone's clock is")
  func settlesByTheTimeOfThePump() throws {
    let command = PumpCommand.startBolus(.milliunits(2_000), automatic: true)
    for ahead in [TimeSpan.zero, .hours(2), .hours(-2)] {
      var bench = try Bench(schedule: [(0, 400)], from: at(9))
      try bench.run(until: at(9, 5))
      bench.app.clockError = ahead
      bench.app.acknowledge(
        command, result: .failure(.uncertainDelivery(command)), at: at(9, 6) + ahead)
      // What was read before the command says nothing of it.
      bench.readPump()
      #expect(bench.app.pump.uncertain.map(\.command) == [command], "\(ahead)")
      bench.now = at(9, 10)
      bench.readPump()
      #expect(bench.app.pump.uncertain.isEmpty, "\(ahead)")
    }
  }

  @Test("Two commands without a reply both count until the pump is read, and when its pod is gone")
  func countsEveryCommand() throws {
    let bolus = PumpCommand.startBolus(.milliunits(2_000), automatic: false)
    let temp = PumpCommand.startTempBasal(rate(2_000), duration: .minutes(30), automatic: true)
    for (commands, units) in [([bolus, temp], 2.0), ([temp, bolus], 2), ([bolus, bolus], 4)] {
      var bench = try Bench(schedule: [(0, 400)], from: at(9), profile: .omnipodDASH)
      try bench.run(until: at(9, 5))
      for (number, command) in commands.enumerated() {
        bench.app.acknowledge(
          command, result: .failure(.uncertainDelivery(command)), at: at(9, 6 + Int64(number)))
      }
      #expect(bench.app.pump.uncertain.map(\.command) == commands)
      #expect(abs(try #require(bench.app.insulinOnBoard(at: at(9, 7))) - units) < 0.01)
      bench.now = at(9, 10)
      try bench.pump.replaceReservoir(at: at(9, 10))
      bench.readPump()
      let assumed = bench.app.pump.events.events.filter(\.syncIdentifier.isAssumed)
      #expect(assumed.map(\.date) == [at(9, 6), at(9, 7)])
      #expect(Set(assumed.map(\.syncIdentifier)).count == 2)
      #expect(abs(try #require(bench.app.insulinOnBoard(at: at(9, 10))) - units) < 0.15)
    }
  }

  @Test("A command sent to a pump that keeps its history is asked about, whatever its reservoir")
  func asksAPumpWithAnotherReservoir() throws {
    var bench = try Bench(schedule: [(0, 400)], from: at(9))
    try bench.run(until: at(9, 5))
    let command = PumpCommand.startBolus(.milliunits(2_000), automatic: true)
    bench.app.acknowledge(command, result: .failure(.uncertainDelivery(command)), at: at(9, 6))
    bench.now = at(9, 26)
    try bench.pump.replaceReservoir(at: at(9, 26))
    bench.readPump()
    #expect(bench.app.pump.uncertain.isEmpty)
    #expect(bench.app.pump.events.events.filter(\.syncIdentifier.isAssumed).isEmpty)
  }

  @Test("A preset scales basal, ISF and carb ratio, and its range holds to the end of the forecast")
  func appliesPresets() throws {
    var bench = try Bench(schedule: [(0, 400)], from: at(9))
    try bench.run(until: at(9, 30))
    bench.app.start(
      TherapyOverride(
        name: "Exercise", targets: GlucoseRange(lower: .mgdL(140), upper: .mgdL(160)),
        insulinNeeds: 0.5, from: at(9, 30), until: at(10)))
    try bench.run(until: at(9, 40))
    let input = bench.app.algorithmInput(at: at(9, 40), for: .tempBasal)
    #expect(input.basal.map(\.value) == [0.4, 0.2])
    #expect(input.basal.map(\.startDate) == [at(9) - .minutes(970), at(9, 30)])
    #expect(input.sensitivity.map(\.value) == [50, 100, 50])
    #expect(input.carbRatio.map(\.value) == [10, 20, 10])
    #expect(input.target.map(\.lowerBound.mgdL) == [140])
    // The pump gives 0.4 U/h where 0.2 are neutral: from 09:30 on that adds up.
    #expect(try #require(bench.app.insulinOnBoard(at: at(10))) > 0)
    #expect(bench.app.therapies.neutralRate(at: at(9, 45)) == 0.2)
  }

  @Test("A recommended bolus counts the carbohydrates about to be entered, and commands nothing")
  func recommendsABolus() throws {
    var bench = try Bench(schedule: [(0, 400)], from: at(9))
    bench.mgdL = 105
    try bench.run(until: at(9, 30))
    let meal = CarbStore.Entry(date: at(9, 30), mass: CarbohydrateMass(grams: 40))
    let decision = bench.app.recommendBolus(at: at(9, 30), for: meal)
    // 40 g over 10 g/U; the algorithm corrects to the middle of the range at the end.
    #expect(decision.bolus >= .milliunits(3_700) && decision.bolus <= .milliunits(4_100))
    #expect(decision.commands.isEmpty)
    #expect(bench.app.carbs.activeRows.isEmpty)
  }

  @Test("A copy of the app is a checkpoint: both go on alike")
  func copiesAreCheckpoints() throws {
    var first = try Bench(from: at(5), closedLoop: true, strategy: .automaticBolus)
    first.mgdL = 180
    try first.run(until: at(7))
    var second = first
    try first.run(until: at(9))
    try second.run(until: at(9))
    #expect(first.app.insulin.segments == second.app.insulin.segments)
    #expect(first.decisions.map(\.summary) == second.decisions.map(\.summary))
    #expect(first.app.pump.events == second.app.pump.events)
  }

  @Test("While a bolus runs no automatic one is commanded, and afterwards it is")
  func waitsForARunningBolus() throws {
    var profile = PumpProfile.generic50
    profile.refusesTempBasalDuringBolus = false
    var bench = try Bench(
      from: at(9), closedLoop: true, strategy: .automaticBolus, profile: profile)
    bench.mgdL = 400
    // 4 U take 160 s, and leave about 2 U to correct.
    bench.send(.startBolus(.milliunits(4_000), automatic: false))
    func bolus(_ decision: Decision) -> Bool {
      decision.commands.contains { if case .startBolus = $0 { true } else { false } }
    }
    bench.now = at(9, 2)
    bench.readPump()
    bench.sense()
    let during = bench.app.decide(at: bench.now)
    #expect(during.refusal == nil)
    #expect(during.bolus > .zero)
    #expect(!bolus(during))
    bench.now = at(9, 7)
    bench.readPump()
    bench.sense()
    #expect(bolus(bench.app.decide(at: bench.now)))
  }
}
