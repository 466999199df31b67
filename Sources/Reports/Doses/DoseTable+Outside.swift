internal import ClosedLoop
internal import HealthStore
internal import Quantities
internal import Simulation

/// Insulin that no program of the pump gave.
extension DoseTable {
  /// Insulin from the pump that it does not count: what it gave without a command, and what came
  /// free behind an occlusion, which it counted when it was held back.
  func uncountedRows() -> [DoseRow] {
    // Few of all pulses are of these kinds, so that they are not listed before they are looked at.
    run.pulses.lazy.filter(run.counts).compactMap { pulse -> DoseRow? in
      let kind: DoseRow.Kind
      switch pulse.channel {
      case .unrequested: kind = .unrequested
      case .release: kind = .released
      case .basal, .userBolus, .automaticBolus: return nil
      }
      var row = DoseRow(kind, from: pulse.instant, to: pulse.instant)
      row.body = pulse.physicalUnits
      row.differences =
        kind == .unrequested
        ? places.unrequested
        : differences(at: places.body) {
          $0.kind == .heldBack && $0.start <= row.start && row.start <= $0.end
        }
      return row
    }
  }

  /// Injections, what a person logged, and what other apps wrote; one row where they tell the same.
  func externalRows() -> [DoseRow] {
    let own = OwnSamples(run.insulinSamples)
    let doses = OutsideDose.matched(
      injections: run.injections.filter { $0.instant >= run.start },
      doses: run.insulinDelivery.filter { !$0.isFromPump && isInRun($0.start, $0.end) },
      samples: run.insulinSamples.filter { sample in
        isInRun(sample.start, sample.end) && !sample.isOwnBasal
          && !identifiers.contain(sample)
      }
    ) { own.original(of: $0) == nil }
    let given = doses.filter { $0.injection != nil }.sorted {
      ($0.injection?.instant ?? run.start) < ($1.injection?.instant ?? run.start)
    }
    return (given + doses.filter { $0.injection == nil }).compactMap { dose -> DoseRow? in
      // What is the record of an injection is no copy of another's of that instant.
      let isCopy =
        dose.injection == nil && dose.sample.map { own.original(of: $0) != nil } ?? false
      return row(of: dose, isCopy: isCopy)
    }
  }

  private func row(of dose: OutsideDose, isCopy: Bool) -> DoseRow? {
    guard let start = dose.start, let end = dose.end else { return nil }
    let given = dose.injection
    var row = DoseRow(.external, from: given?.instant ?? start, to: given?.instant ?? end)
    row.body = given?.units
    row.app = dose.dose?.units
    row.source = given?.name ?? dose.dose?.source
    if let sample = dose.sample { take(sample, into: &row) }
    let here = differences(at: places.starting(at: start)) { $0.origin == .elsewhere }
    let isMisstated = here.contains { run.agreement.differences[$0].kind == .misstatedDose }
    row.differences = differences(at: here) {
      // What another source has of a dose of the pump is a copy of it, and nothing else is one.
      dose.isConcerned(by: $0.kind, isMisstated: isMisstated)
        && isCopy == ($0.kind == .duplicateSample || $0.kind == .conflictingSample)
    }
    return row
  }

  private func take(_ sample: InsulinSampleRecord, into row: inout DoseRow) {
    row.store = sample.units
    row.source = sample.source
    row.written = sample.writtenAt
  }
}
