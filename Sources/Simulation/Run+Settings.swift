internal import ClosedLoop
internal import Devices
internal import Dosing
internal import HealthStore
internal import Physiology
internal import Quantities

/// What a person sets in the app, and where the phone is.
extension Run {
  mutating func setClosedLoop(_ isOn: Bool) {
    var therapy = state.phone.saved.therapy
    therapy.isClosedLoop = isOn
    sendAll(save(therapy))
    state.appRecord.note(DosingSwitch(instant: state.now, isOn: isOn))
    note(.closedLoop, isOn ? "on" : "off", "Closed loop is switched \(isOn ? "on" : "off").")
  }

  mutating func startPreset(_ request: PresetRequest) {
    state.phone.start(request, at: state.now)
    note(.preset, request.name, "The preset \(request.name) starts.")
  }

  mutating func endPreset() {
    state.phone.endPreset(at: state.now)
    note(.preset, "end", "The preset ends.")
  }

  mutating func changeSettings(_ change: SettingsChange) {
    sendAll(save(change.applied(to: state.phone.saved.therapy)))
    note(.settings, "save", "Other settings are saved.")
  }

  private mutating func save(_ therapy: TherapySettings) -> [PumpCommand] {
    state.phone.save(therapy, under: state.faults, at: state.now)
  }

  private mutating func sendAll(_ commands: [PumpCommand]) {
    for command in commands { send(command) }
    ingestPump()
  }

  mutating func logDose(_ units: Double, _ takenAt: Instant, _ insulin: InsulinType) {
    let isLogged = state.phone.logDose(
      units: units, insulin: insulin, takenAt: takenAt, at: state.now)
    note(
      isLogged ? .externalDose : .warning, "log",
      isLogged
        ? "\(unitsText(units)) U of \(insulin.rawValue) are logged in the app."
        : "The app did not take a logged dose of \(unitsText(units)) U.")
  }

  mutating func measure(_ request: FingerstickRequest) {
    let shown =
      request.value
      ?? .mgdL((state.delivery.body.glucose.mgdL * (1 + request.relativeError)).rounded())
    let words = setup.glucoseUnit.words(shown)
    note(.cgm, "fingerstick", "A meter shows \(words).")
    switch request.log {
    case .none: break
    case .meter:
      let write = HealthStoreWrite(.glucose(shown), start: state.now, source: "Meter")
      take(NamedWrite(write: write, event: ""))
    case .app where state.phoneState == .off:
      note(.warning, "fingerstick", "\(words) were not typed in the app: the phone is off.")
    case .app:
      let isTaken = state.phone.enterGlucose(shown, at: state.now)
      note(
        isTaken ? .note : .warning, "fingerstick",
        isTaken
          ? "\(words) are typed in the app."
          : "The app takes no glucose of \(words).")
    }
  }

  /// The app is installed anew: it begins with its first settings and whatever the health store
  /// has.
  mutating func reinstall() {
    do throws(HealthStoreError) {
      try state.phone.reinstall(setup.app.configuration, store: &state.store.records, at: state.now)
    } catch {
      state.trace.note(error, at: state.now)
    }
    applyConditions()
    state.delivery.forgetUnread()
    state.circumstances.installedAnew = state.now
    state.circumstances.installedAnewShown = state.phone.shownTime(at: state.now)
    note(.phone, "reinstall", "The app is installed anew, with empty lists.")
    ingestPump()
  }

  /// The pump's clock is set to what the phone shows, right or wrong.
  mutating func setPumpClock() {
    let error = state.phone.clockError
    guard send(.setClock(state.phone.zone)), error != .zero else { return }
    let id = "phone-clock-\(state.faults.episodes.count + 1)"
    begin(Fault(id: id, .pump(.clockError(error))))
  }

  /// The phone's clock changes zone; the pump's only when it follows.
  mutating func travel(to clock: WallClock, pumpFollows: Bool) {
    state.phone.zone = clock
    if pumpFollows { setPumpClock() }
    let whose = setup.hasApp ? "phone" : "local clock"
    note(.timeZone, "travel", "The \(whose) now shows \(state.phone.civilTime(at: state.now)).")
  }
}
