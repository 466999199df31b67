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
    /// Every row is found, in any order, each as a sample of its own.
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
          "row \(difference + 1) should be \(text(expected, run)), and is "
            + (found.map { text($0, run) } ?? "missing"),
          [expected.end, found?.end].compactMap(\.self).min())
      }
      guard mode == .exact, samples.count > rows.count else { return nil }
      let extra = samples[rows.count]
      return complaint("there is one more sample: \(text(extra, run))", extra.end)
    case .contains:
      guard let lacking = rowWithoutSample(samples, matches) else { return nil }
      let found = samples.count { matches(lacking, $0) }
      let asked = rows.count { $0 == lacking }
      let words =
        if found == 0 {
          "no sample is"
        } else if found < asked {
          "only \(found) of \(asked) samples is"
        } else {
          "no sample beside those of other rows is"
        }
      return complaint("\(words) \(text(lacking, run))", lacking.end)
    case .ordered:
      var next = 0
      for sample in samples where next < rows.count && matches(rows[next], sample) { next += 1 }
      guard next < rows.count else { return nil }
      return complaint(
        "no sample, in this order, is \(text(rows[next], run))", rows[next].end)
    }
  }

  /// The first row for which no sample is left, however the samples are given to the rows.
  ///
  /// A row may be near to several samples; it gives up its own where it can have another
  /// (H. W. Kuhn, "The Hungarian method for the assignment problem", Naval Research Logistics
  /// Quarterly 2:83, 1955).
  private func rowWithoutSample(
    _ samples: [BasalSampleRecord], _ matches: (Row, BasalSampleRecord) -> Bool
  ) -> Row? {
    var owners: [Int?] = Array(repeating: nil, count: samples.count)
    for place in rows.indices {
      let free = samples.indices.first { owners[$0] == nil && matches(rows[place], samples[$0]) }
      if let free {
        owners[free] = place
        continue
      }
      // The rows that look for another sample, each with the one at which it looks.
      var path: [(row: Int, sample: Int)] = []
      var isSeen = Array(repeating: false, count: samples.count)
      var (row, next) = (place, 0)
      search: while true {
        while next < samples.count {
          guard !isSeen[next], matches(rows[row], samples[next]) else {
            next += 1
            continue
          }
          isSeen[next] = true
          path.append((row, next))
          guard let owner = owners[next] else { break search }
          (row, next) = (owner, 0)
        }
        guard let last = path.popLast() else { return rows[place] }
        (row, next) = (last.row, last.sample + 1)
      }
      for step in path { owners[step.sample] = step.row }
    }
    return nil
  }

  private func match(_ row: Row, _ sample: BasalSampleRecord, _ run: RunResult) -> Bool {
    guard isNear(row.start, sample.start), isNear(row.end, sample.end),
      row.kind.map({ $0 == sample.kind }) ?? true, row.rate.map({ $0 == sample.rate }) ?? true,
      row.units.map({ isNear($0.units, sample.units.units) }) ?? true
    else { return false }
    guard let expected = row.trueUnits else { return true }
    return isNear(absorbed(sample, run), expected, atLeast: 1e-6)
  }

  /// Whether amounts are near enough.
  private func isNear(_ first: Double, _ second: Double, atLeast least: Double = 0) -> Bool {
    DecimalNumbers.areNear(first, second, within: max(unitsTolerance, least))
  }

  /// What the pump gave the body in the time of a sample, in U.
  private func absorbed(_ sample: BasalSampleRecord, _ run: RunResult) -> Double {
    run.pulses.filter {
      $0.channel == .basal && $0.instant > sample.start && $0.instant <= sample.end
    }.reduce(0) { $0 + $1.physicalUnits }
  }

  private func isNear(_ expected: Instant?, _ found: Instant) -> Bool {
    expected.map { ($0 - found).magnitude <= timeTolerance } ?? true
  }

  // MARK: - Text

  private func body(_ samples: [BasalSampleRecord], _ run: RunResult) -> String {
    AlignedDifference(
      expected: rows.map { cells($0, run) }, found: samples.map { cells(found($0, run), run) }
    ) { match(rows[$0], samples[$1], run) }.text
  }

  /// A sample as a row, with the pulses where a row says how many there must be.
  private func found(_ sample: BasalSampleRecord, _ run: RunResult) -> Row {
    var row = Row(sample)
    if rows.contains(where: { $0.trueUnits != nil }) { row.trueUnits = absorbed(sample, run) }
    return row
  }

  private func text(_ row: Row, _ run: RunResult) -> String {
    cells(row, run).filter { $0 != "–" }.joined(separator: "  ")
  }

  private func text(_ sample: BasalSampleRecord, _ run: RunResult) -> String {
    text(found(sample, run), run)
  }

  private func cells(_ row: Row, _ run: RunResult) -> [String] {
    let first = run.clock.civilTime(at: run.start).dayNumber
    func time(_ instant: Instant, after earlier: Instant? = nil) -> String {
      let civil = run.clock.civilTime(at: instant)
      let known = earlier.map { run.clock.civilTime(at: $0).dayNumber } ?? first
      var text = "\(civil.timeOfDay)"
      if case .twice(_, instant) = run.clock.reading(of: civil) { text += "~2" }
      if civil.dayNumber == known { return text }
      let day = civil.dayNumber - first
      return day < 0 ? run.clock.iso8601(instant) : "d\(day) \(text)"
    }
    let span =
      switch (row.start, row.end) {
      case (let start?, let end?): "\(time(start)) to \(time(end, after: start))"
      case (let start?, nil): "from \(time(start))"
      case (nil, let end?): "to \(time(end))"
      case (nil, nil): "–"
      }
    let rate = row.rate.map { "\($0)" }
    let units = row.units.map { "\($0)" }
    var cells = [span, rate ?? "–", units ?? "–", row.kind?.rawValue ?? "–"]
    if let units = row.trueUnits { cells.append("\(shortened(units)) U in pulses") }
    return cells
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
