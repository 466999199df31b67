internal import Outcomes
internal import Quantities
internal import Simulation
internal import StructuredText

/// Reads the list `expect` of a scenario.
struct ExpectationReader {
  let root: Field
  let run: ExpandedRun

  /// The keys that every expectation may have.
  static let common = [
    "id", "severity", "variants", "after", "between", "outside", "across",
  ]
  private static let forms = [
    "metric", "series", "timeline", "event", "events", "invariant", "compare", "golden",
  ]

  func expectations() -> [Expectation] {
    guard root["expect"].exists, let items = root["expect"].items() else { return [] }
    var expectations: [Expectation] = []
    var names: Set<String> = []
    for (index, item) in items.enumerated() {
      guard item.node?.members != nil else {
        item.reportUnusable(expected: "an expectation such as { id: 'tir', metric: … }")
        continue
      }
      let forms = Self.forms.filter { item[$0].exists }
      guard forms.count == 1, let form = forms.first else {
        item.error("An expectation has exactly one of: \(Self.forms.joined(separator: ", ")).")
        continue
      }
      let id = item["id"].text() ?? "\(form)-\(index + 1)"
      if !names.insert(id).inserted {
        item["id"].error("Two expectations are called \"\(id)\". Give each its own id.")
      }
      guard let check = check(form, item) else { continue }
      var expectation = Expectation(
        id: id,
        isWarning: item.standard("severity") { $0.choice(of: ["error", "warn"]) } == "warn",
        variants: variants(item["variants"]), position: item.position, scope: scope(item),
        check: check)
      expectation.across = across(item["across"], check)
      if let role = role(of: expectation, item["compare"]["this"].node?.string) {
        expectation.isReference = role == .reference
        expectations.append(expectation)
      }
    }
    return expectations
  }

  /// What the run of a variant is to an expectation.
  private enum Role { case subject, reference }

  /// What this run is to an expectation; nothing where it has no part in it.
  private func role(of expectation: Expectation, _ chosen: String?) -> Role? {
    if case .compare(let compare) = expectation.check, case .variant(let other) = compare.other {
      if run.variant == other { return .reference }
    }
    if let chosen, run.variant != chosen { return nil }
    guard let variants = expectation.variants else { return .subject }
    return run.variant.map { variants.contains($0) } ?? false ? .subject : nil
  }

  private func variants(_ field: Field) -> [String]? {
    guard field.exists else { return nil }
    return (field.itemsOrOne() ?? []).compactMap { $0.text() }
  }

  private func scope(_ item: Field) -> Expectation.Scope {
    let context = root.context
    var scope = Expectation.Scope(
      from: context.start, through: context.end, isNarrowed: false, outside: [],
      outsideFaults: [])
    if item["between"].exists, let window = item["between"].window() {
      scope.from = window.lowerBound
      scope.through = window.upperBound
      scope.isNarrowed = true
    }
    if item["after"].exists, let after = item["after"].time() {
      scope.from = max(scope.from, after)
      scope.isNarrowed = true
    }
    let faults = (root["faults"].items() ?? []).compactMap { $0["id"].text() }
    for field in item["outside"].exists ? item["outside"].items() ?? [] : [] {
      if let name = field.node?.string, faults.contains(name) {
        scope.outsideFaults.append(name)
      } else if let window = field.writtenWindow() {
        scope.outside.append(window)
      }
    }
    return scope
  }

  private func check(_ form: String, _ item: Field) -> Expectation.Check? {
    switch form {
    case "metric": return metric(item)
    case "series": return series(item)
    case "timeline": return timeline(item)
    case "event": return events(item, item["event"])
    case "events": return events(item, item["events"])
    case "compare": return compare(item)
    case "golden": return golden(item)
    default:
      item.allowOnly(Self.common + ["invariant", "tolerance"])
      return item["invariant"].choice(Invariant.self).map { .invariant($0) }
    }
  }

  // MARK: - Metric

