import ClosedLoop
import Devices
import Quantities
import Simulation
import Testing

@Suite("What is seen of a run while it lives")
struct ObservationTests {
  @Test("A cycle in which the loop runs twice is seen twice")
  func doubleRun() throws {
    var fixture = Fixture()
    fixture.duration = .hours(1)
    fixture.isClosedLoop = true
    fixture.events = [
      ScenarioEvent(at: .at(0, 30), .beginFault(Fault(id: "twice", .app(.doubleRun)))),
      ScenarioEvent(at: .at(0, 45), .endFault(id: "twice")),
    ]
    var run = Run(try fixture.setup())
    var observation = RunObservation(run)
    while run.step() { observation.observe(run) }
    observation.end(run)
    let result = run.finish()
    // Twelve cycles in an hour, three of them twice; the one at the end is seen and not due.
    #expect(result.cycles.due == 15)
    #expect(observation.cycles.count == 16)
    let twice = observation.cycles.filter { $0.instant == .at(0, 35) }
    #expect(twice.count == 2)
  }

  private func predictions(_ fixture: Fixture) throws -> [RunObservation.Prediction] {
    var run = Run(try fixture.setup())
    var observation = RunObservation(run, predictionsEvery: .zero)
    while run.step() { observation.observe(run) }
    return observation.predictions
  }

  @Test("Values that are predicted from an older reading are told at their own times")
  func predictionFromOldReading() throws {
    var fixture = Fixture()
    fixture.duration = .minutes(40)
    let silence = Fault(id: "silence", .sensor(.dropout(backfill: false)))
    fixture.events = [ScenarioEvent(at: .at(0, 26), id: "silence", .beginFault(silence))]
    let all = try predictions(fixture)
    let fresh = try #require(all.first { $0.instant == .at(0, 25) })
    #expect((0..<3).map(fresh.time) == [.zero, .minutes(5), .minutes(10)])
    #expect(Array(fresh.places(every: .minutes(30)).prefix(3)) == [0, 6, 12])
    // The reading of 00:25, what is predicted for 00:30, and what is for the cycle itself.
    let old = try #require(all.first { $0.instant == .at(0, 35) })
    #expect((0..<4).map(old.time) == [.minutes(-10), .minutes(-5), .zero, .minutes(5)])
    #expect(Array(old.places(every: .minutes(30)).prefix(3)) == [2, 8, 14])
  }

  @Test("Values after the reading lie on whole five minutes, also where the cycles do not")
  func predictionOffTheGrid() throws {
    var fixture = Fixture()
    fixture.start = .at(0, 3)
    fixture.duration = .minutes(30)
    let one = try #require(try predictions(fixture).first { $0.instant == .at(0, 13) })
    // The reading of 00:10, and what is predicted for 00:15 and 00:20; half an hour apart the first
    // is for 00:15, nearer than 00:10.
    #expect((0..<3).map(one.time) == [.minutes(-3), .minutes(2), .minutes(7)])
    let places = Array(one.places(every: .minutes(30)).prefix(2))
    #expect(places.map(one.time) == [.minutes(2), .minutes(32)])
  }

  @Test("Of predictions half an hour apart those values are kept that are half an hour apart")
  func thinnedPredictions() throws {
    var fixture = Fixture()
    fixture.start = .at(0, 3)
    fixture.duration = .hours(2)
    let setup = try fixture.setup()
    func observed(
      every interval: TimeSpan, whole isWhole: Bool = false
    ) -> [RunObservation.Prediction] {
      var run = Run(setup)
      var observation = RunObservation(
        run, predictionsEvery: interval, keepsValuesBetween: isWhole)
      while run.step() { observation.observe(run) }
      return observation.predictions
    }
    let whole = observed(every: .zero)
    let thinned = observed(every: .minutes(30))
    #expect(thinned.count >= 3)
    // For a page all values are kept.
    let drawn = observed(every: .minutes(30), whole: true)
    #expect(drawn == thinned.compactMap { one in whole.first { $0.instant == one.instant } })
    for kept in thinned {
      let all = try #require(whole.first { $0.instant == kept.instant })
      for interval in [TimeSpan.minutes(30), .hours(1)] {
        let places = Array(kept.places(every: interval))
        let allPlaces = Array(all.places(every: interval))
        #expect(places.map { kept.mgdL[$0] } == allPlaces.map { all.mgdL[$0] })
        #expect(places.map(kept.time) == allPlaces.map(all.time))
      }
      #expect(kept.mgdL.count < all.mgdL.count / 5)
    }
  }

