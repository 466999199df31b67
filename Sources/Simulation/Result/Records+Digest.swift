internal import ClosedLoop
internal import Determinism
internal import Devices
internal import Dosing
internal import HealthStore

// What a digest takes of the records of a run: every field.

extension SyncIdentifier: Digestible {}

extension BasalSampleRecord: Digestible {
  func absorb(into digest: inout RunningDigest) {
    digest.absorb(start)
    digest.absorb(end)
    digest.absorb(rate)
    digest.absorb(units)
    digest.absorb(kind)
    digest.absorb(source)
    digest.absorb(writtenAt)
    digest.absorb(SyncIdentifier(sampleID))
  }
}

extension BasalSampleRecord.Kind: Digestible {}

extension HistoryEvent.Kind: Digestible {}

extension DoseEntry.Kind: Digestible {}

extension EventHistoryRecord: Digestible {
  func absorb(into digest: inout RunningDigest) {
    digest.absorb(instant)
    digest.absorb(kind)
    digest.absorb(end)
    digest.absorb(rate)
    digest.absorb(programmed)
    digest.absorb(delivered)
    digest.absorb(isAutomatic)
    digest.absorb(isMutable)
    digest.absorb(identifier)
  }
}

extension InsulinDeliveryRecord: Digestible {
  func absorb(into digest: inout RunningDigest) {
    digest.absorb(start)
    digest.absorb(end)
    digest.absorb(kind)
    digest.absorb(units)
    digest.absorb(scheduledRate)
    digest.absorb(isFromPump)
    digest.absorb(isMutable)
    digest.absorb(countsInInsulinOnBoard)
    digest.absorb(source)
    digest.absorb(identifier)
    digest.absorb(sampleID.map { SyncIdentifier($0) })
  }
}

extension InsulinSampleRecord: Digestible {
  func absorb(into digest: inout RunningDigest) {
    digest.absorb(start)
    digest.absorb(end)
    digest.absorb(units)
    digest.absorb(isBasal)
    digest.absorb(isOwn)
    digest.absorb(source)
    digest.absorb(writtenAt)
    digest.absorb(SyncIdentifier(sampleID))
    digest.absorb(syncIdentifier)
  }
}

extension PumpBolusRecord: Digestible {
  func absorb(into digest: inout RunningDigest) {
    digest.absorb(identifier)
    digest.absorb(start)
    digest.absorb(end)
    digest.absorb(asked)
    digest.absorb(delivered)
    digest.absorb(isAutomatic)
    digest.absorb(isRunning)
  }
}

extension ModelExcursion: Digestible {
  func absorb(into digest: inout RunningDigest) {
    digest.absorb(start)
    digest.absorb(end)
    digest.absorb(lowest)
    digest.absorb(highest)
    digest.absorb(isClipped)
  }
}

extension BolusRequestRecord: Digestible {
  func absorb(into digest: inout RunningDigest) {
    digest.absorb(instant)
    digest.absorb(name)
    digest.absorb(requester)
    digest.absorb(asked)
    digest.absorb(aboveLimit)
    digest.absorb(offGrid)
    digest.absorb(misreported)
    // The digests of the others are what they were before there was a word for this.
    if isRefused { digest.absorb(isRefused) }
    if hasStatedReport { digest.absorb(hasStatedReport) }
  }
}

extension BolusRequester: Digestible {}

extension PumpProgramRecord: Digestible {
  func absorb(into digest: inout RunningDigest) {
    digest.absorb(start)
    digest.absorb(end)
    digest.absorb(kind)
    digest.absorb(rate)
    digest.absorb(isAutomatic)
    digest.absorb(delivered)
    if let sent { digest.absorb(sent) }
    for change in rateChanges {
      digest.absorb(change.instant)
      digest.absorb(change.rate)
    }
  }
}

extension PumpProgramRecord.Kind: Digestible {}

