extension RandomAccessCollection {
  /// The index of the first element that belongs to the second part of a collection in two parts.
  ///
  /// The collection is in an order in which `belongsToSecondPart` is false for every element up to
  /// some place and true from there on. The end index when it is true for none. Takes a number of
  /// steps that grows with the logarithm of the count; the name is that of Swift Algorithms.
  // Without this the dosing engine, which searches in every cycle, is a fifth slower.
  @inlinable
  public func partitioningIndex(
    where belongsToSecondPart: (Element) throws -> Bool
  ) rethrows -> Index {
    try partitioningIndex(from: startIndex, count: count, where: belongsToSecondPart)
  }

  /// The index of ``partitioningIndex(where:)``, for a place that is mostly near the end.
  ///
  /// Takes a number of steps that grows with the logarithm of how many elements follow the place,
  /// however many come before it: what a history has of its last day is in the processor's cache,
  /// and what it has of a year is not.
  @inlinable
  public func partitioningIndexNearEnd(
    where belongsToSecondPart: (Element) throws -> Bool
  ) rethrows -> Index {
    // How many of the last elements are known to belong to the second part.
    var known = 0
    var step = 1
    var end = endIndex
    while known + step <= count {
      let probe = index(end, offsetBy: -step)
      guard try belongsToSecondPart(self[probe]) else {
        let first = index(after: probe)
        return try partitioningIndex(from: first, count: step - 1, where: belongsToSecondPart)
      }
      known += step
      step *= 2
      end = probe
    }
    return try partitioningIndex(
      from: startIndex, count: count - known, where: belongsToSecondPart)
  }

  /// The index among some elements, or that behind them.
  @inlinable
  func partitioningIndex(
    from first: Index, count: Int, where belongsToSecondPart: (Element) throws -> Bool
  ) rethrows -> Index {
    var low = first
    var length = count
    while length > 0 {
      let half = length / 2
      let middle = index(low, offsetBy: half)
      if try belongsToSecondPart(self[middle]) {
        length = half
      } else {
        low = index(after: middle)
        length -= half + 1
      }
    }
    return low
  }
}
