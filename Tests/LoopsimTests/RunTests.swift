import Foundation
import Testing

@testable import loopsim

@Suite("Runs from the command line", .serialized)
struct RunTests {
  private func folder(with text: String = scenario()) throws -> Scratch {
    let scratch = try Scratch()
    try Files.write(text, to: scratch.file("night.json5"))
    return scratch
  }

  @Test("A run leaves its records, and ends with code 0")
  func leavesRecords() throws {
    let scratch = try folder()
    let result = try Binary.run(["run", "night.json5", "--out", "out"], in: scratch.url)
    #expect(result.code == 0, "\(result.error)")
    #expect(result.error.isEmpty)
    #expect(result.output.contains("results in out/quiet-night"))
    let names = try FileManager.default.contentsOfDirectory(
      atPath: scratch.file("out/quiet-night"))
    for name in [
      "summary.json", "timeline.csv", "basal-segments.csv", "event-history.csv",
      "insulin-delivery.csv", "ledger.json", "health.sqlite",
    ] { #expect(names.contains(name), "\(name)") }
    let basal = try scratch.text(of: "out/quiet-night/basal-segments.csv")
    #expect(basal.contains("2026-01-15T04:00:00-06:00,2026-01-15T06:00:00-06:00,0.40,0.80,"))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: scratch.file("out")).sorted()
        == ["batch.json", "quiet-night", "runs.csv"])
  }

