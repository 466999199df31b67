public import Determinism

/// A population of factory-calibrated sensors: each draws its own gain, drift, offset and noise.
///
/// M. Vettoretti, C. Battocchio, G. Sparacino, A. Facchinetti, "Development of an Error Model for a
/// Factory-Calibrated Continuous Glucose Monitoring Sensor with 10-Day Lifetime", Sensors 2019,
/// with the figures of gcappon/py_replay_bg. Seven parameters are drawn together from a normal
/// distribution whose covariance is 0.9 times the published one; draws that are not safely stable
/// are repeated, as in the published code.
public enum PopulationErrorModel {
  /// The parameters of one sensor: gain `m0 + m1 t + m2 t²` (t in days), offset `b`, and AR(2)
  /// noise.
  public struct Parameters: Hashable, Sendable {
    /// The gain and its change: at first, per day, and per day squared.
    public var m0, m1, m2: Double
    /// The offset in milligrams per decilitre.
    public var b: Double
    /// The weights of the two values before, and the innovation's SD in mg/dL.
    public var α1, α2, σ: Double

    init(_ p: [Double]) {
      (m0, m1, m2, b) = (p[0], p[1], p[2], p[3])
      (α1, α2, σ) = (p[4], p[5], p[6])
    }

    /// The sensor of the population's mean.
    public static let mean = Self(PopulationErrorModel.mean)

    /// The noise with these parameters.
    public var noise: AutoregressiveNoise { AutoregressiveNoise(φ1: α1, φ2: α2, σ: σ) }

    /// Whether the published code accepts the draw.
    public var isAccepted: Bool {
      guard α2 >= -1, α2 <= 1 - α1.magnitude - 0.02 else { return false }
      let variance = noise.stationaryVariance
      return variance >= 0 && variance <= 100
    }

    /// The affine model with these parameters.
    public var affine: AffineErrorModel {
      AffineErrorModel(a: (m0, m1, m2), b: (b, 0, 0), v: noise, origin: .insertion)
    }
  }

  /// Draws one set of parameters, accepted or not.
  public static func drawOnce(from stream: inout RandomStream) -> Parameters {
    let z = (0..<7).map { _ in stream.normal() }
    var p = mean
    for row in 0..<7 {
      for column in 0...row { p[row] += factor[row][column] * z[column] }
    }
    return Parameters(p)
  }

  /// Draws the parameters of one sensor: draws are repeated until one is accepted.
  public static func draw(from stream: inout RandomStream) -> Parameters {
    // About a quarter are rejected; a thousand in a row do not happen.
    for _ in 0..<1_000 {
      let parameters = drawOnce(from: &stream)
      if parameters.isAccepted { return parameters }
    }
    return .mean
  }

  static let mean = [
    0.94228767821, 0.00493988211418, -0.000584874856549, 6.382602204050874,
    1.2604070417357611, -0.40222289382366, 3.25163608561141,
  ]

  /// The lower triangle of the published covariance.
  static let covariance: [[Double]] = [
    [0.013245827952891259],
    [-0.0039513025350735725, 0.0018527975980744702],
    [0.00031276743283791637, -0.00015580332205794781, 1.3745962164724157e-05],
    [0.15717912467153988, -0.10288007693621758, 0.008068586368873889, 29.00583818885299],
    [
      0.0026876560011615, -0.0013902327543057948, 0.00012074974710011031,
      0.12408344051778113, 0.020793526742334877,
    ],
    [
      -0.00289046338252634, 0.0011591852212130876, -0.00010042135441622313,
      -0.10193644943826737, -0.01843110917045998, 0.0187008679334534,
    ],
    [
      -0.0031801707001874032, -0.0027284927011686846, 0.00011130290033867137,
      0.6007538129420416, -0.015721846813032722, 0.015523335768296294, 0.7235683803846348,
    ],
  ]

  /// The lower Cholesky factor of 0.9 times the covariance.
  static let factor: [[Double]] = {
    var lower: [[Double]] = []
    for row in 0..<7 {
      var line: [Double] = []
      for column in 0...row {
        var sum = 0.9 * covariance[row][column]
        let other = column < row ? lower[column] : line
        for k in 0..<column { sum -= line[k] * other[k] }
        line.append(column == row ? sum.squareRoot() : sum / lower[column][column])
      }
      lower.append(line)
    }
    return lower
  }()
}