  /// The largest basal rates that a run tells of, each with the hour from which it held.
  private func largestRates(
    over duration: TimeSpan, _ changes: [(Instant, Int64)], _ others: [ScenarioEvent] = []
  ) throws -> [String] {
    var fixture = Fixture()
    fixture.duration = duration
    fixture.events = changes.map { instant, milliunitsPerHour in
      var change = SettingsChange()
      change.maximumBasalRate = InsulinRate(milliunitsPerHour: milliunitsPerHour)
      return ScenarioEvent(at: instant, .changeSettings(change))
    }
    fixture.events = (fixture.events + others).sorted { $0.instant < $1.instant }
    var run = Run(try fixture.setup())
    var observation = RunObservation(run)
    while run.step() { observation.observe(run) }
    observation.end(run)
    return observation.settings.map {
      "\(($0.start - fixture.start).quotient(by: .hours(1))) h: "
        + "\($0.therapy.maximumBasalRate.milliunitsPerHour)"
    }
  }

  @Test("Settings of more than a week ago are told, which the app no longer keeps")
  func oldSettings() throws {
    let told = try largestRates(over: .days(10), [(.at(5), 2_000), (.at(30), 2_500)])
    #expect(told == ["0 h: 3000", "5 h: 2000", "30 h: 2500"])
  }

  @Test("Settings of an app that is gone are told, and the first ones of the new app")
  func settingsBeforeInstallation() throws {
    let told = try largestRates(
      over: .hours(8), [(.at(2), 2_000), (.at(6), 2_500)],
      [ScenarioEvent(at: .at(4), .reinstallApp)])
    #expect(told == ["0 h: 3000", "2 h: 2000", "4 h: 3000", "6 h: 2500"])
  }

  @Test("Settings are told in true time, whatever the phone's clock shows")
  func settingsUnderWrongClock() throws {
    let told = try largestRates(
      over: .hours(8), [(.at(4), 2_000)],
      [ScenarioEvent(at: .at(2), .setPhoneClock(.by(.hours(-3))))])
    #expect(told == ["0 h: 3000", "4 h: 2000"])
  }

  @Test("Settings that are saved as a run begins are those that it begins with")
  func settingsAtOnce() throws {
    #expect(try largestRates(over: .hours(2), [(.at(0), 2_000)]) == ["0 h: 2000"])
  }

  /// A bolus of 2 U at 01:00 that is deleted from the event history at 01:31, and what comes then.
  private func deletion(
    lasting duration: TimeSpan, then events: [ScenarioEvent]
  ) throws -> (deleted: [RunObservation.DeletedEvent], run: RunResult) {
    var fixture = Fixture()
    fixture.duration = duration
    let request = DeletionRequest(place: .eventHistory, kind: .bolus, last: 1)
    fixture.events =
      [
        ScenarioEvent(at: .at(1), .bolus(BolusRequest(.units(2)))),
        ScenarioEvent(at: .at(1, 31), .delete(request)),
      ] + events
    var run = Run(try fixture.setup())
    var observation = RunObservation(run)
    while run.step() { observation.observe(run) }
    observation.end(run)
    return (observation.deletedEvents, run.finish())
  }

  @Test("What was deleted in an app is told when another has been installed since")
  func deletionBeforeInstallation() throws {
    let new = [
      ScenarioEvent(at: .at(12), .reinstallApp),
      ScenarioEvent(at: .at(13), .bolus(BolusRequest(.units(1)))),
      ScenarioEvent(
        at: .at(14), .delete(DeletionRequest(place: .eventHistory, kind: .bolus, last: 1))),
    ]
    let (deleted, run) = try deletion(lasting: .hours(15), then: new)
    #expect(deleted.map(\.bolus?.units) == [2, 1])
    #expect(deleted.map(\.deleted) == [.at(1, 31), .at(14)])
    // The app had written the bolus, and read only the last hours of what it finds.
    let kinds = run.agreement.differences.filter { $0.start == .at(1) }.map(\.kind)
    #expect(kinds == [.installedAnew])
  }

  @Test("A deletion that was not saved when the app stopped is none, and that is told")
  func deletionNotSaved() throws {
    let crash = [
      ScenarioEvent(
        at: .at(1, 32), id: "crash",
        .beginFault(Fault(id: "crash", .app(.crash(loses: .unsaved))))),
      ScenarioEvent(at: .at(1, 40), .endFault(id: "crash")),
    ]
    let (deleted, run) = try deletion(lasting: .hours(3), then: crash)
    #expect(deleted.isEmpty)
    #expect(run.eventHistory.count { $0.kind == .bolus } == 1)
    #expect(
      run.trace.happenings.filter { $0.kind == .warning }.map(\.text) == [
        "That the Bolus of 2026-01-15T01:00:00Z was deleted from the event history was not saved "
          + "when the app stopped."
      ])
  }
}
