public import Quantities

/// How long the errors of sensors last, and how many of the readings that were due are missing.
///
/// An error is a reading without the interstitial glucose of its time, because lag alone makes
/// errors that follow one another alike. It counts from the mean of its own sensor, so that what a
/// sensor is off by all the time is no persistence. A finite series gives autocorrelations that are
/// somewhat too low.
public struct ErrorPersistence: Hashable, Sendable {
  /// What came of one instant at which a reading was due.
  public enum Moment: Hashable, Sendable {
    /// A reading with its error, in milligrams per decilitre.
    case error(Double)
    /// A reading of LOW or HIGH, which has no value.
    case withoutValue
    /// No reading when it was due.
    case missing
  }

  /// The spans over which errors are compared.
  public static let spans: [TimeSpan] = [.minutes(5), .minutes(15), .minutes(30), .minutes(60)]

  /// How many readings were due.
  public private(set) var due = 0
  /// How many of them did not come when they were due.
  public private(set) var missing = 0
  private var sums = Array(repeating: Products(), count: spans.count)

  /// Sums over pairs of errors one span apart: of the products, and of the squares of each side.
  private struct Products: Hashable, Sendable {
    var both = 0.0
    var earlier = 0.0
    var later = 0.0
  }

  /// Creates a measurement without a sensor.
  public init() {}

  /// The share of the readings that were due which did not come; nothing where none was due.
  public var missingShare: Double? { due > 0 ? Double(missing) / Double(due) : nil }

  /// The correlation of errors `span` apart, one of ``spans``, from −1 to 1.
  ///
  /// Nothing where no two errors are that far apart, or where all of them are equal.
  public func autocorrelation(after span: TimeSpan) -> Double? {
    guard let index = Self.spans.firstIndex(of: span) else { return nil }
    let sum = sums[index]
    let scale = (sum.earlier * sum.later).squareRoot()
    return scale > 0 ? max(-1, min(1, sum.both / scale)) : nil
  }

  /// Adds all instants of one sensor at which a reading was due, `period` apart.
  ///
  /// - Precondition: `period` is more than nothing.
  public mutating func add(_ moments: [Moment], every period: TimeSpan) {
    precondition(period > .zero, "A sensor reads after some time.")
    due += moments.count
    missing += moments.count { $0 == .missing }
    let errors = moments.map { moment -> Double? in
      if case .error(let error) = moment { error } else { nil }
    }
    let known = errors.compactMap(\.self)
    guard !known.isEmpty else { return }
    let mean = known.reduce(0, +) / Double(known.count)
    let deviations = errors.map { $0.map { $0 - mean } }
    for (index, span) in Self.spans.enumerated()
    where span.milliseconds % period.milliseconds == 0 {
      let step = Int(span.quotient(by: period))
      for (earlier, later) in zip(deviations, deviations.dropFirst(step)) {
        guard let earlier, let later else { continue }
        sums[index].both += earlier * later
        sums[index].earlier += earlier * earlier
        sums[index].later += later * later
      }
    }
  }
}
