import Arguments
import Devices
import StructuredText
import Testing

@testable import loopsim

@Suite("Device commands")
struct DeviceCommandTests {
  @Test("The lists name every pump and every sensor with its source")
  func lists() async {
    let pumps = await program(["pumps"])
    #expect(pumps.code == 0)
    for pump in PumpProfile.catalogue {
      #expect(pumps.output.contains("\(pump.id) - \(pump.name)\n"))
    }
    let sensors = await program(["sensors", "dexcomG7"])
    #expect(sensors.output.contains("  wear       10d and 12 h of grace, warm-up 30m\n"))
    // Six minutes behind plasma for every body, also for one with an interstitium of its own.
    #expect(sensors.output.contains("  lag        6m behind plasma\n"))
    let ideal = await program(["sensors", "ideal"])
    #expect(ideal.output.contains("  wear       without end, no warm-up\n  lag        none\n"))
    let libre = await program(["sensors", "libre2"])
    #expect(libre.output.contains("  label      MARD 9.2-9.3 %\n  simulated  MARD 9.2 %, as "))
    // A Libre is of one piece, a Dexcom G6 has a transmitter, and a G4 keeps nothing.
    for (id, words) in [
      ("libre2", "kept 8h, thrown away with the sensor"),
      ("dexcomG6", "kept 1d, by a transmitter that goes on with the next sensor"),
      ("dexcomG4", "lost"),
    ] {
      let text = await program(["sensors", id]).output
      #expect(text.contains("  gaps       readings without contact are \(words)\n"), "\(text)")
    }
    // Under the name that scenarios have for it, too.
    let generic = await program(["pumps", "generic"])
    #expect(generic.code == 0 && generic.output.hasPrefix("generic50 - Generic 0.05 U pump\n"))
    let csv = await program(["pumps", "omnipodDASH", "--format", "csv"])
    #expect(csv.output.hasPrefix("id,name,property,value\nomnipodDASH,Omnipod DASH,pulse,"))
  }

  @Test("A device that does not exist is a usage error with the nearest name")
  func unknownDevice() async {
    let result = await program(["pumps", "omnipodDAHS"])
    #expect(result.code == 64)
    #expect(result.error.contains("Did you mean \"omnipodDASH\"?"))
    #expect(await program(["cgm", "accuracy", "--sensor", "dexcomG9"]).code == 64)
    #expect(await program(["cgm", "accuracy", "--sensors", "0"]).code == 64)
    #expect(await program(["cgm", "accuracy", "--days", "0"]).code == 64)
  }

