internal import Determinism
internal import Quantities

extension RunResult {
  /// The digest of the rows and happenings, and of every record besides.
  func completeDigest(continuing rows: RunningDigest) -> UInt64 {
    var digest = rows
    for pulse in pulses {
      digest.absorb(pulse.instant.millisecondsSince1970)
      digest.absorb(pulse.recorded.milliunits)
      digest.absorb(pulse.physicalUnits)
      digest.absorb(pulse.channel.rawValue)
    }
    for sample in insulinSamples {
      digest.absorb(sample.start.millisecondsSince1970)
      digest.absorb(sample.end.millisecondsSince1970)
      digest.absorb(sample.units)
      digest.absorb(sample.source)
      digest.absorb(sample.writtenAt.millisecondsSince1970)
      digest.absorb(sample.sampleID)
    }
    for event in eventHistory {
      digest.absorb(event.instant.millisecondsSince1970)
      digest.absorb(event.kind)
      digest.absorb(event.identifier)
    }
    for difference in agreement.differences { digest.absorb(difference.text) }
    for violation in violations { digest.absorb(violation.text) }
    return digest.value
  }
}
