import Determinism
internal import LargeValues
public import Quantities

/// A virtual CGM that turns the glucose of a body into readings, with its own delay and error.
///
/// Show it the glucose as often as you like; it looks at it for the first time and then only at its
/// own instants, which are multiples of its period plus its phase, and a reading comes only at
/// those. Plasma counts as a straight line between them. A missing sample is no reading: nothing is
/// repeated and nothing is zero. A copy is a checkpoint.
///
///     var sensor = GlucoseSensor(profile: .ideal, insertedAt: start, seed: 1)
///     let reading = sensor.observe(patient.sensedGlucose, at: now)
///     let late = sensor.takeLateReadings(at: now)
public struct GlucoseSensor: Sendable {
  private let mark = PassedByAddress()

  /// What the model of sensor does.
  public let profile: SensorProfile
  /// The offset of the sensor's instants from multiples of its period.
  public let phase: TimeSpan
  /// When the present sensor was inserted.
  public private(set) var insertion: Instant
  /// The number of the present sensor, from 1.
  public private(set) var number = 1
  /// What each part of the sensor did to the last value it measured.
  public internal(set) var deviation: SensorDeviation?

  let seed: UInt64
  let member: UInt64
  let clock: WallClock
  var lag: InterstitialLag
  private var noiseStream: RandomStream
  private var parameterStream: RandomStream
  private var error: SensorNoiseState
  private var artefacts: ArtefactState
  var faults: [ActiveSensorFault] = []
  private var lastSample: Instant?
  private var calibration: Instant?
  private var correction = 0.0
  /// By how much calibrations have moved the last value since it was measured; `nil` before this
  /// sensor has measured.
  private var moved: Double?
  private var displayOnlyNext = false
  private var trend = TrendWindow()
  private var late = LateReadings()
  private var lastReading: GlucoseReading?
  /// What the sensor shows in place of measuring; nothing for one that measures.
  private let recording: GlucoseRecording?

  /// Creates a sensor.
  ///
  /// - Parameters:
  ///   - profile: What the sensor does.
  ///   - insertion: When it was put on; readings start after its warm-up.
  ///   - phase: The offset of its instants from multiples of its period.
  ///   - clock: The local time, for disturbances that come at night.
  ///   - seed: The seed of the run; the sensor's streams are named `cgm`.
  ///   - member: The number of the cohort member.
  ///   - recording: Readings to show unchanged, at their own times, in place of measuring.
  public init(
    profile: SensorProfile, insertedAt insertion: Instant, phase: TimeSpan = .zero,
    clock: WallClock = .utc, seed: UInt64, member: UInt64 = 0,
    recording: GlucoseRecording? = nil
  ) {
    self.profile = profile
    self.recording = recording
    self.phase = phase
    self.insertion = insertion
    self.seed = seed
    self.member = member
    self.clock = clock
    lag = InterstitialLag(timeConstant: profile.lag)
    noiseStream = RandomStream(seed: seed, name: "cgm", member: member)
    parameterStream = RandomStream(seed: seed, name: "cgm.parameters", member: member)
    error = SensorNoiseState(profile.error, parameters: &parameterStream, noise: &noiseStream)
    artefacts = ArtefactState(
      profile.artefacts,
      stream: RandomStream(seed: seed, name: "cgm.artefacts", member: member))
  }

  /// Whether it shows recorded readings, at their own times, in place of measuring.
  public var showsRecording: Bool { recording != nil }

  /// The first of the sensor's instants after an instant.
  public func nextSample(after instant: Instant) -> Instant {
    if let recording { return recording.next(after: instant) ?? instant + .days(36_525) }
    return (instant - phase + .milliseconds(1)).ceiled(to: profile.period) + phase
  }

  /// Shows the sensor the glucose at an instant; a reading comes back when one is due and gets
  /// through.
  ///
  /// Readings that were held up come from ``takeLateReadings(at:)``. An instant that has passed
  /// gives nothing.
  public mutating func observe(
    _ glucose: GlucoseConcentration, at instant: Instant
  ) -> GlucoseReading? {
    guard glucose.mgdL.isFinite else { return nil }
    // Between its own instants it does not look: what else happens then must not change a reading.
    guard isDue(at: instant) || !lag.hasBegun else { return nil }
    let interstitial = lag.update(plasma: glucose, at: instant)
    guard isDue(at: instant), instant >= insertion, lastSample.map({ $0 < instant }) ?? true
    else { return nil }
    let span = lastSample.map { instant - $0 } ?? profile.period
    lastSample = instant
    assert(span > .zero, "A sample comes after the one before it.")
    artefacts.advance(by: span, to: instant, time: clock.timeOfDay(at: instant))
    let measured = measure(interstitial, at: instant)
    releaseKept(at: instant)
    guard case .ready = status(at: instant), var reading = reading(of: measured, at: instant)
    else { return nil }
    applyFaults(to: &reading, last: lastReading)
    lastReading = reading
    return send(reading, at: instant)
  }

