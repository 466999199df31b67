public import HealthStore
public import Quantities
public import StructuredText

/// Reads dumps of Nightscout: an object with `entries`, `treatments` and `profile`, or one of these
/// arrays alone.
///
/// Glucose, boluses (what was delivered, not what was programmed), carbohydrates and temp basals
/// become samples. Loop does not upload scheduled basal: between the first and the last temp basal
/// it is rebuilt from the profiles. Other events are counted and left out. Field names are those of
/// `nightscout/cgm-remote-monitor` and `LoopKit/NightscoutKit`.
public struct NightscoutReader {
  private let file: String
  private let zones: (String) -> WallClock?
  var temps: [NightscoutTemp] = []
  private var profiles: [NightscoutProfile] = []
  private var samples: [RestoredSample] = []
  private var seen: Set<SampleUUID> = []
  /// What came of the documents.
  public private(set) var report: ImportReport

  /// Creates a reader; `zones` knows the clocks of time zones by their names.
  public init(file: String, zones: @escaping (String) -> WallClock? = { _ in nil }) {
    self.file = file
    self.zones = zones
    report = ImportReport(file: file)
  }

  /// The samples of a document, in the order of time.
  ///
  /// Errors of the document go to the list of problems; nothing is returned then.
  public mutating func samples(
    of root: JSONNode, problems: ProblemList
  ) -> [RestoredSample]? {
    let field = JSONField(root, problems: problems)
    if root.items != nil {
      for document in field.items() ?? [] { read(document) }
    } else {
      for list in ["entries", "treatments", "profile"] {
        for document in field[list].items() ?? [] { read(document) }
      }
    }
    finishBasals()
    samples.sort { ($0.sample.start, $0.sample.uuid) < ($1.sample.start, $1.sample.uuid) }
    for restored in samples { report.count(restored.sample) }
    return problems.hasErrors ? nil : samples
  }

  private mutating func read(_ document: JSONField) {
    if document["store"].exists {
      if let profile = NightscoutProfile(document, zones) { profiles.append(profile) }
    } else if document["eventType"].exists {
      readTreatment(document)
    } else {
      readEntry(document)
    }
  }

  // MARK: - Entries

  private mutating func readEntry(_ entry: JSONField) {
    let type = entry["type"].text() ?? "sgv"
    guard type == "sgv" || type == "mbg" else {
      return report.leaveOut("entries of type '\(type)' are not read", at: entry.position)
    }
    guard let value = entry.required(type).looseNumber(in: 0...1_000, unit: "mg/dL"),
      let instant = instant(of: entry, "dateString")
    else { return }
    guard value >= 39 else {
      return report.leaveOut("a value below 39 is an error code of the sensor", at: entry.position)
    }
    guard let uuid = identity(of: entry, [type, "\(instant)"]) else { return }
    add(
      .bloodGlucose(.mgdL(value), at: instant, uuid: uuid), part: type == "sgv" ? "cgm" : "meter")
  }

  // MARK: - Treatments

  private mutating func readTreatment(_ treatment: JSONField) {
    guard let event = treatment["eventType"].text(),
      let instant = instant(of: treatment, "created_at", "timestamp")
    else { return }
    let insulin = treatment["insulin"].looseNumber(in: 0...100, unit: "U") ?? 0
    let grams = treatment["carbs"].looseNumber(in: 0...1_000, unit: "g") ?? 0
    guard let uuid = identity(of: treatment, [event, "\(instant)"]) else { return }
    if event == "Temp Basal" { readTemp(treatment, at: instant, uuid) }
    if insulin > 0 { addBolus(insulin, treatment, at: instant, uuid) }
    if grams > 0 {
      addCarbs(grams, treatment, at: instant, SampleUUID(named: ["\(uuid)", "carbs"]))
    }
    if insulin <= 0, grams <= 0, event != "Temp Basal" {
      report.leaveOut("events '\(event)' are not read", at: treatment.position)
    }
  }

