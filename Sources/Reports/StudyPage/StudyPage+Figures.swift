internal import Quantities
internal import Scenarios
internal import Studies

extension StudyPage {
  /// What the two arms of a comparison look like.
  func pictures(_ comparison: StudyComparison, _ number: Int) -> ArmPictures {
    func arm(_ name: String, _ patterns: [PatientPattern]) -> PicturedArm {
      PicturedArm(
        name: name,
        members: patterns.map {
          .init(id: $0.id, group: $0.group, day: $0.day, extremes: $0.extremes)
        })
    }
    return ArmPictures(
      arms: [
        arm(comparison.control, comparison.patterns.control),
        arm(comparison.treatment, comparison.patterns.treatment),
      ], words: GlucoseWords(glucoseUnit), noun: "patients",
      named: Set(comparison.harms.flatMap(\.newlyHarmed).map(\.id)),
      isPaired: analysis.study.design.isPaired, suffix: number == 0 ? "" : "-\(number + 1)")
  }

  /// The charts of the page, each as a file that stands alone.
  public var figures: [PageFigure] {
    let compared = analysis.comparisons.prefix(Self.comparisonsShown)
    return sensitivityFigures
      + compared.enumerated().flatMap { number, comparison in figures(comparison, number) }
  }

  private func figures(
    _ comparison: StudyComparison, _ number: Int
  ) -> [PageFigure] {
    let suffix = number == 0 ? "" : "-\(number + 1)"
    let title = "\(comparison.treatment) against \(comparison.control)"
    var figures: [PageFigure] = []
    func add(_ name: String, _ heading: String, _ rows: [SVGFigure.Row]) {
      guard !rows.isEmpty else { return }
      figures.append(
        PageFigure("\(name)\(suffix).svg", SVGFigure(title: "\(heading): \(title)", rows: rows)))
    }
    let goals = comparison.results.compactMap { result in
      goalDrawing(result).map { row(result, $0) }
    }
    add("goals", "Goals in order, right is better", goals)
    let forest = comparison.results.map(ForestRow.init)
    let reach = Self.reach(of: forest)
    add(
      "end-points", "Every end point, right is better",
      forest.map { row($0.result, $0.drawing(reach: reach)) })
    add("patients", "Every patient, right is better", patientRows(comparison))
    for result in comparison.harms {
      let shown = result.newlyHarmed
      let pairs = PairBars(result.endPoint, shown.flatMap { [$0.control, $0.treatment] })
      let decimals = EndPointWords(result.endPoint).decimals
      let rows = shown.map { patient in
        var row = SVGFigure.Row(
          name: patient.id, drawing: pairs.drawing(of: patient, decimals: decimals))
        row.note =
          "\(figure(patient.control, decimals)) → \(figure(patient.treatment, decimals))"
        return row
      }
      add("harmed-\(PageFigure.slug(result.endPoint.id))", "Newly harmed patients", rows)
    }
    return figures + pictures(comparison, number).figures(title: title)
  }

  /// An end point as a row, its estimate at the right.
  private func row(_ result: EndPointResult, _ drawing: Drawing) -> SVGFigure.Row {
    let words = EndPointWords(result.endPoint)
    var row = SVGFigure.Row(name: name(of: result.endPoint), drawing: drawing)
    row.note =
      "\(figure(result.differences?.mean, words.decimals + 1, signed: true)) "
      + interval(result.interval, words.decimals + 1)
    return row
  }

  private func patientRows(_ comparison: StudyComparison) -> [SVGFigure.Row] {
    guard let result = comparison.results.first else { return [] }
    let sorted = worstFirst(result)
    guard sorted.count <= Self.rowsShown else {
      return [.init(name: "Differences", drawing: quantiles(sorted.map(\.difference)))]
    }
    let reach = Self.reach(of: sorted)
    let decimals = EndPointWords(result.endPoint).decimals
    return sorted.map { patient in
      var row = SVGFigure.Row(
        name: patient.id,
        drawing: dots(of: patient, reach: reach, result.endPoint.better == .lower))
      row.note = figure(patient.difference, decimals, signed: true)
      return row
    }
  }
}