  /// The readings that were held up and arrive at or before an instant, in the order of their
  /// stamps.
  ///
  /// Those that would arrive while there is no contact are kept, or lost, as those measured then.
  public mutating func takeLateReadings(at instant: Instant) -> [GlucoseReading] {
    let arrived = late.take(at: instant)
    guard hasNoContact else { return arrived }
    let lost = artefacts.hasNoContact ? nil : dropouts.map(\.since).min()
    var received: [GlucoseReading] = []
    for reading in arrived {
      if let lost, reading.arrival < lost { received.append(reading) } else { keep(reading) }
    }
    return received
  }

  /// What the sensor can do at an instant.
  public func status(at instant: Instant) -> SensorStatus {
    let age = instant - insertion
    // What lasts comes before what passes, whichever was first.
    if hasFault(.fail) { return .failed }
    if hasFault(.expire) || age >= profile.wear + profile.grace { return .expired }
    return hasFault(.warmUp) || age < profile.warmUp ? .warmUp : .ready
  }

  private func hasFault(_ fault: SensorFault) -> Bool {
    faults.contains { $0.ended == nil && $0.fault == fault }
  }

  /// Puts a new sensor on: its warm-up begins, and it draws its own error.
  ///
  /// What the old one has kept is lost with a sensor of one piece.
  public mutating func replace(at instant: Instant) {
    insertion = instant
    number += 1
    calibration = nil
    correction = 0
    moved = nil
    trend = TrendWindow()
    displayOnlyNext = false
    lastReading = nil
    if profile.isOnePiece { late.loseHeld() }
    faults.removeAll { $0.fault == .fail || $0.fault == .expire || $0.fault == .warmUp }
    error = SensorNoiseState(profile.error, parameters: &parameterStream, noise: &noiseStream)
  }

  /// Calibrates the sensor with a meter's value: it moves to that value, and its drift starts anew.
  ///
  /// The next reading may be shown but not used, as a Dexcom marks it.
  ///
  /// - Returns: Whether the sensor takes it: not before it has measured, nor after its end.
  @discardableResult
  public mutating func calibrate(with meter: GlucoseConcentration, at instant: Instant) -> Bool {
    guard let deviation, let moved, meter.mgdL.isFinite else { return false }
    switch status(at: instant) {
    case .failed, .expired: return false
    case .ready, .warmUp: break
    }
    // Of several calibrations between two values the last one counts.
    let change = meter.mgdL - (deviation.measured.mgdL + moved)
    self.moved = moved + change
    correction += change
    // What the drift had come to is gone, where it starts anew.
    if recording == nil, calibration.map({ $0 < deviation.instant }) ?? true {
      correction +=
        profile.gain
        * error.driftSinceCalibration(
          glucose: deviation.interstitial.mgdL, sinceInsertion: deviation.instant - insertion,
          sinceCalibration: calibration.map { deviation.instant - $0 })
    }
    calibration = instant
    displayOnlyNext = true
    return true
  }

  /// Whether somebody listens; what nobody hears is kept as in a loss of contact.
  public var isHeard = true

  /// Whether contact with the sensor is lost at present.
  public var hasNoContact: Bool {
    artefacts.hasNoContact || !dropouts.isEmpty
  }

  /// The faults that keep contact from the sensor.
  private var dropouts: [ActiveSensorFault] {
    faults.filter { active in
      guard case .dropout = active.fault else { return false }
      return active.ended == nil
    }
  }

  // MARK: - One sample

  private func isDue(at instant: Instant) -> Bool {
    if let recording { return recording.value(at: instant) != nil }
    return (instant - phase).floored(to: profile.period) == instant - phase
  }

  /// What the sensor shows of a recording; only faults and calibrations change it.
  private func recorded(
    _ value: GlucoseConcentration, at instant: Instant
  ) -> SensorDeviation {
    var deviation = SensorDeviation(instant: instant, interstitial: value)
    deviation.calibration = GlucoseChange(mgdL: correction)
    return deviation
  }

  private mutating func measure(
    _ interstitial: GlucoseConcentration, at instant: Instant
  ) -> SensorDeviation {
    moved = 0
    if let value = recording?.value(at: instant) {
      var deviation = recorded(value, at: instant)
      deviation.faults = faultChange(of: deviation, at: instant)
      self.deviation = deviation
      return deviation
    }
    let parts = error.parts(
      glucose: interstitial.mgdL, sinceInsertion: instant - insertion,
      sinceCalibration: calibration.map { instant - $0 }, from: &noiseStream)
    var deviation = SensorDeviation(instant: instant, interstitial: interstitial)
    let measured = parts.gain * interstitial.mgdL + parts.offset
    let calibrated = profile.gain * measured + profile.offset + correction
    deviation.calibration = GlucoseChange(mgdL: calibrated - interstitial.mgdL)
    deviation.noise = GlucoseChange(mgdL: parts.noise)
    deviation.compression = GlucoseChange(mgdL: -artefacts.depth)
    deviation.faults = faultChange(of: deviation, at: instant)
    self.deviation = deviation
    return deviation
  }

