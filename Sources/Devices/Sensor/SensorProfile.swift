public import Quantities

/// What a model of CGM does: its life, its range, its error and how it talks.
public struct SensorProfile: Hashable, Sendable {
  /// The word that names the profile in scenario files and on the command line.
  public var id: String
  /// The name of the model, for people.
  public var name: String
  /// The time between readings.
  public var period: TimeSpan
  /// How long after insertion the first reading comes.
  public var warmUp: TimeSpan
  /// How long the sensor may be worn.
  public var wear: TimeSpan
  /// How long it goes on after that.
  public var grace: TimeSpan
  /// The lowest value it reports; anything lower is LOW.
  public var minimum: GlucoseConcentration
  /// The highest value it reports; anything higher is HIGH.
  public var maximum: GlucoseConcentration
  /// What becomes of values below the range.
  public var lowReporting: LowReporting
  /// The rounding of values, in milligrams per decilitre.
  public var resolution: Double
  /// How long readings missed through lack of contact are kept and delivered later; nothing when
  /// they are lost.
  public var backfill: TimeSpan?
  /// Whether it is of one piece, so that what it has kept is thrown away with it; else that is kept
  /// by a transmitter, which goes on with the next sensor.
  public var isOnePiece: Bool
  /// Whether it is calibrated in the factory and needs no fingersticks.
  public var isFactoryCalibrated: Bool
  /// The delay behind the glucose that is measured; behind plasma unless a scenario says otherwise.
  public var lag: TimeSpan
  /// How its values differ from interstitial glucose.
  public var error: SensorErrorModel
  /// A constant factor on the sensor's values, beside what its error model has of its own.
  public var gain = 1.0
  /// A constant addition to the sensor's values, in milligrams per decilitre.
  public var offset = 0.0
  /// Compression lows and losses of contact by chance; none by default.
  public var artefacts: SensorArtefacts
  /// The mean absolute relative difference on the label, for people.
  public var labelMARD: String
  /// The mean absolute relative difference, in percent, that the virtual sensor has in
  /// ``AccuracyStudy`` against plasma glucose; `nil` where nobody has looked.
  ///
  /// Sensors without a published model of their error are calibrated so that it is the label's. Of
  /// the others it says how far the published model and the label lie apart.
  public var simulatedMARD: Double?
  /// Where the figures come from.
  public var source: String

  /// What becomes of values below the range.
  public enum LowReporting: String, Hashable, Sendable {
    /// Reported as the lowest value, marked as below the range.
    case clamped
    /// As Loop reads a Dexcom G6: the code 39 is clamped and marked, anything lower is no reading.
    case droppedBelowCode
  }

  /// Creates a `SensorProfile` from its parts; see the properties.
  public init(
    id: String, name: String, period: TimeSpan = .minutes(5), warmUp: TimeSpan = .zero,
    wear: TimeSpan = .days(10), grace: TimeSpan = .zero,
    minimum: GlucoseConcentration = .mgdL(40), maximum: GlucoseConcentration = .mgdL(400),
    lowReporting: LowReporting = .clamped, resolution: Double = 1, backfill: TimeSpan? = nil,
    isOnePiece: Bool = false, isFactoryCalibrated: Bool = true, lag: TimeSpan = .minutes(6),
    error: SensorErrorModel = .population, artefacts: SensorArtefacts = .none,
    labelMARD: String = "", simulatedMARD: Double? = nil, source: String
  ) {
    precondition(period > .zero, "A sensor's period is longer than nothing.")
    precondition(resolution > 0, "A sensor rounds to more than nothing.")
    precondition(minimum < maximum, "A sensor's range ascends.")
    self.id = id
    self.name = name
    self.period = period
    self.warmUp = warmUp
    self.wear = wear
    self.grace = grace
    self.minimum = minimum
    self.maximum = maximum
    self.lowReporting = lowReporting
    self.resolution = resolution
    self.backfill = backfill
    self.isOnePiece = isOnePiece
    self.isFactoryCalibrated = isFactoryCalibrated
    self.lag = lag
    self.error = error
    self.artefacts = artefacts
    self.labelMARD = labelMARD
    self.simulatedMARD = simulatedMARD
    self.source = source
  }

  /// Whether the sensor is worn for as long as a run lasts.
  public var isWithoutEnd: Bool { wear >= .days(10_000) }

  /// No lag, no error, no warm-up, and no end: rounding and range only.
  public static let ideal = Self(
    id: "ideal", name: "Ideal sensor", wear: .days(36_500), lag: .zero, error: .ideal,
    labelMARD: "0", simulatedMARD: 0.2,
    source: "No device: glucose rounded to 1 mg/dL within 40 to 400 mg/dL.")

  /// A plain sensor: six minutes of lag and normal noise of the first order.
  ///
  /// A deviation of 8 mg/dL that fades over 40 minutes is close to the published AR(2) models.
  public static let generic = Self(
    id: "generic", name: "Generic sensor", wear: .days(36_500), backfill: .hours(24),
    error: .autoregressive(standardDeviation: 8, correlationTime: .minutes(40)),
    simulatedMARD: 7.5,
    source: "No device: AR(1) noise with the size and memory of the published AR(2) models.")
}
