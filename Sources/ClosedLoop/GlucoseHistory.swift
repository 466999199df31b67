internal import Dosing
internal import Quantities

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

  /// How often the list was made from all rows of a window.
  private(set) var timesMade = 0

  /// Brings the samples up to date with the rows of a window.
  mutating func refresh(_ rows: ArraySlice<GlucoseStore.Row>, of store: GlucoseStore) {
    let wanted = numbers(of: rows, in: store)
    if rearrangements == store.rearrangements, numbers.lowerBound <= wanted.lowerBound,
      wanted.lowerBound <= numbers.upperBound, numbers.upperBound <= wanted.upperBound
    {
      samples.removeFirst(wanted.lowerBound - numbers.lowerBound)
      for row in rows[(numbers.upperBound - store.forgotten)...] { samples.append(row.sample) }
    } else {
      timesMade += 1
      samples = rows.map(\.sample)
      rearrangements = store.rearrangements
    }
    numbers = wanted
  }

  /// The samples of some rows.
  func samples(
    of rows: ArraySlice<GlucoseStore.Row>, in store: GlucoseStore
  ) -> [AlgorithmInput.GlucoseSample] {
    let isKnown =
      rearrangements == store.rearrangements && numbers == numbers(of: rows, in: store)
    return isKnown ? samples : rows.map(\.sample)
  }

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
