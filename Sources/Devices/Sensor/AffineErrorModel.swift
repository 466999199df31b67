public import Quantities

/// A sensor whose gain and offset drift, with AR(2) noise on top.
///
/// `CGM(t) = a(t) · Gi(t) + b(t) + cc(t) + v(t)`, with `a` and `b` polynomials of the second
/// degree in days, `v` private to a sensor and `cc` common to sensors worn together. The
/// recursions run every five minutes.
public struct AffineErrorModel: Hashable, Sendable {
  /// When the clock of the drift starts.
  public enum Origin: Hashable, Sendable {
    /// When the sensor was put on.
    case insertion
    /// The last calibration; where nobody calibrates, one every so often is assumed.
    case calibration(every: TimeSpan)
  }

  /// The gain and its change: at first, per day, and per day squared.
  public var a0, a1, a2: Double
  /// The offset in mg/dL and its change: at first, per day, and per day squared.
  public var b0, b1, b2: Double
  /// Noise of the single sensor.
  public var v: AutoregressiveNoise
  /// Noise common to sensors worn by one person at the same time.
  public var cc: AutoregressiveNoise?
  /// When the clock of the drift starts.
  public var origin: Origin

  /// Creates a `AffineErrorModel` from its parts; see the properties.
  public init(
    a: (Double, Double, Double), b: (Double, Double, Double), v: AutoregressiveNoise,
    cc: AutoregressiveNoise? = nil, origin: Origin
  ) {
    (a0, a1, a2) = a
    (b0, b1, b2) = b
    self.v = v
    self.cc = cc
    self.origin = origin
  }

  /// The gain after a number of days.
  public func gain(atDay t: Double) -> Double { a0 + (a1 + a2 * t) * t }

  /// The offset after a number of days, in milligrams per decilitre.
  public func offset(atDay t: Double) -> Double { b0 + (b1 + b2 * t) * t }

  /// The standard deviation of all noise together, in milligrams per decilitre; 0 where a part of
  /// it is not stationary.
  public var noiseDeviation: Double {
    let parts = [v.stationaryDeviation, cc.map { $0.stationaryDeviation ?? 0 } ?? 0]
    return parts.reduce(0) { $0 + ($1 ?? 0) * ($1 ?? 0) }.squareRoot()
  }

  /// The same course of errors, each of another size and in another time.
  ///
  /// A factor of 0 leaves no error at all.
  public func scaled(by factor: Double, stretching life: TimeSpan, to other: TimeSpan) -> Self {
    assert(factor >= 0, "Errors are not turned around.")
    let pace = other > .zero ? life.seconds / other.seconds : 1
    var scaled = self
    (scaled.a0, scaled.a1, scaled.a2) = (
      1 + (a0 - 1) * factor, a1 * factor * pace, a2 * factor * pace * pace
    )
    (scaled.b0, scaled.b1, scaled.b2) = (
      b0 * factor, b1 * factor * pace, b2 * factor * pace * pace
    )
    scaled.v = v.scalingVariance(by: factor * factor)
    scaled.cc = cc?.scalingVariance(by: factor * factor)
    return scaled
  }

  /// The Dexcom SEVEN Plus with two noises and a calibration twice a day.
  ///
  /// Facchinetti et al., IEEE Trans Biomed Eng 2014, as coded in lt1-org/loopinsight1.
  /// The unit of the drift's slopes is not certain; at the stated size it does not matter.
  public static let facchinetti2014 = Self(
    a: (1.1, 2e-4, 0), b: (-14.8, 0.04, 0),
    v: AutoregressiveNoise(φ1: 1.013, φ2: -0.2135, variance: 14.45),
    cc: AutoregressiveNoise(φ1: 1.23, φ2: -0.3995, variance: 11.3),
    origin: .calibration(every: .hours(12)))

  /// The Dexcom G4 Platinum: the SEVEN Plus with noise that is 30 % quieter.
  ///
  /// Facchinetti et al. 2015 give no more than that.
  /// The abstract does not say whether it means the deviation or the variance; here it is the
  /// deviation.
  public static let facchinetti2015 = Self(
    a: (1.1, 2e-4, 0), b: (-14.8, 0.04, 0),
    v: AutoregressiveNoise(φ1: 1.013, φ2: -0.2135, variance: 14.45 * 0.49),
    cc: AutoregressiveNoise(φ1: 1.23, φ2: -0.3995, variance: 11.3 * 0.49),
    origin: .calibration(every: .hours(12)))

  /// The Dexcom G5 with a calibration twice a day.
  ///
  /// Vettoretti et al. 2018, as coded in lt1-org/loopinsight1.
  public static let vettoretti2018 = Self(
    a: (1.04, 0.02, 0), b: (-8.75, 0, 0),
    v: AutoregressiveNoise(φ1: 1.27, φ2: -0.42, variance: 7.64),
    origin: .calibration(every: .hours(12)))

  /// The Dexcom G6 with a drift from its insertion and two noises.
  ///
  /// Vettoretti et al., EMBC 2019, as coded in lt1-org/loopinsight1.
  public static let vettorettiEMBC2019 = Self(
    a: (1.048, -0.033, 0.002), b: (-6.398, 6.179, -0.448),
    v: AutoregressiveNoise(φ1: 1.220, φ2: -0.331, variance: 3.641),
    cc: AutoregressiveNoise(φ1: 1.34, φ2: -0.492, variance: 5.538), origin: .insertion)
}
