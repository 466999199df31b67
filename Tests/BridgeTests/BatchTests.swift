import Determinism
import Simulation
import StructuredText
import TestSupport
import Testing

@testable import Bridge

@Suite("Batches of runs")
struct BatchTests {
  /// Scenarios in which body, pump and sensor do what they can, each a day or more.
  private static let scenarios: [String: String] = [
    "meals": """
    { format: 'loopsim/1', id: 's', clock: { duration: '1d', preRoll: '3h' },
      patient: { model: 'uva-padova-s2008', name: 'adult#004', needs: 'table' },
      cgm: { model: 'dexcomG6' },
      events: [{ at: '07:00', meal: { grams: 60 } }, { at: '12:13', meal: { grams: 80 } },
        { at: '15:00', exercise: { duration: '40m', intensity: 'moderate' } },
        { at: '18:30', meal: { grams: 75 } }] }
    """,
    "faults": """
    { format: 'loopsim/1', id: 's', clock: { duration: '1d' },
      patient: { model: 'uva-padova-s2008', name: 'child#003', needs: 'table' },
      cgm: { model: 'dexcomG6' },
      events: [{ at: '+2h', meal: { grams: 40 } },
        { at: '+9h', injection: { units: 2 }, entry: false }],
      faults: [{ during: ['04:00', '+90m'], pump: { occlusion: { deliveredFraction: 0.2 } } },
        { during: ['08:00', '+2h'], cgm: { dropout: {} } }] }
    """,
    "carry": """
    { format: 'loopsim/1', id: 's', clock: { duration: '30h' },
      patient: { model: 'hovorka', name: 'hovorka2004#nominal',
        needs: { basal: [['00:00', 0.8]], sensitivity: [['00:00', 45]],
          carbRatio: [['00:00', 10]] } },
      cgm: { model: 'libre2' }, pump: { residual: 'carry' },
      events: [{ at: '+3h', meal: { grams: 50 } }] }
    """,
    "floor": """
    { format: 'loopsim/1', id: 's', clock: { duration: '1d' },
      patient: { model: 'tidepool-simple', initialGlucose: 140, floor: { glucose: 40 },
        needs: { basal: [['00:00', 1]], sensitivity: [['00:00', 45]],
          carbRatio: [['00:00', 10]] } } }
    """,
  ]

  private static func batch(
    _ text: String, _ environment: RunBatch.Kind, members: Int
  ) throws -> RunBatch {
    let request: JSONValue = [
      "text": .string(text), "environment": .string(environment.rawValue),
    ]
    let answer = BridgeFixture.session().batch(
      Array(BridgeProtocol.line(request).utf8), members: members)
    switch answer {
    case .batch(let batch): return batch
    case .refused(let line):
      Issue.record("\(line)")
      throw CancellationError()
    }
  }

  /// Hours in which the app would know or do something else than the pump.
  private static let hours: [String: String] = [
    // A command behind one that the pump does not take is not sent.
    "rejects": "faults: [{ during: ['00:30', '+1h'], pump: { reject: { what: 'tempBasal' } } }]",
    // The last reading before a gap is a calibration: none to dose on, and recent at 00:45.
    "calibration": "events: [{ at: '00:29', cgm: { calibrate: 150 } }], "
      + "faults: [{ during: ['00:32', '+30m'], cgm: { dropout: {} } }]",
    // The pump's clock is 1 h ahead, of which the app knows nothing.
    "clock": "faults: [{ at: '00:10', pump: { clockError: { by: '1h' } } }]",
    // The phone's clock goes back at 03:00, and the pump's stays.
    "autumn": "clock: { start: '2026-10-25T00:00:00', timeZone: 'Europe/Berlin', duration: '5h' }",
    // The phone lands elsewhere, and the app's schedules with it; the pump's clock stays.
    "abroad":
      "app: { scheduleZone: 'wallClock' }, events: [{ at: '01:00', timeZone: '+01:00' }]",
  ]

