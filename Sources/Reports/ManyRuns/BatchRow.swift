internal import Expectations
public import Outcomes
internal import Quantities
public import Simulation
internal import StructuredText

/// One run of a batch in figures: what a table over runs holds, without the run itself.
public struct BatchRow: Hashable, Sendable {
  /// A figure of a run, with the name of its column.
  public enum Figure: String, Hashable, Sendable, CaseIterable {
    /// The mean glucose, mg/dL.
    case mean = "mean_mgdL"
    /// The standard deviation of glucose, mg/dL.
    case deviation = "sd_mgdL"
    /// The coefficient of variation, in percent.
    case variation = "cv_percent"
    /// The lowest glucose, mg/dL.
    case lowest = "min_mgdL"
    /// The highest glucose, mg/dL.
    case highest = "max_mgdL"
    /// The time below 54 mg/dL, in percent.
    case below54 = "below_54_percent"
    /// The time below 70 mg/dL, in percent.
    case below70 = "below_70_percent"
    /// The time from 70 to 180 mg/dL, in percent.
    case inRange = "from_70_to_180_percent"
    /// The time from 70 to 140 mg/dL, in percent.
    case tight = "from_70_to_140_percent"
    /// The time above 180 mg/dL, in percent.
    case above180 = "above_180_percent"
    /// The time above 250 mg/dL, in percent.
    case above250 = "above_250_percent"
    /// The glucose management indicator, in percent.
    case indicator = "gmi_percent"
    /// The low blood glucose index.
    case lowRisk = "lbgi"
    /// The high blood glucose index.
    case highRisk = "hbgi"
    /// The glycaemia risk index.
    case risk = "gri"
    /// Insulin per day, in U.
    case dailyDose = "total_daily_dose_U"
    /// Basal insulin, in U.
    case basal = "basal_U"
    /// Bolus insulin, in U.
    case bolus = "bolus_U"
    /// Insulin that no pump gave, in U.
    case external = "external_U"
    /// The time in closed loop, in percent.
    case closedLoop = "closed_loop_percent"

    /// What the figure is, for the guide to the files.
    var meaning: String {
      switch self {
      case .mean: "mean true glucose"
      case .deviation: "standard deviation of true glucose"
      case .variation: "its coefficient of variation"
      case .lowest: "the lowest true glucose"
      case .highest: "the highest true glucose"
      case .below54: "true glucose below 54 mg/dL, of the time"
      case .below70: "true glucose below 70 mg/dL"
      case .inRange: "true glucose from 70 to 180 mg/dL"
      case .tight: "true glucose from 70 to 140 mg/dL"
      case .above180: "true glucose above 180 mg/dL"
      case .above250: "true glucose above 250 mg/dL"
      case .indicator: "glucose management indicator of true glucose"
      case .lowRisk: "low blood glucose index of true glucose"
      case .highRisk: "high blood glucose index of true glucose"
      case .risk: "glycaemia risk index of true glucose"
      case .dailyDose: "what the pump gave a day, basal and boluses; without pens"
      case .basal: "basal of the pump, in the whole run"
      case .bolus: "boluses of the pump, automatic ones too"
      case .external: "what no pump gave: pens, inhaled insulin"
      case .closedLoop: "time with automatic dosing on and a completed cycle at most 16 minutes old"
      }
    }
  }

  /// The run's name.
  public var id: String
  /// Where the run lies among the runs of its file.
  public var coordinates: RunCoordinates
  /// The title of the scenario.
  public var title: String
  /// The start of the part that counts, in local time.
  public var start: String
  /// The end of the part that counts, in local time.
  public var end: String
  /// The seed of the run.
  public var seed: UInt64
  /// The digest of the result.
  public var digest: String
  /// Whether an expectation failed or a law was broken.
  public var hasFailed: Bool
  /// How many expectations passed.
  public var passed: Int
  /// How many expectations do not hold and only warn of it.
  public var warned: Int
  /// How many expectations there were.
  public var expectations: Int
  /// Whether the records agree; explained differences are no wrong records.
  public var answer: RecordAgreement.Answer
  /// Whether there was an app; without one no records are held against each other.
  public var hasApp: Bool
  /// How many differences there are between the records.
  public var differences: Int
  /// How many cycles were due.
  public var cyclesDue: Int
  /// How many cycles came to a decision.
  public var cyclesCompleted: Int
  /// Whether the body died.
  public var isLethal: Bool
  /// What went wrong, the worst first.
  public var troubles: [RunTrouble]
  /// The first expectations that fail the run, a sentence each.
  public var failures: [String]
  /// The shares of time in the ranges; `nil` without glucose.
  public var shares: TimeInRanges?
  /// The figures, in the order of ``Figure``; `nil` where the run cannot give one.
  public var figures: [Double?]
  /// How the days of the run go: true glucose, and the pump's insulin, by hour.
  public var pattern: DailyPattern
  /// The place in the control-variability grid.
  public var variability: ControlVariability?

  /// Whether a record is wrong, or lacks insulin for no reason that is known.
  public var hasWrongRecord: Bool { answer == .no }
  /// Whether records differ, and every difference has a cause that was found in the run.
  public var isExplained: Bool { hasApp && answer == .explained }

  /// How many failed expectations a row remembers: there may be many rows.
  ///
  /// Those beyond are in no count of what many runs say alike.
  private static let mostFailures = 64

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
    passed = summary.held
    warned = summary.warningLines.count
    expectations = summary.expectations.count
    answer = run.agreement.answer
    hasApp = run.hasApp
    differences = run.agreement.differences.count
    cyclesDue = run.cycles.due
    cyclesCompleted = run.cycles.completed
    isLethal = run.lethalEnd != nil
    troubles = summary.troubles
    failures = Array(summary.failureLines.prefix(Self.mostFailures))
    let measured = summary.measurements
    let series = measured.trueGlucose
    let found = summary.trueGlucose
    shares = found.shares
    let (risk, statistics) = (found.risk, found.summary)
    let totals = summary.insulinTotals
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
      case .closedLoop:
        run.hasApp ? measured.loop.closedLoopPercent(from: run.start, to: run.end) : nil
      }
    }
    pattern = DailyPattern(measured, series)
    variability = ControlVariability(series)
  }
}
