internal import ClosedLoop
internal import Devices
internal import HealthStore
internal import Quantities

/// The app's side of a step: taking in, deciding, acting, reporting.
extension World {
  /// The app takes in what has arrived: readings, the pump's news, and what others did in the
  /// health store.
  ///
  /// - Parameter due: When the cycle was due in which it does.
  /// - Returns: How often the loop runs in this cycle; `nil` if nothing woke the app, or there is
  ///   none.
  mutating func ingest(inCycleDue due: Instant) -> Int? {
    assert(due <= now, "No cycle comes early.")
    decisions.removeAll(keepingCapacity: true)
    let wasWoken = receiveReadings()
    guard hasApp else { return nil }
    guard isAppRunning else {
      appRecord.noteMissedCycle(at: now)
      return nil
    }
    guard wasWoken || !faults.savesPower else {
      noteCycle(failure: RunResult.appAsleep, insulinOnBoard: nil)
      circumstances.obstacles.noteIdle(
        "the phone saved power, and no reading woke the app", at: now)
      return nil
    }
    store.drawAccess(at: now, noting: &trace)
    store.takeVendorSamples(of: &phone, at: now, noting: &trace)
    ingestPump()
    setPumpClockThatIsOff()
    report()
    if !faults.savesPower {
      ingestStoreChanges()
      circumstances.obstacles.noteLook(at: now, canRead: insulinAccess.canRead)
    }
    guard due >= start else { return 0 }
    if faults.skipsLoops {
      noteCycle(failure: RunResult.loopSkipped, insulinOnBoard: nil)
      circumstances.obstacles.noteIdle("the loop was skipped", at: now)
      for id in faults.countSkippedCycle() { end(faultID: id) }
      return 0
    }
    return faults.doublesRuns ? 2 : 1
  }

  /// The app takes in what others did in the health store.
  private mutating func ingestStoreChanges() {
    let threats = miscountedCarbs.threats(to: phone, by: store.faultedCarbs)
    phone.ingestChanges(of: &store.records, at: now)
    if let threats {
      miscountedCarbs.note(threats, to: phone, by: store.faultedCarbs, at: now)
    }
  }

  /// The app writes what is due to the health store, and others what follows from it.
  mutating func report() {
    noteFailingStore()
    phone.report(to: &store.records, at: now, isLongBefore: isLongBeforeStart)
    circumstances.obstacles.noteWrite(at: now, canWrite: insulinAccess.canWrite)
    store.copySamples(at: now, noting: &trace)
  }

  /// The app, where it runs, writes everything at the end of a run.
  mutating func flush() {
    guard isAppRunning else { return }
    noteFailingStore()
    phone.flush(to: &store.records, at: now)
  }

  /// Before the app writes, it learns what the store fails to take.
  private mutating func noteFailingStore() {
    phone.noteStore(failsToTake: store.typesNotTaken)
  }

  /// Whether the first cycle of the part that counts comes too late for what the pump gives now: it
  /// looks a day back, and the longest bolus lasts less than two hours.
  private var isLongBeforeStart: Bool {
    now < start && start - now > configuration.rereportWindow - .hours(2)
  }

  /// The app writes at the instant of a trigger, where it does not wait for its next cycle.
  mutating func reportAtTrigger() {
    guard reportsAtTriggers, isTrigger, isAppRunning else { return }
    ingestPump()
    report()
    phone.saveReports()
  }

  /// The algorithm decides.
  mutating func decide() -> Decision { decided(phone.decide(at: now)) }

  /// Takes note of a decision; a program's own words stand for it in the timeline.
  mutating func decided(_ decision: Decision, note: String = "") -> Decision {
    row.recommendation = note.isEmpty ? decision.summary : note
    decisions.append(decision)
    appRecord.note(decision.momentumAbsence, at: decision.instant)
    circumstances.obstacles.noteLoop(at: now)
    if decision.refusal == nil { noteGlucoseOfOthers() }
    noteCycle(
      failure: decision.refusal.map(\.description), insulinOnBoard: decision.insulinOnBoard)
    return decision
  }

  /// The commands of a decision go to the pump.
  mutating func act(on decision: Decision) {
    if !decision.commands.isEmpty {
      appRecord.note(phone.most, neutralRate: decision.neutralRate, at: now)
    }
    link.beginAct()
    var isEnacted = false
    var commands = decision.commands[...]
    while let command = commands.popFirst() {
      if case .startBolus(let amount, _) = command {
        appRecord.note(BolusRequestRecord(amount, by: nil, at: now))
      }
      guard send(command) else {
        for command in commands { noteNotSent(command) }
        break
      }
      isEnacted = true
    }
    if isEnacted {
      appRecord.noteEnacted(at: now)
      ingestPump()
    }
  }

  // MARK: - Devices

  /// The app reads the pump, if it can be reached.
  mutating func ingestPump() {
    guard appCondition.hearsDevices else { return }
    do throws(PumpError) {
      let report = try delivery.report()
      link.hearsPump = true
      phone.ingest(report, pulses: delivery.unread, at: now)
      delivery.forgetUnread()
    } catch {
      link.hearsPump = false
    }
  }

  /// Whether the app, or the sensor's receiver where there is none, hears the sensor.
  var hearsSensor: Bool { !hasApp || appCondition.hearsDevices }

  /// Readings whose time has come reach the app, or the sensor's receiver where there is none;
  /// those that it could not hear come late, where the sensor keeps them.
  ///
  /// Returns whether any were received.
  @discardableResult
  mutating func receiveReadings() -> Bool {
    link.send(sensor.takeLateReadings(at: now))
    guard !link.readings.isEmpty else { return false }
    let canReceive = hearsSensor
    for reading in link.readings {
      guard canReceive else {
        sensor.keep(reading)
        continue
      }
      if hasApp { phone.receive(reading, at: now) }
      if !reading.isUnreliable {
        row.show(reading)
        person.show(reading)
      }
    }
    link.forgetReadings()
    return canReceive
  }

  // MARK: - Other apps

  /// Another app writes a sample; while the phone is off, the sample waits for it.
  mutating func take(_ written: NamedWrite) {
    guard phoneState != .off else { return store.keep(written) }
    store.take(written, at: now, noting: &trace, naming: &names)
  }

  /// Other devices and apps hand over what they have kept for a phone that was off.
  mutating func handOverWaitingSamples() {
    guard phoneState != .off else { return }
    store.takeWaiting(at: now, noting: &trace, naming: &names)
  }
}
