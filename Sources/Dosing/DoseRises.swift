import Determinism

/// By how much the fraction acted of a dose rises in each step, for the doses asked for last.
///
/// A dose that is taken back was mostly added a cycle before, and one that touches the edge of a
/// window is taken back and added again. Invariant: a table says what its dose's own computation
/// would, to the bit.
struct DoseRises: Sendable {
  /// One dose's rise, from the first step of its lattice on.
  private struct Table: Sendable {
    var model: InsulinModel
    var first: Double
    var duration: Double
    var rise: [Double]
  }

  /// The tables that are kept, in no order.
  private var tables: [Table] = []
  /// The table that gives way to the next new one.
  private var oldest = 0
  /// The last dose's fraction acted at once on the lattice.
  private var acted: [Double] = []

  /// How many tables are kept: what runs is added anew in each cycle, longer by a step, and temp
  /// basals mostly last up to an hour.
  private static let kept = 16

  /// By how much a dose rises in each step, from the first step of its lattice on.
  mutating func rise(of element: DoseElement, _ lattice: DoseLattice) -> [Double] {
    tables[table(of: element, lattice)].rise
  }

  /// The index of a dose's table.
  private mutating func table(of element: DoseElement, _ lattice: DoseLattice) -> Int {
    let duration = element.end - element.start
    for index in tables.indices
    where tables[index].duration == duration && tables[index].first == lattice.first
      && tables[index].model == element.model
    {
      return index
    }
    var table = Table(model: element.model, first: lattice.first, duration: duration, rise: [])
    guard tables.count == Self.kept else {
      compute(&table, lattice)
      tables.append(table)
      return tables.count - 1
    }
    let index = oldest
    oldest = (oldest + 1) % Self.kept
    swap(&table.rise, &tables[index].rise)
    compute(&table, lattice)
    tables[index] = table
    return index
  }

  /// Computes by how much a dose's fraction acted rises in each step from the lattice's first.
  ///
  /// With `w_k = 1 − R` on the lattice and `m = ⌊D/300⌋`, a delivery of more than 315 s rises by
  /// `(300/D)(w_k − w_{k−m}) + (D/300 − m)(300/D)(w_{k−m} − w_{k−m−1})` in step `k`.
  private mutating func compute(_ table: inout Table, _ lattice: DoseLattice) {
    assert(table.first == lattice.first, "A rise is tabulated on the lattice of its dose.")
    tabulate(InsulinActivity.of(table.model), lattice)
    let duration = table.duration
    table.rise.removeAll(keepingCapacity: true)
    let n = acted.count
    guard duration > InsulinActivity.momentary else {
      table.rise.append(acted[0])
      for k in 1..<max(1, n) { table.rise.append(acted[k] - acted[k - 1]) }
      return
    }
    let m = DoseLattice.fullSlices(duration)
    let whole = TimeAxis.step / duration
    let part = (duration - Double(m) * TimeAxis.step) / duration
    for k in 0..<(n + m) {
      let now = k < n ? acted[k] : 1
      let before = k < m ? 0 : acted[k - m]
      let earlier = k <= m ? 0 : acted[k - m - 1]
      table.rise.append(whole * (now - before) + part * (before - earlier))
    }
  }

  /// Tabulates `w_k = 1 − R` on the lattice, up to the first 1.
  private mutating func tabulate(_ activity: InsulinActivity, _ lattice: DoseLattice) {
    assert(lattice.acting <= activity.decay.count, "A lattice is no longer than the action.")
    acted.removeAll(keepingCapacity: true)
    for k in 0..<(lattice.acting) {
      let t = lattice.first + Double(k) * TimeAxis.step
      acted.append(activity.absorbed(t, lattice.exponential * activity.decay[k]))
    }
    acted.append(1)
  }
}
