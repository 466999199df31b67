extension Array where Element: Sendable {
  /// What a function makes of each element, in their order, worked out on all processors.
  func concurrentMap<Result: Sendable>(
    _ transform: @escaping @Sendable (Element) -> Result
  ) async -> [Result] {
    await withTaskGroup(of: (Int, Result).self) { group in
      for (place, element) in enumerated() {
        group.addTask { (place, transform(element)) }
      }
      var results = [Result?](repeating: nil, count: count)
      for await (place, result) in group { results[place] = result }
      return results.compactMap(\.self)
    }
  }

  /// The elements in parts of a size; the last may be shorter.
  func parts(of size: Int) -> [[Element]] {
    stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min($0 + size, count)]) }
  }
}
