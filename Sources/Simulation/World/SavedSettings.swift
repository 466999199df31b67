internal import ClosedLoop
internal import Quantities

/// The settings that the app keeps.
struct SavedSettings: Sendable {
  var therapy: TherapySettings
  /// The settings that a person has made, without what came into the app from elsewhere.
  var programmed: TherapySettings
  /// The basal schedule of which the pump has told the app that it runs.
  var acknowledgedBasal: DailySchedule<InsulinRate>

  /// The settings that an app has.
  init(of app: LoopApp) {
    therapy = app.therapy
    programmed = app.therapy
    acknowledgedBasal = app.therapies.basal.latest
  }
}
