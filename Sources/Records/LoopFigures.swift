public import Quantities
public import StructuredText

/// What a loop itself said of one of its cycles.
public struct LoopFigures: Hashable, Sendable {
  /// When the loop said it.
  public var instant: Instant
  /// Insulin on board, in U; `nil` where it said none.
  public var insulinOnBoard: Double?
  /// Carbohydrates on board, in g; `nil` where it said none.
  public var carbsOnBoard: Double?
  /// When its prediction starts.
  public var predictionStart: Instant
  /// Its prediction in mg/dL, five minutes apart, up to the first value that is no number.
  public var predicted: [Double]

  /// Reads what Loop uploads to Nightscout: documents of `devicestatus`, alone or in a dump.
  ///
  /// Documents of other programs, and those without a time that can be read, are passed over. Field
  /// names are those of `LoopKit/NightscoutKit` (`LoopStatus.swift`, `PredictedBG.swift`).
  public static func read(_ root: JSONNode) -> [LoopFigures] {
    documents(of: root).compactMap { document in
      guard let loop = document["loop"] else { return nil }
      let said = loop["timestamp"]?.string ?? document["created_at"]?.string ?? ""
      guard let instant = Instant(iso8601: said) else { return nil }
      let prediction = loop["predicted"]
      let start = prediction?["startDate"]?.string.flatMap { Instant(iso8601: $0) }
      // Each value's place is its time.
      let values = (prediction?["values"]?.items ?? []).map(\.double).prefix { $0 != nil }
      return LoopFigures(
        instant: instant, insulinOnBoard: loop["iob"]?["iob"]?.double,
        carbsOnBoard: loop["cob"]?["cob"]?.double, predictionStart: start ?? instant,
        predicted: values.compactMap(\.self))
    }
  }

  /// How many documents hold what a loop said of a cycle, also those without a time that is read.
  public static func count(in root: JSONNode) -> Int {
    documents(of: root).count { $0["loop"] != nil }
  }

  private static func documents(of root: JSONNode) -> [JSONNode] {
    if let list = root.items ?? root["devicestatus"]?.items { return list }
    // The third version of the interface has a list, or one document, as the result.
    if let result = root["result"] { return result.items ?? [result] }
    return [root]
  }

  /// The prediction at an instant, in mg/dL, between its points.
  func prediction(at instant: Instant) -> Double? {
    let steps = (instant - predictionStart).seconds / 300
    guard steps >= 0, steps <= Double(predicted.count - 1) else { return nil }
    let low = Int(steps.rounded(.down))
    let high = min(low + 1, predicted.count - 1)
    return predicted[low] + (steps - Double(low)) * (predicted[high] - predicted[low])
  }
}

/// How a loop's own figures compare with those of a backtest.
public struct FiguresComparison: Sendable {
  /// One kind of figure.
  public struct Figure: Sendable {
    /// What the figure is called.
    public var name: String
    /// The unit of the figure.
    public var unit: String
    /// The difference up to which two figures count as equal.
    public var tolerance: Double
    /// How many cycles have both.
    public internal(set) var count = 0
    /// How many of those cycles have equal figures.
    public internal(set) var equal = 0
    /// The largest difference.
    public internal(set) var largest = 0.0

    /// Counts a cycle by its largest difference; `nil` where it has not both anywhere.
    mutating func add(_ pairs: [(own: Double?, said: Double?)]) -> Bool? {
      assert(tolerance >= 0, "Figures are equal to within some distance.")
      let differences = pairs.compactMap { own, said in
        if let own, let said { (own - said).magnitude } else { nil }
      }
      guard let difference = differences.max() else { return nil }
      count += 1
      largest = max(largest, difference)
      guard difference <= tolerance else { return false }
      equal += 1
      return true
    }
  }

  /// Why the figures of a cycle differ.
  public enum Cause: String, Sendable, CaseIterable {
    /// Insulin on board is not the same.
    case insulin =
      "insulin: a dose that one of them did not know, or another basal schedule or insulin"
    /// Carbohydrates on board are not the same.
    case carbohydrates = "carbohydrates: an entry that was changed, or another ratio"
    /// The prediction alone is not the same.
    case prediction = "glucose or settings: insulin and carbohydrates on board are the same"
  }

  /// The kinds of figure.
  public private(set) var figures = [
    Figure(name: "insulin on board", unit: "U", tolerance: 0.05),
    Figure(name: "carbohydrates on board", unit: "g", tolerance: 1),
    Figure(name: "prediction", unit: "mg/dL", tolerance: 1),
  ]
  /// How many cycles differ for each cause; the first that holds counts.
  public private(set) var causes: [(cause: Cause, cycles: Int)] = []
  /// How many of the loop's own cycles have no reading of the record within 150 s.
  public private(set) var unmatched = 0

  /// Compares cycles; `nil` where the loop said nothing.
  ///
  /// What it said stands in two files where their times overlap, and counts once.
  init?(of rows: [Backtest.Row], with said: [LoopFigures]) {
    guard !said.isEmpty else { return nil }
    var counts: [Cause: Int] = [:]
    var seen: Set<LoopFigures> = []
    for own in said.sorted(by: { $0.instant < $1.instant }) where seen.insert(own).inserted {
      guard let row = Self.row(of: own.instant, in: rows) else {
        unmatched += 1
        continue
      }
      let insulin = figures[0].add([(row.insulinOnBoard, own.insulinOnBoard)])
      let carbs = figures[1].add([(row.carbsOnBoard, own.carbsOnBoard)])
      let prediction = figures[2].add(
        zip(Backtest.horizons, row.predicted).map { horizon, predicted in
          (predicted, own.prediction(at: row.instant + horizon))
        })
      if insulin == false {
        counts[.insulin, default: 0] += 1
      } else if carbs == false {
        counts[.carbohydrates, default: 0] += 1
      } else if prediction == false {
        counts[.prediction, default: 0] += 1
      }
    }
    causes = Cause.allCases.compactMap { cause in counts[cause].map { (cause, $0) } }
  }

  /// The cycle nearest to an instant, within 150 s.
  private static func row(of instant: Instant, in rows: [Backtest.Row]) -> Backtest.Row? {
    var (low, high) = (0, rows.count)
    while low < high {
      let middle = (low + high) / 2
      if rows[middle].instant < instant { low = middle + 1 } else { high = middle }
    }
    let near = rows[max(0, low - 1)..<min(rows.count, low + 1)]
    let best = near.min {
      ($0.instant - instant).magnitude < ($1.instant - instant).magnitude
    }
    guard let best, (best.instant - instant).magnitude <= .seconds(150) else { return nil }
    return best
  }
}
