import Arguments
import Devices
import Quantities
import StructuredText

/// Groups the commands about CGM.
struct CGMCommand: Command {
  static let name = "cgm"
  static let abstract = "Judge CGM readings."
  static let subcommands: [any Command.Type] = [AccuracyCommand.self]
}

/// Judges CGM readings against their references.
struct AccuracyCommand: Command {
  /// What virtual sensors are judged by.
  enum Reference: String, CaseIterable, ArgumentValue {
    case plasma
    case interstitial
  }

  /// How the report is printed.
  enum Format: String, CaseIterable, ArgumentValue { case text, json }

  static let name = "accuracy"
  static let abstract = "Judge CGM readings against references: MARD, iCGM table, error grids."
  static let discussion = """
    FILE is a table with the columns reference and cgm in mg/dL, and optionally sensor, day, \
    reference_rate and cgm_rate in mg/dL/min. Its columns may be separated by commas, semicolons \
    or tabs; beside the latter two numbers may have a decimal comma. Readings of LOW and HIGH are \
    counted apart. Without a file virtual sensors of a model are worn over a curve that covers \
    their range. Of these it is also told how alike errors are that follow one another, and how \
    many readings did not come when they were due; a table has no times.

    The surveillance error grid is a table of scores, not a formula; give it with --surveillance \
    as \
    601 or more rows (test value) of as many columns (reference), from 0 mg/dL in steps of 1.

    loopsim is not a medical device.
    """

  var file: String?
  var sensor: String?
  var sensors: Int?
  var days: Int?
  var reference: Reference?
  var surveillance: String?
  var seed: UInt64 = 1
  var format = Format.text

  private static let usualSensor = "dexcomG6"
  private static let usualSensors = 100

  static func describe(_ it: inout Parameters<Self>) {
    it.positional("file", \.file, help: "Pairs of reference and reading, a CSV file.")
    it.option(
      "sensor", \.sensor, valueName: "id",
      help: "The virtual sensor; see sensors. It is \(usualSensor) unless given.")
    it.option(
      "sensors", \.sensors, valueName: "count",
      help: "How many virtual sensors; \(usualSensors) unless given.")
    it.option(
      "days", \.days,
      help: "How long each is worn; its whole wear unless given, or 10 for one without end.")
    it.option(
      "reference", \.reference,
      help: "What virtual sensors are judged by; \(Reference.plasma.rawValue) unless given.")
    it.option(
      "surveillance", \.surveillance, valueName: "csv",
      help: "The table of scores of the surveillance error grid.")
    it.option("seed", \.seed, help: "The seed of the virtual sensors and of the interval.")
    it.option("format", \.format, help: "How to print the report.")
  }

  func validate() throws {
    if let sensors, !(1...10_000).contains(sensors) {
      throw Failure(.usage, "--sensors is \(sensors); give a number from 1 to 10000.")
    }
    if let days, !(1...365).contains(days) {
      throw Failure(.usage, "--days is \(days); give a number from 1 to 365.")
    }
    let isOfVirtual = sensor != nil || sensors != nil || days != nil || reference != nil
    if let file, isOfVirtual {
      throw Failure(
        .usage,
        "--sensor, --sensors, --days and --reference are for virtual sensors, and \(file) is a "
          + "table of readings. Leave out one or the other.")
    }
  }

  func run(to console: any Console) async throws {
    let grid = try surveillance.map { try AccuracyFile.surveillance(at: $0, notes: console) }
    let subject = try file.map { try judged(file: $0, console) } ?? worn()
    let report = AccuracyReport(subject.pairs, surveillance: grid)
    let interval = AccuracyReport.mardInterval(of: subject.pairs, seed: seed)
    switch format {
    case .text:
      console.print(
        AccuracyText.text(
          report, title: subject.title, interval: interval, persistence: subject.persistence))
    case .json:
      let json = AccuracyJSON.json(
        report, title: subject.title, interval: interval, persistence: subject.persistence)
      console.printJSON(json)
    }
  }

  /// What is judged: a table of pairs, or what virtual sensors showed.
  private struct Judged {
    var title: String
    var pairs: [AccuracyPair]
    /// Of virtual sensors alone; a table has no times.
    var persistence: ErrorPersistence?
  }

  private func judged(file: String, _ console: any Console) throws -> Judged {
    Judged(title: file, pairs: try AccuracyFile.pairs(at: file, notes: console))
  }

  /// The most pairs that are kept at once, about 400 MB.
  private static let mostPairs: Int64 = 4_000_000

  private func worn() throws -> Judged {
    let sensor = sensor ?? Self.usualSensor
    let sensors = sensors ?? Self.usualSensors
    let reference = reference ?? .plasma
    guard let profile = SensorProfile.named(sensor) else {
      throw Failure.unknown("sensor", sensor, among: SensorProfile.catalogue.map(\.id))
    }
    let study = AccuracyStudy(
      profile: profile, sensors: sensors, wear: days.map { .days(Int64($0)) },
      referenceIsLagged: reference == .interstitial, seed: seed)
    guard study.largestCount <= Self.mostPairs else {
      throw Failure(
        .usage,
        "\(WordList.counted(sensors, "sensor")) worn \(study.wear) "
          + "\(WordList.verb("gives", of: sensors)) "
          + "\(study.largestCount) pairs, more than "
          + "\(Self.mostPairs). Give fewer --sensors or --days.")
    }
    let title =
      "\(WordList.counted(sensors, "virtual sensor")), \(profile.name), worn \(study.wear), "
      + "against \(reference.rawValue) glucose, seed \(seed)"
    let result = study.result()
    return Judged(title: title, pairs: result.pairs, persistence: result.persistence)
  }
}
