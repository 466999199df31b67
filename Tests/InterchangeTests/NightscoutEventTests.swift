import HealthStore
import Quantities
import StructuredText
import Testing

@testable import Interchange

/// What Loop, Trio and AndroidAPS tell Nightscout of pumps that stop, and of who measured.
@Suite("What apps tell Nightscout of the pump and of glucose")
struct NightscoutEventTests {
  private typealias Record = NightscoutRecordTests

  @Test(
    "While Loop says that the pump was stopped no schedule ran",
    arguments: [
      // From 00:20 until it resumes at 00:50, until the temp basal at 01:00, or for 15 minutes.
      (#""duration":0"#, "00:50", 0.6 * 20 / 60 + 0.6 * 10 / 60),
      (#""notes":"""#, nil, 0.6 * 20 / 60),
      (#""duration":15"#, nil, 0.6 * 20 / 60 + 0.6 * 25 / 60),
      // The record was written before it was over.
      (#""duration":5"#, "00:50", 0.6 * 20 / 60 + 0.6 * 10 / 60),
    ] as [(String, String?, Double)])
  func suspendedByLoop(span: String, resumed: String?, before: Double) throws {
    func event(_ name: String, _ time: String, _ beside: String) -> String {
      """
      {"eventType":"\(name)","created_at":"2026-02-03T\(time):00Z",\(beside),
       "enteredBy":"loop://Loop"}
      """
    }
    let stop = event("Suspend Pump", "00:20", span)
    let go = resumed.map { "," + event("Resume Pump", $0, #""notes":"""#) } ?? ""
    let known = try Record.basal(Record.entries, Record.treatments, Record.profile())
    // Others than Loop have the words the other way round, or without a blank.
    for blank in ["", " "] {
      let events = "[\(stop)\(go)]"
      let other = events.replacing("Suspend Pump", with: "Pump\(blank)Suspend")
        .replacing("Resume Pump", with: "Pump\(blank)Resume")
      let tandem = events.replacing("Suspend Pump", with: "Basal Suspension")
        .replacing("Resume Pump", with: "Basal Resume")
      for events in [events, other, tandem] {
        let read = try Record.basal(Record.entries, Record.treatments, events, Record.profile())
        #expect(abs(read.units - (known.units - 0.6 + before)) < 1e-9, "\(read.spans)")
        #expect(read.reader.report.omissions.isEmpty)
      }
    }
  }

  @Test("A bolus of nothing is left out as such, and not as an event that is not read")
  func boluses() throws {
    let (samples, report) = try ProgramFileTests.read(
      nightscout: """
        [{"eventType":"Correction Bolus","created_at":"2026-02-03T06:00:00Z","insulin":0},
         {"eventType":"Correction Bolus","created_at":"2026-02-03T07:00:00Z","insulin":1.5},
         {"eventType":"Meal Bolus","created_at":"2026-02-03T07:00:00Z","insulin":null},
         {"eventType":"Note","created_at":"2026-02-03T08:00:00Z","notes":"a"}]
        """)
    #expect(samples.map(\.storedValue) == [1.5])
    #expect(
      report.omissions.map(\.reason) == [
        "events 'Correction Bolus' without insulin and food are not read",
        "events 'Meal Bolus' without insulin and food are not read",
        "events 'Note' are not read",
      ])
  }

  @Test("A pump that went on after all else that is told of it ran its schedule")
  func resumedLast() throws {
    let events = """
      [{"eventType":"Suspend Pump","created_at":"2026-02-03T01:30:00Z",
        "enteredBy":"loop://Loop"},
       {"eventType":"Resume Pump","created_at":"2026-02-03T01:40:00Z",
        "enteredBy":"loop://Loop"}]
      """
    let known = try Record.basal(Record.entries, Record.treatments, Record.profile())
    let read = try Record.basal(Record.entries, Record.treatments, events, Record.profile())
    // Ten minutes of 0.6 U/h fewer, and twenty of them after the pump went on.
    #expect(abs(read.units - (known.units - 0.1)) < 1e-9, "\(read.spans)")
  }

  /// The basal of a file as the whole record of a person, whose readings go on for ten hours.
  private static func wholeBasal(_ treatments: String) throws -> [Sample] {
    let file = """
      {"entries":[{"type":"sgv","dateString":"2026-02-03T12:00:00Z","sgv":120}],
       "treatments":[\(treatments)],"profile":\(Record.profile())}
      """
    let root = try #require(JSONReader.read(Array(file.utf8), file: "f.json").root)
    var reader = NightscoutReader(file: "f.json", isWholeRecord: true) { _ in nil }
    let read = reader.samples(of: root, problems: ProblemList())
    return try #require(read).map(\.sample).filter { $0.type == .insulinDelivery }
  }

  @Test("A suspension keeps that it is over, also where nothing is rebuilt after it")
  func overLongBefore() throws {
    let over = try Self.wholeBasal(
      """
      {"eventType":"Suspend Pump","created_at":"2026-02-03T01:30:00Z","enteredBy":"loop://Loop"},
      {"eventType":"Resume Pump","created_at":"2026-02-03T01:40:00Z","enteredBy":"loop://Loop"}
      """)
    #expect(over.map(\.duration) == [.minutes(10)])
    #expect(over.map(\.metadata.isSuspend) == [true])
    #expect(over.map { $0.metadata.programmedTempBasalRate?.unitsPerHour } == [0])
    // A temp basal that is a suspension may go on after its time.
    let open = try Self.wholeBasal(
      """
      {"eventType":"Temp Basal","created_at":"2026-02-03T01:30:00Z","absolute":0,"duration":10,
       "reason":"suspend","enteredBy":"loop://Loop"}
      """)
    #expect(open.map(\.metadata.isSuspend) == [true])
    #expect(open.map { $0.metadata.programmedTempBasalRate == nil } == [true])
  }

  @Test(
    "A suspension that says how long it lasted does not go on to the resumption of a later one",
    arguments: [(#""duration":30,"#, [30, 10]), ("", [240, 10])])
  func resumedAnew(span: String, minutes: [Int64]) throws {
    let samples = try Self.wholeBasal(
      """
      {"eventType":"Suspend Pump","created_at":"2026-02-03T02:00:00Z",\(span)
       "enteredBy":"loop://Loop"},
      {"eventType":"Suspend Pump","created_at":"2026-02-03T06:00:00Z","enteredBy":"loop://Loop"},
      {"eventType":"Resume Pump","created_at":"2026-02-03T06:10:00Z","enteredBy":"loop://Loop"}
      """)
    let stopped = samples.filter { $0.metadata.isSuspend == true }
    #expect(stopped.map(\.duration) == minutes.map { .minutes($0) })
  }

  @Test("A pump that Loop stopped, and that did not go on, runs no schedule to the end")
  func stoppedByLoop() throws {
    let stop = """
      [{"eventType":"Suspend Pump","created_at":"2026-02-03T01:40:00Z",
        "enteredBy":"loop://Loop"}]
      """
    let known = try Record.basal(Record.entries, Record.treatments, Record.profile())
    let read = try Record.basal(Record.entries, Record.treatments, stop, Record.profile())
    // Without the twenty minutes of 0.6 U/h until 02:00.
    #expect(abs(read.units - (known.units - 0.2)) < 1e-9)
    #expect(
      read.reader.report.omissions.map(\.reason) == [
        "the pump does not resume within the history"
      ])
  }

  @Test("Of two temp basals of an oref history at one time each has its own duration")
  func cancelledAndSet() throws {
    func rate(_ rate: Double) -> String {
      """
      {"_type":"TempBasal","timestamp":"2026-02-03T01:00:00Z","rate":\(rate),"temp":"absolute"}
      """
    }
    func duration(_ minutes: Int) -> String {
      """
      {"_type":"TempBasalDuration","timestamp":"2026-02-03T01:00:00Z",
       "duration (min)":\(minutes)}
      """
    }
    func read(_ records: String...) throws -> (units: Double, omissions: [String]) {
      let read = try Record.basal(Record.entries, "[\(records.joined(separator: ","))]")
      #expect(read.reader.report.account.unexplained(of: .basal) == .zero)
      return (read.units, read.reader.report.omissions.map(\.reason))
    }
    // One that was cancelled, and half an hour of 2 U/h, whatever the order of the history.
    for records in [
      [rate(0), duration(0), rate(2), duration(30)], [duration(30), rate(2), duration(0), rate(0)],
      [rate(2), rate(0), duration(30), duration(0)],
    ] {
      let set = try read(records.joined(separator: ","))
      #expect(abs(set.units - 1) < 1e-9)
      #expect(set.omissions.isEmpty)
    }
    let lost = try read(rate(2), duration(30), duration(20))
    #expect(abs(lost.units - 1) < 1e-9)
    #expect(lost.omissions == ["the duration has no record of its temp basal"])
    let alone = try read(rate(2), duration(30), rate(3))
    #expect(abs(alone.units - 1) < 1e-9)
    #expect(alone.omissions == ["the temp basal has no record of its duration"])
  }

  @Test("A temp basal in percent that another cuts is left out for want of a profile")
  func percentWithoutProfile() throws {
    let history = """
      [{"_type":"TempBasal","timestamp":"2026-02-03T01:00:00Z","rate":150,"temp":"percent"},
       {"_type":"TempBasalDuration","timestamp":"2026-02-03T01:00:00Z","duration (min)":30},
       {"_type":"TempBasal","timestamp":"2026-02-03T01:20:00Z","rate":1.2,"temp":"absolute"},
       {"_type":"TempBasalDuration","timestamp":"2026-02-03T01:20:00Z","duration (min)":30}]
      """
    let read = try Record.basal(Record.entries, history)
    #expect(abs(read.units - 0.6) < 1e-9)
    #expect(
      read.reader.report.omissions.map(\.reason) == ["a temp basal in percent needs a profile"])
    // Half as much again as 0.6 U/h for twenty minutes.
    let known = try Record.basal(Record.entries, history, Record.profile())
    #expect(known.reader.report.omissions.isEmpty)
  }

  @Test(
    "What a sensor and what a meter measured stays that on its way through, whoever wrote it",
    arguments: ["share2", "loop://iPhone", "xDrip-DexcomG6", "Dexcom G6", "loop", "Contour"])
  func sensorsAndMeters(device: String) throws {
    let entries = """
      [{"type":"sgv","dateString":"2026-02-03T00:00:00Z","sgv":110,"device":"\(device)"},
       {"type":"mbg","dateString":"2026-02-03T00:02:00Z","mbg":120,"device":"\(device)"}]
      """
    let problems = ProblemList()
    let root = try #require(JSONReader.read(Array(entries.utf8), file: "f.json").root)
    var reader = NightscoutReader(file: "f.json") { _ in nil }
    let read = reader.samples(of: root, problems: problems)
    let samples = try #require(read).map(\.sample)
    #expect(samples.map(GlucoseOrigin.isSensor) == [true, false])
    let name = device.replacing("loop://", with: "")
    #expect(samples.map { $0.source?.name } == [name, name])
    #expect(samples[0].source != samples[1].source)
  }

  @Test("A check by a meter is a value where no entry of its minute has it")
  func checks() throws {
    func check(_ time: String, _ rest: String) -> String {
      #"{"eventType":"BG Check","created_at":"2026-02-03T\#(time)Z","enteredBy":"a",\#(rest)}"#
    }
    let (samples, report) = try ProgramFileTests.read(
      nightscout: """
        {"treatments":[
         \(check("06:00:20", #""glucose":120,"units":"mg/dl","glucoseType":"Finger""#)),
         \(check("07:00:00", #""glucose":5.5,"units":"mmol""#)),
         \(check("08:00:00", #""glucose":"99""#)),
         \(check("09:00:00", #""glucose":130,"units":"mg/dl","glucoseType":"Sensor""#)),
         \(check("10:00:00", #""glucose":6.1"#)),
         \(check("11:00:00", #""notes":"no value""#)),
         \(check("12:00:00", #""glucose":120,"units":"g/L""#))],
         "entries":[{"type":"mbg","dateString":"2026-02-03T06:00:00Z","mbg":120}]}
        """)
    // 5.5 mmol/L of 18.0156 mg/dL each.
    #expect(samples.count == 3)
    #expect(samples[0].storedValue == 120 && samples[2].storedValue == 99)
    #expect(abs((samples[1].storedValue ?? 0) - 99.0858) < 1e-9)
    #expect(samples.allSatisfy { !GlucoseOrigin.isSensor($0) })
    let reasons = report.omissions.map(\.reason)
    #expect(reasons.count == 5, "\(reasons)")
    for words in [
      "an entry of the same minute states this check too", "by the sensor's own value",
      "may be in mmol/L", "events 'BG Check' are not read", "it cannot be read",
    ] {
      #expect(reasons.contains { $0.contains(words) }, "\(words) in \(reasons)")
    }
  }

  @Test("A check keeps its value where food stands beside it, and the food whatever the value is")
  func checkWithFood() throws {
    func read(_ rest: String) throws -> (values: [Double], remarks: [String]) {
      let (samples, report) = try ProgramFileTests.read(
        nightscout: """
          [{"_id":"a","eventType":"BG Check","created_at":"2026-02-03T06:00:00Z","carbs":10,
            \(rest)}]
          """)
      #expect(report.account.unexplained(of: .carbohydrates) == .zero)
      #expect(report.omissions.isEmpty)
      #expect(Set(samples.map(\.uuid)).count == samples.count)
      return (samples.compactMap(\.storedValue).sorted(), report.remarks.map(\.reason))
    }
    let both = try read(#""glucose":120,"units":"mg/dl","glucoseType":"Finger""#)
    #expect(both.values == [10, 120] && both.remarks.isEmpty)
    #expect(try read(#""notes":"""#).values == [10])
    let left = "a meter's value beside insulin or food that is not read: "
    let sensor = try read(#""glucose":120,"units":"mg/dl","glucoseType":"Sensor""#)
    #expect(sensor.values == [10])
    #expect(
      sensor.remarks == [left + "a check by the sensor's own value is no reading of a meter"])
    let unit = try read(#""glucose":120,"units":"g/L""#)
    #expect(unit.values == [10])
    #expect(unit.remarks.count == 1 && unit.remarks[0].hasPrefix(left))
  }
  @Test("Glucose of a finger beside a meal or a note is a meter's value, and other glucose is none")
  func fingerBesideMeal() throws {
    func values(_ type: String, _ rest: String) throws -> [Double] {
      let (samples, _) = try ProgramFileTests.read(
        nightscout: """
          [{"_id":"a","eventType":"Meal Bolus","created_at":"2026-02-03T06:00:00Z","insulin":2,
            "carbs":20},
           {"_id":"b","eventType":"\(type)","created_at":"2026-02-03T07:00:00Z","units":"mg/dl",
            "glucose":131,\(rest)}]
          """)
      return samples.compactMap(\.storedValue).sorted()
    }
    #expect(
      try values("Meal Bolus", #""carbs":30,"insulin":3,"glucoseType":"Finger""#)
        == [2, 3, 20, 30, 131])
    #expect(try values("Note", #""glucoseType":"Finger""#) == [2, 20, 131])
    // Of a calculator's glucose nobody says that a meter measured it.
    #expect(try values("Meal Bolus", #""carbs":30,"insulin":3"#) == [2, 3, 20, 30])
    #expect(
      try values("Meal Bolus", #""carbs":30,"insulin":3,"glucoseType":"Sensor""#)
        == [2, 3, 20, 30])
  }
}
