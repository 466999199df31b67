extension ScenarioDraw {
  /// Something that happens: food, insulin, settings, deletions, devices, the phone.
  mutating func event() -> String {
    "{ at: \(moment()), \(happens(0.5) ? careEvent() : otherEvent()) }"
  }

  /// Food, insulin and what a person tells the app of them.
  private mutating func careEvent() -> String {
    switch integer(below: 11) {
    case 0: "meal: { grams: \(5 + integer(below: 70)) }"
    case 1:
      "meal: { grams: \(5 + integer(below: 70)), absorption: \(span(30...300)) }, entry: false"
    case 2:
      "meal: { grams: 40 }, entry: { at: '+\(1 + integer(below: 60))m', "
        + "grams: \(5 + integer(below: 80)) }"
    case 3: "entry: { grams: \(5 + integer(below: 60)) }"
    case 4: "bolus: { units: \(number(0.05...6)) }"
    case 5: "bolus: { units: \(number(0.5...14)), by: '\(pick(["pump", "quick", "watch"]))' }"
    case 6: "bolus: { take: 'recommended', scale: \(number(0.3...1.5)) }"
    case 7: "bolus: { units: \(number(1...5)), cancelAt: '+\(5 + integer(below: 120))s' }"
    case 8:
      "bolus: { units: \(number(0...4)), reported: { units: \(number(0...4)) } }"
    case 9:
      "injection: { units: \(number(0.5...4)), "
        + "insulin: '\(pick(["humalog", "fiasp", "regular"]))' }"
        + (happens(0.5) ? ", entry: { at: '+\(integer(below: 90))m' }" : "")
    default:
      "injection: { units: \(number(4...20, step: 1)), "
        + "insulin: '\(pick(["glargine", "degludec"]))' }"
    }
  }

  private mutating func otherEvent() -> String {
    switch integer(below: 18) {
    case 0:
      "basal: { rate: \(number(0...2)), duration: '\(30 * (1 + integer(below: 4)))m' }"
    case 1: "basal: { cancel: true }"
    case 2: "suspend: { duration: \(span(5...110)) }"
    case 3: "suspend: true"
    case 4: "resume: true"
    case 5: "closedLoop: \(flag())"
    case 6: "preset: 'run', duration: \(span(10...180))"
    case 7: "preset: false"
    case 8: "exercise: { duration: \(span(10...60)), intensity: 'moderate' }"
    case 9: "settings: { maxBasal: \(number(1...6, step: 0.5)) }"
    case 10: "settings: { basal: [['00:00', \(number(0.3...1.5))], ['12:00', 0.8]] }"
    case 11:
      "delete: { from: '\(pick(["eventHistory", "healthStore", "both"]))', "
        + "match: { kind: '\(pick(["bolus", "tempBasal", "basal", "any"]))' } }"
    case 12: "fingerstick: { error: \(integer(below: 30) - 15) }"
    case 13: "healthStore: { write: { bolus: \(number(0.5...3)), source: 'Pen' } }"
    case 14: "pump: { replace: { reservoir: \(50 + integer(below: 100)) } }"
    case 15: pick(["pump: { remove: true }", "pump: { attach: true }", "pump: { prime: 1 }"])
    case 16: pick(["cgm: { replace: true }", "cgm: { calibrate: 110 }"])
    default: "phone: '\(pick(["reboot", "off", "on", "bluetoothOff", "reinstall"]))'"
    }
  }

  /// A fault of a component, with a name of its own.
  mutating func fault(_ number: Int) -> String {
    let what = happens(0.5) ? deviceFault() : softwareFault()
    let time =
      happens(0.7)
      ? "during: [\(moment()), \(span(5...240))]" : "every: { mean: \(span(60...400)), count: 3 }"
    return "{ id: 'f\(number)', \(time), \(what) }"
  }

  private mutating func deviceFault() -> String {
    switch integer(below: 14) {
    case 0: "cgm: { dropout: { backfill: \(flag()) } }"
    case 1: "cgm: { bias: { gain: \(number(0.5...1.8)) } }"
    case 2: "cgm: { noise: { sd: \(number(5...30, step: 1)) } }"
    case 3: "cgm: { compression: { depth: 40 } }"
    case 4: "cgm: { stuck: {} }"
    case 5: "cgm: { drift: { offsetPerDay: \(number(-80...80, step: 10)) } }"
    case 6: "pump: { occlusion: { deliveredFraction: \(number(0...0.6)), backlog: 'released' } }"
    case 7: "pump: { leak: { fraction: \(number(0.1...0.9)) } }"
    case 8: "pump: { scatter: { sd: 0.2 } }"
    case 9: "pump: { scale: { basal: \(number(0.5...1.5)), bolus: \(number(0.5...1.5)) } }"
    case 10: "pump: { commLoss: { commands: '\(pick(["fail", "late"]))' } }"
    case 11: "pump: { reject: { what: ['tempBasal', 'bolus'] } }"
    case 12:
      "pump: { uncertainDelivery: { trulyDelivered: \(number(0...1)), "
        + "reported: '\(pick(["full", "none", "unknown"]))' } }"
    default: "pump: { siteFailure: { fraction: 0.4 } }"
    }
  }

  private mutating func softwareFault() -> String {
    switch integer(below: 12) {
    case 0: "app: { skipLoops: {} }"
    case 1: "app: { crash: { restartAfter: \(span(5...60)) } }"
    case 2: "app: { staleData: { age: '15m' } }"
    case 3: "app: { doubleRun: {} }"
    case 4: "app: { clockJump: { by: '\(pick(["-7m", "3m", "65m"]))' } }"
    case 5: "app: { wrongSetting: { path: 'therapy.maxBasal', value: 1.5 } }"
    case 6: "healthStore: { writeFail: {} }"
    case 7: "healthStore: { readDenied: {} }"
    case 8: "healthStore: { duplicate: {} }"
    case 9: "phone: { off: {} }"
    case 10: "phone: { bluetoothOff: {} }"
    default: "phone: { backgroundKilled: {} }"
    }
  }
}
