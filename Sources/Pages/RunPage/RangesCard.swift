internal import Outcomes
internal import Quantities
internal import StructuredText
internal import Typesetting

/// The time that a run spent in the ranges of glucose.
struct RangesCard {
  private let measurements: RunMeasurements
  private let glucoseUnit: GlucoseUnit

  /// Takes what was measured of a run, and the unit of the page.
  init(_ measurements: RunMeasurements, _ glucoseUnit: GlucoseUnit) {
    self.measurements = measurements
    self.glucoseUnit = glucoseUnit
  }

  /// The card.
  var markup: Markup {
    let words = GlucoseWords(glucoseUnit)
    let (series, source) = measurements.shownGlucose
    guard let shares = series.timeInRanges() else {
      return PageParts.card(
        id: "k2", heading: "Time in ranges", "<p>No reading of the sensor in this run.</p>")
    }
    // Ranges of a few readings look like those of a day, so their heading says what they are.
    let time: Markup =
      !measurements.isSeen || active >= Self.leastActive
      ? "whole run" : "\(percent(active)) of the run"
    return PageParts.card(
      id: "k2", heading: "Time in ranges \(words.unitName), \(source), \(time)",
      PageParts.ranges(shares, words) + PageParts.pairs(measurements.cgm.isEmpty ? [] : truth))
  }

  /// Below this share of readings the figures of a sensor do not stand for the time.
  ///
  /// Battelino and others, Diabetes Care 42 (2019) 1593–1603.
  private static let leastActive = 70.0

  /// By how many per cent of the time glucose is truly less in range than a sensor that saw too
  /// little of it says, where the card marks it.
  private static let mostHidden = 5.0

  /// How much of the time the sensor has seen, in per cent.
  private var active: Double {
    let (start, end) = (measurements.start, measurements.end)
    let seen = Double(measurements.seen.points.count) * measurements.cgm.interval.minutes
    return min(100, seen / max(1, (end - start).minutes) * 100)
  }

  /// How much of the time the sensor has seen, and what glucose truly was.
  private var truth: [(name: Markup, value: Markup)] {
    let active = active
    var pairs: [(name: Markup, value: Markup)] = [
      (
        "CGM active",
        active < Self.leastActive
          ? alarm("\(percent(active)) of the time") : "\(percent(active)) of the time"
      )
    ]
    let words = GlucoseWords(glucoseUnit)
    let truth = measurements.trueGlucose
    if let shares = truth.timeInRanges(), let summary = truth.summary {
      let extremes: Markup = """
        \(words.value(summary.minimum)), \(words.value(summary.maximum)) \(words.unitName)
        """
      let told = measurements.isSeen ? measurements.cgm.timeInRanges()?.from70To180 ?? 0 : 0
      let isHidden = active < Self.leastActive && told - shares.from70To180 >= Self.mostHidden
      let inRange: Markup = "\(percent(shares.from70To180))"
      pairs += [
        ("True glucose in range", isHidden ? alarm(inRange) : inRange),
        ("Truly below \(words.value(70))", "\(percent(shares.below70))"),
        ("Truly lowest, highest", summary.minimum < 54 ? alarm(extremes) : extremes),
      ]
    }
    return pairs
  }

  /// A value that the card must not pass over.
  private func alarm(_ value: Markup) -> Markup { "<span class=\"warnt\">! \(value)</span>" }

  private func percent(_ share: Double) -> String { "\(PercentText.number(share, decimals: 0)) %" }
}

extension RunMeasurements {
  /// What the sensor has seen of the run: the reading at its end stands for time that comes after.
  fileprivate var seen: GlucoseSeries { cgm.restricted(from: start, to: end) }

  /// Whether the sensor has seen anything of the run.
  var isSeen: Bool { !seen.isEmpty }

  /// The glucose of which a page tells, with its name: that of the sensor, where it has seen any.
  var shownGlucose: (series: GlucoseSeries, source: String) {
    isSeen ? (cgm, "CGM") : (trueGlucose, "true glucose")
  }
}
