internal import Outcomes
internal import RunPlans
internal import StructuredText

/// What a reader of a study has to be told: filled in from the plan, with a line for each thing
/// that only its author knows.
///
/// The order is that of STRESS (Monks and others, J Simulation 13:55, 2019); the flow is that of
/// CONSORT, and the evidence that of the FDA's guidance on the credibility of models (2023).
public struct StudyChecklist {
  private let analysis: StudyAnalysis
  private let digest: StudyDigest
  private var study: StudyProtocol { analysis.study }

  /// Takes what a study found, and the digests by which it can be cited.
  public init(_ analysis: StudyAnalysis, digest: StudyDigest) {
    self.analysis = analysis
    self.digest = digest
  }

  /// The list as a file of Markdown.
  public var text: String {
    var lines = ["# \(study.plan.title)", "", StudySentence(analysis).text]
    let sections = [
      ("Flow", flow), ("Objectives", objectives), ("Logic", logic),
      ("Data and experimentation", data), ("Statistics", statistics),
      ("Implementation and code", implementation),
    ]
    for (heading, items) in sections { lines += ["", "## \(heading)", ""] + items }
    lines += ["", "loopsim is not a medical device.", ""]
    // Texts of files are shown, and never begin another line.
    return lines.map(InertText.line).joined(separator: "\n")
  }

  private var flow: [String] {
    let plan = study.plan
    let flow = analysis.flow
    var lines = [
      "* \(WordList.counted(plan.patients, "patient")), "
        + "\(WordList.counted(plan.replicates, "replicate")), "
        + "\(WordList.counted(plan.runsPerUnit, "run")) of each: "
        + "\(WordList.counted(flow.planned, "run")) planned",
      "* \(flow.ok) ran to their end, \(flow.lethal) ended in death, \(flow.failed) failed",
    ]
    lines += flow.reasons.map { "  * \($0.count) × \($0.reason)" }
    for comparison in analysis.comparisons {
      for result in comparison.results {
        lines.append(
          "* \(comparison.name) against \(comparison.control), \(result.endPoint.id): "
            + "n = \(result.count)" + (result.missing > 0 ? ", \(result.missing) missing" : "")
            + (result.leftOutWords.map { ", \($0)" } ?? ""))
      }
    }
    lines.append(
      "* Excluded afterwards: nobody. "
        + (study.design.sampled == nil ? "Under control" : "At some point")
        + " \(WordList.counted(flow.implausible.count, "patient", "is"))"
        + " outside what the models were made for"
        + (flow.implausible.isEmpty
          ? "." : ": \(flow.implausible.joined(separator: ", ")). They stay in."))
    if !flow.implausibleTreated.isEmpty {
      lines.append(
        "* Under a treatment alone "
          + WordList.counted(flow.implausibleTreated.count, "patient", "is")
          + " outside what the models were made for: "
          + flow.implausibleTreated.joined(separator: ", ") + ". They stay in.")
    }
    if let stopped = flow.stoppedPumps { lines.append("* \(stopped.words).") }
    if let pilot = plan.pilot {
      lines.append(
        "* The first \(pilot.patients) patients were a pilot and are not analysed; their standard "
          + "deviation of \(StudyNumber.text(pilot.deviation)) asked for \(plan.patients).")
    }
    if let follows = plan.follows {
      lines.append("* This study goes on from plan \(follows), after its result was known.")
    }
    return lines
  }

  private var objectives: [String] {
    let points = study.design.endPoints.map { point in
      let goal = point.goal.map { "; \($0.word), margin \(StudyNumber.text($0.margin))" } ?? ""
      let harm = point.harm.map { "; harmed is who has \($0.words)" } ?? ""
      return "* \(point.role.rawValue) end point \(point.id): \(EndPointWords(point).definition), "
        + "\(point.better.rawValue) is better\(goal)\(harm)"
    }
    return ["* Purpose: —", "* Context of use: —"] + points
  }

  private var logic: [String] {
    let plan = study.plan
    var lines = study.differences.map {
      "* The arms differ in \($0.path): \($0.words.joined(separator: " against ")) (\($0.origin))"
    }
    if !study.sweptPaths.isEmpty {
      lines.append("* The sweep sets \(study.sweptPaths.joined(separator: ", ")).")
    }
    if let sampled = study.design.sampled {
      lines.append(
        "* Its \(plan.points) points are drawn for \(sampled.method.words), "
          + "\(sampled.sample.rows) rows:")
      lines += zip(sampled.sample.paths, sampled.laws).map { "  * \($0) \($1)" }
    }
    lines += plan.programs.map {
      "* Program: \($0.words), started as `\($0.command.joined(separator: " "))`"
    }
    if !plan.programs.isEmpty { lines.append("* \(StudyProgram.caution)") }
    return lines + [
      study.design.isPaired
        ? "* Arms are paired: the same people, meals, noise and faults."
        : "* Arms are not paired: the same people, with meals, noise and faults of each arm's own.",
      "* Structure: the same study on a second model of the body: —",
    ]
  }

  private var data: [String] {
    let plan = study.plan
    return [
      "* Files: \(plan.files.files.map(\.path).joined(separator: ", ")), whole in plan.json",
      "* Sources of the models and of the patients: the papers that `loopsim patients` names; "
        + "others: —",
      "* Initialisation: steady state of each patient, then `clock.preRoll` under the arm's own "
        + "settings, which is not measured.",
      "* Random numbers: SplitMix64, named streams, seed \(plan.seed), \(study.chanceWords)",
    ]
  }

  private var statistics: [String] {
    var lines =
      study.design.sampled.map(statistics(of:)) ?? [
        "* Decisions: the mean difference over patients, at each end of its interval the wider of "
          + "the studentised bootstrap (\(ResampledMean.resamples) resamples) and Student's t, at "
          + "\(StudyNumber.confidence(analysis.goalConfidence)) % confidence; "
          + "\(study.design.multiplicity.rawValue) over goals",
        "* The intervals speak of a population of which these patients would be a random sample.",
      ]
    for comparison in analysis.comparisons {
      for result in comparison.results {
        guard let error = result.variance?.chanceError else { continue }
        lines.append(
          "* Monte Carlo error of \(result.endPoint.id), \(comparison.name) against "
            + "\(comparison.control): \(StudyNumber.fixed(error, 4))")
      }
    }
    return lines
  }

  private func statistics(of sampled: SampledSweep) -> [String] {
    switch sampled.method {
    case .sobol:
      [
        "* First-order indices by Saltelli and others (Comput Phys Commun 181:259, 2010), total "
          + "indices by Jansen (Comput Phys Commun 117:35, 1999), of the mean over patients",
        "* Intervals of \(StudyNumber.text(study.design.confidence)) %: percentiles of "
          + "\(SobolIndex.resamples) resamples of rows",
        "* The intervals speak of another draw of the settings, for these patients.",
      ]
    case .morris:
      [
        "* Elementary effects by Morris (Technometrics 33:161, 1991), in steps of half of each "
          + "law from points of their own, of the mean over patients"
      ]
    }
  }

  private var implementation: [String] {
    let plan = study.plan
    return [
      "* loopsim \(plan.version); execution: —",
      "* Verification of the calculation: `loopsim study verify DIR --rerun 20`",
      "* Validation of the models for this use: —",
      "* Study \(plan.id)@\(digest.short): plan \(digest.plan), cases \(digest.cases), summary "
        + digest.summary,
    ]
  }
}
