public import ClosedLoop
public import Dosing
public import Quantities

/// Settings that a person saves in the app: what is given changes, the rest stays.
public struct SettingsChange: Sendable, Equatable {
  public var basal: DailySchedule<InsulinRate>?
  public var sensitivity: DailySchedule<InsulinSensitivity>?
  public var carbRatio: DailySchedule<CarbohydrateRatio>?
  public var targets: DailySchedule<GlucoseRange>?
  public var suspendThreshold: GlucoseConcentration?
  public var maximumBolus: InsulinAmount?
  public var maximumBasalRate: InsulinRate?
  public var strategy: DosingStrategy?
  public var applicationFactor: ApplicationFactor?
  public var usesMidAbsorptionISF: Bool?
  public var usesIntegralRetrospectiveCorrection: Bool?
  public var includesPositiveVelocityAndRC: Bool?
  /// The most insulin on board that automatic dosing may reach, in U.
  public var maximumActiveInsulin: Double?

  public init() {}

  /// The therapy with the change applied.
  func applied(to therapy: TherapySettings) -> TherapySettings {
    var changed = therapy
    changed.basal = basal ?? therapy.basal
    changed.sensitivity = sensitivity ?? therapy.sensitivity
    changed.carbRatio = carbRatio ?? therapy.carbRatio
    changed.targets = targets ?? therapy.targets
    changed.suspendThreshold = suspendThreshold ?? therapy.suspendThreshold
    changed.maximumBolus = maximumBolus ?? therapy.maximumBolus
    changed.maximumBasalRate = maximumBasalRate ?? therapy.maximumBasalRate
    changed.strategy = strategy ?? therapy.strategy
    changed.applicationFactor = applicationFactor ?? therapy.applicationFactor
    changed.usesMidAbsorptionISF = usesMidAbsorptionISF ?? therapy.usesMidAbsorptionISF
    changed.usesIntegralRetrospectiveCorrection =
      usesIntegralRetrospectiveCorrection ?? therapy.usesIntegralRetrospectiveCorrection
    changed.includesPositiveVelocityAndRC =
      includesPositiveVelocityAndRC ?? therapy.includesPositiveVelocityAndRC
    changed.maximumActiveInsulin = maximumActiveInsulin ?? therapy.maximumActiveInsulin
    return changed
  }
}
