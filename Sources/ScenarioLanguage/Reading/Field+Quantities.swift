public import Quantities
import StructuredText

extension InsulinSensitivity {
  /// What a scenario may state, in mg/dL per U.
  public static let stated: ClosedRange<Double> = 1...2_000

  /// Outside of it a value in mg/dL per U is more likely in another unit.
  ///
  /// The least correction factor of a published virtual patient is 7.6 (UVA/Padova, the table of
  /// jxx123/simglucose); Loop takes none above 500 (LoopKit, `Guardrail.insulinSensitivity`).
  static let usual: ClosedRange<Double> = 7...500
}

extension GlucoseConcentration {
  /// What a scenario may state, in mg/dL.
  public static let stated: ClosedRange<Double> = 1...2_000

  /// What a reading is in mg/dL, where a wider range may be stated; outside of it one is more
  /// likely in another unit.
  static let usual: ClosedRange<Double> = 20...600
}

extension CarbohydrateRatio {
  /// What a scenario may state, in grams per U.
  package static let stated: ClosedRange<Double> = 0.1...500
}

extension Field {
  /// A glucose concentration in the file's unit; the range is in milligrams per decilitre.
  public func glucose(
    in range: ClosedRange<Double> = GlucoseConcentration.stated
  ) -> GlucoseConcentration? {
    glucoseNumber(in: range, per: "").map { .mgdL($0) }
  }

  /// A difference of glucose in the file's unit; the range is in milligrams per decilitre.
  public func glucoseChange(in range: ClosedRange<Double> = -2_000...2_000) -> GlucoseChange? {
    glucoseNumber(in: range, per: "").map { GlucoseChange(mgdL: $0) }
  }

  /// An insulin sensitivity in the file's unit per U.
  public func sensitivity(
    in range: ClosedRange<Double> = InsulinSensitivity.stated
  ) -> InsulinSensitivity? {
    let number = glucoseNumber(in: range, per: " per U")
    warnOfOtherUnit(usual: InsulinSensitivity.usual, per: " per U", of: [self])
    return number.map { InsulinSensitivity(mgdLPerUnit: $0) }
  }

  /// Warns, once, of readings of which half or more may be stated, and are more likely in the other
  /// unit of glucose.
  ///
  /// - Parameter readings: The places of the readings within this value.
  public func warnOfReadingsInOtherUnit(_ readings: [Field]) {
    warnOfOtherUnit(usual: GlucoseConcentration.usual, per: "", of: readings)
  }

  /// Warns of a limit of glucose that is none in the file's unit, and is one in the other.
  ///
  /// - Parameters:
  ///   - written: The limit in the file's unit.
  ///   - isFloor: Whether glucose is not to fall below it.
  public func warnOfLimitInOtherUnit(_ written: Double, isFloor: Bool = false) {
    let unit = context.glucoseUnit
    guard let likely = unit.meaning(ofImpossibleLimit: written, isFloor: isFloor) else { return }
    warning(
      code: "W-UNIT",
      "The scenario's glucose is in \(unit.rawValue), and \(JSONField.shortText(written)) is no "
        + "limit in it. Did you mean \(JSONField.shortText(likely))?")
  }

  /// Warns of a margin, of which a study says that arms do not differ by as much, that no study has
  /// in the file's unit and that is one in the other.
  ///
  /// Half a mg/dL is less than a meter tells apart, and 4 mmol/L are 72 mg/dL. Less than 0.1 is
  /// none in mmol/L either.
  ///
  /// - Parameters:
  ///   - margin: The margin in the file's unit.
  ///   - kind: What it is, such as a half width.
  ///   - impossible: From how many mmol/L on no study has it.
  public func warnOfMarginInOtherUnit(
    _ margin: Double, called kind: String = "a margin", from impossible: Double = 4
  ) {
    let unit = context.glucoseUnit
    let factor = unit.other.mgdL / unit.mgdL
    let likely: Double
    switch unit {
    case .milligramsPerDecilitre where margin >= 0.1 && margin < 1:
      likely = (margin * factor).rounded()
    case .millimolesPerLitre where margin >= impossible:
      likely = (margin * factor * 10).rounded() / 10
    default: return
    }
    warning(
      code: "W-UNIT",
      "\"\(path)\" is \(JSONField.shortText(margin)) \(unit.rawValue), \(kind) that no study of "
        + "glucose has; \(wordsOfUnit). Did you mean \(JSONField.shortText(likely))?")
  }

