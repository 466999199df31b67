internal import Dosing

/// An app that starts anew.
extension LoopApp {
  /// Forgets what the app does not keep on disk.
  ///
  /// Settings, event history, deliveries, glucose and carbohydrates are saved as they change, and
  /// so is a command without a reply (OmniBLE, `PodState.swift`). Gone are the last cycle and its
  /// decision, what the pump said about itself, and the algorithm's intermediate results.
  public mutating func forgetMemory() {
    cycles.forgetMemory()
    pump.forgetMemory()
    insulin.forgetMemory()
    glucose.forgetMemory()
  }

  /// Goes on in the surroundings of the app in whose place this one starts: the phone's clock, and
  /// the data that are wrong.
  ///
  /// Nothing gets a name that the other app has given: Loop's are drawn by chance, and what has the
  /// name of a sample that is in the health store replaces it, or is taken for it.
  public mutating func keepSurroundings(of app: LoopApp) {
    clockError = app.clockError
    disturbances = app.disturbances
    glucose.passOverUnwritten(of: app.glucose)
    carbs.passOverNames(of: app.carbs)
    health.passOverIdentities(of: app.health)
  }

  /// Takes over the insulin that another state of the app has on record, which has reported some of
  /// it since: what the health store has is known, whatever else is forgotten.
  ///
  /// Where the reason for which a segment ended is forgotten, its basal would be reported again in
  /// another one. LoopKit begins after the last basal that it has on record, too
  /// (`InsulinDeliveryStore.swift`).
  public mutating func keepReports(of app: LoopApp) {
    insulin = app.insulin
    insulin.followAnew()
  }
}
