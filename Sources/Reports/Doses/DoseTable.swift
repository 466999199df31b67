internal import ClosedLoop
internal import HealthStore
internal import Quantities
public import Simulation

/// Every dose of a run, side by side as the body, the pump, the app and the health store have it.
///
/// A row of basal is what one sample of the health store covers; where no sample is, the rows
/// follow the pump's programs and the entries of its schedule.
public struct DoseTable: Sendable {
  /// The doses, by their start.
  public private(set) var rows: [DoseRow] = []

  /// Two instants that are not further apart mean the same; a command takes this long at most.
  private static let tolerance = TimeSpan.seconds(2)

  let run: RunResult
  private let observation: RunObservation?
  let identifiers: BolusIdentifiers
  private let bolusRecords: BolusRecords
  let places: DifferencePlaces
  /// Up to each event of the history, the latest end of a temp basal or suspension.
  private let endsOfHistory: [Instant]

  /// Puts the records of a run side by side.
  ///
  /// - Parameters:
  ///   - run: The run.
  ///   - observation: What was seen of it while it lived; without it no deletions are told.
  public init(_ run: RunResult, _ observation: RunObservation? = nil) {
    self.run = run
    self.observation = observation
    identifiers = run.bolusIdentifiers
    bolusRecords = BolusRecords(of: run)
    places = DifferencePlaces(of: run.agreement.differences)
    var latest = Instant(millisecondsSince1970: .min)
    endsOfHistory = run.eventHistory.map { event in
      if Self.isOfBasal(event) { latest = max(latest, event.end) }
      return latest
    }
    // One list with room for all, put in order where it stands: a year has some 60,000 rows.
    let others = bolusRows() + uncountedRows() + externalRows()
    rows = basalRows(withRoomFor: others.count)
    rows += others
    rows.sort { $0.start < $1.start }
  }

  // MARK: - Basal

  /// The pump's programs that reach into the part that counts, cut where their rates change and
  /// where the schedule in which the app believes does; what is no schedule begins where it did,
  /// also before that part.
  package static func stretches(of run: RunResult) -> [PumpProgramRecord] {
    var result: [PumpProgramRecord] = []
    for program in run.programs where program.end > run.start && program.start < run.end {
      guard program.kind == .scheduled else {
        result += program.atEachRate
        continue
      }
      for var part in program.atEachRate {
        let pieces = run.scheduledBasal.segments(
          from: max(part.start, run.start), to: min(part.end, run.end))
        for piece in pieces {
          (part.start, part.end) = (piece.start, piece.end)
          result.append(part)
        }
      }
    }
    result.removeAll { $0.end <= $0.start }
    return result
  }

  private func basalRows(withRoomFor others: Int) -> [DoseRow] {
    let stretches = Self.stretches(of: run)
    let samples = run.countedBasalSamples
    let owners = SampledDoses(of: run.insulinDelivery, samples, within: Self.tolerance)
    var result: [DoseRow] = []
    result.reserveCapacity(samples.count + others)
    var reached = run.start
    for (place, sample) in samples.enumerated() {
      if sample.start - reached > Self.tolerance {
        result += bare(stretches, from: reached, to: sample.start)
      }
      let first = result.isEmpty ? sample.start : max(sample.start, min(reached, sample.end))
      result.append(
        row(of: sample, in: stretches) { row in
          complete(&row, from: first) { owners.contains($0, in: place, from: first) }
        })
      reached = max(reached, sample.end)
    }
    if run.end - reached > Self.tolerance {
      result += bare(stretches, from: reached, to: run.end)
    }
    return result
  }

  private func row(
    of sample: BasalSampleRecord, in stretches: [PumpProgramRecord],
    completing complete: (inout DoseRow) -> Void
  ) -> DoseRow {
    let kind: DoseRow.Kind =
      switch sample.kind {
      case .basal: .scheduledBasal
      case .tempBasal: .tempBasal
      // The health store knows no difference.
      case .suspend: stretches.stop(sample.start, sample.end) ? .stopped : .suspended
      }
    var row = DoseRow(kind, from: sample.start, to: sample.end)
    row.rate = sample.rate
    row.store = sample.units.units
    row.source = sample.source
    row.written = sample.writtenAt
    complete(&row)
    takeProgram(of: stretches, into: &row)
    return row
  }

