package import Quantities
package import Simulation

extension RunResult {
  /// What the pump gave without a command in the part that counts, in U.
  package var unrequestedUnits: Double {
    pulses.lazy.filter { $0.channel == .unrequested && self.counts($0) }
      .reduce(0) { $0 + $1.physicalUnits }
  }

  /// Where the accounts of the pump begin, where that is before the part that counts, as with a
  /// pre-roll and a history; `nil` where they begin with it.
  package var beginningOfAccounts: Instant? {
    programs.first.flatMap { $0.start < start ? $0.start : nil }
  }

  /// The basal samples that reach into the part that counts.
  package var countedBasalSamples: [BasalSampleRecord] {
    let counts = { (sample: BasalSampleRecord) in sample.end > start && sample.start < end }
    // Nearly always they all do: a list of them would be a copy of some megabytes in a year.
    return basalSamples.allSatisfy(counts) ? basalSamples : basalSamples.filter(counts)
  }

  /// Whether a pulse is of the part that counts.
  package func counts(_ pulse: PumpPulseRecord) -> Bool { pulse.counts(from: start) }

  /// The pulses of some channels in the half-open stretch (start, end].
  package func pulses(
    of channels: [PumpPulseRecord.Channel], after start: Instant, through end: Instant
  ) -> [PumpPulseRecord] {
    let first = pulses.partitioningIndex { $0.instant > start }
    let last = pulses.partitioningIndex { $0.instant > end }
    guard first < last else { return [] }
    return pulses[first..<last].filter { channels.contains($0.channel) }
  }

  /// The units that the pump counted on some channels in (start, end].
  package func units(
    of channels: [PumpPulseRecord.Channel], after start: Instant, through end: Instant
  ) -> Double {
    let given = pulses(of: channels, after: start, through: end)
    return given.reduce(InsulinAmount.zero) { $0 + $1.recorded }.units
  }
}

extension InsulinSampleRecord {
  /// Whether it is basal of the app's pump; basal of other sources is a dose like any other from
  /// outside.
  package var isOwnBasal: Bool { isOwn && isBasal }
}

extension Sequence<PumpPulseRecord> {
  /// How many pulses of a size they are: some pumps give several at once, which is one record.
  package func count(of size: InsulinAmount) -> Int {
    assert(size > .zero, "A pulse is some insulin.")
    return reduce(0) { $0 + Swift.max(1, Int($1.recorded.milliunits / size.milliunits)) }
  }
}
