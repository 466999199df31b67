internal import ClosedLoop
internal import Dosing
package import Quantities
package import Simulation

/// What held over a stretch of a run, for the lane of modes.
package struct RunMode: Hashable {
  /// What holds: how insulin is dosed, or why it is not.
  package enum Kind: Hashable {
    case closed, open, noGlucose, suspended, stopped, off, alone

    /// The words on the lane.
    package var words: String {
      switch self {
      case .closed: "Closed loop"
      case .open: "Open loop"
      case .noGlucose: "No CGM"
      case .suspended: "Suspended"
      case .stopped: "Pump stopped"
      case .off: "App off"
      case .alone: "Without an app"
      }
    }

    /// The words in a legend, beside others.
    package var legendWords: String { words.prefix(1).lowercased() + words.dropFirst() }
  }

  /// What holds.
  package var kind: Kind
  /// From when on it holds.
  package var start: Instant
  /// Until when it holds.
  package var end: Instant
}

/// Something that the lane of modes names: a fault, an alarm, a lethal end.
package struct RunFlag: Hashable {
  /// What it is called on the lane.
  package var text: String
  /// When it begins.
  package var start: Instant
  /// When it ends.
  package var end: Instant
  /// Whether a record is wrong by it.
  package var isBad: Bool
}

extension RunReport {
  /// The modes of the run, one after the other: what stops delivery goes before what stops the
  /// loop, and begins and ends when it did; what the loop does is known at each row of the trace.
  var foundModes: [RunMode] {
    var result: [RunMode] = []
    var lastReading: Instant?
    let stops = run.programs.filter { $0.kind == .stopped || $0.kind == .suspended }
    var edges = Set(stops.flatMap { [$0.start, $0.end] }).filter { $0 > run.start }.sorted()[...]
    func hold(_ kind: RunMode.Kind, from instant: Instant) {
      if let last = result.indices.last {
        result[last].end = instant
        if result[last].kind == kind { return }
      }
      result.append(RunMode(kind: kind, start: instant, end: instant))
    }
    for row in run.trace.rows {
      func kind(at instant: Instant) -> RunMode.Kind {
        // One after the other, as all programs are.
        let stop = stops.partitioningIndex { instant < $0.end }
        if stop < stops.count, stops[stop].start <= instant {
          return stops[stop].kind == .stopped ? .stopped : .suspended
        }
        switch row.mode {
        case .suspended: return .suspended
        case .off: return run.hasApp ? .off : .alone
        case .closedLoop, .openLoop:
          // On a reading that is 15 minutes old or older the algorithm does not dose.
          let isFresh = lastReading.map { instant - $0 < .minutes(15) } ?? false
          return !isFresh ? .noGlucose : row.mode == .closedLoop ? .closed : .open
        }
      }
      // A stop that ended between two rows gave way to what the later of them finds.
      while let edge = edges.first, edge <= row.instant {
        edges.removeFirst()
        if edge < row.instant { hold(kind(at: edge), from: edge) }
      }
      if row.reading != nil { lastReading = row.instant }
      hold(kind(at: row.instant), from: row.instant)
    }
    if let last = result.indices.last { result[last].end = run.end }
    return result.filter { $0.end > $0.start }
  }

  /// The differences that have a place on each day, by time.
  var foundPlaces: [[Int]] {
    var places = [[Int]](repeating: [], count: days.count)
    let differences = differences
    for index in byTime where !isWhole(differences[index]) {
      let (start, end) = (differences[index].start, differences[index].end)
      let first = days.partitioningIndex { $0.end >= start }
      for (place, day) in zip(first..., days[first...].prefix { $0.start <= end })
      where start == end ? day.has(start, of: self) : day.shows(start, end) {
        places[place].append(index)
      }
    }
    return places
  }

