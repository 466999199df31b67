internal import Quantities
internal import RunPlans
internal import Studies
internal import Typesetting

/// What the page of a study says of one comparison: harm before averages.
struct ComparisonSection {
  private let comparison: StudyComparison
  private let number: Int
  private let study: StudyProtocol
  private let goalConfidence: Double
  private let confidences: String
  private let glucoseUnit: GlucoseUnit
  private let names: EndPointNames

  /// Takes a comparison of a study, and its place on the page.
  init(
    _ comparison: StudyComparison, number: Int, of analysis: StudyAnalysis,
    glucoseUnit: GlucoseUnit, names: EndPointNames
  ) {
    self.comparison = comparison
    self.number = number
    study = analysis.study
    goalConfidence = analysis.goalConfidence
    confidences = analysis.confidences
    self.glucoseUnit = glucoseUnit
    self.names = names
  }

  /// Who was harmed, and whether the goals are met.
  var answer: Markup {
    """
    <div class="cols even"><div class="stack">\(harm.markup)</div>\
    \(goals.markup)</div>

    """
  }

  /// Every end point, every patient, what the arms look like, and the groups.
  var details: Markup {
    var markup = forest.markup + patients.markup + pictures.markup
    if study.design.strata != nil {
      markup += GroupsCard(comparison, number: number, names: names).markup
    }
    return markup
  }

  private var harm: HarmCard {
    HarmCard(comparison, number: number, confidence: study.design.confidence, names: names)
  }
  private var goals: GoalsCard {
    GoalsCard(comparison, number: number, confidence: goalConfidence, names: names)
  }
  private var forest: ForestCard {
    ForestCard(comparison, number: number, confidences: confidences, names: names)
  }
  private var patients: PatientsCard { PatientsCard(comparison, number: number, names: names) }

  /// What ids and names of files end with: nothing for the first comparison.
  private var suffix: String { number == 0 ? "" : "-\(number + 1)" }

  /// What the two arms of a comparison look like.
  private var pictures: ArmPictures {
    func arm(_ name: String, _ patterns: [PatientPattern]) -> PicturedArm {
      PicturedArm(
        name: name,
        members: patterns.map {
          .init(
            id: $0.id, group: $0.group, day: $0.day, extremes: $0.extremes,
            dailyDose: $0.dailyDose)
        })
    }
    return ArmPictures(
      arms: [
        arm(comparison.control, comparison.patterns.control),
        arm(comparison.treatment, comparison.patterns.treatment),
      ], words: GlucoseWords(glucoseUnit), noun: "patients",
      named: Set(comparison.harms.flatMap(\.newlyHarmed).map(\.id)),
      isPaired: study.design.isPaired, suffix: suffix)
  }

  /// The charts of the comparison, each as a file that stands alone.
  var figures: [PageFigure] {
    let title = "\(comparison.name) against \(comparison.control)"
    var figures: [PageFigure] = []
    func add(_ name: String, _ heading: String, _ rows: [SVGFigure.Row]) {
      guard !rows.isEmpty else { return }
      figures.append(
        PageFigure("\(name)\(suffix).svg", SVGFigure(title: "\(heading): \(title)", rows: rows)))
    }
    add("goals", "Goals in order, right is better", goals.rows)
    add("end-points", "Every end point, right is better", forest.rows)
    add("patients", "Every patient, right is better", patients.rows)
    for result in comparison.harms {
      add(
        "harmed-\(PageFigure.slug(result.endPoint.id))", "Newly harmed patients",
        HarmCard.rows(of: result))
    }
    return figures + pictures.figures(title: title)
  }
}

extension SVGFigure.Row {
  /// An end point as a row, its estimate at the right.
  init(_ result: EndPointResult, name: String, _ drawing: Drawing) {
    self.init(name: name, drawing: drawing)
    let decimals = EndPointWords(result.endPoint).decimals + 1
    note =
      "\(PageNumber.text(result.differences?.mean, decimals, signed: true)) "
      + PageNumber.interval(result.toldInterval, decimals)
  }
}