  @Test("Of no pairs there is no figure, and of one no deviation")
  func withoutPairs() async throws {
    let scratch = try Scratch()
    let table = scratch.file("pairs.csv")
    try Files.write(
      "reference,cgm,reference_rate,cgm_rate\n100,110,0.5,0.5\n300,280,0.5,0.5\n", to: table)
    let words = ["cgm", "accuracy", table]
    let json = await program(words + ["--format", "json"]).output
    let tree = try #require(JSONReader.read(Array(json.utf8), file: "accuracy.json").root)
    let ranges = try #require(tree["by_range"]?.items)
    try #require(ranges.count == 5)
    for (place, count) in [0, 0, 1, 0, 1].enumerated() {
      #expect(ranges[place]["n"]?.integer == Int64(count))
      for key in ["mard_percent", "bias_mgdL", "within_15_percent", "within_40_percent"] {
        #expect((ranges[place][key]?.double == nil) == (count == 0), "\(place), \(key)")
      }
      #expect(ranges[place]["sd_mgdL"]?.double == nil)
    }
    // 10 of 100 mg/dL, and -20 of 300.
    #expect(ranges[2]["mard_percent"]?.double == 10)
    #expect(ranges[4]["bias_mgdL"]?.double == -20)
    let rates = try #require(tree["rates"]?.items)
    #expect(rates.map { $0["percent"]?.items?.count } == [nil, nil, nil, 6, nil, nil])
    let text = await program(words).output
    #expect(text.contains("\n  70-180            1     10.0     10.0        -    100.0"), "\(text)")
    #expect(
      text.contains(
        "\n  A                 0        -        -        -        -    >85.0 no pairs"),
      "\(text)")
    #expect(text.contains("\n  < -2              0        -        -        -        -"), "\(text)")
  }

  @Test("Virtual sensors give the same report twice, and another with another seed")
  func study() async throws {
    let words = ["cgm", "accuracy", "--sensors", "3", "--days", "1"]
    let first = await program(words)
    #expect(first.code == 0)
    #expect(first.output.contains("not a medical device"))
    #expect(first.output.contains("Clarke"))
    #expect(await program(words).output == first.output)
    #expect(await program(words + ["--seed", "2"]).output != first.output)
    // Three days of a reading every five minutes, without the two hours of each warm-up.
    #expect(first.output.contains("autocorrelation of errors"))
    #expect(first.output.contains("readings due 795, of which "), "\(first.output)")
    let json = await program(words + ["--format", "json"])
    let root = try #require(JSONReader.read(text: json.output, file: "").root)
    let persistence = try #require(root["persistence"])
    #expect(persistence["readings_due"]?.double == 795)
    #expect(persistence["autocorrelation"]?.items?.count == 4)
    #expect(root["mard_percent"]?.double ?? 0 > 0)
    #expect(root["icgm"]?.items?.count == 11)
  }

  @Test("A study never takes more than it says")
  func boundedStudy() async {
    let endless = await program(["cgm", "accuracy", "--sensor", "breton2008", "--sensors", "2"])
    #expect(endless.code == 0)
    #expect(endless.output.contains("2 virtual sensors, Sensor of Breton and Kovatchev, worn 10d"))
    let huge = await program([
      "cgm", "accuracy", "--sensor", "generic", "--sensors", "10000", "--days", "365",
    ])
    #expect(huge.code == 64)
    #expect(huge.error.contains("350410000 pairs, more than 4000000"))
  }

  @Test("Commas that a spreadsheet adds at the ends of lines and below the last change nothing")
  func spareCommas() async throws {
    let scratch = try Scratch()
    let text = "reference,cgm\n100,110\n200,180\n"
    try Files.write(text, to: scratch.file("pairs.csv"))
    try Files.write(
      text.replacing("\n", with: ",,\n") + ",,,\n", to: scratch.file("spread.csv"))
    let plain = await program(["cgm", "accuracy", scratch.file("pairs.csv")])
    let spread = await program(["cgm", "accuracy", scratch.file("spread.csv")])
    #expect(plain.code == 0 && spread.code == 0, "\(spread.error)")
    #expect(spread.output.replacing("spread.csv", with: "pairs.csv") == plain.output)
  }

  @Test("A table of pairs is judged by its numbers")
  func table() async throws {
    let scratch = try Scratch()
    let path = scratch.file("pairs.csv")
    try Files.write(
      "reference,cgm,sensor\n100,110,a\n200,180,b\n50,LOW,b\n", to: path)
    let result = await program(["cgm", "accuracy", path])
    #expect(result.code == 0)
    #expect(result.output.contains("pairs 2, LOW 1, HIGH 0 (left out)"))
    #expect(result.output.contains("MARD 10.0 %"))
    // Nobody says of which day the pairs are, nor when they were taken.
    #expect(!result.output.contains("day 1") && !result.output.contains("autocorrelation"))
    let json = await program(["cgm", "accuracy", path, "--format", "json"])
    let root = try #require(JSONReader.read(text: json.output, file: "").root)
    #expect(abs((root["mard_percent"]?.double ?? 0) - 10) < 1e-9)
    #expect(root["pairs"]?.double == 2 && root["low"]?.double == 1)
    #expect(root["persistence"]?.isNull == true)
    try Files.write("reference,cgm,day\n100,110,1\n200,180,4\n", to: path)
    let days = await program(["cgm", "accuracy", path])
    #expect(days.output.contains("day 1") && days.output.contains("day 4"), "\(days.output)")
  }

  /// A day and a half after it was put in a sensor is in its second day of wear, not in the first.
  @Test("A part of a day is no day of wear")
  func partOfDay() async throws {
    let scratch = try Scratch()
    let path = scratch.file("pairs.csv")
    try Files.write("reference,cgm,day\n100,110,1\n200,180,1.5\n90,95,2.0\n", to: path)
    let result = await program(["cgm", "accuracy", path])
    #expect(result.code == 65 && result.output.isEmpty)
    #expect(
      result.error.contains("pairs.csv:3:9: error: Day 1.5 is not a day of wear, a whole number"),
      "\(result.error)")
    #expect(!result.error.contains("pairs.csv:4"))
  }

  @Test(
    "Columns may be separated by semicolons or tabs, beside decimal commas",
    arguments: [
      "reference;cgm;sensor\n100,0;110,0;a\n200;180;b\n50;LOW;b\n",
      "reference\tcgm\n100\t110.0\n200\t180,0\n50\tLOW\n",
    ])
  func otherSeparators(text: String) async throws {
    let scratch = try Scratch()
    let path = scratch.file("pairs.csv")
    try Files.write(text, to: path)
    let result = await program(["cgm", "accuracy", path])
    #expect(result.code == 0 && result.error.isEmpty, "\(result.error)")
    #expect(result.output.contains("pairs 2, LOW 1, HIGH 0 (left out)"))
    #expect(result.output.contains("MARD 10.0 %"))
  }

  @Test(
    "A table in mmol/L, or without one reading in range, has no MARD of 0 %",
    arguments: [
      ("5.5,5.6\n6,7\n", "mmol/L"), ("100,LOW\n300,401\n", "LOW or HIGH"),
      ("100,-3\n", "cannot be"),
    ])
  func nothingToJudge(rows: String, words: String) async throws {
    let scratch = try Scratch()
    let path = scratch.file("pairs.csv")
    try Files.write("reference,cgm\n\(rows)", to: path)
    let result = await program(["cgm", "accuracy", path])
    #expect(result.code == 65 && result.output.isEmpty)
    #expect(result.error.contains(words), "\(result.error)")
  }

  @Test(
    "What is for virtual sensors is no word beside a table",
    arguments: [
      ["--days", "5"], ["--sensors", "3"], ["--sensor", "libre3"],
      ["--reference", "interstitial"], ["--sensor", "dexcomG6"], ["--sensors", "100"],
      ["--reference", "plasma"],
    ])
  func wordsOfVirtualSensors(words: [String]) async throws {
    let scratch = try Scratch()
    let path = scratch.file("pairs.csv")
    try Files.write("reference,cgm\n100,110\n", to: path)
    #expect(await program(["cgm", "accuracy", path]).code == 0)
    let result = await program(["cgm", "accuracy", path] + words)
    #expect(result.code == 64 && result.error.contains("is a table of readings"))
  }

  @Test("Every wrong number of a table is told by its place")
  func wrongTable() {
    let text = "reference,cgm,day\n100,abc,1\n-5,100,1\n100,100,0\nnan,100,1\n"
    let problems = ProblemList()
    let pairs = AccuracyFile.pairs(Array(text.utf8), file: "pairs.csv", problems: problems)
    #expect(pairs.isEmpty)
    let places = problems.sorted.map { "\($0.position.line):\($0.position.column)" }
    #expect(places == ["1:1", "2:5", "3:1", "4:9", "5:1"])
    // Beside a decimal comma a point is none of decimals for certain, nor a comma beside none.
    for (text, place) in [
      ("reference;cgm\n100,5;110\n1.234;120\n", "3:1"),
      ("reference;cgm\n100,5;1.234\n120;130,5\n", "2:7"),
      ("reference\tcgm\n100\t110\n1,234\t120\n", "3:1"),
    ] {
      let doubts = ProblemList()
      let pairs = AccuracyFile.pairs(Array(text.utf8), file: "pairs.csv", problems: doubts)
      #expect(pairs.isEmpty, "\(text)")
      #expect(doubts.sorted.map { "\($0.position.line):\($0.position.column)" } == [place])
      #expect(doubts.sorted[0].description.contains("or one between thousands. Write it without."))
    }
    // 1,000 mg/dL are the most that a table of glucose may hold.
    let highest = ProblemList()
    let atLimit = Array("reference,cgm\n1000,400\n1001,400\n1e308,400\n".utf8)
    _ = AccuracyFile.pairs(atLimit, file: "pairs.csv", problems: highest)
    #expect(highest.sorted.map(\.position.line) == [3, 4])
    // A column that nobody reads is told: its name may be a slip.
    let misspelt = ProblemList()
    let named = Array("reference,cgm,sensr,time\n100,110,a,1\n".utf8)
    #expect(AccuracyFile.pairs(named, file: "pairs.csv", problems: misspelt).count == 1)
    #expect(
      misspelt.sorted.map(\.description) == [
        "pairs.csv:1:15: note: The column \"sensr\" is not read. Did you mean \"sensor\"?",
        "pairs.csv:1:21: note: The column \"time\" is not read.",
      ])
    let missing = ProblemList()
    _ = AccuracyFile.pairs(Array("a,b\n1,2\n".utf8), file: "pairs.csv", problems: missing)
    #expect(missing.sorted.count == 1)
  }
}
