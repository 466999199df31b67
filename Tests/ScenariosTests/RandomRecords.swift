/// Scenarios drawn from a seed in which records go astray: doses, deletions, lost contact, missing
/// permissions, faults of pump, app, phone and health store.
struct RandomRecords {
  private var mixer: Mixer
  private let hours: Int

  /// Draws from a seed.
  init(seed: UInt64) {
    mixer = Mixer(state: seed)
    hours = 6 + mixer.below(9)
  }

  /// The text of a scenario.
  mutating func scenario() -> String {
    let start = 10 + mixer.below(14)
    let events = (0..<mixer.below(9)).map { _ in event() }
    var faults: [String] = []
    for index in 0..<mixer.below(4) { faults.append(fault(index)) }
    let isClosed = mixer.below(2) == 0
    let pump = pick(["generic50", "omnipodDASH", "medtronic722"])
    return """
      { format: 'loopsim/1', id: 'random', random: { seed: \(mixer.below(1_000) + 1) },
        clock: { start: '2026-01-15T\(start):00:00', timeZone: 'UTC', duration: '\(hours)h' },
        patient: { model: 'tidepool-simple', initialGlucose: \(90 + mixer.below(160)),
          needs: { basal: [['00:00', 0.8], ['02:00', 1.2]], sensitivity: [['00:00', 50]],
            carbRatio: [['00:00', 10]] } },
        therapy: { maxBolus: 10, maxBasal: 4, basal: [['00:00', 0.8], ['02:00', 1.2]] },
        cgm: { model: 'ideal' }, pump: { model: '\(pump)' },
        healthStore: { rereportDeleted: \(mixer.below(3) > 0) },
        app: { closedLoop: \(isClosed),
          dosing: '\(mixer.below(2) == 0 ? "tempBasal" : "automaticBolus")' },
        events: [\(events.joined(separator: ",\n    "))],
        faults: [\(faults.joined(separator: ",\n    "))] }
      """
  }

  private mutating func pick(_ words: [String]) -> String { words[mixer.below(words.count)] }

  /// A moment of the run to the minute.
  private mutating func moment() -> String { "'+\(1 + mixer.below(hours * 60 - 2))m'" }

  private mutating func units() -> String { "\(Double(1 + mixer.below(60)) / 10)" }

  private mutating func event() -> String {
    let what =
      switch mixer.below(14) {
      case 0, 1, 2: "bolus: { units: \(units()) }"
      case 3: "injection: { units: \(units()) }"
      case 4: "injection: { units: \(units()) }, entry: false"
      case 5: "injection: { units: 2.0 }, entry: { units: \(units()) }"
      case 6:
        "healthStore: { write: { \(pick(["bolus: 1.5", "basal: 1.0, duration: '1h'"])), "
          + "source: 'Other' } }"
      case 7: "basal: { rate: \(Double(mixer.below(30)) / 10), duration: '1h' }"
      case 8: "suspend: { duration: '\(10 + mixer.below(90))m' }"
      case 9, 10:
        "delete: { from: '\(pick(["both", "healthStore", "eventHistory"]))', "
          + "match: { kind: '\(pick(["bolus", "any", "basal", "tempBasal"]))', "
          + "last: \(1 + mixer.below(2)) } }"
      case 11: "phone: '\(pick(["off", "on", "reinstall"]))'"
      case 12: "pump: { remove: true }"
      default:
        "healthStore: { \(pick(["revoke", "grant"])): "
          + "['insulin.\(pick(["read", "write"]))'] }"
      }
    return "{ at: \(moment()), \(what) }"
  }

  private mutating func fault(_ index: Int) -> String {
    let length = "'\(10 + mixer.below(240))m'"
    let (component, kind) =
      switch mixer.below(24) {
      case 0: ("pump", "occlusion: {}")
      case 1: ("pump", "leak: { fraction: 0.5 }")
      case 2: ("pump", "scale: { basal: 0.8, bolus: 1.5 }")
      case 3: ("pump", "siteFailure: {}")
      case 4: ("pump", "commLoss: { commands: 'fail', history: '\(pick(["none", "late"]))' }")
      case 5: ("app", "crash: {}")
      case 6: ("phone", "off: {}")
      case 7: ("phone", "bluetoothOff: {}")
      case 8: ("phone", "backgroundKilled: {}")
      case 9: ("phone", "lowPower: {}")
      case 10: ("healthStore", "writeFail: {}")
      case 11: ("healthStore", "readDenied: {}")
      case 12: ("healthStore", "duplicate: { scope: ['insulin'] }")
      case 13: ("healthStore", "conflict: { scope: ['insulin'], factor: 0.5 }")
      case 14: ("app", "clockJump: { by: '\(pick(["-", ""]))\(1 + mixer.below(200))m' }")
      case 15: ("app", "skipLoops: {}")
      case 16: ("app", "doubleRun: {}")
      case 17: ("healthStore", "lateSync: { scope: ['insulin'] }")
      case 18: ("pump", "alarm: { name: '\(pick(["occlusion", "reservoirEmpty", "failure"]))' }")
      case 19: ("pump", "reject: { what: '\(pick(["bolus", "tempBasal"]))' }")
      case 20: ("phone", "off: {}")
      case 21: ("app", "crash: { loses: ['unsaved', 'memory'] }")
      case 22: ("pump", "commLoss: { commands: 'late', latency: '7m' }")
      default: ("pump", "uncertainDelivery: { trulyDelivered: \(pick(["0.0", "0.5", "1.0"])) }")
      }
    return "{ id: 'f\(index)', during: [\(moment()), \(length)], \(component): { \(kind) } }"
  }
}
