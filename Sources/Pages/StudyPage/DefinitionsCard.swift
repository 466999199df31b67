internal import Outcomes
internal import RunPlans
internal import Studies
internal import Typesetting

/// What a study measured and how, and the command that checks it.
struct DefinitionsCard {
  private let study: StudyProtocol
  private let confidences: String

  /// Takes what was asked, and the confidence of its intervals.
  init(_ analysis: StudyAnalysis) {
    study = analysis.study
    confidences = analysis.confidences
  }

  /// The card.
  var markup: Markup {
    let plan = study.plan
    let points = study.design.endPoints.map { point -> (name: Markup, value: Markup) in
      (
        "\(point.id)",
        """
        \(EndPointWords(point).definition), \(point.better.rawValue) is better \
        (\(point.role.rawValue))
        """
      )
    }
    let seed: (name: Markup, value: Markup) = (
      "Seed", "\(String(plan.seed)), \(study.chanceWords)"
    )
    let statistics: [(name: Markup, value: Markup)] = [
      (
        "Intervals",
        """
        at each end the wider of the studentised bootstrap, \(ResampledMean.resamples) resamples, \
        seed 1 for each, and Student's t; \(confidences)
        """
      ),
      ("Several goals", "\(study.design.multiplicity.rawValue)"),
    ]
    let facts = [seed] + (study.design.sampled == nil ? statistics : [])
    return """
      <section class="card more" aria-labelledby="how"><h2 class="t" id="how">Definitions and \
      checks</h2>\(PageParts.pairs(points + facts, style: "stat wide"))\
      \(PageParts.command("loopsim study verify DIR --rerun 20"))</section>

      """
  }
}
