public import Quantities

/// Why insulin was delivered.
///
/// HealthKit: `HKInsulinDeliveryReason`.
public enum InsulinDeliveryReason: Int, Hashable, Sendable {
  /// To meet the needs between meals.
  case basal = 1
  /// For a meal, or to correct glucose.
  case bolus = 2
}

/// The values of HealthKit's and Loop's own keys, with their types.
extension Metadata {
  /// Why insulin was delivered.
  public var insulinDeliveryReason: InsulinDeliveryReason? {
    get {
      number(.insulinDeliveryReason).flatMap { Int(exactly: $0) }.flatMap {
        InsulinDeliveryReason(rawValue: $0)
      }
    }
    set { self[.insulinDeliveryReason] = newValue.map { .number(Double($0.rawValue)) } }
  }

  /// Whether an app built on LoopKit wrote the sample.
  public var hasLoopKitOrigin: Bool {
    get { flag(.hasLoopKitOrigin) ?? false }
    set { self[.hasLoopKitOrigin] = newValue ? .flag(true) : nil }
  }

  /// The scheduled basal rate in force during a dose.
  public var scheduledBasalRate: InsulinRate? {
    get { rate(.scheduledBasalRate) }
    set { setRate(newValue, .scheduledBasalRate) }
  }

  /// The rate of a temp basal; its presence makes a basal sample a temp basal.
  public var programmedTempBasalRate: InsulinRate? {
    get { rate(.programmedTempBasalRate) }
    set { setRate(newValue, .programmedTempBasalRate) }
  }

  /// Whether delivery was suspended.
  public var isSuspend: Bool? {
    get { flag(.isSuspend) }
    set { self[.isSuspend] = newValue.map { .flag($0) } }
  }

  /// The brand of the insulin: `Novolog`, `Humalog`, `Apidra`, `Fiasp`, `Lyumjev` or `Afrezza`.
  public var insulinType: String? {
    get { text(.insulinType) }
    set { self[.insulinType] = newValue.map { .text($0) } }
  }

  /// Whether the app decided on the dose by itself; nothing when that is not known.
  public var isAutomaticallyIssued: Bool? {
    get { flag(.automaticallyIssued) }
    set { self[.automaticallyIssued] = newValue.map { .flag($0) } }
  }

  /// Whether a person logged the dose, rather than a pump.
  public var isManuallyEntered: Bool? {
    get { flag(.manuallyEntered) }
    set { self[.manuallyEntered] = newValue.map { .flag($0) } }
  }

  /// Whether a person entered the sample, so that no pump counted the insulin of a dose.
  public var isByHand: Bool { wasUserEntered || isManuallyEntered == true }

  /// The absorption time a person expects of carbohydrates; reads the old key in minutes as well.
  public var absorptionTime: TimeSpan? {
    get {
      number(.absorptionTime).flatMap { TimeSpan(roundingSeconds: $0) }
        ?? number(.absorptionTimeMinutes).flatMap { TimeSpan(roundingSeconds: $0 * 60) }
    }
    set { self[.absorptionTime] = newValue.map { .number($0.seconds) } }
  }

  /// Whether a glucose value is a calibration or for display, and not for prediction.
  public var isGlucoseDisplayOnly: Bool {
    get { flag(.glucoseIsDisplayOnly) ?? false }
    set { self[.glucoseIsDisplayOnly] = newValue ? .flag(true) : nil }
  }

  private func rate(_ key: MetadataKey) -> InsulinRate? {
    quantity(key)?.converted(to: .internationalUnitPerHour).flatMap {
      InsulinRate(roundingUnitsPerHour: $0)
    }
  }

  private mutating func setRate(_ rate: InsulinRate?, _ key: MetadataKey) {
    self[key] = rate.map { .quantity(.init($0.unitsPerHour, .internationalUnitPerHour)) }
  }
}
