public import Dosing
public import HealthStore
internal import Quantities

/// How LoopKit writes doses to the health store and reads them back
/// (`HKQuantitySample+InsulinKit.swift`).
extension DoseEntry {
  /// The sample to write for the dose, or nothing for a dose that has none.
  ///
  /// Not written are doses without an identifier, resumes, basal of no duration and boluses of 0 U.
  /// A temp basal or a suspension that gave nothing is written as 0 IU.
  public func sample(uuid: SampleUUID, device: Device? = nil) -> Sample? {
    guard let syncIdentifier else { return nil }
    let units = deliverableUnits
    switch kind {
    case .resume: return nil
    case .bolus: guard units > 0 else { return nil }
    case .basal, .tempBasal: guard duration > .zero else { return nil }
    case .suspend: break
    }
    var metadata = Metadata()
    metadata.reserveCapacity(9)
    let reason = kind == .bolus ? InsulinDeliveryReason.bolus : .basal
    // In the order of the keys.
    metadata.append(.insulinDeliveryReason, .number(Double(reason.rawValue)))
    metadata.appendSync(identifier: syncIdentifier, version: 1)
    metadata.append(.hasLoopKitOrigin, .flag(true))
    if let isAutomatic { metadata.append(.automaticallyIssued, .flag(isAutomatic)) }
    if let insulinType { metadata.append(.insulinType, .text(insulinType.sampleName)) }
    if kind != .bolus { metadata.append(.isSuspend, .flag(kind == .suspend)) }
    metadata.append(.manuallyEntered, .flag(isManuallyEntered))
    if kind == .tempBasal, let rate = InsulinRate(roundingUnitsPerHour: unitsPerHour) {
      metadata.append(.programmedTempBasalRate, .rate(rate))
    }
    if kind != .bolus, let scheduledBasalRate,
      let rate = InsulinRate(roundingUnitsPerHour: scheduledBasalRate)
    {
      metadata.append(.scheduledBasalRate, .rate(rate))
    }
    return .insulinDelivery(
      units: units, reason: reason, start: start, end: end, uuid: uuid, device: device,
      metadata: metadata)
  }

  /// Reads a dose from an insulin sample, or nothing where the sample cannot be trusted as one.
  ///
  /// A sample without a reason is ignored. Basal of an app that is not built on LoopKit is ignored
  /// too, for it need not fit the schedule; a bolus counts from any source.
  public init?(_ sample: Sample) {
    guard let units = sample.storedValue, let reason = sample.metadata.insulinDeliveryReason
    else { return nil }
    let metadata = sample.metadata
    let identifier = metadata.syncIdentifier ?? .init(sample.uuid)
    let temp = metadata.programmedTempBasalRate
    let kind: DoseEntry.Kind
    switch reason {
    case .bolus: kind = .bolus
    case .basal:
      guard metadata.hasLoopKitOrigin else { return nil }
      kind = metadata.isSuspend == true ? .suspend : temp == nil ? .basal : .tempBasal
    }
    self.init(
      kind, from: sample.start, to: sample.end, .units(units), syncIdentifier: identifier,
      scheduledBasalRate: metadata.scheduledBasalRate?.unitsPerHour,
      insulinType: metadata.insulinType.flatMap(InsulinType.init(sampleName:)),
      isAutomatic: metadata.isAutomaticallyIssued,
      isManuallyEntered: metadata.isManuallyEntered ?? false)
    if kind == .tempBasal, let temp {
      amount = .unitsPerHour(temp.unitsPerHour)
      deliveredUnits = units
    }
  }
}

extension MetadataValue {
  /// A basal rate, in international units an hour.
  fileprivate static func rate(_ rate: InsulinRate) -> Self {
    .quantity(.init(rate.unitsPerHour, .internationalUnitPerHour))
  }
}

extension InsulinType {
  /// The name under which LoopKit writes the insulin to a sample, such as `Novolog`.
  public var sampleName: String {
    switch self {
    case .novolog: "Novolog"
    case .humalog: "Humalog"
    case .apidra: "Apidra"
    case .fiasp: "Fiasp"
    case .lyumjev: "Lyumjev"
    case .afrezza: "Afrezza"
    }
  }

  /// The insulin that a sample names; nothing for a name LoopKit does not know.
  init?(sampleName: String) {
    guard let insulin = Self.allCases.first(where: { $0.sampleName == sampleName })
    else { return nil }
    self = insulin
  }
}
