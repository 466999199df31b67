import Testing

@testable import Determinism

/// Reference values were computed with 40 digits by mpmath 1.3.
@Suite("Gamma, beta and the complementary error function")
struct SpecialFunctionTests {
  private func agree(_ value: Double, _ expected: Double, _ relative: Double = 1e-12) -> Bool {
    (value - expected).magnitude <= relative * expected.magnitude
  }

  @Test(
    "the logarithm of the gamma function",
    arguments: [
      (0.1, 2.252712651734205902), (0.5, 0.57236494292470008707), (1.5, -0.12078223763524522235),
      (3.7, 1.4280723266653881292), (9.99, 12.77931521435019336), (10, 12.801827480081469611),
      (42.5, 115.90007047041453012), (1000.25, 5906.947268271117177),
    ])
  func logGamma(x: Double, expected: Double) {
    #expect(agree(PortableMath.logGamma(x), expected))
    #expect(PortableMath.logGamma(-1).isNaN)
    #expect(PortableMath.logGamma(1).magnitude < 1e-14)
  }

  @Test(
    "the logarithm of the gamma function keeps to its error",
    arguments: [
      (1e-200, 460.51701859880913682), (1.998, -0.00084427826291530069143),
      (3.3, 0.98709857789473440406), (19.7, 38.451046094870698223),
      (958.8, 5621.5025676508672443),
    ])
  func errorOfLogGamma(x: Double, expected: Double) {
    let error = (PortableMath.logGamma(x) - expected).magnitude
    #expect(error <= max(2e-14, 1e-15 * expected.magnitude))
  }

  @Test(
    "the complementary error function keeps its relative accuracy in the tail",
    arguments: [
      (-2, 1.9953222650189527342), (0.3, 0.67137324054087258381), (1.4, 0.0477148802373512036),
      (1.5, 0.033894853524689272933), (2, 0.0046777349810472658379),
      (3, 0.000022090496998585441373), (5, 1.5374597944280348502e-12),
      (10, 2.088487583762544757e-45), (20, 5.3958656116079009289e-176),
      (26, 5.6631924088561428465e-296),
    ])
  func erfc(x: Double, expected: Double) {
    #expect(agree(PortableMath.erfc(x), expected))
  }

  @Test(
    "the incomplete gamma functions, both tails",
    arguments: [
      (0.5, 0.1, 0.34527915398142297956, 0.65472084601857702044),
      (0.5, 4, 0.99532226501895273416, 0.0046777349810472658379),
      (2, 1, 0.26424111765711535681, 0.73575888234288464319),
      (3, 9, 0.99376780489362268275, 0.0062321951063773172496),
      (10, 3, 0.0011024881301154797421, 0.99889751186988452026),
      (10, 30, 0.99999287824913718442, 7.1217508628155770916e-6),
      (50, 48, 0.40540439500476144223, 0.59459560499523855777),
      (500, 430, 0.00052882202519229878482, 0.99947117797480770122),
      (500, 600, 0.9999877440576693771, 0.000012255942330622904168),
      (100000, 100200, 0.73666201000519870934, 0.26333798999480129066),
      (100000, 98000, 9.6908351581604864458e-11, 0.99999999990309164842),
    ] as [(Double, Double, Double, Double)])
  func gamma(a: Double, x: Double, lower: Double, upper: Double) {
    let tails = PortableMath.incompleteGamma(a, x)
    #expect(agree(tails.lower, lower))
    #expect(agree(tails.upper, upper))
  }

  @Test(
    "the incomplete beta function",
    arguments: [
      (0.5, 0.5, 0.25, 1.0 / 3), (2, 3, 0.4, 0.52480000000000003837),
      (5, 0.5, 0.9, 0.3166429150200123125), (0.5, 15, 0.01, 0.41393503522366443501),
      (15, 20, 0.3, 0.05713178263597750372), (15, 20, 0.9375, 0.99999999999999951195),
      (200, 300, 0.25, 1.0169531065276602765e-13), (1, 100, 0.03125, 0.95820045528339655499),
      (30, 2, 0.875, 0.086483886927666801551),
    ] as [(Double, Double, Double, Double)])
  func beta(a: Double, b: Double, x: Double, expected: Double) {
    #expect(agree(PortableMath.incompleteBeta(x, complement: 1 - x, a, b), expected))
  }
}
