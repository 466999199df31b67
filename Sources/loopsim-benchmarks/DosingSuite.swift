import Dosing
import Quantities

/// The Loop algorithm: full evaluations, and a day of cycles in a running simulation.
///
/// A day's two ways have the same checksum: they make the same decisions.
enum DosingSuite {
  static let suite = Suite(
    name: "dosing",
    cases: [
      Benchmark(name: "65 doses x 199 points, fixed ISF", unit: "run", units: 1) {
        evaluate(opaque(shorter), usesMidAbsorption: false)
      },
      Benchmark(name: "65 doses x 199 points, mid-absorption ISF", unit: "run", units: 1) {
        evaluate(opaque(shorter), usesMidAbsorption: true)
      },
      Benchmark(name: "107 doses x 269 points, fixed ISF", unit: "run", units: 1) {
        evaluate(opaque(longer), usesMidAbsorption: false)
      },
      Benchmark(name: "107 doses x 269 points, mid-absorption ISF", unit: "run", units: 1) {
        evaluate(opaque(longer), usesMidAbsorption: true)
      },
      Benchmark(name: "a day, each cycle in full", unit: "cycle", units: day.count) {
        var sum = Checksum()
        for input in opaque(day) { absorb(LoopAlgorithm.run(input).recommendation, into: &sum) }
        return sum.value
      },
      Benchmark(name: "a day, incremental", unit: "cycle", units: day.count) {
        var sum = Checksum()
        var engine = DosingEngine()
        for input in opaque(day) { absorb(engine.cycle(input).recommendation, into: &sum) }
        return sum.value
      },
    ])

  private static let shorter = DosingDay(doses: 65, history: .minutes(620)).input
  private static let longer = DosingDay(doses: 107, history: .minutes(970)).input
  private static let day = DosingDay(doses: 97, history: .minutes(970)).cycles(288)

  private static func evaluate(_ input: AlgorithmInput, usesMidAbsorption: Bool) -> UInt64 {
    var input = input
    input.useMidAbsorptionISF = usesMidAbsorption
    var sum = Checksum()
    let output = LoopAlgorithm.run(input)
    absorb(output.recommendation, into: &sum)
    sum.absorb(Int64(output.effects.insulin.count))
    sum.absorb(Int64(output.dosesRelativeToBasal.count))
    return sum.value
  }

  /// Absorbs a decision, in billionths of a unit.
  private static func absorb(
    _ recommendation: Result<Recommendation, AlgorithmError>, into sum: inout Checksum
  ) {
    switch recommendation {
    case .success(.automatic(let dose)):
      sum.absorb((dose.basalAdjustment.unitsPerHour * 1e9).rounded())
      sum.absorb(((dose.bolusUnits ?? -1) * 1e9).rounded())
    case .success(.manual(let bolus)): sum.absorb((bolus.amount * 1e9).rounded())
    case .failure(let error): for byte in error.name.utf8 { sum.absorb(UInt64(byte)) }
    }
  }
}

/// A person's day: a temp basal every quarter of an hour with a bolus beside some, glucose every
/// five minutes, four meals of which two overlap.
struct DosingDay {
  let doses: Int
  let history: TimeSpan
  /// Half past nine in the evening, between two five minutes.
  private let evening = Instant(secondsSince1970: 1_781_127_150)

  /// A day with a number of doses in a stretch of time before each cycle.
  init(doses: Int, history: TimeSpan) {
    self.doses = doses
    self.history = history
  }

  /// The input at the start.
  var input: AlgorithmInput { input(at: evening) }

  /// The inputs of cycles five minutes apart, each with its windows and its running temp basal.
  func cycles(_ count: Int64) -> [AlgorithmInput] {
    (0..<count).map { input(at: evening + .minutes(5) * $0) }
  }

