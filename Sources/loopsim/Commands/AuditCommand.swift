import Arguments
import Dosing
import HealthStore
import Interchange
import Pages
import Quantities
import Records
import StructuredText

/// Judges the insulin record of one person.
struct AuditCommand: Command {
  static let name = "audit"
  static let abstract = "Say what is wrong with a person's insulin record."
  static let discussion = """
    Reads a health store's file, Apple Health's export.xml, Tidepool's or Nightscout's JSON, \
    histories of oref, and vendors' tables; several files are one record of one person. Tells what \
    is there twice, missing, late or impossible, three totals for each day, and what it does to \
    insulin on board, of which --format json has a figure for every five minutes. Nothing is \
    changed. Not a medical device.
    """

  enum Format: String, ArgumentValue, CaseIterable { case text, json, html }

  /// What makes the command fail.
  enum Limit: String, ArgumentValue, CaseIterable {
    case fault, check

    var severity: AuditFinding.Severity { self == .fault ? .fault : .check }
  }

  var files: [String] = []
  var record = RecordArguments()
  var pulse: Double?
  var profile: String?
  var insulin: InsulinWord?
  var format: Format?
  var output: String?
  var failOn: Limit?
  var figures: String?

  static func describe(_ it: inout Parameters<Self>) {
    it.positional(
      "files", \.files, help: "The files of the record, or folders of results with a store.")
    RecordArguments.describe(&it, \.record)
    it.option("pulse", \.pulse, valueName: "units", help: "The pump's smallest amount, in U.")
    it.option(
      "profile", \.profile, valueName: "schedule",
      help: "The basal schedule, such as '00:00=0.8,06:00=1.1', when no file has one.")
    it.option("insulin", \.insulin, help: "The insulin whose action counts; else rapid-acting.")
    it.option(
      "format", \.format,
      help: "What is printed; unless given what the end of the file's name says, .html or .json, "
        + "else text.")
    it.option(
      "out", short: "o", \.output, valueName: "file",
      help: "The file to write; - for standard output, where all but a page goes by itself. A page "
        + "goes to NAME-audit.html.")
    it.destination("svg", \.figures, valueName: "folder", help: ChartFolder.help)
    it.option("fail-on", \.failOn, help: "End with code 1 for a finding as bad as this or worse.")
  }

  func validate() throws { try BasalLine.check(pulse: pulse) }

  func run(to console: any Console) async throws {
    try Files.keep(files.map(StoreFile.inFolder), apartFrom: [output])
    try ResultNames.keep(besides: files.map(StoreFile.inFolder), apartFrom: output)
    let format = formOfAnswer
    let (samples, notes, zones) = try record.samples(of: files)
    for note in notes { console.note(note) }
    // Of one file it is a finding that it is of two people; several were put together just now.
    if files.count > 1 { try record.checkPerson(samples, of: files) }
    let zone = record.zone(of: samples, named: zones)
    let span = try record.span(on: zone.clock, notes: console)
    let options = Audit.Options(
      from: span.from, to: span.to, clock: zone.clock, zone: zone.name,
      glucoseUnit: try record.glucoseUnit(of: files, read: samples), pulse: pulse,
      schedule: try profile.map(Self.schedule),
      model: insulin?.type.model() ?? .rapidActingAdult,
      // What was left out belongs to the answer, which goes on without the terminal.
      reading: RecordArguments.reading(notes), priority: try RecordArguments.priority(of: files))
    if let sentence = zone.sentence("days begin at midnight") {
      console.note(sentence)
    }
    let audit = Audit(samples, options)
    guard audit.counts.insulin > 0 else {
      throw Failure(
        .badInput,
        "\(files.joined(separator: ", ")): there is no insulin to audit"
          + "\(record.spanWords(on: zone.clock)).")
    }
    let name = files.joined(separator: ", ")
    let text =
      switch format {
      case .text: AuditText.lines(audit, file: name).joined(separator: "\n") + "\n"
      case .json: JSONWriter().text(audit.json(file: name))
      case .html: AuditPage(audit, file: name, version: Loopsim.version ?? "").html
      }
    if let figures {
      let page = AuditPage(audit, file: name, version: Loopsim.version ?? "")
      try ChartFolder.write(page.figures, to: figures, console)
    }
    // A page goes to a file unless it is asked for here, as that of loopsim report does.
    let path = output ?? (format == .html ? "\(Self.stem(of: files[0]))-audit.html" : "-")
    if path == "-" {
      let shown =
        switch format {
        case .text: InertText.lines(text)
        case .json: InertText.json(text)
        case .html: text
        }
      console.write(shown, to: .output)
    } else {
      if output == nil { try Files.keep(whereNobodyNamed: path) }
      try Files.write(text, to: path)
      if output == nil { console.print("page in \(path)") }
    }
    if let failOn, audit.contains(failOn.severity) {
      throw CommandLineError.exit(.expectationFailed)
    }
  }

  /// What is written: what was asked for, else what the file's name says.
  private var formOfAnswer: Format {
    if let format { return format }
    guard let output else { return .text }
    if RunPages.isPage(output) { return .html }
    return output.lowercased().hasSuffix(".json") ? .json : .text
  }

  /// The name of a file without its folder and its ending.
  private static func stem(of file: String) -> String {
    guard file != "-" else { return "record" }
    let name = file.split(separator: "/").last.map(String.init) ?? file
    return name.split(separator: ".").first.map(String.init) ?? "record"
  }

  /// Reads `00:00=0.8,06:00=1.1`.
  static func schedule(_ text: String) throws -> DailySchedule<Double> {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    let entries = parts.compactMap { part -> DailySchedule<Double>.Entry? in
      let words = part.split(separator: "=", omittingEmptySubsequences: false)
      guard words.count == 2, let time = TimeOfDay(words[0]),
        let rate = Double(argument: String(words[1])), (0...35).contains(rate)
      else { return nil }
      return .init(start: time, value: rate)
    }
    guard entries.count == parts.count, let schedule = try? DailySchedule(entries) else {
      throw Failure(
        .usage,
        "--profile '\(text)': write times and rates such as '00:00=0.8,06:00=1.1'. The first time "
          + "is 00:00, the others ascend, and a rate is from 0 to 35 U/h.")
    }
    return schedule
  }
}
