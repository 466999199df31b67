public import HealthStore
internal import Quantities
internal import StructuredText

/// Writes samples as Loop's service for Nightscout uploads them: an object with `entries` and
/// `treatments`.
///
/// Glucose of a CGM is an `sgv`, any other an `mbg`, always in mg/dL; boluses are `Correction
/// Bolus`, and where no pump gave them, as with a pen, `External Insulin`, which is Trio's name for
/// them; carbohydrates are `Carb Correction`, temp basals and suspensions `Temp Basal`. Loop
/// uploads no scheduled basal, which Nightscout has in its profile: it is left out and counted, as
/// is basal insulin of apps that are not built on LoopKit. Field names are those of
/// `nightscout/cgm-remote-monitor` and `LoopKit/NightscoutKit`.
public struct NightscoutWriter {
  private var entries: [JSONValue] = []
  private var treatments: [JSONValue] = []
  /// What was left out, by reason.
  public private(set) var report: ImportReport

  /// Creates a writer; the file is named in what it reports.
  public init(file: String) { report = ImportReport(file: file) }

  /// The document with everything appended so far.
  public var bytes: [UInt8] {
    JSONWriter().bytes(["entries": .array(entries), "treatments": .array(treatments)])
  }

  /// Appends a sample if it is of a type that is sent; of a correlation its members.
  public mutating func append(_ sample: Sample) {
    switch sample.type {
    case .bloodPressure, .food: for member in sample.members { append(member) }
    case .bloodGlucose: appendGlucose(sample)
    case .insulinDelivery: appendInsulin(sample)
    case .dietaryCarbohydrates: appendCarbs(sample)
    default: report.leaveOut(sample, "Nightscout takes no \(sample.type)")
    }
  }

  // MARK: - Entries

  private mutating func appendGlucose(_ sample: Sample) {
    // A reader takes values below 39 for error codes of the sensor.
    guard let mgdL = sample.storedValue, (39...1_000).contains(mgdL) else {
      return report.leaveOut(sample, "the glucose is not between 39 and 1000 mg/dL")
    }
    let type = GlucoseOrigin.isSensor(sample) ? "sgv" : "mbg"
    var fields: [JSONValue.Member] = [
      .init("_id", .string(Self.identity(of: sample))), .init("type", .string(type)),
      .init("date", .integer(sample.start.millisecondsSince1970)),
      .init("dateString", .string(sample.start.iso8601Milliseconds)),
      .init(type, .number(mgdL)), .init("device", .string(Self.author(of: sample))),
    ]
    if let arrow = sample.metadata.text(.glucoseTrend), let direction = Self.directions[arrow] {
      fields.append(.init("direction", .string(direction)))
    }
    if let rate = sample.metadata.quantity(.glucoseTrendRate),
      let value = rate.converted(to: .milligramPerDecilitrePerMinute)
    {
      fields.append(.init("trendRate", .number(value)))
    }
    report.count(sample)
    entries.append(.object(fields))
  }

  /// Nightscout's words for the arrows that LoopKit writes; it reads two plain arrows as well.
  private static let directions = [
    "⇈": "DoubleUp", "↑↑": "DoubleUp", "↑": "SingleUp", "↗︎": "FortyFiveUp", "→": "Flat",
    "↘︎": "FortyFiveDown", "↓": "SingleDown", "⇊": "DoubleDown", "↓↓": "DoubleDown",
  ]

  // MARK: - Treatments

  private mutating func appendInsulin(_ sample: Sample) {
    let units = sample.storedValue ?? 0
    guard (0...100).contains(units) else {
      return report.leaveOut(sample, "the insulin is not between 0 and 100 U")
    }
    switch sample.metadata.insulinDeliveryReason {
    case nil: report.leaveOut(sample, "the insulin has no reason")
    case .bolus: appendBolus(units, sample)
    case .basal: appendBasal(units, sample)
    }
  }

  private mutating func appendBolus(_ units: Double, _ sample: Sample) {
    var fields: [JSONValue.Member] = [
      .init("insulin", .number(units)), .init("programmed", .number(units)),
      .init("unabsorbed", 0), .init("duration", .number(sample.duration.seconds / 60)),
      .init("type", .string(sample.duration >= .minutes(30) ? "square" : "normal")),
    ]
    if let isAutomatic = sample.metadata.isAutomaticallyIssued {
      fields.append(.init("automatic", .bool(isAutomatic)))
    }
    append(sample, sample.metadata.isByHand ? OrefDose.external : "Correction Bolus", fields)
  }

  private mutating func appendBasal(_ units: Double, _ sample: Sample) {
    let metadata = sample.metadata
    guard metadata.hasLoopKitOrigin else {
      return report.leaveOut(sample, "the basal insulin is not of an app built on LoopKit")
    }
    let isSuspend = metadata.isSuspend == true
    guard let rate = isSuspend ? .zero : metadata.programmedTempBasalRate else {
      return report.leaveOut(sample, "scheduled basal stands in the profile")
    }
    guard sample.start < sample.end, sample.duration <= .days(7) else {
      return report.leaveOut(sample, "the temp basal does not last between 0 and 7 days")
    }
    var fields: [JSONValue.Member] = [
      .init("rate", .number(rate.unitsPerHour)), .init("absolute", .number(rate.unitsPerHour)),
      .init("temp", "absolute"), .init("duration", .number(sample.duration.seconds / 60)),
      .init("amount", .number(units)),
    ]
    if isSuspend { fields.append(.init("reason", "suspend")) }
    if let isAutomatic = metadata.isAutomaticallyIssued {
      fields.append(.init("automatic", .bool(isAutomatic)))
    }
    append(sample, "Temp Basal", fields)
  }

  private mutating func appendCarbs(_ sample: Sample) {
    guard let grams = sample.storedValue, (0...1_000).contains(grams) else {
      return report.leaveOut(sample, "the carbohydrates are not between 0 and 1000 g")
    }
    var fields: [JSONValue.Member] = [.init("carbs", .number(grams))]
    if let time = sample.metadata.absorptionTime {
      fields.append(.init("absorptionTime", .number(time.seconds / 60)))
    }
    if let food = sample.metadata.text(.foodType) {
      fields.append(.init("foodType", .string(food)))
    }
    append(sample, "Carb Correction", fields)
  }

  private mutating func append(
    _ sample: Sample, _ event: String, _ fields: [JSONValue.Member]
  ) {
    var members: [JSONValue.Member] = [
      .init("_id", .string(Self.identity(of: sample))), .init("eventType", .string(event)),
      .init("created_at", .string(sample.start.iso8601Milliseconds)),
      .init("enteredBy", .string(Self.author(of: sample))),
    ]
    members += fields
    if let insulin = sample.metadata.insulinType {
      members.append(.init("insulinType", .string(insulin)))
    }
    if let identifier = sample.metadata.syncIdentifier {
      members.append(.init("syncIdentifier", .string(identifier.description)))
    }
    report.count(sample)
    treatments.append(.object(members))
  }

  /// The 24 hexadecimal digits by which Nightscout knows a document, from the sample's identity.
  private static func identity(of sample: Sample) -> String {
    let identity = SampleUUID(named: ["nightscout document", "\(sample.uuid)"])
    return String("\(identity)".lowercased().filter { $0 != "-" }.prefix(24))
  }

  private static func author(of sample: Sample) -> String {
    let name = sample.source?.name ?? "loopsim"
    return sample.metadata.hasLoopKitOrigin ? "loop://\(name)" : name
  }
}
