internal import Quantities
internal import Simulation

/// One figure of a run, as an expectation names it: `tir(70,180)`, `lows(54,15m)@cgm`, `tdd`.
public struct Metric: Hashable, Sendable {
  /// What the figure is measured on.
  public enum Source: String, CaseIterable, Hashable, Sendable {
    /// The patient's true glucose.
    case truth = "true"
    /// What the sensor reported.
    case cgm
  }

  /// The unit of the figure.
  public enum Unit: String, Hashable, Sendable {
    /// Percent.
    case percent = "%"
    /// Glucose in mg/dL.
    case glucose = "mg/dL"
    /// A rate of change of glucose in mg/dL per hour.
    case glucosePerHour = "mg/dL/h"
    /// Units of insulin.
    case units = "U"
    /// Units of insulin per day.
    case unitsPerDay = "U/day"
    /// Grams per day.
    case gramsPerDay = "g/day"
    /// Minutes.
    case minutes = "min"
    /// Hours.
    case hours = "h"
    /// A number of things.
    case count = ""
    /// An index without a unit.
    case index = "index"
  }

  /// The figures that there are.
  public enum Name: String, CaseIterable, Hashable, Sendable {
    /// Shares of readings between two limits, below one and above one.
    case tir, below, above
    /// Location and spread of glucose.
    case mean, median, sd, cv, gmi, percentile, minGlucose, maxGlucose
    /// Indices of risk.
    case lbgi, hbgi, bgri, gri, adrr, grade, jIndex
    /// How much glucose moves.
    case mage, modd, conga, mag, gvp
    /// Events, wear, the time to a level, and the sensor's error.
    case lows, highs, wear, timeTo, mard
    /// Insulin: total, basal and boluses.
    case tdd, basalUnits, basalPercent, bolusUnits, userBolusUnits, automaticBolusUnits
    /// Insulin from elsewhere, basal against the schedule, and how often what was given.
    case externalUnits, netBasalUnits, boluses, tempBasals, suspensions, suspendedMinutes
    /// What became of the insulin that was asked for, by the ledger of the whole run.
    case askedUnits, deliveredUnits, undeliveredUnits, pendingUnits, notAbsorbedUnits
    /// What the loop did, and the time without readings.
    case loopsAttempted, loopsCompleted, loopsFailed, closedLoopPercent, noCGMPercent
    /// Hours outside the range of the patient model, and basal lost to fractions of a pulse.
    case outsideModelHours, basalLostPercent
    /// Carbohydrate against lows: how often, and how much.
    case rescues, rescueGrams
    /// Insulin on board, and Tidepool's scores of safety.
    case maxIOB, meanIOB, dkaHours, dkaScore, lbgiScore, hyperScore
  }

  /// The figure.
  public let name: Name
  /// Its arguments: glucose in mg/dL, durations in minutes, hours and percentages as they are.
  public let arguments: [Double]
  /// What it is measured on; without meaning for insulin and the loop.
  public let source: Source

  /// Whether glucose is told in mmol/L: the value, and arguments as they are written.
  public let isMolar: Bool

  init(name: Name, arguments: [Double], source: Source, isMolar: Bool = false) {
    self.name = name
    self.arguments = arguments
    self.source = source
    self.isMolar = isMolar
  }

  /// What kind of value it is, named by its unit with glucose in mg/dL.
  public var unit: Unit { name.unit }

  /// The unit of the value, such as `mmol/L`; empty for a count.
  public var unitName: String {
    switch unit {
    case .glucose where isMolar: "mmol/L"
    case .glucosePerHour where isMolar: "mmol/L/h"
    default: unit.rawValue
    }
  }

  /// The value for a run in ``unitName``.
  ///
  /// - Parameters:
  ///   - run: The run, or a part of it.
  ///   - totals: The run's ``RunMeasurements/insulinTotals``, where whoever asks for several
  ///     metrics has summed them up already.
  /// - Returns: `nil` where the run cannot give it.
  public func value(of run: RunMeasurements, totals: InsulinTotals? = nil) -> Double? {
    let value = plainValue(of: run, totals)
    switch unit {
    case .glucose where isMolar, .glucosePerHour where isMolar:
      return value.map { $0 / GlucoseConcentration.mgdLPerMmolL }
    default: return value
    }
  }

  private func plainValue(of run: RunMeasurements, _ totals: InsulinTotals?) -> Double? {
    let series = source == .truth ? run.trueGlucose : run.cgm
    return glucoseValue(series) ?? riskValue(series) ?? movementValue(series, run)
      ?? insulinValue(run, totals ?? run.insulinTotals) ?? loopValue(run)
  }

  private func argument(_ index: Int) -> Double {
    index < arguments.count ? arguments[index] : 0
  }

