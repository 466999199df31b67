public import Devices
public import Quantities

/// Cuts basal delivery into the segments that are reported.
///
/// The segments tile the time from the start of observation to ``reportedUntil``, without gap or
/// overlap. What the pump was doing is read from reconciled doses, so that the reports follow from
/// the same event history that insulin on board does. While a temp basal or a suspension is open
/// nothing is closed from its start on.
public struct BasalReporter: Sendable, Equatable {
  /// When a segment ends, how it is counted and when it is written.
  public var policy: ReportingPolicy
  /// The end of the last segment.
  public private(set) var reportedUntil: Instant
  /// Whether segments get identifiers; what is only counted needs none.
  private var givesNames = true

  /// Starts observing at an instant.
  public init(policy: ReportingPolicy, from start: Instant) {
    self.policy = policy
    reportedUntil = start
  }

  /// What the segments are cut from.
  public struct Delivery: Sendable {
    /// Temp basals and suspensions, reconciled, earliest first.
    public var programs: [DoseEntry]
    /// The basal schedules, and from when each holds.
    public var basal: ScheduleHistory<InsulinRate>
    /// The pulses of basal that the pump reported.
    public var pulses: PulseLog

    /// Creates a `Delivery` from its parts; see the properties.
    public init(
      programs: [DoseEntry], basal: ScheduleHistory<InsulinRate>, pulses: PulseLog
    ) {
      self.programs = programs
      self.basal = basal
      self.pulses = pulses
    }
  }

  /// Closes the segments whose trigger has come, up to the instant to which the pump's history is
  /// known.
  ///
  /// When the run ends what is still open is closed too.
  public mutating func close(
    through instant: Instant, _ delivery: Delivery, isFinal: Bool = false
  ) -> [BasalSegment] {
    assert(
      delivery.programs.allSatisfy { $0.kind != .bolus },
      "Basal is cut from programs, not from boluses.")
    guard instant > reportedUntil, isFinal || !isHeld(by: delivery.programs, at: instant)
    else { return [] }
    let runs = runs(of: delivery.programs, through: instant, isFinal: isFinal)
    return close(runs, through: instant, delivery, isFinal: isFinal)
  }

  private mutating func close(
    _ runs: [Run], through instant: Instant, _ delivery: Delivery, isFinal: Bool
  ) -> [BasalSegment] {
    var closed: [BasalSegment] = []
    var cursor = reportedUntil
    for run in runs {
      let start = min(run.start, instant)
      if cursor < start { closed += scheduled(from: cursor, to: start, delivery) }
      cursor = max(cursor, start)
      guard run.isClosed else {
        reportedUntil = cursor
        return split(closed, delivery.pulses)
      }
      closed += parts(of: run, from: cursor, delivery)
      cursor = max(cursor, run.end)
    }
    var rest = delivery.basal.timeline(from: cursor, to: instant).segments
    if !isFinal, !isBorder(instant, of: delivery.basal) { rest = rest.dropLast() }
    for piece in rest { closed.append(segment(scheduled: piece, delivery)) }
    assert(
      zip(closed, closed.dropFirst()).allSatisfy { $0.end == $1.start }, "Segments tile the time.")
    assert(cursor >= reportedUntil, "What was reported is not reported again.")
    reportedUntil = rest.last?.end ?? cursor
    assert(reportedUntil <= instant, "Nothing is reported before it is known.")
    return split(closed, delivery.pulses)
  }

  /// What runs on from ``reportedUntil`` and is not closed yet, as one dose per scheduled piece.
  ///
  /// The doses end at `instant` at the latest; a program that is still running is mutable.
  public func open(at instant: Instant, _ delivery: Delivery) -> [DoseEntry] {
    open(at: instant, delivery, givesNames: true)
  }

  /// The same with identifiers or with empty ones.
  func open(at instant: Instant, _ delivery: Delivery, givesNames: Bool) -> [DoseEntry] {
    guard instant > reportedUntil else { return [] }
    var copy = self
    copy.policy.splitsLongSegments = false
    copy.givesNames = givesNames
    if isHeld(by: delivery.programs, at: instant) {
      let run = Run(
        first: delivery.programs[delivery.programs.count - 1], start: reportedUntil, end: instant,
        isClosed: true)
      return copy.parts(of: run, from: reportedUntil, delivery).map { segment in
        var dose = segment.dose
        dose.isMutable = true
        return dose
      }
    }
    var runs = runs(of: delivery.programs, through: instant, isFinal: false)
    // What runs on ends here for the moment.
    let running = runs.last.flatMap { $0.isClosed ? nil : $0.start }
    for index in runs.indices { runs[index].isClosed = true }
    return copy.close(runs, through: instant, delivery, isFinal: true).map { segment in
      var dose = segment.dose
      dose.isMutable = running.map { $0 <= segment.start } ?? false
      return dose
    }
  }

  // MARK: - Programs

  /// Whether all that is not reported yet belongs to one program that still runs, so that nothing
  /// can be closed.
  private func isHeld(by programs: [DoseEntry], at instant: Instant) -> Bool {
    guard let last = programs.indices.last, programs[last].start <= reportedUntil,
      programs[last].kind == .tempBasal || programs[last].kind == .suspend,
      programs[last].isMutable || programs[last].end > instant
    else { return false }
    for index in 0..<last
    where programs[index].end > reportedUntil || programs[index].isMutable { return false }
    return true
  }

