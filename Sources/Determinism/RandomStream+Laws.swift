extension RandomStream {
  /// Draws from the standard normal law: mean 0, standard deviation 1.
  ///
  /// One draw of the stream gives one number, through the quantile of the law.
  public mutating func normal() -> Double {
    PortableMath.normalQuantile((Double(next() >> 12) + 0.5) * 0x1p-52)
  }

  /// Draws from the normal law with the given mean and standard deviation.
  public mutating func normal(mean: Double, standardDeviation: Double) -> Double {
    mean + standardDeviation * normal()
  }

  /// Draws a positive number whose logarithm is normal with standard deviation `sigma`.
  public mutating func logNormal(median: Double, sigma: Double) -> Double {
    median * PortableMath.exp(sigma * normal())
  }

  /// Draws how long to wait for an event that happens once in `mean` on average and any time alike.
  public mutating func exponentialWait(mean: Double) -> Double {
    -mean * PortableMath.log1p(-unit())
  }

  /// Draws how often such an event happens while it is expected `mean` times (Poisson's law).
  ///
  /// A mean that is not above zero gives 0; means above a million count as a million.
  public mutating func poissonCount(mean: Double) -> Int {
    guard mean > 0 else { return 0 }
    var rest = min(mean, 1e6)
    var count = 0
    // Poisson numbers add up, so a large mean is drawn in parts that exp(−mean) can hold.
    while rest > 0 {
      let part = min(rest, 32)
      rest -= part
      count += smallPoissonCount(mean: part)
    }
    return count
  }

  private mutating func smallPoissonCount(mean: Double) -> Int {
    let limit = PortableMath.exp(-mean)
    var count = -1
    var product = 1.0
    repeat {
      count += 1
      product *= 1 - unit()
    } while product > limit
    return count
  }
}
