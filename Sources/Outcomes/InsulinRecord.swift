public import Quantities

/// The insulin of one record of a run: what a pump delivered, a loop stored, or a health store
/// holds.
public struct InsulinRecord: Hashable, Sendable {
  /// Why an amount of insulin was given.
  public enum Channel: String, CaseIterable, Hashable, Sendable {
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
    public var instant: Instant
    public var amount: InsulinAmount
    public var channel: Channel

    public init(at instant: Instant, _ amount: InsulinAmount, _ channel: Channel) {
      self.instant = instant
      self.amount = amount
      self.channel = channel
    }
  }

  /// A bolus as it was programmed, and what came of it.
  public struct Bolus: Hashable, Sendable {
    public var instant: Instant
    public var programmed: InsulinAmount
    public var delivered: InsulinAmount
    public var channel: Channel

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
      case scheduled
      case automaticTempBasal
      case manualTempBasal
      case suspended
    }

    public var start: Instant
    public var end: Instant
    public var kind: Kind
    /// The programmed rate; the amount that came out, by the record.
    public var rate: InsulinRate
    public var delivered: InsulinAmount

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

  /// The deliveries, the boluses and the basal segments, each in the order of time.
  public var deliveries: [Delivery]
  public var boluses: [Bolus]
  public var segments: [BasalSegment]
  /// What the schedule alone would run; nothing where it is not known.
  public var scheduledBasal: Timeline<InsulinRate>

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

  /// The part of the record that belongs to (start, end]; segments are kept whole when they
  /// overlap.
  public func restricted(after start: Instant, through end: Instant) -> Self {
    Self(
      deliveries: deliveries.filter { $0.instant > start && $0.instant <= end },
      boluses: boluses.filter { $0.instant > start && $0.instant <= end },
      segments: segments.filter { $0.end > start && $0.start < end },
      scheduledBasal: Timeline(segments: scheduledBasal.segments(from: start, to: end)))
  }
}
