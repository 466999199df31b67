import Dosing
import Quantities

/// The complete input of a June noon: a meal, a bolus, a high and a low temp basal.
enum WorkedExample {
  /// An instant on 1 June 2024, in UTC.
  static func at(_ hour: Int, _ minute: Int, _ second: Int = 0) -> Instant {
    let midnight = CivilTime(year: 2024, month: 6, day: 1).millisecondsSince1970
    return Instant(
      millisecondsSince1970: midnight + Int64((hour * 60 + minute) * 60 + second) * 1_000)
  }

  static func entry(
    _ start: (Int, Int), _ end: (Int, Int), _ value: Double
  ) -> AlgorithmInput.ScheduleEntry {
    .init(startDate: at(start.0, start.1), endDate: at(end.0, end.1), value: value)
  }

  static var glucose: [AlgorithmInput.GlucoseSample] {
    let values: [(Int, Int, Double)] = [
      (4, 10, 142), (9, 10, 140), (14, 11, 139), (19, 10, 141), (24, 10, 147), (29, 10, 156),
      (34, 12, 166), (39, 10, 177), (44, 10, 187), (49, 10, 196), (54, 10, 203), (59, 10, 209),
    ]
    return values.map { .init(date: at(11, $0.0, $0.1), quantity: .mgdL($0.2)) }
  }

  static var input: AlgorithmInput {
    AlgorithmInput(
      predictionStart: at(12, 2, 30),
      glucoseHistory: glucose,
      doses: [
        .init(type: .basal, startDate: at(10, 45), endDate: at(11, 15), volume: 0.9),
        .init(
          type: .bolus, startDate: at(11, 16), endDate: at(11, 17, 30), volume: 2.35,
          insulinModel: .fiasp),
        .init(type: .basal, startDate: at(11, 30), endDate: at(12, 0), volume: 0),
      ],
      carbEntries: [
        .init(
          date: at(11, 18), quantity: .init(grams: 36), absorptionTime: .hours(2))
      ],
      basal: [entry((6, 0), (11, 0), 0.8), entry((11, 0), (14, 0), 1)],
      sensitivity: [entry((6, 0), (13, 0), 50), entry((13, 0), (20, 0), 60)],
      carbRatio: [entry((6, 0), (20, 0), 10)],
      target: [
        .init(
          startDate: at(6, 0), endDate: at(20, 0), lowerBound: .mgdL(100),
          upperBound: .mgdL(110))
      ],
      suspendThreshold: .mgdL(75), maximumBolus: 5, maximumBasalRate: 4)
  }
}