  /// Which unit the value is read in, and by which file, where that is not the value's own.
  package var wordsOfUnit: String {
    let unit = context.glucoseUnit.rawValue
    guard let file = context.fileOfUnit, file != position.file else {
      return "the file's glucoseUnit is \(unit)"
    }
    return "the glucoseUnit is \(unit), by \(file)"
  }

  private func warnOfOtherUnit(
    usual: ClosedRange<Double>, per: String, of fields: [Field]
  ) {
    let (unit, other) = (context.glucoseUnit, context.glucoseUnit.other)
    let unlikely = fields.filter { field in
      guard let number = field.node?.double else { return false }
      return !usual.contains(number * unit.mgdL) && usual.contains(number * other.mgdL)
    }
    // A few among many are a sensor's codes, or a fall that somebody really means.
    guard let first = unlikely.first, let number = first.node?.double,
      2 * unlikely.count >= fields.count
    else { return }
    let more = unlikely.count - 1
    let others =
      more > 0
      ? ", as \(more) more of the \(fields.count) values \(WordList.verb("does", of: more))" : ""
    let (low, high) = (usual.lowerBound / unit.mgdL, usual.upperBound / unit.mgdL)
    first.warning(
      code: "W-UNIT",
      "\"\(first.path)\" is \(JSONField.shortText(number)) \(unit.rawValue)\(per), where "
        + "\(JSONField.shortText(Self.bound(low))) to \(JSONField.shortText(Self.bound(high))) are "
        + "usual. It looks like \(other.rawValue)\(per)\(others); \(first.wordsOfUnit).")
  }

  private func glucoseNumber(in range: ClosedRange<Double>, per: String) -> Double? {
    let unit = context.glucoseUnit
    guard let number = node?.double, range.contains(number * unit.mgdL) else {
      let shown = Self.shown(range, in: unit)
      guard let number = node?.double else {
        reportUnusable(
          expected: JSONField.expectation("a number", unit: unit.rawValue + per, range: shown))
        return nil
      }
      let other = unit.other
      let hint =
        range.contains(number * other.mgdL)
        ? " It looks like \(other.rawValue)\(per); \(wordsOfUnit)." : ""
      error(
        """
        "\(path)" must be \
        \(JSONField.expectation("a number", unit: unit.rawValue + per, range: shown)), not \
        \(JSONField.shortText(number)).\(hint)
        """)
      return nil
    }
    return number * unit.mgdL
  }

  /// A range in mg/dL as a sentence has it in a unit: to hundredths, or to the first four decimals
  /// of what is below a tenth, and inside of the true one, so that both ends may be stated.
  private static func shown(
    _ range: ClosedRange<Double>, in unit: GlucoseUnit
  ) -> ClosedRange<Double> {
    func end(_ bound: Double, inward: Double) -> Double {
      let value = bound / unit.mgdL
      let places = value.magnitude < 0.1 ? 10_000.0 : 100
      let nearest = (value * places).rounded()
      let isInside = range.contains(nearest / places * unit.mgdL)
      return (isInside ? nearest : nearest + inward) / places
    }
    let (low, high) = (end(range.lowerBound, inward: 1), end(range.upperBound, inward: -1))
    return low <= high ? low...high : range.lowerBound / unit.mgdL...range.upperBound / unit.mgdL
  }

