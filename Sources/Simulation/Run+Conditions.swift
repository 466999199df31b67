internal import ClosedLoop
internal import Devices
internal import HealthStore
internal import Quantities

/// The world as people have set it up: what holds where no fault does.
struct PersonalSettings: Sendable {
  /// What people have done with the phone.
  var phone = PhoneState.on
  /// How far people have set the phone's clock ahead of true time.
  var clockError = TimeSpan.zero
  /// What was saved in the app.
  var saved: SavedSettings
  /// What the person allows the app in the health store.
  var permissions: [HealthStoreAccess.Data: Authorization] = [:]
}

/// The settings that the app keeps.
struct SavedSettings: Sendable {
  var therapy: TherapySettings
  /// The basal schedule of which the pump has told the app that it runs.
  var acknowledgedBasal: DailySchedule<InsulinRate>

  /// The settings that an app has.
  init(of app: LoopApp) {
    therapy = app.therapy
    acknowledgedBasal = app.basal.latest
  }
}

/// The world follows from what people have set and the faults in force.
extension Run {
  /// Makes clock, pump, app and health store what settings and faults in force say.
  ///
  /// Called whenever one of the two has changed. What is so already is left alone.
  mutating func applyConditions() {
    state.app.clockError = state.personal.clockError + state.faults.clockJump
    applyForeignSchedule()
    applySettings()
    applyPermissions()
  }

  private mutating func applyForeignSchedule() {
    let schedule = state.faults.foreignSchedule(for: state.pump.profile)
    guard schedule != state.pump.foreignSchedule else { return }
    do throws(PumpError) {
      try state.pump.run(foreignSchedule: schedule, at: state.now)
    } catch {
      note(.warning, "pump", "The pump does not take the schedule: \(error)")
    }
    takeOccurrences()
  }

  /// The app has the saved settings, with the wrong ones on top, without a word to the pump.
  private mutating func applySettings() {
    let therapy = state.faults.wrongSettings(over: state.personal.saved.therapy)
    if therapy != state.app.therapy { _ = state.app.change(to: therapy, at: appNow) }
    believeInBasal()
  }

  /// The app believes that the pump runs the schedule that it acknowledged, or a wrong one.
  private mutating func believeInBasal() {
    let basal = state.faults.wrongBasal ?? state.personal.saved.acknowledgedBasal
    guard basal != state.app.basal.latest else { return }
    state.app.acknowledge(.replaceSchedule(basal), result: .success(()), at: appNow)
  }

  /// The app learns that the pump has carried out a command.
  mutating func acknowledge(_ command: PumpCommand) {
    var known = command
    if case .replaceSchedule(let schedule) = command {
      state.personal.saved.acknowledgedBasal = schedule
      known = .replaceSchedule(state.faults.wrongBasal ?? schedule)
    }
    state.app.acknowledge(known, result: .success(()), at: appNow)
  }

  /// A person saves settings in the app.
  ///
  /// - Returns: Commands to send. The pump gets the schedule that was saved, whatever wrong one the
  ///   app shows.
  mutating func save(_ therapy: TherapySettings) -> [PumpCommand] {
    let before = state.personal.saved.therapy
    state.personal.saved.therapy = therapy
    var isSent = false
    var commands = state.app.change(to: state.faults.wrongSettings(over: therapy), at: appNow)
    for index in commands.indices {
      guard case .replaceSchedule = commands[index] else { continue }
      commands[index] = .replaceSchedule(therapy.basal)
      isSent = true
    }
    if !isSent, therapy.basal != before.basal { commands.append(.replaceSchedule(therapy.basal)) }
    return commands
  }

  /// Settings are imported into the app; the pump is not told.
  mutating func importSettings(_ change: SettingsChange) {
    let saved = state.personal.saved
    state.personal.saved.therapy = change.applied(to: saved.therapy)
    state.personal.saved.acknowledgedBasal = change.basal ?? saved.acknowledgedBasal
    applyConditions()
  }

  // MARK: - Permissions

  /// What people allow the app in a health store that exists before the run.
  static func permissions(
    of bundleIdentifier: String, in store: InMemoryHealthStore
  ) -> [HealthStoreAccess.Data: Authorization] {
    guard let client = store.client(bundleIdentifier: bundleIdentifier) else { return [:] }
    var permissions: [HealthStoreAccess.Data: Authorization] = [:]
    for data in HealthStoreAccess.Data.allCases {
      permissions[data] = store.authorization(of: client, for: data.type)
    }
    return permissions
  }

  /// The app may do what the person allows and no fault forbids.
  mutating func applyPermissions() {
    let identifier = setup.app.configuration.bundleIdentifier
    guard let client = state.store.client(bundleIdentifier: identifier) else { return }
    for data in HealthStoreAccess.Data.allCases {
      guard let allowed = state.personal.permissions[data] else { continue }
      let left = state.faults.restrict(allowed, of: data)
      guard left != state.store.authorization(of: client, for: data.type) else { continue }
      do throws(HealthStoreError) {
        try state.store.setAuthorization(left, of: client, for: [data.type])
      } catch {
        note(.warning, "permission", "The health store kept its permissions: \(error)")
      }
    }
  }
}
