internal import ClosedLoop
internal import Devices
internal import Dosing
internal import HealthStore
internal import Physiology
internal import Quantities

/// What a person sets in the app, and where the phone is.
extension World {
  /// The phone is switched on or off, or the app stopped.
  mutating func setPhone(_ phone: PhoneState) {
    self.phone.setting = phone
    note(.phone, phone.rawValue, "The phone is now: \(phone.rawValue).")
  }

  mutating func setClosedLoop(_ isOn: Bool) {
    let preset = phone.preset(at: now)
    var therapy = phone.saved.therapy
    therapy.isClosedLoop = isOn
    sendAll(save(therapy))
    appRecord.note(DosingSwitch(instant: now, isOn: isOn))
    note(.closedLoop, isOn ? "on" : "off", "Closed loop is switched \(isOn ? "on" : "off").")
    // The pre-meal range is there for a loop that is closed.
    guard let preset, !phone.hasPreset(at: now) else { return }
    presetWatch.end(at: now)
    note(.preset, "end", "The preset \(preset.name) ends: closed loop is switched off.")
  }

  mutating func startPreset(_ request: PresetRequest) {
    if let former = phone.preset(at: now) {
      let cause = former.name == request.name ? "it is started anew" : "\(request.name) starts"
      note(.preset, "end", "The preset \(former.name) ends: \(cause).")
      if let kind = startedPreset, runsBoth(kind, request.kind) {
        note(
          .warning, request.name,
          "Loop 3 would run \(former.name) and \(request.name) together; here one preset holds at "
            + "a time.")
      }
    }
    phone.start(request, at: now)
    startedPreset = request.kind
    presetWatch.start(phone.preset(at: now), at: now)
    note(.preset, request.name, "The preset \(request.name) starts.")
  }

  /// Whether the released app keeps a preset beside one that starts.
  ///
  /// It has a place for the pre-meal range and one for another preset, of which the workout range
  /// alone excludes the first (LoopKit/Loop, `LoopSettings.swift`). Tidepool's has one place
  /// (tidepool-org/Loop, `TemporaryPresetsManager.swift`).
  private func runsBoth(_ former: PresetRequest.Kind, _ next: PresetRequest.Kind) -> Bool {
    configuration.generation == .older && Set([former, next]) == [.preMeal, .custom]
  }

  /// Tells of a preset that came to its end by itself, up to an instant.
  mutating func noteEndOfPreset(until instant: Instant) {
    guard presetWatch.hasPresets else { return }
    presetWatch.look(at: phone, until: instant, noting: &trace)
  }

  mutating func endPreset() {
    let isRunning = phone.hasPreset(at: now)
    phone.endPreset(at: now)
    presetWatch.end(at: now)
    note(.preset, "end", isRunning ? "The preset ends." : "No preset runs that could be ended.")
  }

  /// Other settings are saved, of which the pump gets what concerns it.
  mutating func changeSettings(_ change: SettingsChange) {
    phone.program(change)
    var commands = save(change.applied(to: phone.saved.therapy))
    // Who saves a basal schedule wants the pump to run it, also where that did not take the same
    // one before, or it came into the app from elsewhere.
    if let basal = change.basal, basal != delivery.pump.programmedSchedule,
      !commands.contains(where: { $0.name == .schedule })
    {
      commands.append(.replaceSchedule(basal))
    }
    sendAll(commands)
    let words = change.words.joined(separator: ", ")
    note(
      .settings, "save",
      words.isEmpty ? "Settings are saved as they are." : "Settings are saved: \(words).")
  }

  private mutating func save(_ therapy: TherapySettings) -> [PumpCommand] {
    // An app that has started anew does not know which temp basal runs before it reads the pump.
    let knowsPump = phone.fromApp(at: now) { app, _ in app.pump.status != nil }
    if !knowsPump { ingestPump() }
    // A bolus may be asked for at the same instant, before it or between it and the next one.
    if hasApp { appRecord.note(phone.most, at: now) }
    defer { if hasApp { appRecord.note(phone.most, at: now) } }
    return phone.save(therapy, under: faults, at: now)
  }

  private mutating func sendAll(_ commands: [PumpCommand]) {
    for command in commands { send(command) }
    ingestPump()
  }

  /// Notes which settings and schedules of faults are in force, where any set some.
  mutating func noteSettingsOfFaults() {
    guard faults.setSomething else { return }
    let foreign = delivery.pump.foreignSchedule
    let run = foreign ?? delivery.pump.programmedSchedule
    let (app, programmed, believed) = (phone.therapy, phone.saved.programmed, phone.believedBasal)
    faults.noteSettings(at: now) { effect in
      guard case .app(.wrongSetting(let change, _)) = effect else { return false }
      return change.named(of: app) == change && change.named(of: programmed) != change
    } separates: { effect in
      switch effect {
      case .app(.wrongSetting(let change, _)): change.basal == believed && run != believed
      case .wrongPump(let schedule): foreign == schedule && run != believed
      default: false
      }
    }
  }

