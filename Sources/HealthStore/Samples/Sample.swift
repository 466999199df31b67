public import Quantities

/// One record with a start and an end.
///
/// HealthKit: `HKSample` and its subclasses.
///
/// A sample gets its identity when it is created and never changes; a change is a new sample and
/// the deletion of the old one. Only a sample that comes back from a query has a source revision.
public struct Sample: Hashable, Sendable {
  /// The identity of the sample.
  public let uuid: SampleUUID
  /// What it is a sample of.
  public let type: ObjectType
  /// The start of the sample.
  public let start: Instant
  /// The end of the sample.
  public let end: Instant
  /// What was measured or delivered.
  public internal(set) var value: SampleValue
  /// What measured or delivered, if anything is known about it.
  public let device: Device?
  /// What else is known.
  public let metadata: Metadata
  /// Who saved the sample; the store fills it in.
  public internal(set) var sourceRevision: SourceRevision?

  /// Puts a sample together from its stored parts, without any check.
  ///
  /// For backends and importers, whose parts were checked when they were saved or are checked when
  /// they are saved next.
  public init(
    restoring uuid: SampleUUID, type: ObjectType, start: Instant, end: Instant, value: SampleValue,
    device: Device? = nil, metadata: Metadata = .none, sourceRevision: SourceRevision? = nil
  ) {
    self.uuid = uuid
    self.type = type
    self.start = start
    self.end = end
    self.value = value
    self.device = device
    self.metadata = metadata
    self.sourceRevision = sourceRevision
  }
}

/// What a sample says; which case it is follows from its type.
///
/// HealthKit tells by the subclass of `HKSample`.
public enum SampleValue: Hashable, Sendable {
  /// HealthKit: `HKQuantitySample.quantity`.
  case quantity(HealthQuantity)
  /// HealthKit: `HKCategorySample.value`.
  case category(Int)
  /// The members of a correlation.
  ///
  /// HealthKit: `HKCorrelation.objects`.
  case correlation([Sample])
  /// HealthKit: `HKCDADocumentSample.document`.
  indirect case document(ClinicalDocument)
  /// HealthKit: `HKWorkout`.
  indirect case workout(Workout)
}

extension Sample {
  /// The time the sample covers; nothing for an instant.
  public var duration: TimeSpan { end - start }

  /// The end of a sample of which nobody knows yet when it ends.
  public static let undeterminedEnd = Instant(secondsSince1970: 64_092_211_200)

  /// Whether the end is not known yet.
  ///
  /// HealthKit: `hasUndeterminedDuration`.
  public var hasUndeterminedDuration: Bool { end >= Self.undeterminedEnd }

  /// The quantity of a quantity sample.
  public var quantity: HealthQuantity? {
    if case .quantity(let quantity) = value { quantity } else { nil }
  }

  /// The number of a quantity sample in the unit of its type's storage.
  public var storedValue: Double? {
    guard let quantity, let unit = type.unit else { return nil }
    return quantity.converted(to: unit)
  }

  /// The value of a category sample.
  public var category: Int? {
    if case .category(let category) = value { category } else { nil }
  }

  /// The members of a correlation; empty for every other sample.
  public var members: [Sample] {
    if case .correlation(let members) = value { members } else { [] }
  }

  /// The document of a document sample.
  public var document: ClinicalDocument? {
    if case .document(let document) = value { document } else { nil }
  }

  /// The workout; `nil` for a sample of another kind.
  public var workout: Workout? {
    if case .workout(let workout) = value { workout } else { nil }
  }

  /// The source of a sample that came from a query.
  public var source: Source? { sourceRevision?.source }
}
