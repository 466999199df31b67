public import Outcomes
internal import Quantities
internal import Scenarios
public import Simulation
internal import StructuredText

/// One run of a batch in figures: what a table over runs holds, without the run itself.
public struct BatchRow: Hashable, Sendable {
  /// A figure of a run, with the name of its column.
  public enum Figure: String, Hashable, Sendable, CaseIterable {
    case mean = "mean_mgdL"
    case deviation = "sd_mgdL"
    case variation = "cv_percent"
    case lowest = "min_mgdL"
    case highest = "max_mgdL"
    case below54 = "below_54_percent"
    case below70 = "below_70_percent"
    case inRange = "from_70_to_180_percent"
    case tight = "from_70_to_140_percent"
    case above180 = "above_180_percent"
    case above250 = "above_250_percent"
    case indicator = "gmi_percent"
    case lowRisk = "lbgi"
    case highRisk = "hbgi"
    case risk = "gri"
    case dailyDose = "total_daily_dose_U"
    case basal = "basal_U"
    case bolus = "bolus_U"
    case external = "external_U"
    case closedLoop = "closed_loop_percent"
  }

  public var id: String
  public var coordinates: RunCoordinates
  public var title: String
  public var start: String
  public var end: String
  public var seed: UInt64
  public var digest: String
  /// Whether an expectation failed or a law was broken.
  public var hasFailed: Bool
  public var passed: Int
  public var expectations: Int
  /// Whether no record is wrong, and how many differences there are.
  public var agrees: Bool
  public var differences: Int
  public var cyclesDue: Int
  public var cyclesCompleted: Int
  public var isLethal: Bool
  /// What went wrong, the worst first.
  public var troubles: [RunTrouble]
  public var shares: TimeInRanges?
  /// The figures, in the order of ``Figure``; `nil` where the run cannot give one.
  public var figures: [Double?]
  /// How the days of the run go: true glucose, and the pump's insulin, by hour.
  public var pattern: DailyPattern
  /// The place in the control-variability grid.
  public var variability: ControlVariability?

  /// The figure of a run.
  public func value(_ figure: Figure) -> Double? {
    Figure.allCases.firstIndex(of: figure).flatMap { figures[$0] }
  }

  /// Takes the figures of a run that is over; `nil` for one without coordinates.
  public init?(_ report: RunReport, hasFailed: Bool) {
    let (summary, run) = (report.summary, report.summary.run)
    guard let coordinates = summary.coordinates else { return nil }
    id = run.id
    self.coordinates = coordinates
    title = summary.title
    start = run.clock.iso8601(run.start)
    end = run.clock.iso8601(run.end)
    seed = run.seed
    digest = summary.digest
    self.hasFailed = hasFailed
    passed = summary.expectations.count { $0.outcome == .passed }
    expectations = summary.expectations.count
    agrees = run.agreement.answer != .no
    differences = run.agreement.differences.count
    cyclesDue = run.cycles.due
    cyclesCompleted = run.cycles.completed
    isLethal = run.lethalEnd != nil
    troubles = summary.troubles
    let measured = summary.measurements
    let series = measured.trueGlucose
    shares = series.timeInRanges()
    let risk = RiskIndices(series)
    let statistics = series.summary
    let totals = measured.insulinTotals
    let ranges = shares
    figures = Figure.allCases.map { figure in
      switch figure {
      case .mean: statistics?.mean
      case .deviation: statistics?.standardDeviation
      case .variation: statistics?.coefficientOfVariation
      case .lowest: statistics?.minimum
      case .highest: statistics?.maximum
      case .below54: ranges?.below54
      case .below70: ranges?.below70
      case .inRange: ranges?.from70To180
      case .tight: ranges?.from70To140
      case .above180: ranges?.above180
      case .above250: ranges?.above250
      case .indicator: statistics?.glucoseManagementIndicator
      case .lowRisk: risk?.lowBloodGlucoseIndex
      case .highRisk: risk?.highBloodGlucoseIndex
      case .risk: risk?.glycemiaRiskIndex
      case .dailyDose: totals.totalDailyDose
      case .basal: totals.basal.units
      case .bolus: totals.bolus.units
      case .external: totals.external.units
      case .closedLoop: measured.loop.closedLoopPercent(from: run.start, to: run.end)
      }
    }
    pattern = DailyPattern(measured, series)
    variability = ControlVariability(series)
  }
}
