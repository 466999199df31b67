internal import RunPlans
internal import StructuredText

/// The result of a study for a terminal of 80 columns.
public struct StudyText {
  private let analysis: StudyAnalysis
  private var study: StudyProtocol { analysis.study }

  /// The most comparisons of which every end point has a line.
  private static let mostInFull = 4

  /// The most differences, reasons and patients that are named.
  private static let mostNamed = 8

  /// How many are not named, of so many.
  private func more(_ count: Int) -> [String] {
    count > Self.mostNamed ? ["                 and \(count - Self.mostNamed) more"] : []
  }

  /// Takes the result of a study.
  public init(_ analysis: StudyAnalysis) { self.analysis = analysis }

  /// The lines; they begin with the answer in one sentence.
  ///
  /// Texts of files are shown in them, and never begin another line.
  public var lines: [String] { told.map(InertText.line) }

  private var told: [String] {
    let plan = study.plan
    let flow = analysis.flow
    var lines = TextColumns.wrapped(StudySentence(analysis).text)
    lines.append("")
    lines += TextColumns.wrapped(
      "\(InertText.line(plan.title)): \(WordList.counted(plan.patients, "patient")) x "
        + "\(WordList.counted(plan.replicates, "replicate")), "
        + "\(WordList.counted(plan.runsPerUnit, "run")) each, "
        + (study.design.isPaired ? "paired" : "not paired"))
    for program in plan.programs {
      lines += TextColumns.wrapped("Program          \(program.words)")
    }
    for difference in study.differences.prefix(Self.mostNamed) {
      lines.append(
        "Arms differ in   \(difference.path)  \(difference.words.joined(separator: " -> "))")
    }
    lines += more(study.differences.count)
    if let named = study.sweptWords {
      lines += TextColumns.wrapped("Arms differ in   \(named)")
    }
    lines.append(
      "Flow             \(WordList.counted(flow.planned, "run")) planned, \(flow.ok) ok, "
        + "\(flow.lethal) lethal, "
        + "\(flow.failed) failed")
    for reason in flow.reasons.prefix(Self.mostNamed) {
      lines += TextColumns.wrapped("FAILED           \(reason.count) x \(reason.reason)")
    }
    lines += more(flow.reasons.count)
    if !flow.implausible.isEmpty {
      let place = study.design.sampled == nil ? "under control" : "at some point"
      lines += TextColumns.wrapped(
        "Implausible      \(WordList.counted(flow.implausible.count, "patient")) \(place): "
          + WordList.text(flow.implausible, atMost: Self.mostNamed))
    }
    if !flow.implausibleTreated.isEmpty {
      lines += TextColumns.wrapped(
        "Implausible      \(WordList.counted(flow.implausibleTreated.count, "patient")) under a "
          + "treatment alone: "
          + WordList.text(flow.implausibleTreated, atMost: Self.mostNamed))
    }
    if let stopped = flow.stoppedPumps {
      lines += TextColumns.wrapped("Pumps stopped    \(stopped.words).")
    }
    lines += precision
    if !plan.programs.isEmpty { lines += TextColumns.wrapped(StudyProgram.caution) }
    if let sampled = study.design.sampled {
      lines += SensitivityText(sampled, of: analysis).lines + [""]
      // Morris's screening has no intervals.
      let intervals =
        sampled.method == .sobol
        ? "The intervals speak of another draw of the settings, for these patients. " : ""
      return lines + TextColumns.wrapped(intervals + "loopsim is not a medical device.")
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

  /// What an end point is called, with its id where another one has the same words.
  private func name(of endPoint: StudyEndPoint) -> String {
    let name = EndPointWords(endPoint).name
    let alike = study.design.endPoints.count { EndPointWords($0).name == name }
    return alike > 1 ? "\(name) (\(endPoint.id))" : name
  }

  /// How wide the first interval has become, beside what was wished for.
  private var precision: [String] {
    analysis.precisionSentence.map { TextColumns.wrapped("Precision        \($0)") } ?? []
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
      if harm.count == 0 {
        lines += TextColumns.wrapped(
          "Harm  not known: no patient has a value of \(name(of: harm.endPoint)) under both arms")
        continue
      }
      let patients = WordList.counted(harm.count, "patient")
      lines += TextColumns.wrapped(
        "\(newly.isEmpty ? "Harm" : "HARM")  \(newly.count) of \(patients) newly "
          + "\(EndPointWords(harm.endPoint).harm) in \(name(of: harm.endPoint)), "
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
    var table = TerminalTable(
      header: [
        "", comparison.control, comparison.treatment, "difference [\(analysis.confidences)]",
        "better/=/worse",
      ], [.left, .right, .right, .left, .left])
    table.indent = 0
    for (number, result) in comparison.results.enumerated() {
      table.rows.append(row(of: result, number: number + 1))
    }
    lines += table.lines
    if analysis.comparisons.count > 1, comparison.runs.areEqual {
      lines += TextColumns.wrapped("Note  \(ComparisonSentence(comparison).text)")
    }
    if let wear = comparison.wearSentence { lines += TextColumns.wrapped("Note  \(wear)") }
    for result in comparison.results where result.missing > 0 {
      lines += TextColumns.wrapped(
        "Note  \(result.endPoint.id): \(result.comparedWords); of the others no pair "
          + "of runs has a value under both arms.")
    }
    for result in comparison.results {
      guard let words = result.leftOutWords else { continue }
      lines += TextColumns.wrapped(
        "Note  \(result.endPoint.id): \(words), \(Self.whyLeftOut).")
    }
    if let sentence = comparison.ungroupedSentence {
      lines += TextColumns.wrapped("Note  \(sentence)")
    }
    for sentence in Self.sentences {
      for result in comparison.results {
        guard let words = sentence(result) else { continue }
        lines += TextColumns.wrapped("Note  \(result.endPoint.id): \(words).")
      }
    }
    return lines
  }

  /// What is to be known beside the figures of an end point, the most surprising first.
  private static let sentences: [@Sendable (EndPointResult) -> String?] = [
    { $0.failureSentence }, { $0.deathSentence }, { $0.fewerByDeathSentence }, { $0.holmSentence },
    { $0.equalSentence }, { $0.skewNote },
  ]

  /// What is as large as this is told without decimals.
  private static let large = 1_000.0

  private func row(of result: EndPointResult, number: Int) -> [String] {
    let name =
      "\(result.endPoint.role == .safety ? "s" : "\(number)") \(result.endPoint.id)"
      + (result.endPoint.unit.isEmpty ? "" : ", \(result.endPoint.unit)")
    guard let differences = result.differences else {
      return [name, "", "", "no patient has a value under both"]
    }
    let interval = result.toldInterval
    let figures = [result.control?.mean, result.treatment?.mean, interval?.lower, interval?.upper]
    let isLarge = figures.contains { ($0 ?? 0).magnitude >= Self.large }
    let decimals = isLarge ? 0 : EndPointWords(result.endPoint).decimals
    // A difference is small beside what it is one of.
    let finer = isLarge ? 0 : decimals + 1
    let effect =
      StudyNumber.fixed(differences.mean, finer, signed: true)
      + " [\(StudyNumber.fixed(interval?.lower, finer)), "
      + "\(StudyNumber.fixed(interval?.upper, finer))]"
    let counts = "\(result.counts.better)/\(result.counts.equal)/\(result.counts.worse)"
    return [
      name, StudyNumber.fixed(result.control?.mean, decimals),
      StudyNumber.fixed(result.treatment?.mean, decimals), effect,
      counts + (result.verdict.map { "  \($0.rawValue)" } ?? ""),
    ]
  }

  /// A line for each point of a sweep, or for each of many comparisons.
  private var surface: [String] {
    let hasDeaths = analysis.flow.lethal > 0
    let firsts = analysis.comparisons.compactMap { comparison in
      comparison.results.first.map { (comparison, $0) }
    }
    let isWhole = firsts.allSatisfy { $0.1.missing == 0 }
    var table = TerminalTable(
      header: ["point"] + (isWhole ? [] : ["compared"]) + ["difference", "interval", "harmed"]
        + (hasDeaths ? ["lethal"] : []) + ["goal"],
      [.left] + (isWhole ? [] : [.right]) + [.right, .left, .right] + (hasDeaths ? [.right] : [])
        + [.left])
    table.indent = 0
    for (comparison, first) in firsts {
      let decimals = EndPointWords(first.endPoint).decimals
      let interval = first.toldInterval
      let harmed = comparison.harmed.map { "\($0.newly) of \($0.count)" }
      let deaths = comparison.lethalRuns
      let effect = [
        StudyNumber.fixed(first.differences?.mean, decimals, signed: true),
        "[\(StudyNumber.fixed(interval?.lower, decimals)), "
          + "\(StudyNumber.fixed(interval?.upper, decimals))]",
      ]
      table.rows.append(
        [comparison.name] + (isWhole ? [] : ["\(first.count) of \(first.count + first.missing)"])
          + effect + [harmed ?? ""]
          + (hasDeaths ? ["\(deaths.treatment) against \(deaths.control)"] : [])
          + [first.verdict?.rawValue ?? ""])
    }
    guard let endPoint = firsts.first?.1.endPoint else { return [] }
    let unit = EndPointWords(endPoint).differenceUnit
    let measured = name(of: endPoint) + (unit.isEmpty ? "" : ", \(unit)")
    return [""] + TextColumns.wrapped("Differences in \(measured):") + table.lines
      + notes(beside: firsts)
  }

  /// What is to be known of the differences in the lines of many comparisons.
  private func notes(beside firsts: [(StudyComparison, EndPointResult)]) -> [String] {
    var lines: [String] = []
    let leftOut = firsts.reduce(0) { $0 + $1.1.leftOutPairs }
    if leftOut > 0, let id = firsts.first?.1.endPoint.id {
      let pairs = WordList.counted(firsts.reduce(0) { $0 + $1.1.pairs }, "pair")
      lines += TextColumns.wrapped(
        "Note  \(id): \(leftOut) of \(pairs) of runs left out, \(Self.whyLeftOut).")
    }
    let told = Self.sentences.flatMap { sentence in
      firsts.compactMap { comparison, first in
        sentence(first).map { "Note  \(comparison.name): \($0)." }
      }
    }
    lines += told.prefix(Self.mostNamed).flatMap { TextColumns.wrapped($0) }
    return lines + more(told.count)
  }

  /// Why a pair of runs is left out, and what its patient goes by.
  private static let whyLeftOut = "as one of the two has no value; their patients go by the others"
}
