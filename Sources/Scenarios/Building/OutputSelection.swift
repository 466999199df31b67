public import Expectations

/// What a scenario keeps of its runs, beside the summary that is always kept.
public struct OutputSelection: Hashable, Sendable {
  /// The name of the summary in the folder of a run.
  public static let summaryName = "summary.json"

  /// A file of a run's results, by its word in the format.
  public enum File: String, Hashable, Sendable, CaseIterable {
    /// A table, or a tree, of the run.
    case timeline, basalSegments, eventHistory, insulinDelivery, happenings, ledger, healthStore
    /// A table, or a tree, of the run.
    case doses, pulses, settings, cycles
    /// Of every half hour, in steps of half an hour.
    case predictions = "predictions:half-hourly"

    /// Its name in the folder of a run; whole predictions have that of ``predictions``.
    public var fileName: String {
      switch self {
      case .timeline: "timeline.csv"
      case .basalSegments: "basal-segments.csv"
      case .eventHistory: "event-history.csv"
      case .insulinDelivery: "insulin-delivery.csv"
      case .happenings: "happenings.csv"
      case .ledger: "ledger.json"
      case .healthStore: "health.sqlite"
      case .doses: "doses.csv"
      case .pulses: "pulses.csv"
      case .settings: "settings.json"
      case .cycles: "cycles.csv"
      case .predictions: "predictions.csv"
      }
    }

    /// Whether only an app has what it holds.
    public var needsApp: Bool {
      switch self {
      case .basalSegments, .eventHistory, .insulinDelivery, .healthStore, .settings, .cycles,
        .predictions:
        true
      case .timeline, .happenings, .ledger, .doses, .pulses: false
      }
    }
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

  /// Whether predictions are written, all of them or those of every half hour.
  public var keepsPredictions: Bool { hasWholePredictions || files.contains(.predictions) }

  /// The word of the format for whole predictions.
  static let predictions = "predictions"
  /// All files of a run with or without an app, as a scenario that says nothing keeps them.
  public static func whole(hasApp: Bool) -> Set<File> {
    Set(File.allCases.filter { hasApp || !$0.needsApp })
  }
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
