/// An order of samples.
///
/// HealthKit: sort descriptors on a sample query.
public struct SampleSort: Hashable, Sendable {
  /// What is compared.
  ///
  /// HealthKit: `HKSampleSortIdentifierStartDate`, `HKSampleSortIdentifierEndDate` and the key
  /// paths of a predicate.
  public enum Key: Hashable, Sendable {
    /// A property that samples have.
    case start, end, uuid, value, created
    /// A field of clinical documents.
    case document(SamplePredicate.DocumentField)
  }

  /// What is compared.
  public var key: Key
  /// Whether the least comes first.
  public var isAscending: Bool

  /// Sorts by a key.
  public init(_ key: Key, ascending: Bool = true) {
    self.key = key
    isAscending = ascending
  }

  /// Whether one sample comes before another; ties are broken by the order of commits.
  static func precedes(_ lhs: StoredSample, _ rhs: StoredSample, by sorts: [SampleSort]) -> Bool {
    for sort in sorts {
      let order = sort.key.compare(lhs, rhs)
      if order != 0 { return sort.isAscending ? order < 0 : order > 0 }
    }
    return lhs.row < rhs.row
  }

  /// How many results a limit allows; none and 0 allow all.
  ///
  /// HealthKit: `HKObjectQueryNoLimit`, which is 0.
  static func most(_ limit: Int?) -> Int { limit.map { $0 > 0 ? $0 : .max } ?? .max }
}

extension SampleSort.Key {
  fileprivate func compare(_ lhs: StoredSample, _ rhs: StoredSample) -> Int {
    switch self {
    case .start: order(lhs.sample.start, rhs.sample.start)
    case .end: order(lhs.sample.end, rhs.sample.end)
    case .uuid: order(lhs.sample.uuid, rhs.sample.uuid)
    case .created: order(lhs.created, rhs.created)
    case .value: order(number(lhs.sample), number(rhs.sample))
    case .document(let field):
      order(
        lhs.sample.document.map { field.text(in: $0) } ?? "",
        rhs.sample.document.map { field.text(in: $0) } ?? "")
    }
  }

  private func number(_ sample: Sample) -> Double {
    sample.storedValue ?? sample.category.map { Double($0) } ?? 0
  }

  private func order<Value: Comparable>(_ lhs: Value, _ rhs: Value) -> Int {
    lhs < rhs ? -1 : (rhs < lhs ? 1 : 0)
  }
}
