public import Devices
internal import HealthStore
public import Quantities
internal import WorkCounting

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
      appendScheduled(from: cursor, to: start, delivery, to: &closed)
      cursor = max(cursor, start)
      guard run.isClosed else {
        reportedUntil = cursor
        return split(closed, delivery.pulses)
      }
      appendParts(of: run, from: cursor, delivery, to: &closed)
      cursor = max(cursor, run.end)
    }
    let runsEnd = closed.count
    let goesOn = !isFinal && !isBorder(instant, of: delivery.basal)
    delivery.basal.visit(from: cursor, to: instant) { piece in
      // The last piece is not over where the schedule goes on.
      guard !goesOn || piece.end < instant else { return }
      closed.append(segment(scheduled: piece, delivery))
    }
    assert(
      zip(closed, closed.dropFirst()).allSatisfy { $0.end == $1.start }, "Segments tile the time.")
    assert(cursor >= reportedUntil, "What was reported is not reported again.")
    reportedUntil = closed.count > runsEnd ? closed[closed.count - 1].end : cursor
    assert(reportedUntil <= instant, "Nothing is reported before it is known.")
    return split(closed, delivery.pulses)
  }

  /// An instant up to which nothing is closed, as long as the programs and the schedule are the
  /// same, after what could be closed through `instant` has been.
  func quietUntil(from instant: Instant, _ delivery: Delivery) -> Instant {
    // The next entry of the schedule, or midnight.
    var quiet = instant + .days(2)
    var isFirst = true
    Work.visit(rows: delivery.programs.count)
    delivery.basal.visit(from: instant, to: quiet) { piece in
      if isFirst { quiet = piece.end }
      isFirst = false
    }
    for index in delivery.programs.indices {
      let (start, end) = (delivery.programs[index].start, delivery.programs[index].end)
      if start > instant { quiet = min(quiet, start) }
      // A program that may still change ends when the pump says so.
      if end > instant, !delivery.programs[index].isMutable { quiet = min(quiet, end) }
    }
    return quiet
  }

  /// What runs on from ``reportedUntil`` and is not closed yet, as one dose per scheduled piece.
  ///
  /// Those that end before `earliest` are left out. The doses end at `instant` at the latest; a
  /// program that is still running is mutable.
  public func open(
    from earliest: Instant, at instant: Instant, _ delivery: Delivery
  ) -> [DoseEntry] {
    passing(over: earliest).open(at: instant, delivery).filter { $0.end >= earliest }
  }

  /// The reporter as if what can only end before an instant had been reported.
  ///
  /// A pump may be suspended for a year, and nothing of that is reported before it ends. No piece
  /// of a schedule lasts two days, since each ends at midnight at the latest.
  func passing(over earliest: Instant) -> Self {
    var late = self
    late.reportedUntil = max(reportedUntil, earliest - .days(2))
    return late
  }

  private func open(at instant: Instant, _ delivery: Delivery) -> [DoseEntry] {
    guard instant > reportedUntil else { return [] }
    var copy = self
    copy.policy.splitsLongSegments = false
    if isHeld(by: delivery.programs, at: instant) {
      let last = delivery.programs.count - 1
      let end = heldEnd(of: delivery.programs[last], at: instant)
      let run = Run(program: last, start: reportedUntil, end: end, isClosed: true)
      var held: [BasalSegment] = []
      copy.appendParts(of: run, from: reportedUntil, delivery, to: &held)
      copy.appendScheduled(from: end, to: instant, delivery, to: &held)
      return Self.doses(of: held, runningFrom: reportedUntil)
    }
    var runs = runs(of: delivery.programs, through: instant, isFinal: false)
    // What runs on ends here for the moment.
    let running = runs.last.flatMap { $0.isClosed ? nil : $0.start }
    for index in runs.indices { runs[index].isClosed = true }
    let closed = copy.close(runs, through: instant, delivery, isFinal: true)
    return Self.doses(of: closed, runningFrom: running)
  }

  /// The doses of segments; those from an instant on are mutable.
  private static func doses(
    of segments: [BasalSegment], runningFrom start: Instant?
  ) -> [DoseEntry] {
    var doses: [DoseEntry] = []
    doses.reserveCapacity(segments.count)
    for segment in segments {
      var dose = segment.dose
      dose.isMutable = start.map { $0 <= segment.start } ?? false
      doses.append(dose)
    }
    return doses
  }

  // MARK: - Programs

  /// Whether all that is not reported yet belongs to one program that still runs, so that nothing
  /// can be closed.
  func isHeld(by programs: [DoseEntry], at instant: Instant) -> Bool {
    guard let last = programs.indices.last, programs[last].start <= reportedUntil,
      programs[last].kind == .tempBasal || programs[last].kind == .suspend,
      programs[last].isMutable || programs[last].end > instant
    else { return false }
    for index in 0..<last
    where programs[index].end > reportedUntil || programs[index].isMutable { return false }
    return true
  }

  /// Until when the only program that is not reported holds, of which the pump was not heard since.
  func heldEnd(of program: borrowing DoseEntry, at instant: Instant) -> Instant {
    max(reportedUntil, program.knownEnd(at: instant))
  }

  /// One temp basal or suspension, its re-issues with the same rate included.
  struct Run {
    /// The place of the first program among those of the delivery.
    var program: Int
    var start: Instant
    var end: Instant
    var isClosed: Bool
  }

  private func runs(of programs: [DoseEntry], through instant: Instant, isFinal: Bool) -> [Run] {
    var runs: [Run] = []
    visitRuns(of: programs, through: instant, isFinal: isFinal) { runs.append($0) }
    return runs
  }

  /// Visits the programs that are not reported yet up to an instant, by start.
  func visitRuns(
    of programs: [DoseEntry], through instant: Instant, isFinal: Bool, _ visit: (Run) -> Void
  ) {
    // The one that the next may go on with.
    var last: Run?
    // Looked at where they are: a dose has identifiers, which a copy holds as well.
    let doses = programs.span
    Work.visit(rows: doses.count)
    for index in doses.indices where doses[index].isProgram {
      let (start, end) = (doses[index].start, doses[index].end)
      guard end > reportedUntil || doses[index].isMutable, start <= instant else { continue }
      let isRunning = doses[index].isMutable || end > instant
      var run = Run(
        program: index, start: max(start, reportedUntil),
        end: max(start, reportedUntil, doses[index].knownEnd(at: instant)),
        isClosed: !isRunning || isFinal)
      if let last {
        if last.end == start, isSameRate(programs, last.program, index) {
          run.program = last.program
          run.start = last.start
        } else {
          visit(last)
        }
      }
      last = run
    }
    if let last { visit(last) }
  }

  /// Whether a temp basal only goes on with the rate of the one before it.
  private func isSameRate(_ programs: [DoseEntry], _ first: Int, _ next: Int) -> Bool {
    !policy.reportsOnReissue && programs[next].hasRate(of: programs[first])
  }

  private func isBorder(_ instant: Instant, of basal: ScheduleHistory<InsulinRate>) -> Bool {
    let tick = TimeSpan.milliseconds(1)
    var count = 0
    basal.visit(from: instant - tick, to: instant + tick) { _ in count += 1 }
    return count > 1
  }

  // MARK: - Segments

  private func appendScheduled(
    from start: Instant, to end: Instant, _ delivery: Delivery, to segments: inout [BasalSegment]
  ) {
    delivery.basal.visit(from: start, to: end) {
      segments.append(segment(scheduled: $0, delivery))
    }
  }

  private func segment(
    scheduled piece: Timeline<InsulinRate>.Segment, _ delivery: Delivery
  ) -> BasalSegment {
    BasalSegment(
      start: piece.start, end: piece.end, kind: .scheduled, rate: piece.value,
      scheduledRate: piece.value,
      units: units(from: piece.start, to: piece.end, rate: piece.value, delivery.pulses),
      syncIdentifier: .scheduledBasal(from: piece.start, to: piece.end))
  }

  private func appendParts(
    of run: Run, from cursor: Instant, _ delivery: Delivery, to segments: inout [BasalSegment]
  ) {
    let program = delivery.programs[run.program]
    let identifier = program.syncIdentifier ?? SyncIdentifier("TempBasal \(run.start) \(run.end)")
    let isTemp = program.kind == .tempBasal
    let rate =
      isTemp ? InsulinRate(roundingUnitsPerHour: program.unitsPerHour) ?? .zero : .zero
    let first = segments.count
    delivery.basal.visit(from: max(cursor, run.start), to: run.end) { piece in
      segments.append(
        BasalSegment(
          start: piece.start, end: piece.end,
          kind: program.kind == .suspend ? .suspend : .temp, rate: rate,
          scheduledRate: piece.value,
          units: units(from: piece.start, to: piece.end, rate: rate, delivery.pulses),
          syncIdentifier: identifier, eventIdentifier: program.syncIdentifier,
          insulinType: program.insulinType, isAutomatic: program.isAutomatic))
    }
    let count = segments.count - first
    guard count > 1 else { return }
    for part in 0..<count {
      segments[first + part].syncIdentifier = identifier.part(part + 1, of: count)
    }
  }

  func units(
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
      sample.syncIdentifier = segment.syncIdentifier.part(Int(part), of: Int(count))
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

extension DoseEntry {
  /// Whether the dose takes the place of the schedule.
  fileprivate var isProgram: Bool { kind == .tempBasal || kind == .suspend }

  /// Until when the program has held at an instant, by what was heard of it.
  ///
  /// A pump that is not heard from goes back to its schedule when the temp basal is over, as in
  /// Loop, where the dose of one has its end from the beginning on; a suspension has none before
  /// it is told of.
  fileprivate func knownEnd(at instant: Instant) -> Instant {
    kind == .suspend && isMutable ? instant : min(end, instant)
  }
}
