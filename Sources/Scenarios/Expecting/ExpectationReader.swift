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
      if let unit = item["unit"].text(), unit != metric.unit.rawValue {
        item["unit"].error(
          "The metric \(text) is in \(metric.unit.rawValue), not in \(unit). Correct the unit.")
      }
      let bounds = Expectation.Bounds(
        minimum: item["min"].number(), maximum: item["max"].number(),
        equals: item["equals"].number(), tolerance: item["tolerance"].number() ?? 1e-9)
      guard bounds.minimum != nil || bounds.maximum != nil || bounds.equals != nil else {
        item.error("The expectation has no bound. Add min, max or equals.")
        return nil
      }
      return .metric(metric, bounds)
    } catch {
      item["metric"].error("\(error)")
      return nil
    }
  }

  // MARK: - Series

  private func series(_ item: Field) -> Expectation.Check? {
    item.allowOnly(Self.common + ["series", "never", "always", "within", "forAtLeast"])
    guard let text = item["series"].text() else { return nil }
    let expression: SeriesExpression
    do throws(SeriesExpression.Trouble) {
      expression = try SeriesExpression.parse(text)
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

  // MARK: - Timeline

  private func timeline(_ item: Field) -> Expectation.Check? {
    item.allowOnly(Self.common + ["timeline", "equals", "tolerance", "mode"])
    guard item["timeline"].choice(of: ["healthStore.basal"]) != nil,
      let items = item.required("equals").items()
    else { return nil }
    item["tolerance"].allowOnly(["time", "units"])
    var anchor = item["between"].exists ? item["between"].window()?.lowerBound : nil
    var rows: [TimelineCheck.Row] = []
    for row in items {
      guard let read = self.row(row, after: anchor ?? root.context.start) else { continue }
      anchor = read.end
      rows.append(read)
    }
    guard rows.count == items.count else { return nil }
    return .timeline(
      TimelineCheck(
        rows: rows, mode: item.standard("mode") { $0.choice(TimelineCheck.Mode.self) },
        timeTolerance: item["tolerance"]["time"].duration() ?? .zero,
        unitsTolerance: item["tolerance"]["units"].number() ?? 1e-9))
  }

  /// `[start, end, U/h, units, kind]`, and the true units where they differ.
  private func row(_ field: Field, after anchor: Instant) -> TimelineCheck.Row? {
    guard let count = field.node?.items?.count, count == 5 || count == 6 else {
      field.reportUnusable(
        expected: "a row such as ['06:00:00', '07:15:00', 0.5, 0.6, 'basal']")
      return nil
    }
    guard let start = field[0].anchored(at: anchor).time(),
      let end = field[1].anchored(at: start + .milliseconds(1)).time(),
      let rate = field[2].rate(in: 0...100), let units = field[3].units(in: 0...1_000),
      let kind = field[4].choice(BasalSampleRecord.Kind.self)
    else { return nil }
    let trueUnits = count == 6 ? field[5].number(in: 0...1_000, unit: "U") : nil
    return TimelineCheck.Row(
      start: start, end: end, rate: rate, units: units, kind: kind, trueUnits: trueUnits)
  }

  // MARK: - Events

  private func events(_ item: Field, _ field: Field) -> Expectation.Check? {
    item.allowOnly(
      Self.common + ["event", "events", "count", "min", "max", "eachDuration"])
    field.allowOnly(["kind", "name", "in"])
    let place =
      field["in"].exists ? field["in"].choice(EventCheck.Place.self) : .timeline
    guard let place else { return nil }
    let known: [String]
    switch place {
    case .timeline: known = Happening.Kind.allCases.map(\.rawValue)
    case .eventHistory:
      known = ["bolus", "tempBasal", "suspend", "resume", "prime", "rewind", "alarm"]
    case .insulinDelivery: known = ["basal", "tempBasal", "suspend", "bolus"]
    case .healthStore: known = ["basal", "bolus"]
    }
    guard let kind = field.required("kind").choice(of: known) else { return nil }
    var check = EventCheck(
      kind: kind, name: field["name"].text(), place: place,
      count: Expectation.Bounds(
        minimum: item["min"].number(in: 0...1e9), maximum: item["max"].number(in: 0...1e9),
        equals: item["count"].number(in: 0...1e9)))
    item["eachDuration"].allowOnly(["min", "max"])
    check.longest = item["eachDuration"]["max"].duration()
    check.shortest = item["eachDuration"]["min"].duration()
    let counts = check.count
    guard
      counts.minimum != nil || counts.maximum != nil || counts.equals != nil
        || check.longest != nil || check.shortest != nil
    else {
      item.error("The expectation has no bound. Add count, min, max or eachDuration.")
      return nil
    }
    return .events(check)
  }
}
