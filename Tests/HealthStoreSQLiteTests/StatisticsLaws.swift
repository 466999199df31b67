import HealthStore
import Quantities
import Testing

@Suite("Statistics, on both backends")
struct StatisticsLaws {
  @Test(
    "H148 Of steps that watch and phone recorded, the first source counts whole",
    arguments: Place.allCases)
  func merging(place: Place) throws {
    var world = try World(place)
    let watch = Source(name: "Watch", bundleIdentifier: "com.apple.health.watch")
    let phone = Source(name: "Phone", bundleIdentifier: "com.apple.health.phone")
    let watchID = try world.store.register(
      HealthClient(
        bundleIdentifier: watch.bundleIdentifier, name: watch.name, productType: "Watch6,1"),
      granting: .full)
    let phoneID = try world.store.register(
      HealthClient(
        bundleIdentifier: phone.bundleIdentifier, name: phone.name, productType: "iPhone15,2"),
      granting: .full)
    let steps = try world.quantity(.stepCount, 300, from: 0, to: 30)
    try world.save(steps, by: phoneID)
    let (first, second) = (
      try world.quantity(.stepCount, 100, from: 0, to: 10),
      try world.quantity(.stepCount, 120, from: 20, to: 30)
    )
    try world.save(first, second, by: watchID)
    func figures() throws -> HealthStatistics {
      try world.store.statistics(
        of: .stepCount, options: [.cumulativeSum, .separateBySource, .duration], as: world.loop)
    }
    #expect(try figures().merged.sum == 320)
    #expect(try figures().bySource.map(\.figures.sum) == [220, 300])
    #expect(try figures().merged.duration == .minutes(30))
    #expect(try figures().start == world.start)
    #expect(try figures().end == world.minute(30))
    try world.store.setPriority(of: [phone, watch], for: .stepCount)
    #expect(try figures().merged.sum == 300)
    // A source that is named twice counts once.
    try world.store.setPriority(of: [watch, watch, phone], for: .stepCount)
    #expect(try figures().merged.sum == 320)
    #expect(try figures().merged.count == 3)
    #expect(try figures().bySource.map(\.figures.sum) == [220, 300])
  }

  @Test(
    "H149 H150 One source's bolus and basal both count, and totals add sources up",
    arguments: Place.allCases)
  func insulin(place: Place) throws {
    var world = try World(place)
    func dose(_ units: Double, _ reason: InsulinDeliveryReason, _ from: Int64, _ to: Int64)
      -> Sample
    {
      .insulinDelivery(
        units: units, reason: reason, start: world.minute(from), end: world.minute(to),
        uuid: world.uuid())
    }
    let pump = [dose(0.5, .basal, 0, 60), dose(4, .bolus, 20, 22)]
    try world.store.save(pump, as: world.loop, at: world.start)
    let figures = try world.store.statistics(
      of: .insulinDelivery, options: [.cumulativeSum, .separateBySource], as: .user)
    #expect(figures.merged.sum == 4.5)
    let pen = dose(3, .bolus, 30, 30)
    try world.save(pen, by: world.dexcom)
    let both = try world.store.statistics(
      of: .insulinDelivery, options: [.cumulativeSum, .separateBySource], as: .user)
    #expect(both.merged.sum == 4.5)
    #expect(both.sumOfSources == 7.5)
  }

