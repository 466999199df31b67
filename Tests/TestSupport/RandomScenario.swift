import Determinism

/// A valid scenario drawn by chance: any body with any pump, sensor, settings, events, behaviour
/// and faults, from 2 to 9 hours long, or from 8 to 15 days.
///
/// The same seed gives the same text, so that a failure is repeated by its seed.
public struct RandomScenario {
  /// The scenario file.
  public let text: String
  /// Its length in whole minutes.
  public let minutes: Int

  /// Draws a scenario of hours, or one of days in which as much happens on each.
  public init(seed: UInt64, isLong: Bool = false) {
    var draw = ScenarioDraw(seed: seed)
    let length = draw.integer(below: 8)
    minutes = isLong ? 24 * 60 * (8 + length) : 60 * (2 + length)
    draw.minutes = minutes
    if isLong { draw.days = 8 + length }
    text = draw.scenario(named: "random-\(seed)")
  }
}

/// The draws of one scenario, each part after the other from one stream.
struct ScenarioDraw {
  private var stream: RandomStream
  var minutes = 0
  /// How many times what a scenario of hours has is to happen.
  var days = 1

  init(seed: UInt64) { stream = RandomStream(seed: seed, name: "random-scenario") }

  // MARK: - Chance

  mutating func integer(below bound: Int) -> Int {
    Int(stream.integer(below: UInt64(bound)))
  }

  mutating func happens(_ probability: Double) -> Bool { stream.unit() < probability }

  mutating func pick<Element>(_ choices: [Element]) -> Element {
    choices[integer(below: choices.count)]
  }

  /// A number of so many thousandths between two bounds, as a file writes it.
  mutating func number(_ bounds: ClosedRange<Double>, step: Double = 0.05) -> String {
    let count = Int(((bounds.upperBound - bounds.lowerBound) / step).rounded(.down))
    let value = bounds.lowerBound + step * Double(integer(below: count + 1))
    let thousandths = Int((value * 1_000).rounded())
    let sign = thousandths < 0 ? "-" : ""
    let digits = "\(abs(thousandths) % 1_000 + 1_000)".dropFirst()
    return "\(sign)\(abs(thousandths) / 1_000).\(digits)"
  }

  /// A moment of the run, to the second, with an hour and a half to go for what follows it.
  mutating func moment() -> String { "'+\(integer(below: (minutes - 90) * 60))s'" }

  mutating func span(_ bounds: ClosedRange<Int>) -> String {
    "'\(bounds.lowerBound + integer(below: bounds.count))m'"
  }

  mutating func flag() -> String { happens(0.5) ? "true" : "false" }

  private mutating func schedule(_ value: (inout Self) -> String) -> String {
    let hours = [0, 3, 5, 8, 12, 17, 22].filter { $0 == 0 || happens(0.3) }
    let entries = hours.map { hour in
      let time = "\(hour < 10 ? "0" : "")\(hour):\(hour > 0 && happens(0.3) ? "30" : "00")"
      return "['\(time)', \(value(&self))]"
    }
    return "[\(entries.joined(separator: ", "))]"
  }

  // MARK: - The scenario

  mutating func scenario(named id: String) -> String {
    let needsBasal = number(0.3...1.8)
    var parts = ["format: 'loopsim/1'", "id: '\(id)'"]
    parts.append("clock: \(clock())")
    parts.append("random: { seed: \(integer(below: 1_000)) }")
    parts.append("patient: \(patient(needing: needsBasal))")
    parts.append("therapy: \(therapy(basal: needsBasal))")
    parts.append("cgm: \(sensor())")
    parts.append("pump: \(pump())")
    parts.append("app: \(app())")
    if happens(0.3) { parts.append("healthStore: \(healthStore())") }
    if happens(0.4) { parts.append("behaviour: \(behaviour())") }
    let events = (0..<integer(below: 9) * days).map { _ in event() }
    if !events.isEmpty { parts.append("events: [\n    \(events.joined(separator: ",\n    "))]") }
    let faults = (0..<integer(below: 4) * days).map { fault($0) }
    if !faults.isEmpty { parts.append("faults: [\n    \(faults.joined(separator: ",\n    "))]") }
    return "{\n  \(parts.joined(separator: ",\n  "))\n}\n"
  }

  private mutating func clock() -> String {
    let start = pick([
      "2026-03-07T18:00:00", "2026-03-08T00:30:00", "2026-01-15T08:00:00", "2026-10-31T22:07:30",
      "2026-07-01T13:02:30",
    ])
    let zone = pick(["UTC", "America/Los_Angeles", "Australia/Lord_Howe", "Asia/Kathmandu"])
    let jitter = happens(0.2) ? ", loopJitter: '40s'" : ""
    let preRoll = happens(0.3) ? ", preRoll: '2h'" : ""
    return "{ start: '\(start)', timeZone: '\(zone)', duration: '\(minutes)m'\(jitter)\(preRoll) }"
  }

