import Determinism
public import Quantities

/// How a sensor's values differ from interstitial glucose.
///
/// Not here: the Medtronic Enlite model of Biagi, Ramkissoon et al. 2017 and the post-meal model of
/// Laguna et al. 2014, whose figures are not public.
public enum SensorErrorModel: Hashable, Sendable {
  /// No error at all.
  case ideal
  /// Independent normal noise; fails any check of autocorrelation. In milligrams per decilitre.
  case white(standardDeviation: Double)
  /// Normal noise of the first order: `e_n = φ e_(n−1) + σ √(1−φ²) z`, `φ = exp(−step / T)`.
  ///
  /// Between two steps it is linear, and so smaller: where `step` is the time between readings,
  /// each has the deviation that is stated.
  case autoregressive(
    standardDeviation: Double, correlationTime: TimeSpan, step: TimeSpan = .minutes(5))
  /// Noise in proportion to glucose, unbiased, for a wanted mean absolute relative difference.
  ///
  /// The difference is a fraction, such as 0.09; the deviation is `√(π/2)` times it.
  case proportional(mard: Double)
  /// Independent noise between − and + a magnitude in mg/dL, as in LoopKit's simulated CGM.
  case uniform(magnitude: Double)
  /// Skewed noise, Breton and Kovatchev 2008.
  case johnson(JohnsonNoise.Parameters)
  /// Drifting gain and offset with AR(2) noise.
  case affine(AffineErrorModel)
  /// A sensor drawn from a population, Vettoretti et al. 2019.
  case population
  /// A sensor drawn from the same population, with errors of another size and a drift that takes
  /// another time than ten days.
  ///
  /// It stands in for a sensor of the same make without a published model.
  case scaledPopulation(factor: Double, life: TimeSpan)
  /// A gain that swings slowly, with independent noise, as in Tidepool's iCGM generator.
  case oscillating(OscillatingErrorModel)
}

/// One worn sensor's error: the model with its drawn parameters and its noise so far.
struct SensorNoiseState: Hashable, Sendable {
  private enum Noise: Hashable, Sendable {
    case none
    case white(Double)
    case uniform(Double)
    case autoregressive(GriddedNoise)
    case johnson(JohnsonNoise)
  }

  /// Gain, offset and noise at one instant.
  struct Parts: Hashable, Sendable {
    var gain = 1.0
    var offset = 0.0
    var noise = 0.0
  }

  private var affine: AffineErrorModel?
  private var proportional: Double?
  private var oscillating: OscillatingErrorModel?
  private var phase = 0.0
  private var noise: Noise

  init(
    _ model: SensorErrorModel, parameters: inout RandomStream, noise stream: inout RandomStream
  ) {
    noise = .none
    switch model {
    case .ideal: break
    case .white(let deviation): noise = .white(deviation)
    case .uniform(let magnitude): noise = .uniform(magnitude)
    case .proportional(let mard):
      proportional = mard * (Double.pi / 2).squareRoot()
      noise = .white(1)
    case .autoregressive(let deviation, let time, let step):
      let φ = time > .zero ? PortableMath.exp(-step.minutes / time.minutes) : 0
      let σ = deviation * (1 - φ * φ).squareRoot()
      noise = .autoregressive(
        GriddedNoise([AutoregressiveNoise(φ1: φ, σ: σ)], step: step, from: &stream))
    case .johnson(let parameters): noise = .johnson(JohnsonNoise(parameters))
    case .affine(let model): adopt(model, stream: &stream)
    case .oscillating(let model):
      oscillating = model
      phase = parameters.unit()
      noise = .white(model.noise)
    case .population:
      adopt(PopulationErrorModel.draw(from: &parameters).affine, stream: &stream)
    case .scaledPopulation(let factor, let life):
      let drawn = PopulationErrorModel.draw(from: &parameters).affine
      adopt(drawn.scaled(by: factor, stretching: .days(10), to: life), stream: &stream)
    }
  }

  private mutating func adopt(_ model: AffineErrorModel, stream: inout RandomStream) {
    affine = model
    noise = .autoregressive(
      GriddedNoise([model.v] + (model.cc.map { [$0] } ?? []), from: &stream))
  }