  @Test("A run keeps the files and the series that its scenario chooses")
  func keepsWhatIsChosen() throws {
    func keeping(_ output: String) throws -> Scratch {
      let text = scenario().replacing(
        "format: 'loopsim/1',", with: "format: 'loopsim/1', output: \(output),")
      let scratch = try folder(with: text)
      let result = try Binary.run(["run", "night.json5", "--out", "out"], in: scratch.url)
      #expect(result.code == 0, "\(result.error)")
      return scratch
    }
    let chosen = try keeping("{ save: ['timeline'], series: ['iob.app', 'glucose.true'] }")
    let names = try FileManager.default.contentsOfDirectory(
      atPath: chosen.file("out/quiet-night"))
    #expect(names.sorted() == ["summary.json", "timeline.csv"])
    let timeline = try chosen.text(of: "out/quiet-night/timeline.csv")
    #expect(timeline.hasPrefix("time,seconds,glucose_true_mgdL,iob_U\n"))

    let least = try keeping("{ save: [] }")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: least.file("out/quiet-night"))
        == ["summary.json"])
  }

  @Test("When the time of a scenario is used up, its runs have no result, and the batch fails")
  func runsOutOfTime() throws {
    let text = scenario().replacing(
      "format: 'loopsim/1',", with: "format: 'loopsim/1', budget: { maxSeconds: 0 },")
    let scratch = try folder(with: text)
    try Files.write(
      scenario().replacing("quiet-night", with: "other"), to: scratch.file("other.json5"))
    let result = try Binary.run(
      ["run", "night.json5", "other.json5", "--out", "out"], in: scratch.url)
    #expect(result.code == 1)
    #expect(result.output.contains("budget.maxSeconds"))
    let alone = try Binary.run(["run", "night.json5", "--out", "alone"], in: scratch.url)
    #expect(alone.code == 1)
    #expect(
      alone.error
        == "quiet-night: The time that budget.maxSeconds allows was used up; this run has no "
        + "result.\n")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: scratch.file("out")).sorted()
        == ["batch.json", "other", "runs.csv"])
  }

  @Test("Language, time zone and processor change no byte of a run")
  func repeatsItself() throws {
    let scratch = try folder()
    let surroundings: [[String: String]] = [
      [:], ["TZ": "Asia/Kathmandu", "LANG": "tr_TR.UTF-8", "LC_ALL": "tr_TR.UTF-8"],
      ["GLIBC_TUNABLES": "glibc.cpu.hwcaps=-FMA,-AVX2,-AVX"],
    ]
    var results: [String] = []
    for (index, environment) in surroundings.enumerated() {
      let words = ["run", "night.json5", "--out", "out\(index)"]
      let result = try Binary.run(words, environment: environment, in: scratch.url)
      #expect(result.code == 0)
      let files = ["timeline.csv", "summary.json", "basal-segments.csv", "ledger.json"]
      results.append(
        try files.map { try scratch.text(of: "out\(index)/quiet-night/\($0)") }.joined())
    }
    #expect(results[1] == results[0])
    #expect(results[2] == results[0])
  }

  @Test("An expectation that fails ends with code 1 and is named")
  func namesFailures() throws {
    let scratch = try folder(with: scenario(expectedUnits: 2.5))
    let result = try Binary.run(["run", "night.json5", "--out", "out"], in: scratch.url)
    #expect(result.code == 1)
    #expect(result.output.contains("basal"))
    // What is told quietly is what failed, and how to look closer.
    let quiet = try Binary.run(["run", "night.json5", "--out", "out", "--quiet"], in: scratch.url)
    #expect(quiet.code == 1)
    let lines = quiet.output.split(separator: "\n")
    #expect(lines.count >= 2 && lines[0].hasPrefix("failed  quiet-night  "), "\(quiet.output)")
    #expect(lines[1].hasPrefix("failed  quiet-night  basal: "), "\(quiet.output)")
    let good = try folder()
    let nothing = try Binary.run(["run", "night.json5", "--quiet", "--out", "out"], in: good.url)
    #expect(nothing.code == 0 && nothing.output == "", "\(nothing.output)")
  }

  @Test(
    "Input that cannot be used ends with code 65, a place, and no folder",
    arguments: [
      ("absent", nil, "night.json5"),
      ("empty", "", "night.json5:1:1"),
      ("cut off", "{ format: 'loopsim/1', clock: {", "night.json5:1:"),
      ("binary", "\u{0}\u{1}\u{2}\u{3}", "night.json5:1:1"),
      (
        "misspelt",
        scenario().replacingOccurrences(of: "initialGlucose", with: "initialGlucos"),
        "night.json5:8:31"
      ),
      (
        "negative", scenario().replacingOccurrences(of: "maxBolus: 10.0", with: "maxBolus: -1"),
        "16:30"
      ),
    ] as [(String, String?, String)])
  func refusesBadInput(name: String, text: String?, place: String) throws {
    let scratch = try Scratch()
    if let text { try Files.write(text, to: scratch.file("night.json5")) }
    let result = try Binary.run(["run", "night.json5", "--out", "out"], in: scratch.url)
    #expect(result.code == 65)
    #expect(result.error.contains(place), "\(result.error)")
    #expect(result.output.isEmpty, "\(result.output)")
    #expect(!FileManager.default.fileExists(atPath: scratch.file("out")))
  }

  @Test("What is kept is verified, a difference is found, and CI never renews what is kept")
  func verifies() throws {
    let scratch = try folder()
    let words = ["verify", "night.json5", "--results", "kept"]
    let person = ["CI": "false"]
    #expect(try Binary.run(words, environment: person, in: scratch.url).code == 1)
    let refused = try Binary.run(
      words + ["--update"], environment: ["CI": "true"], in: scratch.url)
    #expect(refused.code == 64)
    #expect(!FileManager.default.fileExists(atPath: scratch.file("kept")))
    #expect(try Binary.run(words + ["--update"], environment: person, in: scratch.url).code == 0)
    #expect(try Binary.run(words, environment: person, in: scratch.url).code == 0)
    let path = scratch.file("kept/quiet-night/basal-segments.csv")
    let kept = try scratch.text(of: "kept/quiet-night/basal-segments.csv")
    try Files.write(kept.replacingOccurrences(of: ",0.80,", with: ",0.75,"), to: path)
    let result = try Binary.run(words, environment: person, in: scratch.url)
    #expect(result.code == 1)
    #expect(result.output.contains("basal-segments.csv"))
  }

  @Test("Results that cannot be written end with code 74")
  func reportsWriteFailures() throws {
    let scratch = try folder()
    try Files.write("a file where a folder should be", to: scratch.file("out"))
    let result = try Binary.run(["run", "night.json5", "--out", "out"], in: scratch.url)
    #expect(result.code == 74)
    #expect(result.error.contains("out"))
  }

  @Test("Output that nobody can take ends with code 74")
  func reportsFullOutput() throws {
    let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
    let result = try Binary.run(["help"], output: full)
    #expect(result.code == 74)
    #expect(result.error.contains("Standard output cannot be written: No space left on device"))
  }

  @Test("A file for the page is told where the page goes, and is taken for no scenario")
  func placeOfThePage() async throws {
    let scratch = try Scratch()
    let file = scratch.file("day.json5")
    try Files.write(scenario(expectedUnits: 2), to: file)
    for name in ["page.html", "page"] {
      let place = scratch.file(name)
      let result = await program(["run", "--report", place, file, "--out", scratch.file("out")])
      #expect(result.code == 64)
      #expect(
        result.error.contains(
          "\"\(place)\" is no scenario, and --report of run takes no file: the page of each run is "
            + "report.html in the run's folder"), "\(result.error)")
    }
    let wrong = await program(["run", "--report", scratch.file("none.json5")])
    #expect(wrong.code == 65)
    #expect(wrong.error.contains("There is no file or folder"))
    #expect(try scratch.names == ["day.json5"])
  }

  @Test("A stream that the program is started without is called closed, whatever it opens itself")
  func tellsClosedStreams() throws {
    let closed = try Binary.run(["--version"], through: "exec \"$0\" \"$@\" >&-")
    #expect(closed.code == 74)
    #expect(
      closed.error == "Error: Standard output cannot be written: it is closed. Send it elsewhere.\n"
    )
    let input = try Binary.run(["check", "-"], through: "exec \"$0\" \"$@\" <&-")
    #expect(input.code == 74)
    #expect(input.error.hasPrefix("Error: Standard input is closed."), "\(input.error)")
  }
}

