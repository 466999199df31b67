internal import Dosing
internal import Quantities
internal import WorkCounting

/// The glucose of the last hours as the algorithm takes it, kept from cycle to cycle.
///
/// Invariant: where the store has only gained rows at its end and forgotten some at its beginning
/// since, ``samples`` are what its rows of ``numbers`` make. A cycle adds what is new and drops
/// what has left the window; after any other change the list is made again.
struct GlucoseHistory: Sendable {
  private(set) var samples: [AlgorithmInput.GlucoseSample] = []
  /// The rows of the samples, by the numbers of the store.
  private var numbers = 0..<0
  private var rearrangements: Int64 = -1

  /// What of the samples the algorithm has seen in the last cycle.
  private(set) var kept = KeptElements()

  /// How often the list was made from all rows of a window.
  private(set) var timesMade = 0

  /// Brings the samples up to date with the rows of a window.
  mutating func refresh(_ rows: ArraySlice<GlucoseStore.Row>, of store: GlucoseStore) {
    let wanted = numbers(of: rows, in: store)
    if rearrangements == store.rearrangements, numbers.lowerBound <= wanted.lowerBound,
      wanted.lowerBound <= numbers.upperBound, numbers.upperBound <= wanted.upperBound
    {
      let leaving = wanted.lowerBound - numbers.lowerBound
      if leaving > 0 { Work.visit(rows: samples.count) }
      samples.removeFirst(leaving)
      kept.noteRemovedFirst(leaving)
      for row in rows[(numbers.upperBound - store.forgotten)...] { samples.append(row.sample) }
    } else {
      timesMade += 1
      Work.visit(rows: rows.count)
      samples = rows.map(\.sample)
      kept.noteChange(from: 0)
      rearrangements = store.rearrangements
    }
    numbers = wanted
  }

  /// The samples of some rows, and whether they are those that are kept.
  func samples(
    of rows: ArraySlice<GlucoseStore.Row>, in store: GlucoseStore
  ) -> (samples: [AlgorithmInput.GlucoseSample], isKept: Bool) {
    let isKept =
      rearrangements == store.rearrangements && numbers == numbers(of: rows, in: store)
    return (isKept ? samples : rows.map(\.sample), isKept)
  }

  /// Notes that the algorithm has seen the samples, or others.
  mutating func noteLook(isKept: Bool) { kept.noteLook(at: isKept ? samples.count : 0) }

  private func numbers(of rows: ArraySlice<GlucoseStore.Row>, in store: GlucoseStore) -> Range<Int>
  {
    (rows.startIndex + store.forgotten)..<(rows.endIndex + store.forgotten)
  }
}

extension GlucoseStore.Row {
  /// The value as the algorithm takes it.
  fileprivate var sample: AlgorithmInput.GlucoseSample {
    .init(
      date: date, quantity: glucose, provenanceIdentifier: provenance,
      isDisplayOnly: isDisplayOnly, wasUserEntered: wasUserEntered)
  }
}