  /// One temp basal or suspension, its re-issues with the same rate included.
  private struct Run {
    var first: DoseEntry
    var start: Instant
    var end: Instant
    var isClosed: Bool

    var rate: InsulinRate {
      guard first.kind == .tempBasal else { return .zero }
      return InsulinRate(roundingUnitsPerHour: first.unitsPerHour) ?? .zero
    }
  }

  private func runs(of programs: [DoseEntry], through instant: Instant, isFinal: Bool) -> [Run] {
    var runs: [Run] = []
    for dose in programs where dose.kind == .tempBasal || dose.kind == .suspend {
      guard dose.end > reportedUntil || dose.isMutable, dose.start <= instant else { continue }
      let isRunning = dose.isMutable || dose.end > instant
      let end = isRunning ? instant : dose.end
      if let last = runs.last, continues(last, dose) {
        runs[runs.count - 1].end = end
        runs[runs.count - 1].isClosed = !isRunning || isFinal
        continue
      }
      runs.append(
        Run(
          first: dose, start: max(dose.start, reportedUntil), end: end,
          isClosed: !isRunning || isFinal))
    }
    return runs
  }

  private func continues(_ run: Run, _ dose: DoseEntry) -> Bool {
    !policy.reportsOnReissue && dose.kind == .tempBasal && run.first.kind == .tempBasal
      && run.end == dose.start && run.first.unitsPerHour == dose.unitsPerHour
  }

  private func isBorder(_ instant: Instant, of basal: ScheduleHistory<InsulinRate>) -> Bool {
    let tick = TimeSpan.milliseconds(1)
    return basal.timeline(from: instant - tick, to: instant + tick).segments.count > 1
  }

  // MARK: - Segments

  private func scheduled(from start: Instant, to end: Instant, _ delivery: Delivery)
    -> [BasalSegment]
  {
    delivery.basal.timeline(from: start, to: end).segments.map {
      segment(scheduled: $0, delivery)
    }
  }

  private func segment(
    scheduled piece: Timeline<InsulinRate>.Segment, _ delivery: Delivery
  ) -> BasalSegment {
    BasalSegment(
      start: piece.start, end: piece.end, kind: .scheduled, rate: piece.value,
      scheduledRate: piece.value,
      units: units(from: piece.start, to: piece.end, rate: piece.value, delivery.pulses),
      syncIdentifier: givesNames
        ? DoseEntry.scheduledIdentifier(from: piece.start, to: piece.end) : "")
  }

  private func parts(of run: Run, from cursor: Instant, _ delivery: Delivery) -> [BasalSegment] {
    let pieces = delivery.basal.timeline(from: max(cursor, run.start), to: run.end).segments
    let identifier =
      givesNames ? run.first.syncIdentifier ?? "TempBasal \(run.start) \(run.end)" : ""
    let rate = run.rate
    return pieces.indices.map { index in
      let piece = pieces[index]
      return BasalSegment(
        start: piece.start, end: piece.end,
        kind: run.first.kind == .suspend ? .suspend : .temp, rate: rate,
        scheduledRate: piece.value,
        units: units(from: piece.start, to: piece.end, rate: rate, delivery.pulses),
        syncIdentifier: givesNames && pieces.count > 1
          ? "\(identifier) \(index + 1)/\(pieces.count)" : identifier,
        eventIdentifier: run.first.syncIdentifier, insulinType: run.first.insulinType,
        isAutomatic: run.first.isAutomatic)
    }
  }

  private func units(
    from start: Instant, to end: Instant, rate: InsulinRate, _ pulses: PulseLog
  ) -> InsulinAmount {
    assert(start <= end, "A segment ends after it starts.")
    assert(rate >= .zero, "A basal rate cannot be negative.")
    switch policy.value {
    case .deliveredPulses: return pulses.amount(after: start, through: end)
    case .loopKitNearest:
      // Twentieths of a unit, in integers: milliunits per hour times milliseconds.
      let programmed = rate.milliunitsPerHour * (end - start).milliseconds
      let step: Int64 = 50 * 3_600_000
      return InsulinAmount(milliunits: (programmed + step / 2) / step * 50)
    }
  }

  /// The segments as the samples that are written for them.
  private func split(_ segments: [BasalSegment], _ pulses: PulseLog) -> [BasalSegment] {
    guard policy.splitsLongSegments, segments.contains(where: { $0.duration >= .days(1) })
    else { return segments }
    return segments.flatMap { split($0, pulses) }
  }

  /// The segment as the samples that are written for it.
  private func split(_ segment: BasalSegment, _ pulses: PulseLog) -> [BasalSegment] {
    guard policy.splitsLongSegments, segment.duration >= .days(1) else { return [segment] }
    let length = segment.duration.milliseconds
    let longest = ReportingPolicy.longestPart.milliseconds
    let count = max(2, (length + longest - 1) / longest)
    assert(count >= 2, "A segment that is cut has two parts or more.")
    var shared: InsulinAmount = .zero
    return (1...count).map { part in
      var sample = segment
      sample.start = segment.start + .milliseconds(length * (part - 1) / count)
      sample.end = segment.start + .milliseconds(length * part / count)
      sample.syncIdentifier = "\(segment.syncIdentifier) \(part)/\(count)"
      // The last part takes what is left, so that the samples add up to the segment.
      sample.units =
        part == count
        ? segment.units - shared
        : units(from: sample.start, to: sample.end, rate: segment.rate, pulses)
      shared += sample.units
      return sample
    }
  }
}
