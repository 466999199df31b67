public import ClosedLoop
internal import HealthStore
public import Quantities

/// Readings of the app that the health store does not hold at the end of a run.
public struct UnstoredGlucose: Hashable, Sendable {
  /// Which readings, by the phone's clock.
  public var readings: GlucoseStretches.Stretch
  /// Why.
  public var reason: Reason

  /// Why the store does not hold a reading.
  public enum Reason: Hashable, Sendable {
    /// It came while the app was not allowed to write glucose, and is never written.
    case notAllowed
    /// The store took none when it was due, and had taken none by the end.
    case notTaken
    /// The app had lost it, in a crash or when it was installed anew, before it was to write it.
    case lost
    /// A fault has deleted it, at an instant.
    case deleted(fault: String, at: Instant)
  }
}

extension World {
  /// The readings that the store does not hold at the end, in the order of time.
  var unstoredGlucose: [UnstoredGlucose] {
    guard hasApp else { return [] }
    let glucose = phone.fromApp(at: now) { app, instant in
      let store = app.glucose.store
      return (store.neverWritten, store.overdue(at: instant), store.lostUnwritten)
    }
    let found =
      glucose.0.all.map { UnstoredGlucose(readings: $0, reason: .notAllowed) }
      + glucose.1.all.map { UnstoredGlucose(readings: $0, reason: .notTaken) }
      + glucose.2.all.map { UnstoredGlucose(readings: $0, reason: .lost) }
      + store.deletions.glucose
    return found.sorted {
      ($0.readings.start, $0.readings.end) < ($1.readings.start, $1.readings.end)
    }
  }
}
