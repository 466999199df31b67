public import HealthStore
internal import Quantities
public import StructuredText

/// Reads Tidepool's data model: an array of JSON objects, or an object for each type in `data`.
///
/// Glucose, basal, bolus and food become samples; a basal that begins cuts the one before it. Other
/// types are counted and left out, as is what is out of range. The file's identities decide on
/// those of the samples, so that reading it again gives the same (`tidepool-org/TidepoolApi`).
public struct TidepoolReader {
  /// Milligrams per decilitre of one millimole per litre, as Tidepool reckons.
  static let mgdLPerMmolL = 18.01559

  private let file: String
  private var basals: [(dose: Basal, position: TextPosition)] = []
  private var samples: [RestoredSample] = []
  private var seen: Set<SampleUUID> = []
  /// What came of the objects.
  public private(set) var report: ImportReport

  private struct Basal {
    var kind: String
    var start: Instant
    var end: Instant
    var rate: Double
    var scheduled: Double?
    var uuid: SampleUUID
  }

  public init(file: String) {
    self.file = file
    report = ImportReport(file: file)
  }

  /// The samples of a document, in the order of time.
  ///
  /// Errors of the document go to the list of problems; nothing is returned then.
  public mutating func samples(
    of root: JSONNode, problems: ProblemList
  ) -> [RestoredSample]? {
    let field = JSONField(root, problems: problems)
    guard let objects = field.items() else { return nil }
    for object in objects { read(object) }
    finishBasals()
    samples.sort { ($0.sample.start, $0.sample.uuid) < ($1.sample.start, $1.sample.uuid) }
    for restored in samples { report.count(restored.sample) }
    return problems.hasErrors ? nil : samples
  }

  private mutating func read(_ object: JSONField) {
    guard let type = object.required("type").text(), let time = object.required("time").text()
    else { return }
    guard let start = Instant(iso8601: time) else {
      object["time"].reportUnusable(expected: "a time such as 2026-02-03T06:00:00.000Z")
      return
    }
    let name =
      object["id"].text() ?? [type, time, object["deviceId"].text() ?? ""].joined(separator: " ")
    let uuid = SampleUUID(named: ["tidepool", name])
    guard seen.insert(uuid).inserted else {
      return report.leaveOut("the same object is there twice", at: object.position)
    }
    switch type {
    case "cbg", "smbg": readGlucose(object, type: type, at: start, uuid)
    case "basal": readBasal(object, at: start, uuid)
    case "bolus": readBolus(object, at: start, uuid)
    case "food": readFood(object, at: start, uuid)
    default: report.leaveOut("objects of type '\(type)' are not read", at: object.position)
    }
  }

  private mutating func readGlucose(
    _ object: JSONField, type: String, at start: Instant, _ uuid: SampleUUID
  ) {
    let units = object.required("units").choice(of: ["mg/dL", "mg/dl", "mmol/L", "mmol/l"])
    guard let units, let value = object.required("value").number() else { return }
    let mgdL = units.hasPrefix("mmol") ? value * Self.mgdLPerMmolL : value
    guard (0...1_000).contains(mgdL) else {
      return report.leaveOut("the glucose is not between 0 and 1000 mg/dL", at: object.position)
    }
    var metadata = Metadata()
    if object["subType"].text() == "manual" { metadata[.wasUserEntered] = .flag(true) }
    add(
      .bloodGlucose(.mgdL(mgdL), at: start, uuid: uuid, metadata: metadata),
      source: type == "cbg" ? "cgm" : "meter")
  }

  private mutating func readBolus(_ object: JSONField, at start: Instant, _ uuid: SampleUUID) {
    let normal = object["normal"].number(in: 0...100, unit: "U") ?? 0
    let extended = object["extended"].number(in: 0...100, unit: "U") ?? 0
    let duration = object["duration"].integer(in: 0...86_400_000, unit: "ms") ?? 0
    guard normal + extended > 0 else {
      return report.leaveOut("the bolus delivered nothing", at: object.position)
    }
    var metadata = Metadata()
    metadata.isAutomaticallyIssued = object["subType"].text() == "automated" ? true : nil
    if normal > 0 {
      add(
        .insulinDelivery(
          units: normal, reason: .bolus, start: start, end: start, uuid: uuid,
          metadata: metadata), source: "pump")
    }
    guard extended > 0 else { return }
    let other = SampleUUID(named: ["\(uuid)", "extended"])
    add(
      .insulinDelivery(
        units: extended, reason: .bolus, start: start, end: start + .milliseconds(duration),
        uuid: other, metadata: metadata), source: "pump")
  }

  private mutating func readFood(_ object: JSONField, at start: Instant, _ uuid: SampleUUID) {
    let nutrition = object.required("nutrition")
    let grams = nutrition.required("carbohydrate").required("net").number(in: 0...1_000, unit: "g")
    guard let grams else { return }
    var metadata = Metadata()
    if let name = object["name"].text() { metadata[.foodType] = .text(name) }
    if let seconds = nutrition["estimatedAbsorptionDuration"].number(in: 0...86_400, unit: "s") {
      metadata[.absorptionTime] = .number(seconds)
    }
    add(
      .dietaryCarbohydrates(
        CarbohydrateMass(grams: grams), at: start, uuid: uuid, metadata: metadata),
      source: "food")
  }

  private mutating func readBasal(_ object: JSONField, at start: Instant, _ uuid: SampleUUID) {
    let kinds = ["scheduled", "automated", "temp", "suspend"]
    guard let kind = object.required("deliveryType").choice(of: kinds),
      let duration = object.required("duration").integer(in: 0...604_800_000, unit: "ms")
    else { return }
    let field = kind == "suspend" ? object["rate"] : object.required("rate")
    let rate = field.number(in: 0...100, unit: "U/h") ?? 0
    let scheduled =
      kind == "scheduled" ? rate : object["suppressed"]["rate"].number(in: 0...100, unit: "U/h")
    basals.append(
      (
        Basal(
          kind: kind, start: start, end: start + .milliseconds(duration), rate: rate,
          scheduled: scheduled, uuid: uuid), object.position
      ))
  }

  /// Cuts each basal where the next begins, and makes samples of them.
  private mutating func finishBasals() {
    basals.sort { ($0.dose.start, $0.dose.uuid) < ($1.dose.start, $1.dose.uuid) }
    for (index, entry) in basals.enumerated() {
      let basal = entry.dose
      let next = index + 1 < basals.count ? basals[index + 1].dose.start : basal.end
      let end = min(basal.end, next)
      guard end > basal.start else {
        report.leaveOut("the basal lasts no time", at: entry.position)
        continue
      }
      let isTemp = basal.kind == "automated" || basal.kind == "temp"
      add(
        BasalSample.make(
          rate: basal.rate, scheduled: basal.scheduled, isTemp: isTemp,
          isSuspend: basal.kind == "suspend", start: basal.start, end: end, uuid: basal.uuid),
        source: "pump")
    }
  }

  private mutating func add(_ sample: Sample, source: String) {
    samples.append(ImportedSource.restored(sample, program: "tidepool", part: source))
  }
}
