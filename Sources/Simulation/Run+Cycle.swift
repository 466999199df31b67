internal import ClosedLoop
internal import Determinism
internal import Devices
internal import HealthStore
internal import Quantities

/// The app's side of a step: taking in, deciding, acting, reporting.
extension Run {
  /// Whether the phone runs and the app on it.
  var isAppRunning: Bool {
    setup.hasApp && (state.phoneState == .on || state.phoneState == .bluetoothOff)
      && !state.faults.stopsApp
  }

  /// The app takes in what has arrived: readings, the pump's news, and what others did in the
  /// health store.
  ///
  /// - Returns: How often the loop runs in this cycle; `nil` if nothing woke the app, or there is
  ///   none.
  mutating func ingest() -> Int? {
    let due = state.agenda.nextCycle
    state.agenda.planCycle(by: setup)
    assert(state.agenda.nextCycle > state.now, "The next cycle is after this one.")
    let wasWoken = receiveReadings()
    guard setup.hasApp else { return nil }
    guard isAppRunning else {
      if countsCycle { state.appRecord.noteMissedCycle() }
      return nil
    }
    guard wasWoken || !state.faults.savesPower else {
      noteCycle(failure: "The phone saves power; no reading woke the app.", insulinOnBoard: nil)
      return nil
    }
    state.store.drawAccess(at: state.now, noting: &state.trace)
    if !state.store.holdsBackGlucose { writeVendorSamples() }
    ingestPump()
    report()
    if !state.faults.savesPower {
      state.phone.ingestChanges(of: &state.store.records, at: state.now)
      state.circumstances.obstacles.noteLook(at: state.now)
    }
    guard due >= setup.start else { return 0 }
    if state.faults.skipsLoops {
      noteCycle(failure: "The loop was skipped.", insulinOnBoard: nil)
      for id in state.faults.countSkippedCycle() { end(faultID: id) }
      return 0
    }
    return state.faults.doublesRuns ? 2 : 1
  }

  /// The app writes what is due to the health store, and others what follows from it.
  mutating func report() {
    state.phone.report(to: &state.store.records, at: state.now)
    state.circumstances.obstacles.noteWrite(at: state.now)
    state.store.copySamples(at: state.now, noting: &state.trace)
  }

  /// The app writes at the instant of a trigger, where it does not wait for its next cycle.
  mutating func reportAtTrigger() {
    guard reportsAtTriggers, isAppRunning else { return }
    ingestPump()
    report()
  }

  /// The sensor maker's app writes what is due, or keeps it for the next cycle.
  private mutating func writeVendorSamples() {
    do throws(HealthStoreError) {
      try state.phone.writeVendorSamples(to: &state.store.records, at: state.now)
    } catch {
      state.trace.note(error, at: state.now)
    }
  }

  /// The algorithm decides.
  mutating func decide() -> Decision {
    assert(state.asking.question == nil, "A run that stands at a question waits for its answer.")
    return decided(state.phone.decide(at: state.now))
  }

  /// Takes note of a decision; a program's own words stand for it in the timeline.
  mutating func decided(_ decision: Decision, note: String = "") -> Decision {
    state.row.recommendation = note.isEmpty ? decision.summary : note
    state.circumstances.obstacles.noteLoop(at: state.now)
    noteCycle(
      failure: decision.refusal.map(\.description), insulinOnBoard: decision.insulinOnBoard)
    return decision
  }

  /// The commands of a decision go to the pump.
  mutating func act(on decision: Decision) {
    if !decision.commands.isEmpty { noteLimits(neutralRate: decision.neutralRate) }
    var isEnacted = false
    for command in decision.commands {
      if case .startBolus(let amount, _) = command {
        state.appRecord.note(BolusRequestRecord(amount, by: nil, at: state.now))
      }
      guard send(command) else { break }
      isEnacted = true
    }
    if isEnacted {
      state.appRecord.noteEnacted(at: state.now)
      ingestPump()
    }
  }

  /// The person looks at what the cycle brought; what follows is done as if the scenario had it
  /// among its events.
  mutating func react() {
    for reaction in state.person.look(at: state.now, glucose: state.delivery.body.glucose) {
      assert(reaction.instant > state.now, "A person reacts after seeing glucose.")
      for event in reaction.events { state.agenda.add(event, at: reaction.instant) }
    }
  }

  /// Whether a cycle at this instant lies in the part that counts.
  private var countsCycle: Bool { state.now >= setup.start && state.now < setup.end }

  mutating func noteCycle(failure: String?, insulinOnBoard: Double?) {
    assert(insulinOnBoard?.isFinite ?? true, "Insulin on board is a number.")
    guard countsCycle else { return }
    let isNews = state.appRecord.note(
      CycleOutcome(instant: state.now, failure: failure, insulinOnBoard: insulinOnBoard))
    if isNews, let failure { note(.cycleFailed, "cycle", "No dosing. \(failure)") }
  }

  // MARK: - Devices

  /// The app reads the pump, if it can be reached.
  mutating func ingestPump() {
    guard isAppRunning, state.phoneState != .bluetoothOff else { return }
    do throws(PumpError) {
      let report = try state.delivery.report()
      state.link.hearsPump = true
      state.phone.ingest(report, pulses: state.delivery.unread, at: state.now)
      state.delivery.forgetUnread()
    } catch {
      state.link.hearsPump = false
    }
  }

  /// Readings whose time has come reach the app, or the sensor's receiver where there is none;
  /// those from before a loss of contact come late.
  ///
  /// Returns whether any were received.
  @discardableResult
  mutating func receiveReadings() -> Bool {
    state.link.send(state.sensor.takeLateReadings(at: state.now))
    guard !state.link.readings.isEmpty else { return false }
    let canReceive = !setup.hasApp || (isAppRunning && state.phoneState != .bluetoothOff)
    for reading in state.link.readings where canReceive {
      if setup.hasApp { state.phone.receive(reading, at: state.now) }
      if !reading.isUnreliable {
        state.row.reading = reading.glucose
        state.person.show(reading)
      }
    }
    state.link.forgetReadings()
    return canReceive
  }
}