  /// Takes what was programmed where the rate of the row does not say it.
  private func takeProgram(of stretches: [PumpProgramRecord], into row: inout DoseRow) {
    if row.kind == .tempBasal { takePercentages(of: stretches, into: &row) }
    if row.kind == .scheduledBasal { takeSchedule(into: &row) }
  }

  /// Takes what was programmed from a pump that runs another schedule than the app believes, whose
  /// rate the sample has: over the whole row, also where that had begun before the run.
  private func takeSchedule(into row: inout DoseRow) {
    let pieces = run.programs.within(row.start, row.end).flatMap(\.atEachRate).compactMap { piece in
      let span = min(piece.end, row.end) - max(piece.start, row.start)
      return span > Self.tolerance ? (kind: piece.kind, rate: piece.rate, span: span) : nil
    }
    guard let first = pieces.first, pieces.allSatisfy({ $0.kind == .scheduled }),
      pieces.contains(where: { $0.rate != row.rate })
    else { return }
    row.rate = pieces.allSatisfy { $0.rate == first.rate } ? first.rate : nil
    row.asked = pieces.reduce(0) { $0 + $1.rate.unitsPerHour * $1.span.hours }
  }

  /// Takes what was programmed from a pump that thinks in percent: its temp basal follows the
  /// schedule, and the sample has the rate with which it began.
  private func takePercentages(of stretches: [PumpProgramRecord], into row: inout DoseRow) {
    let pieces = stretches.within(row.start, row.end)
    guard let rate = pieces.first?.rate, pieces.contains(where: { !$0.rateChanges.isEmpty }) else {
      return
    }
    row.rate = pieces.allSatisfy { $0.rate == rate } ? rate : nil
    row.asked = pieces.reduce(0) {
      $0 + $1.rate.unitsPerHour * (min($1.end, row.end) - max($1.start, row.start)).hours
    }
  }

  /// The app's doses where the health store has nothing, and the pump's stretches where the app has
  /// none.
  private func bare(_ stretches: [PumpProgramRecord], from start: Instant, to end: Instant)
    -> [DoseRow]
  {
    let isOfBasal = { (dose: InsulinDeliveryRecord) in
      dose.isFromPump && !dose.isMutable && dose.kind != .bolus && dose.end <= end + Self.tolerance
    }
    let first = start - Self.tolerance
    let doses = near(run.insulinDelivery, from: first, to: end, by: { $0.start }).filter(isOfBasal)
    var result: [DoseRow] = []
    var reached = start
    // What ran over the start of the run is whole, as a sample is.
    if start == run.start,
      let dose = run.insulinDelivery.prefix(while: { $0.start < first }).first(where: {
        isOfBasal($0) && $0.end > start + Self.tolerance
      }),
      let piece = Self.leading(dose, rows(of: stretches, from: start, to: dose.end))
    {
      var row = DoseRow(piece.kind, from: dose.start, to: dose.end)
      row.rate = piece.rate
      complete(&row)
      takeProgram(of: stretches, into: &row)
      result.append(row)
      reached = dose.end
    }
    for dose in doses where dose.start >= reached - Self.tolerance {
      let from = Self.same(dose.start, reached) ? reached : dose.start
      let pieces = rows(of: stretches, from: from, to: dose.end)
      // A dose of one stretch is that stretch.
      guard pieces.count > 1, let piece = Self.leading(dose, pieces) else { continue }
      result += rows(of: stretches, from: reached, to: from)
      result.append(row(of: pieces, as: piece.kind, to: dose.end))
      reached = dose.end
    }
    return result + rows(of: stretches, from: reached, to: end)
  }

  /// The first stretch that is what the app has; it may not know of one in which the pump stopped.
  private static func leading(_ dose: InsulinDeliveryRecord, _ pieces: [DoseRow]) -> DoseRow? {
    let kind: DoseRow.Kind = dose.kind == .basal ? .scheduledBasal : .tempBasal
    return dose.kind == .suspend ? pieces.first : pieces.first { $0.kind == kind } ?? pieces.first
  }

  /// A dose of the app that goes on over a change of the schedule.
  private func row(of pieces: [DoseRow], as kind: DoseRow.Kind, to end: Instant) -> DoseRow {
    var row = DoseRow(kind, from: pieces[0].start, to: end)
    let rate = pieces[0].rate
    if pieces.allSatisfy({ $0.rate == rate }) { row.rate = rate }
    complete(&row)
    row.asked = pieces.reduce(0) { $0 + ($1.asked ?? 0) }
    return row
  }

