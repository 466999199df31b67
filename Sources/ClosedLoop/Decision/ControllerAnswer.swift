public import Devices
public import Dosing
public import Quantities

/// What a program in place of the Loop algorithm answers to the algorithm's input.
///
/// What the app does with it is the same as with the answer of the algorithm: rounding, leaving
/// alone what already runs, the order of commands, and every refusal.
public struct AlgorithmAnswer: Hashable, Sendable {
  /// What it recommends, or why it does not.
  public var recommendation: Result<Recommendation, AlgorithmError>
  /// Net insulin on board, in U; `nil` for the app's own figure.
  public var insulinOnBoard: Double?
  /// Carbohydrates on board, in grams; `nil` where the program does not say.
  public var carbsOnBoard: Double?
  /// Its prediction, five minutes apart.
  public var predictedGlucose: [PredictedGlucose]

  /// Creates a `AlgorithmAnswer` from its parts; see the properties.
  public init(
    recommendation: Result<Recommendation, AlgorithmError>, insulinOnBoard: Double? = nil,
    carbsOnBoard: Double? = nil, predictedGlucose: [PredictedGlucose] = []
  ) {
    self.recommendation = recommendation
    self.insulinOnBoard = insulinOnBoard
    self.carbsOnBoard = carbsOnBoard
    self.predictedGlucose = predictedGlucose
  }
}

/// What a program in place of the whole decision wants done; what is absent changes nothing.
///
/// Commands go to the pump in the order: cancelled bolus, resume, temp basal, bolus, suspend.
public struct ControllerAnswer: Hashable, Sendable {
  /// What becomes of the temp basal.
  public enum TempBasal: Hashable, Sendable {
    /// A rate in U/h, which the app rounds down to what the pump can run.
    case start(unitsPerHour: Double, duration: TimeSpan)
    /// The temp basal ends, and the schedule goes on.
    case cancel
  }

  /// The temp basal that it wants; `nil` for no change.
  public var tempBasal: TempBasal?
  /// A bolus, in U.
  public var bolus: Double?
  /// Whether the bolus that runs is to be cancelled.
  public var cancelsBolus = false
  /// Whether delivery is to be suspended.
  public var suspends = false
  /// Whether delivery is to be resumed.
  public var resumes = false
  /// What the program counts as carbohydrates on board, in grams.
  public var carbsOnBoard: Double?
  /// What the program predicts, in mg/dL, 5 minutes apart, from now on.
  public var predictedGlucose: [Double] = []
  /// The program's own words, for the timeline.
  public var note = ""

  /// Creates an answer that changes nothing.
  public init() {}

  /// Creates an answer with a temp basal and a bolus.
  public init(tempBasal: TempBasal?, bolus: Double? = nil) {
    self.tempBasal = tempBasal
    self.bolus = bolus
  }

  /// What is asked for, in the order in which commands are sent.
  var asked: [ControllerCommand.Asked] {
    var asked: [ControllerCommand.Asked] = []
    if cancelsBolus { asked.append(.cancelBolus) }
    if resumes { asked.append(.resume) }
    switch tempBasal {
    case .start(let rate, let duration):
      asked.append(.tempBasal(unitsPerHour: rate, duration: duration))
    case .cancel: asked.append(.cancelTempBasal)
    case nil: break
    }
    if let bolus { asked.append(.bolus(units: bolus)) }
    if suspends { asked.append(.suspend) }
    return asked
  }

  /// Whether every number is one.
  public var isFinite: Bool {
    var numbers = predictedGlucose
    if case .start(let rate, _) = tempBasal { numbers.append(rate) }
    if let bolus { numbers.append(bolus) }
    if let carbsOnBoard { numbers.append(carbsOnBoard) }
    return numbers.allSatisfy(\.isFinite)
  }
}

/// A rule by which the app changes a command of a program or does not send it.
public enum CommandGuard: String, Hashable, Sendable, CaseIterable {
  /// The app is in open loop: the command is recorded and not sent.
  case openLoop
  /// The pump has not said what it is doing.
  case pumpUnknown
  /// Nobody knows whether the last command was carried out.
  case deliveryUncertain
  /// An alarm has stopped the pump.
  case stopped
  /// Delivery is suspended, and the answer does not resume it.
  case suspended
  /// Glucose or pump data are missing or too old: no bolus, and no rate above the schedule.
  case staleGlucose
  /// The CGM says that its values cannot be relied on: no bolus, and no rate above the schedule.
  case unreliableGlucose
  /// A rate or a bolus below 0 became 0.
  case belowZero
  /// Cut to the maximum basal rate of the settings.
  case maxBasal
  /// Cut to the maximum bolus of the settings.
  case maxBolus
  /// Cut so that insulin on board and the bolus together stay within the limit of the settings.
  case maxActiveInsulin
  /// A bolus is not sent while one runs.
  case bolusInProgress
  /// Rounded down to what the pump can give.
  case pumpStep
  /// Cut to the most the pump can give.
  case pumpMaximum
  /// The duration became the nearest that the pump accepts, or that for which it runs so large a
  /// percentage.
  case duration
}

/// A command that a program asked for, and what the app made of it.
public struct ControllerCommand: Hashable, Sendable {
  /// What was asked for.
  public enum Asked: Hashable, Sendable {
    /// A command without an amount.
    case cancelBolus, resume, suspend, cancelTempBasal
    /// A rate in U/h.
    case tempBasal(unitsPerHour: Double, duration: TimeSpan)
    /// An amount in U.
    case bolus(units: Double)
  }

  /// What the program asked for.
  public var asked: Asked
  /// What goes to the pump; `nil` where nothing does.
  public var given: PumpCommand?
  /// The guards that acted, in the order in which they did.
  public var guards: [CommandGuard] = []

  init(_ asked: Asked) { self.asked = asked }
}

extension ControllerCommand.Asked: CustomStringConvertible {
  /// The command in words.
  public var description: String {
    switch self {
    case .cancelBolus: "cancellation of the bolus"
    case .resume: "resume"
    case .suspend: "suspend"
    case .cancelTempBasal: "cancellation of the temp basal"
    case .tempBasal(let rate, let duration): "temp basal of \(rate) U/h for \(duration)"
    case .bolus(let units): "bolus of \(units) U"
    }
  }
}

/// Which guards stand between a program and the pump.
public enum GuardSet: String, Hashable, Sendable, CaseIterable {
  /// Those of the app's settings and those of the pump.
  case app
  /// Those without which the pump could not be commanded.
  case pump
}
