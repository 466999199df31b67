public import Dosing
public import Quantities

/// A person's therapy: what the schedules say, what the limits are, and how the app may dose.
public struct TherapySettings: Sendable, Equatable {
  /// The basal rates, in milliunits per hour.
  public var basal: DailySchedule<InsulinRate>
  /// How far a unit lowers glucose (ISF).
  public var sensitivity: DailySchedule<InsulinSensitivity>
  /// How many grams a unit covers (CR).
  public var carbRatio: DailySchedule<CarbohydrateRatio>
  /// The correction ranges.
  public var targets: DailySchedule<GlucoseRange>
  /// Below this prediction all automatic delivery stops; nothing for the lower bound of the range.
  public var suspendThreshold: GlucoseConcentration?
  /// The largest bolus; automatic dosing may not raise insulin on board above twice as much.
  public var maximumBolus: InsulinAmount
  /// The most that a temp basal may run at.
  public var maximumBasalRate: InsulinRate
  /// How the app doses automatically.
  public var strategy: DosingStrategy
  /// Which part of a correction an automatic bolus gives at once.
  public var applicationFactor: ApplicationFactor
  /// Whether the app doses by itself (closed loop) or only recommends (open loop).
  public var isClosedLoop: Bool
  /// Whether retrospective correction integrates over the last three hours.
  public var usesIntegralRetrospectiveCorrection: Bool
  /// Whether each stretch of a dose's action uses the ISF in force then.
  ///
  /// Off, as the package LoopAlgorithm publishes it; Tidepool's app turns it on.
  public var usesMidAbsorptionISF = false
  /// Whether momentum and retrospective correction that raise the prediction are used.
  public var includesPositiveVelocityAndRC = true
  /// The most insulin on board that automatic dosing may reach, in U; nothing for twice the largest
  /// bolus.
  public var maximumActiveInsulin: Double?
  /// The insulin in the pump.
  public var insulinType: InsulinType
  /// How rapid-acting insulin acts in this person.
  public var rapidActingModel: InsulinModel

  /// How the insulin in the pump acts.
  public var pumpInsulinModel: InsulinModel { insulinType.model(rapidActing: rapidActingModel) }

  /// Creates settings; see the properties for units.
  public init(
    basal: DailySchedule<InsulinRate>, sensitivity: DailySchedule<InsulinSensitivity>,
    carbRatio: DailySchedule<CarbohydrateRatio>, targets: DailySchedule<GlucoseRange>,
    suspendThreshold: GlucoseConcentration? = nil, maximumBolus: InsulinAmount,
    maximumBasalRate: InsulinRate, strategy: DosingStrategy = .tempBasal,
    applicationFactor: ApplicationFactor = .standard, isClosedLoop: Bool = true,
    usesIntegralRetrospectiveCorrection: Bool = false, insulinType: InsulinType = .novolog,
    rapidActingModel: InsulinModel = .rapidActingAdult
  ) {
    assert(maximumBolus >= .zero, "A limit cannot be negative.")
    assert(maximumBasalRate >= .zero, "A limit cannot be negative.")
    self.basal = basal
    self.sensitivity = sensitivity
    self.carbRatio = carbRatio
    self.targets = targets
    self.suspendThreshold = suspendThreshold
    self.maximumBolus = maximumBolus
    self.maximumBasalRate = maximumBasalRate
    self.strategy = strategy
    self.applicationFactor = applicationFactor
    self.isClosedLoop = isClosedLoop
    self.usesIntegralRetrospectiveCorrection = usesIntegralRetrospectiveCorrection
    self.insulinType = insulinType
    self.rapidActingModel = rapidActingModel
  }
}

extension TherapySettings {
  /// The limit of insulin on board for automatic dosing, as a multiple of the largest bolus.
  public var activeInsulinMultiplier: Double {
    guard let maximumActiveInsulin, maximumBolus > .zero else { return 2 }
    return maximumActiveInsulin / maximumBolus.units
  }
}

/// With what the app corrects.
public enum DosingStrategy: String, Hashable, Sendable, CaseIterable {
  /// Temporary basal rates only.
  case tempBasal
  /// A part of the correction as a bolus in every cycle, and less basal where less is needed.
  case automaticBolus

  /// The kind of recommendation that a cycle asks for.
  public var recommendation: RecommendationType {
    switch self {
    case .tempBasal: .tempBasal
    case .automaticBolus: .automaticBolus
    }
  }
}