  private func input(at now: Instant) -> AlgorithmInput {
    let start = now - .hours(18)
    let windows = DataWindows(at: now)
    let firstGlucose = max(now - history, windows.glucose.lowerBound)
    return AlgorithmInput(
      predictionStart: now, glucoseHistory: glucose(from: firstGlucose, to: now),
      doses: doses(at: now), carbEntries: meals(windows.carbEntries),
      basal: [entry(start, now + .hours(8), 1)],
      sensitivity: sensitivity(from: start, to: now + .hours(30)),
      carbRatio: [entry(start, now + .hours(8), 10)],
      target: [
        .init(
          startDate: now, endDate: now + .hours(8), lowerBound: .mgdL(100),
          upperBound: .mgdL(115))
      ],
      suspendThreshold: .mgdL(75), maximumBolus: 6, maximumBasalRate: 4,
      useMidAbsorptionISF: true)
  }

  /// 45 mg/dL per U in the first half of each day, 50 in the second.
  private func sensitivity(from start: Instant, to end: Instant) -> [AlgorithmInput.ScheduleEntry] {
    var entries: [AlgorithmInput.ScheduleEntry] = []
    var date = start.floored(to: .hours(12))
    while date < end {
      let isMorning = date.floored(to: .hours(24)) == date
      entries.append(entry(max(start, date), date + .hours(12), isMorning ? 45 : 50))
      date += .hours(12)
    }
    return entries
  }

  private func entry(_ start: Instant, _ end: Instant, _ value: Double)
    -> AlgorithmInput.ScheduleEntry
  {
    .init(startDate: start, endDate: end, value: value)
  }

  /// A wave between 90 and 210 mg/dL, in whole numbers, three and a half hours long.
  private func glucose(from start: Instant, to now: Instant) -> [AlgorithmInput.GlucoseSample] {
    var samples: [AlgorithmInput.GlucoseSample] = []
    var date = start.ceiled(to: .minutes(5)) + .seconds(10)
    while date <= now {
      let phase = (date.millisecondsSince1970 / 300_000) % 42
      let height = phase < 21 ? phase : 42 - phase
      samples.append(
        .init(date: date, quantity: .mgdL(Double(90 + height * height * 120 / 441))))
      date += .minutes(5)
    }
    return samples
  }

  /// Temp basals of a quarter of an hour, cut at now, and as many boluses as the number leaves.
  private func doses(at now: Instant) -> [AlgorithmInput.InsulinDose] {
    let quarter = TimeSpan.minutes(15)
    let earliest = now - history
    let count = history.quotient(by: quarter) + 1
    let boluses = Int64(doses) - count
    var result: [AlgorithmInput.InsulinDose] = []
    for index in 0..<count {
      // Whole quarters of absolute time, so that a dose is the same in every cycle that has it.
      let start = earliest.ceiled(to: quarter) + quarter * index - .seconds(40)
      guard start < now else { break }
      let number = start.millisecondsSince1970 / 900_000
      let end = min(start + quarter, now)
      let rate = Double(number * 7 % 9) * 0.25
      result.append(
        .init(type: .basal, startDate: start, endDate: end, volume: rate * (end - start).hours))
      guard boluses > 0, number * boluses % count < boluses, start + .minutes(3) < now else {
        continue
      }
      result.append(
        .init(
          type: .bolus, startDate: start + .minutes(2), endDate: start + .minutes(2) + .seconds(20),
          volume: 0.2 + Double(number % 5) * 0.15))
    }
    return result
  }

  /// Four meals in each day; the third and the fourth overlap.
  private func meals(_ window: ClosedRange<Instant>) -> [AlgorithmInput.CarbEntry] {
    let midnight = window.lowerBound.floored(to: .hours(24))
    let plan: [(TimeSpan, Double, TimeSpan)] = [
      (.hours(7), 45, .hours(3)), (.hours(13), 60, .hours(3)), (.hours(18), 70, .hours(4)),
      (.hours(21), 20, .hours(2)),
    ]
    return (0..<3).flatMap { day in
      plan.map { time, grams, absorption in
        AlgorithmInput.CarbEntry(
          date: midnight + .hours(24 * day) + time, quantity: .init(grams: grams),
          absorptionTime: absorption)
      }
    }.filter { window.lowerBound <= $0.date && $0.date <= window.upperBound - .minutes(370) }
  }
}