  private mutating func patient(needing basal: String) -> String {
    var parts: [String] = []
    if happens(0.5) {
      parts += [
        "model: 'tidepool-simple'", "initialGlucose: \(80 + integer(below: 200))",
        "needs: { basal: [['00:00', \(basal)]], "
          + "sensitivity: [['00:00', \(number(20...90, step: 5))]], "
          + "carbRatio: [['00:00', \(number(5...20, step: 1))]] }",
      ]
    } else {
      let bodies: [(model: String, names: [String])] = [
        ("uva-padova-s2008", ["adult#001", "adult#007", "adolescent#003", "child#002"]),
        ("uva-padova-s2013", ["adult#004", "child#007"]), ("hovorka", []), ("bergman", []),
        ("ivp", ["ivp#001", "ivp#006"]),
      ]
      let body = pick(bodies)
      parts.append("model: '\(body.model)'")
      if !body.names.isEmpty { parts.append("name: '\(pick(body.names))'") }
      parts.append("initialGlucose: \(100 + integer(below: 30))")
    }
    if happens(0.3) {
      let deviation = number(0.05...0.3)
      parts.append(
        "variability: { sensitivitySD: \(deviation), betweenDays: { glucoseProduction: 0.1 } }")
    }
    if happens(0.1) { parts.append("dawn: { amplitude: 0.3 }") }
    return "{ \(parts.joined(separator: ", ")) }"
  }

  private mutating func therapy(basal: String) -> String {
    var parts = [
      happens(0.5)
        ? "basal: [['00:00', \(basal)]]" : "basal: \(schedule { $0.number(0.1...2) })",
      "sensitivity: \(schedule { $0.number(20...90, step: 5) })",
      "carbRatio: \(schedule { $0.number(5...20, step: 1) })",
      "maxBasal: \(number(2...8, step: 0.5))", "maxBolus: \(number(2...15, step: 0.5))",
    ]
    if happens(0.5) {
      let range = { (draw: inout Self) in
        let low = 80 + draw.integer(below: 60)
        return "[\(low), \(low + draw.integer(below: 20))]"
      }
      parts.append("target: \(schedule(range))")
    }
    if happens(0.3) {
      parts.append("insulinModel: '\(pick(["rapidActingChild", "fiasp", "lyumjev"]))'")
    }
    parts.append("presets: { run: { target: [140, 160], insulinNeeds: \(number(0.2...1.6)) } }")
    return "{ \(parts.joined(separator: ", ")) }"
  }

  private mutating func sensor() -> String {
    let model = pick([
      "ideal", "ar1", "gaussian", "dexcomG6", "dexcomG7", "libre2", "generic", "mard9",
      "dexcomG4", "guardian4",
    ])
    return "{ model: '\(model)' }"
  }

  private mutating func pump() -> String {
    var parts = [
      "model: '"
        + pick([
          "generic50", "mockPump", "omnipodEros", "omnipodDASH", "omnipod5", "medtronic522",
          "medtronic723", "medtrum200", "continuous",
        ]) + "'"
    ]
    if happens(0.5) {
      let rules = [
        "resetOnCommand", "resetOnRateChange", "carry", "resetOnTempStart", "scheduleGrid",
      ]
      parts.append("residual: '\(pick(rules))'")
    }
    if happens(0.3) { parts.append("reservoir: \(5 + integer(below: 150))") }
    if happens(0.2) { parts.append("commLatency: '\(1 + integer(below: 40))s'") }
    return "{ \(parts.joined(separator: ", ")) }"
  }

  private mutating func app() -> String {
    var parts = ["closedLoop: \(happens(0.75))"]
    parts.append("dosing: '\(pick(["tempBasal", "automaticBolus"]))'")
    if happens(0.3) { parts.append("midAbsorptionISF: true") }
    if happens(0.2) { parts.append("integralRC: true") }
    if happens(0.2) { parts.append("scheduleZone: 'wallClock'") }
    return "{ \(parts.joined(separator: ", ")) }"
  }

  private mutating func healthStore() -> String {
    var parts: [String] = []
    if happens(0.3) { parts.append("reportWrite: 'atTrigger'") }
    if happens(0.3) { parts.append("reportOnReissue: true") }
    if happens(0.3) { parts.append("rereportDeleted: false") }
    if happens(0.3) { parts.append("vendorApp: 'dexcom'") }
    if happens(0.2) { parts.append("authorized: ['glucose', 'insulin']") }
    return "{ \(parts.joined(separator: ", ")) }"
  }

  private mutating func behaviour() -> String {
    var parts = [
      "meals: [{ window: ['07:00', '20:00'], grams: \(10 + integer(below: 70)) }]",
      "announce: { probability: \(number(0.4...1)), cv: \(number(0...0.4)) }",
    ]
    if happens(0.6) { parts.append("bolus: { probability: \(number(0.3...1)) }") }
    if happens(0.5) { parts.append("correction: { above: \(200 + integer(below: 60)) }") }
    if happens(0.5) { parts.append("rescue: { below: 65, grams: 15 }") }
    return "{ \(parts.joined(separator: ", ")) }"
  }
}
