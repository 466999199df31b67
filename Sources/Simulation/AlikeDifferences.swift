public import Quantities

/// Differences of which the same is said of other amounts and other times.
///
/// A health store that is wiped, or that the app may not write, lacks hundreds of doses for one
/// reason, which is worth one sentence.
public struct AlikeDifferences: Hashable, Sendable {
  /// The differences, of which there is at least one, in the order in which they came.
  public let differences: [RecordDifference]

  /// So many are told one by one, times without a reading too.
  static let mostTold = 3

  /// The differences with those that are like them, in the order in which they come.
  public static func groups(of differences: [RecordDifference]) -> [Self] {
    places(in: differences).map { places in Self(differences: places.map { differences[$0] }) }
  }

  /// The places of differences in their list, those together that are alike, in the order in which
  /// they come.
  public static func places(in differences: [RecordDifference]) -> [[Int]] {
    differences.indices.inGroups { place in
      let difference = differences[place]
      return Likeness(
        severity: difference.severity, kind: difference.kind, words: difference.text.wording)
    }
  }

  /// Makes a group of differences, which have to be alike, and no fewer than one.
  public init(differences: [RecordDifference]) {
    precondition(!differences.isEmpty, "There is at least one difference.")
    self.differences = differences
  }

  /// Whether there are so many that one sentence is for all.
  public var isToldTogether: Bool { differences.count > Self.mostTold }

  /// When the first begins.
  public var start: Instant { differences.lazy.map(\.start).min() ?? differences[0].start }

  /// When the last ends.
  public var end: Instant { differences.lazy.map(\.end).max() ?? differences[0].end }

  /// The insulin of all, without its sign, in units.
  public var units: Double { differences.reduce(0) { $0 + $1.units }.magnitude }

  /// What differences have in common that are alike.
  private struct Likeness: Hashable {
    var severity: RecordDifference.Severity
    var kind: RecordDifference.Kind
    var words: [Substring]
  }
}

extension RunResult {
  /// One sentence for differences that are told together: the first, how many there are, and when.
  public func sentence(on alike: AlikeDifferences) -> String {
    RunTroubles(run: self).trouble(.wrongRecord, of: alike).sentence
  }
}

extension String {
  /// What it has in common with sentences that differ in their numbers alone, and in the zones of
  /// times.
  var wording: [Substring] { split { $0.isNumber || "+-:Z".contains($0) } }
}
