internal import ClosedLoop
internal import HealthStore
public import Quantities

/// Carbohydrates that the app did not count any more, although no person had deleted them.
public struct LostCarbs: Hashable, Sendable {
  /// When the app lost them.
  public var instant: Instant
  /// How much had been entered of what it lost.
  public var mass: CarbohydrateMass
  /// How many entries it lost.
  public var count: Int
  /// What took them, as a clause.
  public var cause: String
  /// The carbs on board of the app's last decision before, in g; `nil` where there was none.
  public var onBoardBefore: Double?
  /// When they would have counted as absorbed at the latest.
  public var absorbed: Instant
  /// When the app had all of them again; `nil` where that never was.
  public var returned: Instant?
}

/// Watches which carb entries the app loses without a person's doing, and whether they come back.
struct LostCarbsWatch: Sendable {
  /// An entry that may be lost, and what takes it.
  struct Threat: Sendable {
    fileprivate var row: CarbStore.Row
    fileprivate var cause: String
    /// The carbs on board before, in g.
    fileprivate var onBoard: Double?
  }

  /// What was lost so far, in the order of time.
  private(set) var all: [LostCarbs] = []
  /// What an app had that is installed anew, until it has looked into the health store.
  private var former: [Threat] = []
  /// The entries that are lost and may come back, by the place of what tells of them.
  private var missing: [Int: Set<SyncIdentifier>] = [:]

  /// The app is installed anew; what the health store holds of its entries comes back at once.
  mutating func noteReinstallation(of phone: Phone) {
    former += phone.carbRows.map {
      Threat(
        row: $0, cause: "the app was installed anew and the health store did not hold them",
        onBoard: phone.carbsOnBoard)
    }
  }

  /// What the app may lose when it next takes in what others did in the health store; `nil` where
  /// there is nothing to watch.
  ///
  /// - Parameters:
  ///   - phone: The phone before.
  ///   - wiped: The samples of food that faults have deleted, each with the fault's name.
  /// - Returns: What the app may lose.
  mutating func threats(to phone: Phone, wiped: [SampleUUID: String]) -> [Threat]? {
    guard !wiped.isEmpty || !former.isEmpty || !missing.isEmpty else { return nil }
    defer { former = [] }
    return former
      + phone.carbRows.compactMap { row in
        guard let fault = row.sampleID.flatMap({ wiped[$0] }) else { return nil }
        return Threat(
          row: row, cause: "the fault \(fault) had deleted them in the health store",
          onBoard: phone.carbsOnBoard)
      }
  }

  /// Notes what the app has lost, and what has come back, now that it has taken that in.
  mutating func note(_ threats: [Threat], to phone: Phone, at now: Instant) {
    let known = phone.carbEntries
    for (place, identifiers) in missing where identifiers.isSubset(of: known) {
      all[place].returned = now
      missing[place] = nil
    }
    let shown = phone.shownTime(at: now)
    let lost = threats.filter {
      !known.contains($0.row.syncIdentifier) && $0.row.entry.latestAbsorption > shown
    }
    var causes: [String] = []
    for threat in lost where !causes.contains(threat.cause) { causes.append(threat.cause) }
    for cause in causes {
      let threats = lost.filter { $0.cause == cause }
      let rows = threats.map(\.row)
      let latest = rows.map(\.entry.latestAbsorption).max() ?? shown
      missing[all.count] = Set(rows.map(\.syncIdentifier))
      all.append(
        LostCarbs(
          instant: now,
          mass: CarbohydrateMass(grams: rows.reduce(0) { $0 + $1.entry.mass.grams }),
          count: rows.count, cause: cause, onBoardBefore: threats.first?.onBoard,
          absorbed: now + (latest - shown)))
    }
  }
}
