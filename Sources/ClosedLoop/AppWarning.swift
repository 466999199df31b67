/// Something a person should know about a run.
public enum AppWarning: Hashable, Sendable {
  /// Carbohydrates of other apps are read, and lead to automatic dosing.
  case readsForeignCarbs
  /// The CGM shows another unit than the health store.
  case displayUnitDiffers(sensor: String, store: String)
  /// A dose was deleted while the app doses by itself.
  case deletionInClosedLoop
  /// The health store refused to take samples of a type.
  case writeRefused(String)
  /// The health store refused to be read.
  case readRefused(String)

  /// Whether somebody refused the app something, which lasts; else it warns of what it does.
  public var isRefusal: Bool {
    switch self {
    case .writeRefused, .readRefused: true
    case .readsForeignCarbs, .displayUnitDiffers, .deletionInClosedLoop: false
    }
  }
}

extension AppWarning: CustomStringConvertible {
  public var description: String {
    switch self {
    case .readsForeignCarbs:
      "Carbohydrates of other apps are read from the health store and lead to automatic dosing."
    case .displayUnitDiffers(let sensor, let store):
      "The CGM shows \(sensor) and the health store \(store). Set both to the same unit."
    case .deletionInClosedLoop:
      "A dose was deleted in closed loop: Loop may deliver insulin that is not needed. Open the "
        + "loop for 3 to 6 hours instead where insulin was not absorbed."
    case .writeRefused(let reason): "The health store took nothing: \(reason)"
    case .readRefused(let reason): "The health store showed nothing: \(reason)"
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
