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

/// Carbohydrates that a fault copied in the health store, and that the app does not count.
public struct CopiedCarbs: Hashable, Sendable {
  /// The time of the copy.
  public var instant: Instant
  /// How much the copy says.
  public var mass: CarbohydrateMass
  /// Who wrote the copy.
  public var source: String
  /// The fault that made it.
  public var fault: String
}

extension World {
  /// The copies of food that the store holds at the end and that the app never counted, in the
  /// order of time.
  var uncountedCopies: [CopiedCarbs] {
    let copied = store.faultedCarbs.copied
    guard hasApp, !copied.isEmpty else { return [] }
    let samples = (try? store.records.samples(of: .dietaryCarbohydrates, as: .user)) ?? []
    return samples.compactMap { sample in
      guard let fault = copied[sample.uuid], let mass = sample.carbohydrates,
        !miscountedCarbs.hasTold(sample.uuid)
      else { return nil }
      return CopiedCarbs(
        instant: sample.start, mass: mass, source: sample.source?.name ?? "another source",
        fault: fault)
    }.sorted { $0.instant < $1.instant }
  }

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
    let unwritten = rows.filter { cause != nil || $0.addedAt < latest }.map { row in
      UnstoredCarbs(
        instant: row.addedAt, mass: row.entry.mass, isDeleted: row.operation == .delete,
        cause: cause)
    }
    let all = unwritten + store.deletions.carbs + circumstances.formerUnstoredCarbs
    return all.sorted { $0.instant < $1.instant }
  }
}
