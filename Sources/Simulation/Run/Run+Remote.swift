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
        world.note(
          .warning, request.name, "The app does not get \(request.noun) before the end.",
          notGiven: request.bolus)
        return request.noteRefused(in: &world)
      }
      let event = ScenarioEvent(at: next, id: request.name, .remote(request))
      agenda.addConsequence(event, at: next)
      return
    }
    do throws(RemoteRefusal) {
      try world.phone.check(request, at: world.now)
      let sent = (world.now - request.sentAt)
      world.note(.note, request.name, "The app gets \(request.noun), sent \(sent) ago.")
      guard let action = request.consequence(at: world.now) else { return }
      perform(ScenarioEvent(at: world.now, id: request.name, action))
    } catch {
      world.note(
        .warning, request.name, "The app refuses \(request.noun): \(error)",
        notGiven: request.bolus)
      request.noteRefused(in: &world)
    }
  }
}
