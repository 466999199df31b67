extension Array where Element: Sendable {
  /// What a function makes of each element, in their order, worked out on all processors.
  ///
  /// - Throws: What `transform` throws for the first element for which it does; it is called for
  ///   every element all the same.
  func concurrentMap<Output: Sendable, Trouble: Error>(
    _ transform: @escaping @Sendable (Element) throws(Trouble) -> Output
  ) async throws(Trouble) -> [Output] {
    let outcomes = await withTaskGroup(of: (Int, Result<Output, Trouble>).self) { group in
      for (place, element) in enumerated() {
        group.addTask {
          do throws(Trouble) {
            return (place, .success(try transform(element)))
          } catch {
            return (place, .failure(error))
          }
        }
      }
      var outcomes = [Result<Output, Trouble>?](repeating: nil, count: count)
      for await (place, outcome) in group { outcomes[place] = outcome }
      return outcomes.compactMap(\.self)
    }
    var outputs: [Output] = []
    outputs.reserveCapacity(outcomes.count)
    for outcome in outcomes { outputs.append(try outcome.get()) }
    return outputs
  }

  /// The elements in parts of a size; the last may be shorter.
  func parts(of size: Int) -> [[Element]] {
    stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min($0 + size, count)]) }
  }
}
