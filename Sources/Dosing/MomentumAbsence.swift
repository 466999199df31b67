/// Why a prediction has no momentum.
public enum MomentumAbsence: String, Error, Hashable, Sendable, CaseIterable {
  /// Momentum was not among the effects that were asked for.
  case notAsked
  /// There are fewer than three readings in the last 15 minutes, or all are of one instant.
  case fewReadings
  /// A reading is missing among those of the last 15 minutes.
  case gap
  /// Two neighbouring readings differ by more than 40 mg/dL.
  case jump
  /// A reading among them is a calibration.
  case calibration
  /// The readings are of two sources: another app's, or copies, lie among them.
  case sources
  /// Glucose rises, and rising glucose is not to count.
  case rising
}

extension MomentumAbsence: CustomStringConvertible {
  /// The reason in words.
  public var description: String {
    switch self {
    case .notAsked: "it was not asked for"
    case .fewReadings: "there are fewer than three readings in the last 15 minutes"
    case .gap: "a reading is missing among those of the last 15 minutes"
    case .jump: "two readings of the last 15 minutes differ by more than 40 mg/dL"
    case .calibration: "a reading of the last 15 minutes is a calibration"
    case .sources: "the readings of the last 15 minutes are of two sources"
    case .rising: "glucose rises, and that is not to count"
    }
  }
}
