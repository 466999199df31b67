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
    within a pulse. Those of our own \
    pump, and all when --pulse is given, must amount to whole pulses. A \
    sample of a day or longer is a remark, and no fault.

    Every page of the file has a checksum, so that a single changed byte is found wherever it is. \
    A file that another program wrote to after us has pages without a right one, and a file of an \
    older version has none; loopsim store migrate adds them.
    """

  var file = ""
  var pulse: Double?

  /// A pulse where nothing is said of the pump.
  private static let usualPulse = 0.05

  static func describe(_ it: inout Parameters<Self>) {
    it.positional("file", \.file, help: "The health store's file.")
    it.option(
      "pulse", \.pulse, valueName: "units", help: "The pump's smallest amount, in U; else 0.05.")
  }

  func validate() throws {
    guard pulse ?? 1 > 0 else { throw Failure(.usage, "A pulse must be more than 0 U.") }
  }

  func run(to console: any Console) async throws {
    let file = StoreFile.inFolder(file)
    try StoreFile.checkExists(file)
    var findings = try SQLiteBackend.damage(inFileAt: file)
    let store = try StoreFile.reading(file)
    var count = 0
    var remarks: [String] = []
    let kinds: [ObjectType] = [.insulinDelivery, .bloodGlucose, .dietaryCarbohydrates]
    for end in Audit(try store.allSamples(of: kinds)).findings
    where end.kind == .basalBegins || end.kind == .basalEnds {
      let text = "Gap: \(end.cause) No basal from \(end.start) to \(end.end)."
      if end.severity.rank <= AuditFinding.Severity.check.rank {
        findings.append(text)
      } else if end.kind == .basalEnds {
        remarks.append("\(text) \(end.consequence)")
      }
    }
    for type in ObjectType.allCases where type.isSampleType {
      let samples = try store.samples(of: type, as: .user)
      count += samples.count
      findings += duplicates(samples)
      remarks += samplesOfADay(samples, type)
      if type == .insulinDelivery { findings += faultsOfBasal(samples) }
    }
    for finding in findings + remarks { console.print(finding) }
    let rest = remarks.isEmpty ? "nothing to report" : counted(remarks.count, "remark")
    console.print(
      findings.isEmpty
        ? "\(file): \(count) samples, \(rest)." : "\(findings.count) findings.")
    if try !SQLiteBackend.hasChecksums(fileAt: file) {
      console.note(
        "\(file) has no checksums: a byte that changed inside a value is not seen. Add them with "
          + "loopsim store migrate.")
    }
    if !findings.isEmpty { throw CommandLineError.exit(.expectationFailed) }
  }

  /// What HealthKit stores and yet asks to avoid: amounts over a day or longer, of which no chart
  /// of hours can be drawn (Apple, "Saving data to HealthKit").
  private func samplesOfADay(_ samples: [Sample], _ type: ObjectType) -> [String] {
    guard type.aggregation == .cumulative else { return [] }
    return samples.filter { $0.end - $0.start >= .days(1) }.map { sample in
      let hours = FixedDecimal.text((sample.end - sample.start).seconds / 3_600, decimals: 1)
      return
        "Long: \(type) from \(sample.start) lasts \(hours) h. Apple asks apps to write samples "
        + "shorter than 24 hours, so that the hours of a day can be told apart."
    }
  }

  private func duplicates(_ samples: [Sample]) -> [String] {
    var findings: [String] = []
    for (one, other) in zip(samples, samples.dropFirst())
    where one.start == other.start && one.end == other.end && one.value == other.value
      && one.source == other.source
      && one.metadata.insulinDeliveryReason == other.metadata.insulinDeliveryReason
    {
      findings.append("Duplicate: \(one.type) at \(one.start), \(one.uuid) and \(other.uuid).")
    }
    return findings
  }

  private func faultsOfBasal(_ samples: [Sample]) -> [String] {
    let basal = samples.filter {
      $0.metadata.insulinDeliveryReason == .basal && $0.metadata.hasLoopKitOrigin
    }
    var findings: [String] = []
    for (one, next) in zip(basal, basal.dropFirst()) where one.end != next.start {
      let word = one.end < next.start ? "Gap" : "Overlap"
      findings.append(
        "\(word): basal ends at \(one.end), and the next segment starts at \(next.start).")
    }
    for sample in basal {
      let step = pulse ?? Self.usualPulse
      let line = BasalLine(sample, pulse: step)
      let pulses = line.reported / step
      // Of an imported record the pump is not known, and it may give finer amounts.
      let isOurs = !(sample.source?.bundleIdentifier.hasPrefix("import.") ?? true)
      if isOurs || pulse != nil, (pulses - pulses.rounded()).magnitude > 1e-6 {
        findings.append(
          "Pulses: the segment at \(sample.start) reports \(line.reported) U, no whole pulses.")
      }
      if line.isOff, let programmed = line.programmed {
        findings.append(
          "Conservation: the segment at \(sample.start) reports \(line.reported) U where its rate "
            + "amounts to \(programmed) U.")
      }
    }
    return findings
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
