import Devices
import Dosing
import HealthStore
import Quantities
import Testing

@testable import ClosedLoop

@Suite("The parts of the app")
struct AppPartsTests {
  private static func configuration(
    closedLoop: Bool = false, _ change: (inout LoopAppConfiguration) -> Void = { _ in }
  ) throws -> LoopAppConfiguration {
    var configuration = LoopAppConfiguration(
      therapy: therapy(basal: try dailyRates([(0, 400)]), closedLoop: closedLoop),
      pump: .generic50, clock: .utc)
    change(&configuration)
    return configuration
  }

  private static func reading(
    _ mgdL: Double, _ number: Int64, at instant: Instant, isUnreliable: Bool = false
  ) -> GlucoseReading {
    GlucoseReading(
      number: number, instant: instant, glucose: .mgdL(mgdL), isUnreliable: isUnreliable)
  }

  @Test("Glucose that the sensor calls unreliable is not stored, and is known until the next")
  func unreliableGlucose() throws {
    var glucose = KnownGlucose(try Self.configuration())
    glucose.take(Self.reading(100, 1, at: at(9)), at: at(9))
    glucose.take(Self.reading(300, 2, at: at(9, 5), isUnreliable: true), at: at(9, 5))
    #expect(glucose.isUnreliable)
    #expect(glucose.store.rows.map(\.glucose.mgdL) == [100])
    var anew = glucose
    anew.forgetMemory()
    #expect(!anew.isUnreliable, "It is not kept on disk.")
    glucose.take(Self.reading(110, 3, at: at(9, 10)), at: at(9, 10))
    #expect(!glucose.isUnreliable)
    #expect(glucose.samples(from: at(9), to: at(10)).samples.map(\.quantity.mgdL) == [100, 110])
  }

  @Test("A reading that comes late does not make a sensor reliable, or unreliable, again")
  func lateReading() throws {
    var glucose = KnownGlucose(try Self.configuration())
    glucose.take(Self.reading(300, 3, at: at(9, 10), isUnreliable: true), at: at(9, 10))
    glucose.take(Self.reading(100, 1, at: at(9)), at: at(9, 10))
    #expect(glucose.isUnreliable)
    #expect(glucose.store.rows.map(\.glucose.mgdL) == [100])
    glucose.take(Self.reading(120, 4, at: at(9, 15)), at: at(9, 15))
    glucose.take(Self.reading(300, 2, at: at(9, 5), isUnreliable: true), at: at(9, 15))
    #expect(!glucose.isUnreliable)
    // The first of another sensor.
    var first = Self.reading(300, 0, at: at(9, 20), isUnreliable: true)
    first.sensor = 2
    glucose.take(first, at: at(9, 20))
    #expect(glucose.isUnreliable)
  }

  @Test("The first look at a health store goes back 8 hours, the next go on from there")
  func readsOnce() throws {
    var store = InMemoryHealthStore()
    var connection = HealthConnection(try Self.configuration())
    let readsClosed = connection.mustRead(store)
    #expect(!readsClosed, "Nothing is open yet.")
    try connection.open(&store, granting: .full)
    let meter = try store.register(
      HealthClient(bundleIdentifier: "com.example.meter", name: "Meter"), granting: .full)
    // That of 02:00 ends 8 hours before the first look, to the second.
    for (hour, number) in [(Int64(1), UInt64(1)), (2, 4), (4, 2), (9, 3)] {
      let uuid = SampleUUID(high: 1, low: number)
      try store.save(
        [.bloodGlucose(.mgdL(100), at: at(hour), uuid: uuid)], as: meter, at: at(hour))
    }
    let readsOpened = connection.mustRead(store)
    #expect(readsOpened)
    let first = try connection.changes(of: .glucose, in: store, at: at(10))
    #expect(first?.added.map(\.start) == [at(2), at(4), at(9)])
    let next = try connection.changes(of: .glucose, in: store, at: at(10))
    #expect(next?.isEmpty == true)
    for kind in HealthConnection.Kind.allCases {
      _ = try connection.changes(of: kind, in: store, at: at(10))
    }
    connection.noteReading(of: store)
    let readsAgain = connection.mustRead(store)
    #expect(!readsAgain)
    let own = Sample.bloodGlucose(.mgdL(100), at: at(10), uuid: connection.newIdentity(at: at(10)))
    let outcome = connection.save(own, to: &store, at: at(10))
    #expect(outcome == .inserted)
    let readsOwn = connection.mustRead(store)
    #expect(!readsOwn, "The app knows what it has written itself.")
  }

