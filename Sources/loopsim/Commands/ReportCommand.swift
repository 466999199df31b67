import Arguments
import FileSystem
import FoundationEssentials
import Pages
import Quantities
import Records
import Reports
import RunPlans
import Simulation
import StructuredText

/// Writes the page of a run.
struct ReportCommand: Command {
  static let name = "report"
  static let abstract = """
    Write a page of a run, batch, study or health store: one HTML file that needs no network.
    """
  static let discussion = """
    SOURCE is a scenario file, - for a scenario on standard input, the folder of a run's or a \
    batch's results, the folder of a study, or a health store's file. Runs are carried out again \
    for their page; from a folder of results, the results must have the digests that the folder \
    states. Of a health store's file the page shows what is in it, day by day, a lane for each \
    source, as it is written there; loopsim audit judges it.

    With --svg every chart of the page becomes a file of its own besides, for papers and slides.

    loopsim is not a medical device. Do not use it, or anything it prints, to decide about therapy.
    """

  var source = ""
  var only: String?
  var seed: UInt64?
  var output: String?
  var figures: String?
  var day: RunDayWord?
  var record = RecordArguments()
  var allowsOutside = false

  static func describe(_ it: inout Parameters<Self>) {
    it.positional("source", \.source, help: "A scenario, folder of results, study, or store.")
    it.option("run", \.only, valueName: "id", help: "The run; needed where there are several.")
    it.option("seed", short: "s", \.seed, help: "A seed in place of the scenario's own.")
    it.option(
      "output", short: "o", \.output, valueName: "file",
      help: "The page's file, - for standard output; else report.html in a folder of results, and "
        + "here one with the name of the run or of the store.")
    it.destination("svg", \.figures, valueName: "folder", help: ChartFolder.help)
    it.option(
      "day", \.day,
      help: "The day whose timeline --svg makes a chart of: its number from 1, its date, such as "
        + "2026-01-15, or all; the first unless given.")
    RecordArguments.describe(&it, \.record)
    it.flag("allow-outside", \.allowsOutside, help: OutsideHelp.text)
  }

  func validate() throws {
    if day != nil, figures == nil {
      throw ValidationError("--day chooses a chart, and charts are written with --svg alone.")
    }
  }

  func run(to console: any Console) async throws {
    try Files.keep([source], apartFrom: [output])
    try Files.keepFolder(source, apartFrom: output)
    if let store = StoreFile.path(of: source) { return try writeStore(store, to: console) }
    guard record.isEmpty else {
      throw Failure(
        .usage,
        "--zone, --dates, --unit, --from and --to are for a health store; a run has its own clock "
          + "and unit.")
    }
    if try writeStudy(to: console) { return }
    if try await writeBatch(to: console) { return }
    let place = try ReportSource(source, run: only, seed: seed)
    let selection = try RunSelection(place.run, in: place.file, allowsOutside: allowsOutside)
    try selection.keepFiles(apartFrom: [output])
    console.note(selection.problems)
    var planned = selection.planned.asking(.ofRecords(beside: place.folder))
    planned.run.statedSeed = place.statedSeed
    // What the page says of how to replay a moment names a seed that the scenario can be given.
    let isOther = !planned.run.drawsSeed && place.statedSeed != planned.run.seed
    let finished = ScenarioBatch.carryOut(planned, seed: seed ?? (isOther ? place.statedSeed : nil))
    guard let report = finished.report, let summary = finished.summary else {
      throw Failure(.badInput, finished.allThatStoppedIt)
    }
    console.note(finished.unusedAnswers)
    if let digest = place.digest, digest != summary.digest, let seed {
      throw Failure(
        .badInput,
        "\(source) holds the result \(digest), which the seed \(seed) does not give. Leave --seed "
          + "out, or name the scenario.")
    }
    if let digest = place.digest, digest != summary.digest {
      throw Failure(
        .badInput,
        """
        \(source) holds the result \(digest), and \(place.file) now gives \(summary.digest). Run \
        the scenario again, with --report for its page.
        """)
    }
    let page = RunPage(report)
    if let figures {
      let place = try (day ?? .number(1)).place(in: page.dates)
      try ChartFolder.write(page.figures(day: place), to: figures, console)
    }
    let path = output ?? place.page ?? "\(summary.run.id.replacing("/", with: "-")).html"
    try write(page.html, to: path, console)
  }

  /// Writes the page of a health store's file.
  private func writeStore(_ file: String, to console: any Console) throws {
    guard only == nil, seed == nil, day == nil else {
      throw Failure(.usage, "--run, --seed and --day are for a run; \(file) is a health store.")
    }
    try OutsideHelp.refuse(allowsOutside, beside: file, "a health store")
    let (samples, notes, zones) = try record.samples(of: [file])
    for note in notes { console.note(note) }
    guard !samples.isEmpty else {
      throw Failure(.badInput, "\(file): there is no insulin, food or glucose to show.")
    }
    let zone = record.zone(of: samples, named: zones)
    if let sentence = zone.sentence("days begin at midnight") {
      console.note(sentence)
    }
    let span = try record.span(on: zone.clock, notes: console)
    let audit = Audit(
      samples,
      Audit.Options(
        from: span.from, to: span.to, clock: zone.clock, zone: zone.name,
        glucoseUnit: try record.glucoseUnit(of: [file], read: samples),
        // What was left out belongs to the page, as it does to that of an audit.
        reading: RecordArguments.reading(notes),
        priority: try RecordArguments.priority(of: [file])))
    guard audit.counts != (0, 0, 0) else {
      throw Failure(
        .badInput,
        "\(file): there is no insulin, food or glucose to show\(record.spanWords(on: zone.clock)).")
    }
    let page = HealthStorePage(audit, file: file, version: Loopsim.version ?? "")
    if let figures { try ChartFolder.write(page.figures, to: figures, console) }
    let path =
      output ?? "\(URL(fileURLWithPath: file).deletingPathExtension().lastPathComponent).html"
    try write(page.html, to: path, console)
  }
}

