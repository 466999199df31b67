public import Quantities
public import StructuredText

/// A backtest as text and as tables.
public enum BacktestText {
  /// The time zone by whose clock the schedules of a backtest run.
  public struct Zone: Sendable {
    /// Its name.
    public var name: String
    /// What says so: `arguments`, `samples`, `record`, `therapy`, or `assumed`.
    public var origin: String
    /// What is said of it; `nil` where nothing need be.
    public var remark: String?

    /// Creates a `Zone` from its parts; see the properties.
    public init(_ name: String, from origin: String, remark: String?) {
      self.name = name
      self.origin = origin
      self.remark = remark
    }
  }

  /// The errors of one or more therapies, held beside one another, remarks on all of them, and what
  /// is to be known of how the files were read; glucose in a unit.
  public static func lines(
    _ backtests: [Backtest], in unit: GlucoseUnit = .milligramsPerDecilitre,
    remarks: [String] = [], reading: [String] = []
  ) -> [String] {
    var lines: [String] = []
    for backtest in backtests {
      let failed = backtest.rows.count { $0.error != nil }
      lines.append(
        "\(backtest.name): \(WordList.counted(backtest.rows.count, "cycle"))"
          + (failed > 0 ? ", \(failed) without a prediction" : ""))
      lines += errors(backtest, unit).lines
      if let figures = backtest.figures { lines += self.lines(figures) }
      lines += self.lines(backtest.counterfactual, unit)
    }
    lines += (backtests.first.map(lacking) ?? []) + remarks
    if !reading.isEmpty { lines += ["Reading the files:"] + reading.map { "  \($0)" } }
    lines += [
      "Errors are those of the prediction under what the record says was given. What another",
      "dose would have done is not known; the linear estimate leaves out what people would have",
      "done otherwise. Not a medical device; no figure here is an advice.",
    ]
    return lines
  }

  /// What is to be said of a record that holds doses or food twice; `nil` where it does not.
  public static func twice(_ copies: [AuditFinding]) -> String? {
    func sum(_ quantity: AuditFinding.Quantity) -> Double {
      copies.filter { $0.quantity == quantity }.reduce(0) { $0 + $1.amount }
    }
    let (units, grams) = (sum(.insulin), sum(.carbohydrates))
    var parts: [String] = []
    if units > 5e-4 { parts.append("\(AuditText.units(units)) of insulin") }
    if grams > 5e-4 { parts.append("\(AuditText.number(grams)) g of carbohydrates") }
    guard !parts.isEmpty else { return nil }
    return "The record holds \(parts.joined(separator: " and ")) twice, and every cycle counts "
      + "them twice; 'loopsim audit' names them."
  }

  /// What is to be said of a record that lacks insulin or food, or holds insulin that does not
  /// count, so that predictions rest on less than what was really given; the same for every
  /// therapy.
  ///
  /// That the first cycles of a record have nothing before them is no matter, so that a tenth of
  /// the cycles is the least that is told.
  public static func lacking(_ backtest: Backtest) -> [String] {
    let count = backtest.rows.count
    func told(_ number: Int, _ insulin: String, _ assumed: String) -> String? {
      guard number > 0, 10 * number >= count else { return nil }
      let which =
        number == count
        ? "The record holds no \(insulin) of the six hours before any cycle: each is"
        : "For \(number) of \(WordList.counted(count, "cycle")) the record holds no \(insulin) of "
          + "the six hours before: they are"
      return "\(which) reckoned as if the therapy's scheduled basal\(assumed) had been given."
    }
    let (basal, unlabelled) = (backtest.unreadBasal, backtest.unlabelledInsulin)
    let countsAll = basal.samples + unlabelled.samples == 0
    let nothing = told(
      backtest.rows.count { $0.known == .nothing }, countsAll ? "insulin" : "insulin that counts",
      ", and nothing else,")
    let boluses = told(
      backtest.rows.count { $0.known == .bolusesAlone },
      basal.samples == 0 ? "basal" : "basal that counts", "")
    let food =
      backtest.hasFood
      ? nil : "The record holds no carbohydrates: what food did is an error of the predictions."
    return [
      unread(basal, "basal", "of no app built on LoopKit, whose basal alone an app reads"),
      unread(unlabelled, "insulin", "not said to be basal or boluses"),
      nothing, boluses, food, byHand(backtest.readingsByHand), twice(backtest.readingsTwice),
      between(backtest.readingsBetween), readings(backtest.glucoseSources),
    ].compactMap(\.self)
  }

