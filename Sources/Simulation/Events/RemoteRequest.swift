public import Quantities

/// A command that a carer sends to the app from afar.
public struct RemoteRequest: Hashable, Sendable {
  /// What is asked for.
  public enum Action: Hashable, Sendable {
    /// A bolus of so many units.
    case bolus(units: Double)
    /// An entry of carbohydrate.
    case carbs(CarbEntryRequest)
    /// A preset by its name, and what the app knows under it; `nil` where it knows none.
    case preset(String, PresetRequest?)
    /// The end of the preset that runs.
    case endPreset
  }

  /// What is asked for.
  public var action: Action
  /// What the timeline calls it.
  public var name: String
  /// When the carer sent it.
  public var sentAt: Instant
  /// When the app does not take it any more.
  public var expiresAt: Instant
  /// Whether its one-time code is the right one; presets need none.
  public var hasValidCode: Bool
  /// Whether food is eaten when the command arrives, which may be later than planned.
  public var isEatenOnArrival: Bool

  /// Creates a `RemoteRequest` from its parts; see the properties.
  public init(
    _ action: Action, name: String, sentAt: Instant, expiresAt: Instant, hasValidCode: Bool = true,
    isEatenOnArrival: Bool = false
  ) {
    self.action = action
    self.name = name
    self.sentAt = sentAt
    self.expiresAt = expiresAt
    self.hasValidCode = hasValidCode
    self.isEatenOnArrival = isEatenOnArrival
  }

  /// What happens when the app carries the command out, having got it at an instant; `nil` for a
  /// preset that it does not know.
  func consequence(at arrival: Instant) -> ScenarioEvent.Action? {
    switch action {
    case .bolus(let units): return .bolus(BolusRequest(.units(units), by: .remote, name: name))
    case .carbs(var entry):
      if isEatenOnArrival { entry.eatenAt = arrival }
      return .enterCarbs(entry)
    case .preset(_, let preset): return preset.map { .startPreset($0) }
    case .endPreset: return .endPreset
    }
  }

  /// Notes a bolus that was asked for and is not given.
  func noteRefused(in world: inout World) {
    if case .bolus(let request) = consequence(at: world.now) { request.noteRefused(in: &world) }
  }

  /// The bolus that is asked for; `nil` for another command.
  var bolus: InsulinAmount? {
    if case .bolus(let units) = action { InsulinAmount(roundingUnits: units) } else { nil }
  }

  /// The command in a few words.
  var noun: String {
    switch action {
    case .bolus(let units): "a remote bolus of \(unitsText(units)) U"
    case .carbs(let entry): "remote carbohydrates of \(entry.grams) g"
    case .preset(let name, _): "the remote preset \(name)"
    case .endPreset: "the remote end of a preset"
    }
  }
}
