import Dosing
import Interchange
import Quantities
import StructuredText
import Testing

@Suite("The algorithm's files are those of the LoopAlgorithm runner")
struct AlgorithmFileTests {
  static let schedule = """
    "startDate": "2024-06-01T06:00:00Z", "endDate": "2024-06-02T06:00:00Z"
    """

  static func input(_ more: String = "", glucose: String = "150") -> String {
    """
    {"predictionStart": "2024-06-01T12:02:30Z",
     "glucoseHistory": [{"date": "2024-06-01T13:59:10+02:00", "value": \(glucose)}],
     "doses": [{"type": "bolus", "startDate": "2024-06-01T11:16:00Z",
       "endDate": "2024-06-01T11:17:30.250Z", "volume": 2.35, "insulinType": "fiasp"},],
     "carbEntries": [{"date": "2024-06-01T11:18:00Z", "grams": 36, "absorptionTime": 7200}],
     "basal": [{\(schedule), "value": 1}],
     "sensitivity": [{\(schedule), "value": 50.0}],
     "carbRatio": [{\(schedule), "value": 1e1}],
     "target": [{\(schedule), "lowerBound": 100, "upperBound": 110}],
     \(more) "suspendThreshold": null, "maxBolus": 5, "maxBasalRate": 4}
    """
  }

  func read(_ text: String) -> AlgorithmInputFile.Reading {
    AlgorithmInputFile.read(Array(text.utf8), file: "input.json")
  }

  @Test("A whole input is read, with the runner's defaults")
  func whole() throws {
    let reading = read(Self.input())
    #expect(reading.problems.isEmpty)
    let input = try #require(reading.input)
    let midnight = CivilTime(year: 2024, month: 6, day: 1).millisecondsSince1970
    func at(_ milliseconds: Int64) -> Instant {
      .init(millisecondsSince1970: midnight + milliseconds)
    }
    #expect(input.predictionStart == at(43_350_000))
    #expect(input.glucoseHistory == [.init(date: at(43_150_000), quantity: .mgdL(150))])
    #expect(input.doses[0].endDate == at(40_650_250))
    #expect(input.doses[0].insulinModel == .fiasp)
    #expect(input.carbEntries[0].absorptionTime == .hours(2))
    #expect(input.suspendThreshold == nil)
    #expect(input.recommendationType == .automaticBolus)
    #expect(input.recommendationInsulinModel == .rapidActingAdult)
    #expect(!input.useMidAbsorptionISF && input.includePositiveVelocityAndRC)
    #expect(input.gradualTransitionsThreshold.mgdL == 40)
  }

