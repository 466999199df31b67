internal import Outcomes
internal import Quantities
internal import Simulation
public import StructuredText

/// A series of glucose in the figures that are told of every run.
struct GlucoseFigures: Sendable {
  let summary: GlucoseSummary?
  let shares: TimeInRanges?
  let risk: MainRiskIndices?

  init(_ series: GlucoseSeries) {
    summary = series.summary
    shares = series.timeInRanges()
    risk = shares.map { MainRiskIndices(series, $0) }
  }
}

extension RunSummary {
  /// Every figure of the run's outcome, each with its unit in its name; `null` where the run cannot
  /// give it.
  ///
  /// The glucose figures are those of the true glucose; under `cgm` are those of the sensor's.
  public var outcomes: JSONValue {
    var members = json(of: trueGlucose, measurements.trueGlucose)
    members.append(.init("cgm", .object(json(of: cgm, measurements.cgm))))
    members += insulinFigures
    return .object(members)
  }

  private func json(of figures: GlucoseFigures, _ series: GlucoseSeries) -> [JSONValue.Member] {
    let (summary, shares, risk) = (figures.summary, figures.shares, figures.risk)
    let grid = GlucoseGrid(series)
    let values: [(String, Double?, Int)] = [
      ("mean_mgdL", summary?.mean, 2), ("median_mgdL", summary?.median, 2),
      ("sd_mgdL", summary?.standardDeviation, 2), ("min_mgdL", summary?.minimum, 2),
      ("max_mgdL", summary?.maximum, 2), ("cv_percent", summary?.coefficientOfVariation, 2),
      ("gmi_percent", summary?.glucoseManagementIndicator, 2),
      ("below_54_percent", shares?.below54, 3), ("below_70_percent", shares?.below70, 3),
      ("from_70_to_140_percent", shares?.from70To140, 3),
      ("from_70_to_180_percent", shares?.from70To180, 3),
      ("above_180_percent", shares?.above180, 3), ("above_250_percent", shares?.above250, 3),
      ("lbgi", risk?.lowBloodGlucoseIndex, 3), ("hbgi", risk?.highBloodGlucoseIndex, 3),
      ("gri", risk?.glycemiaRiskIndex, 2),
      ("lows_below_70", lows(grid, 70), 0), ("lows_below_54", lows(grid, 54), 0),
    ]
    return values.map { .init($0.0, .rounded($0.1, $0.2)) }
  }

  /// How often glucose was below a level for 15 minutes or more; `nil` where nothing is seen of it.
  private func lows(_ grid: GlucoseGrid?, _ level: Double) -> Double? {
    grid.flatMap { grid in
      grid.observedDays > 0 ? Double(grid.events(lasting: 15) { $0 < level }.count) : nil
    }
  }

  private var insulinFigures: [JSONValue.Member] {
    let totals = insulinTotals
    let percent =
      run.hasApp ? measurements.loop.closedLoopPercent(from: run.start, to: run.end) : nil
    let onBoard = measurements.loop.insulinOnBoard.map(\.units)
    let values: [(String, Double?, Int)] = [
      ("total_daily_dose_U", totals.totalDailyDose, 3), ("basal_percent", totals.basalPercent, 2),
      ("net_basal_U", totals.netBasalUnits, 3), ("added_basal_U", totals.addedBasalUnits, 3),
      ("withheld_basal_U", totals.withheldBasalUnits, 3),
      ("closed_loop_percent", percent, 2), ("max_iob_U", onBoard.max(), 3),
      ("suspended_minutes", totals.suspended.minutes, 1),
    ]
    return values.map { .init($0.0, .rounded($0.1, $0.2)) } + [
      .init("user_boluses", .integer(Int64(totals.userBoluses))),
      .init("automatic_boluses", .integer(Int64(totals.automaticBoluses))),
      .init("temp_basals", .integer(Int64(totals.tempBasals))),
      .init("suspensions", .integer(Int64(totals.suspensions))),
    ]
  }
}
