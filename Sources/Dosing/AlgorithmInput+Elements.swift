public import Quantities

extension AlgorithmInput {
  /// A glucose value the algorithm may use.
  public struct GlucoseSample: Hashable, Sendable {
    /// When it was measured.
    public var date: Instant
    /// What was measured.
    public var quantity: GlucoseConcentration
    /// Which device or app the value comes from; trends are never drawn across two.
    public var provenanceIdentifier: String
    /// Whether the value is a calibration, which no trend may use.
    public var isDisplayOnly: Bool
    /// Whether a person typed the value; no computation uses it.
    public var wasUserEntered: Bool

    /// Creates a `GlucoseSample` from its parts; see the properties.
    public init(
      date: Instant, quantity: GlucoseConcentration,
      provenanceIdentifier: String = "com.LoopKit.Loop", isDisplayOnly: Bool = false,
      wasUserEntered: Bool = false
    ) {
      self.date = date
      self.quantity = quantity
      self.provenanceIdentifier = provenanceIdentifier
      self.isDisplayOnly = isDisplayOnly
      self.wasUserEntered = wasUserEntered
    }
  }

  /// Whether a dose adds to the scheduled basal or takes its place.
  public enum DeliveryType: String, Hashable, Sendable {
    /// It adds to the scheduled basal.
    case bolus
    /// A temp basal, a suspend (of no volume), or scheduled basal as delivered.
    case basal
  }

  /// Insulin given over an interval.
  public struct InsulinDose: Hashable, Sendable {
    /// Whether it adds to the scheduled basal or takes its place.
    public var type: DeliveryType
    /// When it begins.
    public var startDate: Instant
    /// When it ends.
    public var endDate: Instant
    /// Units delivered in total over the interval, not a rate.
    public var volume: Double
    /// How fast the insulin acts.
    public var insulinModel: InsulinModel

    /// Creates a `InsulinDose` from its parts; see the properties.
    public init(
      type: DeliveryType, startDate: Instant, endDate: Instant, volume: Double,
      insulinModel: InsulinModel = .rapidActingAdult
    ) {
      self.type = type
      self.startDate = startDate
      self.endDate = endDate
      self.volume = volume
      self.insulinModel = insulinModel
    }
  }

  /// Carbohydrate eaten, or about to be eaten.
  public struct CarbEntry: Hashable, Sendable {
    /// When it is eaten.
    public var date: Instant
    /// How much it is.
    public var quantity: CarbohydrateMass
    /// How long a person expects the entry to take; 3 h when there is none.
    public var absorptionTime: TimeSpan?

    /// Creates a `CarbEntry` from its parts; see the properties.
    public init(date: Instant, quantity: CarbohydrateMass, absorptionTime: TimeSpan? = nil) {
      self.date = date
      self.quantity = quantity
      self.absorptionTime = absorptionTime
    }
  }

  /// A number that holds over a stretch of time: a basal rate, an ISF or a carbohydrate ratio.
  public struct ScheduleEntry: Hashable, Sendable {
    /// From when the number holds.
    public var startDate: Instant
    /// Until when it holds.
    public var endDate: Instant
    /// U/h, mg/dL per U or g/U, by the schedule the entry stands in.
    public var value: Double

    /// Creates a `ScheduleEntry` from its parts; see the properties.
    public init(startDate: Instant, endDate: Instant, value: Double) {
      self.startDate = startDate
      self.endDate = endDate
      self.value = value
    }
  }

  /// A correction range that holds over a stretch of time.
  public struct TargetEntry: Hashable, Sendable {
    /// From when the range holds.
    public var startDate: Instant
    /// Until when it holds.
    public var endDate: Instant
    /// The lower end of the range.
    public var lowerBound: GlucoseConcentration
    /// Not checked to be above ``lowerBound``, as in the original.
    public var upperBound: GlucoseConcentration

    /// Creates a `TargetEntry` from its parts; see the properties.
    public init(
      startDate: Instant, endDate: Instant, lowerBound: GlucoseConcentration,
      upperBound: GlucoseConcentration
    ) {
      self.startDate = startDate
      self.endDate = endDate
      self.lowerBound = lowerBound
      self.upperBound = upperBound
    }
  }
}

extension [AlgorithmInput.ScheduleEntry] {
  /// The entries of a timeline whose values `number` turns into the schedule's unit.
  // Inlinable, so that it is specialised for the values of each schedule.
  @inlinable
  public init<Value>(_ timeline: Timeline<Value>, number: (Value) -> Double) {
    self = []
    reserveCapacity(timeline.segments.count)
    for segment in timeline.segments {
      append(.init(startDate: segment.start, endDate: segment.end, value: number(segment.value)))
    }
  }
}

extension [AlgorithmInput.TargetEntry] {
  /// The entries of a timeline of correction ranges.
  public init(_ timeline: Timeline<GlucoseRange>) {
    self = timeline.segments.map {
      .init(
        startDate: $0.start, endDate: $0.end, lowerBound: $0.value.lower,
        upperBound: $0.value.upper)
    }
  }
}
