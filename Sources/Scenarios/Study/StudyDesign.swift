public import Outcomes
public import StructuredText

/// What a study asks: arms on the same people, and end points with a direction and a margin.
public struct StudyDesign: Sendable {
  /// The variant that everything else is compared with; 0 where the scenario has no variants.
  public var controlVariant: Int
  /// The point of the sweep that the others are compared with; `nil` where variants are compared.
  public var controlPoint: Int?
  public var primary: [StudyEndPoint]
  public var secondary: [StudyEndPoint]
  public var safety: [StudyEndPoint]
  /// The column of the cohort's table that says which group a patient belongs to.
  public var strata: String?
  /// The confidence of every interval, in percent.
  public var confidence: Double
  public var multiplicity: Multiplicity
  /// Whether the arms share their chance.
  public var isPaired: Bool
  /// How many patients there are, where a pilot says so.
  public var precision: Precision?

  /// How many patients a pilot is to say.
  public struct Precision: Hashable, Sendable {
    /// The half width of the interval of the first primary end point, in its unit.
    public var halfWidth: Double
    /// How many patients of the cohort are run first, and never analysed.
    public var pilot: Int
  }

  /// All end points, in the order in which they are shown.
  public var endPoints: [StudyEndPoint] { primary + secondary + safety }
}

/// A figure by which arms are compared.
public struct StudyEndPoint: Hashable, Sendable {
  /// What the end point is there for.
  public enum Role: String, CaseIterable, Hashable, Sendable {
    case primary, secondary, safety
  }

  /// When a patient counts as harmed.
  public enum Harm: Hashable, Sendable {
    case above(Double)
    case below(Double)
    /// So many more than under control.
    case more(Double)
  }

  /// The unit of time of a rate.
  public struct Rate: Hashable, Sendable {
    /// The unit as the file has it, such as `100 years`.
    public var name: String
    /// Its length in days.
    public var days: Double
  }

  public var id: String
  public var metric: Metric
  public var role: Role
  public var better: BetterDirection
  public var goal: Goal?
  /// The part of each day that is measured, from the first time to before the second; it may pass
  /// midnight.
  public var daily: DailyWindow?
  public var rate: Rate?
  public var harm: Harm?
  /// The place of the end point in its file.
  public var position: TextPosition

  /// The unit of the value, rates included: `%`, `per week`.
  public var unit: String {
    rate.map { "per \($0.name)" } ?? metric.unitName
  }
}

/// Which direction of a metric is good.
public enum BetterDirection: String, CaseIterable, Hashable, Sendable {
  case lower, higher
}

/// What a study sets out to show of an end point.
public enum Goal: Hashable, Sendable {
  /// Better by more than an amount.
  case superior(by: Double)
  /// Not worse by a margin.
  case noninferior(margin: Double)
  /// Neither better nor worse by a margin.
  case equivalent(margin: Double)

  /// The word of the scenario file.
  public var word: String {
    switch self {
    case .superior: "superior"
    case .noninferior: "noninferior"
    case .equivalent: "equivalent"
    }
  }

  /// The amount or margin, in the metric's unit.
  public var margin: Double {
    switch self {
    case .superior(let by): by
    case .noninferior(let margin), .equivalent(let margin): margin
    }
  }
}

/// How several goals share the probability of a false claim.
public enum Multiplicity: String, CaseIterable, Hashable, Sendable {
  /// In the order of the file, each at the full level, until one is not met (Maurer, 1995).
  case sequence
  /// The primary goals in sequence, then Holm's method over the secondary ones.
  case holm
}
