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

/// What measured a glucose sample, as far as its source tells.
enum GlucoseOrigin {
  /// Whether a CGM measured: an app that reads one wrote the sample, and no person did.
  ///
  /// The apps are those of `tidepool-org/healthkit-uploader`: Loop and its relatives, Dexcom's, and
  /// other readers.
  static func isSensor(_ sample: Sample) -> Bool {
    let bundle = sample.source?.bundleIdentifier ?? ""
    let isReader =
      bundle.hasSuffix(".Loop") || bundle.hasPrefix("com.loopkit.") || isDexcom(bundle)
      || bundle.hasSuffix(".cgm")
      || ["xdrip", "spike", "diabox", "libre", "sugarmate"].contains {
        bundle.lowercased().contains($0)
      }
    return isReader && !sample.metadata.wasUserEntered
  }

  static func isDexcom(_ bundle: String) -> Bool { bundle.hasPrefix("com.dexcom.") }
}

/// Basal insulin of another program as Loop would have written it.
enum BasalSample {
  /// A segment of basal insulin; where the delivered units are not known it is what the rate, in
  /// units an hour, amounts to.
  static func make(
    rate: Double, delivered: Double? = nil, scheduled: Double?, isTemp: Bool, isSuspend: Bool,
    start: Instant, end: Instant,
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
      units: delivered ?? rate * (end - start).seconds / 3_600, reason: .basal, start: start,
      end: end,
      uuid: uuid, metadata: metadata)
  }
}
