internal import HealthStore
internal import Quantities

/// What another device or app writes to the health store, for an event of the scenario.
struct NamedWrite: Sendable {
  let write: HealthStoreWrite
  /// The name of the event; empty where none is behind it.
  let event: String
}

extension HealthStoreWrite {
  /// The sample that is written.
  func sample(_ uuid: SampleUUID) -> Sample {
    switch content {
    case .glucose(let value): return .bloodGlucose(value, at: start, uuid: uuid)
    case .carbs(let grams):
      return .dietaryCarbohydrates(.init(grams: grams), at: start, uuid: uuid)
    case .bolus(let units, let insulin):
      var metadata = Metadata.none
      metadata.insulinType = insulin
      return .insulinDelivery(
        units: units, reason: .bolus, start: start, end: start, uuid: uuid, metadata: metadata)
    case .basal(let units, let duration):
      return .insulinDelivery(
        units: units, reason: .basal, start: start, end: start + duration, uuid: uuid)
    }
  }
}

extension HealthStoreWrite.Content {
  /// The kind of data that is written.
  var data: HealthStoreAccess.Data {
    switch self {
    case .glucose: .glucose
    case .carbs: .carbs
    case .bolus, .basal: .insulin
    }
  }

  /// What is written, with glucose in a unit.
  func words(_ unit: GlucoseUnit) -> String {
    switch self {
    case .glucose(let value):
      unit == .milligramsPerDecilitre
        ? "a glucose of \(value.mgdL) mg/dL"
        : "a glucose of \((value.mgdL / unit.mgdL * 10).rounded() / 10) \(unit.rawValue)"
    case .carbs(let grams): "\(grams) g of carbohydrate"
    case .bolus(let units, _): "a bolus of \(units) U"
    case .basal(let units, let duration): "a basal of \(units) U over \(duration)"
    }
  }
}

extension HealthStoreAccess.Data {
  /// The type of the samples.
  var type: ObjectType {
    switch self {
    case .glucose: .bloodGlucose
    case .carbs: .dietaryCarbohydrates
    case .insulin: .insulinDelivery
    }
  }
}
