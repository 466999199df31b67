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
    var low = startIndex
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
