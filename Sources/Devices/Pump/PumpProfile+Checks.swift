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
        throw .scheduleRateNotSupported(
          entry.value, entry: index, pump: name, accepted: basalRates.rates(about: entry.value),
          maximum: InsulinRate(milliunitsPerHour: basalRates.maximum))
      }
    }
  }

  /// Checks that the pump takes a temp basal beside a scheduled rate.
  func check(
    tempBasal rate: InsulinRate, for duration: TimeSpan,
    of scheduled: @autoclosure () -> InsulinRate
  ) throws(PumpError) {
    guard tempBasal.accepts(duration: duration) else {
      throw .durationNotSupported(duration, pump: name, accepted: tempBasal.durations)
    }
    guard
      tempBasal.rates.contains(rate.milliunitsPerHour)
        || tempBasal.isWholePercentage(rate, of: scheduled())
    else {
      throw .rateNotSupported(
        rate, pump: name, nearest: nearestTempBasal(atMost: rate, of: scheduled()),
        maximum: tempBasal.greatestRate(of: scheduled()))
    }
  }

  /// The greatest temp basal not above a rate that the pump runs beside a scheduled rate.
  private func nearestTempBasal(
    atMost rate: InsulinRate, of scheduled: InsulinRate
  ) -> InsulinRate {
    guard case .percent = tempBasal.style else { return supportedRate(atMost: rate) }
    let most = max(.zero, min(rate, tempBasal.greatestRate(of: scheduled)))
    return tempBasal.rate(for: most, of: scheduled) ?? .zero
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

extension SupportedSteps {
  /// The rates about one that is not accepted, in words: those of the band in which it lies, or of
  /// the first where it lies below all.
  package func rates(about rate: InsulinRate) -> String {
    let value = rate.milliunitsPerHour
    guard let band = bands.last(where: { $0.lower <= value }) ?? bands.first else { return "none" }
    let zero = acceptsZero && value < band.lower ? "\(InsulinRate.zero), or " : ""
    let (step, lower) = (
      InsulinRate(milliunitsPerHour: band.step), InsulinRate(milliunitsPerHour: band.lower)
    )
    return "\(zero)steps of \(step) from \(lower)"
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

  /// How long a temp basal of a rate runs beside a scheduled one, for which a duration is asked.
  public func duration(
    _ asked: TimeSpan, of rate: InsulinRate, beside scheduled: InsulinRate
  ) -> TimeSpan {
    let percent = try? self.percent(for: rate, of: scheduled)
    return duration(asked, ofPercent: percent)
  }

  /// How long a temp basal of a percentage runs, for which a duration is asked.
  func duration(_ asked: TimeSpan, ofPercent percent: Int64?) -> TimeSpan {
    guard let cutOff, let percent, percent > cutOff.above else { return asked }
    return min(asked, cutOff.duration)
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
    let stepped = Self.percent(for: wanted, of: scheduled, step: step)
    guard stepped <= maximum else {
      throw .notPercentage(wanted, scheduled: scheduled, maximumPercent: maximum)
    }
    return stepped
  }

  /// The percentage of a scheduled rate that comes nearest to a rate from below, however great.
  ///
  /// A rate that is itself what a percentage comes to, rounded down to a milliunit per hour, is
  /// that percentage, and not the one below.
  private static func percent(
    for wanted: InsulinRate, of scheduled: InsulinRate, step: Int64
  ) -> Int64 {
    assert(step > 0, "Percentages come in steps.")
    assert(scheduled > .zero, "There is no percentage of nothing.")
    let percent = wanted.milliunitsPerHour * 100 / scheduled.milliunitsPerHour
    let below = percent - percent % step
    guard scheduled.scaled(toPercent: below) < wanted else { return below }
    return scheduled.scaled(toPercent: below + step) == wanted ? below + step : below
  }

  /// Whether a pump that runs whole percents of a scheduled rate runs exactly this one.
  fileprivate func isWholePercentage(_ rate: InsulinRate, of scheduled: InsulinRate) -> Bool {
    guard case .percent = style else { return false }
    return self.rate(for: rate, of: scheduled) == rate
  }

  /// The greatest rate that the pump runs beside a scheduled rate.
  public func greatestRate(of scheduled: InsulinRate) -> InsulinRate {
    let greatest = InsulinRate(milliunitsPerHour: rates.maximum)
    guard case .percent(let maximum, _) = style else { return greatest }
    return min(greatest, scheduled.scaled(toPercent: maximum))
  }
}

extension PumpProfile {
  /// The rate that the pump runs beside a scheduled rate for a wanted number of units per hour, and
  /// which is not above it.
  ///
  /// It is rounded down to the pump's steps, as by Loop, and on a pump that thinks in percent then
  /// to a whole percentage of the scheduled rate. A number that is not finite gives zero.
  public func supportedRate(
    atMostUnitsPerHour rate: Double, of scheduled: InsulinRate
  ) -> InsulinRate {
    guard rate.isFinite else { return .zero }
    let most = tempBasal.greatestRate(of: scheduled)
    guard rate < most.unitsPerHour else { return most }
    let supported = supportedRate(atMostUnitsPerHour: rate)
    return tempBasal.rate(for: supported, of: scheduled) ?? most
  }
}
