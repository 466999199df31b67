public import Quantities

extension Pump {
  /// Starts a temp basal now or later, in place of whatever basal program runs.
  ///
  /// A re-issue with the same rate is a new program. A duration of zero cancels.
  ///
  /// - Throws: ``PumpError`` when the pump refuses; its state is then unchanged but for the time.
  public mutating func startTempBasal(
    rate: InsulinRate, duration: TimeSpan, automatic: Bool = true, at instant: Instant
  ) throws(PumpError) {
    try perform(.startTempBasal(rate, duration: duration, automatic: automatic), at: instant)
  }

  /// Ends the running temp basal and returns to the schedule; no effect when none runs.
  public mutating func cancelTempBasal(at instant: Instant) throws(PumpError) {
    try perform(.cancelTempBasal, at: instant)
  }

  /// Starts a bolus.
  public mutating func startBolus(
    _ amount: InsulinAmount, automatic: Bool = false, at instant: Instant
  ) throws(PumpError) {
    try perform(.startBolus(amount, automatic: automatic), at: instant)
  }

  /// Stops the running bolus; the pulses already given stay given.
  public mutating func cancelBolus(at instant: Instant) throws(PumpError) {
    try perform(.cancelBolus, at: instant)
  }

  /// Stops all delivery until it is resumed; no effect when it is suspended already.
  public mutating func suspend(at instant: Instant) throws(PumpError) {
    try perform(.suspend, at: instant)
  }

  /// Returns to the schedule after a suspend; no effect when delivery is not suspended.
  public mutating func resume(at instant: Instant) throws(PumpError) {
    try perform(.resume, at: instant)
  }

  /// Saves another basal schedule and runs it from now on.
  public mutating func replaceSchedule(
    _ schedule: DailySchedule<InsulinRate>, at instant: Instant
  ) throws(PumpError) {
    try perform(.replaceSchedule(schedule), at: instant)
  }

  /// Sets the pump's own clock right and to a zone; the schedule follows it from then on.
  public mutating func setClock(_ clock: WallClock, at instant: Instant) throws(PumpError) {
    try perform(.setClock(clock), at: instant)
  }

  /// Advances to an instant and gives a command; a fault may keep it from being carried out.
  ///
  /// What happens on the way is returned by the next ``advance(to:)`` or ``takeOccurrences()``.
  ///
  /// - Parameters:
  ///   - command: What the pump is to do.
  ///   - isByHand: Whether a person presses the pump's own buttons, which need no contact and whose
  ///     answer is on its own display.
  ///   - instant: When that is.
  /// - Throws: ``PumpError`` when the pump refuses, or nobody knows whether it took the command.
  public mutating func perform(
    _ command: PumpCommand, byHand isByHand: Bool = false, at instant: Instant
  ) throws(PumpError) {
    guard instant >= now else { throw .inThePast(instant, now: now) }
    run(until: instant)
    assert(now == instant, "A pump has run up to the instant of a command.")
    // One that ends a bolus ends the waiting for it.
    defer { detectOcclusions() }
    if !faults.active.isEmpty, try disturb(command, isByHand: isByHand) { return }
    try execute(command)
  }

  /// Carries a command out now.
  mutating func execute(_ command: PumpCommand) throws(PumpError) {
    if let activeAlarm { throw .stopped(activeAlarm) }
    switch command {
    case .startTempBasal(_, .zero, _), .cancelTempBasal: delivery.cancelTempBasal()
    case .startTempBasal(let rate, let duration, let automatic):
      try startTempBasal(rate, duration, automatic)
    case .startBolus(let amount, let automatic): try startBolus(amount, automatic)
    case .cancelBolus:
      guard bolus != nil else { throw .noBolusInProgress }
      delivery.endBolus(.cancelled)
    case .suspend: delivery.suspend()
    case .resume: delivery.resume()
    case .replaceSchedule(let schedule):
      try profile.check(schedule)
      delivery.follow(programmed: schedule)
    case .setClock(let zone): delivery.setClock(to: zone)
    }
  }

  private mutating func startTempBasal(
    _ wanted: InsulinRate, _ duration: TimeSpan, _ automatic: Bool
  ) throws(PumpError) {
    if isSuspended { throw .suspended }
    if profile.refusesTempBasalDuringBolus, let bolus {
      throw .bolusInProgress(remaining: bolus.remaining)
    }
    let scheduled = scheduledRate(at: now)
    try profile.check(tempBasal: wanted, for: duration, of: scheduled)
    let percent = try profile.tempBasal.percent(for: wanted, of: scheduled)
    let rate = percent.map { scheduled.scaled(toPercent: $0) } ?? wanted
    delivery.startTempBasal(
      rate: rate, percent: percent,
      duration: profile.tempBasal.duration(duration, ofPercent: percent), automatic: automatic,
      dropping: faults.dropsFractionAtTempBasal)
  }

  private mutating func startBolus(
    _ amount: InsulinAmount, _ automatic: Bool
  ) throws(PumpError) {
    if isSuspended { throw .suspended }
    if let bolus { throw .bolusInProgress(remaining: bolus.remaining) }
    try profile.check(bolus: amount)
    let asked = amount.flooredToMultiple(of: profile.pulse)
    delivery.startBolus(
      asked, over: profile.bolusSpeed.duration(of: asked), automatic: automatic)
  }

  /// Runs someone else's basal schedule from now on, or the programmed one again.
  ///
  /// No command does that, and nothing tells the app: it stands for a pump that another person
  /// programmed. Schedules that are programmed meanwhile run afterwards.
  ///
  /// - Parameters:
  ///   - schedule: The other schedule; `nil` for the programmed one.
  ///   - instant: When it takes over.
  /// - Throws: ``PumpError`` if the pump cannot run the schedule.
  public mutating func run(
    foreignSchedule schedule: DailySchedule<InsulinRate>?, at instant: Instant
  ) throws(PumpError) {
    guard instant >= now else { throw .inThePast(instant, now: now) }
    if let schedule { try profile.check(schedule) }
    run(until: instant)
    assert(now == instant, "A pump has run up to the instant of a command.")
    delivery.follow(foreign: schedule)
  }
}
