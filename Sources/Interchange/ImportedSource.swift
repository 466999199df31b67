internal import HealthStore
internal import Quantities

/// Where samples of another program's file come from, as far as the file says.
enum ImportedSource {
  /// A sample as if it had been saved when it ended, by a part of the program.
  static func restored(_ sample: Sample, program: String, part: String) -> RestoredSample {
    let revision = SourceRevision(
      source: Source(name: "\(program) \(part)", bundleIdentifier: "import.\(program).\(part)"))
    return RestoredSample(
      Sample(
        restoring: sample.uuid, type: sample.type, start: sample.start, end: sample.end,
        value: sample.value, device: sample.device, metadata: sample.metadata,
        sourceRevision: revision), created: sample.end)
  }
}

/// Basal insulin of another program as Loop would have written it.
enum BasalSample {
  static func make(
    rate: Double, scheduled: Double?, isTemp: Bool, isSuspend: Bool, start: Instant, end: Instant,
    uuid: SampleUUID
  ) -> Sample {
    var metadata = Metadata()
    metadata.hasLoopKitOrigin = true
    metadata.isSuspend = isSuspend
    metadata.scheduledBasalRate = scheduled.flatMap { InsulinRate(roundingUnitsPerHour: $0) }
    if isTemp {
      metadata.programmedTempBasalRate = InsulinRate(roundingUnitsPerHour: rate)
    }
    return .insulinDelivery(
      units: rate * (end - start).seconds / 3_600, reason: .basal, start: start, end: end,
      uuid: uuid, metadata: metadata)
  }
}
