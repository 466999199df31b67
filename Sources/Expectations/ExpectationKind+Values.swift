internal import Outcomes
internal import Quantities
internal import ScenarioLanguage
internal import StructuredText

/// The keys of the bounds of a number.
struct BoundKeys: Sendable {
  let minimum: Key<Double?>
  let maximum: Key<Double?>

  init(_ keys: inout Keys) {
    minimum = keys.optional("min", .anyNumber, else: "none", "The least that passes.")
    maximum = keys.optional("max", .anyNumber, else: "none", "The most that passes.")
  }

  /// The bounds of an object that has nothing else.
  static let form = Form<Expectation.Bounds>.object { keys in
    let bounds = Self(&keys)
    return { field in
      let limits = Expectation.Bounds(
        minimum: field[bounds.minimum], maximum: field[bounds.maximum])
      if limits.minimum != nil || limits.maximum != nil { return limits }
      field.error("The bounds are empty. Add min or max.")
      return nil
    }
  }
}

/// Expectations of figures and series of one run.
extension ExpectationKind {
  /// How far off still passes, as several kinds have it.
  static func tolerance(_ keys: inout Keys) -> Key<Field?> {
    keys.optional(
      "tolerance", .unread(.either([.positive, .map(.either([.positive, .anySpan]))])),
      else: "1e-9", "How far off still passes; a number, or one for each column.")
  }

  static let metric = Self { kind, beside in
    let metric = kind.required(
      "metric", .text, "A metric of the run, such as `'tir(70,180)'`, `'lbgi@cgm'` or `'tdd'`.")
    let limits = BoundKeys(&beside)
    let equals = beside.optional(
      "equals", .anyNumber, else: "none", "The value, within `tolerance`.")
    let tolerance = tolerance(&beside)
    let unit = beside.optional(
      "unit", .text, else: "the metric's", "The unit the author has in mind; checked.")
    return { item, reader throws(UnusableKey) in
      let text = try item[metric]
      guard let metric = item[metric.name].metric(text) else { return nil }
      if let unit = item[unit], unit != metric.unitName {
        item["unit"].error(
          "The metric \(text) is in \(metric.unitName), not in \(unit). Correct the unit.")
      }
      let bounds = Expectation.Bounds(
        minimum: item[limits.minimum], maximum: item[limits.maximum], equals: item[equals],
        tolerance: item[tolerance]?.number(in: 0...1e12) ?? 1e-9)
      guard bounds.minimum != nil || bounds.maximum != nil || bounds.equals != nil else {
        item.reportNoBound(of: [limits.minimum.name, limits.maximum.name, equals.name])
        return nil
      }
      if bounds.equals == nil, item[tolerance] != nil {
        item[tolerance.name].error("\"tolerance\" goes with \"equals\"; min and max are exact.")
      }
      if metric.name.isLevelOfGlucose {
        item[limits.minimum.name].warnOfLimits(floor: bounds.minimum, ceiling: nil)
        item[limits.maximum.name].warnOfLimits(floor: nil, ceiling: bounds.maximum)
      }
      // Half of the time or more in range, and no more than that: a share where percent is meant.
      // Of other metrics, or beside a maximum, a bound of one percent may well be meant.
      if metric.name == .tir, bounds.maximum == nil, let least = bounds.minimum, least >= 0.5,
        least <= 1
      {
        item[limits.minimum.name].warning(
          code: "W-PERCENT",
          "The metric \(text) is in percent, so that \(JSONField.shortText(least)) is next to "
            + "nothing. Did you mean \(JSONField.shortText(least * 100))?")
      }
      return .metric(metric, bounds)
    }
  }

