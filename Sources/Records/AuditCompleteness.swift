internal import HealthStore
internal import Quantities

/// How much of a record is there, and whether it was there in time.
public struct AuditCompleteness: Hashable, Sendable {
  /// How many of several.
  public struct Count: Hashable, Sendable {
    /// How many.
    public let count: Int
    /// Of how many.
    public let of: Int
  }

  /// The share of the judged time, from 0 to 1, in which some sample of basal lasts, of whatever
  /// source, a suspension too; `nil` where no time was judged.
  ///
  /// Stretches in which nothing at all is recorded count as time.
  public let basalCovered: Double?
  /// How many boluses were written within two cycles of the loop, which are ten minutes, after
  /// their end, of those of sources that say when they wrote; `nil` where there is none.
  ///
  /// A source says so where it wrote a sample of insulin at another time than that of its start or
  /// its end, which are also taken where a record does not say when it was written.
  public let writtenInTime: Count?

  init(of book: AuditBook) {
    let length = book.end - book.start
    let basal = book.insulin.filter(\.isLastingBasal)
    let covered = IntervalSet(
      basal.map { (start: max($0.start, book.start), end: min($0.end, book.end)) }
    ).length
    assert(covered <= max(length, .zero), "What is covered lies within what was judged.")
    basalCovered = length > .zero ? covered.seconds / length.seconds : nil
    let stating = Set(
      book.insulin.filter { $0.created != $0.start && $0.created != $0.end }.map(\.source))
    let boluses = book.insulin.filter { $0.countsAsBolus && stating.contains($0.source) }
    let inTime = boluses.count { $0.created - $0.end <= UsualDelay.ofBolus }
    writtenInTime = boluses.isEmpty ? nil : Count(count: inTime, of: boluses.count)
  }
}
