internal import ClosedLoop
internal import Devices
internal import HealthStore
internal import Quantities

/// The world follows from what people have set and the faults in force.
extension Run {
  /// Makes phone, app, pump and health store what settings and faults in force say.
  ///
  /// Called whenever one of the two has changed. What is so already is left alone.
  mutating func applyConditions() {
    state.phone.apply(state.faults, at: state.now)
    applyForeignSchedule()
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

  /// Uses the health store; what it refuses is told in the timeline.
  ///
  /// - Returns: `nil` if it refused.
  mutating func tryStore<Answer>(
    _ use: (inout InMemoryHealthStore) throws(HealthStoreError) -> Answer
  ) -> Answer? {
    do throws(HealthStoreError) {
      return try use(&state.store)
    } catch {
      noteRefusal(error)
      return nil
    }
  }

  /// Tells in the timeline what the health store refused.
  mutating func noteRefusal(_ error: HealthStoreError) {
    note(.warning, "healthStore", "The health store refused: \(error)")
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
      guard let allowed = state.storeUse.permissions[data] else { continue }
      let left = state.faults.restrict(allowed, of: data)
      guard left != state.store.authorization(of: client, for: data.type) else { continue }
      _ = tryStore { (store) throws(HealthStoreError) in
        try store.setAuthorization(left, of: client, for: [data.type])
      }
    }
  }
}