  /// Which insulin of the record no cycle reckons with; `nil` where there is none.
  private static func unread(
    _ insulin: Backtest.UnreadInsulin, _ kind: String, _ reason: String
  ) -> String? {
    guard insulin.samples > 0 else { return nil }
    return "\(WordList.counted(insulin.samples, "sample")) of \(kind), "
      + "\(AuditText.units(insulin.units)), \(WordList.verb("is", of: insulin.samples)) "
      + "\(reason): no cycle reckons with \(insulin.samples == 1 ? "it" : "them")."
  }

  /// How many readings are not used as a person entered them; `nil` for none.
  private static func byHand(_ count: Int) -> String? {
    guard count > 0 else { return nil }
    return "\(WordList.counted(count, "reading")) that a person entered, as those of a meter, "
      + "\(WordList.verb("is", of: count)) not used: no cycle goes by "
      + "\(count == 1 ? "it" : "them")."
  }

  /// How many readings are used once although they stand twice; `nil` for none.
  private static func twice(_ count: Int) -> String? {
    guard count > 0 else { return nil }
    return
      "\(WordList.counted(count, "reading", "stands")) twice in one source, with the same time "
      + "and value: \(count == 1 ? "it is" : "they are") used once."
  }

  /// How many readings start no cycle; `nil` for none.
  private static func between(_ count: Int) -> String? {
    guard count > 0 else { return nil }
    return
      "\(WordList.counted(count, "reading", "lies")) within 4.2 minutes of a cycle that another "
      + "starts, and \(WordList.verb("starts", of: count)) none, as in the app: later cycles go by "
      + "\(count == 1 ? "it" : "them")."
  }

  /// Which readings are used where several sources have some.
  private static func readings(_ sources: [Backtest.GlucoseSource]) -> String? {
    guard sources.count > 1 else { return nil }
    let parts = sources.map { source in
      source.unused == 0
        ? "\(source.used) of \(source.name)"
        : "\(source.used) of \(source.used + source.unused) of \(source.name)"
    }
    return "The record has readings of \(sources.count) sources; used are "
      + "\(parts.joined(separator: ", ")): another's where the one with most of them has none."
  }

  /// Glucose, or a difference of it, one decimal finer in mmol/L than in mg/dL.
  private static func text(_ mgdL: Double, _ unit: GlucoseUnit) -> String {
    FixedDecimal.text(mgdL / unit.mgdL, decimals: unit == .millimolesPerLitre ? 2 : 1)
  }

  private static func errors(_ backtest: Backtest, _ unit: GlucoseUnit) -> TerminalTable {
    var table = TerminalTable(
      header: ["prediction minus reading, \(unit.rawValue)", "ahead", "n", "bias", "RMSE", "MAE"],
      [.left, .right, .right, .right, .right, .right])
    for group in backtest.errors {
      for horizon in group.horizons where horizon.count > 0 {
        table.rows.append(
          [
            "\(group.group) (\(WordList.counted(group.cycles, "cycle")))",
            "\(Int(horizon.ahead.minutes)) min",
            "\(horizon.count)",
          ]
            + [horizon.bias, horizon.rootMeanSquare, horizon.meanAbsolute].map {
              text($0, unit)
            })
      }
    }
    return table
  }

