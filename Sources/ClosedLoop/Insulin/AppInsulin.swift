public import Dosing
internal import Quantities

/// The insulins by which the app tells how a dose acts.
public struct AppInsulin: Sendable, Equatable {
  var type: InsulinType
  var rapidActing: InsulinModel

  /// Creates a `AppInsulin` from its parts; see the properties.
  public init(_ therapy: TherapySettings) {
    type = therapy.insulinType
    rapidActing = therapy.rapidActingModel
  }
}

extension DoseEntry {
  /// The dose as the algorithm takes it: what was delivered where that is known, otherwise what was
  /// programmed.
  public func algorithmDose(_ app: AppInsulin) -> AlgorithmInput.InsulinDose {
    // Scheduled basal counts as programmed, so that it adds nothing to the schedule; a sample of it
    // says what the pump gave, and at which rate.
    let isScheduled = kind == .basal
    let counted =
      isScheduled ? scheduledBasalRate.map { $0 * duration.hours } : deliveredUnits
    let insulin = insulinType ?? (isScheduled ? app.type : .mostUsual)
    return .init(
      type: kind == .bolus ? .bolus : .basal, startDate: start, endDate: end,
      volume: counted ?? programmedUnits,
      insulinModel: insulin.model(rapidActing: app.rapidActing))
  }
}
