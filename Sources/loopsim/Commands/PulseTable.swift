import FoundationEssentials
import Quantities
import Scenarios
import StructuredText

/// The pulses of a run, as its results hold them beside its health store.
struct PulseTable {
  private var basal: [(instant: Instant, units: Double)] = []

  /// Reads the table beside a store's file; `nil` where there is none.
  init?(beside store: String) throws {
    let path = URL(fileURLWithPath: store).deletingLastPathComponent()
      .appendingPathComponent(OutputSelection.File.pulses.fileName).path
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    let table = try CSVTable.whole(try Files.read(path), file: path)
    guard let time = table.index(of: "time_utc"), let channel = table.index(of: "channel"),
      let units = table.index(of: "recorded_U")
    else { throw Failure(.badInput, "\(path) is not a table of pulses.") }
    var sum = InsulinAmount.zero
    for row in table.rows where row[channel].text == "basal" {
      guard let instant = Instant(iso8601: row[time].text),
        let amount = Double(decimal: row[units].text).flatMap({ InsulinAmount(roundingUnits: $0) }),
        amount >= .zero
      else {
        throw Failure(
          .badInput, "\(row[time].position): error: The row is no pulse with its time and units.")
      }
      basal.append((instant, amount.units))
      sum += amount
    }
    try SummaryBeside(path)?.check(basal: sum, in: table)
  }

  /// When the first basal pulse was given; `nil` without any.
  var firstBasal: Instant? { basal.first?.instant }
  /// When the last basal pulse was given; `nil` without any.
  var lastBasal: Instant? { basal.last?.instant }

  /// How many basal pulses lie in (start, end], and how much they are.
  ///
  /// - Parameters:
  ///   - start: After when.
  ///   - end: Through when.
  ///   - pulse: The size of a pulse, in U: what a pump gives at once may be several.
  /// - Returns: The count, and the sum in U.
  func basal(
    after start: Instant, through end: Instant, pulse: Double
  ) -> (count: Int, units: Double) {
    let first = basal.partitioningIndex { $0.instant > start }
    let last = basal.partitioningIndex { $0.instant > end }
    guard first < last else { return (0, 0) }
    return basal[first..<last].reduce((0, 0)) { sum, given in
      // Of a pulse that is no size of any pump no count fits: each record counts as one.
      let count = Int(exactly: (given.units / pulse).rounded()) ?? 1
      return (sum.0 + max(1, count), sum.1 + given.units)
    }
  }
}
