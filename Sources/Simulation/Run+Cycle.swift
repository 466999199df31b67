internal import ClosedLoop
internal import Determinism
internal import Devices
internal import HealthStore
internal import Quantities

/// The app's side of a step: taking in, deciding, acting, reporting.
extension Run {
  /// Whether the phone runs and the app on it.
  var isAppRunning: Bool {
    (state.phone == .on || state.phone == .bluetoothOff) && !state.faults.stopsApp
  }

  /// The app takes in what has arrived and, when a cycle is due, decides and acts.
  mutating func cycle() {
    let due = state.nextCycle
    scheduleNextCycle(after: due)
    let wasWoken = receiveReadings()
    guard isAppRunning else { return }
    guard wasWoken || !state.faults.savesPower else {
      noteCycle(failure: "The phone saves power; no reading woke the app.", insulinOnBoard: nil)
      return
    }
    let now = appNow
    drawStoreAccess()
    // A store that takes nothing now is asked again in the next cycle.
    if !holdsBackGlucose { try? state.vendorApp?.write(to: &state.store, at: now) }
    ingestPump()
    state.app.report(to: &state.store, at: appNow)
    copySamples()
    if !state.faults.savesPower { state.app.ingestChanges(of: &state.store, at: appNow) }
    defer { saveApp() }
    guard due >= setup.start else { return }
    if state.faults.skipsLoops {
      noteCycle(failure: "The loop was skipped.", insulinOnBoard: nil)
      for id in state.faults.countSkippedCycle() { end(faultID: id) }
      return
    }
    decideAndAct()
    if state.faults.doublesRuns { decideAndAct() }
    state.app.report(to: &state.store, at: appNow)
    copySamples()
  }

  /// One decision, and its commands to the pump.
  private mutating func decideAndAct() {
    let decision = state.app.decide(at: appNow)
    state.row.recommendation = decision.summary
    noteCycle(
      failure: decision.refusal.map(\.description), insulinOnBoard: decision.insulinOnBoard)
    var isEnacted = false
    for command in decision.commands {
      if case .startBolus(let amount, _) = command {
        state.bolusRequests.append(BolusRequestRecord(amount, by: nil, at: state.now))
      }
      guard send(command) else { break }
      isEnacted = true
    }
    if isEnacted {
      state.cycles.enacted += state.now >= setup.start ? 1 : 0
      ingestPump()
    }
  }

  private mutating func noteCycle(failure: String?, insulinOnBoard: Double?) {
    guard state.now >= setup.start, state.now < setup.end else { return }
    state.cycles.due += 1
    if let failure {
      if state.cycleOutcomes.last?.failure != failure {
        note(.cycleFailed, "cycle", "No dosing. \(failure)")
      }
    } else {
      state.cycles.completed += 1
    }
    state.cycleOutcomes.append(
      CycleOutcome(instant: state.now, failure: failure, insulinOnBoard: insulinOnBoard))
  }

  /// The next multiple of the interval, and a little later where the setup asks for jitter.
  private mutating func scheduleNextCycle(after due: Instant) {
    let since = due - setup.beginning
    let count = since.quotient(by: setup.cycleInterval) + 1
    var next = setup.beginning + setup.cycleInterval * count
    if setup.cycleJitter > .zero {
      let part = Double(setup.cycleJitter.milliseconds) * state.loopStream.unit()
      next += .milliseconds(Int64(part.rounded(.down)))
    }
    state.nextCycle = next
  }

  // MARK: - Devices

  /// The app reads the pump, if it can be reached.
  mutating func ingestPump() {
    guard isAppRunning, state.phone != .bluetoothOff else { return }
    guard let report = try? state.pump.report() else { return }
    state.savedApp?.reports.append((report, state.unreadOccurrences))
    state.app.ingest(report, occurrences: state.unreadOccurrences, at: appNow)
    state.unreadOccurrences.removeAll(keepingCapacity: true)
  }

  /// What a command made happen at once.
  mutating func takeOccurrences() {
    for occurrence in state.pump.takeOccurrences() { take(occurrence) }
  }

  /// Readings whose time has come reach the app; those from before a loss of contact come late.
  ///
  /// The phone stamps them by its own clock. Returns whether the app received any.
  @discardableResult
  mutating func receiveReadings() -> Bool {
    state.readingsUnderway += state.sensor.takeLateReadings(at: state.now)
    guard !state.readingsUnderway.isEmpty else { return false }
    let canReceive = isAppRunning && state.phone != .bluetoothOff
    for var reading in state.readingsUnderway where canReceive {
      reading.instant += state.app.clockError
      state.vendorApp?.observe(reading)
      state.app.ingest(reading, at: appNow)
      if !reading.isUnreliable {
        state.row.reading = reading.glucose
        show(reading)
      }
    }
    state.readingsUnderway.removeAll(keepingCapacity: true)
    return canReceive
  }
}
