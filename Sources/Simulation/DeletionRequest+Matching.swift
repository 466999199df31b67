internal import ClosedLoop
internal import Dosing
internal import HealthStore
internal import Quantities

extension DeletionRequest {
  /// Whether an instant lies in the stretch.
  func covers(_ instant: Instant) -> Bool {
    from.map { $0 <= instant } ?? true && through.map { instant <= $0 } ?? true
  }

  /// Whether a dose of the event history is of the kind.
  func matches(_ dose: DoseEntry.Kind) -> Bool {
    switch (kind, dose) {
    case (.any, _), (.bolus, .bolus), (.tempBasal, .tempBasal), (.basal, .basal),
      (.suspend, .suspend):
      true
    default: false
    }
  }

  /// Whether a sample is of the kind.
  func matches(_ sample: Sample) -> Bool {
    switch kind {
    case .any, .carbs, .glucose: true
    case .bolus: sample.metadata.insulinDeliveryReason == .bolus
    case .tempBasal: sample.metadata.programmedTempBasalRate != nil
    case .suspend: sample.metadata.isSuspend == true
    case .basal:
      sample.metadata.insulinDeliveryReason == .basal
        && sample.metadata.programmedTempBasalRate == nil && sample.metadata.isSuspend != true
    }
  }

  /// The types of the samples in the health store.
  var types: [ObjectType] {
    switch kind {
    case .bolus, .tempBasal, .basal, .suspend: [.insulinDelivery]
    case .carbs: [.dietaryCarbohydrates]
    case .glucose: [.bloodGlucose]
    case .any: [.insulinDelivery, .dietaryCarbohydrates, .bloodGlucose]
    }
  }
}
