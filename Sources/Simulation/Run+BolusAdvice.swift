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
    receiveReadings()
    ingestPump()
    state.asking.bolus = (event, request, rest)
    switch setup.controller {
    case .loop: assertionFailure("Loop recommends by itself.")
    case .algorithm:
      switch state.phone.bolusInput(at: state.now) {
      case .success(let input): ask(.algorithm(input), isForBolus: true)
      case .failure(let refusal): goOn(without: "\(refusal)")
      }
    case .controller:
      let history = setup.controllerRules.history
      let view = state.phone.controllerView(at: state.now, history: history)
      ask(.controller(view), isForBolus: true)
    }
  }

  /// The program has recommended, and the step goes on in which it was asked.
  mutating func goOn(from answer: Result<Double, AlgorithmError>) {
    guard let (event, request, rest) = state.asking.bolus else { return }
    switch answer {
    case .failure(let error): goOn(without: "\(Refusal.algorithm(error))")
    case .success(let units):
      state.asking.question = nil
      state.asking.bolus = nil
      delivering(for: event) { $0.bolus(request, recommending: units) }
      _ = goOn(performing: rest)
    }
  }

  /// Nothing is recommended, and the step goes on.
  mutating func goOn(without reason: String) {
    guard let (_, request, rest) = state.asking.bolus else { return }
    state.asking.question = nil
    state.asking.bolus = nil
    noteNoRecommendation(request, reason)
    _ = goOn(performing: rest)
  }

  /// Warns that a person wanted a bolus and gets none, and tells why.
  mutating func noteNoRecommendation(_ request: BolusRequest, _ reason: String) {
    let end = reason.hasSuffix(".") ? "" : "."
    note(.warning, request.name, "No bolus is recommended: \(reason)\(end)")
  }

  /// What the program recommends goes through the guards, and the person takes it as they do.
  private mutating func bolus(_ request: BolusRequest, recommending units: Double) {
    guard case .recommended(let scale, let cap) = request.amount else { return }
    var command = state.phone.guardedBolus(
      units, of: setup.controller, by: setup.controllerRules.guards, at: state.now)
    for guarding in command.guards {
      note(.guarded, guarding.rawValue, command.sentence(on: guarding))
    }
    var outcome = CommandReport.Outcome.notSent
    if case .startBolus(let amount, _) = command.given {
      command.given = nil
      let commanded = state.appRecord.bolusRequests.count
      state.asking.failure = nil
      if let wanted = taken(amount.units, scale, cap, request) { bolus(wanted, request) }
      let new = state.appRecord.bolusRequests.dropFirst(commanded).map(\.commanded).first
      if let given = new, given > .zero {
        command.given = .startBolus(given, automatic: false)
        outcome =
          state.asking.failure.map { .failed("\($0)") }
          ?? (setup.commandLatency > .zero ? .underway : .carriedOut)
      }
    } else if command.guards.isEmpty {
      note(.bolus, request.name, "No bolus is needed (\(unitsText(units)) U).")
    }
    state.asking.last.append(CommandReport(command: command, outcome: outcome))
  }

  /// Tells once that Loop recommends although a program decides, where nobody has said who does.
  mutating func tellOfAdviser(_ request: BolusRequest) {
    guard setup.controller != .loop, setup.controllerRules.manualBolus == nil,
      !state.asking.hasToldOfAdviser
    else { return }
    state.asking.hasToldOfAdviser = true
    note(
      .warning, request.name,
      "The program that decides recommends no boluses; those that people take as recommended are "
        + "Loop's.")
  }
}
