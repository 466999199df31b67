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
