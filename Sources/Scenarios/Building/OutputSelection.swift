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

extension RunBuilder {
  /// Reads the block `output`.
  func output() -> OutputSelection {
    let field = root["output"]
    field.allowOnly(["every", "series", "save"])
    var output = OutputSelection()
    if field["series"].exists {
      let chosen = (field["series"].items() ?? []).compactMap {
        $0.choice(SeriesExpression.Name.self)
      }
      output.series = SeriesExpression.Name.allCases.filter(chosen.contains)
    }
    if field["save"].exists {
      let chosen = (field["save"].items() ?? []).compactMap {
        $0.choice(of: OutputSelection.words)
      }
      output.files = Set(chosen.compactMap { OutputSelection.File(rawValue: $0) })
      output.hasWholePredictions = chosen.contains(OutputSelection.predictions)
      output.loopInputs = OutputSelection.LoopInputs.allCases.first { choice in
        chosen.contains(choice.rawValue)
      }
      checkLoopInputs(field["save"], chosen)
      if output.series != nil, !output.files.contains(.timeline) {
        field["series"].warning(
          code: "W-NOEFFECT",
          "\"output.series\" has no effect: \"output.save\" does not keep the timeline.")
      }
    }
    return output
  }

  private func checkLoopInputs(_ field: Field, _ chosen: [String]) {
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