  @Test("What a health store refuses is told once")
  func tellsRefusals() throws {
    var store = InMemoryHealthStore()
    var connection = HealthConnection(try Self.configuration())
    try connection.open(&store, granting: .readOnly)
    #expect(!connection.canWrite(.glucose, to: store))
    let own = Sample.bloodGlucose(.mgdL(100), at: at(10), uuid: connection.newIdentity(at: at(10)))
    let outcome = connection.save(own, to: &store, at: at(10))
    #expect(outcome == nil)
    let refusals = connection.takeRefusals()
    guard case .writeRefused = refusals.first, refusals.count == 1 else {
      Issue.record("It is refused in words: \(refusals)")
      return
    }
    let others = connection.takeRefusals()
    #expect(others.isEmpty)
    // A store that fails, and not a person who says no: what it did not take is named once.
    connection.failing = [.bloodGlucose]
    _ = connection.save(own, to: &store, at: at(10))
    let told = connection.takeRefusals().map { "\($0)" }
    #expect(told == ["The health store took no glucose: It fails at present."])
  }

  @Test("A refusal names what was refused, and a warning holds in open and in closed loop")
  func warningsInWords() {
    #expect(
      "\(AppWarning.writeRefused(.insulinDelivery, "It is full."))"
        == "The health store took no insulin: It is full.")
    #expect(
      "\(AppWarning.writeRefused(.dietaryCarbohydrates, "It is full."))"
        == "The health store took no carbohydrates: It is full.")
    #expect(
      "\(AppWarning.writeRefused(nil, "It is full."))"
        == "The health store took nothing: It is full.")
    #expect(
      "\(AppWarning.deletionRefused(.bloodGlucose, "It is locked."))"
        == "The health store deleted no glucose: It is locked.")
    #expect(
      "\(AppWarning.readsForeignCarbs)"
        == "Carbohydrates of other apps are read from the health store; in closed loop they lead "
        + "to automatic dosing.")
  }

  @Test("Wrong data hold what they began with, within what the settings allow, until they end")
  func wrongData() throws {
    let settings = try Self.configuration().therapy
    var disturbances = DataDisturbances()
    disturbances.begin(.corrupt(.insulinOnBoard, .hold), id: "iob", at: at(9), holding: 3)
    disturbances.begin(.corrupt(.recommendedRate, .max), id: "rate", at: at(9), holding: 0)
    #expect(disturbances.wrongInsulin(besides: 1, settings) == 2)
    #expect(disturbances.wrongInsulin(besides: nil, settings) == 0)
    // Another one changes what this has left: 3 U in place of 1.
    for (mode, wrong) in [
      (.zero, -1), (.scale(2), 5), (.max, 19), (.add(0.5), 2.5),
    ] as [(CorruptMode, Double)] {
      var both = disturbances
      both.begin(.corrupt(.insulinOnBoard, mode), id: "other", at: at(9), holding: 0)
      #expect(both.wrongInsulin(besides: 1, settings) == wrong)
    }
    #expect(disturbances.disturbed(1, .recommendedRate, settings) == 5)
    #expect(disturbances.disturbed(1, .recommendedBolus, settings) == 1)
    disturbances.end(id: "rate")
    #expect(disturbances.disturbed(1, .recommendedRate, settings) == 1)
    #expect(disturbances.list == [.corrupt(.insulinOnBoard, .hold)])
  }

  @Test("Stale glucose seems as new as it is not")
  func staleGlucose() throws {
    var glucose = KnownGlucose(try Self.configuration())
    glucose.take(Self.reading(100, 1, at: at(9)), at: at(9))
    glucose.take(Self.reading(200, 2, at: at(9, 30)), at: at(9, 30))
    var disturbances = DataDisturbances()
    #expect(disturbances.newestGlucose(in: glucose.store, at: at(9, 31)) == at(9, 30))
    disturbances.begin(.stale(age: .minutes(20)), id: "stale", at: at(9, 30), holding: 0)
    #expect(disturbances.newestGlucose(in: glucose.store, at: at(9, 31)) == at(9, 20))
  }

  @Test(
    "Wrong glucose that is taken for newer stays as wrong, whichever of the two faults began first",
    arguments: [false, true])
  func staleAndWrong(staleFirst: Bool) throws {
    var glucose = KnownGlucose(try Self.configuration())
    for (index, minute) in ([55, 60, 65, 75] as [Int64]).enumerated() {
      let instant = at(8, minute)
      glucose.take(Self.reading(100, Int64(index), at: instant), at: instant)
    }
    let wrong = (DataDisturbance.corrupt(.glucose, .add(30)), "wrong")
    let stale = (DataDisturbance.stale(age: .minutes(10)), "stale")
    var disturbances = DataDisturbances()
    for (disturbance, id) in staleFirst ? [stale, wrong] : [wrong, stale] {
      disturbances.begin(disturbance, id: id, at: at(9), holding: 0)
    }
    var input = AlgorithmInput.blank
    disturbances.disturb(&input, at: at(9, 20), glucose.store, wrongInsulin: 0)
    #expect(input.glucoseHistory.map(\.date) == [at(9, 5), at(9, 10), at(9, 15)])
    #expect(input.glucoseHistory.map(\.quantity.mgdL) == [100, 130, 130])
  }

  @Test("Of two ages of stale glucose the older holds, also for how old the newest seems")
  func staleTwice() throws {
    var glucose = KnownGlucose(try Self.configuration())
    glucose.take(Self.reading(100, 1, at: at(9)), at: at(9))
    glucose.take(Self.reading(200, 2, at: at(9, 30)), at: at(9, 30))
    var disturbances = DataDisturbances()
    for (age, id) in [(2, "young"), (20, "old"), (10, "between")] as [(Int64, String)] {
      disturbances.begin(.stale(age: .minutes(age)), id: id, at: at(9, 40), holding: 0)
    }
    #expect(disturbances.newestGlucose(in: glucose.store, at: at(9, 40)) == at(9, 20))
    var input = AlgorithmInput.blank
    disturbances.disturb(&input, at: at(9, 40), glucose.store, wrongInsulin: 0)
    #expect(input.glucoseHistory.map(\.date) == [at(9, 20)])
  }

  @Test("The part of a correction that is given goes by the glucose that the algorithm sees")
  func shareOfWrongGlucose() throws {
    let configuration = try Self.configuration {
      $0.therapy.applicationFactor = .glucoseBased
    }
    var app = LoopApp(configuration: configuration, at: at(9))
    app.ingest(Self.reading(110, 1, at: at(9)), at: at(9))
    app.ingest(Self.reading(155, 2, at: at(9, 20)), at: at(9, 20))
    func factor(_ disturbance: DataDisturbance?) throws -> Double {
      var app = app
      if let disturbance { app.begin(disturbance, id: "wrong", at: at(9, 20)) }
      let input = app.algorithmInput(at: at(9, 21), for: .automaticBolus)
      return try #require(input.automaticBolusApplicationFactor)
    }
    // From 0.2 at 110 mg/dL to 0.8 at 200, for a range from 100 on.
    #expect(try (factor(nil) - 0.5).magnitude < 1e-12)
    #expect(try (factor(.corrupt(.glucose, .add(30))) - 0.7).magnitude < 1e-12)
    #expect(try factor(.corrupt(.glucose, .max)) == 0.8)
    #expect(try factor(.stale(age: .minutes(20))) == 0.2)
  }

  @Test("The records follow the pump, and close a segment when a temp basal begins")
  func recordsFollow() throws {
    let configuration = try Self.configuration()
    let therapies = TherapyHistory(configuration.therapy, from: at(9), on: .utc)
    var source = try Pump(
      profile: .generic50, schedule: configuration.therapy.basal, clock: .utc, at: at(9))
    var pump = KnownPump(configuration, from: at(9))
    var records = InsulinRecords(configuration, from: at(9))
    func read(at now: Instant) throws {
      let counted = source.advance(to: now).compactMap(\.basalPulses)
      pump.read(
        try source.report(), pulses: counted, therapies,
        reportedUntil: records.reporter.reportedUntil, at: now)
      records.synchronise(with: &pump, therapies, at: now)
    }
    try read(at: at(9, 30))
    #expect(records.segments.isEmpty)
    try source.perform(
      .startTempBasal(rate(2_000), duration: .minutes(30), automatic: false), at: at(9, 30))
    try read(at: at(9, 55))
    #expect(records.segments.map(\.end) == [at(9, 30)])
    try read(at: at(10, 5))
    #expect(records.segments.map(\.kind) == [.basal, .tempBasal])
    let counted = records.counted(from: midnight, to: at(10, 5), pump, therapies)
    #expect(counted.map(\.kind) == [.tempBasal], "Scheduled basal makes no difference.")
    #expect(records.delivery.activeRows.count == 2)
  }

  @Test("All schedules follow the clock to which the pump is set, from then on")
  func followsPumpClock() throws {
    var therapy = try Self.configuration().therapy
    func schedule<Value>(_ early: Value, _ late: Value) throws -> DailySchedule<Value> {
      try DailySchedule([
        .init(start: TimeOfDay(milliseconds: 0), value: early),
        .init(start: TimeOfDay(milliseconds: 12 * 3_600_000), value: late),
      ])
    }
    therapy.basal = try schedule(rate(400), rate(800))
    therapy.sensitivity = try schedule(.init(mgdLPerUnit: 50), .init(mgdLPerUnit: 40))
    therapy.carbRatio = try schedule(.init(gramsPerUnit: 10), .init(gramsPerUnit: 8))
    therapy.targets = try schedule(
      .init(lower: .mgdL(100), upper: .mgdL(110)), .init(lower: .mgdL(120), upper: .mgdL(130)))
    var therapies = TherapyHistory(therapy, from: at(0), on: .utc)
    therapies.follow(WallClock(initialOffset: .hours(4)), from: at(9))
    for (instant, isLate) in [
      (at(8, 59), false), (at(9), true), (at(19, 59), true), (at(20), false),
    ] {
      #expect(therapies.basal.value(at: instant) == (isLate ? rate(800) : rate(400)))
      #expect(therapies.sensitivity(at: instant) == (isLate ? 40 : 50))
      #expect(therapies.carbRatio(at: instant) == (isLate ? 8 : 10))
      #expect(therapies.target(at: instant).lower == .mgdL(isLate ? 120 : 100))
    }
  }

  @Test("Saved settings hold from when they were saved, and what held before is still known")
  func savedSettings() throws {
    let before = try Self.configuration().therapy
    var therapies = TherapyHistory(before, from: at(0), on: .utc)
    var after = before
    after.sensitivity = DailySchedule(always: .init(mgdLPerUnit: 40))
    after.carbRatio = DailySchedule(always: .init(gramsPerUnit: 8))
    after.targets = DailySchedule(always: .init(lower: .mgdL(120), upper: .mgdL(130)))
    after.basal = DailySchedule(always: rate(800))
    therapies.save(after, from: at(9))
    for (instant, isNew) in [(at(9) - .milliseconds(1), false), (at(9), true), (at(20), true)] {
      #expect(therapies.sensitivity(at: instant) == (isNew ? 40 : 50))
      #expect(therapies.carbRatio(at: instant) == (isNew ? 8 : 10))
      #expect(therapies.target(at: instant).lower == .mgdL(isNew ? 120 : 100))
      // The pump has not acknowledged the basal schedule.
      #expect(therapies.basal.value(at: instant) == before.basal.entries[0].value)
    }
  }

  @Test("What a person may log as given is more than nothing, at most 30 U, and not to come")
  func loggedInsulin() throws {
    #expect(InsulinRecords.canLog(30, at: at(9), now: at(9)))
    #expect(!InsulinRecords.canLog(0, at: at(9), now: at(9)))
    #expect(!InsulinRecords.canLog(30.05, at: at(9), now: at(9)))
    #expect(!InsulinRecords.canLog(1, at: at(9, 1), now: at(9)))
    #expect(!InsulinRecords.canLog(.nan, at: at(9), now: at(9)))
  }

  @Test("Other settings end a temp basal above the maximum, and an automatic one in open loop")
  func settingsEndTempBasals() throws {
    let configuration = try Self.configuration(closedLoop: true)
    let old = configuration.therapy
    let therapies = TherapyHistory(old, from: at(9), on: .utc)
    var source = try Pump(profile: .generic50, schedule: old.basal, clock: .utc, at: at(9))
    var pump = KnownPump(configuration, from: at(9))
    var (low, exact, open) = (old, old, old)
    low.maximumBasalRate = rate(1_000)
    exact.maximumBasalRate = rate(2_000)
    open.isClosedLoop = false
    #expect(!pump.mustCancelTempBasal(for: low, after: old, at: at(9)), "None is known.")
    try source.perform(
      .startTempBasal(rate(2_000), duration: .minutes(30), automatic: true), at: at(9))
    pump.read(try source.report(), pulses: [], therapies, reportedUntil: at(9), at: at(9))
    #expect(pump.mustCancelTempBasal(for: low, after: old, at: at(9)))
    #expect(!pump.mustCancelTempBasal(for: exact, after: old, at: at(9)), "It is at the maximum.")
    #expect(pump.mustCancelTempBasal(for: open, after: old, at: at(9)))
    #expect(!pump.mustCancelTempBasal(for: old, after: old, at: at(9)))
    #expect(!pump.mustCancelTempBasal(for: low, after: old, at: at(9, 30)), "It is over.")
  }

  @Test("A command without a reply is settled by the pod that replaced the one it was sent to")
  func commandsToFormerPod() throws {
    let configuration = try Self.configuration()
    let therapies = TherapyHistory(configuration.therapy, from: at(0), on: .utc)
    var source = try Pump(
      profile: .omnipodDASH, schedule: configuration.therapy.basal, clock: .utc, at: at(0))
    var pump = KnownPump(configuration, from: at(0))
    pump.read(try source.report(), pulses: [], therapies, reportedUntil: at(0), at: at(0))
    let former = try source.report().status
    #expect(former.podActivation == at(0))
    pump.note(.suspend, .failure(.uncertainDelivery(.suspend)), at: at(9))
    let takenBySame = pump.takeUncertain(replacedBy: former)
    #expect(takenBySame.isEmpty, "It is the pod that was asked.")
    // The next pod is put on in the very instant of the command.
    try source.replaceReservoir(at: at(9))
    let next = try source.report().status
    #expect(next.podActivation == at(9))
    let taken = pump.takeUncertain(replacedBy: next)
    #expect(taken.map(\.command) == [.suspend])
    #expect(pump.uncertain.isEmpty)
  }

  @Test("An unreliable CGM ends a high temp basal in closed loop and leaves a low one alone")
  func stopsHighTempBasals() {
    let high = RunningTempBasal(rate: rate(2_000), end: at(9, 30))
    let low = RunningTempBasal(rate: rate(100), end: at(9, 30))
    for (running, isClosed, isStopped) in [
      (high, true, true), (low, true, false),
      (high, false, false),
    ] {
      var decision = Decision(at: at(9), isClosedLoop: isClosed)
      decision.bolus = .milliunits(500)
      decision.stopHighTempBasal(running, scheduled: rate(400))
      #expect(decision.refusal == .glucoseUnreliable)
      #expect(decision.bolus == .zero)
      #expect(decision.commands == (isStopped ? [.cancelTempBasal] : []))
    }
  }

  @Test(
    "Schedules follow the clock that the pump says it has, where the reply to setting it was lost",
    arguments: ScheduleZone.allCases)
  func clockWithoutReply(zone: ScheduleZone) throws {
    var bench = try Bench(schedule: [(0, 400), (8, 800)], from: at(6)) { $0.scheduleZone = zone }
    try bench.run(until: at(6, 30))
    bench.now = at(6, 31)
    bench.pump.begin(.uncertainDelivery(.lostReply), id: "radio", at: bench.now)
    // Two hours to the east it is 08:31.
    let isHeard = bench.send(.setClock(WallClock(initialOffset: .hours(2))))
    #expect(!isHeard)
    bench.pump.end(id: "radio", at: bench.now)
    #expect(bench.app.therapies.basal.value(at: at(6, 32)) == rate(400))
    bench.readPump()
    let followed = rate(zone == .fixedOffset ? 800 : 400)
    #expect(bench.app.therapies.basal.value(at: at(6, 32)) == followed)
    #expect(bench.app.therapies.basal.value(at: at(6, 30)) == rate(400))
  }
}