  @Test(
    "H151 Options must fit the type, and without samples there is no figure",
    arguments: Place.allCases)
  func options(place: Place) throws {
    let world = try World(place)
    for (type, options, code) in [
      (.bloodGlucose, .cumulativeSum, 3), (.stepCount, .discreteAverage, 3),
      (.stepCount, .cumulativeSum, 11), (.bloodGlucose, [.discreteMaximum, .duration], 11),
      (.sleepAnalysis, .duration, 3),
    ] as [(ObjectType, StatisticsOptions, Int)] {
      #expect(
        failure { _ = try world.store.statistics(of: type, options: options, as: world.loop) }
          == code)
    }
  }

  @Test(
    "Discrete figures are those of the values, and heart rate is weighed by time",
    arguments: Place.allCases)
  func discrete(place: Place) throws {
    var world = try World(place)
    for (minute, mgdL) in [100, 80, 120, 140].enumerated() {
      let sample = world.glucose(Double(mgdL), minute: Int64(minute))
      try world.save(sample, by: world.loop)
    }
    let options: StatisticsOptions = [
      .discreteAverage, .discreteMinimum, .discreteMaximum, .mostRecent,
    ]
    let figures = try world.store.statistics(of: .bloodGlucose, options: options, as: world.loop)
    #expect(figures.merged.average == 110)
    #expect(figures.merged.minimum == 80)
    #expect(figures.merged.maximum == 140)
    #expect(figures.merged.mostRecent == 140)
    let (slow, fast) = (
      try world.quantity(.heartRate, 60, from: 0, to: 9),
      try world.quantity(.heartRate, 160, from: 9, to: 10)
    )
    try world.save(slow, fast, by: world.loop)
    #expect(
      try world.store.statistics(of: .heartRate, options: .discreteAverage, as: world.loop)
        .merged.average == 70)
  }

  /// Berlin in 2023: summer time from 26 March to 29 October, 01:00 UTC.
  static let berlin = WallClock(
    initialOffset: .hours(1),
    transitions: [
      .init(instant: Instant(secondsSince1970: 1_679_792_400), offset: .hours(2)),
      .init(instant: Instant(secondsSince1970: 1_698_541_200), offset: .hours(1)),
    ])

  @Test(
    "H152 A day has 23 or 25 hours when clocks change, with its share of basal",
    arguments: Place.allCases,
    [(1_679_698_800, 23, 9.2), (1_698_444_000, 25, 10.0)] as [(Int64, Int64, Double)])
  func clockChange(place: Place, day: (Int64, Int64, Double)) throws {
    var world = try World(place)
    let midnight = Instant(secondsSince1970: day.0)
    for hour in 0..<96 as Range<Int64> {
      let sample = Sample.insulinDelivery(
        units: 0.4, reason: .basal, start: midnight + .hours(hour),
        end: midnight + .hours(hour + 1),
        uuid: world.uuid())
      try world.save(sample, by: world.loop)
    }
    let days = try world.store.statisticsCollection(
      of: .insulinDelivery, options: .cumulativeSum, anchor: midnight - .days(3), every: .days(1),
      on: Self.berlin, as: world.loop)
    #expect(days.count == (day.1 == 23 ? 5 : 4))
    #expect(days[0].start == midnight)
    #expect(days[0].end - days[0].start == .hours(24))
    let changed = try #require(days.first { $0.end - $0.start != .hours(24) })
    #expect(changed.end - changed.start == .hours(day.1))
    #expect(abs((changed.merged.sum ?? 0) - day.2) < 1e-9)
  }

  @Test(
    "H153 A sample across borders is shared by time, and the shares add up",
    arguments: Place.allCases, [-7, 0, 13] as [Int64])
  func straddling(place: Place, offset: Int64) throws {
    var world = try World(place)
    let sample = try world.quantity(.stepCount, 90, from: 45, to: 135)
    try world.save(sample, by: world.loop)
    let anchor = world.start + .hours(offset)
    let hours = try world.store.statisticsCollection(
      of: .stepCount, options: .cumulativeSum, anchor: anchor, every: .hours(1), on: .utc,
      as: world.loop)
    #expect(hours.map(\.merged.sum) == [15, 60, 15])
    #expect(hours.map(\.start) == [0, 60, 120].map { world.minute($0) })
    #expect(
      failure {
        _ = try world.store.statisticsCollection(
          of: .stepCount, options: .cumulativeSum, anchor: anchor, every: .hours(0), on: .utc,
          as: world.loop)
      } == 3)
  }

  @Test(
    "H184 A summary needs era, year, month and day, and is one for the calendar day",
    arguments: Place.allCases)
  func summaries(place: Place) throws {
    var world = try World(place)
    let energy = try world.quantity(.activeEnergyBurned, 320, from: 60, to: 120)
    try world.save(energy, by: world.dexcom)
    for hour in 0..<9 as Range<Int64> {
      let stood = try Sample(
        .appleStandHour, category: 0, start: world.minute(60 * hour),
        end: world.minute(60 * hour + 60), uuid: world.uuid())
      try world.store.save(stood, as: .user, at: world.start)
    }
    let idle = try Sample(
      .appleStandHour, category: 1, start: world.minute(600), end: world.minute(660),
      uuid: world.uuid())
    let training = try world.quantity(.appleExerciseTime, 22, from: 60, to: 90)
    let walk = try world.quantity(.activeEnergyBurned, 80, from: 110, to: 130)
    try world.store.save([idle, training, walk], as: .user, at: world.start)
    let goals = ActivityGoals(activeEnergy: 500, exercise: .minutes(30), standHours: 12)
    func summaries(_ day: DayComponents) throws -> [ActivitySummary] {
      try world.store.activitySummaries(
        from: day, through: day, goals: goals, on: .utc, as: world.loop)
    }
    let day = DayComponents(era: 1, year: 2023, month: 11, day: 15)
    let found = try summaries(day)
    #expect(found.count == 1)
    // The user's own entries come first: 80 kcal of 20 minutes, then 5/6 of the other 320.
    #expect(found.first.map { abs($0.activeEnergy - (80 + 320.0 * 50 / 60)) < 1e-9 } == true)
    #expect(found.first?.description == "move 347/500 kcal, exercise 22/30 min, stand 9/12 h")
    #expect(
      found.first?.text(usesWheelchair: true)
        == "move 347/500 kcal, exercise 22/30 min, roll 9/12 h")
    #expect(try summaries(DayComponents(era: 1, year: 2023, month: 11, day: 17)).isEmpty)
    for key in [\DayComponents.era, \.year, \.month, \.day] {
      var incomplete = day
      incomplete[keyPath: key] = nil
      #expect(failure { _ = try summaries(incomplete) } == 3)
    }
  }

  @Test(
    "H184 A day that the clock skipped has no summary, and its neighbours have theirs",
    arguments: Place.allCases)
  func skippedDay(place: Place) throws {
    var world = try World(place)
    // Over the date line from UTC−10 to UTC+14 at the end of 14 November: the 15th is skipped.
    let clock = WallClock(
      initialOffset: .hours(-10),
      transitions: [.init(instant: world.minute(600), offset: .hours(14))])
    let before = try world.quantity(.activeEnergyBurned, 120, from: 480, to: 540)
    let after = try world.quantity(.activeEnergyBurned, 80, from: 720, to: 780)
    try world.store.save([before, after], as: .user, at: world.start)
    let found = try world.store.activitySummaries(
      from: DayComponents(era: 1, year: 2023, month: 11, day: 14),
      through: DayComponents(era: 1, year: 2023, month: 11, day: 16),
      goals: ActivityGoals(activeEnergy: 500, exercise: .minutes(30), standHours: 12), on: clock,
      as: world.loop)
    #expect(found.map(\.day.day) == [14, 16])
    #expect(found.map(\.activeEnergy) == [120, 80])
  }

  @Test(
    "A sample that nobody knows the end of is told as far as anything is known",
    arguments: Place.allCases)
  func undetermined(place: Place) throws {
    var world = try World(place)
    func open(_ type: ObjectType, _ value: Double, from minute: Int64) throws -> Sample {
      try Sample(
        type, quantity: HealthQuantity(value, try #require(type.unit)),
        start: world.minute(minute), end: Sample.undeterminedEnd, uuid: world.uuid())
    }
    func hours(_ type: ObjectType, _ options: StatisticsOptions) throws -> [HealthStatistics] {
      try world.store.statisticsCollection(
        of: type, options: options, anchor: world.start, every: .hours(1), on: .utc,
        as: world.loop)
    }
    let rate = try open(.heartRate, 60, from: 30)
    try world.save(rate, by: world.loop)
    let alone = try hours(.heartRate, .discreteAverage)
    #expect(alone.map(\.start) == [world.start])
    #expect(alone.map(\.merged.average) == [60])
    // Ten minutes of 80 in the third hour, of which ten are known of the other.
    let known = try world.quantity(.heartRate, 80, from: 120, to: 130)
    try world.save(known, by: world.loop)
    let beats = try hours(.heartRate, .discreteAverage)
    #expect(beats.map(\.merged.count) == [1, 1, 2])
    #expect(beats.map(\.merged.average) == [60, 60, 70])
    // As one stretch: 100 minutes of 60 and ten of 80.
    let both = try world.store.statistics(
      of: .heartRate, options: .discreteAverage, as: world.loop)
    #expect(both.merged.average == 6_800.0 / 110)
    // 100 steps of two hours that are known, and 10 of the second: the shares add up.
    let (steps, more) = (
      try open(.stepCount, 100, from: 0), try world.quantity(.stepCount, 10, from: 60, to: 120)
    )
    try world.save(steps, more, by: world.loop)
    #expect(try hours(.stepCount, .cumulativeSum).map(\.merged.sum) == [50, 60])
    let whole = try world.store.statistics(
      of: .stepCount, options: .cumulativeSum, as: world.loop)
    #expect(whole.merged.sum == 110)
  }

  @Test("More buckets than a century has hours are refused")
  func buckets() throws {
    var world = try World(.memory)
    let long = try world.quantity(.heartRate, 60, from: 0, to: 1_000_001)
    try world.save(long, by: world.loop)
    #expect(throws: HealthStoreError.invalidArgument(.tooManyBuckets(most: 1_000_000))) {
      try world.store.statisticsCollection(
        of: .heartRate, options: .discreteMinimum, anchor: world.start, every: .minutes(1),
        on: .utc, as: world.loop)
    }
  }
}
