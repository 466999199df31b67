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
    let asked = BodyQuestion(
      from: body.livedThrough ?? world.now, to: world.now, intake: body.intake)
    asking.question = Question(
      number: asking.bodyCount, instant: world.now, elapsed: world.now - setup.start,
      local: world.phone.zone.civilTime(at: world.now), content: .body(asked), last: [])
    asking.bodyCount += 1
    asking.acts = acts
  }

  /// The body has answered, and the step goes on in which it was asked.
  mutating func goOn(from answer: BodyAnswer) {
    world.delivery.body.take(answer.state)
    for word in answer.unknown where asking.unknown.insert(word).inserted {
      world.note(.warning, word, "The patient model does not know \(word); nothing changes.")
    }
    guard let acts = asking.acts else { return }
    asking.acts = nil
    _ = goOn(with: acts)
  }
}