  @Test("A key that nothing reads has one warning at its first place, and a remark has none")
  func unknownKeys() {
    let more = #""maxBolusUnits": 3, "note": "by hand", "x-mine": 1, "carbRatios": [],"#
    let text = Self.input(more)
      .replacing(#""value": 1}"#, with: #""value": 1}, {\#(Self.schedule), "valu": 2, "value": 1}"#)
      .replacing(#""value": 50.0}"#, with: #""value": 50.0, "unit": "mg/dL"}"#)
    let reading = read(text)
    #expect(reading.input != nil)
    #expect(
      reading.problems.map { "\($0.position.line) \($0.severity) \($0.sentence)" } == [
        "6 warning \"valu\" is not a known key in \"basal[1]\", and has no effect. "
          + "Did you mean \"value\"?",
        "7 warning \"unit\" is not a known key in \"sensitivity[0]\", and has no effect.",
        "10 warning \"maxBolusUnits\" is not a known key in the algorithm's input, and has no "
          + "effect. Did you mean \"maxBolus\"?",
        "10 warning \"carbRatios\" is not a known key in the algorithm's input, and has no effect. "
          + "Did you mean \"carbRatio\"?",
      ])
    let twice = Self.input()
      .replacing(#""carbEntries": ["#, with: #""carbEntries": [{"food": 1}, {"food": 2}, "#)
    #expect(
      read(twice).problems.first { $0.sentence.contains("food") }?.sentence
        == "\"food\" is not a known key in \"carbEntries[0]\", of 2 alike, and has no effect.")
  }

  @Test("Options are read")
  func options() throws {
    let reading = read(
      Self.input(
        """
        "recommendationType": "manualBolus", "recommendationInsulinType": "afrezza",
        "useMidAbsorptionISF": true, "maxActiveInsulinMultiplier": 3,
        "automaticBolusApplicationFactor": 0.5, "gradualTransitionsThreshold": 20,
        "useIntegralRetrospectiveCorrection": true, "includePositiveVelocityAndRC": false,
        """))
    let input = try #require(reading.input)
    #expect(input.recommendationType == .manualBolus)
    #expect(input.recommendationInsulinModel == .afrezza)
    #expect(input.useMidAbsorptionISF && !input.includePositiveVelocityAndRC)
    #expect(input.maximumActiveInsulinMultiplier == 3)
    #expect(input.automaticBolusApplicationFactor == 0.5)
    #expect(input.useIntegralRetrospectiveCorrection)
  }

  @Test(
    "A problem is located, and says what was expected",
    arguments: [
      (
        "\"recommendationType\": \"bolus\",", 10, 24,
        "\"bolus\" is not a value of \"recommendationType\"; it must be one of "
          + "\"manualBolus\", \"automaticBolus\", \"tempBasal\"."
      ),
      (
        "\"useMidAbsorptionISF\": 1,", 10, 25,
        "\"useMidAbsorptionISF\" must be true or false, not 1."
      ),
    ])
  func problems(line: String, row: Int, column: Int, sentence: String) {
    let reading = read(Self.input(line))
    #expect(reading.input == nil)
    #expect(reading.problems.count == 1)
    #expect(
      reading.problems.first?.position == .init(file: "input.json", line: row, column: column))
    #expect(reading.problems.first.map { $0.sentence.hasPrefix(sentence) } == true)
  }

  @Test(
    "What nobody can have has a warning where it stands, and is taken",
    arguments: [
      (
        "36,", "-36,",
        "\"carbEntries[0].grams\" is -36 g; no meal is negative."
      ),
      ("11:17:30.250Z", "11:15:00Z", "\"doses[0].endDate\" is before \"startDate\"."),
      ("2.35", "-2.35", "\"doses[0].volume\" is -2.35 U; no dose is negative."),
      ("7200", "0", "\"carbEntries[0].absorptionTime\" is 0 s; absorption takes time."),
      ("50.0", "0", "\"sensitivity[0].value\" is 0; it is above 0 in every person."),
      ("1e1", "-10", "\"carbRatio[0].value\" is -10; it is above 0 in every person."),
      ("\"value\": 1}", "\"value\": -1}", "\"basal[0].value\" is -1 U/h; no rate is negative."),
      ("110}", "90}", "\"target[0].upperBound\" is below \"lowerBound\"."),
      ("\"maxBolus\": 5", "\"maxBolus\": -5", "\"maxBolus\" is -5 U; no limit is negative."),
    ])
  func impossible(text: String, other: String, sentence: String) {
    let reading = read(Self.input().replacing(text, with: other))
    #expect(reading.input != nil)
    let told = reading.problems.map { "\($0.severity) \($0.sentence)" }
    #expect(told == ["warning \(sentence)"])
  }

