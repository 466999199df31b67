internal import Quantities

// What the user's activity of a day comes to.

extension ActivitySummary {
  /// The summaries of calendar days that have any activity, in their order.
  static func summaries<Backend>(
    from first: DayComponents, through last: DayComponents, goals: ActivityGoals,
    on clock: WallClock, as client: ClientID, in contents: StoreContents<Backend>
  ) throws(HealthStoreError) -> [ActivitySummary] {
    let (first, last) = (try first.civilTime(), try last.civilTime())
    try contents.registry.checkReader(client)
    switch contents.registry.authorization(of: client, for: .activitySummary).visibility {
    case .all: break
    case .own, .nothing: return []
    case .undetermined:
      throw .authorizationNotDetermined(
        client: contents.registry.name(of: client), type: .activitySummary)
    }
    var summaries: [ActivitySummary] = []
    guard first <= last else { return [] }
    for number in first.dayNumber...last.dayNumber {
      let day = CivilTime(dayNumber: number)
      let start = clock.reading(of: day).instant
      let end = clock.reading(of: CivilTime(dayNumber: number + 1)).instant
      // A day that the clock skipped, as Samoa's 30 December 2011.
      guard start < end else { continue }
      let energy = try sum(of: .activeEnergyBurned, start, end, contents)
      let exercise = try sum(of: .appleExerciseTime, start, end, contents)
      let stood = try standHours(start, end, contents)
      guard energy != nil || exercise != nil || stood != nil else { continue }
      summaries.append(
        ActivitySummary(
          day: day, activeEnergy: energy ?? 0,
          exercise: TimeSpan(roundingSeconds: (exercise ?? 0) * 60) ?? .zero,
          standHours: stood ?? 0, goals: goals))
    }
    return summaries
  }

  /// The merged sum of a day over all sources, whatever the reader may see of the samples.
  private static func sum<Backend>(
    of type: ObjectType, _ start: Instant, _ end: Instant, _ contents: StoreContents<Backend>
  ) throws(HealthStoreError) -> Double? {
    try contents.statisticsCollection(
      of: type, matching: .samples(start: start, end: end), options: .cumulativeSum,
      anchor: start, every: .minutes(Int((end - start).quotient(by: .minutes(1)))), on: .utc,
      as: .user
    ).first { $0.start == start }?.merged.sum
  }

  private static func standHours<Backend>(
    _ start: Instant, _ end: Instant, _ contents: StoreContents<Backend>
  ) throws(HealthStoreError) -> Int? {
    let hours = try contents.samples(
      of: .appleStandHour,
      matching: .samples(start: start, end: end, options: .strictStartDate), as: .user)
    return hours.isEmpty ? nil : hours.filter { $0.category == 0 }.count
  }
}