  @Test(
    "What is wrong with commands and clocks is the same with an app and without",
    arguments: hours.keys.sorted())
  func hoursAreTheSame(name: String) throws {
    let more = try #require(Self.hours[name])
    let clock = name == "autumn" ? "" : "clock: { duration: '5h' },"
    let text = """
      { format: 'loopsim/1', id: 's', \(clock) \(more),
        patient: { model: 'uva-padova-s2008', name: 'adult#004',
          needs: { basal: [['00:00', 1], ['02:00', 0.8], ['03:00', 1.4]],
            sensitivity: [['00:00', 45]], carbRatio: [['00:00', 10]] } } }
      """
    var whole = try Self.batch(text, .scenario, members: 1)
    var bare = try Self.batch(text, .patient, members: 1)
    whole.reset(0, seed: 1)
    bare.reset(0, seed: 1)
    for step in 0..<60 {
      var (first, second) = (whole.members[0].observation, bare.members[0].observation)
      (first[3], second[3]) = (0, 0)
      try #require(first == second, "step \(step)")
      try #require(whole.members[0].truth == bare.members[0].truth, "step \(step)")
      let (rate, bolus) = (step % 9 == 0 ? 1.3 : -1, step % 18 == 9 ? 0.5 : 0)
      whole.act(0, rate: rate, bolus: bolus)
      bare.act(0, rate: rate, bolus: bolus)
    }
  }

  /// What a careless program does: often nothing, sometimes too much.
  private static func action(_ stream: inout RandomStream) -> (rate: Double, bolus: Double) {
    let rate = stream.unit() < 0.6 ? -1 : stream.unit() < 0.1 ? 40 : stream.unit() * 3
    let bolus = stream.unit() < 0.04 ? stream.unit() * 4 : 0
    return (rate, bolus)
  }

  @Test(
    "The same commands give the same pulses and the same glucose with an app and without",
    arguments: Extent.some(of: scenarios.keys.sorted(), every: 2))
  func patientIsScenario(name: String) throws {
    let text = try #require(Self.scenarios[name])
    let members = Extent.of(1, whole: 3)
    var whole = try Self.batch(text, .scenario, members: members)
    var bare = try Self.batch(text, .patient, members: members)
    #expect(whole.horizon == bare.horizon)
    for member in 0..<members {
      var stream = RandomStream(seed: 5, name: name, member: UInt64(member))
      whole.reset(member, seed: UInt64(member + 1))
      bare.reset(member, seed: UInt64(member + 1))
      var (steps, insulin) = (0, 0.0)
      while whole.end(of: member) == RunBatch.End.none {
        let (seen, found) = (whole.members[member], bare.members[member])
        try #require(seen.truth == found.truth, "member \(member), step \(steps)")
        var (first, second) = (seen.observation, found.observation)
        // The app knows of a pulse when the pump has told of it, and counts a bolus as it asked.
        #expect((first[3] - second[3]).magnitude < 0.3, "step \(steps)")
        (first[3], second[3]) = (0, 0)
        try #require(first == second, "member \(member), step \(steps)")
        insulin += seen.truth[2]
        let (rate, bolus) = Self.action(&stream)
        whole.act(member, rate: rate, bolus: bolus)
        bare.act(member, rate: rate, bolus: bolus)
        steps += 1
      }
      #expect(bare.end(of: member) == whole.end(of: member))
      // What the last commands did is told by both, and no pulse of the step before again.
      #expect(whole.members[member].truth == bare.members[member].truth)
      #expect(name == "floor" ? steps > 20 : steps == whole.horizon + 1)
      #expect(insulin > 2)
    }
  }

  @Test("What is left of a run after its last cycle is lived, with an app and without")
  func endsBetweenCycles() throws {
    let text = """
      { format: 'loopsim/1', id: 's', clock: { duration: '1h4m59s' },
        patient: { model: 'tidepool-simple', needs: { basal: [['00:00', 1.2]],
          sensitivity: [['00:00', 45]], carbRatio: [['00:00', 10]] } } }
      """
    var truths: [[Double]] = []
    for environment in [RunBatch.Kind.scenario, .patient] {
      var batch = try Self.batch(text, environment, members: 1)
      batch.reset(0, seed: 1)
      var insulin = batch.members[0].truth[2]
      while batch.end(of: 0) == RunBatch.End.none {
        batch.act(0, rate: -1, bolus: 0)
        insulin += batch.members[0].truth[2]
      }
      // A pulse of 0.05 U every 150 s: the 25th after 3,750 s, and the 26th after 3,900.
      #expect(abs(insulin - 1.25) < 1e-9, "\(environment)")
      #expect(abs(batch.members[0].truth[2] - 0.05) < 1e-9, "\(environment)")
      truths.append(batch.members[0].truth)
    }
    #expect(truths[0] == truths[1])
  }

