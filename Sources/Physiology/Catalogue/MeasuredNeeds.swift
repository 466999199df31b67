public import Quantities

/// What a body needs of insulin, found by trying it out as a clinic would.
public struct MeasuredNeeds: Hashable, Sendable {
  /// The basal rate that holds the glucose, in U/h.
  public var basalRate: Double
  /// By how much one more unit lowers glucose at most, in mg/dL per U.
  public var sensitivity: Double
  /// The grams of carbohydrate for which one unit makes up, in g per U.
  public var carbRatio: Double
}

extension PatientDescription {
  /// The meal with which a carb ratio is tried out, in grams.
  private static let testMeal = 50.0
  /// How long after a dose or a meal the body is looked at.
  private static let testTime = TimeSpan.hours(6)

  /// The needs of the body at a glucose; nothing when no basal rate holds it, or no dose makes up
  /// for a meal.
  ///
  /// The sensitivity is the greatest fall within six hours after a quarter of an hour's basal more
  /// than usual, for each unit of it, so small that nothing counter-regulates. The carb ratio is
  /// that with which a meal of 50 g and its bolus, taken together, leave glucose six hours later
  /// where it began.
  public func measuredNeeds(
    at glucose: GlucoseConcentration, options: PatientOptions = PatientOptions()
  ) -> MeasuredNeeds? {
    let start = Instant(millisecondsSince1970: 0)
    guard let rate = basalRate(holding: glucose, options: options), rate > 0,
      var body = try? patient(at: start, glucose: glucose, options: options)
    else { return nil }
    body.receive(.rate(unitsPerHour: rate))
    let fall = Self.greatestFall(of: body, after: rate / 4)
    guard fall > 0, let bolus = Self.bolus(for: Self.testMeal, in: body, basalRate: rate) else {
      return nil
    }
    return MeasuredNeeds(
      basalRate: rate, sensitivity: fall / (rate / 4), carbRatio: Self.testMeal / bolus)
  }

  /// The needs that the patient's published table states; `nil` for models without one.
  ///
  /// The table has the carb ratio and the correction factor; the basal rate is the one that holds
  /// the published fasting glucose, as in simglucose (github.com/jxx123/simglucose,
  /// `basal_bolus_ctrller.py`).
  public func publishedNeeds(options: PatientOptions = PatientOptions()) -> MeasuredNeeds? {
    switch model {
    case .uvaPadova(let parameters), .uvaPadovaExtended(let parameters):
      guard let rate = basalRate(holding: usualGlucose, options: options) else { return nil }
      let therapy = parameters.therapy
      return MeasuredNeeds(
        basalRate: rate, sensitivity: therapy.tableCorrectionFactor,
        carbRatio: therapy.tableCarbRatio)
    case .hovorka, .kanderian, .bergman: return nil
    }
  }

  /// How far glucose falls at most after a dose, in mg/dL.
  private static func greatestFall(of body: any Patient, after units: Double) -> Double {
    var body = body
    let before = body.glucose.mgdL
    let end = body.now + testTime
    body.receive(.pulse(units: units))
    var lowest = before
    while body.now < end {
      body.advance(to: body.now + .minutes(5))
      lowest = min(lowest, body.glucose.mgdL)
    }
    return before - lowest
  }

  /// The bolus that makes up for a meal, in U, found by halving; nothing when none up to what a
  /// pump can hold does.
  private static func bolus(
    for grams: Double, in body: any Patient, basalRate: Double
  ) -> Double? {
    func change(_ units: Double) -> Double {
      var body = body
      let before = body.glucose.mgdL
      let end = body.now + testTime
      body.receive(.pulse(units: units))
      body.eat(MealInput(grams: grams))
      body.advance(to: end)
      return body.glucose.mgdL - before
    }
    var low = 0.0
    var high = basalRate
    guard change(low) > 0 else { return nil }
    while change(high) > 0 {
      low = high
      high *= 2
      if high > 300 { return nil }
    }
    for _ in 0..<24 {
      let middle = (low + high) / 2
      if change(middle) > 0 { low = middle } else { high = middle }
    }
    return (low + high) / 2
  }
}