  /// Faults of the scenario, alarms and a lethal end, earliest first.
  var foundFlags: [RunFlag] {
    let bad = differences.filter { $0.severity == .fault }
    var flags = run.faultWindows.map { window in
      let (start, end) = (window.span.lowerBound, window.span.upperBound)
      return RunFlag(
        text: window.id, start: start, end: window.told.upperBound,
        isBad: bad.contains { $0.start < end && $0.end > start && !isWhole($0) })
    }
    for happening in run.trace.happenings where happening.kind == .lethal {
      flags.append(
        RunFlag(
          text: "lethal", start: happening.instant, end: happening.instant, isBad: true))
    }
    for happening in run.trace.happenings where happening.kind == .alert {
      flags.append(
        RunFlag(
          text: happening.name.isEmpty ? happening.text : happening.name, start: happening.instant,
          end: happening.instant, isBad: true))
    }
    return flags.sorted { ($0.start, $0.text) < ($1.start, $1.text) }
  }

  /// Whether the health store lacks basal that the pump gave.
  package func isMissing(_ difference: RecordDifference) -> Bool {
    difference.origin == .basal && difference.records.contains(.healthStore)
      && difference.units < 0 && !isWhole(difference)
  }

  /// Whether a difference is one of the run as a whole.
  package func isWhole(_ difference: RecordDifference) -> Bool {
    difference.start <= run.start && difference.end >= run.end
  }

  /// Insulin on board as it would be without the doses from outside, while they act.
  ///
  /// Insulin on board is a sum over doses, so that what the outside doses add can be taken away. A
  /// dose adds something from the cycle on in which the app heard of it. While one acted that a
  /// person deleted later, whose amount nothing tells any more, nothing is said.
  var insulinWithoutExternal: [(instant: Instant, units: Double)] {
    let rapidActing = observation.settings.first?.therapy.rapidActingModel ?? .rapidActingAdult
    let outside = run.insulinDelivery.filter {
      !$0.isFromPump && $0.kind == .bolus && $0.units > 0 && $0.end >= run.start
    }
    guard !outside.isEmpty else { return [] }
    let written = Dictionary(
      run.insulinSamples.map { ($0.sampleID, $0.writtenAt) }, uniquingKeysWith: min)
    let doses = outside.map { dose in
      (
        known: heardOf(dose.sampleID.flatMap { written[$0] } ?? dose.start),
        dose: AlgorithmInput.InsulinDose(
          type: .bolus, startDate: dose.start, endDate: dose.end, volume: dose.units,
          insulinModel: dose.model(rapidActing: rapidActing))
      )
    }.sorted { $0.dose.startDate < $1.dose.startDate }
    let forgotten = deletedOutside
    return run.trace.rows.compactMap { row in
      let first = doses.partitioningIndex {
        (row.instant - $0.dose.startDate).seconds <= InsulinModel.longestEffectDuration
      }
      let acting = doses[first...].prefix { $0.dose.startDate <= row.instant }
        .filter { $0.known <= row.instant }
      guard !acting.isEmpty, let units = row.insulinOnBoard,
        !forgotten.contains(where: { $0.contains(row.instant) }),
        let part = try? LoopAlgorithm.insulinOnBoard(
          of: acting.map(\.dose), basal: [], at: row.instant)
      else { return nil }
      return (row.instant, units - part)
    }
  }

  /// When the app takes in what was written at an instant: in the next cycle that it runs.
  private func heardOf(_ written: Instant) -> Instant {
    let cycles = observation.cycles
    let next = cycles.partitioningIndex { $0.instant >= written }
    return next < cycles.count ? cycles[next].instant : cycles.isEmpty ? written : run.end
  }

  /// From when to when doses acted that came from outside the pump and that a person deleted.
  private var deletedOutside: [Range<Instant>] {
    let boluses = Set(run.boluses.map(\.identifier))
    return observation.deletedSamples.filter { sample in
      sample.isByPerson && sample.start == sample.end && sample.start < sample.deleted
        && !(sample.syncIdentifier.map { boluses.contains($0) } ?? false)
    }.map { $0.start..<heardOf($0.deleted) }
  }
}
