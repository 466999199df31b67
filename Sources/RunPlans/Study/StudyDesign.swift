public import Outcomes
public import StructuredText

/// What a study asks: arms on the same people, and end points with a direction and a margin.
public struct StudyDesign: Sendable {
  /// The variant that everything else is compared with; 0 where the scenario has no variants.
  public var controlVariant: Int
  /// The point of the sweep that the others are compared with; `nil` where variants are compared.
  public var controlPoint: Int?
  /// The end points that decide.
  public var primary: [StudyEndPoint]
  /// The end points that stand beside them.
  public var secondary: [StudyEndPoint]
  /// The end points of harm.
  public var safety: [StudyEndPoint]
  /// The column of the cohort's table that says which group a patient belongs to.
  public var strata: String?
  /// The confidence of every interval, in percent.
  public var confidence: Double
  /// How several goals share the probability of a false claim.
  public var multiplicity: Multiplicity
  /// Whether the arms share their chance.
  public var isPaired: Bool
  /// How many patients there are, where a pilot says so.
  public var precision: Precision?
  /// The sweep, where its points are drawn to tell which settings matter; nothing is compared then.
  public var sampled: SampledSweep?

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
    /// Whether it decides, stands beside, or tells of harm.
    case primary, secondary, safety
  }

  /// When a patient counts as harmed.
  public enum Harm: Hashable, Sendable {
    /// With a value above a limit.
    case above(Double)
    /// With a value below a limit.
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

  /// The name of the end point.
  public var id: String
  /// The figure.
  public var metric: Metric
  /// What it is there for.
  public var role: Role
  /// Which direction is good.
  public var better: BetterDirection
  /// What the study sets out to show of it; `nil` for nothing.
  public var goal: Goal?
  /// The part of each day that is measured, from the first time to before the second; it may pass
  /// midnight.
  public var daily: DailyWindow?
  /// What it is counted per; `nil` for a figure that is no rate.
  public var rate: Rate?
  /// When a patient counts as harmed; `nil` without a rule.
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
  /// The lower, or the higher, the better.
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

  /// Fewer patients than this cannot show anything: the exact test of four signs never goes below
  /// p = 0.125.
  package static let fewestPatients = 5

  /// A goal without its amount or margin, by its word in the scenario file.
  public enum Kind: String, CaseIterable, Hashable, Sendable {
    /// Better, not worse, neither of both.
    case superior, noninferior, equivalent
  }

  /// Which goal it is.
  public var kind: Kind {
    switch self {
    case .superior: .superior
    case .noninferior: .noninferior
    case .equivalent: .equivalent
    }
  }

  /// The word of the scenario file.
  public var word: String { kind.rawValue }

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