  private func metric(_ item: Field) -> Expectation.Check? {
    item.allowOnly(Self.common + ["metric", "min", "max", "equals", "tolerance", "unit"])
    guard let text = item["metric"].text() else { return nil }
    let isMolar = root.context.glucoseUnit == .millimolesPerLitre
    do throws(MetricProblem) {
      let metric = try Metric.parse(text, isMolar: isMolar)
      warnOfOtherUnit(item["metric"], metric)
      if let unit = item["unit"].text(), unit != metric.unitName {
        item["unit"].error(
          "The metric \(text) is in \(metric.unitName), not in \(unit). Correct the unit.")
      }
      let bounds = Expectation.Bounds(
        minimum: item["min"].number(), maximum: item["max"].number(),
        equals: item["equals"].number(), tolerance: item["tolerance"].number() ?? 1e-9)
      guard bounds.minimum != nil || bounds.maximum != nil || bounds.equals != nil else {
        item.error("The expectation has no bound. Add min, max or equals.")
        return nil
      }
      // Half of the time or more in range, and no more than that: a share where percent is meant.
      // Of other metrics, or beside a maximum, a bound of one percent may well be meant.
      if metric.name == .tir, bounds.maximum == nil, let least = bounds.minimum, least >= 0.5,
        least <= 1
      {
        item["min"].warning(
          code: "W-PERCENT",
          "The metric \(text) is in percent, so that \(JSONField.shortText(least)) is next to "
            + "nothing. Did you mean \(JSONField.shortText(least * 100))?")
      }
      return .metric(metric, bounds)
    } catch {
      item["metric"].error("\(error)")
      return nil
    }
  }

  /// Warns of a limit of glucose that is none in the scenario's unit, and is one in the other.
  ///
  /// No sensor shows 36 mmol/L (649 mg/dL), and no body lives at 25 mg/dL (1.4 mmol/L).
  func warnOfOtherUnit(_ field: Field, _ metric: Metric) {
    let unit: GlucoseUnit = metric.isMolar ? .millimolesPerLitre : .milligramsPerDecilitre
    let perMolar = GlucoseUnit.millimolesPerLitre.mgdL
    for limit in metric.glucoseLimits {
      let written = (limit / unit.mgdL * 1e6).rounded() / 1e6
      let isOther = metric.isMolar ? written >= 36 : written > 0 && written < 25
      guard isOther else { continue }
      let likely =
        metric.isMolar ? (written / perMolar * 10).rounded() / 10 : (written * perMolar).rounded()
      field.warning(
        code: "W-UNIT",
        "The scenario's glucose is in \(unit.rawValue), and \(JSONField.shortText(written)) is no "
          + "limit in it. Did you mean \(JSONField.shortText(likely))?")
    }
  }

  // MARK: - Series

  private func series(_ item: Field) -> Expectation.Check? {
    item.allowOnly(Self.common + ["series", "never", "always", "within", "forAtLeast"])
    guard let text = item["series"].text() else { return nil }
    let isMolar = root.context.glucoseUnit == .millimolesPerLitre
    let expression: SeriesExpression
    do throws(SeriesExpression.Trouble) {
      expression = try SeriesExpression.parse(text, isMolar: isMolar)
    } catch {
      item["series"].error(error.sentence)
      return nil
    }
    var law = Expectation.SeriesLaw(
      forAtLeast: item.standard("forAtLeast") { $0.duration() })
    item["never"].allowOnly(["below", "above"])
    item["always"].allowOnly(["below", "above"])
    law.floor = item["never"]["below"].number() ?? item["always"]["above"].number()
    law.ceiling = item["never"]["above"].number() ?? item["always"]["below"].number()
    if item["within"].exists {
      guard item["within"].node?.items?.count == 2, let low = item["within"][0].number(),
        let high = item["within"][1].number(), low <= high
      else {
        item["within"].reportUnusable(expected: "a list of two numbers, the lower one first")
        return nil
      }
      law.floor = low
      law.ceiling = high
    }
    guard law.floor != nil || law.ceiling != nil else {
      item.error("The expectation has no bound. Add never, always or within.")
      return nil
    }
    return .series(expression, law)
  }
}