  private static func lines(_ comparison: FiguresComparison) -> [String] {
    var table = TerminalTable(
      header: ["the loop's own figures", "cycles", "alike", "largest difference"],
      [.left, .right, .right, .right])
    for figure in comparison.figures where figure.count > 0 {
      let share = 100 * Double(figure.equal) / Double(figure.count)
      table.rows.append([
        "\(figure.name), within \(AuditText.number(figure.tolerance)) \(figure.unit)",
        "\(figure.count)", "\(FixedDecimal.text(share, decimals: 1)) %",
        "\(FixedDecimal.text(figure.largest, decimals: 2)) \(figure.unit)",
      ])
    }
    var lines = table.lines
    for cause in comparison.causes {
      lines.append("    differ in \(cause.cycles): \(cause.cause.rawValue)")
    }
    if comparison.unmatched > 0 {
      lines.append("    without a reading of the record: \(comparison.unmatched)")
    }
    return lines
  }

  private static func lines(_ estimate: Counterfactual, _ unit: GlucoseUnit) -> [String] {
    guard !estimate.rows.isEmpty else { return [] }
    func amount(_ amount: (Counterfactual.Row) -> Double) -> String {
      FixedDecimal.text(estimate.rows.reduce(0) { $0 + amount($1) }, decimals: 2)
    }
    func row(_ name: String, _ glucose: Counterfactual.Glucose) -> [String] {
      [name, text(glucose.mean, unit)]
        + [glucose.below70, glucose.inRange, glucose.above180].map {
          "\(FixedDecimal.text(100 * $0, decimals: 1)) %"
        }
    }
    let isAllTold = estimate.rows.reduce(0) { $0 + $1.assumed } < 0.005
    let given =
      "\(amount(\.given)) U were given"
      + (isAllTold ? "" : ", \(amount(\.assumed)) U of them scheduled basal that is not recorded")
    let isMolar = unit == .millimolesPerLitre
    // The bounds in mmol/L are those of the consensus; counted is by those in mg/dL.
    let ranges =
      isMolar
      ? ["below 3.9", "3.9-10.0", "above 10.0"] : ["below 70", "70-180", "above 180"]
    var table = TerminalTable(
      header: [unit.rawValue, "mean"] + ranges,
      [.left, .right, .right, .right, .right])
    table.indent = 4
    table.rows = [row("observed", estimate.observed), row("estimated", estimate.estimated)]
    return [
      "  linear estimate of glucose under this therapy: "
        + "\(FixedDecimal.text(100 * estimate.share, decimals: 1)) % of the cycles, in "
        + "\(WordList.counted(estimate.stretches, "stretch")) of at most 6 h",
      "    ended by a difference above \(isMolar ? "3.3" : "60") \(unit.rawValue): "
        + "\(estimate.endedByDifference), by a pause of "
        + "readings: \(estimate.endedByPause)",
      "    by the loop \(given), and would have been "
        + "\(amount(\.alternative)) U",
    ] + table.lines
  }

  /// The linear estimate as a table.
  public static func estimateTable(_ backtest: Backtest) -> [UInt8] {
    var writer = CSVWriter(header: estimateColumns.map(\.name))
    for row in backtest.counterfactual.rows {
      writer.field(row.instant.description)
      writer.field(row.observed, decimals: 1)
      writer.field(row.estimated, decimals: 2)
      writer.field(row.given, decimals: 4)
      writer.field(row.alternative, decimals: 4)
    }
    return writer.bytes
  }

  /// The cycles as a table.
  public static func table(_ backtest: Backtest) -> [UInt8] {
    var writer = CSVWriter(header: columns.map(\.name))
    for row in backtest.rows {
      writer.field(row.instant.description)
      writer.field(row.glucose, decimals: 1)
      writer.field(row.insulinOnBoard, decimals: 4)
      writer.field(row.carbsOnBoard, decimals: 2)
      for value in row.predicted { writer.field(value, decimals: 2) }
      for value in row.observed { writer.field(value, decimals: 1) }
      writer.field(row.tempBasal, decimals: 3)
      writer.field(row.bolus, decimals: 3)
      writer.field(row.delivered, decimals: 4)
      writer.field(row.error ?? "")
    }
    return writer.bytes
  }

