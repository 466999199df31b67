internal import ClosedLoop
internal import Devices
internal import Dosing
internal import Quantities

/// A program recommends boluses to people, in the seat of the algorithm or of the controller.
extension Run {
  /// Asks the program for a bolus; what people do after that waits for the answer.
  ///
  /// The algorithm is not asked where the data do not allow it, as the app would not ask its own.
  mutating func ask(for asked: AskedBolus) {
    assert(!agenda.isInCycle, "People act before the app does.")
    world.receiveReadings()
    world.ingestPump()
    switch setup.controller {
    case .loop: assertionFailure("Loop recommends by itself.")
    case .algorithm:
      switch world.phone.bolusInput(at: world.now) {
      case .success(let input): ask(.algorithm(input), for: .bolus(asked))
      case .failure(let refusal): goOn(after: asked, without: "\(refusal)")
      }
    case .controller:
      let history = setup.controllerRules.history
      let view = world.phone.controllerView(at: world.now, history: history)
      ask(.controller(view), for: .bolus(asked))
    }
  }

  /// The program has recommended, and the step goes on in which it was asked.
  mutating func goOn(after asked: AskedBolus, with answer: Result<Double, AlgorithmError>) {
    switch answer {
    case .failure(let error): goOn(after: asked, without: "\(Refusal.algorithm(error))")
    case .success(let units):
      let (seat, guards) = (setup.controller, setup.controllerRules.guards)
      world.link.beginAct(of: asked.event.id)
      let (report, later) = world.delivering(for: asked.event) {
        asked.request.carryOut(recommending: units, by: seat, guards: guards, in: &$0)
      }
      asking.note([report])
      if report.outcome == .underway { world.link.keep(report, sentAt: world.now) }
      plan(later, of: asked.event)
      _ = goOn(performing: asked.rest)
    }
  }

  /// Nothing is recommended, and the step goes on.
  mutating func goOn(after asked: AskedBolus, without reason: String) {
    asked.request.noteNoRecommendation(reason, in: &world)
    _ = goOn(performing: asked.rest)
  }

  /// Tells once that Loop recommends although a program decides, where nobody has said who does.
  mutating func tellOfAdviser(_ request: BolusRequest) {
    guard asking.takeNewsOfAdviser(for: request) else { return }
    world.note(
      .warning, request.name,
      "The program that decides recommends no boluses; those that people take as recommended are "
        + "Loop's.")
  }
}
