internal import HealthStore
internal import Quantities

extension Array where Element == DoseEntry {
  /// The doses as the pump carried them out: basal stretches that do not overlap, and boluses.
  ///
  /// The doses must be in the order in which the pump carried them out. A temp basal
  /// ends where the next program begins, a suspension lasts until its resume or, when that was
  /// lost, until the next temp basal. The rules are those of LoopKit's `InsulinMath.swift`,
  /// `reconciled()`.
  public func reconciled() -> [DoseEntry] {
    var pairing = ProgramPairing()
    for dose in self { pairing.take(dose) }
    pairing.finish()
    return pairing.reconciled.map(\.resolvingDelivery)
  }

  /// These doses, then those of `other` that are not among them.
  ///
  /// A dose whose identifier has been seen is left out, so that the first list wins; doses without
  /// an identifier are all kept (LoopKit, `appendedUnion(with:)`).
  public func appendedUnion(with other: [DoseEntry]) -> [DoseEntry] {
    var seen: Set<SyncIdentifier> = []
    var union: [DoseEntry] = []
    union.reserveCapacity(count + other.count)
    for list in [self, other] {
      for dose in list {
        if let identifier = dose.syncIdentifier, !seen.insert(identifier).inserted { continue }
        union.append(dose)
      }
    }
    return union
  }
}

/// Walks through doses in order and pairs each program with what ended it.
private struct ProgramPairing {
  var reconciled: [DoseEntry] = []
  private var suspension: DoseEntry?
  private var basal: DoseEntry?

  mutating func take(_ dose: DoseEntry) {
    switch dose.kind {
    case .bolus: reconciled.append(dose)
    case .basal, .tempBasal: takeProgram(dose)
    case .resume: takeResume(dose)
    case .suspend: takeSuspend(dose)
    }
  }

  mutating func finish() {
    if var open = suspension {
      open.end = open.start
      open.isMutable = true
      reconciled.append(open)
    } else if let basal, basal.end > basal.start {
      reconciled.append(basal)
    }
  }

  private mutating func takeProgram(_ dose: DoseEntry) {
    assert(
      dose.kind == .basal || dose.kind == .tempBasal, "A program is the schedule or a temp basal.")
    if let open = suspension {
      // Without its resume, a suspension ends where a temp basal shows that delivery went on.
      if dose.kind == .tempBasal {
        closeSuspension(open, at: dose.start)
      }
    } else if let running = basal {
      let end = min(running.end, dose.start)
      if end > running.start {
        reconciled.append(running.trimmed(to: end, syncIdentifier: running.syncIdentifier))
      }
    }
    basal = dose
  }

  private mutating func takeResume(_ dose: DoseEntry) {
    assert(dose.kind == .resume, "Only a resume ends a suspension here.")
    guard let open = suspension else { return }
    closeSuspension(open, at: dose.start)
    guard var running = basal else { return }
    guard running.end > dose.end else {
      basal = nil
      return
    }
    running.start = dose.end
    running.deliveredUnits = nil
    running.syncIdentifier = dose.syncIdentifier
    basal = running
  }

  private mutating func takeSuspend(_ dose: DoseEntry) {
    assert(dose.kind == .suspend, "Only a suspension begins one.")
    if let running = basal {
      // A second suspension finds what ran before the first already put out.
      if suspension == nil {
        var ended = running
        ended.end = min(running.end, dose.start)
        ended.deliveredUnits = nil
        reconciled.append(ended)
      }
      if running.end <= dose.start { basal = nil }
    }
    suspension = dose
  }

  private mutating func closeSuspension(_ open: DoseEntry, at end: Instant) {
    assert(open.kind == .suspend, "Only a suspension is closed by what follows it.")
    var closed = open
    closed.end = end
    reconciled.append(closed)
    suspension = nil
  }
}
