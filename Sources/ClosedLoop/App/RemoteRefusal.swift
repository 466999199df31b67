public import Quantities

/// Why the app does not carry out a command that was sent to it from afar.
///
/// A carer's command comes by a push notification from Nightscout or LoopFollow. Sources:
/// nightscout/cgm-remote-monitor (`lib/server/loop.js`), LoopKit/NightscoutService
/// (`RemoteCommandValidator.swift`), LoopKit/Loop (`ServicesManager.swift`, `LoopConstants.swift`).
public enum RemoteRefusal: Error, Hashable, Sendable {
  /// The command is older than it may be.
  case expired(since: Instant)
  /// The one-time code does not fit; boluses and carbohydrates need one.
  case wrongCode
  /// A bolus of nothing.
  case noBolus
  /// It asks for more than the maximum bolus, which is given.
  case exceedsMaximumBolus(InsulinAmount)
  /// The app has no preset of this name.
  case unknownPreset(String)
  /// It asks for a preset longer than is allowed.
  case presetTooLong(TimeSpan)
}

/// What a command from afar must fulfil.
public struct RemoteRules: Sendable {
  /// The longest that a preset may be started for.
  public static let longestPreset = TimeSpan.hours(24)

  private let maximumBolus: InsulinAmount

  /// The rules under the settings in force.
  public init(_ therapy: TherapySettings) { maximumBolus = therapy.maximumBolus }

  /// Checks that a command is still valid.
  public func checkCommand(expiring expiry: Instant, at now: Instant) throws(RemoteRefusal) {
    guard now <= expiry else { throw .expired(since: expiry) }
  }

  /// Checks a bolus.
  ///
  /// Unlike one in the app it is refused, and not made smaller, where it is too large.
  public func checkBolus(units: Double) throws(RemoteRefusal) {
    guard units > 0 else { throw .noBolus }
    guard units <= maximumBolus.units else { throw .exceedsMaximumBolus(maximumBolus) }
  }

  /// Checks how long a preset is to last.
  public func checkPreset(lasting duration: TimeSpan?) throws(RemoteRefusal) {
    guard let duration, duration > Self.longestPreset else { return }
    throw .presetTooLong(Self.longestPreset)
  }
}

extension RemoteRefusal: CustomStringConvertible {
  public var description: String {
    switch self {
    case .expired(let instant): "The command expired at \(instant)."
    case .wrongCode: "The one-time code of the command is wrong."
    case .noBolus: "A remote bolus must be above 0 U."
    case .exceedsMaximumBolus(let maximum):
      "A remote bolus must not be above the largest bolus of \(maximum)."
    case .unknownPreset(let name): "There is no preset \"\(name)\"."
    case .presetTooLong(let longest): "A remote preset must not last longer than \(longest)."
    }
  }
}
