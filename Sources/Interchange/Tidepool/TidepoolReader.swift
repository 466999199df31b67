public import HealthStore
internal import Quantities
public import StructuredText

/// Reads Tidepool's data model: an array of JSON objects, or an object for each type in `data`.
///
/// Glucose, basal, bolus, food, the carbohydrates of a bolus calculator (`wizard`) and insulin from
/// pens become samples; a basal that begins cuts the one before it. Other types are counted and
/// left out, as is what is out of range, what a later version replaces (`_active` is false), and
/// what cannot be read. A key that is null is as good as absent. The file's identities decide on
/// those of the samples, so that reading it again gives the same (`tidepool-org/TidepoolApi`).
public struct TidepoolReader {
  /// Milligrams per decilitre of one millimole per litre, as Tidepool reckons.
  static let mgdLPerMmolL = 18.01559

  private let file: String
  private var basals: [(dose: TidepoolBasal, position: TextPosition)] = []
  private var samples: [RestoredSample] = []
  /// The objects with an identity by their place in the list of those that are read.
  private var versions: [String: [Int]] = [:]
  /// The objects without an identity by their type, time and device: what each holds.
  private var nameless: [String: [JSONValue]] = [:]
  private var unreadable: [TextProblem] = []
  /// The files of which something could be read.
  private var used: Set<String> = []
  /// Who wrote the object that is being read.
  private var author: ImportedSource.Author?
  private var sources = ImportedSources(program: "tidepool")
  /// The metadata of the health sample that the object was made of; empty for other objects.
  private var payload = Metadata()
  /// How often objects state each offset from UTC, in minutes.
  private var offsets: [Int64: Int] = [:]
  private var readings = DeviceReadings()
  /// What came of the objects.
  public private(set) var report: ImportReport

  /// Creates a reader of a file.
  public init(file: String) {
    self.file = file
    report = ImportReport(file: file)
  }

  /// The samples of a document, in the order of time.
  ///
  /// An object that cannot be read is left out and named. Where none can, that goes to the list of
  /// problems, and nothing is returned; so does one sentence where the document is none of
  /// Tidepool's.
  public mutating func samples(
    of root: JSONNode, problems: ProblemList
  ) -> [RestoredSample]? {
    samples(of: [root], problems: problems)
  }

  /// The samples of the documents of several files, in the order of time.
  ///
  /// They are read as one: of the versions of an object one counts, whatever file it is in, and a
  /// basal of one file is cut where that of another begins. A file of which nothing can be read
  /// goes to the list of problems.
  public mutating func samples(
    of roots: [JSONNode], problems: ProblemList
  ) -> [RestoredSample]? {
    var all: [JSONNode] = []
    for root in roots {
      let field = JSONField(root, problems: problems)
      let objects = Self.objects(of: field)?.compactMap(\.node).filter { !$0.isNull }
      guard let objects, objects.isEmpty || objects.contains(where: Self.isOfTidepool) else {
        problems.error(at: root.position, Self.unknownForm)
        return nil
      }
      all += objects.flatMap(Self.withBolus)
    }
    for node in latest(all) { take(node) }
    for root in roots where roots.count > 1 && !used.contains(root.position.file) {
      problems.add(unreadable.filter { $0.position.file == root.position.file })
    }
    if report.timeZones.isEmpty { report.name(offsets: offsets) }
    finishBasals()
    readings.remark(in: &report)
    samples.sort { ($0.sample.start, $0.sample.uuid) < ($1.sample.start, $1.sample.uuid) }
    for restored in samples { report.count(restored.sample) }
    if samples.isEmpty { problems.add(unreadable) }
    return problems.hasErrors ? nil : samples
  }

  // MARK: - Versions

