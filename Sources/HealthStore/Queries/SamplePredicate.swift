public import Quantities

/// Which samples a query is about.
///
/// HealthKit: the predicates of `HKQuery`.
public indirect enum SamplePredicate: Hashable, Sendable {
  /// How the ends of a stretch of time count.
  ///
  /// HealthKit: `HKQueryOptions`.
  public struct TimeOptions: OptionSet, Hashable, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The sample must start at or after the start.
    public static let strictStartDate = Self(rawValue: 1)
    /// The sample must end at or before the end.
    public static let strictEndDate = Self(rawValue: 2)
  }

  /// Every sample.
  case all
  /// No sample.
  case none
  /// Samples that overlap `[start, end)`, or end at its start: an instant at the start matches, one
  /// at the end does not.
  case samples(start: Instant? = nil, end: Instant? = nil, options: TimeOptions = [])
  /// The samples with one of the identities.
  case objects([SampleUUID])
  /// Samples of sources with one of the bundle identifiers.
  case from(sources: [String])
  /// Samples of one of the source revisions.
  case fromRevisions([SourceRevision])
  /// Samples of one of the devices.
  case fromDevices([Device])
  /// Samples of devices with one of the values in a field.
  case device(Device.Property, allowed: [String])
  /// Samples that have a value under a key.
  case metadata(MetadataKey)
  /// Samples that have one of the values under a key.
  case metadataValue(MetadataKey, allowed: [MetadataValue])
  /// Compares a value in the metadata with one of the same kind; one of another kind never matches.
  case metadataComparison(MetadataKey, Comparison, MetadataValue)
  /// Compares the value of quantity samples.
  case quantity(Comparison, HealthQuantity)
  /// Compares the value of category samples.
  case category(Comparison, Int)
  /// Category samples with one of the values.
  case categories([Int])
  /// Workouts of an activity.
  case workout(Workout.Activity)
  /// Compares the duration of workouts.
  case workoutDuration(Comparison, TimeSpan)
  /// Compares the energy burned in workouts.
  case workoutEnergy(Comparison, kilocalories: Double)
  /// Compares the distance of workouts.
  case workoutDistance(Comparison, metres: Double)
  /// Samples that are no member of a correlation.
  case withoutCorrelation
  /// The samples that belong to a workout.
  ///
  /// HealthKit: `predicateForObjects(from:)` with a workout.
  case ofWorkout(SampleUUID)
  /// Clinical documents that have a text in a field.
  case document(DocumentField, contains: String)
  /// Samples that match every predicate.
  case and([SamplePredicate])
  /// Samples that match one predicate or more.
  case or([SamplePredicate])
  /// Samples that do not match.
  case not(SamplePredicate)

  /// The ways to compare two values.
  ///
  /// HealthKit: `NSComparisonPredicate.Operator`.
  public enum Comparison: String, Hashable, Sendable {
    /// Both are the same.
    case equal = "="
    /// They are not the same.
    case notEqual = "≠"
    /// The sample's is less.
    case less = "<"
    /// The sample's is not greater.
    case lessOrEqual = "≤"
    /// The sample's is greater.
    case greater = ">"
    /// The sample's is not less.
    case greaterOrEqual = "≥"

    /// Whether the comparison holds for two values.
    public func holds<Value: Comparable>(_ lhs: Value, _ rhs: Value) -> Bool {
      switch self {
      case .equal: lhs == rhs
      case .notEqual: lhs != rhs
      case .less: lhs < rhs
      case .lessOrEqual: lhs <= rhs
      case .greater: lhs > rhs
      case .greaterOrEqual: lhs >= rhs
      }
    }
  }

  /// The fields by which a clinical document is found.
  ///
  /// HealthKit: `HKPredicateKeyPathCDATitle` and its neighbours.
  public enum DocumentField: String, Hashable, Sendable {
    /// A field of a document.
    case title, patientName, authorName, custodianName
  }
}

extension SamplePredicate {
  /// A stretch of time, open where a bound is missing.
  struct Bounds: Hashable {
    var from = Instant(millisecondsSince1970: .min)
    var to = Instant(millisecondsSince1970: .max)
  }

  /// A stretch of time outside of which nothing can match.
  var bounds: Bounds {
    switch self {
    case .samples(let start, let end, _):
      var bounds = Bounds()
      if let start { bounds.from = start }
      if let end { bounds.to = end }
      return bounds
    case .and(let parts):
      return parts.reduce(Bounds()) { outer, part in
        let inner = part.bounds
        return Bounds(from: max(outer.from, inner.from), to: min(outer.to, inner.to))
      }
    case .or(let parts):
      guard let first = parts.first?.bounds else { return Bounds() }
      return parts.dropFirst().reduce(first) { outer, part in
        let inner = part.bounds
        return Bounds(from: min(outer.from, inner.from), to: max(outer.to, inner.to))
      }
    default: return Bounds()
    }
  }

  /// What makes the predicate unusable for a type, if anything does.
  func fault(for type: ObjectType) -> InvalidArgument? {
    switch self {
    case .quantity(_, let quantity):
      guard let unit = type.unit else { return .wrongKindOfValue(type) }
      return quantity.isCompatible(with: unit) ? nil : .incompatibleUnit(quantity.unit, type)
    case .and(let parts), .or(let parts):
      return parts.lazy.compactMap { $0.fault(for: type) }.first
    case .not(let part): return part.fault(for: type)
    default: return nil
    }
  }
}
