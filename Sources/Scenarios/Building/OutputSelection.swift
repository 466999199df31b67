public import Expectations
internal import Quantities
internal import ScenarioLanguage
internal import StructuredText

/// What a scenario keeps of its runs, beside the summary that is always kept.
public struct OutputSelection: Hashable, Sendable {
  /// A file of a run's results, by its word in the format.
  public enum File: String, Hashable, Sendable, CaseIterable {
    /// A table, or a tree, of the run.
    case timeline, basalSegments, eventHistory, insulinDelivery, happenings, ledger, healthStore
    /// A table, or a tree, of the run.
    case doses, pulses, settings, cycles
    /// Of every half hour, in steps of half an hour.
    case predictions = "predictions:half-hourly"
  }

  /// Of which cycles of the loop the algorithm's input is kept, by its word in the format.
  public enum LoopInputs: String, Hashable, Sendable, CaseIterable {
    /// Of every cycle.
    case all = "loopInputs"
    /// Of the cycles around the moments at which expectations of the run failed.
    case aroundFailures = "loopInputs:failures"
  }

  /// The series of the timeline; nothing for all of them and what the loop recommended.
  public var series: [SeriesExpression.Name]?
  /// The files that are written.
  public var files: Set<File>
  /// What is kept of the algorithm's input; nothing unless the scenario asks.
  public var loopInputs: LoopInputs?

  /// Whether the predictions of every cycle are kept with all their values, in place of
  /// ``File/predictions``.
  public var hasWholePredictions = false

  /// The word of the format for whole predictions.
  static let predictions = "predictions"
  /// The words of the format for what can be kept.
  static let words =
    File.allCases.map(\.rawValue) + [predictions] + LoopInputs.allCases.map(\.rawValue)

  /// Creates a `OutputSelection` from its parts; see the properties.
  public init(
    series: [SeriesExpression.Name]? = nil, files: Set<File> = Set(File.allCases)
  ) {
    self.series = series
    self.files = files
  }
}

/// The block `output`.
struct OutputBlock: Sendable {
  /// The time between two rows of series.
  var every = TimeSpan.minutes(5)
  var selection = OutputSelection()

  static let block = Block<Self> {
    $0.set(
      \.every, "every", .duration(.seconds(1)...(.days(1))), default: "'5m'",
      "The time between two rows of series.")
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

extension RunBuilder {
  /// Reads the block `output`.
  func output() -> OutputBlock {
    let field = root["output"]
    let output = OutputBlock.block.value(OutputBlock(), of: field)
    checkLoopInputs(field["save"])
    if output.selection.series != nil, !output.selection.files.contains(.timeline) {
      field["series"].warning(
        code: "W-NOEFFECT",
        "\"output.series\" has no effect: \"output.save\" does not keep the timeline.")
    }
    return output
  }

  private func checkLoopInputs(_ field: Field) {
    let chosen = (field.node?.items ?? []).compactMap(\.string)
    let word = OutputSelection.LoopInputs.aroundFailures.rawValue
    guard chosen.contains(word) else { return }
    if chosen.contains(OutputSelection.LoopInputs.all.rawValue) {
      field.warning(
        code: "W-NOEFFECT", "'\(word)' has no effect beside 'loopInputs', which keeps them all.")
    } else if root["expect"].node?.items?.isEmpty ?? true {
      field.warning(
        code: "W-NOEFFECT", "'\(word)' has no effect: the scenario expects nothing.")
    }
  }
}
