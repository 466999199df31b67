internal import Dosing
public import Quantities

/// What the carbohydrate store gives the algorithm.
extension CarbStore {
  /// Lists the entries of a window that a person has made by now, with one that is about to be
  /// entered.
  func listEntries(
    in window: ClosedRange<Instant>, at now: Instant, adding potential: Entry?,
    into entries: inout [AlgorithmInput.CarbEntry]
  ) {
    entries.removeAll(keepingCapacity: true)
    visitActive(in: window) { row in
      guard row.userCreatedAt <= now else { return }
      entries.append(row.entry.algorithmEntry)
    }
    if let potential {
      let index = entries.firstIndex { $0.date > potential.date } ?? entries.count
      entries.insert(potential.algorithmEntry, at: index)
    }
  }
}

extension CarbStore.Entry {
  /// When all of it counts as absorbed at the latest, whatever is observed.
  public var latestAbsorption: Instant { algorithmEntry.latestAbsorption }

  /// The entry as the algorithm takes it.
  fileprivate var algorithmEntry: AlgorithmInput.CarbEntry {
    .init(date: date, quantity: mass, absorptionTime: absorptionTime)
  }
}
