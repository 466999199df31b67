public import Quantities

extension PumpProfile {
  /// Whether the pump can run a basal schedule.
  public func canRun(_ schedule: DailySchedule<InsulinRate>) -> Bool {
    (try? check(schedule)) != nil
  }

  /// Checks that the pump can run a basal schedule.
  public func check(_ schedule: DailySchedule<InsulinRate>) throws(PumpError) {
    guard schedule.entries.count <= maximumScheduleEntries else {
      throw .tooManyScheduleEntries(
        schedule.entries.count, pump: name, maximum: maximumScheduleEntries)
    }
    for (index, entry) in schedule.entries.enumerated() {
      guard entry.start.milliseconds % scheduleStep.milliseconds == 0 else {
        throw .scheduleEntryOffGrid(entry.start, pump: name, grid: scheduleStep)
      }
      guard basalRates.contains(entry.value.milliunitsPerHour) else {
        let step = basalRates.step(at: entry.value.milliunitsPerHour)
        throw .scheduleRateNotSupported(
          entry.value, entry: index, pump: name, step: InsulinRate(milliunitsPerHour: step),
          maximum: InsulinRate(milliunitsPerHour: basalRates.maximum))
      }
    }
  }

  /// Checks that the pump takes a temp basal.
  func check(tempBasal rate: InsulinRate, for duration: TimeSpan) throws(PumpError) {
    guard tempBasal.accepts(duration: duration) else {
      throw .durationNotSupported(
        duration, pump: name, step: tempBasal.durationStep, maximum: tempBasal.maximumDuration)
    }
    guard tempBasal.rates.contains(rate.milliunitsPerHour) else {
      throw .rateNotSupported(
        rate, pump: name, nearest: supportedRate(atMost: rate),
        maximum: InsulinRate(milliunitsPerHour: tempBasal.rates.maximum))
    }
  }

  /// Checks that the pump takes a bolus.
  func check(bolus amount: InsulinAmount) throws(PumpError) {
    guard amount > .zero, bolusVolumes.contains(amount.milliunits) else {
      throw .bolusNotSupported(
        amount, pump: name, nearest: supportedBolus(atMost: amount),
        maximum: InsulinAmount(milliunits: bolusVolumes.maximum))
    }
  }
}

extension TempBasalRule {
  /// The rate that the pump runs for a wanted one, which is lower where it runs whole percents of
  /// the scheduled rate; `nil` where these do not reach it.
  package func rate(for wanted: InsulinRate, of scheduled: InsulinRate) -> InsulinRate? {
    do throws(PumpError) {
      let percent = try percent(for: wanted, of: scheduled)
      return percent.map { scheduled.scaled(toPercent: $0) } ?? wanted
    } catch {
      return nil
    }
  }

  /// The percentage of a scheduled rate that comes nearest to a rate from below; `nil` for a pump
  /// that takes the rate itself.
  func percent(
    for wanted: InsulinRate, of scheduledRate: @autoclosure () -> InsulinRate
  ) throws(PumpError) -> Int64? {
    guard case .percent(let maximum, let step) = style else { return nil }
    if wanted == .zero { return 0 }
    let scheduled = scheduledRate()
    guard scheduled > .zero else {
      throw .notPercentage(wanted, scheduled: scheduled, maximumPercent: maximum)
    }
    let percent = wanted.milliunitsPerHour * 100 / scheduled.milliunitsPerHour
    assert(step > 0, "Percentages come in steps.")
    let stepped = percent - percent % step
    guard stepped <= maximum else {
      throw .notPercentage(wanted, scheduled: scheduled, maximumPercent: maximum)
    }
    return stepped
  }
}
