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
}