  @Test("A pump that ran dry is seen to run at no rate, with an app and without")
  func dryPump() throws {
    let text = """
      { format: 'loopsim/1', id: 's', clock: { duration: '2h' }, pump: { reservoir: 2 },
        patient: { model: 'uva-padova-s2008', name: 'adult#004', needs: 'table' },
        supplies: 'none' }
      """
    for environment in [RunBatch.Kind.scenario, .patient] {
      var batch = try Self.batch(text, environment, members: 1)
      batch.reset(0, seed: 1)
      #expect(batch.members[0].observation[4] > 0)
      batch.act(0, rate: -1, bolus: 5)
      batch.act(0, rate: -1, bolus: 0)
      let seen = batch.members[0].observation
      #expect(seen[4] == 0 && seen[5] > 0, "\(environment): \(seen)")
    }
  }

  @Test("A temp basal is seen to be over at its end, also where the pump is not heard from")
  func unheardPump() throws {
    var batch = try Self.batch(
      """
      { format: 'loopsim/1', id: 's', clock: { duration: '2h' },
        patient: { model: 'tidepool-simple', needs: { basal: [['00:00', 0.8]],
          sensitivity: [['00:00', 45]], carbRatio: [['00:00', 10]] } },
        faults: [{ during: ['00:07', '+90m'], pump: { commLoss: {} } }] }
      """, .scenario, members: 1)
    batch.reset(0, seed: 1)
    batch.act(0, rate: 2, bolus: 0)
    var seen: [[Double]] = []
    for _ in 0..<9 {
      seen.append(Array(batch.members[0].observation[4...7]))
      batch.act(0, rate: -1, bolus: 0)
    }
    for (step, numbers) in seen.enumerated() {
      let minute = 5 * Double(step + 1)
      let isOver = minute >= 30
      #expect(numbers == [isOver ? 0.8 : 2, 0.8, minute, isOver ? 0 : 30 - minute])
    }
  }

  @Test("Readings that come late say nothing of the sensor now, with an app and without")
  func lateUnreliableReadings() throws {
    let text = """
      { format: 'loopsim/1', id: 's', clock: { duration: '1h' }, cgm: { model: 'dexcomG6' },
        patient: { model: 'tidepool-simple', needs: { basal: [['00:00', 0.8]],
          sensitivity: [['00:00', 45]], carbRatio: [['00:00', 10]] } },
        faults: [{ during: ['00:10', '+14m'], cgm: { unreliable: {} } },
          { during: ['00:10', '+15m'], cgm: { dropout: {} } }] }
      """
    for environment in [RunBatch.Kind.scenario, .patient] {
      var batch = try Self.batch(text, environment, members: 1)
      batch.reset(0, seed: 1)
      for _ in 0..<5 { batch.act(0, rate: -1, bolus: 0) }
      // At 00:25 a reliable reading comes, and those of 00:10 to 00:20 behind it.
      batch.act(0, rate: -1, bolus: 0.2)
      #expect(batch.members[0].observation[8] == 0.2, "\(environment)")
    }
  }

  @Test("The pump's rate is that of the entry that holds, also by a phone whose clock is wrong")
  func rates() throws {
    var batch = try Self.batch(
      """
      { format: 'loopsim/1', id: 's', clock: { duration: '3h' },
        patient: { model: 'tidepool-simple',
          needs: { basal: [['00:00', 0.8], ['02:00', 1.2]], sensitivity: [['00:00', 45]],
            carbRatio: [['00:00', 10]] } },
        faults: [{ at: '00:07', app: { clockJump: { by: '40m', duration: '50m' } } }] }
      """, .scenario, members: 1)
    batch.reset(0, seed: 1)
    batch.act(0, rate: 2, bolus: 0)
    for step in 1..<36 {
      let rate = batch.members[0].observation[4]
      #expect(rate == (step < 6 ? 2 : step < 24 ? 0.8 : 1.2), "step \(step)")
      batch.act(0, rate: -1, bolus: 0)
    }
  }

