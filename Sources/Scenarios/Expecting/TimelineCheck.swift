public import Quantities
public import Simulation

/// Rows that the basal samples of the health store must show.
public struct TimelineCheck: Hashable, Sendable {
  /// How the rows are held against the samples.
  public enum Mode: String, Hashable, Sendable, CaseIterable {
    /// Row by row, no more and no fewer.
    case exact
    /// The samples begin with these rows.
    case prefix
    /// Every row is found, in any order.
    case contains
    /// Every row is found, in this order.
    case ordered
  }

  /// One row: a sample as it must be.
  public struct Row: Hashable, Sendable {
    public var start: Instant
    public var end: Instant
    public var rate: InsulinRate
    public var units: InsulinAmount
    public var kind: BasalSampleRecord.Kind
    /// What must have reached the body meanwhile, in units, where the scenario says so.
    public var trueUnits: Double?
  }

  public var rows: [Row]
  public var mode: Mode
  public var timeTolerance: TimeSpan
  public var unitsTolerance: Double

  /// What is wrong, and an aligned comparison; nothing when the samples are as they must be.
  func complaint(about run: RunResult, in scope: Expectation.Scope) -> Complaint? {
    let samples = run.basalSamples.filter {
      $0.start >= scope.from - timeTolerance && $0.end <= scope.through + timeTolerance
    }
    func matches(_ row: Row, _ sample: BasalSampleRecord) -> Bool { match(row, sample, run) }
    let body = body(samples, run.clock)
    func complaint(_ message: String, _ instant: Instant) -> Complaint {
      Complaint(message, body: body, at: instant)
    }
    switch mode {
    case .exact, .prefix:
      let difference = rows.indices.first {
        $0 >= samples.count || !matches(rows[$0], samples[$0])
      }
      if let difference {
        let expected = rows[difference]
        let found = difference < samples.count ? samples[difference] : nil
        return complaint(
          "row \(difference + 1) should be \(text(expected, run.clock)), and is "
            + (found.map { text($0, run.clock) } ?? "missing"),
          min(expected.end, found?.end ?? expected.end))
      }
      guard mode == .exact, samples.count > rows.count else { return nil }
      let extra = samples[rows.count]
      return complaint("there is one more sample: \(text(extra, run.clock))", extra.end)
    case .contains:
      return rows.first { row in !samples.contains { matches(row, $0) } }
        .map { complaint("no sample is \(text($0, run.clock))", $0.end) }
    case .ordered:
      var next = 0
      for sample in samples where next < rows.count && matches(rows[next], sample) { next += 1 }
      guard next < rows.count else { return nil }
      return complaint(
        "no sample, in this order, is \(text(rows[next], run.clock))", rows[next].end)
    }
  }

  private func match(_ row: Row, _ sample: BasalSampleRecord, _ run: RunResult) -> Bool {
    guard (row.start - sample.start).magnitude <= timeTolerance,
      (row.end - sample.end).magnitude <= timeTolerance, row.kind == sample.kind,
      row.rate == sample.rate,
      (row.units.units - sample.units.units).magnitude <= unitsTolerance
    else { return false }
    guard let expected = row.trueUnits else { return true }
    let absorbed = run.pulses.filter {
      $0.channel == .basal && $0.instant > sample.start && $0.instant <= sample.end
    }.reduce(0) { $0 + $1.physicalUnits }
    return (absorbed - expected).magnitude <= max(unitsTolerance, 1e-6)
  }

  private func body(_ samples: [BasalSampleRecord], _ clock: WallClock) -> String {
    let expected = rows.map { "  expected  \(text($0, clock))" }
    let found = samples.map { "  found     \(text($0, clock))" }
    return (expected + found).joined(separator: "\n")
  }

  private func text(_ row: Row, _ clock: WallClock) -> String {
    line(row.start, row.end, row.rate, row.units, row.kind, clock)
  }

  private func text(_ sample: BasalSampleRecord, _ clock: WallClock) -> String {
    line(sample.start, sample.end, sample.rate, sample.units, sample.kind, clock)
  }

  private func line(
    _ start: Instant, _ end: Instant, _ rate: InsulinRate, _ units: InsulinAmount,
    _ kind: BasalSampleRecord.Kind, _ clock: WallClock
  ) -> String {
    let from = clock.civilTime(at: start).timeOfDay
    let to = clock.civilTime(at: end).timeOfDay
    return "\(from) to \(to)  \(rate)  \(units)  \(kind.rawValue)"
  }
}
