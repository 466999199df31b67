extension PortableMath {
  /// The quantile of the standard normal law: the number below which a share `p` of it lies.
  ///
  /// The rational approximation is PPND16 of M. J. Wichura, "Algorithm AS 241: The Percentage
  /// Points of the Normal Distribution", Applied Statistics 37, 1988, with a relative error below
  /// 10⁻¹⁵. 0 and 1 give the infinities; what is no probability gives NaN.
  public static func normalQuantile(_ p: Double) -> Double {
    guard p > 0, p < 1 else {
      if p == 0 { return -.infinity }
      return p == 1 ? .infinity : .nan
    }
    let q = p - 0.5
    if q.magnitude <= 0.425 {
      let r = 0.180625 - q * q
      return q * ratio(r, centralTop, centralBottom)
    }
    let r = (-log(q < 0 ? p : 1 - p)).squareRoot()
    let size =
      r <= 5 ? ratio(r - 1.6, middleTop, middleBottom) : ratio(r - 5, tailTop, tailBottom)
    return q < 0 ? -size : size
  }

  private static func ratio(
    _ r: Double, _ top: InlineArray<8, Double>, _ bottom: InlineArray<8, Double>
  ) -> Double {
    var numerator = top[7]
    var denominator = bottom[7]
    for index in stride(from: 6, through: 0, by: -1) {
      numerator = numerator * r + top[index]
      denominator = denominator * r + bottom[index]
    }
    return numerator / denominator
  }

  private static let centralTop: InlineArray<8, Double> = [
    3.3871328727963666080, 133.14166789178437745, 1971.5909503065514427, 13731.693765509461125,
    45921.953931549871457, 67265.770927008700853, 33430.575583588128105, 2509.0809287301226727,
  ]
  private static let centralBottom: InlineArray<8, Double> = [
    1, 42.313330701600911252, 687.18700749205790830, 5394.1960214247511077,
    21213.794301586595867, 39307.895800092710610, 28729.085735721942674, 5226.4952788528545610,
  ]
  private static let middleTop: InlineArray<8, Double> = [
    1.42343711074968357734, 4.63033784615654529590, 5.76949722146069140550,
    3.64784832476320460504, 1.27045825245236838258, 0.241780725177450611770,
    0.0227238449892691845833, 7.74545014278341407640e-4,
  ]
  private static let middleBottom: InlineArray<8, Double> = [
    1, 2.05319162663775882187, 1.67638483018380384940, 0.689767334985100004550,
    0.148103976427480074590, 0.0151986665636164571966, 5.47593808499534494600e-4,
    1.05075007164441684324e-9,
  ]
  private static let tailTop: InlineArray<8, Double> = [
    6.65790464350110377720, 5.46378491116411436990, 1.78482653991729133580,
    0.296560571828504891230, 0.0265321895265761230930, 0.00124266094738807843860,
    2.71155556874348757815e-5, 2.01033439929228813265e-7,
  ]
  private static let tailBottom: InlineArray<8, Double> = [
    1, 0.599832206555887937690, 0.136929880922735805310, 0.0148753612908506148525,
    7.86869131145613259100e-4, 1.84631831751005468180e-5, 1.42151175831644588870e-7,
    2.04426310338993978564e-15,
  ]
}