/// Runs ``scenario(expectedUnits:)`` in two variants that are alike, `one` and `two`.
///
/// - Returns: The file and the folder of the results.
func runTwoVariants(in scratch: Scratch) async throws -> (file: String, out: String) {
  let (file, out) = (scratch.file("arms.json5"), scratch.file("out"))
  try Files.write(
    scenario().replacing("expect: [", with: "variants: { one: {}, two: {} }, expect: ["),
    to: file)
  #expect(await program(["run", file, "--quiet", "--out", out]).code == 0)
  return (file, out)
}

/// Two hours of a body that does what its settings say, with two expectations.
func scenario(expectedUnits: Double = 0.8) -> String {
  """
  {
    format: 'loopsim/1',
    id: 'quiet-night',
    title: 'A quiet night on a basal rate of 0.4 U/h',
    clock: { start: '2026-01-15T04:00:00', timeZone: 'America/Chicago', duration: '2h10m' },
    random: { seed: 7 },
    patient: {
      model: 'tidepool-simple', initialGlucose: 110,
      needs: {
        basal: [['00:00', 0.4]], sensitivity: [['00:00', 50]], carbRatio: [['00:00', 10]],
      },
    },
    therapy: {
      basal: [['00:00', 0.4], ['06:00', 0.5]], sensitivity: [['00:00', 50]],
      carbRatio: [['00:00', 10]], target: [['00:00', [100, 115]]], suspendThreshold: 75,
      maxBasal: 3.0, maxBolus: 10.0, insulinModel: 'rapidActingAdult',
    },
    cgm: { model: 'ideal' },
    pump: { model: 'generic50' },
    app: { closedLoop: false },
    expect: [
      {
        id: 'basal', timeline: 'healthStore.basal', between: ['04:00', '06:00'], mode: 'exact',
        equals: [['04:00:00', '06:00:00', 0.4, \(expectedUnits), 'basal']],
      },
      { id: 'ledger', invariant: 'insulin-conservation' },
    ],
  }
  """
}
