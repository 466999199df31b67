import Determinism
public import Quantities

/// Disturbances of a sensor that come by chance.
public struct SensorArtefacts: Hashable, Sendable {
  /// Lows from lying on the sensor.
  public var compression: Compression?
  /// Losses of contact.
  public var gaps: Gaps?

  /// Creates a `SensorArtefacts` from its parts; see the properties.
  public init(compression: Compression? = nil, gaps: Gaps? = nil) {
    self.compression = compression
    self.gaps = gaps
  }

  /// No disturbances.
  public static let none = Self()

  /// How often and how deep compression lows are.
  ///
  /// Lengths and depths are those of A. Facchinetti et al. 2016 (median 45 min and 24 mg/dL); rate,
  /// hours and time constant are assumptions. No low is shorter than 20 minutes or longer than two
  /// hours, and none is shallower than 5 mg/dL or deeper than 70.
  public struct Compression: Hashable, Sendable {
    /// How many there are in a night, on average.
    public var perNight: Double
    /// When the night begins.
    public var nightStart: TimeOfDay
    /// When the night ends.
    public var nightEnd: TimeOfDay
    /// The median length.
    public var medianLength: TimeSpan
    /// The standard deviation of the length's logarithm.
    public var lengthSigma: Double
    /// In milligrams per decilitre.
    public var medianDepth: Double
    /// The standard deviation of the depth's logarithm.
    public var depthSigma: Double
    /// How slowly a low sets in and goes.
    public var timeConstant: TimeSpan

    /// Creates a `Compression` from its parts; see the properties.
    public init(
      perNight: Double = 0.5,
      nightStart: TimeOfDay = TimeOfDay(milliseconds: 22 * 3_600_000),
      nightEnd: TimeOfDay = TimeOfDay(milliseconds: 7 * 3_600_000),
      medianLength: TimeSpan = .minutes(45), lengthSigma: Double = 0.26,
      medianDepth: Double = 24, depthSigma: Double = 0.47,
      timeConstant: TimeSpan = .minutes(10)
    ) {
      self.perNight = perNight
      self.nightStart = nightStart
      self.nightEnd = nightEnd
      self.medianLength = medianLength
      self.lengthSigma = lengthSigma
      self.medianDepth = medianDepth
      self.depthSigma = depthSigma
      self.timeConstant = timeConstant
    }

    func isNight(_ time: TimeOfDay) -> Bool {
      nightStart < nightEnd
        ? time >= nightStart && time < nightEnd : time >= nightStart || time < nightEnd
    }

    /// The length of the night in hours.
    var nightHours: Double {
      let span = nightEnd.sinceMidnight - nightStart.sinceMidnight
      return (span > .zero ? span : span + .days(1)).hours
    }
  }

  /// How often contact is lost, and for how long: a chain of two states.
  ///
  /// The stop probability gives nine gaps of ten at most a quarter of an hour long, as in
  /// A. Facchinetti et al. 2016; the rate is an assumption.
  public struct Gaps: Hashable, Sendable {
    /// How many losses of contact there are in a day, on average.
    public var perDay: Double
    /// The probability that a gap ends within five minutes, whatever the time between samples.
    public var stopProbability: Double

    /// Creates a `Gaps` from its parts; see the properties.
    public init(perDay: Double = 2, stopProbability: Double = 0.536) {
      self.perDay = perDay
      self.stopProbability = stopProbability
    }

    /// The probability that a gap ends within a span.
    func stopProbability(within span: TimeSpan) -> Double {
      guard span != .minutes(5), stopProbability < 1 else { return stopProbability }
      return -PortableMath.expm1(PortableMath.log1p(-stopProbability) * span.minutes / 5)
    }
  }
}

/// A loss of signal under pressure: a rectangle of some depth through a first-order filter.
struct CompressionState: Hashable, Sendable {
  var timeConstant: TimeSpan
  /// The depth the filter runs towards, in milligrams per decilitre.
  var target = 0.0
  private(set) var depth = 0.0

  init(timeConstant: TimeSpan) { self.timeConstant = timeConstant }

  /// Starts from a depth that another filter has reached.
  mutating func adopt(depth: Double) { self.depth = depth }

  mutating func advance(by span: TimeSpan) {
    guard timeConstant > .zero else {
      depth = target
      return
    }
    depth = target + (depth - target) * PortableMath.exp(-span.minutes / timeConstant.minutes)
  }
}

/// The chance disturbances of one sensor so far; they draw from a stream of their own.
struct ArtefactState: Hashable, Sendable {
  private let artefacts: SensorArtefacts
  private var stream: RandomStream
  private var compression: CompressionState
  private var compressionEnd: Instant?
  private var inGap = false

  init(_ artefacts: SensorArtefacts, stream: RandomStream) {
    self.artefacts = artefacts
    self.stream = stream
    compression = CompressionState(
      timeConstant: artefacts.compression?.timeConstant ?? .zero)
  }

  var isOff: Bool { artefacts == .none }

  /// The depth of compression in milligrams per decilitre.
  var depth: Double { compression.depth }

  /// Whether there is no contact with the sensor.
  var hasNoContact: Bool { inGap }

  /// Lives through the time since the last sample.
  mutating func advance(by span: TimeSpan, to instant: Instant, time: TimeOfDay) {
    guard !isOff else { return }
    if let end = compressionEnd, end <= instant {
      compression.advance(by: max(.zero, span - (instant - end)))
      compression.target = 0
      compression.advance(by: min(span, instant - end))
      compressionEnd = nil
    } else {
      compression.advance(by: span)
    }
    if let rule = artefacts.compression { compress(by: rule, span, instant, time) }
    if let gaps = artefacts.gaps {
      assert((0...1).contains(gaps.stopProbability), "A probability lies between 0 and 1.")
      let u = stream.unit()
      inGap = inGap ? u >= gaps.stopProbability(within: span) : u < gaps.perDay * span.hours / 24
    }
  }

  private mutating func compress(
    by rule: SensorArtefacts.Compression, _ span: TimeSpan, _ instant: Instant, _ time: TimeOfDay
  ) {
    guard compressionEnd == nil, rule.isNight(time) else { return }
    guard stream.unit() < rule.perNight * span.hours / rule.nightHours else { return }
    let factor = PortableMath.exp(rule.lengthSigma * stream.normal())
    assert(factor > 0, "A low lasts some time.")
    let minutes = min(max(rule.medianLength.minutes * factor, 20), 120)
    let depth = rule.medianDepth * PortableMath.exp(rule.depthSigma * stream.normal())
    compression.target = min(max(depth, 5), 70)
    compressionEnd = instant + .milliseconds(Int64((minutes * 60_000).rounded()))
  }
}