  @Test(
    "Glucose that no sensor shows has one warning, and the input is used",
    arguments: [
      (8.3, " If that is in mmol/L, write it in mg/dL."), (0, ""), (-5, ""), (1_001, ""),
    ])
  func unshownGlucose(value: Double, advice: String) {
    let text = JSONField.shortText(value)
    let reading = read(
      Self.input(glucose: "\(text)}, {\"date\": \"2024-06-01T14:00:00+02:00\", \"value\": 8.1"))
    #expect(reading.input != nil)
    #expect(
      reading.problems.map(\.sentence) == [
        "\"glucoseHistory[0].value\" is \(text) mg/dL, and 1 more is like it; no sensor shows "
          + "glucose below 20 or above 1000 mg/dL.\(advice)"
      ])
    #expect(read(Self.input(glucose: "20")).problems.isEmpty)
  }

  @Test("A list out of order has one warning, as the algorithm has no answer to it")
  func disorder() {
    let glucose = Self.input(
      glucose: #"150}, {"date": "2024-06-01T11:59:10Z", "value": 151}, "#
        + #"{"date": "2024-06-01T11:54:10Z", "value": 149}, "#
        + #"{"date": "2024-06-01T11:49:10Z", "value": 148"#)
    // The second is of the same instant as the first, written in another zone.
    #expect(
      read(glucose).problems.map(\.sentence) == [
        "\"glucoseHistory[2].date\" is before that of the item ahead of it, and 1 more is like it; "
          + "the algorithm predicts nothing from such a list. Sort it by time."
      ])
    #expect(read(glucose).input != nil)
    let basal = Self.input().replacing(
      "\"value\": 1}",
      with: #""value": 1}, {"startDate": "2024-06-01T05:00:00Z", "# + #""endDate": "#
        + #""2024-06-01T06:00:00Z", "value": 2}"#)
    #expect(
      read(basal).problems.map(\.sentence) == [
        "\"basal[1].startDate\" is before that of the item ahead of it; the algorithm predicts "
          + "nothing from such a list. Sort it by time."
      ])
  }

  @Test("A missing key, a wrong date and something that is no JSON are refused")
  func unusable() {
    #expect(read("{}").problems.count == 10)
    #expect(read("[]").input == nil)
    #expect(read("{").input == nil)
    #expect(!read("").problems.isEmpty)
    let dated = Self.input().replacing("2024-06-01T12:02:30Z", with: "2024-06-01 12:02:30")
    #expect(
      read(dated).problems.map(\.description) == [
        "input.json:1:21: error: \"predictionStart\" must be a date and time such as "
          + "2024-06-01T12:02:30Z, not \"2024-06-01 12:02:30\"."
      ])
  }

  @Test(
    "Dates are read as Foundation's decoder reads them",
    arguments: [
      ("2024-01-03T12:00:00Z", 0), ("2024-01-03T12:00:00z", 0), ("2024-01-03T13:00:00+01:00", 0),
      ("2024-01-03T13:00:00+0100", 0), ("2024-01-03T07:00:00-05", 0),
      ("2024-01-03T12:00:00UTC", 0), ("2024-01-03T12:00:00.250Z", 250),
      ("2024-01-03T12:00:00Z ", 0), ("2024-01-03T11:59:60Z", 0), ("2024-01-02T36:00:00Z", nil),
      ("2023-12-31T24:00:00Z", -216_000_000), ("2024-02-30T12:00:00Z", 5_011_200_000),
      ("2024-01-03T12:00:00", nil), ("2024-01-03 12:00:00Z", nil), ("2024-01-03t12:00:00Z", nil),
      ("2024-01-03T12:00Z", nil), ("20240103T120000Z", nil), ("2024-01-03T12:00:00,5Z", nil),
      ("2024-01-03T12:00:00.Z", nil), ("", nil),
      // However much stands between, what follows is no date's.
      ("2024-01-03T12:00:00Z" + String(repeating: " ", count: 44) + "or later", nil),
      ("2024-01-03T12:00:00.25" + String(repeating: "0", count: 50) + "Z", 250),
    ] as [(String, Int64?)])
  func dates(text: String, expected: Int64?) {
    let noon = CivilTime(year: 2024, month: 1, day: 3).millisecondsSince1970 + 43_200_000
    #expect(
      Instant(iso8601: text)?.millisecondsSince1970 == expected.map { noon + $0 }, "\(text)")
  }

  @Test("The output has the runner's keys, in its form")
  func output() throws {
    let input = try #require(read(Self.input()).input)
    let text = AlgorithmOutputFile.text(LoopAlgorithm.run(input))
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines[0] == "{" && lines[1].hasPrefix("  \"activeCarbs\" : "))
    #expect(text.hasSuffix("\n}\n"))
    #expect(text.contains("\"quantityUnit\" : \"mg\\/dL\""))
    #expect(text.contains("\"momentum\" : [\n\n    ],"))
    #expect(text.contains("\"type\" : {\n        \"bolus\" : {\n\n        }\n      }"))
    #expect(text.contains("\"duration\" : 1800,"))
    let root = try #require(JSONReader.read(text: text, file: "output.json").root)
    #expect(
      root.members?.map(\.key) == [
        "activeCarbs", "activeInsulin", "dosesRelativeToBasal", "effects", "predictedGlucose",
        "recommendation",
      ])
    #expect(
      root["effects"]?.members?.map(\.key) == [
        "carbStatus", "carbs", "insulin", "insulinCounteraction", "momentum",
        "retrospectiveCorrection", "retrospectiveGlucoseDiscrepancies",
      ])
    let first = root["predictedGlucose"]?.items?.first
    #expect(first?["startDate"]?.string == "2024-06-01T11:59:10Z")
    #expect(first?["quantity"]?.double == 150)
  }

  @Test("An error of the algorithm is an output like any other")
  func errorOutput() throws {
    var input = try #require(read(Self.input()).input)
    input.glucoseHistory = []
    let output = LoopAlgorithm.run(input)
    let text = AlgorithmOutputFile.text(output)
    #expect(text.contains("\"error\" : \"missingGlucose\""))
    #expect(text.contains("\"activeInsulin\" : null"))
    #expect(DecisionExplanation.text(input, output).contains("There is no glucose."))
  }

  @Test("The explanation's shares add up to the predicted change")
  func explanation() throws {
    let input = try #require(read(Self.input()).input)
    let output = LoopAlgorithm.run(input)
    let text = DecisionExplanation.text(input, output)
    func value(_ label: String) throws -> Double {
      let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("  \(label)  ") })
      let last = line.split(separator: " ").last
      return try #require(last.flatMap { Double($0) })
    }
    let sum = try value("carbs") + value("insulin")
    #expect(abs(sum - (try value("together"))) < 0.11)
    #expect(text.contains("momentum                  not used: "))
    #expect(text.contains("insulin on board"))
  }

  @Test("Glucose of after the decision is told as that, and warned of where Loop would not dose")
  func glucoseAhead() throws {
    // 13:59:10 in the zone of the reading is 11:59:10Z; Loop doses on glucose up to 15 min ahead.
    for (start, words, isWarned) in [
      ("11:59:40", "30s old", false), ("11:58:40", "30s after the decision", false),
      ("11:44:10", "15m after the decision", false),
      ("11:44:09", "15m1s after the decision", true),
    ] {
      let reading = read(Self.input().replacing("12:02:30", with: start))
      let input = try #require(reading.input)
      let text = DecisionExplanation.text(input, LoopAlgorithm.run(input))
      #expect(text.contains("  glucose                   150.0 mg/dL, \(words)\n"), "\(text)")
      let sentence =
        "\"glucoseHistory[0].date\" is 15m1s after \"predictionStart\"; the algorithm predicts "
        + "from it, and Loop does not dose on glucose of more than 15m ahead."
      #expect(reading.problems.map(\.sentence) == (isWarned ? [sentence] : []))
    }
  }

  @Test("A part of a correction that is more than the whole is warned of")
  func factorAboveOne() throws {
    func told(_ factor: String) -> [String] {
      read(Self.input("\"automaticBolusApplicationFactor\": \(factor),")).problems.map(\.sentence)
    }
    #expect(told("1").isEmpty && told("0").isEmpty)
    #expect(
      told("1.5") == [
        "\"automaticBolusApplicationFactor\" is 1.5; above 1 a bolus is more than is needed."
      ])
  }

  @Test("A rate below 0 is told as 0 with what it means, and stays in the file as it is")
  func belowNothing() throws {
    // Of 30 U there are more than 20 left after 46 minutes, and twice the maximum bolus is 10 U:
    // the room is below -10 U, and in half an hour below -20 U/h plus the schedule of 1 U/h.
    let text = Self.input(#""recommendationType": "tempBasal","#)
      .replacing(#""volume": 2.35"#, with: #""volume": 30"#)
    let input = try #require(read(text).input)
    let output = LoopAlgorithm.run(input)
    let explained = DecisionExplanation.text(input, output)
    #expect(
      explained.contains("Recommended: a basal rate of 0.00 U/h for 30m (decrease)."),
      "\(explained)")
    let number = try #require(explained.split(separator: "own number is ").last)
    let rate = try #require(Double(number.prefix { $0 != " " }))
    #expect(rate < -19)
    #expect(explained.contains("No pump takes insulin back: it gives 0 U/h."), "\(explained)")
    #expect(
      AlgorithmOutputFile.text(output).contains("\"unitsPerHour\" : \(Int(rate))"), "\(rate)")
  }

  @Test("What limits a bolus is the maximum bolus, and of an automatic one a part of it")
  func limitOfBolus() throws {
    func explained(_ options: String, limit: Double? = nil) throws -> String {
      var input = try #require(read(Self.input(options, glucose: "390")).input)
      input.automaticBolusLimitFactor = limit
      return DecisionExplanation.text(input, LoopAlgorithm.run(input))
    }
    // More than 5 U are needed, of which an automatic bolus gives 0.4 at most: 2 U.
    let automatic = try explained("")
    #expect(automatic.contains("a bolus of 2.00 U"), "\(automatic)")
    let part = "Limit: an automatic bolus is at most 0.40 of the maximum bolus of 5.00 U."
    #expect(automatic.contains(part), "\(automatic)")
    let own = try explained("", limit: 0.1)
    #expect(own.contains("a bolus of 0.50 U"), "\(own)")
    #expect(own.contains("is at most 0.10 of the maximum bolus of 5.00 U."))
    let manual = try explained(#""recommendationType": "manualBolus","#)
    #expect(manual.contains("Limit: the maximum bolus of 5.00 U."), "\(manual)")
  }

  @Test("A prediction that ends below a later correction range is not said to end in one")
  func belowALaterRange() throws {
    // 120 mg/dL to the end are above 80 to 90, which holds now, and below 140 to 150 from 14:00 on.
    var input = try #require(read(Self.input()).input)
    input.doses = []
    input.carbEntries = []
    for index in input.glucoseHistory.indices { input.glucoseHistory[index].quantity = .mgdL(120) }
    var later = try #require(input.target.first)
    let change = input.predictionStart + .hours(2)
    (later.startDate, later.lowerBound, later.upperBound) = (change, .mgdL(140), .mgdL(150))
    input.target[0].endDate = change
    (input.target[0].lowerBound, input.target[0].upperBound) = (.mgdL(80), .mgdL(90))
    input.target = [input.target[0], later]
    let output = LoopAlgorithm.run(input)
    #expect(output.reasoning?.correction == .inRange)
    let explained = DecisionExplanation.text(input, output)
    #expect(explained.contains("or no dose is both needed and safe: nothing to correct."))
  }

  @Test("Of a rate that a pump can run nothing is said of pumps")
  func ordinaryRate() throws {
    let input = try #require(read(Self.input(#""recommendationType": "tempBasal","#)).input)
    let explained = DecisionExplanation.text(input, LoopAlgorithm.run(input))
    #expect(explained.contains("Recommended: a basal rate of "))
    #expect(!explained.contains("own number"), "\(explained)")
  }

  @Test("Where insulin does not act by the lowest value, no amount is told")
  func beforeInsulinActs() throws {
    var input = try #require(read(Self.input()).input)
    input.doses = []
    input.carbEntries = []
    for index in input.glucoseHistory.indices { input.glucoseHistory[index].quantity = .mgdL(80) }
    input.suspendThreshold = .mgdL(75)
    // The first value after 12:02:30 is as low as all others, and the range begins at 100 mg/dL.
    let explained = DecisionExplanation.text(input, LoopAlgorithm.run(input))
    let told =
      "The prediction falls to 80.0 mg/dL at 2024-06-01T12:05:00Z and ends below the range: "
      + "insulin that is given now hardly acts by then, and no amount is small enough."
    #expect(explained.contains(told), "\(explained)")
  }
}