  /// The time that the drift of a model has run for.
  private static func clock(
    of affine: AffineErrorModel, _ sinceInsertion: TimeSpan, _ sinceCalibration: TimeSpan?
  ) -> TimeSpan {
    guard case .calibration(let interval) = affine.origin else { return sinceInsertion }
    let since = sinceCalibration ?? sinceInsertion
    return since - interval * since.quotient(by: max(interval, .minutes(5)))
  }

  /// By how much values have drifted since the last calibration, in milligrams per decilitre; 0
  /// where the drift goes by the sensor's age, and no calibration ends it.
  func driftSinceCalibration(
    glucose: Double, sinceInsertion: TimeSpan, sinceCalibration: TimeSpan?
  ) -> Double {
    guard let affine, case .calibration = affine.origin else { return 0 }
    let day = Self.clock(of: affine, sinceInsertion, sinceCalibration).hours / 24
    return (affine.gain(atDay: day) - affine.gain(atDay: 0)) * glucose
      + (affine.offset(atDay: day) - affine.offset(atDay: 0))
  }

  /// Gain, offset and noise at a time since insertion and since the last calibration.
  mutating func parts(
    glucose: Double, sinceInsertion: TimeSpan, sinceCalibration: TimeSpan?,
    from stream: inout RandomStream
  ) -> Parts {
    var parts = Parts()
    if let affine {
      let clock = Self.clock(of: affine, sinceInsertion, sinceCalibration)
      let day = clock.hours / 24
      parts.gain = affine.gain(atDay: day)
      parts.offset = affine.offset(atDay: day)
    }
    if let oscillating { parts.gain = oscillating.gain(at: sinceInsertion, phase: phase) }
    switch noise {
    case .none: break
    case .white(let deviation): parts.noise = deviation * stream.normal()
    case .uniform(let magnitude): parts.noise = magnitude * (2 * stream.unit() - 1)
    // The enum gives the noise up first, so that its block is changed in place.
    case .autoregressive(var gridded):
      noise = .none
      parts.noise = gridded.value(at: sinceInsertion, from: &stream)
      noise = .autoregressive(gridded)
    case .johnson(var johnson):
      noise = .none
      parts.noise = johnson.value(at: sinceInsertion, from: &stream)
      noise = .johnson(johnson)
    }
    if let proportional { parts.noise *= proportional * glucose }
    return parts
  }
}

/// A sum of autoregressive sequences on a grid, mostly of five minutes, linear in between.
///
/// The first value that is asked for stands on the grid, and so does each that comes a multiple of
/// its step after it: on a straight line between two points noise is smaller and slower.
struct GriddedNoise: Hashable, Sendable {
  private let step: TimeSpan
  private var sequences: [AutoregressiveNoise]
  private var index: Int64 = 0
  /// By how much the grid lies behind whole steps since insertion; `nil` before the first value.
  private var shift: TimeSpan?
  private var here = 0.0
  private var next = 0.0

  init(
    _ sequences: [AutoregressiveNoise], step: TimeSpan = .minutes(5),
    from stream: inout RandomStream
  ) {
    assert(step > .zero, "Values of a sequence are some time apart.")
    self.step = step
    self.sequences = sequences
    for index in self.sequences.indices { self.sequences[index].settle(from: &stream) }
    here = draw(from: &stream)
    next = draw(from: &stream)
  }

  /// The noise at a time since insertion, which must not lie before an earlier one asked for.
  mutating func value(at elapsed: TimeSpan, from stream: inout RandomStream) -> Double {
    let shift = self.shift ?? elapsed - step * elapsed.quotient(by: step)
    self.shift = shift
    let placed = elapsed - shift
    let whole = placed.quotient(by: step)
    while index < whole {
      here = next
      next = draw(from: &stream)
      index += 1
    }
    let fraction = (placed - step * whole).minutes / step.minutes
    return here * (1 - fraction) + next * fraction
  }

  private mutating func draw(from stream: inout RandomStream) -> Double {
    var sum = 0.0
    for index in sequences.indices { sum += sequences[index].next(from: &stream) }
    return sum
  }
}