  @Test("What an app would have to do is refused, and the sentence names it")
  func refusals() throws {
    let needs = [
      "events: [{ at: '+1h', bolus: { units: 1 } }]": "\"bolus-1\" happens in the app",
      "behaviour: { rescue: { below: 70, grams: 15 } }": "behaviour",
      "events: [{ at: '+1h', closedLoop: false }]": "happens in the app or on the phone",
      "faults: [{ at: '01:00', phone: { off: {} } }]": "happens in the app or on the phone",
      "history: { doses: [{ at: '-1h', bolus: 1 }] }": "A dose of \"history.doses\" is a command",
      """
      pump: { model: 'medtronic554' },
      faults: [{ id: 'fast', at: '+1h', pump: { clockError: { by: '1h' } } }]
      """: "The app sets the clock of the pump, of which \"fast\" makes a wrong one.",
    ]
    for (more, words) in needs {
      let request: JSONValue = [
        "text": .string(
          BridgeFixture.scenario(more, events: "").replacing("events: [], ", with: "")),
        "environment": "patient",
      ]
      let answer = BridgeFixture.session().batch(
        Array(BridgeProtocol.line(request).utf8), members: 1)
      guard case .refused(let line) = answer else {
        Issue.record("\(more) was taken")
        continue
      }
      #expect(line.contains(words.replacing("\"", with: "\\\"")), "\(more): \(line)")
    }
  }

  @Test("A batch begins with what the check of its scenario warns of, as a run does")
  func tellsOfWarnings() throws {
    var session = BridgeFixture.session([:])
    func problems(_ more: String) throws -> JSONValue? {
      let text = """
        { format: 'loopsim/1', clock: { duration: '2h' }, patient: { model: 'tidepool-simple',
            needs: { basal: [['00:00', 1]], sensitivity: [['00:00', 45]],
              carbRatio: [['00:00', 10]] } }, \(more) }
        """
      let begin = session.ask([
        "type": "batch", "text": .string(text), "environment": "patient", "members": 1,
      ]).first
      return try #require(begin)["problems"]
    }
    #expect(try problems("") == nil)
    let found = try problems("cgm: { model: 'ideal', noise: { sd: 4 } }")
    #expect("\(found ?? .null)".contains("noise has no effect"), "\(found ?? .null)")
  }

