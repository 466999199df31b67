internal import Outcomes
internal import Quantities
internal import RunPlans
internal import StructuredText
public import Studies
public import Typesetting

/// The page of a study: whether the treatment is better, for whom, and who is harmed.
///
/// Harm stands before averages, and a goal's margin is drawn before its estimate.
public struct StudyPage: Sendable {
  private let analysis: StudyAnalysis
  private let digest: StudyDigest
  private let warnings: [String]
  private let notes: [String]

  /// How many comparisons get cards of their own; the surface shows all.
  private static let comparisonsShown = 4

  /// Makes the page of a study, with what the check of its scenario warned of and noted.
  public init(
    _ analysis: StudyAnalysis, digest: StudyDigest, warnings: [String] = [], notes: [String] = []
  ) {
    self.analysis = analysis
    self.digest = digest
    self.warnings = warnings
    self.notes = notes
  }

  /// The page as a file.
  public var html: String {
    let sentence = StudySentence(analysis).text
    var page = Page(kind: "Study report", title: PageSentence.withMinus(sentence))
    let isSampled = study.design.sampled != nil
    page.meta = meta
    page.skip = ("#goals", isSampled ? "Skip to the settings" : "Skip to the goals")
    let flow = StudyFlowCard(analysis, warnings, notes)
    page.body = "<div class=\"kpis flow\">\(flow.markup)</div>\n"
    for section in sections {
      page.body += section.answer
      // Of many points of a sweep only the answers are shown.
      if analysis.comparisons.count <= Self.comparisonsShown { page.body += section.details }
    }
    page.glucoseUnit = glucoseUnit
    page.body +=
      isSampled
      ? sensitivity.map(\.markup).joined()
      : SurfaceCard(analysis, shown: Self.comparisonsShown, names: names).markup
        + IntervalsCard(analysis.comparisons).markup
    page.body += DefinitionsCard(analysis).markup
    page.footer = [
      "study \(study.plan.id)@\(digest.short)", "plan \(digest.plan)",
      "cases \(digest.cases)", "loopsim \(study.plan.version)",
    ]
    return page.html
  }

  /// The charts of the page, each as a file that stands alone.
  public var figures: [PageFigure] {
    sensitivity.compactMap(\.figure) + sections.flatMap(\.figures)
  }

  private var study: StudyProtocol { analysis.study }
  private var names: EndPointNames { EndPointNames(of: study) }
  private var shown: [StudyComparison] {
    Array(analysis.comparisons.prefix(Self.comparisonsShown))
  }

  private var sections: [ComparisonSection] {
    shown.enumerated().map { number, comparison in
      ComparisonSection(
        comparison, number: number, of: analysis, glucoseUnit: glucoseUnit, names: names)
    }
  }

  /// A card for each end point of a sampled sweep; none where the study compares arms.
  private var sensitivity: [SensitivityCard] {
    guard let sampled = study.design.sampled else { return [] }
    return analysis.sensitivity.enumerated().map { number, result in
      SensitivityCard(
        result, number: number, of: sampled, confidence: study.design.confidence, names: names)
    }
  }

  /// The unit of the study's scenario.
  private var glucoseUnit: GlucoseUnit {
    study.design.endPoints.contains(where: \.metric.isMolar)
      ? .millimolesPerLitre : .milligramsPerDecilitre
  }

  private var meta: Markup {
    let plan = study.plan
    let pairing = study.design.isPaired ? "paired" : "not paired"
    return """
      <b>\(plan.title)</b> · \(WordList.counted(plan.patients, "patient")) × \
      \(WordList.counted(plan.replicates, "replicate")) × \
      \(WordList.counted(plan.runsPerUnit, "run")), \(pairing)
      """
  }
}
