public import HealthStore
public import Quantities

/// A deletion of a pump event, with what a person needs to judge it and to take it back.
///
/// LoopDocs, Apple HealthKit FAQs: an entry has to be deleted in both lists before insulin on board
/// forgets it, and a mistake in closed loop may lead to insulin that is not needed.
public struct EventDeletion: Sendable, Equatable {
  /// The event that is deleted.
  public var event: HistoryEvent
  /// When it is deleted.
  public var instant: Instant
  /// Where the dose stood before the deletion.
  public var before: DosePlaces
  /// Where it stands after it.
  public var after: DosePlaces
  /// Net insulin on board with it, in U.
  public var insulinOnBoardBefore: Double
  /// The net insulin on board without it, in U.
  public var insulinOnBoardAfter: Double
  /// Whether the app doses by itself.
  public var isInClosedLoop: Bool

  /// Whether the app may give insulin that is not needed: it doses by itself, and what was deleted
  /// does not count any more.
  var mayCostInsulin: Bool { isInClosedLoop && !after.isInInsulinDelivery }
}

/// In which lists a dose is found.
public struct DosePlaces: Sendable, Hashable {
  /// Whether the event history shows it.
  public var isInEventHistory: Bool
  /// Whether it counts as delivered.
  public var isInInsulinDelivery: Bool
  /// Whether the app knows of a sample in the health store.
  public var isInHealthStore: Bool

  /// Creates a `DosePlaces` from its parts; see the properties.
  public init(isInEventHistory: Bool, isInInsulinDelivery: Bool, isInHealthStore: Bool) {
    self.isInEventHistory = isInEventHistory
    self.isInInsulinDelivery = isInInsulinDelivery
    self.isInHealthStore = isInHealthStore
  }

  /// Where a dose is found by the identifier of its event.
  init(
    of syncIdentifier: SyncIdentifier, in events: PumpEventStore, _ delivery: InsulinDeliveryStore
  ) {
    let rows = delivery.rows.filter {
      $0.isActive && ($0.syncIdentifier == syncIdentifier || $0.eventIdentifier == syncIdentifier)
    }
    self.init(
      isInEventHistory: events.contains(syncIdentifier: syncIdentifier),
      isInInsulinDelivery: !rows.isEmpty,
      isInHealthStore: rows.contains { $0.sampleID != nil })
  }
}

extension LoopApp {
  /// In which lists the app finds a dose.
  public func places(of syncIdentifier: SyncIdentifier) -> DosePlaces {
    DosePlaces(of: syncIdentifier, in: pump.events, insulin.delivery)
  }

  /// Deletes an entry of the event history, and nothing else.
  ///
  /// The dose stays among the deliveries and in the health store, and goes on to count, until its
  /// sample is deleted there as well.
  ///
  /// - Returns: What was deleted, or nothing when there is no such event.
  @discardableResult
  public mutating func deletePumpEvent(_ syncIdentifier: SyncIdentifier, at now: Instant)
    -> EventDeletion?
  {
    let before = places(of: syncIdentifier)
    let iobBefore = insulinOnBoard(at: now)
    guard let event = pump.deleteEvent(syncIdentifier, at: now)
    else { return nil }
    let deletion = EventDeletion(
      event: event, instant: now, before: before, after: places(of: syncIdentifier),
      insulinOnBoardBefore: iobBefore ?? 0, insulinOnBoardAfter: insulinOnBoard(at: now) ?? 0,
      isInClosedLoop: isClosedLoop)
    if deletion.mayCostInsulin { warned.note(.deletionInClosedLoop) }
    deletions.append(deletion)
    return deletion
  }

  /// Takes the deletion of a pump event back.
  ///
  /// A dose that was deleted in the health store too is written there again with the next cycle.
  public mutating func restorePumpEvent(_ syncIdentifier: SyncIdentifier) {
    pump.restoreEvent(syncIdentifier)
    insulin.noteRestoredEvent()
  }
}

extension EventDeletion: CustomStringConvertible {
  public var description: String {
    let places = [
      ("event history", after.isInEventHistory), ("insulin delivery", after.isInInsulinDelivery),
      ("health store", after.isInHealthStore),
    ]
    let left = places.filter(\.1).map(\.0)
    let rest =
      left.isEmpty ? "It is gone everywhere." : "It is left in \(left.joined(separator: ", "))."
    let caution =
      mayCostInsulin ? " Loop is closed and may deliver insulin that is not needed." : ""
    return "\(event.kind) of \(event.date) was deleted from the event history. \(rest)\(caution)"
  }
}
