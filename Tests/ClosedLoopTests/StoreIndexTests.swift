import HealthStore
import Quantities
import TestSupport
import Testing

@testable import ClosedLoop

/// What the stores find by their indexes is what a search through all of their rows finds.
@Suite("The indexes of the app's stores")
struct StoreIndexTests {
  @Test(
    "Insulin deliveries: every question equals its definition",
    arguments: 1...Extent.of(4, whole: 20))
  func insulinDeliveries(seed: UInt64) {
    var stream = TestStream(state: seed)
    var store = InsulinDeliveryStore(retention: .days(2))
    var now = midnight
    var names = 0
    for _ in 0..<400 {
      now += .minutes(Int64(stream.next() % 40))
      let known = store.rows.randomRow(&stream)
      switch stream.next() % 10 {
      case 0...2:
        names += 1
        store.present(
          dose(SyncIdentifier("d\(names)"), now, &stream),
          event: SyncIdentifier("e\(names)"), provenance: "own", at: now)
      case 3:
        if let known { store.present(known.dose.changed(&stream), provenance: "own", at: now) }
      case 4:
        let name = stream.next() % 2 == 0 ? known?.syncIdentifier : nil
        names += 1
        store.add(
          dose(name ?? SyncIdentifier("f\(names)"), known?.dose.start ?? now, &stream),
          sample: uuid(&stream),
          provenance: stream.next() % 2 == 0 ? "own" : "other", hasLoopKitOrigin: false, at: now)
      case 5: if let known { store.noteSample(uuid(&stream), for: known.syncIdentifier, at: now) }
      case 6: if let sample = known?.sampleID { store.noteDeletion(ofSample: sample, at: now) }
      case 7: store.restoreDeletedRows(since: now - .days(1)) { "\($0)".hasSuffix("1") }
      case 8:
        let kept = Set(store.rows.filter(\.dose.isMutable).map(\.syncIdentifier).prefix(2))
        let dropped = store.rows.filter {
          $0.isActive && $0.dose.isMutable && !kept.contains($0.syncIdentifier)
        }
        store.dropUnfinished(except: kept, at: now)
        #expect(dropped.allSatisfy { store.row(syncIdentifier: $0.syncIdentifier) != $0 })
        #expect(
          !store.rows.contains {
            $0.isActive && $0.dose.isMutable && !kept.contains($0.syncIdentifier)
          })
      default: store.purge(at: now)
      }
      let from = now - .minutes(Int64(stream.next() % 2_000))
      let to = from + .minutes(Int64(stream.next() % 900))
      #expect(
        store.doses(from: from, to: to)
          == store.rows.filter { $0.isActive && $0.dose.end >= from && $0.dose.start <= to }
          .map(\.dose))
      // The clock of a phone may be set back, and then more is due than before.
      let due = now - .minutes(Int64(stream.next() % 1_500))
      let rows = store.rows
      #expect(
        store.pendingWrites(since: due)
          == rows.filter {
            $0.isActive && !$0.dose.isMutable && $0.sampleID == nil
              && max($0.dose.end, $0.createdAt) >= due
          })
    }
  }

  @Test(
    "Carbohydrates: every question equals its definition",
    arguments: 1...Extent.of(4, whole: 20))
  func carbohydrates(seed: UInt64) {
    var stream = TestStream(state: seed)
    var store = CarbStore(retention: .days(2))
    var now = midnight
    for _ in 0..<300 {
      now += .minutes(Int64(stream.next() % 60))
      let entry = CarbStore.Entry(
        date: now - .minutes(Int64(stream.next() % 600)),
        mass: CarbohydrateMass(grams: Double(stream.next() % 90 + 1)))
      let known = store.rows.randomRow(&stream)
      switch stream.next() % 6 {
      case 0...1: _ = try? store.add(entry, provenance: "own", at: now)
      case 2: if let known { _ = try? store.edit(known.syncIdentifier, to: entry, at: now) }
      case 3: if let known { _ = try? store.delete(known.syncIdentifier, at: now) }
      case 4:
        if let known { store.noteSample(uuid(&stream), forRow: known.modificationCounter) }
      default:
        if let sample = known?.sampleID { store.noteDeletion(ofSample: sample, at: now) }
        store.purge(at: now)
      }
      let active = store.rows.filter(\.isActive).sorted {
        ($0.entry.date, $0.modificationCounter) < ($1.entry.date, $1.modificationCounter)
      }
      #expect(Array(store.activeRows) == active)
      let window = now - .hours(6)...now
      var visited: [CarbStore.Row] = []
      store.visitActive(in: window) { visited.append(copy $0) }
      #expect(visited == active.filter { window.contains($0.entry.date) })
      #expect(
        store.activeRows(from: window.lowerBound)
          == active.filter { $0.entry.date >= window.lowerBound })
      var pending: [CarbStore.Row] = []
      var place = store.pendingWrite(from: 0)
      while let found = place {
        pending.append(store.rows[found])
        place = store.pendingWrite(from: found + 1)
      }
      #expect(
        pending
          == store.rows.filter { $0.isActive && !$0.isSettled && $0.isCreatedByThisApp })
      #expect(
        store.pendingDeletions.map(\.counter)
          == store.rows.filter { $0.operation == .delete && !$0.isSettled && $0.sampleID != nil }
          .map(\.modificationCounter))
    }
  }

  @Test(
    "Pump events: the history is that of a list without indexes",
    arguments: 1...Extent.of(4, whole: 20))
  func pumpEvents(seed: UInt64) {
    var stream = TestStream(state: seed)
    var store = PumpEventStore(retention: .days(2))
    var plain = PlainHistory(retention: .days(2))
    var now = midnight
    var number: UInt8 = 0
    for _ in 0..<200 {
      now += .minutes(Int64(stream.next() % 50))
      switch stream.next() % 8 {
      case 0:
        if let known = store.events.randomRow(&stream) {
          let deleted = store.delete(syncIdentifier: known.syncIdentifier, at: now)
          #expect(deleted == known)
          plain.delete(known.syncIdentifier)
        }
      case 1:
        if let hidden = plain.rows.first(where: \.isHidden)?.event {
          store.restore(syncIdentifier: hidden.syncIdentifier)
          plain.restore(hidden.syncIdentifier)
        }
      case 2:
        store.purge(at: now)
        plain.purge(at: now)
      default:
        var events = (0...stream.next() % 3).map { _ in
          number &+= 1
          return event(number, now - .minutes(Int64(stream.next() % 30)), &stream)
        }
        // A pump reports what still runs again, and sometimes what it has reported before.
        for known in plain.rows.map(\.event) where stream.next() % 4 == 0 {
          events.append(
            HistoryEvent(
              known.kind, at: known.date, identifier: known.syncIdentifier, dose: known.dose,
              isMutable: known.isMutable && stream.next() % 2 == 0))
        }
        let replaces = stream.next() % 4 != 0
        store.add(events, lastReconciliation: now, replacingPending: replaces, at: now)
        plain.add(events, replacingPending: replaces)
      }
      #expect(store.events == plain.rows.filter { !$0.isHidden }.map(\.event))
      let from = now - .minutes(Int64(stream.next() % 600))
      #expect(
        store.events(endingFrom: from)
          == store.events.filter { ($0.dose?.end ?? $0.date) >= from })
      #expect(
        Set(store.unfinishedBoluses)
          == Set(
            plain.rows.filter { $0.event.isMutable && $0.event.dose?.kind == .bolus }
              .compactMap(\.event.dose?.syncIdentifier)))
      #expect(
        store.programs(from: now - .hours(9))
          == plain.rows.filter { $0.event.date >= now - .hours(9) }
          .compactMap(\.event.dose).filter { $0.kind != .bolus })
    }
  }

  // MARK: - Random rows

  private func dose(_ name: SyncIdentifier, _ start: Instant, _ stream: inout TestStream)
    -> DoseEntry
  {
    let isBolus = stream.next() % 2 == 0
    return DoseEntry(
      isBolus ? .bolus : .tempBasal, from: start,
      to: start + .minutes(Int64(stream.next() % 120)), isBolus ? .units(1) : .unitsPerHour(1),
      syncIdentifier: name, isMutable: stream.next() % 3 == 0)
  }

  private func event(
    _ number: UInt8, _ date: Instant, _ stream: inout TestStream
  ) -> HistoryEvent {
    let isBolus = stream.next() % 2 == 0
    return HistoryEvent(
      isBolus ? .bolus : .tempBasal, at: date, raw: [number],
      dose: DoseEntry(
        isBolus ? .bolus : .tempBasal, from: date,
        to: date + .minutes(Int64(stream.next() % 200)), .units(1)),
      isMutable: stream.next() % 3 == 0)
  }

  private func uuid(_ stream: inout TestStream) -> SampleUUID {
    SampleUUID(at: midnight, using: &stream)
  }
}

