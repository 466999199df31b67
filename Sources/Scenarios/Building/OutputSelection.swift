/// What a scenario keeps of its runs, beside the summary that is always kept.
public struct OutputSelection: Hashable, Sendable {
  /// A file of a run's results, by its word in the format.
  public enum File: String, Hashable, Sendable, CaseIterable {
    case timeline, basalSegments, eventHistory, insulinDelivery, happenings, ledger, healthStore
  }

  /// The series of the timeline; nothing for all of them and what the loop recommended.
  public var series: [SeriesExpression.Name]?
  public var files: Set<File>

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
        $0.choice(OutputSelection.File.self)
      }
      output.files = Set(chosen)
      if output.series != nil, !output.files.contains(.timeline) {
        field["series"].warning(
          code: "W-NOEFFECT",
          "\"output.series\" has no effect: \"output.save\" does not keep the timeline.")
      }
    }
    return output
  }
}
