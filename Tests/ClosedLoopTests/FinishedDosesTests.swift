import Devices
import Dosing
import HealthStore
import Quantities
import TestSupport
import Testing

@testable import ClosedLoop

/// The doses that the app keeps from cycle to cycle are those that a search through its stores
/// finds.
@Suite("The finished doses that are kept between cycles")
struct FinishedDosesTests {
  @Test(
    "At every moment of a random day the algorithm gets the doses that count",
    arguments: 1...Extent.of(1, whole: 12), InsulinDataSource.allCases)
  func areThoseThatCount(seed: UInt64, source: InsulinDataSource) throws {
    var stream = TestStream(state: seed)
    var bench = try Bench(closedLoop: true) { $0.insulinDataSource = source }
    var others = 0
    let end = bench.now + .hours(30)
    while bench.now < end {
      bench.mgdL = Double(70 + stream.next() % 200)
      try bench.run(until: bench.now + .minutes(Int64(stream.next() % 4 + 1) * 5))
      switch stream.next() % 14 {
      case 0:
        bench.send(.startBolus(.milliunits(Int64(stream.next() % 40 + 1) * 50), automatic: false))
      case 1: bench.send(.suspend)
      case 2...3: bench.send(.resume)
      case 4:
        let event = bench.app.pump.events.events.randomElement(using: &stream)
        if let event { _ = bench.app.deletePumpEvent(event.syncIdentifier, at: bench.now) }
      case 5:
        let sample = try bench.samples(.insulinDelivery).randomElement(using: &stream)
        if let sample { try bench.store.delete([sample.uuid], as: .user, at: bench.now) }
      case 6:
        bench.app.start(
          TherapyOverride(
            name: "p", insulinNeeds: Double(stream.next() % 3 + 1) / 2, from: bench.now))
      case 7: bench.app.endOverride(at: bench.now)
      case 8:
        others += 1
        let uuid = SampleUUID(at: bench.now, using: &stream)
        let pen = DoseEntry(
          .bolus, from: bench.now, to: bench.now, .units(1),
          syncIdentifier: SyncIdentifier("pen \(others)"))
        let sample = try #require(pen.sample(uuid: uuid))
        try bench.store.save([sample], as: .user, at: bench.now)
      case 9:
        let rates = (0..<3).map { (hour: 8 * $0, rate: Int64(stream.next() % 20 + 1) * 50) }
        bench.send(.replaceSchedule(try dailyRates(rates)))
      case 10 where source == .reservoir:
        // Until the level has told long enough again, the history counts.
        if stream.next() % 4 == 0 {
          try bench.pump.replaceReservoir(with: .milliunits(200_000), at: bench.now)
        }
      default: break
      }
      // What is passed over as up to date would have stayed as it is.
      bench.app.synchronise(at: bench.now)
      var again = bench.app
      again.insulin.forgetMemory()
      again.synchronise(at: bench.now)
      #expect(again.insulin.delivery == bench.app.insulin.delivery)
      #expect(again.insulin.reporter == bench.app.insulin.reporter)
      #expect(again.insulin.segments == bench.app.insulin.segments)
      for ahead in [TimeSpan.zero, .minutes(3)] {
        let now = bench.now + ahead
        let earliest = DataWindows(at: now).doses.lowerBound
        let insulin = AppInsulin(bench.app.therapy)
        #expect(
          doses(of: bench, from: earliest, to: now, listsScheduled: true)
            == bench.app.history(from: earliest, to: now).map { $0.algorithmDose(insulin) })
        #expect(
          doses(of: bench, from: earliest, to: now, listsScheduled: false)
            == bench.app.counted(from: earliest, to: now).map { $0.algorithmDose(insulin) })
      }
    }
  }

  private func doses(
    of bench: Bench, from start: Instant, to end: Instant, listsScheduled: Bool
  ) -> [AlgorithmInput.InsulinDose] {
    let (doses, others) = bench.app.algorithmDoses(
      from: start, to: end, listsScheduled: listsScheduled)
    return doses + others
  }
}