extension PumpPulseRecord: Digestible {
  func absorb(into digest: inout RunningDigest) {
    digest.absorb(instant)
    digest.absorb(recorded)
    digest.absorb(physicalUnits)
    digest.absorb(channel)
  }
}

extension PumpPulseRecord.Channel: Digestible {}

extension InsulinModel: Digestible {
  func absorb(into digest: inout RunningDigest) { digest.absorb(rawValue) }
}

extension InjectionRecord: Digestible {
  func absorb(into digest: inout RunningDigest) {
    digest.absorb(instant)
    digest.absorb(units)
    digest.absorb(name)
    digest.absorb(model)
  }
}

extension RecordAgreement: Digestible {
  func absorb(into digest: inout RunningDigest) {
    digest.absorb(basal)
    digest.absorb(bolus)
    digest.absorb(elsewhere)
    digest.absorb(differences)
  }
}

extension RecordAgreement.Totals: Digestible {
  func absorb(into digest: inout RunningDigest) {
    digest.absorb(body)
    digest.absorb(pump)
    if let app { digest.absorb(app) }
    if let healthStore { digest.absorb(healthStore) }
  }
}

extension RecordDifference: Digestible {
  func absorb(into digest: inout RunningDigest) {
    digest.absorb(severity)
    digest.absorb(kind)
    digest.absorb(origin)
    digest.absorb(records)
    digest.absorb(start)
    digest.absorb(end)
    digest.absorb(units)
    digest.absorb(text)
  }
}

extension RecordAgreement.Origin: Digestible {}
extension RecordAgreement.Record: Digestible {}
extension RecordDifference.Severity: Digestible {}
extension RecordDifference.Kind: Digestible {}

// MARK: - The pump's accounts

extension DeliveryLedger: Digestible {
  func absorb(into digest: inout RunningDigest) {
    digest.absorb(basal)
    digest.absorb(boluses)
    digest.absorb(reservoir)
    digest.absorb(body)
    digest.absorb(reporting)
  }
}

extension DeliveryLedger.Basal: Digestible {
  func absorb(into digest: inout RunningDigest) {
    digest.absorb(programmed)
    digest.absorb(anticipated)
    digest.absorb(delivered)
    digest.absorb(discarded)
    digest.absorb(pending)
    digest.absorb(discards)
    // The digests of the others are what they were before there were words for these.
    if discardsAtAlarms != 0 { digest.absorb(discardsAtAlarms) }
    if discardsAtEntries != 0 { digest.absorb(discardsAtEntries) }
    if missed != .zero { digest.absorb(missed) }
  }
}

extension DeliveryLedger.Boluses: Digestible {
  func absorb(into digest: inout RunningDigest) {
    digest.absorb(asked)
    digest.absorb(delivered)
    digest.absorb(cancelled)
    digest.absorb(lost)
    digest.absorb(pending)
  }
}

extension DeliveryLedger.Reservoir: Digestible {
  func absorb(into digest: inout RunningDigest) {
    digest.absorb(filled)
    digest.absorb(remaining)
    digest.absorb(primed)
    digest.absorb(removed)
    digest.absorb(unrequested)
  }
}

extension DeliveryLedger.Reporting: Digestible {
  func absorb(into digest: inout RunningDigest) {
    digest.absorb(hidden)
    digest.absorb(overstated)
  }
}

extension BodyLedger: Digestible {
  func absorb(into digest: inout RunningDigest) {
    digest.absorb(recorded)
    digest.absorb(unrequested)
    digest.absorb(absorbed)
    digest.absorb(heldBack)
    for difference in Difference.allCases { digest.absorb(self[difference]) }
    // Where nothing was lost to the same reason, that figure says it already.
    if excess != .zero, self[.scale] + excess != .zero { digest.absorb(excess) }
  }
}

extension AccruedInsulin: Digestible {
  func absorb(into digest: inout RunningDigest) { digest.absorb(milliunitMillisecondsPerHour) }
}

extension PhysicalInsulin: Digestible {
  func absorb(into digest: inout RunningDigest) { digest.absorb(microunits) }
}
