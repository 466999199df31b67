public import Dosing
internal import Quantities
public import StructuredText

extension AlgorithmInputFile {
  /// The input as one JSON object, with a line end; ``read(_:file:)`` gives the same input back.
  ///
  /// Numbers are written in the shortest form that reads back equal. What LoopAlgorithm's JSON has
  /// no key for is written under keys that begin with `loopsim`, and only where it differs from
  /// what that program assumes: the activity of insulin for children, another absorption curve, the
  /// dose math of the older app and its limit of a bolus. That program ignores these keys.
  ///
  /// Source: LoopKit/LoopAlgorithm, `AlgorithmInputFixture.swift`.
  public static func text(_ input: AlgorithmInput) -> String { JSONWriter().text(value(input)) }

  /// The input as a value to be written; see ``text(_:)``.
  public static func value(_ input: AlgorithmInput) -> JSONValue {
    var members: [JSONValue.Member] = [
      .init("predictionStart", date(input.predictionStart)),
      .init("recommendationType", .string(input.recommendationType.rawValue)),
      .init("recommendationInsulinType", .string(type(of: input.recommendationInsulinModel))),
      .init("maxBolus", .number(input.maximumBolus)),
      .init("maxBasalRate", .number(input.maximumBasalRate)),
    ]
    func add(_ key: String, _ value: Double?) {
      if let value { members.append(.init(key, .number(value))) }
    }
    add("suspendThreshold", input.suspendThreshold?.mgdL)
    add("maxActiveInsulinMultiplier", input.maximumActiveInsulinMultiplier)
    add("automaticBolusApplicationFactor", input.automaticBolusApplicationFactor)
    add("gradualTransitionsThreshold", input.gradualTransitionsThreshold.mgdL)
    members += [
      .init(
        "useIntegralRetrospectiveCorrection", .bool(input.useIntegralRetrospectiveCorrection)),
      .init("includePositiveVelocityAndRC", .bool(input.includePositiveVelocityAndRC)),
      .init("useMidAbsorptionISF", .bool(input.useMidAbsorptionISF)),
    ]
    members += ownMembers(of: input)
    members += [
      .init("target", .array(input.target.map(target))),
      .init("basal", .array(input.basal.map(entry))),
      .init("sensitivity", .array(input.sensitivity.map(entry))),
      .init("carbRatio", .array(input.carbRatio.map(entry))),
      .init("carbEntries", .array(input.carbEntries.map(carbs))),
      .init("doses", .array(input.doses.map(dose))),
      .init("glucoseHistory", .array(input.glucoseHistory.map(sample))),
    ]
    return .object(members)
  }

  /// What only this package's reader understands.
  private static func ownMembers(of input: AlgorithmInput) -> [JSONValue.Member] {
    var members: [JSONValue.Member] = []
    if input.recommendationInsulinModel == .rapidActingChild {
      members.append(.init(OwnKey.recommendationInsulinModel, .string(OwnKey.child)))
    }
    if input.carbAbsorptionModel != .piecewiseLinear {
      members.append(
        .init(OwnKey.carbAbsorptionModel, .string(input.carbAbsorptionModel.rawValue)))
    }
    if input.generation != .current {
      members.append(.init(OwnKey.generation, .string(input.generation.rawValue)))
    }
    if let factor = input.automaticBolusLimitFactor {
      members.append(.init(OwnKey.limitFactor, .number(factor)))
    }
    return members
  }

  private static func date(_ instant: Instant) -> JSONValue { .string("\(instant)") }

  /// The name of an insulin with this activity.
  private static func type(of model: InsulinModel) -> String {
    switch model {
    case .rapidActingAdult, .rapidActingChild: InsulinType.novolog.rawValue
    case .fiasp: InsulinType.fiasp.rawValue
    case .lyumjev: InsulinType.lyumjev.rawValue
    case .afrezza: InsulinType.afrezza.rawValue
    }
  }

  private static func sample(_ sample: AlgorithmInput.GlucoseSample) -> JSONValue {
    var members: [JSONValue.Member] = [
      .init("date", date(sample.date)), .init("value", .number(sample.quantity.mgdL)),
      .init("provenanceIdentifier", .string(sample.provenanceIdentifier)),
    ]
    if sample.isDisplayOnly { members.append(.init("isDisplayOnly", true)) }
    if sample.wasUserEntered { members.append(.init("wasUserEntered", true)) }
    return .object(members)
  }

  private static func dose(_ dose: AlgorithmInput.InsulinDose) -> JSONValue {
    var members: [JSONValue.Member] = [
      .init("type", .string(dose.type.rawValue)), .init("startDate", date(dose.startDate)),
      .init("endDate", date(dose.endDate)), .init("volume", .number(dose.volume)),
      .init("insulinType", .string(type(of: dose.insulinModel))),
    ]
    if dose.insulinModel == .rapidActingChild {
      members.append(.init(OwnKey.insulinModel, .string(OwnKey.child)))
    }
    return .object(members)
  }

  private static func carbs(_ entry: AlgorithmInput.CarbEntry) -> JSONValue {
    var members: [JSONValue.Member] = [
      .init("date", date(entry.date)), .init("grams", .number(entry.quantity.grams)),
    ]
    if let time = entry.absorptionTime {
      members.append(.init("absorptionTime", .number(time.seconds)))
    }
    return .object(members)
  }

  private static func entry(_ entry: AlgorithmInput.ScheduleEntry) -> JSONValue {
    [
      "startDate": date(entry.startDate), "endDate": date(entry.endDate),
      "value": .number(entry.value),
    ]
  }

  private static func target(_ entry: AlgorithmInput.TargetEntry) -> JSONValue {
    [
      "startDate": date(entry.startDate), "endDate": date(entry.endDate),
      "lowerBound": .number(entry.lowerBound.mgdL), "upperBound": .number(entry.upperBound.mgdL),
    ]
  }

  /// Keys that LoopAlgorithm's JSON does not have.
  enum OwnKey {
    static let insulinModel = "loopsimInsulinModel"
    static let recommendationInsulinModel = "loopsimRecommendationInsulinModel"
    static let carbAbsorptionModel = "loopsimCarbAbsorptionModel"
    static let generation = "loopsimGeneration"
    static let limitFactor = "loopsimAutomaticBolusLimitFactor"
    /// The activity of rapid-acting insulin for children, the only one without a name of its own.
    static let child = "rapidActingChild"
  }
}
