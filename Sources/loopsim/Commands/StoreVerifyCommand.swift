import Arguments
import HealthStore
import HealthStoreSQLite
import Quantities
import Records
import StructuredText

/// Checks a file for damage and its samples for contradictions.
struct StoreVerifyCommand: Command {
  static let name = "verify"
  static let abstract = "Check a health store's file for damage, gaps, overlaps and duplicates."
  static let discussion = """
    Ends with code 1 when something is found. Basal segments must tile the time from the first to \
    the last without gap or overlap, go on as long as the record does, and keep to their rates to \
    within a pulse; a temp basal may lack one more for every 20 minutes, after which Loop commands \
    it anew. Those of our own pump, and all when --pulse is given, must amount to whole pulses. A \
    sample of a day or longer is a remark, and no fault.

    FILE is the store's file or a run's folder of results; beside the store of a run, \
    settings.json says what a pulse of its pump is.

    Every page of the file has a checksum, so that a single changed byte is found wherever it is. \
    A file that another program wrote to after us has pages without a right one, and a file of an \
    older version has none; loopsim store migrate adds them.
    """

  var file = ""
  var pulse: Double?

  static func describe(_ it: inout Parameters<Self>) {
    it.positional("file", \.file, help: "The health store's file.")
    it.option(
      "pulse", \.pulse, valueName: "units",
      help: "The pump's smallest amount, in U; else that of the run, or 0.05.")
  }

  func validate() throws { try BasalLine.check(pulse: pulse) }

  func run(to console: any Console) async throws {
    let file = StoreFile.inFolder(file)
    try StoreFile.checkExists(file)
    var findings = try SQLiteBackend.damage(inFileAt: file)
    let store = try StoreFile.reading(file)
    let pulse = try pulse ?? RunSettings(beside: file).pulse
    var count = 0
    var (ofTypes, longOnes): ([String], [String]) = ([], [])
    var readings: [Sample] = []
    for type in ObjectType.allCases where type.isSampleType {
      var judged = JudgedSamples(type, pulse: pulse)
      try store.visitSamples(of: type, as: .user) { judged.take($0) }
      count += judged.count
      ofTypes += judged.findings
      longOnes += judged.longOnes
      readings += judged.extent.samples
    }
    let record =
      try store.allSamples(of: [.insulinDelivery, .dietaryCarbohydrates])
      + readings.map { RestoredSample($0, created: $0.end) }
    let ends = Audit.ends(of: record.filter { !$0.sample.hasUndeterminedDuration })
    var remarks: [String] = []
    for end in ends {
      let text = "Gap: \(end.cause) No basal from \(end.start) to \(end.end)."
      if end.severity.rank <= AuditFinding.Severity.check.rank {
        findings.append(text)
      } else if end.kind == .basalEnds {
        remarks.append("\(text) \(end.consequence)")
      }
    }
    findings += ofTypes
    remarks += longOnes
    for finding in findings + remarks { console.print(finding) }
    let rest = remarks.isEmpty ? "nothing to report" : WordList.counted(remarks.count, "remark")
    console.print(
      findings.isEmpty
        ? "\(file): \(WordList.counted(count, "sample")), \(rest)."
        : "\(WordList.counted(findings.count, "finding")).")
    if try !SQLiteBackend.hasChecksums(fileAt: file) {
      console.note(
        "\(file) has no checksums: a byte that changed inside a value is not seen. Add them with "
          + "loopsim store migrate.")
    }
    if !findings.isEmpty { throw CommandLineError.exit(.expectationFailed) }
  }
}

/// Brings a file to the current schema.
struct StoreMigrateCommand: Command {
  static let name = "migrate"
  static let abstract = "Bring a health store's file to the current version, with checksums."

  var file = ""

  static func describe(_ it: inout Parameters<Self>) {
    it.positional("file", \.file, help: "The health store's file.")
  }

  func run(to console: any Console) async throws {
    let file = StoreFile.inFolder(file)
    try StoreFile.checkExists(file)
    let before = try SQLiteBackend.schemaVersion(ofFileAt: file)
    _ = try StoreFile.writing(file)
    let after = SQLiteBackend.currentSchemaVersion
    let lacksChecksums = try !SQLiteBackend.hasChecksums(fileAt: file)
    if lacksChecksums { try SQLiteBackend.addChecksums(toFileAt: file) }
    console.print(
      before == after
        ? "\(file) has version \(after), which is the current one."
        : "\(file) was brought from version \(before) to \(after).")
    if lacksChecksums { console.print("\(file) has checksums now.") }
  }
}
