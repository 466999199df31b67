internal import Outcomes
internal import Quantities
internal import StructuredText

/// Expectations that look beyond one run.
extension ExpectationReader {
  /// How the runs of the scenario are looked at together.
  func across(_ field: Field, _ check: Expectation.Check) -> Across {
    guard field.exists, let text = field.text() else { return .each }
    guard let across = Across(text) else {
      field.error("\"across\" is one of \(Across.forms), not \"\(text)\".")
      return .each
    }
    guard across.needsValues else { return across }
    switch check {
    case .metric: break
    case .compare(let compare):
      if case .series = compare.subject {
        field.error("A series has no \(across.valueName). Compare a metric, or write 'all'.")
      } else if compare.difference != nil, compare.ratio != nil {
        field.error("The \(across.valueName) is of one value: a difference or a ratio, not both.")
      }
    default:
      field.error(
        "Only a metric has a \(across.valueName). Write 'all' or a fraction such as "
          + "'fraction>=0.95'.")
    }
    return across
  }

  // MARK: - Compare

  func compare(_ item: Field) -> Expectation.Check? {
    item.allowOnly(Self.common + ["compare", "difference", "ratio"])
    let field = item["compare"]
    field.allowOnly(["metric", "series", "this", "other"])
    guard let other = other(field.required("other")), let subject = subject(field, other) else {
      return nil
    }
    let difference = bounds(item["difference"])
    let ratio = bounds(item["ratio"])
    guard difference != nil || ratio != nil else {
      item.error("The expectation has no bound. Add difference or ratio with min or max.")
      return nil
    }
    return .compare(
      CompareCheck(subject: subject, other: other, difference: difference, ratio: ratio))
  }

  private func bounds(_ field: Field) -> Expectation.Bounds? {
    guard field.exists else { return nil }
    field.allowOnly(["min", "max"])
    let bounds = Expectation.Bounds(
      minimum: field["min"].number(), maximum: field["max"].number())
    guard bounds.minimum != nil || bounds.maximum != nil else {
      field.error("The bounds are empty. Add min or max.")
      return nil
    }
    return bounds
  }

  private func other(_ field: Field) -> CompareCheck.Other? {
    guard let word = field.text() else { return nil }
    if CompareCheck.Other.isVariant(word) { return .variant(word) }
    guard word == "observed" else { return path(word, namedBy: field).map { .file($0) } }
    let table = root["history"]["observed"]["csv"]
    guard table.exists else {
      field.error("There is nothing observed: \"history.observed.csv\" is missing.")
      return nil
    }
    return table.text().flatMap { path($0, namedBy: table) }.map { .observed($0, root.context) }
  }

  private func subject(_ field: Field, _ other: CompareCheck.Other) -> CompareCheck.Subject? {
    guard field["metric"].exists != field["series"].exists else {
      field.error("A comparison has either a metric or a series.")
      return nil
    }
    let isMolar = root.context.glucoseUnit == .millimolesPerLitre
    if field["series"].exists {
      guard let text = field["series"].text() else { return nil }
      do throws(SeriesExpression.Trouble) {
        return .series(try SeriesExpression.parse(text, isMolar: isMolar))
      } catch {
        field["series"].error(error.sentence)
        return nil
      }
    }
    guard let text = field["metric"].text() else { return nil }
    do throws(MetricProblem) {
      let metric = try Metric.parse(text, isMolar: isMolar)
      warnOfOtherUnit(field["metric"], metric)
      if case .variant = other { return .metric(metric) }
      guard metric.name.needsOnlyGlucose else {
        field["metric"].error(
          "\(other.name) has no \(metric): only metrics of glucose can be compared with it.")
        return nil
      }
      return .metric(metric)
    } catch {
      field["metric"].error("\(error)")
      return nil
    }
  }

  /// The path of a file that the scenario names, seen from where it is named.
  ///
  /// Nothing, with an error, when it lies outside the folder that the scenario may reach.
  private func path(_ path: String, namedBy field: Field) -> String? {
    let full = run.reach.path(of: path, namedBy: field.position.file)
    guard let refusal = run.reach.refusal(of: full, named: path) else { return full }
    field.error(refusal)
    return nil
  }

  // MARK: - Golden

  func golden(_ item: Field) -> Expectation.Check? {
    item.allowOnly(Self.common + ["golden", "tolerance"])
    let field = item["golden"]
    guard let pattern = field.text() else { return nil }
    guard pattern.hasSuffix(".csv") else {
      field.error("A golden file is a table; its name ends in .csv.")
      return nil
    }
    switch GoldenCheck.path(of: pattern, for: run) {
    case .failure(let unknown):
      let names = GoldenCheck.names
      field.error(
        "\"{\(unknown.name)}\" is no part of a run's name; the parts are "
          + names.map { "{\($0)}" }.joined(separator: ", ") + "."
          + NearestName.suggestion(for: unknown.name, among: names))
      return nil
    case .success(let name):
      return path(name, namedBy: field).map {
        .golden(GoldenCheck(path: $0, tolerances: tolerances(item["tolerance"])))
      }
    }
  }

  /// A number for every column, or a number or a span for each that is named.
  private func tolerances(_ field: Field) -> ColumnTolerances {
    var tolerances = ColumnTolerances(standard: 1e-9)
    guard field.exists else { return tolerances }
    guard field.node?.members != nil else {
      tolerances.standard = field.number(in: 0...1e12) ?? 1e-9
      return tolerances
    }
    for member in field.members() ?? [] {
      if member.field.node?.string != nil {
        if let span = member.field.duration() { tolerances.allow(span, in: member.key) }
      } else if let number = member.field.number(in: 0...1e12) {
        tolerances.allow(number, in: member.key)
      }
    }
    return tolerances
  }
}