  /// A bound as a sentence has it: to a tenth, or to the first four decimals where that is nothing.
  private static func bound(_ value: Double) -> Double {
    let tenths = (value * 10).rounded() / 10
    return tenths == 0 ? (value * 10_000).rounded() / 10_000 : tenths
  }

  /// Two glucose concentrations `[low, high]` in the file's unit; the range is in mg/dL.
  public func glucoseRange(
    in range: ClosedRange<Double> = GlucoseConcentration.stated
  ) -> GlucoseRange? {
    guard node?.items?.count == 2 else {
      reportUnusable(expected: "a list of two glucose values, such as [100, 115]")
      return nil
    }
    let (low, high) = (self[0].glucose(in: range), self[1].glucose(in: range))
    guard let low, let high else { return nil }
    guard low <= high else {
      error("\"\(path)\" must begin with its lower value.")
      return nil
    }
    return GlucoseRange(lower: low, upper: high)
  }

  /// An amount of insulin in U, which must be a whole number of milliunits.
  public func units(in range: ClosedRange<Double> = 0...1_000) -> InsulinAmount? {
    milliunits(in: range, unit: "U").map { InsulinAmount(milliunits: $0) }
  }

  /// A rate of insulin in U/h, which must be a whole number of milliunits per hour.
  public func rate(in range: ClosedRange<Double> = 0...100) -> InsulinRate? {
    milliunits(in: range, unit: "U/h").map { InsulinRate(milliunitsPerHour: $0) }
  }

  private func milliunits(in range: ClosedRange<Double>, unit: String) -> Int64? {
    guard let number = number(in: range, unit: unit) else { return nil }
    let scaled = number * 1_000
    let rounded = scaled.rounded()
    guard rounded.magnitude < 1e15, (scaled - rounded).magnitude < 1e-6 else {
      error(
        "\(JSONField.shortText(number)) \(unit) is not a whole number of thousandths. Round it.")
      return nil
    }
    return Int64(rounded)
  }

  /// Values by time of day: `[['00:00', …], ['06:00', …]]`, from midnight on and ascending.
  ///
  /// `read` reads one value; at most 48 entries are taken.
  public func schedule<Value>(_ read: (Field) -> Value?) -> DailySchedule<Value>? {
    let form = "a list of times and values, such as [['00:00', 0.8], ['06:00', 0.95]]"
    guard let items = node?.items, !items.isEmpty, items.count <= 48 else {
      reportUnusable(expected: "\(form), with 1 to 48 entries")
      return nil
    }
    var entries: [DailySchedule<Value?>.Entry] = []
    for index in items.indices {
      let entry = self[index]
      guard entry.node?.items?.count == 2 else {
        entry.reportUnusable(expected: "a list of a time and a value, such as ['06:00', 0.95]")
        continue
      }
      let time = entry[0].timeOfDay()
      let value = read(entry[1])
      if let time { entries.append(.init(start: time, value: value)) }
    }
    guard entries.count == items.count else { return nil }
    do throws(DailySchedule<Value?>.Fault) {
      // Times in a wrong order are told beside values that cannot be used.
      let schedule = try DailySchedule(entries)
      let values = schedule.entries.compactMap { $0.value }
      guard values.count == items.count, let first = values.first else { return nil }
      return schedule.mapValues { $0 ?? first }
    } catch {
      report(error, items: items.count)
      return nil
    }
  }

  private func report<Value>(_ fault: DailySchedule<Value>.Fault, items: Int) {
    switch fault {
    case .empty: error("The schedule is empty; it needs an entry at '00:00'.")
    case .doesNotStartAtMidnight(let time):
      self[0].error(
        "A schedule starts at '00:00', not at '\(time.hoursAndMinutes)'. Add an entry for midnight."
      )
    case .notAscending(let index):
      self[index].error("The times of a schedule ascend; this one is not after the one before it.")
    }
  }
}
