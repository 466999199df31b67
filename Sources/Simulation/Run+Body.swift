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
    guard let lived = state.delivery.body.external?.livedThrough, lived < instant
    else { return false }
    return instant >= state.sensor.nextSample(after: state.now) || instant >= state.agenda.nextRow
  }

  /// Asks the body how it is now; what people do waits for the answer.
  mutating func askBody(before acts: [ScenarioEvent]?) {
    guard let body = state.delivery.body.external else { return }
    let asked = BodyQuestion(
      from: body.livedThrough ?? state.now, to: state.now, intake: body.intake)
    state.asking.question = Question(
      number: state.asking.bodyCount, instant: state.now, elapsed: state.now - setup.start,
      local: state.phone.zone.civilTime(at: state.now), content: .body(asked), last: [])
    state.asking.bodyCount += 1
    state.asking.acts = acts
  }

  /// The body has answered, and the step goes on in which it was asked.
  mutating func goOn(from answer: BodyAnswer) {
    state.delivery.body.take(answer.state)
    for word in answer.unknown where state.asking.unknown.insert(word).inserted {
      note(.warning, word, "The patient model does not know \(word); nothing changes.")
    }
    guard let acts = state.asking.acts else { return }
    state.asking.acts = nil
    _ = goOn(with: acts)
  }
}