  private func glucoseValue(_ series: GlucoseSeries) -> Double? {
    switch name {
    case .tir: series.percent(from: argument(0), through: argument(1))
    case .below: series.percent(below: argument(0))
    case .above: series.percent(above: argument(0))
    case .mean: Statistics.mean(series.values)
    case .median: Statistics.median(series.values)
    case .sd: Statistics.standardDeviation(series.values)
    case .cv: series.summary?.coefficientOfVariation
    case .gmi: series.summary?.glucoseManagementIndicator
    case .percentile: Statistics.quantile(series.values, argument(0) / 100)
    case .minGlucose: series.values.min()
    case .maxGlucose: series.values.max()
    default: nil
    }
  }

  private func riskValue(_ series: GlucoseSeries) -> Double? {
    switch name {
    case .lbgi: Statistics.mean(series.values.map(GlucoseRisk.low))
    case .hbgi: Statistics.mean(series.values.map(GlucoseRisk.high))
    case .bgri:
      Statistics.mean(series.values.map { GlucoseRisk.low($0) + GlucoseRisk.high($0) })
    case .gri: MainRiskIndices(series)?.glycemiaRiskIndex
    case .adrr: RiskIndices(series)?.averageDailyRiskRange
    case .grade: RiskIndices(series)?.grade
    case .jIndex: RiskIndices(series)?.jIndex
    default: nil
    }
  }

  private func movementValue(_ series: GlucoseSeries, _ run: RunMeasurements) -> Double? {
    switch name {
    case .mage: GlucoseGrid(series).flatMap(GlycemicExcursions.init)?.meanAmplitude
    case .modd: series.variability?.meanOfDailyDifferences
    case .conga: conga(series)
    case .mag: series.variability?.meanAbsoluteGlucosePerHour
    case .gvp: series.variability?.glycemicVariabilityPercentage
    case .lows: episodes(series) { $0 < argument(0) }
    case .highs: episodes(series) { ConsensusLimit.isExceeded(argument(0), by: $0) }
    case .wear: wear(series, run)
    case .timeTo: minutesTo(argument(0), in: series, run)
    case .mard: run.cgm.meanAbsoluteRelativeDifference(to: run.trueGlucose)
    default: nil
    }
  }

  private func insulinValue(
    _ run: RunMeasurements, _ totals: @autoclosure () -> InsulinTotals
  ) -> Double? {
    switch name {
    case .tdd: totals().totalDailyDose
    case .basalUnits: totals().basal.units
    case .basalPercent: totals().basalPercent
    case .bolusUnits: totals().bolus.units
    case .userBolusUnits: totals().userBolus.units
    case .automaticBolusUnits: totals().automaticBolus.units
    case .externalUnits: totals().external.units
    case .netBasalUnits: totals().netBasalUnits
    case .boluses: Double(totals().userBoluses + totals().automaticBoluses)
    case .tempBasals: Double(totals().tempBasals)
    case .suspensions: Double(totals().suspensions)
    case .suspendedMinutes: totals().suspended.minutes
    case .askedUnits: run.account?.asked
    case .deliveredUnits: run.account?.delivered
    case .undeliveredUnits: run.account?.undelivered
    case .pendingUnits: run.account?.pending
    case .notAbsorbedUnits: run.account?.notAbsorbed
    default: nil
    }
  }

  private func loopValue(_ run: RunMeasurements) -> Double? {
    switch name {
    case .loopsAttempted: Double(run.loop.cycles.count)
    case .loopsCompleted: Double(run.loop.completed)
    case .loopsFailed: Double(run.loop.cycles.count - run.loop.completed)
    case .closedLoopPercent: run.loop.closedLoopPercent(from: run.start, to: run.end)
    case .noCGMPercent:
      run.cgm.percentWithoutReading(from: run.start, to: run.end, before: run.readingBefore)
    case .rescues: Double(run.rescues.count)
    case .rescueGrams: run.rescueGramsPerDay
    case .maxIOB: run.loop.insulinOnBoard.map(\.units).max()
    case .meanIOB: Statistics.mean(run.loop.insulinOnBoard.map(\.units))
    case .outsideModelHours: run.timeOutsideModel.hours
    case .basalLostPercent: run.basalLostPercent
    case .dkaHours: run.safetyScores?.ketoacidosisHours
    case .dkaScore: (run.safetyScores?.ketoacidosisScore).map(Double.init)
    case .lbgiScore: (run.safetyScores?.lowBloodGlucoseScore).map(Double.init)
    case .hyperScore: (run.safetyScores?.hyperglycemiaScore).map(Double.init)
    default: nil
    }
  }

  private func episodes(_ series: GlucoseSeries, at level: (Double) -> Bool) -> Double? {
    GlucoseGrid(series).flatMap {
      // Of readings that stand too far apart nothing is seen, and not no event.
      $0.observedDays > 0
        ? Double($0.events(lasting: argument(1), at: level).count) : nil
    }
  }