  /// The objects in their order without nulls, of those that share an identity the one that holds.
  private mutating func latest(_ nodes: [JSONNode]) -> [JSONNode] {
    var kept: [JSONNode?] = []
    for node in nodes where !node.isNull {
      report.countRecord()
      guard node.members != nil else {
        report.leaveOut("it is no object in braces", at: node.position)
        continue
      }
      let object = node.withoutNulls
      guard let name = Self.identity(of: object) else {
        if isCopy(object) { leaveOut(object, Self.copy) } else { kept.append(object) }
        continue
      }
      let place = (versions[name] ?? []).first { place in
        kept[place].map { Self.isVersion(object, of: $0) } ?? false
      }
      guard let place, let other = kept[place] else {
        versions[name, default: []].append(kept.count)
        kept.append(object)
        continue
      }
      let (winner, loser) = Self.isNewer(object, than: other) ? (object, other) : (other, object)
      kept[place] = winner
      leaveOutVersion(loser, for: winner)
    }
    return kept.compactMap(\.self).filter { object in
      guard !Self.isActive(object) else { return true }
      leaveOut(object, "it is no longer the active version")
      return false
    }
  }

  private mutating func leaveOutVersion(_ loser: JSONNode, for winner: JSONNode) {
    let isSame = JSONValue(loser) == JSONValue(winner)
    leaveOut(loser, isSame ? Self.copy : "another version of the object replaces it")
  }

  /// Why an object is left out that says all that another says.
  private static let copy = "the same object is there twice"

  /// Whether an object without an identity was there before; notes it otherwise.
  private mutating func isCopy(_ object: JSONNode) -> Bool {
    let content = JSONValue(object)
    let name = Self.name(of: object)
    if nameless[name, default: []].contains(content) { return true }
    nameless[name, default: []].append(content)
    return false
  }

  /// Leaves an object out, with what it states.
  private mutating func leaveOut(_ object: JSONNode, _ reason: String) {
    report.leaveOut(reason, at: object.position)
    for (quantity, amount) in TidepoolAmounts.stated(object) {
      report.account.state(quantity, amount)
      report.account.change(quantity, by: -amount, because: reason, at: object.position)
    }
  }

  // MARK: - Objects

  /// The app of the phone that an object came from; `nil` for one from a device's upload.
  private static func author(of object: JSONNode) -> ImportedSource.Author? {
    let source = object["origin"]?["payload"]?["sourceRevision"]?["source"]
    return ImportedSource.Author(
      name: source?["name"]?.string, bundle: source?["bundleIdentifier"]?.string)
  }

  private mutating func take(_ object: JSONNode) {
    let own = ProblemList(limit: 4)
    author = Self.author(of: object)
    if let zone = object["timezone"]?.string { report.name(timeZone: zone) }
    if let offset = object["timezoneOffset"]?.integer, (-1_080...1_080).contains(offset) {
      offsets[offset, default: 0] += 1
    }
    payload = TidepoolPayload.metadata(of: object)
    let (samplesBefore, basalsBefore) = (samples.count, basals.count)
    let stated = TidepoolAmounts.stated(object)
    for (quantity, amount) in stated { report.account.state(quantity, amount) }
    let reason = read(JSONField(object, problems: own))
    if own.problems.isEmpty { used.insert(object.position.file) }
    if let problem = own.problems.first {
      samples.removeLast(samples.count - samplesBefore)
      basals.removeLast(basals.count - basalsBefore)
      unreadable.append(problem)
      leaveOutStated(stated, "it cannot be read: \(problem.kind)", at: problem.position)
    } else if let reason {
      leaveOutStated(stated, reason, at: object.position)
    }
  }

  private mutating func leaveOutStated(
    _ stated: [(ImportAccount.Quantity, Double)], _ reason: String, at position: TextPosition
  ) {
    report.leaveOut(reason, at: position)
    for (quantity, amount) in stated {
      report.account.change(quantity, by: -amount, because: reason, at: position)
    }
  }

  /// Reads an object; why it is left out where it is.
  private mutating func read(_ object: JSONField) -> String? {
    guard let type = object.required("type").text(), let time = object.required("time").text()
    else { return nil }
    guard let start = Instant(recorded: time) else {
      object["time"].reportUnusable(expected: "a time such as 2026-02-03T06:00:00.000Z")
      return nil
    }
    guard let node = object.node else { return nil }
    let uuid = SampleUUID(named: ["tidepool", name(of: node)])
    switch type {
    case "cbg", "smbg": return readGlucose(object, type: type, at: start, uuid)
    case "basal": readBasal(object, at: start, uuid)
    case "bolus": return readBolus(object, at: start, uuid)
    case "insulin": return readPen(object, at: start, uuid)
    case "food": return readFood(object, at: start, uuid)
    case "wizard": return readWizard(object, at: start, uuid)
    default: return "objects of type '\(type)' are not read"
    }
    return nil
  }