  @Test("Messages step a batch as calls do")
  func messages() throws {
    let text = try #require(Self.scenarios["meals"])
    var session = BridgeFixture.session()
    let begin = session.ask([
      "type": "batch", "text": .string(text), "environment": "patient", "members": 2,
      "privileged": true,
    ])[0]
    #expect(begin.text("type") == "batch", "\(begin)")
    let name = try #require(begin.text("batch"))
    #expect(begin.whole("horizon") == 288)
    #expect(begin["settings"]?.number("maxBasal") != nil)
    var direct = try Self.batch(text, .patient, members: 2)
    for member in 0..<2 { direct.reset(member, seed: UInt64(40 + member)) }
    var seen = session.ask([
      "type": "batchReset", "batch": .string(name), "seeds": ["40", "41"],
    ])[0]
    for step in 0..<30 {
      #expect(
        seen.numbers("observations")
          == direct.members.flatMap(\.observation), "step \(step)")
      #expect(seen.numbers("truth") == direct.members.flatMap(\.truth))
      #expect(seen.numbers("ends") == [0, 0])
      seen =
        session.ask([
          "type": "batchStep", "batch": .string(name), "actions": [1.5, 0, -1, 0.2],
        ])[0]
      direct.act(0, rate: 1.5, bolus: 0)
      direct.act(1, rate: -1, bolus: 0.2)
    }
    #expect(session.ask(["type": "close", "batch": .string(name)])[0].text("type") == "closed")
    let gone = session.ask(["type": "batchStep", "batch": .string(name), "actions": []])[0]
    #expect(gone.text("text") == "There is no batch \"\(name)\".")
  }

  @Test("The truth is told to who asks for it only")
  func privilege() throws {
    let text = try #require(Self.scenarios["meals"])
    for environment in ["patient", "scenario"] {
      var session = BridgeFixture.session()
      let begin = session.ask([
        "type": "batch", "text": .string(text), "environment": .string(environment), "members": 1,
      ])[0]
      #expect(begin["truth"]?.items?.isEmpty == true)
      let seen = session.ask(["type": "batchReset", "batch": "b1", "seeds": ["1"]])[0]
      #expect(seen["observations"]?.items?.count == RunBatch.observationWidth)
      #expect(seen["truth"] == nil)
    }
  }

  @Test("What has not begun has no glucose of 0 mg/dL to show, and takes no action")
  func stepsNothingThatHasNotBegun() throws {
    let text = try #require(Self.scenarios["meals"])
    var session = BridgeFixture.session()
    _ = session.ask([
      "type": "batch", "text": .string(text), "environment": "patient", "members": 2,
    ])
    let step: JSONValue = ["type": "batchStep", "batch": "b1", "actions": [1, 0, 1, 0]]
    let answer = session.ask(step)[0]
    #expect(answer.text("type") == "error")
    #expect(answer.text("text")?.contains("\"batchReset\"") == true)
    // One member that lives is enough.
    _ = session.ask(["type": "batchReset", "batch": "b1", "members": [1], "seeds": ["1"]])
    #expect(session.ask(step)[0].text("type") == "seen")
  }

  @Test(
    "A wrong message changes nothing and says what is wrong",
    arguments: [
      ("{\"type\":\"batchStep\",\"batch\":\"b1\",\"actions\":[1]}", "take 4 numbers"),
      ("{\"type\":\"batchStep\",\"batch\":\"b1\",\"actions\":[1,0,1,1e9]}", "actions[3]"),
      ("{\"type\":\"batchStep\",\"batch\":\"b1\",\"actions\":[1,0,1,\"x\"]}", "actions[3]"),
      ("{\"type\":\"batchReset\",\"batch\":\"b1\",\"seeds\":[\"1\"]}", "1 seed for 2 members"),
      (
        "{\"type\":\"batchReset\",\"batch\":\"b1\",\"members\":[0,0],\"seeds\":[\"1\",\"2\"]}",
        "The member 0 is there twice"
      ),
      ("{\"type\":\"batchReset\",\"batch\":\"b1\",\"seeds\":[\"1\",\"-2\"]}", "seeds[1]"),
      ("{\"type\":\"batchReset\",\"batch\":\"b1\",\"seeds\":[\"1\",\"+2\"]}", "seeds[1]"),
      (
        "{\"type\":\"batchReset\",\"batch\":\"b1\",\"members\":[2],\"seeds\":[\"1\"]}",
        "members[0]"
      ),
      ("{\"type\":\"batchReset\",\"batch\":\"b7\",\"seeds\":[]}", "There is no batch"),
      ("{\"type\":\"batch\",\"text\":\"{}\",\"members\":0}", "members"),
      ("{\"type\":\"batch\",\"text\":\"{}\",\"members\":1,\"environment\":\"x\"}", "environment"),
    ])
  func wrongMessages(line: String, words: String) throws {
    let text = try #require(Self.scenarios["meals"])
    var session = BridgeFixture.session()
    let request: JSONValue = [
      "type": "batch", "text": .string(text), "environment": "patient", "members": 2,
    ]
    #expect(session.ask(request)[0].text("batch") == "b1")
    let first = session.ask(["type": "batchReset", "batch": "b1", "seeds": ["1", "2"]])
    let answer = session.ask(line: line)[0]
    #expect(answer.text("type") == "error")
    let told = "\(answer.text("text") ?? "") \(answer.text("path") ?? "")"
    #expect(told.contains(words), "\(told)")
    #expect(session.ask(["type": "batchReset", "batch": "b1", "seeds": ["1", "2"]]) == first)
  }
}