  /// The pump's stretches within a time; moments too short for a row belong to one beside them.
  private func rows(of stretches: [PumpProgramRecord], from start: Instant, to end: Instant)
    -> [DoseRow]
  {
    var reached = start
    return stretches.within(start, end).compactMap { stretch in
      let to = end - stretch.end > Self.tolerance ? stretch.end : end
      guard to - reached > Self.tolerance else { return nil }
      let from = stretch.start - reached > Self.tolerance ? stretch.start : reached
      var row = DoseRow(stretch.doseKind, from: from, to: to)
      reached = to
      row.rate = [.suspended, .stopped].contains(row.kind) ? .zero : stretch.rate
      complete(&row)
      return row
    }
  }

  /// Adds what pump, body, app and event history have of a stretch of basal.
  ///
  /// Where samples of the health store overlap, each pulse and each dose of the app stands in one
  /// row: `first` is from when on no earlier row has the pulses.
  private func complete(
    _ row: inout DoseRow, from first: Instant? = nil,
    having hasDose: (Int) -> Bool = { _ in true }
  ) {
    let pulses = run.pulses(of: [.basal], after: first ?? row.start, through: row.end)
    row.pulses = pulses.count(of: run.pulseSize)
    row.pump = pulses.reduce(0) { $0 + $1.recorded.milliunits }.unitsOfMilliunits
    row.body = pulses.reduce(0) { $0 + $1.physicalUnits }
    row.asked = row.rate.map { $0.unitsPerHour * (row.end - row.start).hours }
    let (start, end) = (row.start, row.end)
    row.app = appUnits(from: start, to: end, having: hasDose)
    if row.kind == .tempBasal || row.kind == .suspended {
      let isThere =
        row.kind == .suspended ? historySuspends(before: start) : historyCovers(start, end)
      row.isInEventHistory = run.hasApp ? isThere : nil
      row.deletedFromHistory =
        observation?.deletedEvents.first {
          Self.isOfBasal($0.record) && start - Self.tolerance <= $0.record.instant
            && $0.record.instant < end
        }?.deleted
    }
    row.deletedFromStore =
      observation?.deletedSamples.first {
        $0.isByPerson && Self.same($0.start, start) && Self.same($0.end, end)
      }?.deleted
    row.differences = differences(at: places.basal) {
      $0.start < end && $0.end > start && !($0.start <= run.start && $0.end >= run.end)
    }
    // A pulse at its start is of the row before.
    row.differences += bodyDifferences(of: row, from: start + .milliseconds(1))
  }

  /// What the app counts of a stretch of basal; `nil` where it has no dose within it.
  ///
  /// A dose that is long, or goes on over a change of the schedule, it has in parts.
  private func appUnits(
    from start: Instant, to end: Instant, having hasDose: (Int) -> Bool
  ) -> Double? {
    let (first, last) = (start - Self.tolerance, end + Self.tolerance)
    var units: Double?
    let doses = near(run.insulinDelivery, from: first, to: end, by: { $0.start })
    for (place, dose) in zip(doses.indices, doses) {
      // One as short as the tolerance belongs to the stretch that has its middle.
      guard dose.isFromPump, !dose.isMutable, dose.kind != .bolus, dose.end <= last,
        start < dose.middle, dose.middle <= end, hasDose(place)
      else { continue }
      units = (units ?? 0) + dose.units
    }
    return units
  }

  /// Whether the event history tells of a stretch of basal from its start to its end.
  ///
  /// A temp basal that was issued again at the same rate is one row of basal and several events.
  private func historyCovers(_ start: Instant, _ end: Instant) -> Bool {
    // Those before had all ended by the start.
    let first = endsOfHistory.partitioningIndex { $0 > start }
    var reached = start
    for event in run.eventHistory[first...] where Self.isOfBasal(event) {
      guard event.instant <= reached + Self.tolerance else { break }
      reached = max(reached, event.end)
    }
    return reached > start && end <= reached + Self.tolerance
  }

  /// Whether the event history tells of a suspension at an instant: of its start and its end it has
  /// an event each.
  private func historySuspends(before start: Instant) -> Bool {
    let first = run.eventHistory.partitioningIndex { $0.instant > start + Self.tolerance }
    let last = run.eventHistory[..<first].last { $0.kind == .suspend || $0.kind == .resume }
    return last?.kind == .suspend
  }

