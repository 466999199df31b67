public import Quantities

/// What a command from afar must fulfil.
extension LoopApp {
  /// The longest that a preset may be started for from afar.
  public static let longestRemotePreset = TimeSpan.hours(24)

  /// Checks that a command is still valid.
  public func checkRemoteCommand(expiring expiry: Instant, at now: Instant)
    throws(RemoteRefusal)
  {
    guard now <= expiry else { throw .expired(since: expiry) }
  }

  /// Checks a bolus that is asked for from afar.
  ///
  /// Unlike one in the app it is refused, and not made smaller, where it is too large.
  public func checkRemoteBolus(units: Double) throws(RemoteRefusal) {
    guard units > 0 else { throw .noBolus }
    guard units <= therapy.maximumBolus.units else {
      throw .exceedsMaximumBolus(therapy.maximumBolus)
    }
  }

  /// Checks how long a preset is to last that is started from afar.
  public func checkRemotePreset(lasting duration: TimeSpan?) throws(RemoteRefusal) {
    guard let duration, duration > Self.longestRemotePreset else { return }
    throw .presetTooLong(Self.longestRemotePreset)
  }
}
