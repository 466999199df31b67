internal import Outcomes
internal import Quantities

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
    let series = measurements.cgm.isEmpty ? measurements.trueGlucose : measurements.cgm
    let source = measurements.cgm.isEmpty ? "true glucose" : "CGM"
    guard let shares = series.timeInRanges() else {
      return PageParts.card(
        id: "k2", heading: "Time in ranges", "<p>No reading of the sensor in this run.</p>")
    }
    return PageParts.card(
      id: "k2", heading: "Time in ranges \(words.unitName), \(source), whole run",
      PageParts.ranges(shares, words))
  }
}