  /// What an object is known by: its identity, else its type, time and device, and of several that
  /// differ beside them how many came before.
  private func name(of object: JSONNode) -> String {
    if let name = Self.identity(of: object) { return name }
    let name = Self.name(of: object)
    let number = nameless[name]?.firstIndex(of: JSONValue(object)) ?? 0
    return number == 0 ? name : "\(name) \(number)"
  }

  private mutating func readGlucose(
    _ object: JSONField, type: String, at start: Instant, _ uuid: SampleUUID
  ) -> String? {
    let units = object.required("units").choice(of: ["mg/dL", "mg/dl", "mmol/L", "mmol/l"])
    guard let units, let value = object.required("value").number() else { return nil }
    let factor = units.hasPrefix("mmol") ? Self.mgdLPerMmolL : 1
    let mgdL = GlucoseConcentration.recorded(mgdL: value * factor).mgdL
    guard (0...1_000).contains(mgdL) else { return "the glucose is not between 0 and 1000 mg/dL" }
    if type == "cbg", let device = object["deviceId"].text() {
      readings.add(of: device, in: author?.identifier ?? "", at: start, object.position)
    }
    var metadata = Metadata()
    if object["subType"].text() == "manual" { metadata[.wasUserEntered] = .flag(true) }
    add(
      .bloodGlucose(.mgdL(mgdL), at: start, uuid: uuid, metadata: metadata),
      source: type == "cbg" ? "cgm" : "meter")
    return nil
  }

  private mutating func readBolus(
    _ object: JSONField, at start: Instant, _ uuid: SampleUUID
  ) -> String? {
    let normal = object["normal"].number(in: 0...100, unit: "U") ?? 0
    let extended = object["extended"].number(in: 0...100, unit: "U") ?? 0
    let duration = object["duration"].integer(in: 0...86_400_000, unit: "ms")
    guard normal + extended > 0 else { return "the bolus delivered nothing" }
    if extended > 0, duration == nil { report.remark(ImportReport.noDuration, at: object.position) }
    var metadata = Metadata()
    metadata.isAutomaticallyIssued = object["subType"].text() == "automated" ? true : nil
    if normal > 0 {
      add(
        .insulinDelivery(
          units: normal, reason: .bolus, start: start, end: start, uuid: uuid,
          metadata: metadata), source: "pump")
    }
    guard extended > 0 else { return nil }
    let other = SampleUUID(named: ["\(uuid)", "extended"])
    add(
      .insulinDelivery(
        units: extended, reason: .bolus, start: start, end: start + .milliseconds(duration ?? 0),
        uuid: other, metadata: metadata), source: "pump")
    return nil
  }

  /// Insulin from a pen or a syringe.
  private mutating func readPen(
    _ object: JSONField, at start: Instant, _ uuid: SampleUUID
  ) -> String? {
    guard let units = object.required("dose").required("total").number(in: 0...200, unit: "U")
    else { return nil }
    guard units > 0 else { return "the dose is nothing" }
    var metadata = Metadata()
    metadata.insulinType = object["formulation"]["simple"]["brand"].text()
    metadata[.wasUserEntered] = .flag(true)
    guard let node = object.node else { return nil }
    for (index, part) in TidepoolAmounts.parts(of: units, node).enumerated() {
      let uuid = index == 0 ? uuid : SampleUUID(named: ["\(uuid)", "mixed"])
      add(
        .insulinDelivery(
          units: part.units, reason: part.isBasal ? .basal : .bolus, start: start, end: start,
          uuid: uuid, metadata: metadata), source: "pen")
    }
    return nil
  }

  private mutating func readFood(
    _ object: JSONField, at start: Instant, _ uuid: SampleUUID
  ) -> String? {
    let nutrition = object.required("nutrition")
    let carbohydrate = nutrition.required("carbohydrate")
    guard carbohydrate["units"].text() != "exchanges" else { return Self.exchanges }
    guard let grams = carbohydrate.required("net").number(in: 0...1_000, unit: "g") else {
      return nil
    }
    var metadata = Metadata()
    if let name = object["name"].text() { metadata[.foodType] = .text(name) }
    if let seconds = nutrition["estimatedAbsorptionDuration"].number(in: 0...86_400, unit: "s") {
      metadata[.absorptionTime] = .number(seconds)
    }
    add(
      .dietaryCarbohydrates(
        CarbohydrateMass(grams: grams), at: start, uuid: uuid, metadata: metadata),
      source: "food")
    return nil
  }

