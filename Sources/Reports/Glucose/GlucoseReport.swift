public import Outcomes
internal import Quantities
public import StructuredText

/// All outcomes of one glucose series as a tree with the usual keys, unrounded.
///
/// A figure that the series cannot give is `null`.
public struct GlucoseReport: Sendable {
  private let series: GlucoseSeries

  /// Prepares the report of a series.
  public init(_ series: GlucoseSeries) { self.series = series }

  /// The report; an object whose parts are null when there is no reading.
  public var json: JSONValue { .object(members) }

  /// The parts of the report.
  public var members: [JSONValue.Member] {
    let grid = GlucoseGrid(series)
    return [
      .init("data", data), .init("glucose", glucose), .init("ranges", ranges(.wholeDay)),
      .init("ranges_night_00_06", ranges(.night)), .init("ranges_day_06_24", ranges(.day)),
      .init("risk", risk), .init("variability", grid.map(variability) ?? .null),
      .init("events", grid.map(events) ?? .null), .init("cvga", cvga), .init("agp_hourly", profile),
    ]
  }

  private func object(_ members: [(String, Double?)]) -> JSONValue {
    .object(members.map { JSONValue.Member($0.0, $0.1.map { .number($0) } ?? .null) })
  }

  private var data: JSONValue {
    guard let data = DataSufficiency(series) else { return .null }
    return .object([
      .init("readings", .integer(Int64(data.readings))),
      .init("sampling_minutes", .integer(Int64(data.intervalMinutes))),
      .init("span_days", .number(data.spanDays)),
      .init("expected_readings", .integer(Int64(data.expectedReadings))),
      .init("wear_percent", .number(data.wearPercent)),
      .init("gaps_over_45_min", .integer(Int64(data.gapsOver45Minutes))),
      .init("longest_gap_min", .number(data.longestGapMinutes)),
      .init("calendar_days", .integer(Int64(data.calendarDays))),
      .init("days_with_70_percent", .integer(Int64(data.daysWith70Percent))),
      .init("saturated_readings", .integer(Int64(series.saturated))),
      .init("discarded_readings", .integer(Int64(series.discarded + series.duplicates))),
      .init("notes", .array(data.notes.map { .string($0) })),
    ])
  }

  private var glucose: JSONValue {
    guard let summary = series.summary else { return .null }
    return object([
      ("mean", summary.mean), ("median", summary.median), ("sd", summary.standardDeviation),
      ("cv_percent", summary.coefficientOfVariation), ("min", summary.minimum),
      ("max", summary.maximum), ("p05", summary.p05), ("p25", summary.p25), ("p75", summary.p75),
      ("p95", summary.p95), ("iqr", summary.interquartileRange),
      ("gmi_percent", summary.glucoseManagementIndicator), ("ea1c_percent", summary.estimatedA1c),
      ("ugmi_percent", summary.updatedGlucoseManagementIndicator),
    ])
  }

  private func ranges(_ part: PartOfDay) -> JSONValue {
    guard let ranges = series.timeInRanges(part) else { return .null }
    return object([
      ("n", Double(ranges.count)), ("mean", ranges.mean), ("tir_70_180", ranges.from70To180),
      ("titr_70_140", ranges.from70To140), ("tbr_lt70", ranges.below70),
      ("tbr_lt54", ranges.below54), ("tbr_54_69", ranges.from54To69),
      ("tar_gt180", ranges.above180), ("tar_gt250", ranges.above250),
      ("tar_181_250", ranges.from181To250),
    ])
  }

