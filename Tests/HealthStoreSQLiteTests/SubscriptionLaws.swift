import HealthStore
import HealthStoreSQLite
import Quantities
import Testing

/// A receiver that keeps what it acknowledges, and refuses on demand.
struct KeepingSink: UploadSink {
  var received: [UploadRecord] = []
  var isConnected = true
  var limit = Int.max

  mutating func send(_ record: UploadRecord) -> Bool {
    guard isConnected, received.count < limit else { return false }
    received.append(record)
    return true
  }
}

@Suite("Subscriptions and uploading, on both backends")
struct SubscriptionLaws {
  @Test(
    "H171 The sets have the documented types on each system version",
    arguments: [
      (.routine, [5, 8, 10]), (.diabetes, [1, 1, 1]), (.weight, [5, 5, 5]), (.fitness, [3, 3, 3]),
      (.sleep, [1, 1, 1]), (.basicNutrition, [12, 13, 13]), (.reproductiveHealth, [0, 6, 6]),
      (.biometrics, [5, 5, 5]),
    ] as [(SubscriptionSet, [Int])])
  func sets(set: SubscriptionSet, counts: [Int]) {
    for (version, count) in zip([8, 9, 10], counts) {
      let types = set.sampleTypes(osMajor: version)
      #expect(types.count == count)
      #expect(Set(types).count == count)
      #expect(!types.contains { !$0.isSampleType })
    }
  }

  /// The lists of the Validic Mobile library's HealthKit page, in HealthKit's own names; what a
  /// version of the system brought stands behind its number.
  static let published: [(set: SubscriptionSet, first: String, nine: String, ten: String)] = [
    (
      .routine,
      "FlightsClimbed ActiveEnergyBurned DistanceWalkingRunning StepCount BasalEnergyBurned",
      "AppleStandHour AppleExerciseTime MindfulSession", "DistanceWheelchair PushCount"
    ),
    (.diabetes, "BloodGlucose", "", ""),
    (.weight, "BodyMass Height BodyFatPercentage LeanBodyMass BodyMassIndex", "", ""),
    (.fitness, "Workout NikeFuel DistanceCycling", "", ""), (.sleep, "SleepAnalysis", "", ""),
    (
      .basicNutrition,
      """
      DietaryCalcium DietaryCarbohydrates DietaryCholesterol DietaryFiber DietaryIron \
      DietaryPotassium DietaryProtein DietaryFatSaturated DietarySodium DietarySugar \
      DietaryFatTotal DietaryEnergyConsumed
      """, "DietaryWater", ""
    ),
    (
      .reproductiveHealth, "",
      """
      SexualActivity CervicalMucusQuality IntermenstrualBleeding MenstrualFlow \
      OvulationTestResult BasalBodyTemperature
      """, ""
    ),
    (
      .biometrics,
      "BloodPressureSystolic BloodPressureDiastolic HeartRate BodyTemperature OxygenSaturation", "",
      ""
    ),
  ]

  @Test("H171 The sets hold exactly the published types", arguments: 0..<8 as Range<Int>)
  func typesOfSets(index: Int) {
    let row = Self.published[index]
    for (version, lists) in [
      (8, [row.first]), (9, [row.first, row.nine]), (10, [row.first, row.nine, row.ten]),
    ] {
      let expected = lists.flatMap { $0.split(separator: " ").map(String.init) }
      #expect(Set(row.set.sampleTypes(osMajor: version).map(\.name)) == Set(expected))
    }
  }