  private mutating func addBolus(
    _ units: Double, _ treatment: JSONField, at instant: Instant, _ uuid: SampleUUID
  ) {
    let minutes = treatment["duration"].looseNumber(in: 0...1_440, unit: "min") ?? 0
    var metadata = Metadata()
    metadata.isAutomaticallyIssued = treatment["automatic"].bool()
    metadata.insulinType = treatment["insulinType"].text()
    add(
      .insulinDelivery(
        units: units, reason: .bolus, start: instant,
        end: instant + .milliseconds(Int64((minutes * 60_000).rounded())), uuid: uuid,
        metadata: metadata), part: "pump")
  }

  private mutating func addCarbs(
    _ grams: Double, _ treatment: JSONField, at instant: Instant, _ uuid: SampleUUID
  ) {
    var metadata = Metadata()
    if let food = treatment["foodType"].text() { metadata[.foodType] = .text(food) }
    if let minutes = treatment["absorptionTime"].looseNumber(in: 0...1_440, unit: "min") {
      metadata[.absorptionTime] = .number(minutes * 60)
    }
    add(
      .dietaryCarbohydrates(
        CarbohydrateMass(grams: grams), at: instant, uuid: uuid, metadata: metadata),
      part: "food")
  }

  private mutating func readTemp(
    _ treatment: JSONField, at instant: Instant, _ uuid: SampleUUID
  ) {
    let minutes = treatment.required("duration").looseNumber(in: 0...10_080, unit: "min")
    guard let minutes else { return }
    let field = treatment["absolute"].exists ? treatment["absolute"] : treatment["rate"]
    let percent = treatment["percent"].looseNumber(in: -100...1_000, unit: "%")
    let rate = field.looseNumber(in: 0...100, unit: "U/h")
    guard rate != nil || percent != nil || minutes == 0 else {
      return treatment.error("A temp basal needs 'absolute', 'rate' or 'percent'.")
    }
    temps.append(
      NightscoutTemp(
        start: instant, end: instant + .milliseconds(Int64((minutes * 60_000).rounded())),
        rate: rate, percent: percent, isSuspend: treatment["reason"].text() == "suspend",
        amount: treatment["amount"].looseNumber(in: 0...100, unit: "U"), uuid: uuid))
  }

  // MARK: - Basal

  private mutating func finishBasals() {
    let pieces = NightscoutBasal.pieces(temps, profiles)
    for piece in pieces {
      add(
        BasalSample.make(
          rate: piece.rate, delivered: piece.delivered, scheduled: piece.scheduled,
          isTemp: piece.isTemp,
          isSuspend: piece.isSuspend, start: piece.start, end: piece.end, uuid: piece.uuid),
        part: "pump")
    }
  }

  // MARK: - Parts

  /// The time of a document: the number where there is one, else a text with any offset.
  private func instant(of document: JSONField, _ names: String...) -> Instant? {
    if let milliseconds = document["date"].node?.integer {
      return Instant(millisecondsSince1970: milliseconds)
    }
    for name in names {
      guard let text = document[name].text() else { continue }
      if let instant = Instant(iso8601: text) { return instant }
      document[name].reportUnusable(expected: "a time such as 2026-02-03T06:15:00Z")
      return nil
    }
    document.error("A time is needed: 'date' or '\(names[0])'.")
    return nil
  }

  private mutating func identity(of document: JSONField, _ content: [String]) -> SampleUUID? {
    let name = document["_id"].text() ?? document["syncIdentifier"].text()
    let uuid = SampleUUID(named: ["nightscout"] + (name.map { [$0] } ?? content))
    guard seen.insert(uuid).inserted else {
      report.leaveOut("the same document is there twice", at: document.position)
      return nil
    }
    return uuid
  }

  private mutating func add(_ sample: Sample, part: String) {
    samples.append(ImportedSource.restored(sample, program: "nightscout", part: part))
  }
}

extension JSONField {
  /// A number, also where it stands as a text, as it often does in Nightscout.
  func looseNumber(in range: ClosedRange<Double>, unit: String) -> Double? {
    guard let text = node?.string else { return number(in: range, unit: unit) }
    guard let number = Double(text), range.contains(number) else {
      reportUnusable(expected: JSONField.expectation("a number", unit: unit, range: range))
      return nil
    }
    return number
  }
}
