public import ClosedLoop
public import Dosing
public import Quantities

/// Settings that a person saves in the app: what is given changes, the rest stays.
public struct SettingsChange: Sendable, Equatable {
  /// The new basal schedule.
  public var basal: DailySchedule<InsulinRate>?
  /// The new insulin sensitivities.
  public var sensitivity: DailySchedule<InsulinSensitivity>?
  /// The new carbohydrate ratios.
  public var carbRatio: DailySchedule<CarbohydrateRatio>?
  /// The new correction ranges.
  public var targets: DailySchedule<GlucoseRange>?
  /// The new glucose below which basal is suspended.
  public var suspendThreshold: GlucoseConcentration?
  /// The new limit of a bolus.
  public var maximumBolus: InsulinAmount?
  /// The new limit of a temp basal.
  public var maximumBasalRate: InsulinRate?
  /// The new way of automatic dosing.
  public var strategy: DosingStrategy?
  /// The new part of a correction that an automatic bolus gives.
  public var applicationFactor: ApplicationFactor?
  /// Whether sensitivity is that of the middle of absorption.
  public var usesMidAbsorptionISF: Bool?
  /// Whether retrospective correction adds up over hours.
  public var usesIntegralRetrospectiveCorrection: Bool?
  /// Whether rising momentum and retrospective correction count.
  public var includesPositiveVelocityAndRC: Bool?
  /// The most insulin on board that automatic dosing may reach, in U.
  public var maximumActiveInsulin: Double?

  /// Creates a change of nothing.
  public init() {}

  /// What a therapy has of the settings that are changed.
  func named(of therapy: TherapySettings) -> Self {
    var named = Self()
    named.basal = basal.map { _ in therapy.basal }
    named.sensitivity = sensitivity.map { _ in therapy.sensitivity }
    named.carbRatio = carbRatio.map { _ in therapy.carbRatio }
    named.targets = targets.map { _ in therapy.targets }
    named.suspendThreshold = suspendThreshold.flatMap { _ in therapy.suspendThreshold }
    named.maximumBolus = maximumBolus.map { _ in therapy.maximumBolus }
    named.maximumBasalRate = maximumBasalRate.map { _ in therapy.maximumBasalRate }
    named.strategy = strategy.map { _ in therapy.strategy }
    named.applicationFactor = applicationFactor.map { _ in therapy.applicationFactor }
    named.usesMidAbsorptionISF = usesMidAbsorptionISF.map { _ in therapy.usesMidAbsorptionISF }
    named.usesIntegralRetrospectiveCorrection = usesIntegralRetrospectiveCorrection.map { _ in
      therapy.usesIntegralRetrospectiveCorrection
    }
    named.includesPositiveVelocityAndRC = includesPositiveVelocityAndRC.map { _ in
      therapy.includesPositiveVelocityAndRC
    }
    named.maximumActiveInsulin = maximumActiveInsulin.flatMap { _ in therapy.maximumActiveInsulin }
    return named
  }

  /// The therapy with the change applied.
  public func applied(to therapy: TherapySettings) -> TherapySettings {
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