  /// The share of the readings that a gapless sensor gives in the whole run, in percent: also what
  /// is before the first reading and after the last is missing.
  private func wear(_ series: GlucoseSeries, _ run: RunMeasurements) -> Double? {
    guard run.start < run.end || !series.isEmpty else { return nil }
    return DataSufficiency(series)?.wearPercent(from: run.start, to: run.end) ?? 0
  }

  private func conga(_ series: GlucoseSeries) -> Double? {
    guard let grid = GlucoseGrid(series), let lag = grid.lag(hours: argument(0)) else { return nil }
    return Statistics.standardDeviation(grid.differences(lag: lag))
  }

  /// The minutes from the start of the run until glucose first reaches a level, from either side.
  private func minutesTo(_ level: Double, in series: GlucoseSeries, _ run: RunMeasurements)
    -> Double?
  {
    guard let first = series.points.first else { return nil }
    let hit = series.points.first {
      first.mgdL <= level ? $0.mgdL >= level : $0.mgdL <= level
    }
    return hit.map { ($0.instant - run.start).minutes }
  }
}

extension Metric.Name {
  /// Whether glucose alone gives the figure, so that a series from elsewhere has it too.
  public var needsOnlyGlucose: Bool {
    switch self {
    case .tir, .below, .above, .mean, .median, .sd, .cv, .gmi, .percentile, .minGlucose,
      .maxGlucose, .lbgi, .hbgi, .bgri, .gri, .adrr, .grade, .jIndex, .mage, .modd, .conga, .mag,
      .gvp, .lows, .highs, .wear, .timeTo, .noCGMPercent:
      true
    default: false
    }
  }

  /// Whether the figure is a share of time, a mean or a risk of glucose, which can be told for a
  /// part of each day.
  public var isShareOrMean: Bool {
    switch self {
    case .tir, .below, .above, .mean, .median, .sd, .cv, .gmi, .percentile, .minGlucose,
      .maxGlucose, .lbgi, .hbgi, .bgri, .gri:
      true
    default: false
    }
  }

  /// Whether the figure is a glucose that readings have, and no difference between them.
  public var isLevelOfGlucose: Bool {
    switch self {
    case .mean, .median, .percentile, .minGlucose, .maxGlucose: true
    default: false
    }
  }

  /// Whether the figure is a share of time within limits of glucose.
  public var isShareOfTime: Bool { self == .tir || self == .below || self == .above }

  /// Whether the figure comes from the accounts of the whole run, so that a part of it has none.
  public var isOfWholeRun: Bool {
    switch self {
    case .askedUnits, .deliveredUnits, .undeliveredUnits, .pendingUnits, .notAbsorbedUnits,
      .basalLostPercent:
      true
    default: false
    }
  }

  /// Whether the figure counts events, so that it can be a rate.
  public var isCountOfEvents: Bool {
    switch self {
    case .lows, .highs, .rescues, .boluses, .tempBasals, .suspensions, .loopsAttempted,
      .loopsCompleted, .loopsFailed:
      true
    default: false
    }
  }

  /// What of it needs an app, as the subject of a sentence; `nil` where nothing does.
  public var needOfApp: String? {
    switch self {
    case .loopsAttempted, .loopsCompleted, .loopsFailed, .closedLoopPercent, .maxIOB, .meanIOB:
      "The metric \(rawValue)"
    default: nil
    }
  }

  /// The unit of the figure.
  public var unit: Metric.Unit {
    switch self {
    case .tir, .below, .above, .cv, .gmi, .gvp, .wear, .mard, .basalPercent, .basalLostPercent,
      .closedLoopPercent, .noCGMPercent:
      .percent
    case .mean, .median, .sd, .percentile, .minGlucose, .maxGlucose, .mage, .modd, .conga: .glucose
    case .mag: .glucosePerHour
    case .lbgi, .hbgi, .bgri, .gri, .adrr, .grade, .jIndex: .index
    case .timeTo, .suspendedMinutes: .minutes
    case .outsideModelHours, .dkaHours: .hours
    case .tdd: .unitsPerDay
    case .rescueGrams: .gramsPerDay
    case .basalUnits, .bolusUnits, .userBolusUnits, .automaticBolusUnits, .externalUnits,
      .netBasalUnits, .maxIOB, .meanIOB, .askedUnits, .deliveredUnits, .undeliveredUnits,
      .pendingUnits, .notAbsorbedUnits:
      .units
    case .lows, .highs, .rescues, .boluses, .tempBasals, .suspensions, .loopsAttempted,
      .loopsCompleted,
      .loopsFailed, .dkaScore, .lbgiScore, .hyperScore:
      .count
    }
  }
}
