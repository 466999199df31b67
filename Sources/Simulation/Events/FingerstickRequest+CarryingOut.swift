internal import Quantities

/// How a person measures glucose with a meter in the world.
extension FingerstickRequest {
  /// A meter shows a glucose, and what it shows is taken down for an event.
  func carryOut(for event: String, in world: inout World) {
    let shown = value ?? Self.shown(world.delivery.body.glucose.mgdL * (1 + relativeError))
    let words = world.glucoseUnit.words(shown)
    world.note(.cgm, "fingerstick", "A meter shows \(words).")
    switch log {
    case .none: break
    case .meter:
      let write = HealthStoreWrite(.glucose(shown), start: world.now, source: "Meter")
      world.take(NamedWrite(write: write, event: event))
    case .app where world.phoneState == .off:
      world.note(.warning, "fingerstick", "\(words) were not typed in the app: the phone is off.")
    case .app:
      let identifier = world.phone.enterGlucose(shown, at: world.now)
      if let identifier { world.names.note(event, made: identifier) }
      world.note(
        identifier != nil ? .note : .warning, "fingerstick",
        identifier != nil
          ? "\(words) are typed in the app." : "The app takes no glucose of \(words).")
    }
  }

  /// What a meter shows of a glucose in mg/dL: nothing below 10 or above 600 mg/dL, whatever a
  /// model's body comes to.
  private static func shown(_ glucose: Double) -> GlucoseConcentration {
    .mgdL(min(max(glucose.rounded(), 10), 600))
  }
}
