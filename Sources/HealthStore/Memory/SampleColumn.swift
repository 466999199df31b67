internal import Quantities

/// The live samples of one type in memory, in the order of their rows.
///
/// Samples mostly arrive in the order of time, and then the order of rows is also that of starts.
/// The first that does not makes a second order necessary.
struct SampleColumn: Sendable {
  private(set) var rows: [StoredSample] = []
  /// Which positions hold a deleted sample; empty while none does.
  private var gone: [Bool] = []
  private(set) var goneCount = 0
  /// The positions by start and row; nothing while that is the order of rows.
  private var timeOrder: [Int]?
  private var longest = TimeSpan.zero
  private var latestStart = Instant(millisecondsSince1970: .min)

  mutating func append(_ stored: StoredSample) {
    let position = rows.count
    let sample = stored.sample
    if longest < sample.duration { longest = sample.duration }
    if timeOrder != nil || sample.start < latestStart {
      insertIntoTimeOrder(position, start: sample.start)
    }
    if latestStart < sample.start { latestStart = sample.start }
    rows.append(stored)
    if !gone.isEmpty { gone.append(false) }
  }

  /// Takes back the last sample, which was appended just now.
  mutating func removeLast() {
    let position = rows.count - 1
    rows.removeLast()
    if !gone.isEmpty { gone.removeLast() }
    if let index = timeOrder?.lastIndex(of: position) { timeOrder?.remove(at: index) }
  }

  mutating func markGone(_ position: Int) {
    if gone.isEmpty { gone = Array(repeating: false, count: rows.count) }
    gone[position] = true
    goneCount += 1
  }

  func isLive(_ position: Int) -> Bool { gone.isEmpty || !gone[position] }

  private mutating func insertIntoTimeOrder(_ position: Int, start: Instant) {
    var order = timeOrder ?? Array(rows.indices)
    timeOrder = nil
    var low = 0
    var high = order.count
    while low < high {
      let middle = (low + high) / 2
      if rows[order[middle]].sample.start <= start { low = middle + 1 } else { high = middle }
    }
    order.insert(position, at: low)
    timeOrder = order
  }

  /// Visits live samples in the order of a scan; the type in the scan is not looked at.
  func visit(_ scan: StoreScan, _ body: (StoredSample) -> Bool) {
    switch scan {
    case .rows(_, let row):
      var position = firstPosition { $0.row > row }
      while position < rows.count {
        if isLive(position), !body(rows[position]) { return }
        position += 1
      }
    case .time(_, let from, let end):
      var index = firstIndex(startingFrom: earliestStart(from))
      while index < rows.count {
        let position = timeOrder?[index] ?? index
        if rows[position].sample.start >= end { return }
        if isLive(position), !body(rows[position]) { return }
        index += 1
      }
    case .timeReversed(_, let from, let end):
      let earliest = earliestStart(from)
      var index = firstIndex(startingFrom: end) - 1
      while index >= 0 {
        let position = timeOrder?[index] ?? index
        if rows[position].sample.start < earliest { return }
        if isLive(position), !body(rows[position]) { return }
        index -= 1
      }
    }
  }

  /// The earliest start of a sample that can still last at an instant.
  private func earliestStart(_ from: Instant) -> Instant {
    let (start, overflow) = from.millisecondsSince1970.subtractingReportingOverflow(
      longest.milliseconds)
    return Instant(millisecondsSince1970: overflow ? .min : start)
  }

  private func firstPosition(where isLater: (StoredSample) -> Bool) -> Int {
    var low = 0
    var high = rows.count
    while low < high {
      let middle = (low + high) / 2
      if isLater(rows[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }

  private func firstIndex(startingFrom start: Instant) -> Int {
    var low = 0
    var high = rows.count
    while low < high {
      let middle = (low + high) / 2
      if rows[timeOrder?[middle] ?? middle].sample.start >= start {
        high = middle
      } else {
        low = middle + 1
      }
    }
    return low
  }

  /// The column without the places of deleted samples.
  func compacted() -> SampleColumn {
    var column = SampleColumn()
    column.rows.reserveCapacity(rows.count - goneCount)
    for position in rows.indices where isLive(position) { column.append(rows[position]) }
    return column
  }
}
