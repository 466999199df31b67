internal import HealthStore
internal import Quantities

/// Where samples of another program's file come from, as far as the file says.
enum ImportedSource {
  /// Who wrote a record, as far as its file says.
  struct Author: Hashable {
    var name: String
    /// The bundle identifier, or one that follows from the name.
    var identifier: String

    /// Fails for no name.
    init?(name: String?, bundle: String? = nil) {
      guard let name, !name.isEmpty, name.utf8.count <= 128 else { return nil }
      self.name = name
      identifier = bundle ?? ImportedSource.identifier(of: name)
    }
  }

  /// The part of a bundle identifier that follows from a name, whose letters stay in any alphabet:
  /// two apps with names of as many Chinese letters are two.
  static func identifier(of name: String) -> String {
    name.lowercased().map { $0.isLetter || $0.isNumber ? "\($0)" : "-" }.joined()
  }
}

/// The sources of the samples of a file, each made once: a file has many samples of few.
struct ImportedSources {
  /// What decides about a source.
  private struct Key: Hashable {
    var part: String
    var author: ImportedSource.Author?
    var isGlucose: Bool
    var wasUserEntered: Bool
  }

  /// The program whose file it is, as a part of a bundle identifier.
  let program: String
  private var known: [Key: SourceRevision] = [:]

  init(program: String) { self.program = program }

  /// A sample as if it had been saved when it ended, by the app that the file names, else by a part
  /// of the program.
  mutating func restored(
    _ sample: Sample, part: String, by author: ImportedSource.Author? = nil
  ) -> RestoredSample {
    let key = Key(
      part: part, author: author, isGlucose: sample.type == .bloodGlucose,
      wasUserEntered: sample.metadata.wasUserEntered)
    let revision: SourceRevision
    if let own = known[key] {
      revision = own
    } else {
      revision = self.revision(of: sample, part, author)
      known[key] = revision
    }
    return RestoredSample(Self.made(sample, by: revision), created: sample.end)
  }

  private func revision(
    of sample: Sample, _ part: String, _ author: ImportedSource.Author?
  ) -> SourceRevision {
    func revision(_ bundle: String) -> SourceRevision {
      SourceRevision(
        source: Source(name: author?.name ?? "\(program) \(part)", bundleIdentifier: bundle))
    }
    let bundle = "import.\(program).\(author?.identifier ?? part)"
    let own = Self.made(sample, by: revision(bundle))
    // The name of an app says little of what measured; the file says it.
    let isSensor = part == GlucoseOrigin.sensor
    let isTold =
      sample.type != .bloodGlucose
      || (GlucoseOrigin.isSensor(own) == isSensor
        && GlucoseOrigin.isSensorByIdentifier(own) == isSensor)
    return revision(isTold ? bundle : "\(bundle).\(part)")
  }

  private static func made(_ sample: Sample, by revision: SourceRevision) -> Sample {
    Sample(
      restoring: sample.uuid, type: sample.type, start: sample.start, end: sample.end,
      value: sample.value, device: sample.device, metadata: sample.metadata,
      sourceRevision: revision)
  }
}

/// What measured a glucose sample, as far as its source tells.
enum GlucoseOrigin {
  /// The part of a program's file that is glucose of a sensor; that of a meter is `meter`.
  static let sensor = "cgm"

  /// Whether a CGM measured: an app that reads one wrote the sample, and no person did.
  ///
  /// The apps are those of `tidepool-org/healthkit-uploader`, which asks for their names before
  /// their identifiers: Loop and its relatives, Dexcom's, and other readers. Of an export of Apple
  /// Health the names are all there is.
  static func isSensor(_ sample: Sample) -> Bool {
    isSensorByIdentifier(sample)
      || (isReader(named: sample.source?.name ?? "") && isByNoPerson(sample))
  }

  /// Whether the identifier of the app alone says that a CGM measured.
  static func isSensorByIdentifier(_ sample: Sample) -> Bool {
    let bundle = original(of: sample)
    let isReader =
      bundle.hasSuffix(".Loop") || bundle.hasPrefix("com.loopkit.") || isOfDexcom(bundle)
      || bundle.hasSuffix(".\(sensor)")
      || ["xdrip", "spike", "diabox", "libre", "sugarmate"].contains {
        bundle.lowercased().contains($0)
      }
    return isReader && isByNoPerson(sample)
  }

  /// Whether the sample is of an app of Dexcom, by its name or its identifier.
  static func isDexcom(_ sample: Sample) -> Bool {
    isNamedByDexcom(sample.source?.name ?? "") || isOfDexcom(original(of: sample))
  }

  /// Whether neither a meter measured nor a person wrote the sample.
  private static func isByNoPerson(_ sample: Sample) -> Bool {
    !original(of: sample).hasSuffix(".meter") && !sample.metadata.wasUserEntered
  }

  private static func isReader(named name: String) -> Bool {
    ["loop", "bgmtool"].contains(name.lowercased()) || isNamedByDexcom(name)
  }

  private static func isNamedByDexcom(_ name: String) -> Bool {
    name.lowercased().hasPrefix("dexcom")
  }

  private static func isOfDexcom(_ bundle: Substring) -> Bool { bundle.hasPrefix("com.dexcom.") }

  /// The bundle identifier that a sample had before it was imported.
  private static func original(of sample: Sample) -> Substring {
    sample.source?.originalIdentifier ?? ""
  }
}

/// Basal insulin of another program as Loop would have written it.
enum BasalSample {
  /// A segment of basal insulin; where the delivered units are not known it is what the rate, in
  /// units an hour, amounts to.
  ///
  /// A suspension that is a temp basal as well is one of which the file says that it is over.
  static func make(
    rate: Double, delivered: Double? = nil, scheduled: Double?, isTemp: Bool, isSuspend: Bool,
    start: Instant, end: Instant,
    uuid: SampleUUID
  ) -> Sample {
    var metadata = Metadata()
    metadata.hasLoopKitOrigin = true
    metadata.isSuspend = isSuspend
    metadata.scheduledBasalRate = scheduled.flatMap { InsulinRate(roundingUnitsPerHour: $0) }
    if isTemp {
      metadata.programmedTempBasalRate = InsulinRate(roundingUnitsPerHour: rate)
    }
    return .insulinDelivery(
      units: delivered ?? rate * (end - start).seconds / 3_600, reason: .basal, start: start,
      end: end,
      uuid: uuid, metadata: metadata)
  }
}
