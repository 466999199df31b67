import Quantities
import Testing

@testable import Outcomes

@Suite("Metrics")
struct MetricTests {
  private static let measurements = RunMeasurements(
    from: monday, to: monday + .days(1),
    trueGlucose: series(day(of: 120, with: [(30, run(50, 3)), (60, run(200, 12))])),
    cgm: series(run(132, 288)),
    insulin: InsulinRecord(deliveries: [
      .init(at: monday + .hours(1), .milliunits(12_000), .basal),
      .init(at: monday + .hours(2), .milliunits(6_000), .userBolus),
      .init(at: monday + .hours(3), .milliunits(2_000), .automaticBolus),
    ]),
    loop: LoopActivity(
      cycles: [.init(at: monday), .init(at: monday + .minutes(5), failure: "no glucose")],
      insulinOnBoard: [.init(at: monday, units: 1), .init(at: monday + .minutes(5), units: 3)]))

  @Test(
    "A metric gives its figure",
    arguments: [
      ("tir(70,180)", 100.0 * 273 / 288), ("tir", 100.0 * 273 / 288), ("tir(70,180)@cgm", 100),
      ("below(54)", 300 / 288.0), ("above(180)@true", 1_200 / 288.0), ("mean@cgm", 132),
      ("sd@cgm", 0), ("gmi@cgm", 3.31 + 0.02392 * 132), ("minGlucose", 50), ("maxGlucose", 200),
      ("lows(54,15m)", 1), ("lows(54, 20m)", 0), ("lows(54,900000ms)", 1),
      ("lows(70)@true", 1), ("highs(180,1h)", 1),
      ("highs(180,1h5m)", 0), ("lows(54,900s)", 1), ("lows(54,901s)", 0), ("lows(54,0.25h)", 1),
      ("highs(180,3601s)", 0), ("tdd", 20), ("basalUnits", 12), ("bolusUnits", 8),
      ("automaticBolusUnits", 2), ("basalPercent", 60), ("loopsCompleted", 1),
      ("loopsFailed", 1), ("maxIOB", 3), ("meanIOB", 2), ("timeTo(190)", 300),
      ("percentile(50)@cgm", 132),
      ("wear@cgm", 100), ("modd@cgm", -1),
    ] as [(String, Double)])
  func givesItsFigure(text: String, expected: Double) throws {
    let value = try Metric.parse(text).value(of: Self.measurements)
    if expected == -1 {
      #expect(value == nil)
    } else {
      #expect(agree(value, expected))
    }
  }