  private var risk: JSONValue {
    guard let risk = RiskIndices(series) else { return .null }
    return object([
      ("lbgi", risk.lowBloodGlucoseIndex), ("hbgi", risk.highBloodGlucoseIndex),
      ("bgri", risk.bloodGlucoseRiskIndex), ("adrr", risk.averageDailyRiskRange),
      ("gri", risk.glycemiaRiskIndex), ("gri_hypo_component", risk.glycemiaRiskLowComponent),
      ("gri_hyper_component", risk.glycemiaRiskHighComponent), ("grade", risk.grade),
      ("grade_median", risk.gradeMedian), ("grade_hypo_percent", risk.gradeLowPercent),
      ("grade_eu_percent", risk.gradeTargetPercent),
      ("grade_hyper_percent", risk.gradeHighPercent), ("j_index", risk.jIndex),
      ("m_value_90", risk.mValue90), ("m_value_100", risk.mValue100),
      ("hypo_index", risk.lowIndex), ("hyper_index", risk.highIndex),
      ("igc", risk.indexOfGlycemicControl), ("cogi", continuousGlucoseMonitoringIndex(series)),
    ])
  }

  private func variability(_ grid: GlucoseGrid) -> JSONValue {
    let variability = GlucoseVariability(grid)
    let excursions = GlycemicExcursions(grid)
    return object([
      ("modd", variability.meanOfDailyDifferences), ("conga1", variability.conga1),
      ("conga2", variability.conga2), ("conga4", variability.conga4),
      ("conga24", variability.conga24), ("mag_per_hour", variability.meanAbsoluteGlucosePerHour),
      ("gvp_percent", variability.glycemicVariabilityPercentage),
      ("lability_index", variability.labilityIndex),
      ("sd_rate_of_change", variability.deviationOfRate),
      ("sd_within_days", variability.deviationWithinDays),
      ("sd_daily_means", variability.deviationOfDailyMeans),
      ("sd_time_of_day_means", variability.deviationOfTimesOfDay),
      ("sd_between_days", variability.deviationBetweenDays),
      ("mage", excursions?.meanAmplitude), ("mage_up", excursions?.meanRise),
      ("mage_down", excursions?.meanFall), ("mage_excursions", excursions.map { Double($0.count) }),
      ("mage_daily", GlycemicExcursions.daily(grid)), ("auc_mean", variability.meanUnderCurve),
      ("auc_above_180", variability.meanAbove180), ("auc_below_70", variability.meanBelow70),
    ])
  }

  private func events(_ grid: GlucoseGrid) -> JSONValue {
    var members: [JSONValue.Member] = [.init("observed_days", .number(grid.observedDays))]
    // Of readings that stand too far apart nothing is seen, and not no event.
    let isSeen = grid.observedDays > 0
    for kind in GlucoseEventKind.allCases {
      let events = grid.events(kind)
      let summary = GlucoseEventSummary(events, observedDays: grid.observedDays)
      let value: JSONValue = .object([
        .init("count", isSeen ? .integer(Int64(summary.count)) : .null),
        .init("per_day", summary.perDay.map { .number($0) } ?? .null),
        .init("per_week", summary.perWeek.map { .number($0) } ?? .null),
        .init("mean_duration_min", summary.meanDurationMinutes.map { .number($0) } ?? .null),
        .init("open_at_end", isSeen ? .integer(Int64(summary.open)) : .null),
        .init(
          "first",
          .array(
            events.map { .string(series.clock.civilTime(at: $0.start).description) })),
        .init("durations_min", .array(events.map { .number($0.duration.minutes) })),
      ])
      members.append(.init(kind.rawValue, value))
    }
    return .object(members)
  }

  private var cvga: JSONValue {
    guard let point = ControlVariability(series) else { return .null }
    return [
      "p2_5": .number(point.low), "p97_5": .number(point.high), "x": .number(point.x),
      "y": .number(point.y), "zone": .string(point.zone.rawValue),
    ]
  }

  private var profile: JSONValue {
    let hours = DailyProfile(series).hours
    func list(_ values: (DailyProfile.Hour) -> [Double], _ place: Int) -> JSONValue {
      .array(hours.map { values($0).isEmpty ? .null : .number(values($0)[place]) })
    }
    let names = ["p05", "p25", "p50", "p75", "p95"]
    return .object(
      names.enumerated().map { place, name in
        .init(name, ["raw": list(\.raw, place), "smoothed": list(\.smoothed, place)])
      } + [.init("count", .array(hours.map { .integer(Int64($0.count)) }))])
  }
}
