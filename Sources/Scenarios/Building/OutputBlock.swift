internal import Expectations
internal import Quantities
internal import ScenarioLanguage
internal import StructuredText

/// The block `output`.
struct OutputBlock: Sendable {
  /// The time between two rows of series.
  var every = TimeSpan.minutes(5)
  var selection = OutputSelection()

  static let block = Block<Self> {
    $0.set(
      \.every, "every", .duration(.seconds(1)...(.days(1))), default: "'5m'",
      "The time between two rows of series, from which figures of glucose are taken.")
    $0.set(
      optional: \.selection.series, "series",
      Form.list(.choice(SeriesExpression.Name.self)).map { chosen, _ in
        SeriesExpression.Name.allCases.filter(chosen.contains)
      }, else: "all", "The series that the timeline keeps.")
    $0.set(
      \.selection.chosen, "save", .list(.words(OutputSelection.words.map { ($0, $0) })),
      else: "all but whole predictions and the loop's inputs",
      "The files that are kept beside the summary; an empty list keeps the summary alone. "
        + "`predictions` keeps what every cycle predicted, in place of every half hour. "
        + "`loopInputs` is a folder with the algorithm's input of every cycle, for "
        + "`loopsim predict`; `loopInputs:failures` has those of the half hours before and after "
        + "the moments at which expectations of the run failed.")
  }

  /// Reads the block of a scenario; without an app it keeps nothing of what only an app has.
  static func reading(_ root: Field) -> Self {
    let field = root["output"]
    var output = block.value(Self(), of: field)
    let hasExpectations = root["expect"].node?.items?.isEmpty == false
    checkLoopInputs(field["save"], hasExpectations: hasExpectations)
    if output.selection.series != nil, !output.selection.files.contains(.timeline) {
      field["series"].warnOfNoEffect(
        "\"output.series\" has no effect: \"output.save\" does not keep the timeline.")
    }
    guard !root.hasApp else { return output }
    checkWithoutApp(field)
    output.selection.files = output.selection.files.filter { !$0.needsApp }
    return output
  }

  /// The longest time between two rows with which no event of glucose lies between them unseen: the
  /// shortest one lasts as long.
  private static let longestStep = TimeSpan.minutes(15)

  /// Warns where figures of a run leave something of it out: what lies between two rows of the
  /// series that are far apart, and what comes after the last of them.
  ///
  /// The figures are taken from the rows, whether the timeline is kept or not.
  func checkRows(of duration: TimeSpan, _ root: Field) {
    let stated = root["output"]["every"]
    if every > Self.longestStep {
      stated.warning(
        code: "W-LIMITS",
        "Figures of glucose and of insulin on board are taken from rows \(every) apart: lows and "
          + "highs between two of them are in no figure. Rows of at most \(Self.longestStep) see "
          + "every event; output.save: [] keeps none of them.")
    }
    let rest = TimeSpan(milliseconds: duration.milliseconds % every.milliseconds)
    guard rest > .zero else { return }
    let isKept = selection.files.contains(.timeline)
    (stated.exists ? stated : root["clock"]["duration"]).warning(
      code: "W-LIMITS",
      "The run is no whole multiple of the \(every) between two rows of series: its last \(rest) "
        + "are in no \(isKept ? "row of the timeline, and in no " : "")figure of glucose.")
  }

  private static func checkLoopInputs(_ field: Field, hasExpectations: Bool) {
    let chosen = field.listed.compactMap { $0.node?.string }
    let word = OutputSelection.LoopInputs.aroundFailures.rawValue
    guard chosen.contains(word) else { return }
    if chosen.contains(OutputSelection.LoopInputs.all.rawValue) {
      field.warnOfNoEffect("'\(word)' has no effect beside 'loopInputs', which keeps them all.")
    } else if !hasExpectations {
      field.warnOfNoEffect("'\(word)' has no effect: the scenario expects nothing.")
    }
  }

  /// Reports what the scenario asks for and only an app has.
  private static func checkWithoutApp(_ field: Field) {
    for result in field["save"].listed {
      guard let word = result.node?.string,
        OutputSelection.File(rawValue: word)?.needsApp ?? OutputSelection.words.contains(word)
      else { continue }
      result.needsApp("The result '\(word)'")
    }
    for series in field["series"].listed {
      let name = series.node?.string.flatMap { SeriesExpression.Name(rawValue: $0) }
      if let need = name?.needOfApp { series.needsApp(need) }
    }
  }
}

extension OutputSelection {
  /// What is kept, by the words of the format.
  fileprivate var chosen: [String] {
    get { files.map(\.rawValue) }
    set {
      files = Set(newValue.compactMap { File(rawValue: $0) })
      hasWholePredictions = newValue.contains(Self.predictions)
      loopInputs = LoopInputs.allCases.first { newValue.contains($0.rawValue) }
    }
  }
}
