import ScenarioLanguage
import Scenarios
import StructuredText
import TestSupport
import Testing

@testable import Bridge

/// What an unprivileged program is told depends on the body through the CGM alone.
@Suite("The wall between the body and a program")
struct WallTests {
  /// A fault of each kind that scenarios know, by its key.
  private static let faults: [String: String] = [
    "cgm.dropout": "{}", "cgm.delay": "{ by: '12m' }", "cgm.noise": "{ sd: 15 }",
    "cgm.bias": "{ gain: 1.3 }", "cgm.drift": "{ offsetPerDay: 300 }", "cgm.compression": "{}",
    "cgm.spike": "{}", "cgm.stuck": "{}", "cgm.saturate": "{ above: 130 }",
    "cgm.timestamp": "{ shift: '7m' }", "cgm.warmUp": "{}", "cgm.expire": "{}", "cgm.fail": "{}",
    "cgm.unreliable": "{}", "pump.occlusion": "{}", "pump.leak": "{}", "pump.scatter": "{}",
    "pump.batteryDepleted": "{}", "pump.clockError": "{ by: '5m' }", "pump.siteFailure": "{}",
    "pump.scale": "{ basal: 0.5 }", "pump.airBubble": "{ units: 1 }", "pump.empty": "{}",
    "pump.lowBattery": "{}", "pump.error": "{}", "pump.alarm": "{ name: 'failure' }",
    "pump.commLoss": "{}", "pump.reject": "{ what: 'tempBasal' }", "pump.uncertainDelivery": "{}",
    "pump.dropPulses": "{}", "pump.unrequested": "{ units: 2 }",
    "pump.clockDrift": "{ perDay: '2m' }", "pump.wrongPump": "{ basal: [['00:00', 2]] }",
    "app.skipLoops": "{ count: 3 }", "app.crash": "{ restartAfter: '15m' }",
    "app.staleData": "{ age: '15m' }", "app.doubleRun": "{}",
    "app.corrupt": "{ target: 'iob', mode: 'zero' }", "app.clockJump": "{ by: '9m' }",
    "app.wrongSetting": "{ path: 'therapy.maxBasal', value: 1.5 }", "healthStore.writeFail": "{}",
    "healthStore.readDenied": "{}", "healthStore.duplicate": "{}", "healthStore.lateSync": "{}",
    "healthStore.wipe": "{}", "healthStore.conflict": "{}", "phone.off": "{}",
    "phone.lowPower": "{}", "phone.bluetoothOff": "{}", "phone.backgroundKilled": "{}",
    "user.miss": "{}", "user.late": "{}", "user.double": "{}", "user.misestimate": "{ bias: 1.5 }",
  ]

  /// The keys of an object in the schema.
  private static func keys(of shape: Shape) -> [SchemaKey] {
    switch shape {
    case .object(let object): object.keys + object.kinds
    case .list(let shape), .listOrOne(let shape): keys(of: shape)
    case .either(let shapes): shapes.flatMap(keys)
    default: []
    }
  }

  @Test("No kind of fault is left out")
  func complete() throws {
    let faults = try #require(ScenarioSchema.root.keys.first { $0.name == "faults" })
    let known = Self.keys(of: faults.shape).flatMap { part -> [String] in
      guard ["cgm", "pump", "app", "healthStore", "phone", "user"].contains(part.name) else {
        return []
      }
      return Self.keys(of: part.shape).filter(\.isSupported).map { "\(part.name).\($0.name)" }
    }
    #expect(Set(known) == Set(Self.faults.keys))
  }

  /// Three hours behind one recorded glucose, of a body that a test chooses.
  private static func scenario(_ fault: (key: String, words: String), _ patient: String) -> String {
    let path = fault.key.split(separator: ".")
    let once = [
      "app.crash", "app.skipLoops", "pump.clockError", "pump.airBubble", "cgm.spike",
      "pump.empty", "pump.unrequested", "cgm.expire", "cgm.fail", "healthStore.wipe",
    ]
    let time = once.contains(fault.key) ? "at: '+1h'" : "during: ['+1h', '40m']"
    return """
      { format: 'loopsim/1', id: 'wall', clock: { duration: '3h' },
        patient: \(patient),
        therapy: { basal: [['00:00', 1]], sensitivity: [['00:00', 45]],
          carbRatio: [['00:00', 10]] },
        cgm: { model: 'trace', trace: [['+0m', 120], ['+2h', 180], ['+3h', 140]] },
        events: [{ at: '+70m', meal: { grams: 30 } }, { at: '+75m', bolus: { units: 1 } },
          { at: '+2h', bolus: { take: 'recommended' } }],
        faults: [{ \(time), \(path[0]): { \(path[1]): \(fault.words) } }] }
      """
  }

  /// The lines that a client sees of a run.
  private static func lines(_ scenario: String) -> [String] {
    var session = BridgeFixture.session(["s.json5": scenario])
    let reset =
      #"{"type":"reset","scenario":"s.json5","answers":["decision","bolus"]}"#
    var lines = session.reply(to: Array(reset.utf8))
    var (all, n) = ([String](), 0)
    while let last = lines.last, last.contains("\"n\":") {
      all += lines
      let answer =
        last.hasPrefix("{\"type\":\"recommendBolus\"")
        ? #"{"type":"boluses","run":"r1","n":\#(n),"units":1}"#
        : #"{"type":"act","run":"r1","n":\#(n),"tempBasal":{"rate":\#(n % 3)}}"#
      lines = session.reply(to: Array(answer.utf8))
      n += 1
    }
    return all + lines.filter { $0.contains("\"error\"") }
  }

  @Test(
    "Two bodies behind one recorded glucose ask the same, byte by byte, whatever fails",
    arguments: Extent.some(of: faults.keys.sorted(), every: 9))
  func holds(key: String) {
    let fault = (key, Self.faults[key] ?? "")
    let needs = "needs: { basal: [['00:00', 1]], sensitivity: [['00:00', 45]], "
    let (one, other) = (
      Self.lines(
        Self.scenario(
          fault,
          "{ model: 'tidepool-simple', initialGlucose: 120, \(needs)carbRatio: [['00:00', 10]] } }")
      ),
      Self.lines(
        Self.scenario(
          fault,
          "{ model: 'tidepool-simple', initialGlucose: 260, "
            + "\(needs.replacing("45", with: "90"))carbRatio: [['00:00', 4]] } }"))
    )
    #expect(one.count > 10)
    #expect(!one.contains { $0.contains("\"error\"") }, "\(one.last ?? "")")
    #expect(one == other)
  }
}
