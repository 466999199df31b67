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

  /// A column of the rows, by its name in `basal-segments.csv`.
  public enum Column: String, Hashable, Sendable, CaseIterable {
    /// The instants of the sample.
    case start, end
    /// The programmed rate, U/h.
    case rate = "rate_U_per_h"
    /// The amount in U, and what ran.
    case units, kind
    /// The pulses that the pump gave in that time, U.
    case trueUnits = "true_units"
  }

  /// One row: a sample as it must be; what is nothing is not compared.
  public struct Row: Hashable, Sendable {
    /// When it starts.
    public var start: Instant?
    /// When it ends.
    public var end: Instant?
    /// The programmed rate.
    public var rate: InsulinRate?
    /// The amount.
    public var units: InsulinAmount?
    /// What ran.
    public var kind: BasalSampleRecord.Kind?
    /// What must have reached the body meanwhile, in units, where the scenario says so.
    public var trueUnits: Double?
  }

  /// The rows, by start.
  public var rows: [Row]
  /// How the rows are held against the samples.
  public var mode: Mode
  /// How far apart instants may be.
  public var timeTolerance: TimeSpan
  /// How far apart amounts may be, in U.
  public var unitsTolerance: Double

  /// What is wrong, and an aligned comparison; nothing when the samples are as they must be.
  func complaint(about run: RunResult, in scope: Expectation.Scope) -> Complaint? {
    let samples = run.basalSamples.filter {
      $0.start >= scope.from - timeTolerance && $0.end <= scope.through + timeTolerance
    }
    func matches(_ row: Row, _ sample: BasalSampleRecord) -> Bool { match(row, sample, run) }
    let body = body(samples, run)
    func complaint(_ message: String, _ instant: Instant?) -> Complaint {
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
          [expected.end, found?.end].compactMap(\.self).min())
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
    guard isNear(row.start, sample.start), isNear(row.end, sample.end),
      row.kind.map({ $0 == sample.kind }) ?? true, row.rate.map({ $0 == sample.rate }) ?? true,
      row.units.map({ ($0.units - sample.units.units).magnitude <= unitsTolerance }) ?? true
    else { return false }
    guard let expected = row.trueUnits else { return true }
    let absorbed = run.pulses.filter {
      $0.channel == .basal && $0.instant > sample.start && $0.instant <= sample.end
    }.reduce(0) { $0 + $1.physicalUnits }
    return (absorbed - expected).magnitude <= max(unitsTolerance, 1e-6)
  }

  private func isNear(_ expected: Instant?, _ found: Instant) -> Bool {
    expected.map { ($0 - found).magnitude <= timeTolerance } ?? true
  }

  // MARK: - Text

  private func body(_ samples: [BasalSampleRecord], _ run: RunResult) -> String {
    AlignedDifference(
      expected: rows.map { cells($0, run.clock) },
      found: samples.map { cells(Row($0), run.clock) }
    ) { match(rows[$0], samples[$1], run) }.text
  }

  private func text(_ row: Row, _ clock: WallClock) -> String {
    cells(row, clock).filter { $0 != "–" }.joined(separator: "  ")
  }

  private func text(_ sample: BasalSampleRecord, _ clock: WallClock) -> String {
    text(Row(sample), clock)
  }

  private func cells(_ row: Row, _ clock: WallClock) -> [String] {
    func time(_ instant: Instant?) -> String? {
      instant.map { clock.timeOfDay(at: $0).description }
    }
    let span = time(row.start).map { start in
      time(row.end).map { "\(start) to \($0)" } ?? "from \(start)"
    }
    return [
      span ?? time(row.end).map { "to \($0)" } ?? "–", row.rate.map { "\($0)" } ?? "–",
      row.units.map { "\($0)" } ?? "–", row.kind?.rawValue ?? "–",
    ]
  }
}

extension TimelineCheck.Row {
  /// The row that a sample is.
  init(_ sample: BasalSampleRecord) {
    self.init(
      start: sample.start, end: sample.end, rate: sample.rate, units: sample.units,
      kind: sample.kind)
  }
}
