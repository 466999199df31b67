package import Outcomes
internal import Quantities
internal import Simulation
public import StructuredText

extension RunSummary {
  /// How well and how late the health store tells of what the pump gave after the start.
  public var reporting: JSONValue {
    let outcome = reportingOutcomes
    return [
      "missing_U": .rounded(outcome.missing.units, 3), "extra_U": .rounded(outcome.extra.units, 3),
      "external_U": .rounded(outcome.external.units, 3),
      "median_span_minutes": .rounded(outcome.medianSpanMinutes, 2),
      "longest_span_minutes": .rounded(outcome.longestSpanMinutes, 2),
      "median_delay_minutes": .rounded(outcome.medianDelayMinutes, 2),
      "delay_95_minutes": .rounded(outcome.delay95Minutes, 2),
      "longest_delay_minutes": .rounded(outcome.longestDelayMinutes, 2),
    ]
  }

  /// The figures of it.
  package var reportingOutcomes: ReportingOutcomes {
    let boluses = run.bolusIdentifiers
    func isFromPump(_ sample: InsulinSampleRecord) -> Bool {
      sample.isOwnBasal || boluses.contain(sample)
    }
    var samples: [ReportingOutcomes.Sample] = []
    samples.reserveCapacity(run.insulinSamples.count)
    for sample in run.insulinSamples {
      let end = boluses.end(of: sample)
      guard sample.start >= run.start || end > run.start,
        let amount = InsulinAmount(roundingUnits: sample.units)
      else { continue }
      let isFromPump = isFromPump(sample)
      samples.append(
        ReportingOutcomes.Sample(
          sample.isBasal ? .basal : .bolus, from: sample.start, to: end,
          isFromPump ? max(.zero, amount - givenBeforeStart(of: sample)) : amount,
          written: sample.writtenAt, origin: isFromPump ? .app : .external))
    }
    let deliveries = measurements.insulin.deliveries.drop { $0.instant <= run.start }
    return ReportingOutcomes(deliveries: deliveries, samples: consume samples)
  }

  /// What the pump gave by the start of the stretch of which a sample tells: after a pre-roll a
  /// sample may begin hours before, and only the rest of it is told of what came later.
  private func givenBeforeStart(of sample: InsulinSampleRecord) -> InsulinAmount {
    guard sample.start < run.start else { return .zero }
    // A pulse at the very start of a bolus belongs to it.
    let from = sample.isBasal ? sample.start : sample.start - .milliseconds(1)
    return measurements.insulin.given(
      asBasal: sample.isBasal, after: from, through: run.start)
  }
}