  @Test(
    "H177 Steps are gathered finely along with routine where the service may have them",
    arguments: Place.allCases, [false, true])
  func intraday(place: Place, isIntraday: Bool) throws {
    var world = try World(place)
    var service = SubscriptionService(
      name: "s", client: world.loop, isIntradayEnabled: isIntraday)
    try service.setSubscriptions(
      SubscriptionSet.routine.sampleTypes(osMajor: 10), in: &world.store)
    let (steps, stairs) = (
      try world.quantity(.stepCount, 40, from: 0, to: 1),
      try world.quantity(.flightsClimbed, 2, from: 0, to: 1)
    )
    try world.save(steps, stairs, by: world.dexcom)
    try service.collect(in: &world.store, at: world.start)
    var sink = KeepingSink()
    try service.upload(to: &sink, in: &world.store, at: world.start)
    let queues = sink.received.map { "\($0.upload.service) \($0.upload.type)" }
    #expect(
      queues == ["s FlightsClimbed", "s StepCount"] + (isIntraday ? ["s/intraday StepCount"] : []))
  }

  @Test(
    "H172 H174 Subscriptions replace one another, and end with the login",
    arguments: Place.allCases)
  func replacing(place: Place) throws {
    var world = try World(place)
    var service = SubscriptionService(name: "s", client: world.loop)
    try service.setSubscriptions([.bloodGlucose, .stepCount, .bloodGlucose], in: &world.store)
    #expect(service.subscriptions(in: world.store) == [.bloodGlucose, .stepCount])
    try service.setSubscriptions([.heartRate], in: &world.store)
    #expect(service.subscriptions(in: world.store) == [.heartRate])
    try service.endLogin(in: &world.store)
    #expect(service.subscriptions(in: world.store).isEmpty)
    let beat = try world.quantity(.heartRate, 60, from: 0)
    try world.save(beat, by: world.dexcom)
    try service.observeCurrentSubscriptions(in: &world.store)
    #expect(try service.collect(in: &world.store, at: world.start) == 0)
  }

  @Test("H173 After a restart nothing is lost once observing begins again")
  func restart() throws {
    let folder = try ScratchFolder()
    let path = folder.file("health.sqlite")
    var generator = SplitMix(state: 6)
    let now = Instant(secondsSince1970: 1_700_000_000)
    func sample() -> Sample { .bloodGlucose(.mgdL(99), at: now, uuid: .init(using: &generator)) }
    var client = ClientID.user
    do {
      var store = try SQLiteHealthStore(path: path)
      client = try store.register(
        HealthClient(bundleIdentifier: "a", name: "A"), granting: .full)
      try store.save(sample(), as: client, at: now)
      var service = SubscriptionService(name: "s", client: client)
      try service.setSubscriptions([.bloodGlucose], in: &store)
      try store.save(sample(), as: client, at: now)
      #expect(try service.collect(in: &store, at: now) == 1)
      try store.save(sample(), as: client, at: now)
    }
    var store = try SQLiteHealthStore(path: path)
    var service = SubscriptionService(name: "s", client: client)
    #expect(service.subscriptions(in: store) == [.bloodGlucose])
    #expect(try service.collect(in: &store, at: now) == 0)
    try service.observeCurrentSubscriptions(in: &store)
    #expect(try service.collect(in: &store, at: now) == 1)
    #expect(try service.waitingCount(in: store) == 2)
  }

  @Test(
    "H175 H177 History goes back six months, intraday seven days, and is queued once",
    arguments: Place.allCases, [false, true])
  func history(place: Place, isIntraday: Bool) throws {
    var world = try World(place)
    let now = world.start + .days(220)
    for day in 0..<215 as Range<Int64> {
      let steps = try world.quantity(.stepCount, 100, from: day * 1_440 + 600)
      try world.save(steps, by: world.dexcom)
    }
    for day in [36, 38] as [Int64] {
      let walk = Sample(
        workout: Workout(activity: .walking, duration: .hours(1)),
        start: world.minute(day * 1_440), end: world.minute(day * 1_440 + 60),
        uuid: world.uuid())
      try world.save(walk, by: world.dexcom)
    }
    let service = SubscriptionService(
      name: "s", client: world.loop, isIntradayEnabled: isIntraday)
    for _ in 0..<2 {
      try service.fetchHistory(
        [.routine, .intraday, .fitness], in: &world.store, at: now, on: .utc)
      // The start is 15 November 2023, 00:00 UTC; six months before 22 June 2024 is 22 December.
      #expect(try service.waitingCount(in: world.store) == 215 - 37 + 1 + (isIntraday ? 2 : 0))
    }
  }

  @Test(
    "H176 Nothing is lost while the connection is off, and each record arrives once",
    arguments: Place.allCases)
  func uploading(place: Place) throws {
    var world = try World(place)
    var service = SubscriptionService(name: "s", client: world.loop)
    try service.setSubscriptions([.bloodGlucose], in: &world.store)
    let samples = (0..<6).map { world.glucose(100, minute: $0) }
    try world.store.save(samples, as: world.dexcom, at: world.start)
    try world.store.delete([samples[5].uuid], as: .user, at: world.start)
    #expect(try service.collect(in: &world.store, at: world.start) == 6)
    var sink = KeepingSink(isConnected: false)
    #expect(try service.upload(to: &sink, in: &world.store, at: world.start) == 0)
    #expect(try service.waitingCount(in: world.store) == 6)
    sink.isConnected = true
    #expect(try service.upload(to: &sink, in: &world.store, at: world.start) == 0)
    sink.limit = 3
    #expect(try service.upload(to: &sink, in: &world.store, at: world.minute(1)) == 3)
    sink.limit = .max
    try service.observeCurrentSubscriptions(in: &world.store)
    #expect(try service.upload(to: &sink, in: &world.store, at: world.minute(3)) == 3)
    #expect(try service.upload(to: &sink, in: &world.store, at: world.minute(9)) == 0)
    #expect(
      sink.received.map(\.upload.uuid) == samples.prefix(5).map(\.uuid) + [samples[5].uuid])
    #expect(sink.received.last?.upload.operation == .delete)
    #expect(sink.received.last?.sample == nil)
  }

  @Test(
    "A deletion that was forgotten before it was told is found by what is there no more",
    arguments: Place.allCases)
  func forgottenDeletions(place: Place) throws {
    var world = try World(place)
    var service = SubscriptionService(
      name: "s", client: world.loop, isIntradayEnabled: true)
    try service.setSubscriptions([.bloodGlucose, .stepCount], in: &world.store)
    let samples = (0..<4).map { world.glucose(100, minute: $0) }
    let steps = try world.quantity(.stepCount, 40, from: 0, to: 1)
    try world.store.save(samples + [steps], as: world.dexcom, at: world.start)
    var sink = KeepingSink()
    func tell(_ now: Instant) throws {
      sink.received = []
      try service.collect(in: &world.store, at: now)
      try service.upload(to: &sink, in: &world.store, at: now)
    }
    try tell(world.start)
    #expect(sink.received.count == 6)
    let later = world.start + .days(31)
    try world.store.delete(
      [samples[0].uuid, samples[2].uuid, steps.uuid], as: .user, at: world.start)
    // One of them is there again.
    try world.store.save(samples[2], as: world.dexcom, at: world.start)
    try world.store.purgeTombstones(at: later)
    try tell(later)
    let gone = sink.received.filter { $0.upload.operation == .delete }
    #expect(gone.map(\.upload.uuid) == [samples[0].uuid, steps.uuid, steps.uuid])
    #expect(gone.map(\.upload.service) == ["s", "s", "s/intraday"])
    #expect(sink.received.count == 3)
    try tell(later)
    #expect(sink.received.isEmpty)
  }

  @Test(
    "What is deleted and saved again under its identity is told again, with what holds last",
    arguments: Place.allCases, [true, false])
  func again(place: Place, isToldBetween: Bool) throws {
    var world = try World(place)
    var service = SubscriptionService(name: "s", client: world.loop)
    try service.setSubscriptions([.bloodGlucose], in: &world.store)
    let sample = world.glucose(100, minute: 0)
    var sink = KeepingSink()
    func tell() throws {
      try service.collect(in: &world.store, at: world.start)
      try service.upload(to: &sink, in: &world.store, at: world.start)
    }
    try world.save(sample, by: world.dexcom)
    try tell()
    for _ in 0..<2 {
      try world.store.delete([sample.uuid], as: .user, at: world.start)
      if isToldBetween { try tell() }
      try world.save(sample, by: world.dexcom)
      try tell()
    }
    #expect(sink.received.map(\.upload.operation) == [.add, .delete, .add, .delete, .add])
    #expect(sink.received.last?.sample?.uuid == sample.uuid)
    try tell()
    #expect(sink.received.count == 5)
  }

  @Test(
    "What was not sent before it was deleted and saved again waits once, after its deletion",
    arguments: Place.allCases)
  func waitingAgain(place: Place) throws {
    var world = try World(place)
    var service = SubscriptionService(name: "s", client: world.loop)
    try service.setSubscriptions([.bloodGlucose], in: &world.store)
    let sample = world.glucose(100, minute: 0)
    try world.save(sample, by: world.dexcom)
    try service.collect(in: &world.store, at: world.start)
    try world.store.delete([sample.uuid], as: .user, at: world.start)
    try service.collect(in: &world.store, at: world.start)
    try world.save(sample, by: world.dexcom)
    try service.collect(in: &world.store, at: world.start)
    var sink = KeepingSink()
    #expect(try service.upload(to: &sink, in: &world.store, at: world.start) == 2)
    #expect(sink.received.map(\.upload.operation) == [.delete, .add])
  }

  @Test("H191 A type that fails does not hold up another", arguments: Place.allCases)
  func independence(place: Place) throws {
    struct Picky: UploadSink {
      var refused: ObjectType?
      var received: [ObjectType] = []
      mutating func send(_ record: UploadRecord) -> Bool {
        guard record.upload.type != refused else { return false }
        received.append(record.upload.type)
        return true
      }
    }
    var world = try World(place)
    var service = SubscriptionService(name: "s", client: world.loop)
    try service.setSubscriptions([.bloodGlucose, .heartRate], in: &world.store)
    for minute in 0..<2 as Range<Int64> {
      let (glucose, beat) = (
        world.glucose(100, minute: minute), try world.quantity(.heartRate, 60, from: minute)
      )
      try world.save(glucose, beat, by: world.dexcom)
    }
    try service.collect(in: &world.store, at: world.start)
    var sink = Picky(refused: .bloodGlucose)
    #expect(try service.upload(to: &sink, in: &world.store, at: world.start) == 2)
    sink.refused = nil
    #expect(try service.upload(to: &sink, in: &world.store, at: world.minute(1)) == 2)
    #expect(sink.received == [.heartRate, .heartRate, .bloodGlucose, .bloodGlucose])
  }

  @Test(
    "A type about which every decision is taken back waits, and does not hold up another",
    arguments: Place.allCases)
  func undetermined(place: Place) throws {
    var world = try World(place)
    var service = SubscriptionService(name: "s", client: world.loop)
    try service.setSubscriptions([.bloodGlucose, .bodyMass], in: &world.store)
    let sample = world.glucose(100, minute: 0)
    let weight = try world.quantity(.bodyMass, 70, from: 0)
    try world.save(sample, weight, by: world.dexcom)
    #expect(try service.collect(in: &world.store, at: world.start) == 2)
    try world.store.setAuthorization(.notDetermined, of: world.loop, for: [.bloodGlucose])
    var sink = KeepingSink()
    #expect(try service.upload(to: &sink, in: &world.store, at: world.start) == 1)
    #expect(sink.received.map(\.upload.uuid) == [weight.uuid])
    try world.store.setAuthorization(.full, of: world.loop, for: [.bloodGlucose])
    #expect(try service.upload(to: &sink, in: &world.store, at: world.start) == 1)
    #expect(sink.received.map(\.sample?.uuid) == [weight.uuid, sample.uuid])
    #expect(sink.received.last?.upload.attempts == 1)
  }

  @Test("H192 A service that is forgotten and comes back begins anew", arguments: Place.allCases)
  func forgetting(place: Place) throws {
    var world = try World(place)
    let now = world.start + .days(1)
    let steps = try world.quantity(.stepCount, 100, from: 0)
    try world.save(steps, by: world.dexcom)
    let service = SubscriptionService(name: "s", client: world.loop)
    var sink = KeepingSink()
    for count in [1, 1] {
      sink.received = []
      try service.fetchHistory([.routine], in: &world.store, at: now, on: .utc)
      #expect(try service.upload(to: &sink, in: &world.store, at: now) == count)
      try service.forgetQueue(in: &world.store)
    }
  }

  @Test("A record is one line of JSON, whatever its texts contain")
  func line() throws {
    var world = try World(.memory)
    let sample = world.glucose(
      100.5, minute: 0, metadata: [MetadataKey("a\"b"): .text("line\nbreak\u{1}")])
    let upload = Upload(
      service: "s", number: 7, type: .bloodGlucose, uuid: sample.uuid, operation: .add,
      due: world.start, enqueued: world.start)
    let line = UploadRecord(upload: upload, sample: sample).line
    #expect(
      line == """
        {"number":7,"operation":"add","type":"HKQuantityTypeIdentifierBloodGlucose",\
        "uuid":"\(sample.uuid)","start":"2023-11-15T00:00:00Z","end":"2023-11-15T00:00:00Z",\
        "value":100.5,"unit":"mg/dL","metadata":{"a\\"b":"line\\nbreak\\u0001"}}
        """)
  }
}
