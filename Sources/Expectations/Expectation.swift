public import Outcomes
public import Quantities
public import StructuredText

/// What a scenario expects of a run, read and ready to be held against one.
public struct Expectation: Sendable {
  /// The name of the expectation within its scenario.
  public var id: String
  /// Whether a failure is only a warning.
  public var isWarning: Bool
  /// The variants it concerns; nothing means all.
  public var variants: [String]?
  /// Where it stands in the scenario file.
  public var position: TextPosition
  /// The part of the run that is looked at.
  public var scope: Scope
  /// What must hold.
  public var check: Check
  /// How the runs of the scenario are looked at together.
  public var across = Across.each
  /// Whether this run is only what runs of other variants are compared with.
  public var isReference = false

  /// Whether what came of it depends on other runs of the scenario.
  public var joinsRuns: Bool {
    if case .compare(let compare) = check, case .variant = compare.other { return true }
    return across != .each
  }

  /// The part of the run that is looked at.
  public struct Scope: Sendable {
    /// From this instant to that one, both included.
    public var from: Instant
    /// The last instant that is looked at.
    public var through: Instant
    /// Whether the scenario narrowed the run.
    public var isNarrowed: Bool
    /// Stretches that are left out.
    public var outside: [Range<Instant>]
    /// Faults whose time is left out.
    public var outsideFaults: [String]

    /// Whether an instant is looked at.
    func contains(_ instant: Instant) -> Bool {
      instant >= from && instant <= through && !outside.contains { $0.contains(instant) }
    }

    /// Whether no instant is looked at, so that nothing could be found where it should not be.
    var isEmpty: Bool {
      var first = from
      for stretch in outside.sorted(by: { $0.lowerBound < $1.lowerBound })
      where stretch.contains(first) {
        first = stretch.upperBound
      }
      return first > through
    }

    /// The scope for rows that were kept: of a run that is looked at as a whole those before its
    /// start and after its end too, which the run lacks.
    var ofKeptRows: Scope {
      guard !isNarrowed else { return self }
      var scope = self
      scope.from = Instant(millisecondsSince1970: .min)
      scope.through = Instant(millisecondsSince1970: .max)
      return scope
    }
  }

  /// What must hold.
  public enum Check: Sendable {
    /// A figure lies within bounds.
    case metric(Metric, Bounds)
    /// A series obeys a law at each row.
    case series(SeriesExpression, SeriesLaw)
    /// The basal samples are as stated.
    case timeline(TimelineCheck)
    /// Something happened so often.
    case events(EventCheck)
    /// A built-in law holds.
    case invariant(Invariant)
    /// A run compares with another.
    case compare(CompareCheck)
    /// The timeline is as it was kept.
    case golden(GoldenCheck)

    /// Whether a figure is measured over the stretch that is looked at.
    var isMeasured: Bool {
      switch self {
      case .metric: true
      case .compare(let compare):
        if case .metric = compare.subject { true } else { false }
      case .series, .timeline, .events, .invariant, .golden: false
      }
    }

    /// Whether what was before the start of the run counts too.
    var reachesBack: Bool {
      switch self {
      case .timeline, .events, .invariant: true
      case .metric, .series, .compare, .golden: false
      }
    }
  }

  /// The bounds of the value that runs have, where they have one.
  var bounds: Bounds? {
    switch check {
    case .metric(_, let bounds): bounds
    case .compare(let compare): compare.bounds
    default: nil
    }
  }

  /// The number that decided, with what it was held against; `nil` for a check of something else
  /// than a number.
  func measure(_ value: Double?) -> ExpectationMeasure? {
    switch check {
    case .metric(let metric, let bounds): bounds.measure(value, unit: metric.unitName)
    case .series(let expression, let law):
      ExpectationMeasure(
        value, unit: expression.unitName, minimum: law.floor, maximum: law.ceiling)
    case .compare(let compare):
      compare.bounds?.measure(value, unit: compare.unit)
    case .timeline, .events, .invariant, .golden: nil
    }
  }

  /// The ratio of a comparison that asks for a difference as well, and what it was held against.
  func ratioMeasure(_ value: Double?) -> ExpectationMeasure? {
    guard case .compare(let compare) = check, compare.difference != nil else { return nil }
    return compare.ratio?.measure(value, unit: nil)
  }

  /// The name of the value that runs have, for messages.
  var valueName: String {
    switch check {
    case .metric(let metric, _): "\(metric)"
    case .compare(let compare): "\(compare.name) against \(compare.other.name)"
    default: ""
    }
  }

