/// A zone of an error grid, from A (no harm) to E (dangerous).
public enum ErrorZone: String, Hashable, Sendable, CaseIterable {
  /// The letter of the zone.
  case A, B, C, D, E
}

/// The error grid of Clarke et al., Diabetes Care 1987.
public enum ClarkeGrid {
  /// The zone of a reference and a test value, in milligrams per decilitre.
  ///
  /// Later rules override earlier ones: B, E, D, C, A.
  public static func zone(reference x: Double, test y: Double) -> ErrorZone {
    if !(y - x).magnitude.isClearlyAbove(0.2 * x) || (x < 70 && y < 70) { return .A }
    if x >= 130 && x <= 180 && y.isClearlyBelow(1.4 * (x - 130)) { return .C }
    if x > 70 && y > 180 && y.isClearlyAbove(x + 110) { return .C }
    if y >= 70 && y < 180 && (x < 70 || x > 240) { return .D }
    if (x <= 70 && y >= 180) || (x >= 180 && y <= 70) { return .E }
    return .B
  }
}

/// The consensus error grid of Parkes et al., Diabetes Care 2000.
///
/// Vertices are those of secondary sources, which disagree on the lower D line of type 1: here it
/// ends at (550, 150). The last stretch of each line is extended beyond 550 mg/dL.
public enum ParkesGrid: String, Hashable, Sendable, CaseIterable {
  /// For people with type 1 diabetes.
  case type1
  /// For people with type 2 diabetes.
  case type2

  /// The zone of a reference and a test value, in milligrams per decilitre.
  public func zone(reference x: Double, test y: Double) -> ErrorZone {
    for (zone, line) in upperLines where Self.isAbove(line, x, y) { return zone }
    for (zone, line) in lowerLines where Self.isBelow(line, x, y) { return zone }
    return .A
  }

  private typealias Line = [(x: Double, y: Double)]

  /// Lines above which a zone begins, the outermost first.
  private var upperLines: [(ErrorZone, Line)] {
    switch self {
    case .type1:
      [
        (.E, [(0, 150), (35, 155), (50, 550)]),
        (.D, [(0, 100), (25, 100), (50, 125), (80, 215), (125, 550)]),
        (.C, [(0, 60), (30, 60), (50, 80), (70, 110), (260, 550)]),
        (.B, [(0, 50), (30, 50), (140, 170), (280, 380), (430, 550)]),
      ]
    case .type2:
      [
        (.E, [(0, 200), (35, 200), (50, 550)]),
        (.D, [(0, 80), (25, 80), (35, 90), (125, 550)]),
        (.C, [(0, 60), (30, 60), (280, 550)]),
        (.B, [(0, 50), (30, 50), (230, 330), (440, 550)]),
      ]
    }
  }

  /// Lines below which, to the right of their first vertex, a zone begins, the outermost first.
  private var lowerLines: [(ErrorZone, Line)] {
    switch self {
    case .type1:
      [
        (.D, [(250, 0), (250, 40), (550, 150)]),
        (.C, [(120, 0), (120, 30), (260, 130), (550, 250)]),
        (.B, [(50, 0), (50, 30), (170, 145), (385, 300), (550, 450)]),
      ]
    case .type2:
      [
        (.D, [(250, 0), (250, 40), (410, 110), (550, 160)]),
        (.C, [(90, 0), (260, 130), (550, 250)]),
        (.B, [(50, 0), (50, 30), (90, 80), (330, 230), (550, 450)]),
      ]
    }
  }

  private static func isAbove(_ line: Line, _ x: Double, _ y: Double) -> Bool {
    y.isClearlyAbove(height(of: line, at: x))
  }

  private static func isBelow(_ line: Line, _ x: Double, _ y: Double) -> Bool {
    guard let first = line.first, x > first.x else { return false }
    return y.isClearlyBelow(height(of: line, at: x))
  }

  private static func height(of line: Line, at x: Double) -> Double {
    for index in 1..<line.count {
      let (a, b) = (line[index - 1], line[index])
      let isLast = index == line.count - 1
      guard x <= b.x || isLast, b.x > a.x else { continue }
      return a.y + (b.y - a.y) * (x - a.x) / (b.x - a.x)
    }
    return 0
  }
}

/// The surveillance error grid, which grades risk by a table of scores.
///
/// Klonoff et al., J Diabetes Sci Technol 2014. The grid is a table of experts' scores, not a
/// formula, and is not part of this program: who has it hands it over.
public struct SurveillanceGrid: Hashable, Sendable {
  /// A degree of risk, by the grid's published bins.
  public enum Risk: Int, Hashable, Sendable, CaseIterable {
    /// The degree of risk, from none to extreme.
    case none, slight, moderate, high, extreme

    /// The degree of a score's magnitude: bins end at 0.5, 1.5, 2.5 and 3.5, which they contain.
    ///
    /// The table of risk levels has none from 0 to 0.5, slight above 0.5, and extreme above 3.5
    /// (mjfrigaard/seg-shiny-0.3.3).
    public init(score: Double) {
      self =
        switch score.magnitude {
        case ...0.5: .none
        case ...1.5: .slight
        case ...2.5: .moderate
        case ...3.5: .high
        default: .extreme
        }
    }
  }

  private let scores: [[Double]]

  /// Takes a square table of scores: a row for each test value and a column for each reference,
  /// from 0 mg/dL in steps of 1; nothing when it is not square or smaller than 601.
  public init?(scores: [[Double]]) {
    guard scores.count >= 601, scores.allSatisfy({ $0.count == scores.count }) else { return nil }
    self.scores = scores
  }

  /// The score of a reference and a test value, in milligrams per decilitre.
  public func score(reference: Double, test: Double) -> Double {
    scores[index(test)][index(reference)]
  }

  private func index(_ value: Double) -> Int {
    guard value.isFinite, value > 0 else { return 0 }
    return Int(min(value.rounded(), Double(scores.count - 1)))
  }
}
