internal import Expectations
internal import Quantities
internal import ScenarioLanguage
internal import Simulation
internal import StructuredText

/// The block `output`.
struct OutputBlock: Sendable {
  /// The time between two rows of series.
  var every = TimeSpan.minutes(5)
  var selection = OutputSelection()

  static let block = Block<Self> {
    $0.set(
      \.every, "every", .duration(.seconds(1)...(.days(1))), default: "'5m'",
      "The time between two rows of the timeline and of series. Figures, and what went wrong, are "
        + "taken from rows at most five minutes apart, whatever this says.")
    $0.set(
      optional: \.selection.series, "series",
      Form.list(.choice(SeriesExpression.Name.self)).map { chosen, _ in
        SeriesExpression.Name.allCases.filter(chosen.contains)
      }, else: "all", "The series that the timeline keeps.")
    $0.set(
      \.selection.chosen, "save",
      .list(.words(OutputSelection.words.map { ($0, $0) }) { word(of: $0) }),
      else: "all but whole predictions and the loop's inputs",
      "The files that are kept beside the summary; an empty list keeps the summary alone. "
        + "`predictions` keeps what every cycle predicted, in place of every half hour. "
        + "`loopInputs` is a folder with the algorithm's input of every cycle, for "
        + "`loopsim predict`; `loopInputs:failures` has those of the half hours before and after "
        + "the moments at which expectations of the run failed.")
  }

  /// The word of what is kept; the summary has none, as nobody can do without it.
  private static func word(of field: Field) -> String? {
    guard let text = field.node?.string, ["summary", OutputSelection.summaryName].contains(text)
    else { return field.choice(of: OutputSelection.words) }
    field.error(
      "The summary is always kept, and \"output.save\" names what is kept beside it. Leave "
        + "'\(text)' out; an empty list keeps the summary alone.")
    return nil
  }

  /// Reads the block of a scenario; without an app it keeps nothing of what only an app has.
  static func reading(_ root: Field) -> Self {
    let field = root["output"]
    var output = block.value(Self(), of: field)
    let hasExpectations = root["expect"].node?.items?.isEmpty == false
    checkLoopInputs(field["save"], hasExpectations: hasExpectations)
    output.checkEvery(field["every"])
    if output.selection.series != nil, !output.selection.files.contains(.timeline) {
      field["series"].warnOfNoEffect(
        "\"output.series\" has no effect: \"output.save\" does not keep the timeline.")
    }
    guard !root.hasApp else { return output }
    checkWithoutApp(field)
    output.selection.files = output.selection.files.filter { !$0.needsApp }
    return output
  }

  /// Refuses a time between two rows of the timeline that makes those of a run very many.
  private func checkEvery(_ field: Field) {
    let interval = Trace.interval(forOutputEvery: every)
    guard interval < .seconds(1) else { return }
    field.error(
      "A row every \(every) would need rows every \(interval) between: rows are at most five "
        + "minutes apart, and one of them falls on each. Write whole seconds, such as "
        + "'\(TimeSpan.seconds(Int64(every.seconds.rounded())))'.")
  }

  /// Warns where the timeline leaves something of a run out, or the figures do: what comes after
  /// the last of the rows.
  ///
  /// The figures are taken from rows, whether the timeline is kept or not.
  func checkRows(of duration: TimeSpan, _ root: Field) {
    func rest(_ interval: TimeSpan) -> TimeSpan {
      TimeSpan(milliseconds: duration.milliseconds % interval.milliseconds)
    }
    let (unwritten, unseen) = (rest(every), rest(Trace.interval(forOutputEvery: every)))
    var places: [String] = []
    if unwritten > .zero, selection.files.contains(.timeline) {
      places.append("\(unwritten) are in no row of the timeline")
    }
    if unseen > .zero {
      let span = unseen == unwritten && !places.isEmpty ? "" : "\(unseen) are "
      places.append("\(span)in no figure of glucose")
    }
    guard !places.isEmpty else { return }
    let stated = root["output"]["every"]
    (stated.exists ? stated : root["clock"]["duration"]).warning(
      code: PlanWarnings.ofRun,
      "The run is no whole multiple of the \(every) between two rows of series: its last "
        + "\(places.joined(separator: ", and ")).")
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
