public import Devices
public import Dosing
public import Quantities

/// What one cycle of the loop found and decided.
public struct Decision: Sendable {
  /// The instant of the cycle, by the phone's clock.
  public var instant: Instant
  /// Why nothing may be dosed; nothing when a dose may be given.
  public var refusal: Refusal?
  /// Whether the app may act on the recommendation by itself.
  public var isClosedLoop: Bool
  /// What the algorithm recommends, before it is rounded to what the pump can do.
  public var recommendation: Recommendation?
  /// The prediction on which it rests, five minutes apart.
  public var predictedGlucose: [PredictedGlucose] {
    get { prediction?.glucose ?? listedGlucose }
    set {
      prediction = nil
      listedGlucose = newValue
    }
  }
  /// The values of the prediction without their times, in mg/dL.
  public var predictedMgdL: [Double] {
    prediction?.mgdL ?? listedGlucose.map(\.quantity.mgdL)
  }
  /// Why the prediction of the app's own algorithm is made without momentum; `nil` where it is made
  /// with it, and where there is none.
  public var momentumAbsence: MomentumAbsence? { prediction?.momentumAbsence }
  /// The prediction of the app's own algorithm, listed when it is asked for.
  var prediction: KeptPrediction?
  private var listedGlucose: [PredictedGlucose] = []
  /// Net insulin on board, in U.
  public var insulinOnBoard: Double?
  /// Carbohydrates on board, in grams.
  public var carbsOnBoard: Double?
  /// The scheduled basal rate after presets; zero where no dose is decided.
  public var neutralRate: InsulinRate
  /// What becomes of the temp basal.
  public var basal: BasalChange
  /// The automatic bolus, rounded down to what the pump can give; zero when there is none.
  public var bolus: InsulinAmount
  /// What to send to the pump, in this order; when one fails those after it are not sent.
  public var commands: [PumpCommand]

  /// What becomes of the temp basal.
  public enum BasalChange: Hashable, Sendable {
    /// What runs goes on.
    case none
    /// The temp basal ends, and the schedule goes on.
    case cancel
    /// A temp basal begins, for so long.
    case start(InsulinRate, duration: TimeSpan)
  }

  init(at instant: Instant, isClosedLoop: Bool) {
    self.instant = instant
    self.isClosedLoop = isClosedLoop
    neutralRate = .zero
    basal = .none
    bolus = .zero
    commands = []
  }

  /// What was decided in words, such as `temp 1.25 U/h for 30m`.
  public var summary: String {
    if let refusal { return "none: \(refusal)" }
    var words = ""
    func add(_ word: String) { words = words.isEmpty ? word : "\(words), \(word)" }
    // Only a program that decides in place of the app suspends and resumes.
    if commands.contains(.cancelBolus) { add("cancel bolus") }
    if commands.contains(.resume) { add("resume") }
    switch basal {
    case .none: break
    case .cancel: add("cancel temp")
    case .start(let rate, let duration):
      add(
        ASCIIText {
          $0.append("temp ")
          $0.append(rate)
          $0.append(" for ")
          $0.append(duration)
        }.text)
    }
    if bolus > .zero { add("bolus \(bolus)") }
    if commands.contains(.suspend) { add("suspend") }
    return words.isEmpty ? "no change" : words
  }
}

/// Why a cycle gives no dose.
///
/// The data are checked before anything is computed (Loop, `LoopDataManager.swift`); the others
/// stop what was computed from being carried out.
public enum Refusal: Error, Hashable, Sendable {
  /// Glucose or pump data are missing, too old, or dated in the future.
  case data(DosingRefusal)
  /// The algorithm could not recommend.
  case algorithm(AlgorithmError)
  /// Delivery is suspended.
  case pumpSuspended
  /// The pump has stopped with an alarm.
  case pumpStopped(PumpAlarm)
  /// The pump has not said what it is doing.
  case pumpUnknown
  /// Nobody knows whether the last command was carried out.
  case deliveryUncertain
  /// A bolus runs.
  case bolusInProgress
  /// The CGM says that its values cannot be relied on.
  case glucoseUnreliable
}

extension Refusal: CustomStringConvertible {
  public var description: String {
    switch self {
    case .data(let refusal): "\(refusal)"
    case .algorithm(let error): "\(error)"
    case .pumpSuspended: "Delivery is suspended; resume it."
    case .pumpStopped(let alarm): alarm.stopped
    case .pumpUnknown: "The pump has not said what it is doing; bring it near."
    case .deliveryUncertain:
      "Nobody knows whether the last command was carried out; read the pump."
    case .bolusInProgress: "A bolus is being given; wait for its end."
    case .glucoseUnreliable: "The CGM's values are unreliable; wait for a reliable one."
    }
  }
}