  /// Bounds of a number.
  public struct Bounds: Hashable, Sendable {
    /// The least that is allowed; `nil` for no limit.
    public var minimum: Double?
    /// The most that is allowed; `nil` for no limit.
    public var maximum: Double?
    /// What it must be; `nil` where only limits are set.
    public var equals: Double?
    /// How far from `equals` it may be.
    public var tolerance: Double

    /// Creates a `Bounds` from its parts; see the properties.
    public init(
      minimum: Double? = nil, maximum: Double? = nil, equals: Double? = nil,
      tolerance: Double = 1e-9
    ) {
      self.minimum = minimum
      self.maximum = maximum
      self.equals = equals
      self.tolerance = tolerance
    }

    /// A value with these bounds.
    func measure(_ value: Double?, unit: String?) -> ExpectationMeasure {
      ExpectationMeasure(
        value, unit: unit?.isEmpty == true ? nil : unit, minimum: minimum, maximum: maximum,
        equals: equals, tolerance: tolerance)
    }

    /// What is wrong with a value that several runs come to, such as `is 41.3 < 54` or
    /// `is 1.5, not 3`; nothing when it lies within the bounds.
    func joinedComplaint(_ value: Double) -> String? {
      breach(value).map { "is \($0.value)\($0.isUnequal ? ", not" : "") \($0.bound)" }
    }

    /// What is wrong with a value, such as `41.3 < 54`; nothing when it lies within the bounds.
    func complaint(_ value: Double) -> String? {
      breach(value).map { "\($0.value)\($0.isUnequal ? " is not" : "") \($0.bound)" }
    }

    /// A value and the bound that it breaks, such as `< 54`, and whether it is one to be equal to.
    private func breach(_ value: Double) -> (value: String, bound: String, isUnequal: Bool)? {
      if let minimum, value < minimum {
        let (value, minimum) = distinct(value, minimum) { $0 < $1 }
        return (value, "< \(minimum)", false)
      }
      if let maximum, value > maximum {
        let (value, maximum) = distinct(value, maximum) { $0 > $1 }
        return (value, "> \(maximum)", false)
      }
      if let equals, !DecimalNumbers.areNear(value, equals, within: tolerance) {
        let slack = tolerance > 1e-9 ? " ± \(shortened(tolerance))" : ""
        let (value, equals) = distinct(value, equals) {
          !DecimalNumbers.areNear($0, $1, within: tolerance)
        }
        return (value, "\(equals)\(slack)", true)
      }
      return nil
    }
  }

  /// What a series must obey.
  public struct SeriesLaw: Hashable, Sendable {
    /// No value may be below this one.
    public var floor: Double?
    /// No value may be above this one.
    public var ceiling: Double?
    /// Only a stretch of at least this length breaks the law.
    public var forAtLeast: TimeSpan

    /// Creates a `SeriesLaw` from its parts; see the properties.
    public init(floor: Double? = nil, ceiling: Double? = nil, forAtLeast: TimeSpan = .zero) {
      self.floor = floor
      self.ceiling = ceiling
      self.forAtLeast = forAtLeast
    }

    /// How far a value is from breaking the law; negative when it does.
    func room(for value: Double) -> Double {
      min(value - (floor ?? -.infinity), (ceiling ?? .infinity) - value)
    }

    func complaint(_ value: Double) -> String? {
      if let floor, value < floor {
        let (value, floor) = distinct(value, floor) { $0 < $1 }
        return "\(value) < \(floor)"
      }
      if let ceiling, value > ceiling {
        let (value, ceiling) = distinct(value, ceiling) { $0 > $1 }
        return "\(value) > \(ceiling)"
      }
      return nil
    }
  }
}

/// A number for a sentence: at most four decimals, no zeros at the end.
func shortened(_ value: Double) -> String {
  guard value.isFinite else { return "\(value)" }
  let whole = value == value.rounded() && value.magnitude < 1e15
  if whole { return "\(Int64(value))" }
  let scale: Double = value.magnitude < 0.01 ? 1e9 : 1e4
  return "\((value * scale).rounded() / scale)"
}

/// A value and its bound for a sentence: shortened where that shows what is wrong, else in full.
private func distinct(
  _ value: Double, _ bound: Double, _ isWrong: (Double, Double) -> Bool
) -> (String, String) {
  let (short, shortBound) = (shortened(value), shortened(bound))
  guard let told = Double(short), let toldBound = Double(shortBound), !isWrong(told, toldBound)
  else { return (short, shortBound) }
  return ("\(value)", "\(bound)")
}