/// The event history as a list that is searched from one end to the other.
private struct PlainHistory {
  struct Row {
    var event: HistoryEvent
    var isHidden: Bool
  }

  let retention: TimeSpan
  var rows: [Row] = []

  init(retention: TimeSpan) { self.retention = retention }

  mutating func add(_ events: [HistoryEvent], replacingPending: Bool) {
    let hidden = rows.filter(\.isHidden).map(\.event.syncIdentifier)
    if replacingPending { rows.removeAll { $0.event.isMutable } }
    for event in events {
      if let known = rows.firstIndex(where: { $0.event.syncIdentifier == event.syncIdentifier }) {
        guard rows[known].event.isMutable else { continue }
        rows.remove(at: known)
      }
      let next = rows.firstIndex {
        ($0.event.date, $0.event.syncIdentifier.description)
          > (event.date, event.syncIdentifier.description)
      }
      rows.insert(
        Row(event: event, isHidden: hidden.contains(event.syncIdentifier)), at: next ?? rows.count)
    }
  }

  mutating func delete(_ raw: SyncIdentifier) { setHidden(raw, true) }
  mutating func restore(_ raw: SyncIdentifier) { setHidden(raw, false) }
  mutating func purge(at now: Instant) { rows.removeAll { $0.event.date < now - retention } }

  private mutating func setHidden(_ raw: SyncIdentifier, _ isHidden: Bool) {
    for index in rows.indices where rows[index].event.syncIdentifier == raw {
      rows[index].isHidden = isHidden
    }
  }
}

extension Array {
  fileprivate func randomRow(_ stream: inout TestStream) -> Element? {
    isEmpty ? nil : self[Int(stream.next() % UInt64(count))]
  }
}

extension DoseEntry {
  /// The dose as a device may report it later: longer, and perhaps at its end.
  fileprivate func changed(_ stream: inout TestStream) -> Self {
    var dose = self
    dose.end += .minutes(Int64(stream.next() % 20))
    if stream.next() % 2 == 0 { dose.isMutable = false }
    return dose
  }
}