/// Where a page's run comes from: a scenario, or what the folder of a result says of itself.
struct ReportSource {
  var file: String
  var run: String?
  /// The seed of the run itself; `nil` for a scenario, and where another is asked for.
  var statedSeed: UInt64?
  /// The digest that the result must have; nothing for a scenario.
  var digest: String?
  /// The folder of the result; nothing for a scenario.
  var folder: String?
  /// Where the page goes unless a place is named; nothing for a scenario.
  var page: String?

  init(_ word: String, run: String?, seed: UInt64?) throws {
    (file, self.run) = (word, run)
    guard word != "-" else {
      // As the other commands that carry runs out have it.
      file = try ScenarioFolder.files([word])[0]
      return
    }
    guard let isFolder = Files.isFolder(word) else {
      throw Failure(.badInput, "There is no file or folder \"\(word)\". Check the path.")
    }
    guard isFolder else {
      try Self.refuseResult(word)
      return
    }
    let path = "\(word)/\(RunFolder.summaryName)"
    guard FileManager.default.fileExists(atPath: path) else { throw Self.noResult(in: word) }
    let reading = JSONReader.read(try Files.read(path), file: path)
    guard let root = reading.root else {
      throw Failure(.badInput, reading.problems.map(\.description).joined(separator: "\n"))
    }
    guard let source = root["source"]?["file"]?.string, let id = root["id"]?.string else {
      throw Failure(
        .badInput,
        "\(path) does not say which scenario the result comes from. Name the scenario itself.")
    }
    guard run == nil || run == id else {
      throw Failure(.usage, "\(word) holds the run \(id). Leave --run out, or name another folder.")
    }
    (file, self.run) = (try Self.scenario(source, near: word), id)
    digest = root["digest"]?.string
    folder = word
    if seed == nil { statedSeed = root["seed"]?.string.flatMap { UInt64($0) } }
    page = "\(word)/\(RunFolder.page)"
  }

  /// Refuses a file of a result, or a table, in which a scenario would be looked for in vain.
  private static func refuseResult(_ file: String) throws(Failure) {
    let url = URL(fileURLWithPath: file)
    if url.lastPathComponent == RunFolder.summaryName {
      let folder = file.dropLast(RunFolder.summaryName.count)
      throw Failure(
        .badInput,
        "\(file) is the summary of a result. Name its folder: "
          + ShellWord.line(["loopsim", "report", folder.isEmpty ? "." : String(folder)]))
    }
    if isRecord(file) {
      throw Failure(
        .badInput,
        "\(file) is a person's record, where a scenario, a folder of results or a health store is "
          + "wanted. Draw it with: "
          + ShellWord.line(["loopsim", "audit", file, "--format", "html"]))
    }
    guard url.pathExtension.lowercased() == "csv" else { return }
    throw Failure(
      .badInput,
      "\(file) is a table, where a scenario, a folder of results or a health store is wanted. "
        + "Draw its glucose with: "
        + ShellWord.line(["loopsim", "outcomes", file, "--report", "page.html"]))
  }

  /// Whether a file is Apple Health's export, or documents of Nightscout or of Tidepool.
  private static func isRecord(_ file: String) -> Bool {
    // What is looked at of a pipe is gone for who reads the scenario.
    guard InputFile.isRegular(file), let first = try? Files.parts(of: file)(),
      let format = try? ExchangeFormat(of: first, file: file)
    else { return false }
    return switch format {
    case .appleHealth, .nightscout: true
    // No scenario is a list.
    case .tidepool: first.first { !" \t\r\n".utf8.contains($0) } == UInt8(ascii: "[")
    case .table: false
    }
  }

  /// The most files that are looked at for a result: the folder may be a whole disk.
  private static let mostLooked = 10_000

  /// Says that a folder holds no result, and which of those below it does.
  private static func noResult(in folder: String) -> Failure {
    let below = FolderTree.paths(below: folder, atMost: mostLooked)
      .filter { $0.hasSuffix("/\(RunFolder.summaryName)") && !UnfinishedName.isPart(of: $0) }
      .map { "\(folder)/\($0.dropLast("/summary.json".count))" }.sorted()
    return Failure(
      .badInput,
      "\(folder) holds no result: no summary.json of a run, no runs.csv of a batch, no plan.json "
        + "of a study. "
        + (below.isEmpty
          ? "Name a scenario, or a folder that loopsim run has written."
          : "Name one of \(WordList.text(below, atMost: 4))."))
  }

  /// Where a scenario is that a result names by its path from the folder of making: here, or in one
  /// of the folders above the result.
  ///
  /// - Throws: ``Failure`` where it is in none of them.
  static func scenario(_ source: String, near folder: String) throws -> String {
    if FileManager.default.fileExists(atPath: source) { return source }
    var place = URL(fileURLWithPath: folder, isDirectory: true).standardizedFileURL
    while !source.hasPrefix("/"), place.path != "/" {
      let path = place.appendingPathComponent(source).path
      if FileManager.default.fileExists(atPath: path) { return path }
      place.deleteLastPathComponent()
    }
    throw Failure(
      .badInput,
      """
      The result comes from \(source), which is neither here nor in a folder above \(folder). \
      Work where it was made, or name the scenario: loopsim report FILE. loopsim run --report \
      writes the page beside the result.
      """)
  }
}
