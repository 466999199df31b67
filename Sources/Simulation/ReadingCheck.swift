internal import Quantities

/// Finds when the sensor's readings were far from glucose.
///
/// People and the algorithm act on them, whatever the reason: a sensor that is pressed, that drifts
/// or that was calibrated wrongly, a value that is stuck, or readings of somebody else.
///
/// What is allowed is what trials of sensors allow the worst of their readings: 40 mg/dL, or 40 %
/// of a glucose above 100 mg/dL. Noise and delay of a sensor that works rarely go so far, and never
/// for long.
struct ReadingCheck {
  /// The stretches in which readings were wrong in one direction.
  struct Finding {
    /// The first and the last row in which they were.
    var start: Instant
    var end: Instant
    /// How many stretches there were, and how long they lasted together.
    var count = 1
    var span = TimeSpan.zero
    /// The row in which it was worst.
    var worst: Row
  }

  /// What the sensor showed, and what glucose was.
  struct Row {
    var instant: Instant
    var reading: GlucoseConcentration
    var glucose: GlucoseConcentration
    /// In mg/dL; nothing where the sensor shows the end of its range because glucose lies beyond.
    var difference: Double {
      let shown = min(max(glucose.mgdL, 40), 400)
      let differences = [reading.mgdL - glucose.mgdL, reading.mgdL - shown]
      return differences[0].magnitude < differences[1].magnitude ? differences[0] : differences[1]
    }
    var isWrong: Bool { difference.magnitude > max(40, 0.4 * glucose.mgdL) }
  }

  /// A shorter stretch is no trouble; after so long without a reading another stretch begins.
  private static let shortest = TimeSpan.minutes(15)

  /// Too high, then too low; those that there were.
  var findings: [Finding] { [high, low].compactMap(\.self) }

  private var high: Finding?
  private var low: Finding?
  private var open: Finding?

  init(_ rows: [TraceRow]) {
    for row in rows {
      guard let reading = row.reading else { continue }
      let shown = Row(instant: row.instant, reading: reading, glucose: row.trueGlucose)
      guard shown.isWrong else {
        close()
        continue
      }
      if let open,
        open.worst.difference.sign != shown.difference.sign
          || row.instant - open.end > Self.shortest
      {
        close()
      }
      var stretch = open ?? Finding(start: row.instant, end: row.instant, worst: shown)
      stretch.end = row.instant
      if shown.difference.magnitude > stretch.worst.difference.magnitude { stretch.worst = shown }
      open = stretch
    }
    close()
  }

  private mutating func close() {
    guard var stretch = open else { return }
    open = nil
    stretch.span = stretch.end - stretch.start
    guard stretch.span >= Self.shortest else { return }
    if stretch.worst.difference > 0 {
      high = high?.joined(with: stretch) ?? stretch
    } else {
      low = low?.joined(with: stretch) ?? stretch
    }
  }
}

extension ReadingCheck.Finding {
  /// Both as one; the other is the later.
  fileprivate func joined(with other: Self) -> Self {
    assert(end < other.start, "Stretches do not overlap.")
    var all = self
    all.end = other.end
    all.count += other.count
    all.span = span + other.span
    if other.worst.difference.magnitude > worst.difference.magnitude { all.worst = other.worst }
    return all
  }
}
