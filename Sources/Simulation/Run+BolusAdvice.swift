internal import ClosedLoop
internal import Devices
internal import Dosing
internal import Quantities

/// A program recommends boluses to people, in the seat of the algorithm or of the controller.
extension Run {
  /// Whether a person's request is a question to the program that decides.
  func asksProgram(for request: BolusRequest) -> Bool {
    guard setup.controller != .loop, setup.controllerRules.manualBolus == .program else {
      return false
    }
    if case .recommended = request.amount { return true }
    return false
  }

  /// Asks the program for a bolus; what people do after that waits for the answer.
  ///
  /// The algorithm is not asked where the data do not allow it, as the app would not ask its own.
  mutating func askBolus(
    _ request: BolusRequest, for event: ScenarioEvent, before rest: ArraySlice<ScenarioEvent>
  ) {
    world.receiveReadings()
    world.ingestPump()
    asking.bolus = (event, request, rest)
    switch setup.controller {
    case .loop: assertionFailure("Loop recommends by itself.")
    case .algorithm:
      switch world.phone.bolusInput(at: world.now) {
      case .success(let input): ask(.algorithm(input), isForBolus: true)
      case .failure(let refusal): goOn(without: "\(refusal)")
      }
    case .controller:
      let history = setup.controllerRules.history
      let view = world.phone.controllerView(at: world.now, history: history)
      ask(.controller(view), isForBolus: true)
    }
  }

  /// The program has recommended, and the step goes on in which it was asked.
  mutating func goOn(from answer: Result<Double, AlgorithmError>) {
    guard let (event, request, rest) = asking.bolus else { return }
    switch answer {
    case .failure(let error): goOn(without: "\(Refusal.algorithm(error))")
    case .success(let units):
      asking.question = nil
      asking.bolus = nil
      let (seat, guards) = (setup.controller, setup.controllerRules.guards)
      let (report, later) = world.delivering(for: event) {
        request.carryOut(recommending: units, by: seat, guards: guards, in: &$0)
      }
      asking.last.append(report)
      plan(later)
      _ = goOn(performing: rest)
    }
  }

  /// Nothing is recommended, and the step goes on.
  mutating func goOn(without reason: String) {
    guard let (_, request, rest) = asking.bolus else { return }
    asking.question = nil
    asking.bolus = nil
    request.noteNoRecommendation(reason, in: &world)
    _ = goOn(performing: rest)
  }

  /// Tells once that Loop recommends although a program decides, where nobody has said who does.
  mutating func tellOfAdviser(_ request: BolusRequest) {
    guard case .recommended = request.amount, setup.controller != .loop,
      setup.controllerRules.manualBolus == nil, !asking.hasToldOfAdviser
    else { return }
    asking.hasToldOfAdviser = true
    world.note(
      .warning, request.name,
      "The program that decides recommends no boluses; those that people take as recommended are "
        + "Loop's.")
  }
}
