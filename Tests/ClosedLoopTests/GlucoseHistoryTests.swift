import Dosing
import HealthStore
import Quantities
import TestSupport
import Testing

@testable import ClosedLoop

/// The glucose that the app keeps from cycle to cycle is what a search through its store finds.
@Suite("The glucose that is kept between cycles")
struct GlucoseHistoryTests {
  @Test(
    "After any change the samples are those of the window's rows",
    arguments: 1...Extent.of(4, whole: 20))
  func areThoseOfTheWindow(seed: UInt64) throws {
    var stream = TestStream(state: seed)
    var store = GlucoseStore(retention: .hours(20))
    var history = GlucoseHistory()
    var now = midnight
    var names = 0
    var seen: [AlgorithmInput.GlucoseSample] = []
    var followed = 0
    for _ in 0..<600 {
      now += .minutes(Int64(stream.next() % 3 + 1) * 5)
      let late = stream.next() % 12 == 0
      let date = late ? now - .minutes(Int64(stream.next() % 200)) : now
      switch stream.next() % 10 {
      case 0:
        let uuid = SampleUUID(at: date, using: &stream)
        store.receive(.bloodGlucose(.mgdL(120), at: date, uuid: uuid), from: "meter")
      case 1:
        if let sample = store.rows.compactMap(\.sampleID).randomElement(using: &stream) {
          store.noteDeletion(ofSample: sample)
        }
      case 2: break
      default:
        names += 1
        let value = Double(70 + stream.next() % 200)
        store.add([
          .init(
            date: date, glucose: .mgdL(value), syncIdentifier: SyncIdentifier("\(names)"),
            provenance: "own")
        ])
      }
      store.purge(at: now)
      // Sometimes the phone's clock goes back, and with it the window.
      let shown = stream.next() % 20 == 0 ? now - .hours(3) : now
      let rows = store.rows(from: shown - .hours(12), to: shown)
      let plain = rows.map {
        AlgorithmInput.GlucoseSample(
          date: $0.date, quantity: $0.glucose, provenanceIdentifier: $0.provenance,
          isDisplayOnly: $0.isDisplayOnly, wasUserEntered: $0.wasUserEntered)
      }
      let (samples, isKept) = history.samples(of: rows, in: store)
      #expect(samples == plain)
      #expect(!isKept || history.samples == plain)
      history.refresh(rows, of: store)
      #expect(history.samples == plain)
      // What is said to have stayed has stayed.
      let kept = history.kept
      #expect(seen.dropFirst(kept.gone).prefix(kept.count) == plain[..<kept.count])
      followed += kept.count > 0 ? 1 : 0
      if stream.next() % 3 == 0 {
        history.noteLook(isKept: true)
        seen = plain
      }
    }
    #expect(followed > 100)
  }

  @Test(
    "A value that is known is not taken again, and old ones are forgotten",
    arguments: 1...Extent.of(1, whole: 20))
  func takesEachOnce(seed: UInt64) {
    var stream = TestStream(state: seed)
    var store = GlucoseStore(retention: .hours(8))
    var plain: [(date: Instant, name: SyncIdentifier)] = []
    var now = midnight
    for number: Int64 in 0..<Extent.of(300, whole: 600) {
      now += .minutes(Int64(stream.next() % 2) * 5)
      let date = stream.next() % 9 == 0 ? now - .minutes(Int64(stream.next() % 60) * 5) : now
      // Now and then a sensor tells again what it told, and a person types the same.
      let told = number - Int64(stream.next() % 3)
      let name =
        stream.next() % 4 == 0
        ? SyncIdentifier("typed \(told / 4)") : .reading(sensor: 1, number: told, at: date)
      let recent = plain.sorted { $0.date < $1.date }.suffix(64).contains { $0.name == name }
      let isKnown = recent || plain.contains { $0.date == date && $0.name == name }
      let isNew = store.add(
        .init(date: date, glucose: .mgdL(100), syncIdentifier: name, provenance: "own"))
      #expect(isNew == !isKnown)
      if isNew { plain.append((date, name)) }
      store.purge(at: now)
      // Rows are forgotten some at a time, those within the time of keeping never.
      let kept = plain.filter { $0.date > now - .hours(8) }.map(\.name)
      let stored = store.rows.filter { $0.date > now - .hours(8) }.map(\.syncIdentifier)
      #expect(Set(stored) == Set(kept))
      let dates: [SyncIdentifier: Set<Instant>] = store.rows.reduce(into: [:]) {
        $0[$1.syncIdentifier, default: []].insert($1.date)
      }
      plain.removeAll { dates[$0.name]?.contains($0.date) != true }
      #expect(store.rows.count == plain.count)
    }
  }

  @Test("In an ordinary day the list is made once")
  func isMadeOnce() throws {
    var bench = try Bench(closedLoop: true)
    try bench.run(until: bench.now + .days(1))
    #expect(bench.app.glucose.history.timesMade == 1)
  }
}
