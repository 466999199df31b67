public import HealthStore

/// Something a person should know about a run.
public enum AppWarning: Hashable, Sendable {
  /// Carbohydrates of other apps are read, and lead to automatic dosing in closed loop.
  case readsForeignCarbs
  /// The CGM shows another unit than the health store.
  case displayUnitDiffers(sensor: String, store: String)
  /// A dose that then no longer counts was deleted while the app doses by itself.
  case deletionInClosedLoop
  /// The health store refused to take samples of a type, or of any where that is `nil`.
  case writeRefused(ObjectType?, String)
  /// The health store refused to delete the app's samples of a type.
  case deletionRefused(ObjectType, String)
  /// The health store refused to be read.
  case readRefused(String)

  /// Whether somebody refused the app something, which lasts; else it warns of what it does.
  public var isRefusal: Bool {
    switch self {
    case .writeRefused, .deletionRefused, .readRefused: true
    case .readsForeignCarbs, .displayUnitDiffers, .deletionInClosedLoop: false
    }
  }
}

extension AppWarning: CustomStringConvertible {
  public var description: String {
    switch self {
    case .readsForeignCarbs:
      "Carbohydrates of other apps are read from the health store; in closed loop they lead to "
        + "automatic dosing."
    case .displayUnitDiffers(let sensor, let store):
      "The CGM shows \(sensor) and the health store \(store). Set both to the same unit."
    case .deletionInClosedLoop:
      "A dose was deleted in closed loop, and does not count any more: Loop may deliver insulin "
        + "that is not needed. Where insulin was not absorbed, open the loop for 3 to 6 hours "
        + "instead."
    case .writeRefused(let type, let reason):
      "The health store took \(type.map { "no \($0.substance)" } ?? "nothing"): \(reason)"
    case .deletionRefused(let type, let reason):
      "The health store deleted no \(type.substance): \(reason)"
    case .readRefused(let reason): "The health store showed nothing: \(reason)"
    }
  }
}

extension ObjectType {
  /// What samples of the type are of, in a sentence.
  fileprivate var substance: String {
    switch self {
    case .insulinDelivery: "insulin"
    case .bloodGlucose: "glucose"
    case .dietaryCarbohydrates: "carbohydrates"
    default: "\(self)"
    }
  }
}

/// What a person should know about a run, each once, in the order in which it came up.
public struct AppWarnings: Sendable {
  /// A warning, and how many times it was given: more than once where it is of a refusal.
  public struct Given: Sendable {
    public let warning: AppWarning
    public internal(set) var times = 1
  }

  public private(set) var list: [Given] = []
  /// How many times any of them was given.
  public private(set) var times = 0

  /// Nothing has been warned of.
  public init() {}

  /// Notes a warning, unless it has been given and is of no refusal.
  mutating func note(_ warning: AppWarning) {
    if let place = list.firstIndex(where: { $0.warning == warning }) {
      guard warning.isRefusal else { return }
      list[place].times += 1
    } else {
      list.append(Given(warning: warning))
    }
    times += 1
  }
}
