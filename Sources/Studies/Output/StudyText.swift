internal import Scenarios

/// The result of a study for a terminal of 80 columns.
public struct StudyText {
  private let analysis: StudyAnalysis
  private var study: StudyProtocol { analysis.study }

  /// The most comparisons of which every end point has a line.
  private static let mostInFull = 4

  /// Takes the result of a study.
  public init(_ analysis: StudyAnalysis) { self.analysis = analysis }

  /// The lines; they begin with the answer in one sentence.
  public var lines: [String] {
    let plan = study.plan
    let flow = analysis.flow
    var lines = TextColumns.wrapped(StudySentence(analysis).text)
    lines.append("")
    lines += TextColumns.wrapped(
      "\(plan.title): \(plan.patients) patients x \(plan.replicates) "
        + "\(plan.replicates == 1 ? "replicate" : "replicates"), \(plan.runsPerUnit) runs each, "
        + (study.design.isPaired ? "paired" : "not paired"))
    for program in plan.programs {
      lines += TextColumns.wrapped("Program          \(program.words)")
    }
    for difference in study.differences.prefix(8) {
      let values = difference.values.map { $0 ?? "-" }.joined(separator: " -> ")
      lines.append("Arms differ in   \(difference.path)  \(values)")
    }
    lines.append(
      "Flow             \(flow.planned) runs planned, \(flow.ok) ok, \(flow.lethal) lethal, "
        + "\(flow.failed) failed")
    for reason in flow.reasons.prefix(5) {
      lines += TextColumns.wrapped("FAILED           \(reason.count) x \(reason.reason)")
    }
    if !flow.implausible.isEmpty {
      let place = study.design.sampled == nil ? "under control" : "at some point"
      lines += TextColumns.wrapped(
        "Implausible      \(flow.implausible.count) patients \(place): "
          + flow.implausible.prefix(8).joined(separator: ", "))
    }
    if !plan.programs.isEmpty { lines += TextColumns.wrapped(StudyProgram.caution) }
    if let sampled = study.design.sampled {
      lines += SensitivityText(sampled, of: analysis).lines + [""]
      return lines
        + TextColumns.wrapped(
          "The intervals speak of another draw of the settings, for these patients. loopsim is not "
            + "a medical device.")
    }
    lines +=
      analysis.comparisons.count > Self.mostInFull
      ? surface : analysis.comparisons.flatMap(lines(of:))
    lines.append("")
    lines += TextColumns.wrapped(
      "The intervals speak of a population of which these patients would be a random sample. "
        + "loopsim is not a medical device.")
    return lines
  }

  private func lines(of comparison: StudyComparison) -> [String] {
    var lines = ["", "\(comparison.treatment) against \(comparison.control)"]
    if !comparison.settings.isEmpty, study.design.controlPoint == nil {
      lines[1] +=
        " at "
        + comparison.settings.map { "\($0.path) \($0.value)" }.joined(separator: ", ")
    }
    for harm in comparison.harms {
      let newly = harm.patients.filter { $0.harmed == .newly }
      let spared = harm.patients.count { $0.harmed == .spared }
      lines += TextColumns.wrapped(
        "\(newly.isEmpty ? "Harm" : "HARM")  \(newly.count) of \(harm.count) patients newly "
          + "\(harm.endPoint.harm?.words ?? "") in \(EndPointWords(harm.endPoint).name), "
          + "\(spared) spared")
    }
    if comparison.harms.isEmpty {
      lines.append("Harm  no rule of harm is given; lethal runs alone are counted")
    }
    let deaths = comparison.lethalRuns
    if deaths.control + deaths.treatment > 0 {
      lines.append(
        "HARM  lethal runs: \(deaths.control) with \(comparison.control), \(deaths.treatment) with "
          + comparison.treatment)
    }
    lines.append(
      TextColumns.left("", 26) + TextColumns.right(comparison.control, 9)
        + TextColumns.right(comparison.treatment, 9)
        + "  difference [\(StudyNumber.text(study.design.confidence)) %]    better/=/worse")
    for (number, result) in comparison.results.enumerated() {
      lines.append(line(of: result, number: number + 1))
    }
    let few = comparison.results.filter(\.isFewForSkew).prefix(3)
    for result in few {
      lines += TextColumns.wrapped(
        "Note  \(result.endPoint.id): \(result.skewSentence).")
    }
    return lines
  }

  private func line(of result: EndPointResult, number: Int) -> String {
    let decimals = EndPointWords(result.endPoint).decimals
    let start = TextColumns.left(
      "\(result.endPoint.role == .safety ? "s" : "\(number)") \(result.endPoint.id)"
        + (result.endPoint.unit.isEmpty ? "" : ", \(result.endPoint.unit)"), 26)
    guard let differences = result.differences else { return start + "  no patient has a value" }
    func value(_ mean: Double?) -> String {
      TextColumns.right(StudyNumber.fixed(mean, decimals), 9)
    }
    let interval = result.toldInterval
    let effect =
      StudyNumber.fixed(differences.mean, decimals + 1, signed: true)
      + " [\(StudyNumber.fixed(interval?.lower, decimals + 1)), "
      + "\(StudyNumber.fixed(interval?.upper, decimals + 1))]"
    let counts = "\(result.counts.better)/\(result.counts.equal)/\(result.counts.worse)"
    let verdict = result.verdict.map { "  \($0.rawValue)" } ?? ""
    return start + value(result.control?.mean) + value(result.treatment?.mean) + "  "
      + TextColumns.left(effect, 25) + " " + counts + verdict
  }

  /// A line for each point of a sweep, or for each of many comparisons.
  private var surface: [String] {
    var lines = [
      "",
      TextColumns.left("point", 34) + TextColumns.right("difference", 11) + "  interval"
        + TextColumns.right("harmed", 18) + "  goal",
    ]
    for comparison in analysis.comparisons {
      guard let first = comparison.results.first else { continue }
      let decimals = EndPointWords(first.endPoint).decimals
      let interval = first.toldInterval
      let harmed = comparison.harms.first.map { harm in
        "\(harm.patients.count { $0.harmed == .newly }) of \(harm.count)"
      }
      lines.append(
        TextColumns.left(
          study.design.controlPoint == nil
            ? "\(comparison.treatment) s\(comparison.point)" : comparison.treatment, 34)
          + TextColumns.right(
            StudyNumber.fixed(first.differences?.mean, decimals, signed: true), 11)
          + TextColumns.left(
            "  [\(StudyNumber.fixed(interval?.lower, decimals)), "
              + "\(StudyNumber.fixed(interval?.upper, decimals))]", 20)
          + TextColumns.right(harmed ?? "", 8) + "  " + (first.verdict?.rawValue ?? ""))
    }
    return lines
  }
}
