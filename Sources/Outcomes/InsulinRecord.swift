public import Quantities

/// The insulin of one record of a run: what a pump delivered, a loop stored, or a health store
/// holds.
public struct InsulinRecord: Hashable, Sendable {
  /// Why an amount of insulin was given.
  public enum Channel: String, CaseIterable, Hashable, Sendable {
    /// By a basal program.
    case basal
    /// A bolus that a person asked for.
    case userBolus
    /// A bolus that the loop gave by itself.
    case automaticBolus
    /// Insulin from outside the pump, such as a pen.
    case external
  }

  /// An amount of insulin at a moment, such as one pulse.
  public struct Delivery: Hashable, Sendable {
    /// When it was given.
    public var instant: Instant
    // Four bytes hold two million units: a delivery takes 16 bytes and not 24.
    private var milliunits: Int32
    /// Why it was given.
    public var channel: Channel

    /// How much it was.
    public var amount: InsulinAmount {
      get { .milliunits(Int64(milliunits)) }
      set { milliunits = Int32(newValue.milliunits) }
    }

    /// Creates a `Delivery` from its parts; see the properties.
    public init(at instant: Instant, _ amount: InsulinAmount, _ channel: Channel) {
      self.instant = instant
      milliunits = Int32(amount.milliunits)
      self.channel = channel
    }
  }

  /// A bolus as it was programmed, and what came of it.
  public struct Bolus: Hashable, Sendable {
    /// When it began.
    public var instant: Instant
    /// What was programmed.
    public var programmed: InsulinAmount
    /// What was given.
    public var delivered: InsulinAmount
    /// Who asked for it.
    public var channel: Channel

    /// Creates a `Bolus` from its parts; see the properties.
    public init(
      at instant: Instant, programmed: InsulinAmount, delivered: InsulinAmount, _ channel: Channel
    ) {
      self.instant = instant
      self.programmed = programmed
      self.delivered = delivered
      self.channel = channel
    }
  }

  /// A stretch of one basal programme.
  public struct BasalSegment: Hashable, Sendable {
    /// What runs during the stretch.
    public enum Kind: String, CaseIterable, Hashable, Sendable {
      /// The schedule.
      case scheduled
      /// A temp basal of the loop.
      case automaticTempBasal
      /// A temp basal of a person.
      case manualTempBasal
      /// Nothing: delivery is suspended.
      case suspended
    }

    /// When it begins.
    public var start: Instant
    /// When it ends.
    public var end: Instant
    /// What runs.
    public var kind: Kind
    /// The programmed rate; the amount that came out, by the record.
    public var rate: InsulinRate
    /// What was given.
    public var delivered: InsulinAmount

    /// Creates a `BasalSegment` from its parts; see the properties.
    public init(
      from start: Instant, to end: Instant, _ kind: Kind, rate: InsulinRate,
      delivered: InsulinAmount
    ) {
      self.start = start
      self.end = end
      self.kind = kind
      self.rate = rate
      self.delivered = delivered
    }
  }

  /// The deliveries, in the order of time.
  public var deliveries: [Delivery]
  /// The boluses, in the order of time.
  public var boluses: [Bolus]
  /// The basal segments, in the order of time.
  public var segments: [BasalSegment]
  /// What the schedule alone would run; nothing where it is not known.
  public var scheduledBasal: Timeline<InsulinRate>

  /// Creates a `InsulinRecord` from its parts; see the properties.
  public init(
    deliveries: [Delivery] = [], boluses: [Bolus] = [], segments: [BasalSegment] = [],
    scheduledBasal: Timeline<InsulinRate> = Timeline(segments: [])
  ) {
    self.deliveries = deliveries
    self.boluses = boluses
    self.segments = segments
    self.scheduledBasal = scheduledBasal
  }

  /// The units that the schedule alone would deliver in (start, end].
  public func scheduledUnits(after start: Instant, through end: Instant) -> Double {
    let parts = scheduledBasal.segments(from: start, to: end)
    let milliunitMilliseconds = parts.reduce(0.0) {
      $0 + Double($1.value.milliunitsPerHour) * Double($1.duration.milliseconds)
    }
    return milliunitMilliseconds / 3_600_000_000
  }

  /// What the pump gave in (start, end], as basal or as boluses.
  public func given(asBasal: Bool, after start: Instant, through end: Instant) -> InsulinAmount {
    let first = deliveries.partitioningIndex { $0.instant > start }
    let last = deliveries.partitioningIndex { $0.instant > end }
    return deliveries[first..<max(first, last)].reduce(.zero) { amount, delivery in
      switch delivery.channel {
      case .basal: asBasal ? amount + delivery.amount : amount
      case .userBolus, .automaticBolus: asBasal ? amount : amount + delivery.amount
      case .external: amount
      }
    }
  }

  /// The part of the record that belongs to a stretch of time.
  ///
  /// A pulse of the pump belongs to (start, end], as it ends the time in which its insulin came
  /// due. A bolus and a dose from outside belong to the stretch at whose beginning or within which
  /// they begin; at its end they belong to the next one, which a stretch to the end of a run does
  /// not have. Basal segments are kept whole when they overlap, as is one that begins at an end
  /// that belongs to the stretch, and so is the one that ends as the stretch begins: it tells
  /// whether what follows goes on with it.
  ///
  /// - Parameters:
  ///   - start: When the stretch begins.
  ///   - end: When it ends.
  ///   - includesEnd: Whether what begins at the end belongs to it.
  /// - Returns: The record of that stretch alone.
  public func restricted(
    after start: Instant, through end: Instant, includesEnd: Bool
  ) -> Self {
    func contains(_ delivery: Delivery) -> Bool {
      delivery.channel == .external
        ? begins(delivery.instant) : delivery.instant > start && delivery.instant <= end
    }
    func begins(_ instant: Instant) -> Bool {
      instant >= start && (instant < end || (includesEnd && instant == end))
    }
    func reaches(_ segment: BasalSegment) -> Bool {
      (segment.end > start || segment.end == start && segment.start < start)
        && (segment.start < end || begins(segment.start))
    }
    // A run without a time before its start is asked for whole, and has most deliveries.
    let isWhole = deliveries.first.map(contains) ?? true && deliveries.last.map(contains) ?? true
    return Self(
      deliveries: isWhole ? deliveries : deliveries.filter(contains),
      boluses: boluses.filter { begins($0.instant) },
      segments: segments.allSatisfy(reaches) ? segments : segments.filter(reaches),
      scheduledBasal: Timeline(segments: scheduledBasal.segments(from: start, to: end)))
  }
}
