internal import ClosedLoop
internal import HealthStore
public import Quantities

/// Carbohydrates that the health store does not hold as the app does, at the end of a run.
public struct UnstoredCarbs: Hashable, Sendable {
  /// When a person entered, changed or deleted them, by the phone's clock.
  public var instant: Instant
  /// How much.
  public var mass: CarbohydrateMass
  /// Whether a person deleted the entry, and the store still has it.
  public var isDeleted: Bool
  /// Why, as a clause; `nil` where that is not known.
  public var cause: String?
}

extension World {
  /// What the store does not hold at the end; what the app's next cycles would have written is left
  /// out.
  func unstoredCarbs(cycleInterval: TimeSpan) -> [UnstoredCarbs] {
    guard hasApp else { return [] }
    let type = ObjectType.dietaryCarbohydrates
    let cause: String? =
      if authorization(of: type)?.share == .authorized {
        circumstances.obstacles.reasonOfNotWriting
      } else if store.typesNotTaken.contains(type) {
        "the health store takes no carbohydrates"
      } else {
        "the app is not allowed to write carbohydrates"
      }
    let latest = phone.shownTime(at: now) - cycleInterval * 2
    let rows = phone.fromApp(at: now) { app, _ in app.carbs.unstoredRows }
    // What is gone from the store needs no deletion any more, whoever deleted it there.
    let held = rows.contains { $0.operation == .delete } ? storedCarbs : []
    let left = rows.filter { row in
      row.operation != .delete || row.sampleID.map(held.contains) ?? false
    }
    let unwritten = left.filter { cause != nil || $0.addedAt < latest }.map { row in
      UnstoredCarbs(
        instant: row.addedAt, mass: row.entry.mass, isDeleted: row.operation == .delete,
        cause: cause)
    }
    let all =
      unwritten + carbsDeletedByFaults + circumstances.formerUnstoredCarbs + formerUndeletedCarbs
    return all.sorted { $0.instant < $1.instant }
  }

  /// The samples of carbohydrates that the health store holds.
  var storedCarbs: Set<SampleUUID> { Set(carbSamples.map(\.uuid)) }

  private var carbSamples: [Sample] {
    (try? store.records.samples(of: .dietaryCarbohydrates, as: .user)) ?? []
  }

  /// What faults deleted in the store, but for entries that a person has since deleted as well, or
  /// changed, so that the app wrote them again.
  private var carbsDeletedByFaults: [UnstoredCarbs] {
    let deleted = store.deletions.carbs
    guard !deleted.isEmpty else { return [] }
    let done = Set(
      carbSamples.compactMap(\.metadata.syncIdentifier)
        + names.carbEntries.all.filter(\.isGone).map(\.identifier))
    return deleted.filter { entry in !(entry.identifier.map(done.contains) ?? false) }
      .map(\.unstored)
  }

  /// What people deleted in apps in whose place another was installed, and the store still holds.
  private var formerUndeletedCarbs: [UnstoredCarbs] {
    let former = circumstances.formerUndeletedCarbs
    guard !former.isEmpty else { return [] }
    let held = storedCarbs
    return former.filter { $0.sampleID.map(held.contains) ?? false }.map {
      UnstoredCarbs(instant: $0.addedAt, mass: $0.entry.mass, isDeleted: true)
    }
  }
}
