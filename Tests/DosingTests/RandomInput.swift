import Determinism
import Dosing
import Quantities

/// Draws inputs that reach every branch: gaps, jumps, calibrations, every kind of dose and
/// schedule.
struct RandomInput {
  var stream: RandomStream
  let now: Instant

  init(seed: UInt64) {
    stream = RandomStream(seed: seed, name: "dosing input")
    let minute = Int64(seed % 7) * 5
    now = WorkedExample.at(12, 0) + .minutes(minute) + .seconds(Int64(seed % 3) * 97)
  }

  mutating func unit() -> Double { stream.unit() }
  mutating func chance(_ p: Double) -> Bool { unit() < p }
  mutating func number(_ range: ClosedRange<Double>) -> Double {
    range.lowerBound + unit() * (range.upperBound - range.lowerBound)
  }
  mutating func whole(_ range: ClosedRange<Int64>) -> Int64 {
    range.lowerBound + Int64(unit() * Double(range.upperBound - range.lowerBound + 1))
  }
  mutating func pick<T>(_ values: [T]) -> T {
    values[min(values.count - 1, Int(unit() * Double(values.count)))]
  }

  mutating func input() -> AlgorithmInput {
    let type = pick(RecommendationType.allCases)
    let start = now - .hours(17)
    var input = AlgorithmInput(
      predictionStart: now, glucoseHistory: glucose(),
      doses: doses(allowsRunning: type == .manualBolus), carbEntries: carbs(),
      basal: schedule(from: start, 0.2...2, slot: 60),
      sensitivity: schedule(from: start, 20...120, slot: pick([30, 60, 47])),
      carbRatio: schedule(from: start, 5...20, slot: 60), target: targets(),
      suspendThreshold: chance(0.8) ? .mgdL(number(60...90)) : nil, maximumBolus: number(1...8),
      maximumBasalRate: number(1...6))
    input.maximumActiveInsulinMultiplier = chance(0.2) ? number(0...3) : nil
    input.useIntegralRetrospectiveCorrection = chance(0.5)
    input.includePositiveVelocityAndRC = chance(0.8)
    input.useMidAbsorptionISF = chance(0.5)
    input.recommendationInsulinModel = pick(InsulinModel.allCases)
    input.recommendationType = type
    input.automaticBolusApplicationFactor = chance(0.3) ? number(0.1...1) : nil
    input.gradualTransitionsThreshold = .init(mgdL: pick([40, 40, 10, 5]))
    return input
  }

  mutating func glucose() -> [AlgorithmInput.GlucoseSample] {
    var samples: [AlgorithmInput.GlucoseSample] = []
    var value = number(60...250)
    let step = pick([300.0, 300, 300, 60, 240, 270, 900])
    var date = now - .minutes(whole(5...720)) - .seconds(whole(0...300))
    let end = now - .seconds(whole(0...290))
    var name = "com.LoopKit.Loop"
    while date <= end {
      samples.append(
        .init(
          date: date, quantity: .mgdL(value.rounded()), provenanceIdentifier: name,
          isDisplayOnly: chance(0.01)))
      value = max(40, min(400, value + stream.normal() * 5))
      if chance(0.01) { value = number(60...300) }
      if chance(0.005) { name = name == "other" ? "com.LoopKit.Loop" : "other" }
      let jitter = chance(0.2) ? number(-20...20) : 0
      date = date + .seconds(Int64(step + jitter))
      if chance(0.02) { date = date + .minutes(whole(5...60)) }
    }
    samples.append(.init(date: end, quantity: .mgdL(value.rounded())))
    return samples.enumerated().sorted {
      ($0.element.date, $0.offset) < ($1.element.date, $1.offset)
    }
    .map(\.element)
  }

  mutating func doses(allowsRunning: Bool) -> [AlgorithmInput.InsulinDose] {
    guard chance(0.95) else { return [] }
    var doses: [AlgorithmInput.InsulinDose] = []
    var date = now - .minutes(whole(10...960))
    while date < now {
      let length = pick([300, 600, 1_800, 1_790, 315, 316, 0, 7_200, whole(1...4_000)])
      var end = date + .seconds(length)
      if !allowsRunning { end = min(end, now) }
      let model = chance(0.8) ? InsulinModel.rapidActingAdult : pick(InsulinModel.allCases)
      doses.append(
        .init(
          type: .basal, startDate: date, endDate: end,
          volume: chance(0.2) ? 0 : number(0...1), insulinModel: model))
      if chance(0.15) {
        doses.append(
          .init(
            type: .bolus, startDate: date, endDate: date + .seconds(whole(0...400)),
            volume: number(0.05...6), insulinModel: model))
      }
      date = end + .seconds(chance(0.3) ? whole(0...3_000) : 0) + .seconds(1)
      if length == 0 { date = date + .minutes(7) }
    }
    return doses
  }

  mutating func carbs() -> [AlgorithmInput.CarbEntry] {
    let count = whole(0...5)
    let dates = (0..<count).map { _ in now - .minutes(whole(-60...700)) }.sorted()
    return dates.map {
      .init(
        date: $0, quantity: .init(grams: chance(0.1) ? 0.5 : number(5...90)),
        absorptionTime: chance(0.3) ? nil : .minutes(whole(30...480)))
    }
  }

  mutating func schedule(
    from start: Instant, _ values: ClosedRange<Double>, slot: Int64
  ) -> [AlgorithmInput.ScheduleEntry] {
    var entries: [AlgorithmInput.ScheduleEntry] = []
    var date = start.floored(to: .hours(1))
    let end = now + .hours(14)
    while date < end {
      let next = date + .minutes(slot * whole(2...9))
      entries.append(.init(startDate: date, endDate: next, value: number(values)))
      date = next
    }
    return entries
  }

  mutating func targets() -> [AlgorithmInput.TargetEntry] {
    var entries: [AlgorithmInput.TargetEntry] = []
    var date = now - .minutes(whole(0...200))
    while date < now + .hours(8) {
      let next = date + .minutes(whole(30...300))
      let lower = number(80...120)
      entries.append(
        .init(
          startDate: date, endDate: next, lowerBound: .mgdL(lower),
          upperBound: .mgdL(lower + number(0...30))))
      date = next
    }
    return entries
  }
}