  /// TBR, TAR and TITR are the names of the consensus (Battelino and others 2019 and 2023).
  @Test(
    "What others call a metric is answered with that metric, and not with the name most like it",
    arguments: [
      ("tbr", "below(70)", "below(3.9)"), ("TAR", "above(180)", "above(10)"),
      ("titr(70,140)", "tir(70,140)", "tir(3.9,7.8)"), ("avg@cgm", "mean", "mean"),
      ("max", "maxGlucose", "maxGlucose"), ("hypos", "lows(70)", "lows(3.9)"),
    ])
  func namesOfOthers(text: String, mgdL: String, mmolL: String) throws {
    for (isMolar, meant) in [(false, mgdL), (true, mmolL)] {
      let problem = #expect(throws: MetricProblem.self) {
        try Metric.parse(text, isMolar: isMolar)
      }
      #expect(problem?.description.hasSuffix("is no metric. Did you mean \"\(meant)\"?") == true)
      // What is proposed can be written so.
      #expect(try Metric.parse(meant, isMolar: isMolar).isMolar == isMolar)
    }
  }

  @Test(
    "Only a name near by is offered; far from all, the metrics are listed",
    arguments: [
      ("tirr", "\"tirr\" is no metric. Did you mean \"tir\"?"),
      ("maen", "\"maen\" is no metric. Did you mean \"mean\"?"),
      ("zz", "\"zz\" is no metric. The metrics are tir, "),
    ])
  func offersOnlyNearNames(text: String, expected: String) {
    let problem = #expect(throws: MetricProblem.self) { try Metric.parse(text) }
    #expect(problem?.description.hasPrefix(expected) == true)
  }

  @Test("Wear is that of the whole run: what is before the first reading is missing too")
  func wearOfRun() throws {
    func wear(_ readings: GlucoseSeries, from start: Instant = monday) throws -> Double? {
      let run = RunMeasurements(
        from: start, to: monday + .days(1), trueGlucose: series(run(120, 288)), cgm: readings)
      return try Metric.parse("wear@cgm").value(of: run)
    }
    // A sensor put on at noon gives 145 of the 288 readings, the one at midnight among them.
    let late = GlucoseSeries(
      (144...288).map { .init(monday + .minutes(5) * Int64($0), mgdL: 110) })
    #expect(agree(try wear(late), 100 * 145 / 288))
    #expect(agree(try wear(late, from: monday + .hours(12)), 100))
    // One between the cycles lacks nothing.
    let between = GlucoseSeries(
      (0..<288).map { .init(monday + .minutes(5) * Int64($0) + .minutes(2), mgdL: 110) })
    #expect(agree(try wear(between), 100))
    #expect(agree(try wear(GlucoseSeries([])), 0))
  }

  @Test("A sensor that is silent for long is measured by its own interval, and so is each part")
  func wearOfSilentSensor() throws {
    let ends = [GlucoseSeries.Point(monday, mgdL: 110), .init(monday + .days(1), mgdL: 120)]
    let silent = RunMeasurements(
      from: monday, to: monday + .days(1), trueGlucose: series(run(120, 289)),
      cgm: GlucoseSeries(ends, interval: .minutes(5)))
    // Two of the readings from midnight to midnight, both included.
    #expect(agree(try Metric.parse("wear@cgm").value(of: silent), 100 * 2 / 289))
    // Readings a day apart say nothing of how far glucose swings between them.
    #expect(try Metric.parse("mage@cgm").value(of: silent) == nil)
    let half = silent.restricted(from: monday, to: monday + .hours(12))
    #expect(half.cgm.intervalMinutes == 5)
    #expect(agree(try Metric.parse("wear@cgm").value(of: half), 100 * 1 / 144))
    #expect(GlucoseSeries(ends).intervalMinutes == 1_440)
    #expect(GlucoseSeries([], interval: .minutes(15)).intervalMinutes == 15)
    #expect(GlucoseSeries([], interval: .seconds(210)).intervalMinutes == 4)
  }

  @Test("The relative difference of the sensor is against the truth at the same time")
  func comparesSensorAndTruth() throws {
    let run = RunMeasurements(
      from: monday, to: monday + .hours(1), trueGlucose: series([100, 200, 100]),
      cgm: GlucoseSeries([
        .init(monday, mgdL: 110), .init(monday + .seconds(150), mgdL: 150),
        .init(monday + .minutes(10), mgdL: 120), .init(monday + .hours(1), mgdL: 500),
      ]))
    #expect(agree(try Metric.parse("mard").value(of: run), 10))
  }

  @Test(
    "What is written is read back",
    arguments: ["tir(70,180)@cgm", "lows(54,15m)@true", "tdd", "conga(24)@true"])
  func roundTrips(text: String) throws {
    #expect(try Metric.parse(text).description == text)
  }

  @Test(
    "Too many arguments are told with how many there may be",
    arguments: [
      ("mean(1)", "mean takes no argument, not 1; write mean."),
      ("below(54,70)", "below takes 1 argument, not 2; write below(limit)."),
      ("tir(1,2,3)", "tir takes 2 arguments, not 3; write tir(lowest,highest)."),
    ])
  func countsArguments(text: String, sentence: String) {
    let problem = #expect(throws: MetricProblem.self) { try Metric.parse(text) }
    #expect(problem?.description == sentence)
  }

  @Test("Millimoles in, milligrams inside")
  func readsMillimoles() throws {
    #expect(agree(try Metric.parse("below(3.2)", isMolar: true).arguments.first, 57.64992))
  }

  // T. Battelino and others, Diabetes Care 42 (2019) 1593–1603, table 2: the limits in both units.
  @Test(
    "The limits of the consensus are the same in both units",
    arguments: [
      ("tir(3.9,10.0)", "tir(70,180)"), ("tir(3.9,7.8)@cgm", "tir(70,140)@cgm"),
      ("below(3.0)", "below(54)"), ("above(13.9)", "above(250)"),
      ("lows(3.9,15m)", "lows(70,15m)"),
    ])
  func consensus(molar: String, mass: String) throws {
    let read = try Metric.parse(molar, isMolar: true)
    let reference = try Metric.parse(mass)
    #expect(read.arguments == reference.arguments)
    // What a sensor shows as 3.9 mmol/L is 70 mg/dL, and in range.
    let values = series([69, 69, 70, 71, 53, 53, 54, 54, 140, 141, 180, 181, 250, 251])
    let run = RunMeasurements(
      from: monday, to: monday + .days(1), trueGlucose: values, cgm: values)
    #expect(read.value(of: run) != nil && read.value(of: run) == reference.value(of: run))
    // Nor is what is written as 10.0 mmol/L above 10.0.
    let atLimits = series([3, 3.9, 7.8, 10, 13.9].map { $0 * 18.0156 })
    let kept = RunMeasurements(
      from: monday, to: monday + .days(1), trueGlucose: atLimits, cgm: atLimits)
    let shares = ["tir(3.9,10.0)": 60.0, "tir(3.9,7.8)@cgm": 40, "below(3.0)": 0, "above(13.9)": 0]
    if let share = shares[molar] {
      #expect(read.value(of: kept) == share && reference.value(of: kept) == share)
    }
    let written = molar.replacing(".0", with: "")
    #expect(read.description == (molar.contains("@") ? written : "\(written)@true"))
  }

  @Test(
    "A wrong metric is refused where it is wrong",
    arguments: [
      ("", 1, "starts with its name"), ("tri(70,180)", 1, "Did you mean \"tir\"?"),
      ("tir(70,180", 4, "not closed"), ("tir(70,180,5)", 12, "takes 2"),
      ("tir(180,70)", 5, "starts above its end"), ("lows(54,15)", 9, "is no duration"),
      ("below", 6, "needs its limit"), ("below(x)", 7, "no number"),
      ("mean@sensor", 5, "@true or @cgm"),
      ("tdd@cgm", 4, "not measured on glucose"), ("mean cgm", 6, "cannot follow"),
      ("below(nan)", 7, "no number"), ("percentile(101)", 12, "a number from 0 to 100"),
      ("mean()x", 7, "cannot follow"), ("lows(54,1e999m)", 9, "is no duration"),
      ("lows(54,30m1h)", 9, "is no duration"),
      ("lows(54,400d)", 9, "a duration from 0s to 366d, not 400d"),
      ("lows(54,-15m)", 9, "a duration from 0s to 366d, not -15m"),
    ])
  func refuses(text: String, column: Int, words: String) {
    #expect {
      try Metric.parse(text)
    } throws: { error in
      guard let problem = error as? MetricProblem else { return false }
      return problem.column == column && problem.description.contains(words)
    }
  }

  @Test("No bytes make the reader stop", arguments: 0..<200 as Range<UInt64>)
  func survivesNoise(seed: UInt64) {
    let alphabet = Array("tirlows(54,15m)@true cgm\u{0}é%-.e9+")
    var state = seed &+ 1
    let text = String(
      (0..<24).map { _ -> Character in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return alphabet[Int(state >> 33) % alphabet.count]
      })
    if let metric = try? Metric.parse(text) {
      #expect(metric.arguments.allSatisfy { $0.isFinite })
    }
  }

  @Test("A part of a run is measured by itself")
  func restrictsRuns() throws {
    let part = Self.measurements.restricted(from: monday + .minutes(90), to: monday + .hours(3))
    #expect(try Metric.parse("bolusUnits").value(of: part) == 8)
    #expect(try Metric.parse("maxGlucose").value(of: part) == 120)
  }

  @Test("Insulin on board at the end of a run counts in the part that lasts so long")
  func lastInsulinOnBoard() throws {
    let end = monday + .minutes(30)
    let onBoard = [(0, 1.0), (25, 2), (30, 6)].map { minute, units in
      LoopActivity.InsulinOnBoard(at: monday + .minutes(Int64(minute)), units: units)
    }
    let whole = RunMeasurements(
      from: monday, to: end, trueGlucose: series([]), cgm: series([]),
      loop: LoopActivity(insulinOnBoard: onBoard))
    let metric = try Metric.parse("maxIOB")
    #expect(metric.value(of: whole) == 6)
    #expect(metric.value(of: whole.restricted(from: monday, to: end)) == 6)
    #expect(metric.value(of: whole.restricted(from: monday, to: monday + .minutes(25))) == 1)
  }

  @Test("The reading at the end of a run counts in the part that lasts so long, and in no other")
  func lastReading() throws {
    let whole = RunMeasurements(
      from: monday, to: monday + .minutes(30), trueGlucose: series(run(100, 6) + [300]),
      cgm: series([]))
    let metric = try Metric.parse("maxGlucose")
    #expect(metric.value(of: whole) == 300)
    #expect(metric.value(of: whole.restricted(from: monday, to: whole.end)) == 300)
    #expect(metric.value(of: whole.restricted(from: monday, to: monday + .minutes(25))) == 100)
  }
}