  /// Rounds a value and puts it into the sensor's range; nothing when it is no reading at all.
  private mutating func reading(
    of deviation: SensorDeviation, at instant: Instant
  ) -> GlucoseReading? {
    guard deviation.measured.mgdL.isFinite else { return nil }
    if recording != nil { return reading(recorded: deviation, at: instant) }
    let steps = (deviation.measured.mgdL / profile.resolution + 0.5).rounded(.down)
    let rounded = steps * profile.resolution
    let (low, high) = (profile.minimum.mgdL, profile.maximum.mgdL)
    if profile.lowReporting == .droppedBelowCode, rounded < low - profile.resolution, !isStuck {
      return nil
    }
    let clamped = min(max(rounded, low), high)
    trend.append(clamped, at: instant)
    assert(low < high, "A sensor's range ascends.")
    assert((low...high).contains(clamped), "A reading lies in the sensor's range.")
    let sample = (instant - insertion).quotient(by: profile.period)
    defer { displayOnlyNext = false }
    return GlucoseReading(
      sensor: number, number: sample, instant: instant, glucose: .mgdL(clamped),
      condition: rounded < low ? .belowRange : rounded > high ? .aboveRange : .inRange,
      trendRate: trend.rate, isDisplayOnly: displayOnlyNext)
  }

  /// Whether a fault has it show a value whatever it measures.
  private var isStuck: Bool {
    faults.contains { active in
      guard active.ended == nil, case .stuck(let value) = active.fault else { return false }
      return value != nil || lastReading != nil
    }
  }

  /// A recorded value as it is, whatever the sensor's steps and range; what a fault or a
  /// calibration makes of it stays within that range.
  private mutating func reading(
    recorded deviation: SensorDeviation, at instant: Instant
  ) -> GlucoseReading {
    let (value, measured) = (deviation.interstitial, deviation.measured)
    let (low, high) = (min(profile.minimum, value), max(profile.maximum, value))
    let shown = min(max(measured, low), high)
    trend.append(shown.mgdL, at: instant)
    defer { displayOnlyNext = false }
    return GlucoseReading(
      sensor: number, number: (instant - insertion).quotient(by: .seconds(1)), instant: instant,
      glucose: shown,
      condition: measured < low ? .belowRange : measured > high ? .aboveRange : .inRange,
      trendRate: trend.rate, isDisplayOnly: displayOnlyNext)
  }

  /// Delivers a reading now, or holds it up.
  private mutating func send(_ reading: GlucoseReading, at instant: Instant) -> GlucoseReading? {
    if !isHeard || hasNoContact {
      keep(reading)
      return nil
    }
    guard !faults.isEmpty, let delay = longestDelay, delay > .zero else { return reading }
    assert(delay > .zero, "A reading that is held up comes later.")
    var delayed = reading
    delayed.arrival = instant + delay
    late.queue(delayed)
    return nil
  }

  /// Sends what was kept without contact, now that there is; what a transmitter keeps does not wait
  /// for a sensor that measures.
  private mutating func releaseKept(at instant: Instant) {
    guard isHeard, !hasNoContact else { return }
    switch status(at: instant) {
    case .failed, .expired: if profile.isOnePiece { return }
    case .ready, .warmUp: break
    }
    late.release(at: instant)
  }

  /// Keeps a reading that nobody has received until somebody hears the sensor again, where the
  /// sensor keeps any, or a fault says so; of several faults one that loses readings decides.
  public mutating func keep(_ reading: GlucoseReading) {
    guard !hasFault(.dropout(backfill: false)) else { return }
    let kept = profile.backfill ?? (hasFault(.dropout(backfill: true)) ? .hours(24) : nil)
    if let kept { late.hold(reading, for: kept) }
  }

  private var longestDelay: TimeSpan? {
    faults.lazy.compactMap { active -> TimeSpan? in
      guard active.ended == nil, case .delay(let by) = active.fault else { return nil }
      return by
    }.max()
  }
}

/// What a sensor can do at an instant.
public enum SensorStatus: String, Hashable, Sendable {
  /// It was put on not long ago and does not measure yet.
  case warmUp
  /// It measures.
  case ready
  /// Its life is over.
  case expired
  /// It has failed.
  case failed
}