  private static func isOfBasal(_ event: EventHistoryRecord) -> Bool {
    event.kind == .tempBasal || event.kind == .suspend
  }

  // MARK: - Boluses

  private func bolusRows() -> [DoseRow] {
    let given = run.boluses.filter { isInRun($0.start, $0.end) }.map { bolus in
      var row = DoseRow(
        bolus.isAutomatic ? .automaticBolus : .bolus, from: bolus.start, to: bolus.end)
      row.asked = bolus.asked.units
      row.pump = bolus.delivered.units
      let pulses = run.pulses(
        of: [.userBolus, .automaticBolus],
        after: run.boluses.followsAtOnce(bolus) ? bolus.start : bolus.start - .milliseconds(1),
        through: bolus.end)
      row.pulses = pulses.count(of: run.pulseSize)
      row.body = pulses.reduce(0) { $0 + $1.physicalUnits }
      takeRecords(of: identifiers[bolus.identifier], into: &row)
      row.differences += bodyDifferences(of: row, from: row.start)
      return row
    }
    let others = identifiers.neverGiven.filter { isInRun($0.start, $0.end) }.map { dose in
      let event = bolusRecords.event(dose.identifier)
      var row = DoseRow(
        event?.isAutomatic == true ? .automaticBolus : .bolus, from: dose.start, to: dose.end)
      (row.asked, row.pump, row.pulses, row.body) = (dose.units, 0, 0, 0)
      takeRecords(of: dose.identifier, into: &row)
      return row
    }
    return given + others
  }

  /// Whether a dose lies in the part that counts, or reaches into it.
  func isInRun(_ start: Instant, _ end: Instant) -> Bool {
    start >= run.start || end > run.start
  }

  /// Takes what app and health store have of a bolus.
  private func takeRecords(of identifier: SyncIdentifier, into row: inout DoseRow) {
    row.app = bolusRecords.delivery(identifier)?.units
    let isThere = bolusRecords.event(identifier) != nil
    row.isInEventHistory = run.hasApp ? isThere : nil
    let sample = bolusRecords.sample(identifier)
    row.store = sample?.units
    row.source = sample?.source
    row.written = sample?.writtenAt
    row.deletedFromHistory =
      observation?.deletedEvents.first { $0.record.identifier == identifier }?.deleted
    row.deletedFromStore =
      observation?.deletedSamples.last { $0.isByPerson && $0.syncIdentifier == identifier }?.deleted
    let end = row.end
    row.differences = differences(at: places.starting(at: row.start)) {
      $0.origin == .bolus && $0.end <= end
    }
  }

  /// The differences of what the body did not get of a dose, or got late; none where it got all.
  ///
  /// They are about basal and boluses together. What waited behind an occlusion came free later: of
  /// a dose of which nothing was lost that is the next time.
  private func bodyDifferences(of row: DoseRow, from start: Instant) -> [Int] {
    guard let pump = row.pump, let body = row.body, (pump - body).magnitude > 0.0005 else {
      return []
    }
    let found = differences(at: places.body) { $0.start <= row.end && $0.end >= start }
    guard found.isEmpty else { return found }
    let later = differences(at: places.body) { $0.kind == .heldBack && $0.start > row.end }
    let next = later.min {
      run.agreement.differences[$0].start < run.agreement.differences[$1].start
    }
    return [next].compactMap(\.self)
  }

  /// Some of the differences that there are.
  func differences(
    at places: [Int], where isIncluded: (RecordDifference) -> Bool
  ) -> [Int] {
    places.filter { isIncluded(run.agreement.differences[$0]) }
  }

  /// The elements of a list in the order of time that lie in a stretch of it.
  private func near<Element>(
    _ list: [Element], from: Instant, to: Instant, by time: (Element) -> Instant
  ) -> ArraySlice<Element> {
    let first = list.partitioningIndex { time($0) >= from }
    let last = list.partitioningIndex { time($0) > to }
    return list[first..<max(first, last)]
  }

  private static func same(_ first: Instant, _ second: Instant) -> Bool {
    (first - second).magnitude <= tolerance
  }
}

extension Int64 {
  /// So many thousandths of a unit in units.
  fileprivate var unitsOfMilliunits: Double { Double(self) / 1_000 }
}
