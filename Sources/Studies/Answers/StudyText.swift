internal import Outcomes
internal import Scenarios

extension StudyAnalysis {
  /// The result for a terminal of 80 columns; it begins with the answer in one sentence.
  public var lines: [String] {
    let plan = study.plan
    var lines = Self.wrapped(sentence, width: 80)
    lines.append("")
    lines += Self.wrapped(
      "\(plan.title): \(plan.patients) patients x \(plan.replicates) "
        + "\(plan.replicates == 1 ? "replicate" : "replicates"), \(plan.runsPerUnit) runs each, "
        + (study.design.isPaired ? "paired" : "not paired"), width: 80)
    for program in plan.programs {
      lines += Self.wrapped("Program          \(program.words)", width: 80)
    }
    for difference in study.differences.prefix(8) {
      let values = difference.values.map { $0 ?? "-" }.joined(separator: " -> ")
      lines.append("Arms differ in   \(difference.path)  \(values)")
    }
    lines.append(
      "Flow             \(flow.planned) runs planned, \(flow.ok) ok, \(flow.lethal) lethal, "
        + "\(flow.failed) failed")
    for reason in flow.reasons.prefix(5) {
      lines += Self.wrapped("FAILED           \(reason.count) x \(reason.reason)", width: 80)
    }
    if !flow.implausible.isEmpty {
      let place = study.design.sampled == nil ? "under control" : "at some point"
      lines += Self.wrapped(
        "Implausible      \(flow.implausible.count) patients \(place): "
          + flow.implausible.prefix(8).joined(separator: ", "), width: 80)
    }
    if !plan.programs.isEmpty { lines += Self.wrapped(StudyProgram.caution, width: 80) }
    guard study.design.sampled == nil else {
      lines += sensitivityLines + [""]
      return lines
        + Self.wrapped(
          "The intervals speak of another draw of the settings, for these patients. loopsim is not "
            + "a medical device.", width: 80)
    }
    lines += comparisons.count > 4 ? surfaceLines : comparisons.flatMap(lines(of:))
    lines.append("")
    lines += Self.wrapped(
      "The intervals speak of a population of which these patients would be a random sample. "
        + "loopsim is not a medical device.", width: 80)
    return lines
  }

  private func lines(of comparison: Comparison) -> [String] {
    var lines = ["", "\(comparison.treatment) against \(comparison.control)"]
    if !comparison.settings.isEmpty, study.design.controlPoint == nil {
      lines[1] +=
        " at "
        + comparison.settings.map { "\($0.path) \($0.value)" }.joined(separator: ", ")
    }
    for harm in comparison.harms {
      let newly = harm.patients.filter { $0.harmed == .newly }
      let spared = harm.patients.count { $0.harmed == .spared }
      lines += Self.wrapped(
        "\(newly.isEmpty ? "Harm" : "HARM")  \(newly.count) of \(harm.count) patients newly "
          + "\(harm.endPoint.harm?.words ?? "") in \(EndPointWords(harm.endPoint).name), "
          + "\(spared) spared", width: 80)
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
      Self.padded("", 26) + Self.right(comparison.control, 9) + Self.right(comparison.treatment, 9)
        + "  difference [\(Self.percent(study.design.confidence)) %]    better/=/worse")
    for (number, result) in comparison.results.enumerated() {
      lines.append(line(of: result, number: number + 1))
    }
    let few = comparison.results.filter(\.isFewForSkew).prefix(3)
    for result in few {
      lines += Self.wrapped(
        "Note  \(result.endPoint.id): \(result.skewSentence).", width: 80)
    }
    return lines
  }

  private func line(of result: EndPointResult, number: Int) -> String {
    let decimals = EndPointWords(result.endPoint).decimals
    let start = Self.padded(
      "\(result.endPoint.role == .safety ? "s" : "\(number)") \(result.endPoint.id)"
        + (result.endPoint.unit.isEmpty ? "" : ", \(result.endPoint.unit)"), 26)
    guard let differences = result.differences else { return start + "  no patient has a value" }
    func value(_ mean: Double?) -> String { Self.right(StudyNumber.fixed(mean, decimals), 9) }
    let interval = result.toldInterval
    let effect =
      StudyNumber.fixed(differences.mean, decimals + 1, signed: true)
      + " [\(StudyNumber.fixed(interval?.lower, decimals + 1)), "
      + "\(StudyNumber.fixed(interval?.upper, decimals + 1))]"
    let counts = "\(result.counts.better)/\(result.counts.equal)/\(result.counts.worse)"
    let verdict = result.verdict.map { "  \($0.rawValue)" } ?? ""
    return start + value(result.control?.mean) + value(result.treatment?.mean) + "  "
      + Self.padded(effect, 25) + " " + counts + verdict
  }

  private var surfaceLines: [String] {
    var lines = [
      "",
      Self.padded("point", 34) + Self.right("difference", 11) + "  interval"
        + Self.right("harmed", 18) + "  goal",
    ]
    for comparison in comparisons {
      guard let first = comparison.results.first else { continue }
      let decimals = EndPointWords(first.endPoint).decimals
      let interval = first.toldInterval
      let harmed = comparison.harms.first.map { harm in
        "\(harm.patients.count { $0.harmed == .newly }) of \(harm.count)"
      }
      lines.append(
        Self.padded(
          study.design.controlPoint == nil
            ? "\(comparison.treatment) s\(comparison.point)" : comparison.treatment, 34)
          + Self.right(StudyNumber.fixed(first.differences?.mean, decimals, signed: true), 11)
          + Self.padded(
            "  [\(StudyNumber.fixed(interval?.lower, decimals)), "
              + "\(StudyNumber.fixed(interval?.upper, decimals))]", 20)
          + Self.right(harmed ?? "", 8) + "  " + (first.verdict?.rawValue ?? ""))
    }
    return lines
  }

  static func percent(_ value: Double) -> String { StudyNumber.text(value) }

  static func padded(_ text: String, _ width: Int) -> String {
    let text = String(text.prefix(width))
    return text + String(repeating: " ", count: width - text.count)
  }

  static func right(_ text: String, _ width: Int) -> String {
    let text = String(text.prefix(width - 1))
    return String(repeating: " ", count: width - text.count) + text
  }

  static func wrapped(_ text: String, width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ", omittingEmptySubsequences: false) {
      if !line.isEmpty, line.count + word.count + 1 > width {
        lines.append(line)
        line = String(word)
      } else {
        line +=
          line.isEmpty && lines.isEmpty && word.isEmpty ? "" : (line.isEmpty ? "" : " ") + word
      }
    }
    return lines + [line]
  }
}