  /// Why food is left out whose amount is known to the person alone.
  private static let exchanges =
    "carbohydrates in exchanges, whose size the object does not state, are not read"

  /// The carbohydrates that a person told the bolus calculator of a pump.
  private mutating func readWizard(
    _ object: JSONField, at start: Instant, _ uuid: SampleUUID
  ) -> String? {
    guard object["carbInput"].exists else { return "the bolus calculation is without food" }
    guard object["carbUnits"].text() != "exchanges" else { return Self.exchanges }
    guard let grams = object["carbInput"].number(in: 0...1_000, unit: "g") else { return nil }
    guard grams > 0 else { return "the bolus calculation is without food" }
    add(
      .dietaryCarbohydrates(CarbohydrateMass(grams: grams), at: start, uuid: uuid),
      source: "pump")
    return nil
  }

  private mutating func readBasal(_ object: JSONField, at start: Instant, _ uuid: SampleUUID) {
    let kinds = ["scheduled", "automated", "temp", "suspend"]
    guard let kind = object.required("deliveryType").choice(of: kinds),
      let duration = object.required("duration").integer(in: 0...604_800_000, unit: "ms")
    else { return }
    let suppressed =
      kind == "scheduled" ? nil : object["suppressed"]["rate"].number(in: 0...100, unit: "U/h")
    let rate = TidepoolBasal.rate(of: object, kind: kind, suppressed: suppressed)
    let scheduled = kind == "scheduled" ? rate : TidepoolBasal.scheduled(under: object)
    basals.append(
      (
        TidepoolBasal(
          kind: kind, start: start, end: start + .milliseconds(duration), rate: rate,
          scheduled: scheduled, author: author, payload: payload,
          device: object["deviceId"].text(), uuid: uuid), object.position
      ))
  }

  /// Cuts each basal where the next begins, and makes samples of them.
  private mutating func finishBasals() {
    basals.sort { TidepoolBasal.precedes($0.dose, $1.dose) }
    for (index, entry) in basals.enumerated() {
      let basal = entry.dose
      (author, payload) = (basal.author, basal.payload)
      // Segments of another app do not end this one's.
      let next = basals[(index + 1)...].first {
        $0.dose.author?.identifier == author?.identifier
      }?.dose
      let end = min(basal.end, next?.start ?? basal.end)
      if let next, end < basal.end, let other = next.device, let own = basal.device, own != other {
        report.remark(Self.otherDevice, at: entry.position)
      }
      guard end > basal.start else {
        leaveOutStated(
          [(.basal, basal.units(until: basal.end))],
          basal.end > basal.start
            ? "another basal begins at the same time" : "the basal lasts no time",
          at: entry.position)
        continue
      }
      report.account.change(
        .basal,
        by: ImportAccount.Amount(basal.units(until: end))
          - ImportAccount.Amount(basal.units(until: basal.end)),
        because: "cut where the next basal begins", at: entry.position)
      let isTemp = basal.kind == "automated" || basal.kind == "temp"
      add(
        BasalSample.make(
          rate: basal.rate, delivered: basal.units(until: end).toBillionths,
          scheduled: basal.scheduled, isTemp: isTemp, isSuspend: basal.kind == "suspend",
          start: basal.start, end: end, uuid: basal.uuid),
        source: "pump")
    }
  }

  /// Adds a sample; one that was a health sample before has the metadata that it had.
  private mutating func add(_ sample: Sample, source: String) {
    var sample = sample
    if !payload.isEmpty {
      sample = Sample(
        restoring: sample.uuid, type: sample.type, start: sample.start, end: sample.end,
        value: sample.value,
        metadata: TidepoolPayload.metadata(payload, completedBy: sample.metadata))
    }
    samples.append(sources.restored(sample, part: source, by: author))
  }
}
