import Determinism
import Quantities
import Testing

@testable import Physiology

@Suite("Variation over time")
struct VariationTests {
  /// Midnight in UTC.
  private let midnight = Instant(secondsSince1970: 1_700_006_400)

  private func factors(_ modulator: Modulator, hours: Int, from start: Instant) -> [Double] {
    var modulator = modulator
    return (0..<hours * 12).map { step in
      modulator.factor(
        from: start + .minutes(5 * Int64(step)), span: .minutes(5), clock: .utc)
    }
  }

  private func hovorka(_ glucose: Double = 120) throws -> HovorkaPatient {
    var patient = try HovorkaPatient(
      HovorkaParameters(identifier: "nominal"), at: midnight, glucose: .mgdL(glucose))
    patient.receive(.rate(unitsPerHour: patient.steadyBasalRate))
    return patient
  }

  @Test("a day pattern holds between its changes and passes smoothly through them")
  func dayPattern() throws {
    let six = try #require(TimeOfDay(hour: 6, minute: 0))
    let schedule = try DailySchedule([
      .init(start: .midnight, value: 1.0), .init(start: six, value: 0.5),
    ])
    let found = factors(
      Modulator(.insulinSensitivity, .dayPattern(schedule)), hours: 24, from: midnight)
    #expect(found[36] == 1)
    #expect(found[100] == 0.5)
    #expect(abs(found[71] + found[72] - 1.5) < 1e-12)
    #expect(abs(found[0] + found[287] - 1.5) < 1e-12)
    for (before, after) in zip(found, found.dropFirst()) { #expect(abs(after - before) < 0.13) }
  }

  @Test("close changes of a day pattern add up, and an entry without a change is none")
  func closeChanges() throws {
    func pattern(_ entries: [(minute: Int64, value: Double)]) throws -> [Double] {
      let schedule = try DailySchedule(
        entries.map { .init(start: TimeOfDay(milliseconds: $0.minute * 60_000), value: $0.value) })
      return factors(
        Modulator(.insulinSensitivity, .dayPattern(schedule)), hours: 24, from: midnight)
    }
    // Half from 06:00 to 06:20. At 06:12:30 the fall is at 11/12 and the rise at 1/4 of its way,
    // of which x² (3 − 2x) has come: 847/864 and 5/32.
    let short = try pattern([(0, 1), (360, 0.5), (380, 1)])
    #expect(abs(short[74] - (1 - 847 / 1_728.0 + 5 / 64.0)) < 1e-12)
    #expect(abs(short[73] - short[74]) < 1e-12)
    #expect(short[68] == 1)
    #expect(short[79] == 1)
    let plain = try pattern([(0, 1), (380, 0.5)])
    #expect(abs(plain[73] - (1 - 17 / 1_728.0)) < 1e-12)
    #expect(try pattern([(0, 1), (360, 1), (380, 0.5)]) == plain)
  }

  @Test("an episode rises, stays and recovers; before and after it nothing is changed")
  func episode() {
    let course = Modulator.Course.episode(
      factor: 0.6, start: midnight + .hours(2), onset: .hours(2), plateau: .hours(3),
      recovery: .hours(4))
    let found = factors(Modulator(.insulinSensitivity, course), hours: 14, from: midnight)
    #expect(found[10] == 1)
    let halfWay = 1 - 0.4 * (0.5 + 2.5 / 120)
    #expect(abs(found[36] - halfWay) < 1e-12)
    #expect(abs(found[60] - 0.6) < 1e-12)
    #expect(abs(found[156] - 1) < 1e-12)
  }

  @Test("stress halves every hour and never exceeds the cap")
  func stress() {
    let found = factors(Modulator.stress(level: 3, start: midnight), hours: 5, from: midnight)
    #expect(found[0] <= 1.4)
    let ratio = (found[12] - 1) / (found[0] - 1)
    #expect(abs(ratio - 0.5) < 1e-12)
  }

  @Test("dawn is highest at seven and over at ten")
  func dawn() {
    let found = factors(.dawn(amplitude: 0.2), hours: 24, from: midnight)
    #expect(found[24] == 1)
    let highest = found.indices.max { found[$0] < found[$1] } ?? 0
    #expect((80...86).contains(highest))
    #expect((1.199...1.2).contains(found[highest]))
    // Half way up at five, a third of the way down at eight: five minutes to either side of each.
    #expect(abs((found[59] + found[60]) / 2 - 1.1) < 1e-9)
    #expect(abs((found[95] + found[96]) / 2 - (1 + 0.2 * 2 / 3)) < 1e-9)
    #expect(found[125] == 1)
  }

  @Test("a wandering factor has the spread and the memory asked for")
  func wander() {
    let course = Modulator.Course.wander(sigma: 0.2, correlationTime: .hours(2))
    let modulator = Modulator(
      .insulinSensitivity, course, stream: RandomStream(seed: 5, name: "wander"))
    let logs = factors(modulator, hours: 24 * 365, from: midnight).map(PortableMath.log)
    let variance = logs.reduce(0) { $0 + $1 * $1 } / Double(logs.count)
    #expect(abs(variance.squareRoot() - 0.2) < 0.02)
    let lagged = zip(logs, logs.dropFirst(24)).reduce(0.0) { $0 + $1.0 * $1.1 }
    // Two hours on the correlation is exp(−1).
    let correlation = lagged / Double(logs.count - 24) / variance
    #expect(abs(correlation - 0.368) < 0.08)
  }

  @Test("each day has its own factor, with the spread asked for")
  func daily() {
    let modulator = Modulator(
      .insulinSensitivity, .daily(sigma: 0.15), stream: RandomStream(seed: 9, name: "daily"))
    let found = factors(modulator, hours: 24 * 400, from: midnight)
    for day in 0..<400 {
      let distinct = Set(found[(day * 288)..<(day * 288 + 288)])
      #expect(distinct.count == 1)
    }
    let logs = (0..<400).map { PortableMath.log(found[$0 * 288]) }
    let variance = logs.reduce(0) { $0 + $1 * $1 } / 400
    #expect(abs(variance.squareRoot() - 0.15) < 0.02)
  }

  @Test("the circadian classes have the published shares, and one draw for each window of a day")
  func circadian() {
    var stream = RandomStream(seed: 3, name: "classes")
    var counts = Array(repeating: 0, count: 7)
    for _ in 0..<7_000 {
      let drawn = CircadianClass.draw(from: &stream)
      counts[CircadianClass.all.firstIndex(of: drawn) ?? 0] += 1
    }
    let expected = CircadianClass.all.map { $0.probability * 7_000 }
    let deviations = zip(counts, expected).map { pair -> Double in
      let excess = Double(pair.0) - pair.1
      return excess * excess / pair.1
    }
    #expect(deviations.reduce(0, +) < 22.5)  // Chi-square, 6 degrees of freedom, 0.1 %.
    let modulator = Modulator(
      .insulinSensitivity, .circadian(CircadianClass.all[3]),
      stream: RandomStream(seed: 1, name: "si"))
    let found = factors(modulator, hours: 24, from: midnight + .hours(4))
    #expect(Set(found[0..<84]).count == 1)
    #expect(Set(found[84..<156]).count == 1)
    #expect(Set(found[156..<288]).count == 1)
    #expect(found[0] > found[100])
  }

  @Test("a sinusoid is highest at its crest and has the mean of one")
  func sinusoid() {
    let course = Modulator.Course.sinusoid(
      amplitude: 0.2, period: .hours(3), crest: midnight + .hours(1))
    let found = factors(Modulator(.glucoseProduction, course), hours: 3, from: midnight)
    let mean: Double = found.reduce(0, +) / 36
    #expect(abs(mean - 1) < 1e-12)
    let highest = found.indices.max { found[$0] < found[$1] } ?? 0
    #expect((11...12).contains(highest))
  }

  @Test("less sensitivity raises glucose, and what the body is told from outside multiplies")
  func body() throws {
    let illness = Modulator.illness(severity: 1, start: midnight, plateau: .hours(24))
    var ill = VaryingPatient(try hovorka(), modulators: illness)
    var well = VaryingPatient(try hovorka(), modulators: [])
    var plain = try hovorka()
    for hour: Int64 in 1...18 {
      ill.advance(to: midnight + .hours(hour))
      well.advance(to: midnight + .hours(hour))
      plain.advance(to: midnight + .hours(hour))
    }
    #expect(ill.glucose.mgdL > well.glucose.mgdL + 30)
    #expect(abs(well.glucose.mgdL - plain.glucose.mgdL) < 1e-6)
    var pattern = VaryingPatient(
      try hovorka(), modulators: [Modulator(.insulinSensitivity, .dayPattern(.init(always: 0.5)))])
    var told = try hovorka()
    let isKnown = pattern.apply(.insulinSensitivity(factor: 0.8))
    #expect(isKnown)
    _ = told.apply(.insulinSensitivity(factor: 0.4))
    pattern.advance(to: midnight + .hours(6))
    told.advance(to: midnight + .hours(6))
    #expect(abs(pattern.glucose.mgdL - told.glucose.mgdL) < 1e-6)
  }

  @Test("slow insulin is released whole, and later the slower it is")
  func depots() throws {
    for formulation in InsulinFormulation.catalogue {
      guard case .depot(let release) = formulation.absorption else { continue }
      let shares = stride(from: 0.0, through: 2_600, by: 5).map(release.share(after:))
      #expect(shares.first == 0 && shares.last == 1)
      let rises = zip(shares, shares.dropFirst()).allSatisfy { $0.0 <= $0.1 }
      #expect(rises)
      var patient = try hovorka()
      let before = try #require(patient.insulinOnBoard)
      patient.receive(.rate(unitsPerHour: 0))
      patient.receive(.pulse(units: 10, absorption: formulation.absorption))
      #expect(patient.insulinOnBoard == before + 10)
      patient.advance(to: midnight + .days(4))
      #expect(abs(patient.insulinAbsorbed - before - 10) < 1e-4)
    }
    guard case .depot(let glargine) = InsulinFormulation.glargine.absorption else {
      Issue.record("Glargine has no depot.")
      return
    }
    // The area of the trapezoid of 1, 7, 20 and 36 hours up to 15 hours: (3 + 8) / 24.
    #expect(abs(glargine.share(after: 900) - 11.0 / 24) < 1e-12)
  }

  @Test("ultra-rapid insulin lowers glucose sooner than rapid, in every model")
  func ultraRapid() throws {
    let superposition = SuperpositionParameters(
      identifier: "flat", basalRate: .init(always: 0.6), insulinSensitivity: .init(always: 50),
      carbRatio: .init(always: 10))
    let bodies: [any Patient] = [
      try hovorka(180), try UVAPadovaPatient(UVAPadovaParameters.cohort[10], at: midnight),
      try KanderianPatient(KanderianParameters.cohort[0], at: midnight, glucose: .mgdL(180)),
      try SuperpositionPatient(superposition, at: midnight, glucose: .mgdL(180)),
    ]
    for body in bodies {
      var rapid = body
      var ultra = body
      rapid.receive(.pulse(units: 2))
      ultra.receive(.pulse(units: 2, absorption: .ultraRapid))
      rapid.advance(to: midnight + .minutes(75))
      ultra.advance(to: midnight + .minutes(75))
      #expect(ultra.glucose < rapid.glucose)
    }
  }
}