  /// Insulin from elsewhere is logged in the app for an event, whatever was given.
  mutating func logDose(
    _ units: Double, _ takenAt: Instant, _ insulin: InsulinType, for event: String
  ) {
    let identifier = phone.logDose(units: units, insulin: insulin, takenAt: takenAt, at: now)
    if let identifier {
      names.note(event, made: identifier)
    } else {
      circumstances.lostLogs.append(
        .init(start: takenAt, units: units, loss: .refusal, instant: now))
    }
    note(
      identifier != nil ? .externalDose : .warning, "log",
      identifier != nil
        ? "\(unitsText(units)) U of \(insulin.rawValue) are logged in the app."
        : "The app did not take a logged dose of \(unitsText(units)) U.")
  }

  /// The app is installed anew: it begins with its first settings and whatever the health store
  /// has.
  mutating func reinstall() {
    miscountedCarbs.noteReinstallation(of: phone, holding: storedCarbs, at: now)
    circumstances.noteEnd(ofAppOf: phone, at: now)
    appRecord.noteLastSchedules(of: phone, at: now)
    let former = phone.saved.therapy
    do throws(HealthStoreError) {
      try phone.reinstall(configuration, store: &store.records, at: now)
    } catch {
      trace.note(error, at: now)
    }
    applyConditions()
    delivery.meetApp()
    appRecord.noteDosing(isOn: phone.saved.therapy.isClosedLoop, at: now)
    circumstances.noteInstallation(at: now, shown: phone.shownTime(at: now))
    note(.phone, "reinstall", "The app is installed anew, with empty lists.")
    noteFirstSettings(after: former)
    setPumpClockAnew()
    ingestPump()
  }

  /// What people deleted from the event history, of whatever app, with the dates of the phone.
  var deletedEvents: [EventDeletion] { circumstances.formerDeletions + phone.deletions }

  /// An app that is installed anew has its first settings, which may be others than the last.
  private mutating func noteFirstSettings(after former: TherapySettings) {
    let first = phone.saved.therapy
    if first.isClosedLoop != former.isClosedLoop {
      note(
        .warning, "closedLoop",
        "The new app has its first settings: closed loop is \(first.isClosedLoop ? "on" : "off") "
          + "again.")
    }
    guard former.differsBesidesClosedLoop(from: first) else { return }
    note(
      .warning, "settings",
      "The new app has its first settings, and not those that were saved since.")
  }

  /// An app that is installed anew sets up the pump, whose clock then has the phone's offset.
  private mutating func setPumpClockAnew() {
    let shown = phone.shownTime(at: now)
    guard delivery.pump.zone.offset(at: shown) != phone.offset(at: now) else { return }
    guard setPumpClock() else { return }
    note(
      .pump, "clock",
      "The new app sets the pump's clock, which showed another time zone than the phone's.")
  }

  /// The pump's clock is set to what the phone shows, right or wrong.
  ///
  /// It keeps the offset that the phone has then, whatever zones the phone comes to later; where
  /// schedules follow the wall clock, it follows summer time of the zone in which the phone is.
  ///
  /// - Returns: Whether the command could be sent, and was not refused at once.
  @discardableResult
  mutating func setPumpClock() -> Bool {
    let zone =
      configuration.scheduleZone == .wallClock
      ? phone.stay(at: now)
      : WallClock(initialOffset: phone.offset(at: now))
    return send(.setClock(zone))
  }

  /// The clock that the schedules of an app follow: that of the pump as it is now, or that of where
  /// the phone is at an instant.
  func scheduleClock(at instant: Instant) -> WallClock {
    guard configuration.scheduleZone == .wallClock else { return delivery.pump.zone }
    return phone.stay(at: instant)
  }

  /// The pump's clock was set to what the phone shows, and is wrong by as much as that.
  mutating func passOnClockError() {
    let error = phone.clockError
    guard error != .zero else { return }
    let id = "phone-clock-\(faults.episodes.count + 1)"
    begin(Fault(id: id, .pump(.clockError(error))))
  }

  /// The app has read the pump, and sets its clock where it is too far from the phone's; the zone
  /// stays.
  ///
  /// Source: LoopKit/MinimedKit, `MinimedPumpManager.swift`.
  mutating func setPumpClockThatIsOff() {
    guard let tolerance = delivery.pump.profile.clockTolerance, link.hearsPump else { return }
    let off = delivery.pump.clockError(at: now) - phone.clockError
    guard off.magnitude > tolerance else { return }
    link.beginAct()
    guard send(.setClock(delivery.pump.zone)) else { return }
    let whole = TimeSpan.seconds(Int64(off.magnitude.seconds.rounded()))
    note(
      .pump, "clock",
      "The app sets the pump's clock, which was \(whole) "
        + "\(off > .zero ? "ahead of" : "behind") the phone's.")
  }

  /// The phone's clock changes zone; the pump's only when it follows.
  mutating func travel(to clock: WallClock, pumpFollows: Bool) {
    phone.zone = clock
    noteSchedulesUnderWrongClock()
    followZone()
    if pumpFollows { setPumpClock() }
    let whose = hasApp ? "phone" : "local clock"
    note(.timeZone, "travel", "The \(whose) now shows \(phone.civilTime(at: now)).")
  }

  /// Tells what the phone shows after somebody, or a fault, has changed its clock.
  mutating func notePhoneClock() {
    let shown = phone.civilTime(at: now)
    note(.phone, "clock", "The phone's clock now shows \(shown).")
  }

  /// Someone sets the phone's clock; pump and sensor keep theirs.
  mutating func setPhoneClock(_ setting: PhoneClockSetting) {
    phone.setClock(setting, at: now)
    applyConditions()
    notePhoneClock()
  }
}
