import Quantities

/// One CGM value beside the reference it is judged by, in milligrams per decilitre.
public struct AccuracyPair: Hashable, Sendable {
  /// The reference, in mg/dL.
  public var reference: Double
  /// The CGM's value, in mg/dL.
  public var reading: Double
  /// Whether the sensor reported a number, LOW or HIGH.
  public var condition: GlucoseReading.Condition
  /// The sensor it came from.
  public var sensor: Int
  /// The day of wear, from 1.
  public var day: Int
  /// The rate of change of the reference, in milligrams per decilitre per minute.
  public var referenceRate: Double?
  /// The rate of change of the readings, over the same time.
  public var readingRate: Double?

  /// Creates a `AccuracyPair` from its parts; see the properties.
  public init(
    reference: Double, reading: Double, condition: GlucoseReading.Condition = .inRange,
    sensor: Int = 1, day: Int = 1, referenceRate: Double? = nil, readingRate: Double? = nil
  ) {
    self.reference = reference
    self.reading = reading
    self.condition = condition
    self.sensor = sensor
    self.day = day
    self.referenceRate = referenceRate
    self.readingRate = readingRate
  }

  /// The absolute relative difference (ARD), a fraction of the reference.
  public var relativeDifference: Double { (reading - reference).magnitude / reference }
}

/// A rule by which a reading counts as close to its reference: within x mg/dL or x %.
public struct AgreementRule: Hashable, Sendable {
  /// Which value decides between milligrams and percent.
  public enum Side: String, Hashable, Sendable {
    /// The reference, as manufacturers do.
    case reference
    /// The reading, as the iCGM tables do.
    case reading
  }

  /// The limit in milligrams per decilitre below the cut, and in percent from the cut on.
  public var limit: Double
  /// The cut in milligrams per decilitre: 100 in the manner of ISO 15197, 70 in the FDA's tables.
  public var cut: Double
  /// Which value decides between mg/dL and percent.
  public var side: Side
  /// Whether a difference equal to the limit does not count, as for iCGM.
  public var isStrict: Bool

  /// Creates a `AgreementRule` from its parts; see the properties.
  public init(
    limit: Double, cut: Double = 100, side: Side = .reference, isStrict: Bool = false
  ) {
    self.limit = limit
    self.cut = cut
    self.side = side
    self.isStrict = isStrict
  }

  /// Whether a pair is within the limit.
  public func accepts(_ pair: AccuracyPair) -> Bool {
    let deciding = side == .reference ? pair.reference : pair.reading
    let difference = (pair.reading - pair.reference).magnitude
    let most = deciding < cut ? limit : limit * pair.reference / 100
    return isStrict ? difference.isClearlyBelow(most) : !difference.isClearlyAbove(most)
  }
}

extension Double {
  /// What arithmetic may make of decimals, in milligrams per decilitre: 79.2 − 66 is 13.2.
  private static let arithmetic = 1e-9

  /// Whether glucose lies above other glucose by more than arithmetic makes of decimals.
  func isClearlyAbove(_ other: Double) -> Bool { self - other > Self.arithmetic }

  /// Whether glucose lies below other glucose by more than arithmetic makes of decimals.
  func isClearlyBelow(_ other: Double) -> Bool { other - self > Self.arithmetic }
}
