internal import ClosedLoop
internal import Devices
internal import Physiology
internal import Quantities

/// A body outside is asked how it is; see ``Question/Content/body(_:)``.
///
/// It is asked at the beginning of the world, at every sample of the sensor and every row of the
/// trace. In between its glucose is what it last said: a meter, a person and a floor see that.
extension Run {
  /// Whether something needs to know how the body is at the next instant.
  func isBodyDue(at instant: Instant) -> Bool {
    guard let lived = world.delivery.body.external?.livedThrough, lived < instant
    else { return false }
    return instant >= world.sensor.nextSample(after: world.now) || instant >= agenda.nextRow
  }

  /// Asks the body how it is now; what people do waits for the answer.
  mutating func askBody(before acts: [ScenarioEvent]?) {
    guard let body = world.delivery.body.external else { return }
    let question = BodyQuestion(
      from: body.livedThrough ?? world.now, to: world.now, intake: body.intake)
    asking.ask(question, local: world.phone.zone.civilTime(at: world.now), before: acts)
  }

  /// The body has answered, and the step goes on in which it was asked.
  mutating func goOn(with acts: [ScenarioEvent]?, from answer: BodyAnswer) {
    world.delivery.body.take(answer.state)
    for word in asking.takeUnknown(of: answer.unknown) {
      world.note(.warning, word, "The patient model does not know \(word); nothing changes.")
    }
    if let acts { _ = goOn(with: acts) }
  }
}
