public import Quantities
public import Outcomes
internal import StructuredText
internal import Typesetting

/// What a terminal shows of a glucose series: the shares in the consensus ranges and the main
/// figures.
public struct TerminalGlucose: Sendable {
  /// Whether bars may use block characters; otherwise `#`.
  public var isUnicode: Bool
  /// The columns that a full bar takes.
  public var barWidth: Int

  /// The unit of the figures.
  public var unit: GlucoseUnit

  /// Creates a `TerminalGlucose` from its parts; see the properties.
  public init(
    isUnicode: Bool = true, barWidth: Int = 40, unit: GlucoseUnit = .milligramsPerDecilitre
  ) {
    self.isUnicode = isUnicode
    self.barWidth = max(0, barWidth)
    self.unit = unit
  }

  /// The lines of the time-in-ranges block; one sentence when there is no reading.
  ///
  /// Where a `mark` says that some of the glucose is no physiology, every figure has a star, and
  /// the mark is the last line.
  public func lines(of series: GlucoseSeries, mark: String? = nil) -> [String] {
    lines(of: series, in: GlucoseFigures(series), mark: mark)
  }

  /// The lines of a series whose figures are known.
  func lines(of series: GlucoseSeries, in known: GlucoseFigures, mark: String?) -> [String] {
    guard let ranges = known.shares, let summary = known.summary, let risk = known.risk
    else { return ["  There is no glucose reading to measure."] }
    var table = TerminalTable([.left, .right, .left])
    table.rows = [
      row("above \(limit(250)) \(unit.rawValue)", ranges.above250),
      row("\(limit(181)) to \(limit(250))", ranges.from181To250),
      row("\(limit(70)) to \(limit(180)), target", ranges.from70To180),
      row("\(limit(54)) to \(limit(69))", ranges.from54To69),
      row("below \(limit(54))", ranges.below54),
    ]
    var figures = figures(summary, ranges, risk, series)
    guard let mark else { return table.lines + figures.lines }
    for row in table.rows.indices { table.rows[row][0] += " *" }
    for row in figures.rows.indices {
      figures.rows[row][0] += " *"
      if figures.rows[row][3] != "readings" { figures.rows[row][3] += " *" }
    }
    return table.lines + figures.lines + ["  * \(mark)"]
  }

  /// A bound of the consensus, as the consensus writes it in either unit: to a tenth of a mmol/L,
  /// of which what follows 180 mg/dL is the next after 10.0.
  private func limit(_ mgdL: Int) -> String {
    unit == .millimolesPerLitre && mgdL == 181 ? "10.1" : GlucoseWords(unit).text(Double(mgdL))
  }

  private func figures(
    _ summary: GlucoseSummary, _ ranges: TimeInRanges, _ risk: MainRiskIndices,
    _ series: GlucoseSeries
  ) -> TerminalTable {
    var table = TerminalTable([.left, .right, .left, .left, .right, .left])
    func number(_ value: Double?, _ decimals: Int) -> String {
      value.map { FixedDecimal.text($0, decimals: decimals) } ?? "–"
    }
    let words = GlucoseWords(unit)
    func amount(_ mgdL: Double?) -> String { mgdL.map(words.text) ?? "–" }
    let grid = GlucoseGrid(series)
    func events(_ kind: GlucoseEventKind) -> String {
      grid.flatMap { $0.observedDays > 0 ? "\($0.events(kind).count)" : nil } ?? "–"
    }
    table.rows = [
      [
        "mean", amount(summary.mean), unit.rawValue, "lowest", amount(summary.minimum),
        unit.rawValue,
      ],
      [
        "SD", amount(summary.standardDeviation), unit.rawValue, "highest", amount(summary.maximum),
        unit.rawValue,
      ],
      [
        "CV", number(summary.coefficientOfVariation, 0), "%",
        "tight range \(limit(70))–\(limit(140))",
        Self.percent(ranges.from70To140), "%",
      ],
      [
        "GMI", number(summary.glucoseManagementIndicator, 1), "%",
        "lows below \(limit(70)), 15 min",
        events(.low), "",
      ],
      [
        "LBGI", number(risk.lowBloodGlucoseIndex, 2), "", "lows below \(limit(54)), 15 min",
        events(.veryLow),
        "",
      ],
      ["HBGI", number(risk.highBloodGlucoseIndex, 2), "", "readings", "\(summary.count)", ""],
    ]
    return table
  }

  private func row(_ name: String, _ percent: Double) -> [String] {
    [name, "\(Self.percent(percent)) %", bar(percent)]
  }

  /// A share with one decimal.
  static func percent(_ value: Double) -> String {
    PercentText.number(value, decimals: 1)
  }

  /// A bar in proportion to a percentage; a share that is not zero has at least a sliver.
  private func bar(_ percent: Double) -> String {
    let eighths = Int((min(100, max(0, percent)) / 100 * Double(barWidth * 8)).rounded())
    guard isUnicode else {
      return String(repeating: "#", count: percent > 0 ? max(1, eighths / 8) : 0)
    }
    let slivers: [String] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]
    guard eighths > 0 else { return percent > 0 && barWidth > 0 ? "▏" : "" }
    return String(repeating: "█", count: eighths / 8) + slivers[eighths % 8]
  }
}
