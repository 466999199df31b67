internal import Outcomes
internal import Quantities
internal import ScenarioLanguage
internal import StructuredText

/// Expectations that look beyond one run.
extension ExpectationKind {
  // MARK: - Compare

  static let compare = Self { kind, beside in
    let compare = kind.required(
      "compare", compared, "A run against another, or against what was kept or measured.")
    let difference = beside.optional(
      "difference", BoundKeys.form, "Bounds of this − other.")
    let ratio = beside.optional("ratio", BoundKeys.form, "Bounds of this ÷ other.")
    return { item, reader throws(UnusableKey) in
      guard var check = (try item[compare])(reader) else { return nil }
      (check.difference, check.ratio) = (item[difference], item[ratio])
      guard check.difference != nil || check.ratio != nil else {
        item.reportNoBound(of: [difference.name, ratio.name], " with min or max")
        return nil
      }
      return .compare(check)
    }
  }

  private static let compared = Form<(ExpectationReader) -> CompareCheck?>.object {
    let metric = $0.optional("metric", .text, "The metric compared.")
    let series = $0.optional("series", .text, "The series compared.")
    _ = $0.optional(
      "this", .text, else: "every other variant", "The variant that is looked at.")
    let other = $0.required(
      "other", .text,
      """
      A variant, `'observed'` (the glucose of `history.observed`), or the `timeline.csv` of a run.
      """)
    return { field throws(UnusableKey) in
      let word = try field[other]
      return { reader in
        guard let other = reader.other(word, field[other.name]) else { return nil }
        guard field[metric.name].exists != field[series.name].exists else {
          field.error("A comparison has either a metric or a series.")
          return nil
        }
        if field[series.name].exists {
          let named = field[series.name]
          guard let compared = field[series].flatMap({ named.series($0) }) else { return nil }
          if case .observed = other, !compared.names.allSatisfy(\.isGlucose) {
            named.error("What was observed is glucose: only series of glucose go beside it.")
            return nil
          }
          return CompareCheck(subject: .series(compared), other: other)
        }
        let named = field[metric.name]
        guard let compared = field[metric].flatMap({ named.metric($0) }) else { return nil }
        if case .variant = other { return CompareCheck(subject: .metric(compared), other: other) }
        guard compared.name.needsOnlyGlucose else {
          named.error(
            "\(other.name) has no \(compared): only metrics of glucose can be compared with it.")
          return nil
        }
        return CompareCheck(subject: .metric(compared), other: other)
      }
    }
  }

  // MARK: - Golden

  static let golden = Self { kind, beside in
    let golden = kind.required(
      "golden", .text,
      """
      A CSV file with the rows of the timeline, kept by `run --update-golden`; `{run}`, `{id}`, \
      `{variant}`, `{point}`, `{patient}` and `{replicate}` stand for the parts of the run's name.
      """)
    let tolerance = tolerance(&beside)
    return { item, reader throws(UnusableKey) in
      reader.golden(try item[golden], item[golden.name]).map {
        .golden(GoldenCheck(path: $0, tolerances: item[tolerance].map(tolerances) ?? exact))
      }
    }
  }

  private static let exact = ColumnTolerances(standard: 1e-9)

  /// A number for every column, or a number or a span for each that is named.
  private static func tolerances(_ field: Field) -> ColumnTolerances {
    var tolerances = exact
    guard field.node?.members != nil else {
      tolerances.standard = field.number(in: 0...1e12) ?? 1e-9
      return tolerances
    }
    for member in field.members() ?? [] {
      if member.key == "time" {
        if let span = member.field.duration() { tolerances.allow(span, in: member.key) }
      } else if let number = member.field.number(in: 0...1e12) {
        tolerances.allow(number, in: member.key)
      }
    }
    return tolerances
  }
}

extension ExpectationReader {
  /// What a run is compared with.
  func other(_ word: String, _ field: Field) -> CompareCheck.Other? {
    if CompareCheck.Other.isVariant(word) { return .variant(word) }
    guard word == "observed" else { return path(word, namedBy: field).map { .file($0) } }
    let table = root["history"]["observed"]["csv"]
    guard table.exists else {
      field.error("There is nothing observed: \"history.observed.csv\" is missing.")
      return nil
    }
    return table.text().flatMap { path($0, namedBy: table) }.map { .observed($0, root.context) }
  }

  /// The path of a file that the scenario names, seen from where it is named.
  ///
  /// Nothing, with an error, when it lies outside the folder that the scenario may reach.
  private func path(_ path: String, namedBy field: Field) -> String? {
    let full = reach.path(of: path, namedBy: field.position.file)
    guard let refusal = reach.refusal(of: full, named: path) else { return full }
    field.error(refusal)
    return nil
  }

  /// The path of the golden file that a pattern means for the run.
  func golden(_ pattern: String, _ field: Field) -> String? {
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
      return path(name, namedBy: field)
    }
  }
}
