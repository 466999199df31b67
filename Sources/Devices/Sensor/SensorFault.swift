import Determinism
public import Quantities

/// A disturbance of a CGM that a scenario asks for.
public enum SensorFault: Hashable, Sendable {
  /// No contact; what was measured comes later, or never.
  case dropout(backfill: Bool)
  /// Readings arrive late, with the right stamps.
  case delay(by: TimeSpan)
  /// More noise: the model's own by a factor, and AR(1) noise of a deviation in mg/dL on top.
  case noise(scale: Double, standardDeviation: Double, φ: Double)
  /// A wrong gain, and a wrong offset in mg/dL.
  case bias(gain: Double, offset: Double)
  /// A gain and an offset (in mg/dL) that grow every day from the fault's start.
  case drift(gainPerDay: Double, offsetPerDay: Double)
  /// A loss of signal under pressure, of a depth in mg/dL; after `rise` and `fall` 95 % is reached.
  case compression(depth: Double, rise: TimeSpan, fall: TimeSpan)
  /// A number of samples that are off by a number of mg/dL.
  case spike(delta: Double, samples: Int)
  /// The same value over and over: the last one, or a given one.
  case stuck(GlucoseConcentration?)
  /// No reading is above a value: what is higher is shown as that value.
  case saturate(above: GlucoseConcentration)
  /// Stamps that are off; a duplicate carries the stamp of the reading before.
  case timestamp(shift: TimeSpan, duplicate: Bool)
  /// No readings, as after an insertion.
  case warmUp
  /// The sensor's wear is over.
  case expire
  /// The sensor has failed.
  case fail
  /// The sensor says that its values must not be used.
  case unreliable
}

/// A fault at work on a sensor.
struct ActiveSensorFault: Hashable, Sendable {
  var id: String
  var fault: SensorFault
  var since: Instant
  /// When it ended, for a compression that still fades.
  var ended: Instant?
  var stream: RandomStream
  var noise = AutoregressiveNoise(φ1: 0, σ: 0)
  private(set) var compression = CompressionState(timeConstant: .zero)
  /// The instant up to which the compression has run.
  private var compressedUntil: Instant
  var samples = 0

  init(id: String, fault: SensorFault, since: Instant, stream: RandomStream) {
    self.id = id
    self.fault = fault
    self.since = since
    self.stream = stream
    compressedUntil = since
    switch fault {
    case .noise(_, let deviation, let φ):
      let bounded = min(max(φ, 0), 0.999)
      noise = AutoregressiveNoise(
        φ1: bounded, σ: max(0, deviation) * (1 - bounded * bounded).squareRoot())
      noise.settle(from: &self.stream)
    case .compression(let depth, let rise, _):
      compression = CompressionState(timeConstant: Self.timeConstant(reaching95In: rise))
      compression.target = depth
    default: break
    }
  }

  static func timeConstant(reaching95In span: TimeSpan) -> TimeSpan {
    // 1 − exp(−3) is 95 %.
    TimeSpan(milliseconds: max(0, span.milliseconds) / 3)
  }

  /// The depth of a compression at an instant that is not past.
  mutating func compress(until instant: Instant) -> Double {
    compression.advance(by: max(.zero, instant - compressedUntil))
    compressedUntil = max(compressedUntil, instant)
    return compression.depth
  }

  mutating func end(at instant: Instant) {
    ended = instant
    guard case .compression(_, _, let fall) = fault else { return }
    var fading = CompressionState(timeConstant: Self.timeConstant(reaching95In: fall))
    fading.adopt(depth: compress(until: instant))
    compression = fading
  }

  /// Whether nothing of an ended fault is left.
  var isOver: Bool {
    guard ended != nil else { return false }
    guard case .compression = fault else { return true }
    return compression.depth.magnitude < 0.5
  }
}

/// What each part of a sensor did to one value: the truth that no app can see.
///
/// measured = interstitial + gain and offset + noise − compression + faults, before rounding.
public struct SensorDeviation: Hashable, Sendable {
  /// When the value was measured.
  public var instant: Instant
  /// The concentration the sensor sits in.
  public var interstitial: GlucoseConcentration
  /// What gain and offset of the model add, in milligrams per decilitre.
  public var calibration = GlucoseChange.zero
  /// What the noise added.
  public var noise = GlucoseChange.zero
  /// What pressure by chance takes away (a negative change).
  public var compression = GlucoseChange.zero
  /// What faults of the scenario add.
  public var faults = GlucoseChange.zero

  /// The value before rounding and limits.
  public var measured: GlucoseConcentration {
    interstitial + calibration + noise + compression + faults
  }
}
