internal import ClosedLoop
internal import HealthStore
public import Quantities

/// Carbohydrates that the app did not count any more, or counted besides, although no person had
/// deleted or entered them.
public struct MiscountedCarbs: Hashable, Sendable {
  /// When the app lost them, or began to count them.
  public var instant: Instant
  /// How much had been entered of what it lost, or how much it counted too much.
  public var mass: CarbohydrateMass
  /// How many entries it lost, or had besides.
  public var count: Int
  /// Whether the app counted them besides, and had not lost them.
  public var isSurplus = false
  /// What took or made them, as a clause.
  public var cause: String
  /// The carbs on board of the app's last decision before, in g; `nil` where there was none.
  public var onBoardBefore: Double?
  /// When they would have counted as absorbed at the latest.
  public var absorbed: Instant
  /// When the app had all of them again, or none of them any more; `nil` where that never was.
  public var righted: Instant?
}

/// Watches which carb entries the app loses or gets without a person's doing, and until when.
struct MiscountedCarbsWatch: Sendable {
  /// An entry that may be lost, and what takes it.
  struct Threat: Sendable {
    fileprivate var row: CarbStore.Row
    fileprivate var cause: String
    /// The carbs on board before, in g.
    fileprivate var onBoard: Double?
  }

  /// What was lost so far, in the order of time.
  private(set) var all: [MiscountedCarbs] = []
  /// What an app had that is installed anew, until it has looked into the health store.
  private var former: [Threat] = []
  /// What a person deleted in such an app while the health store went on to hold it, until it
  /// comes back.
  private var formerlyDeleted: [CarbStore.Row] = []
  /// The entries that are lost and may come back, by the place of what tells of them.
  private var missing: [Int: Set<SyncIdentifier>] = [:]
  /// The entries that are there besides, by the place of what tells of them.
  private var besides: [Int: Set<SyncIdentifier>] = [:]
  /// The copies that have been told.
  private var toldCopies: Set<SampleUUID> = []
  /// What the app's entries followed from at the last look; `nil` before the first of an app.
  private var seen: CarbStore.State?

  /// Whether a copy has been told, because the app counted it.
  func hasTold(_ copy: SampleUUID) -> Bool { toldCopies.contains(copy) }

  /// The app has started again, perhaps with other entries.
  mutating func noteRestart() { seen = nil }

  /// The app is installed anew; what the health store holds of its entries comes back at once,
  /// unless it is older than what a new app reads.
  ///
  /// - Parameters:
  ///   - phone: The phone before.
  ///   - held: What the health store holds of carbohydrates.
  ///   - now: When.
  mutating func noteReinstallation(
    of phone: Phone, holding held: Set<SampleUUID>, at now: Instant
  ) {
    noteRestart()
    former += phone.carbRows.map { row in
      let isHeld = row.sampleID.map(held.contains) ?? false
      return Threat(
        row: row,
        cause: "the app was installed anew and "
          + (isHeld
            ? "does not read so far back in the health store"
            : "the health store did not hold them"),
        onBoard: phone.carbsOnBoard)
    }
    formerlyDeleted += phone.fromApp(at: now) { app, _ in app.carbs.unstoredRows }
      .filter { $0.operation == .delete }
  }

  /// What the app may lose when it next takes in what others did in the health store; `nil` where
  /// there is nothing to watch.
  ///
  /// - Parameters:
  ///   - phone: The phone before.
  ///   - faults: What faults have done to food in the health store.
  /// - Returns: What the app may lose.
  mutating func threats(to phone: Phone, by faults: FaultedCarbs) -> [Threat]? {
    guard
      !faults.isEmpty || !former.isEmpty || !missing.isEmpty || !formerlyDeleted.isEmpty
        || !besides.isEmpty
    else { return nil }
    defer { former = [] }
    if faults.wiped.isEmpty { return former }
    return former
      + phone.carbRows.compactMap { row in
        guard let sample = row.sampleID, let fault = faults.wiped[sample],
          faults.copied[sample] == nil
        else { return nil }
        return Threat(
          row: row, cause: "the fault \(fault) had deleted them in the health store",
          onBoard: phone.carbsOnBoard)
      }
  }

  /// Notes what the app has lost or has besides, and what is right again, now that it has taken in
  /// what others did.
  mutating func note(
    _ threats: [Threat], to phone: Phone, by faults: FaultedCarbs, at now: Instant
  ) {
    let state = phone.carbState
    defer { seen = state }
    // A year of cycles passes in which nothing is entered, and nothing else can change then.
    if state == seen, threats.isEmpty, formerlyDeleted.isEmpty { return }
    let known = phone.carbEntries
    for (place, identifiers) in missing where identifiers.isSubset(of: known) {
      all[place].righted = now
      missing[place] = nil
    }
    for (place, identifiers) in besides where identifiers.isDisjoint(with: known) {
      all[place].righted = now
      besides[place] = nil
    }
    for row in phone.carbRows { noteCopy(row, by: faults, to: phone, at: now) }
    let shown = phone.shownTime(at: now)
    let back = formerlyDeleted.filter { known.contains($0.syncIdentifier) }
    for row in back where row.entry.latestAbsorption > shown {
      noteSurplus(
        row, "the app was installed anew and the health store still held what had been deleted",
        to: phone, at: now)
    }
    let seen = Set(back.map(\.syncIdentifier))
    formerlyDeleted.removeAll {
      seen.contains($0.syncIdentifier) || $0.entry.latestAbsorption <= shown
    }
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
        MiscountedCarbs(
          instant: now,
          mass: CarbohydrateMass(grams: rows.reduce(0) { $0 + $1.entry.mass.grams }),
          count: rows.count, cause: cause, onBoardBefore: threats.first?.onBoard,
          absorbed: now + (latest - shown)))
    }
  }

  /// Notes an entry that is a copy which a fault made, with those that the same fault made before.
  private mutating func noteCopy(
    _ row: CarbStore.Row, by faults: FaultedCarbs, to phone: Phone, at now: Instant
  ) {
    guard let sample = row.sampleID, let fault = faults.copied[sample],
      toldCopies.insert(sample).inserted
    else { return }
    noteSurplus(row, "the fault \(fault) had copied them in the health store", to: phone, at: now)
  }

  /// Notes an entry that the app has besides, with those of the same cause.
  private mutating func noteSurplus(
    _ row: CarbStore.Row, _ cause: String, to phone: Phone, at now: Instant
  ) {
    let shown = phone.shownTime(at: now)
    let absorbed = now + (row.entry.latestAbsorption - shown)
    let place =
      besides.keys.filter { all[$0].cause == cause }.max() ?? all.count
    if place == all.count {
      all.append(
        MiscountedCarbs(
          instant: now, mass: row.entry.mass, count: 0, isSurplus: true, cause: cause,
          onBoardBefore: phone.carbsOnBoard, absorbed: absorbed))
    } else {
      all[place].mass = CarbohydrateMass(grams: all[place].mass.grams + row.entry.mass.grams)
    }
    all[place].count += 1
    all[place].absorbed = max(all[place].absorbed, absorbed)
    besides[place, default: []].insert(row.syncIdentifier)
  }
}

/// What faults have done to food in the health store.
struct FaultedCarbs: Sendable {
  /// The samples that were deleted, each with the fault's name.
  var wiped: [SampleUUID: String] = [:]
  /// The samples that were made as copies, each with the fault's name.
  var copied: [SampleUUID: String] = [:]

  var isEmpty: Bool { wiped.isEmpty && copied.isEmpty }
}
