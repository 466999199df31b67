internal import ClosedLoop
internal import Quantities

/// The settings that the app keeps.
struct SavedSettings: Sendable {
  var therapy: TherapySettings
  /// The basal schedule of which the pump has told the app that it runs.
  var acknowledgedBasal: DailySchedule<InsulinRate>

  /// The settings that an app has.
  init(of app: LoopApp) {
    therapy = app.therapy
    acknowledgedBasal = app.therapies.basal.latest
  }
}