  static let series = Self { kind, beside in
    let series = kind.required(
      "series", .text,
      "A series of `output.series`, or an expression of series and numbers with `+`, `-`, "
        + "`abs(…)`, `rate(…)` (the change in a minute) and `delay(…, 5m)` (the value so long "
        + "before): `'glucose.true'`, `'abs(iob.app - iob.true)'`, `'rate(glucose.cgm)'`.")
    func limits(below: String, above: String) -> Form<(below: Double?, above: Double?)> {
      .object {
        let (lower, upper) = (
          $0.optional("below", .anyNumber, below), $0.optional("above", .anyNumber, above)
        )
        return { ($0[lower], $0[upper]) }
      }
    }
    let never = beside.optional(
      "never",
      limits(
        below: "The lower limit: no value is below it.",
        above: "The upper limit: no value is above it."), "Values that must not occur.")
    let always = beside.optional(
      "always",
      limits(
        below: "The upper limit: every value is below it, or equal.",
        above: "The lower limit: every value is above it, or equal."),
      "What every value must fulfil.")
    let within = beside.optional("within", bounds, "The bounds of every value.")
    let length = beside.key(
      "forAtLeast", .anySpan, default: "'0s'",
      "How long a breach must last to count; 45 minutes without a value end it.")
    return { item, reader throws(UnusableKey) in
      guard let expression = item[series.name].series(try item[series]) else { return nil }
      let (forbidden, demanded, bounds) = (item[never], item[always], item[within])
      if item[within.name].exists, bounds == nil { return nil }
      for (name, limits) in [(never.name, forbidden), (always.name, demanded)] {
        guard let limits, limits.below == nil, limits.above == nil else { continue }
        item[name].error("\"\(name)\" is empty. Add below or above.")
        return nil
      }
      if expression.isGlucose {
        item[never.name].warnOfLimits(floor: forbidden?.below, ceiling: forbidden?.above)
        item[always.name].warnOfLimits(floor: demanded?.above, ceiling: demanded?.below)
        item[within.name].warnOfLimits(floor: bounds?.lowerBound, ceiling: bounds?.upperBound)
      }
      let floors = [forbidden?.below, demanded?.above, bounds?.lowerBound].compactMap(\.self)
      let ceilings = [forbidden?.above, demanded?.below, bounds?.upperBound].compactMap(\.self)
      let law = Expectation.SeriesLaw(
        floor: floors.max(), ceiling: ceilings.min(), forAtLeast: item[length])
      guard law.floor != nil || law.ceiling != nil else {
        item.reportNoBound(of: [never.name, always.name, within.name])
        return nil
      }
      return .series(expression, law)
    }
  }

  private static let lowerFirst = "a list of two numbers, the lower one first"

  /// Two numbers, the lower one first.
  private static let bounds = Form<ClosedRange<Double>>.pair(of: .anyNumber, lowerFirst) { field in
    let any = -1e12...1e12
    let (low, high) = (field[0].number(in: any), field[1].number(in: any))
    guard let low, let high else { return nil }
    guard low <= high else {
      field.reportUnusable(expected: lowerFirst)
      return nil
    }
    return low...high
  }

  static let invariant = Self { kind, beside in
    let invariant = kind.required(
      "invariant", .choice(Invariant.self), "A law that holds in the run.")
    _ = beside.optional("tolerance", .positive, else: "0", "Accepted; the laws are exact.")
    return { item, _ throws(UnusableKey) in .invariant(try item[invariant]) }
  }
}

extension Field {
  /// A metric, whose glucose is in the unit of the file.
  func metric(_ text: String) -> Metric? {
    do throws(MetricProblem) {
      let metric = try Metric.parse(text, isMolar: context.glucoseUnit == .millimolesPerLitre)
      for (written, _) in metric.limitsInOtherUnit { warnOfLimitInOtherUnit(written) }
      return metric
    } catch {
      self.error("\(error)")
      return nil
    }
  }

  /// Warns of bounds that any glucose is within, as they are of the other unit.
  ///
  /// A ceiling of 10 mg/dL needs no warning: nearly every run breaks it, and says so.
  func warnOfLimits(floor: Double?, ceiling: Double?) {
    if let floor { warnOfLimitInOtherUnit(floor, isFloor: true) }
    if let ceiling, context.glucoseUnit == .millimolesPerLitre { warnOfLimitInOtherUnit(ceiling) }
  }

  /// A series or an expression, whose glucose is in the unit of the file.
  func series(_ text: String) -> SeriesExpression? {
    do throws(SeriesExpression.Trouble) {
      return try SeriesExpression.parse(
        text, isMolar: context.glucoseUnit == .millimolesPerLitre)
    } catch {
      self.error(error.sentence)
      return nil
    }
  }
}

extension Field {
  /// Reports that an expectation has no bound; one that is there and cannot be used has been told
  /// where it stands.
  ///
  /// - Parameters:
  ///   - keys: The keys that can be its bounds, two or more.
  ///   - more: What goes with them, as the end of a sentence.
  func reportNoBound(of keys: [String], _ more: String = "") {
    guard !keys.contains(where: { self[$0].exists }) else { return }
    let names = "\(keys.dropLast().joined(separator: ", ")) or \(keys.last ?? "")"
    error("The expectation has no bound. Add \(names)\(more).")
  }
}
