public import Quantities

/// A difference, or several of which the same is said of other amounts and other times.
///
/// A health store that is wiped, or that the app may not write, lacks hundreds of doses for one
/// reason, which is worth one sentence.
public struct AlikeDifferences: Hashable, Sendable {
  /// The differences, of which there is at least one, in the order in which they came.
  public let differences: [RecordDifference]
  /// Where they stand in the list of all.
  public let places: [Int]

  /// So many are told one by one, times without a reading too.
  static let mostTold = 3

  /// Differences as they are told: many that are alike together, and every other one alone; with
  /// those that are like them, in the order in which they come.
  public static func groups(of differences: [RecordDifference]) -> [Self] {
    let alike = differences.indices.inGroups { place in
      let difference = differences[place]
      return Likeness(
        severity: difference.severity, kind: difference.kind, words: difference.text.wording)
    }
    return alike.flatMap { $0.count > mostTold ? [$0] : $0.map { [$0] } }.map { places in
      Self(differences: places.map { differences[$0] }, places: places)
    }
  }

  /// Whether there are so many that one sentence is for all.
  public var isToldTogether: Bool { differences.count > 1 }

  /// When the first begins.
  public var start: Instant { differences.lazy.map(\.start).min() ?? differences[0].start }

  /// When the last ends.
  public var end: Instant { differences.lazy.map(\.end).max() ?? differences[0].end }

  /// The insulin of all, in U: above zero where a record has too much.
  public var sum: Double { differences.reduce(0) { $0 + $1.units } }

  /// The insulin of all, without its sign, in U.
  public var units: Double { sum.magnitude }

  /// What differences have in common that are alike.
  private struct Likeness: Hashable {
    var severity: RecordDifference.Severity
    var kind: RecordDifference.Kind
    var words: [Substring]
  }
}

extension RunResult {
  /// One sentence: that of the first difference, and of several how many there are, and when.
  public func sentence(on alike: AlikeDifferences) -> String {
    RunTroubles(run: self).trouble(.wrongRecord, of: alike).sentence
  }
}

extension String {
  /// What it has in common with sentences that differ in their numbers alone, and in the zones of
  /// times.
  var wording: [Substring] { split { $0.isNumber || "+-:Z".contains($0) } }
}
