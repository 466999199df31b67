public import Dosing
import Quantities
import StructuredText

/// Writes the algorithm's output as LoopAlgorithm's runner does.
///
/// Source: LoopKit/LoopAlgorithm, `AlgorithmOutput.swift` and the Codable parts of its types.
public enum AlgorithmOutputFile {
  /// The output as one JSON object, with a line end.
  ///
  /// After an error the object has the error's name under `error`. As in the original, what a carb
  /// status gives as `observed` is what remains of the entry.
  public static func text(_ output: AlgorithmOutput) -> String {
    var members: [JSONValue.Member] = [
      .init("predictedGlucose", .array(output.predictedGlucose.map(glucose))),
      .init("effects", effects(output.effects)),
      .init("dosesRelativeToBasal", .array(output.dosesRelativeToBasal.map(dose))),
      .init("activeInsulin", output.activeInsulin.map { .number($0) } ?? .null),
      .init("activeCarbs", output.activeCarbs.map { .number($0) } ?? .null),
    ]
    switch output.recommendation {
    case .success(let value): members.append(.init("recommendation", recommendation(value)))
    case .failure(let error): members.append(.init("error", .string(error.name)))
    }
    return SortedJSON.text(.object(members))
  }

  private static func date(_ instant: Instant) -> JSONValue { .string(instant.iso8601Seconds) }

  private static func glucose(_ value: PredictedGlucose) -> JSONValue {
    [
      "quantity": .number(value.quantity.mgdL), "quantityUnit": "mg/dL",
      "startDate": date(value.startDate),
    ]
  }

  private static func effects(_ effects: AlgorithmEffects) -> JSONValue {
    var members: [JSONValue.Member] = [
      .init("insulin", .array(effects.insulin.map(effect))),
      .init("carbs", .array(effects.carbs.map(effect))),
      .init("carbStatus", .array(effects.carbStatus.map(status))),
      .init("retrospectiveCorrection", .array(effects.retrospectiveCorrection.map(effect))),
      .init("momentum", .array(effects.momentum.map(effect))),
      .init("insulinCounteraction", .array(effects.insulinCounteraction.map(velocity))),
      .init(
        "retrospectiveGlucoseDiscrepancies",
        .array(effects.retrospectiveGlucoseDiscrepancies.map(discrepancy))),
    ]
    if let total = effects.totalRetrospectiveCorrectionEffect {
      members.append(.init("totalRetrospectiveCorrectionEffect", .number(total.mgdL)))
    }
    return .object(members)
  }

  private static func effect(_ effect: GlucoseEffect) -> JSONValue {
    ["startDate": date(effect.startDate), "quantity": .number(effect.quantity)]
  }

  private static func velocity(_ velocity: GlucoseEffectVelocity) -> JSONValue {
    [
      "startDate": date(velocity.startDate), "endDate": date(velocity.endDate),
      "mgdlPerSecond": .number(velocity.mgdLPerSecond),
    ]
  }

  private static func discrepancy(_ value: GlucoseDiscrepancy) -> JSONValue {
    [
      "startDate": date(value.startDate), "endDate": date(value.endDate),
      "mgdl": .number(value.mgdL),
    ]
  }

  private static func status(_ status: CarbStatus) -> JSONValue {
    var entry: [JSONValue.Member] = [
      .init("date", date(status.entry.date)), .init("grams", .number(status.entry.quantity.grams)),
    ]
    if let time = status.entry.absorptionTime {
      entry.append(.init("absorptionTime", .number(time.seconds)))
    }
    let absorption: JSONValue = [
      "observed": .number(status.remaining), "observedDateStart": date(status.observedStart),
      "observedDateDuration": .number(status.observedDuration.seconds),
      "estimatedTimeRemaining": .number(status.estimatedTimeRemaining),
      "timeToAbsorbObservedCarbs": .number(status.timeToAbsorbObservedCarbs),
    ]
    var members: [JSONValue.Member] = [
      .init("entry", .object(entry)), .init("absorption", absorption),
    ]
    if let timeline = status.observedTimeline {
      let items = timeline.map { item -> JSONValue in
        [
          "startDate": date(item.startDate), "endDate": date(item.endDate),
          "value": .number(item.grams),
        ]
      }
      members.append(.init("observedTimeline", .array(items)))
    }
    return .object(members)
  }

  private static func dose(_ dose: RelativeDose) -> JSONValue {
    let type: JSONValue =
      switch dose.type {
      case .bolus: ["bolus": [:]]
      case .basal(let rate): ["basal": ["scheduledRate": .number(rate)]]
      }
    return [
      "startDate": date(dose.startDate), "endDate": date(dose.endDate),
      "volume": .number(dose.volume), "type": type,
    ]
  }

  private static func recommendation(_ recommendation: Recommendation) -> JSONValue {
    switch recommendation {
    case .automatic(let dose):
      let basal: JSONValue = [
        "unitsPerHour": .number(dose.basalAdjustment.unitsPerHour),
        "duration": .number(dose.basalAdjustment.duration.seconds),
      ]
      var members: [JSONValue.Member] = [
        .init("basalAdjustment", basal), .init("direction", .string(dose.direction.rawValue)),
      ]
      if let bolus = dose.bolusUnits { members.append(.init("bolusUnits", .number(bolus))) }
      return ["automatic": .object(members)]
    case .manual(let bolus):
      var members: [JSONValue.Member] = [.init("amount", .number(bolus.amount))]
      if let notice = bolus.notice { members.append(.init("notice", self.notice(notice))) }
      return ["manual": .object(members)]
    }
  }

  private static func notice(_ notice: BolusRecommendationNotice) -> JSONValue {
    switch notice {
    case .predictedGlucoseInRange: "predictedGlucoseInRange"
    case .glucoseBelowSuspendThreshold(let minimum):
      ["glucoseBelowSuspendThreshold": ["minGlucose": glucose(minimum)]]
    case .predictedGlucoseBelowTarget(let minimum):
      ["predictedGlucoseBelowTarget": ["minGlucose": glucose(minimum)]]
    case .allGlucoseBelowTarget(let minimum):
      ["allGlucoseBelowTarget": ["minGlucose": glucose(minimum)]]
    case .currentGlucoseBelowTarget(let current):
      ["currentGlucoseBelowTarget": ["glucose": glucose(current)]]
    }
  }
}
