internal import ClosedLoop
internal import Devices
internal import Quantities

/// Commands from afar.
extension Run {
  /// How often the push service tries again to reach a phone.
  private static let retry = TimeSpan.minutes(1)

  /// Carries out a command that arrives, or says why the app does not.
  ///
  /// A phone that is off, or on which the app does not run, gets it later, and the app then refuses
  /// what has expired.
  mutating func receive(_ request: RemoteRequest) {
    guard world.isAppRunning else {
      let next = world.now + Self.retry
      guard next <= setup.end else {
        world.note(.warning, request.name, "The app does not get \(request.noun) before the end.")
        return noteRefused(request)
      }
      let event = ScenarioEvent(at: next, id: request.name, .remote(request))
      agenda.addConsequence(event, at: next)
      return
    }
    do throws(RemoteRefusal) {
      try world.phone.check(request, at: world.now)
      let sent = (world.now - request.sentAt)
      world.note(.note, request.name, "The app gets \(request.noun), sent \(sent) ago.")
      perform(request)
    } catch {
      world.note(.warning, request.name, "The app refuses \(request.noun): \(error)")
      noteRefused(request)
    }
  }

  private mutating func noteRefused(_ request: RemoteRequest) {
    guard case .bolus(let units) = request.action else { return }
    BolusRequest(.units(units), by: .remote, name: request.name).noteRefused(in: &world)
  }

  private mutating func perform(_ request: RemoteRequest) {
    let action: ScenarioEvent.Action
    switch request.action {
    case .bolus(let units):
      action = .bolus(BolusRequest(.units(units), by: .remote, name: request.name))
    case .carbs(let entry): action = .enterCarbs(entry)
    case .preset(_, let preset):
      guard let preset else { return }
      action = .startPreset(preset)
    case .endPreset: action = .endPreset
    }
    perform(ScenarioEvent(at: world.now, id: request.name, action))
  }
}
