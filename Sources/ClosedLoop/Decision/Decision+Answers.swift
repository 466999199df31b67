internal import Devices
internal import Dosing
internal import Quantities

/// How a decision takes in what the algorithm, or a program outside, answers.
extension Decision {
  /// Takes in the figures of the app's own algorithm; the recommendation comes after.
  mutating func takeFigures(
    of result: CycleResult, _ prediction: @autoclosure () -> KeptPrediction
  ) {
    insulinOnBoard = result.activeInsulin
    carbsOnBoard = result.activeCarbs
    if case .success = result.recommendation { self.prediction = prediction() }
  }

  /// Takes in the figures of a program in place of the algorithm; the recommendation comes after.
  ///
  /// - Parameters:
  ///   - answer: What the program answers.
  ///   - own: What the app's own algorithm says.
  mutating func takeFigures(of answer: AlgorithmAnswer, besides own: CycleResult?) {
    insulinOnBoard = Self.settled(answer.insulinOnBoard, own?.activeInsulin) ?? own?.activeInsulin
    carbsOnBoard = Self.settled(answer.carbsOnBoard, own?.activeCarbs)
    if case .success = answer.recommendation { predictedGlucose = answer.predictedGlucose }
  }

  /// A program's figure, or the app's own where the two are the same but for rounding.
  ///
  /// The algorithm from scratch and the app's, which goes on from cycle to cycle, add in another
  /// order; what differs in the last bits only is no difference of a run.
  private static func settled(_ figure: Double?, _ own: Double?) -> Double? {
    guard let figure, let own else { return figure }
    return (figure - own).magnitude <= 1e-9 * max(1, own.magnitude) ? own : figure
  }

  /// Takes in the figures of a program that decides instead of the app.
  mutating func takeFigures(of answer: ControllerAnswer) {
    carbsOnBoard = answer.carbsOnBoard
    predictedGlucose = answer.predictedGlucose.enumerated().map { index, value in
      PredictedGlucose(
        startDate: instant + .minutes(5) * Int64(index), quantity: .mgdL(value))
    }
  }

  /// Takes in the commands of such a program, as far as they passed the guards.
  mutating func take(_ guarded: [ControllerCommand]) {
    for command in guarded {
      switch command.given {
      case .startTempBasal(let rate, let duration, _): basal = .start(rate, duration: duration)
      case .cancelTempBasal: basal = .cancel
      case .startBolus(let amount, _): bolus = amount
      default: break
      }
      if let given = command.given { commands.append(given) }
    }
  }
}