  /// The errors as JSON.
  ///
  /// - Parameters:
  ///   - backtests: The therapies.
  ///   - zone: By which clock their schedules run.
  ///   - twice: What the record holds twice, as ``twice(_:)`` says it.
  ///   - reading: What is to be known of how the files were read, such as what was left out.
  /// - Returns: The object.
  public static func json(
    _ backtests: [Backtest], _ zone: Zone, twice: String? = nil, reading: [String] = []
  ) -> JSONValue {
    [
      "format": "loopsim-backtest/1", "time_zone": .string(zone.name),
      "time_zone_from": .string(zone.origin),
      "note": zone.remark.map { .string($0) } ?? .null,
      "counted_twice": twice.map { .string($0) } ?? .null,
      "reading": .array(reading.map { .string($0) }),
      "lacking": .array((backtests.first.map(lacking) ?? []).map { .string($0) }),
      "therapies": .array(
        backtests.map { backtest in
          [
            "name": .string(backtest.name), "cycles": .integer(Int64(backtest.rows.count)),
            "errors": .array(backtest.errors.map(json)),
            "linear_estimate": json(backtest.counterfactual),
            "own_figures": backtest.figures.map(json) ?? .null,
          ]
        }),
    ]
  }

  private static func json(_ estimate: Counterfactual) -> JSONValue {
    func glucose(_ glucose: Counterfactual.Glucose) -> JSONValue {
      // Of no cycle there is nothing to tell, and not a glucose of 0.
      guard !estimate.rows.isEmpty else { return .null }
      return [
        "mean_mgdL": .number(glucose.mean), "below_70": .number(glucose.below70),
        "in_range": .number(glucose.inRange), "above_180": .number(glucose.above180),
      ]
    }
    return [
      "cycles": .integer(Int64(estimate.rows.count)), "share": .number(estimate.share),
      "stretches": .integer(Int64(estimate.stretches)),
      "ended_by_difference": .integer(Int64(estimate.endedByDifference)),
      "ended_by_pause": .integer(Int64(estimate.endedByPause)),
      "given_U": .number(estimate.rows.reduce(0) { $0 + $1.given }),
      "assumed_U": .number(estimate.rows.reduce(0) { $0 + $1.assumed }),
      "alternative_U": .number(estimate.rows.reduce(0) { $0 + $1.alternative }),
      "observed": glucose(estimate.observed), "estimated": glucose(estimate.estimated),
    ]
  }

  private static func json(_ comparison: FiguresComparison) -> JSONValue {
    [
      "figures": .array(
        comparison.figures.map { figure in
          [
            "name": .string(figure.name), "unit": .string(figure.unit),
            "tolerance": .number(figure.tolerance), "cycles": .integer(Int64(figure.count)),
            "alike": .integer(Int64(figure.equal)),
            "largest_difference": figure.count > 0 ? .number(figure.largest) : .null,
          ]
        }),
      "causes": .array(
        comparison.causes.map {
          ["cause": .string($0.cause.rawValue), "cycles": .integer(Int64($0.cycles))]
        }),
      "unmatched": .integer(Int64(comparison.unmatched)),
    ]
  }

  private static func json(_ errors: PredictionErrors) -> JSONValue {
    [
      "group": .string(errors.group), "cycles": .integer(Int64(errors.cycles)),
      "horizons": .array(
        errors.horizons.map { horizon in
          // Without a reading ahead there is no error, and not one of 0.
          func error(_ mgdL: Double) -> JSONValue { horizon.count > 0 ? .number(mgdL) : .null }
          return [
            "minutes": .integer(Int64(horizon.ahead.minutes)),
            "count": .integer(Int64(horizon.count)), "bias_mgdL": error(horizon.bias),
            "rmse_mgdL": error(horizon.rootMeanSquare), "mae_mgdL": error(horizon.meanAbsolute),
          ]
        }),
    ]
  }
}
