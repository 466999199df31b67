public import HealthStore
internal import Quantities
internal import StructuredText

/// Writes samples as Tidepool's uploader for Health sends them: an array of JSON objects.
///
/// The rules are those of `tidepool-org/healthkit-uploader`: glucose of an app that reads a CGM is
/// `cbg`, of any other source `smbg`; basal insulin is always `temp`, with the scheduled rate as
/// what it suppressed; a bolus is `normal`; carbohydrates are `food`. Long-acting insulin, given at
/// one time, is `insulin`. Samples that the service
/// would refuse are left out and counted.
public struct TidepoolWriter {
  private var objects: [JSONValue] = []
  /// What was left out, by reason.
  public private(set) var report: ImportReport

  /// Creates a writer; the file is named in what it reports.
  public init(file: String) { report = ImportReport(file: file) }

  /// The document with everything appended so far.
  public var bytes: [UInt8] { JSONWriter().bytes(.array(objects)) }

  /// Appends a sample if it is of a type that is sent; of a correlation its members.
  public mutating func append(_ sample: Sample) {
    switch sample.type {
    case .bloodPressure, .food: for member in sample.members { append(member) }
    case .bloodGlucose: appendGlucose(sample)
    case .insulinDelivery: appendInsulin(sample)
    case .dietaryCarbohydrates: appendFood(sample)
    default: report.leaveOut(sample, "Tidepool takes no \(sample.type)")
    }
  }

  private mutating func appendGlucose(_ sample: Sample) {
    guard let mgdL = sample.storedValue, (0...1_000).contains(mgdL) else {
      return report.leaveOut(sample, "the glucose is not between 0 and 1000 mg/dL")
    }
    let isSensor = GlucoseOrigin.isSensor(sample)
    var fields: [JSONValue.Member] = [.init("units", "mg/dL")]
    if isSensor, GlucoseOrigin.isDexcom(sample), mgdL < 40 || mgdL > 400 {
      let isLow = mgdL < 40
      fields.append(.init("value", .integer(isLow ? 39 : 401)))
      fields.append(
        .init(
          "annotations",
          [
            [
              "code": "bg/out-of-range", "threshold": .integer(isLow ? 40 : 400),
              "value": .string(isLow ? "low" : "high"),
            ]
          ]))
    } else {
      fields.append(.init("value", .number(mgdL)))
    }
    if sample.metadata.wasUserEntered { fields.append(.init("subType", "manual")) }
    append(sample, type: isSensor ? "cbg" : "smbg", fields)
  }

  private mutating func appendInsulin(_ sample: Sample) {
    let units = sample.storedValue ?? 0
    switch sample.metadata.insulinDeliveryReason {
    case nil: report.leaveOut(sample, "the insulin has no reason")
    case .bolus:
      guard (0...100).contains(units) else {
        return report.leaveOut(sample, "the bolus is not between 0 and 100 U")
      }
      append(sample, type: "bolus", [.init("subType", "normal"), .init("normal", .number(units))])
    case .basal where sample.duration == .zero && (0...200).contains(units):
      // Insulin of a pen; the service knows basal by its rate alone.
      append(
        sample, type: "insulin",
        [
          .init("dose", ["total": .number(units), "units": "Units"]),
          .init("formulation", ["simple": ["actingType": "long"]]),
        ])
    case .basal:
      let hours = sample.duration.seconds / 3_600
      guard hours > 0, sample.duration <= .days(7) else {
        return report.leaveOut(sample, "the basal does not last between 0 and 7 days")
      }
      guard (0...100).contains(units / hours) else {
        return report.leaveOut(sample, "the basal rate is not between 0 and 100 U/h")
      }
      var fields: [JSONValue.Member] = [
        .init("deliveryType", "temp"), .init("duration", .integer(sample.duration.milliseconds)),
        .init("rate", .number(units / hours)),
      ]
      if let rate = sample.metadata.scheduledBasalRate {
        fields.append(
          .init(
            "suppressed",
            [
              "type": "basal", "deliveryType": "scheduled", "rate": .number(rate.unitsPerHour),
            ]))
      }
      append(sample, type: "basal", fields)
    }
  }

  private mutating func appendFood(_ sample: Sample) {
    guard let grams = sample.storedValue, (0...1_000).contains(grams) else {
      return report.leaveOut(sample, "the carbohydrates are not between 0 and 1000 g")
    }
    var fields: [JSONValue.Member] = []
    if let name = sample.metadata.text(.foodType) { fields.append(.init("name", .string(name))) }
    fields.append(
      .init("nutrition", ["carbohydrate": ["net": .number(grams), "units": "grams"]]))
    append(sample, type: "food", fields)
  }

  private mutating func append(_ sample: Sample, type: String, _ fields: [JSONValue.Member]) {
    report.count(sample)
    var members: [JSONValue.Member] = [
      .init("type", .string(type)), .init("time", .string(sample.start.iso8601Milliseconds)),
    ]
    members += fields
    members.append(.init("origin", Self.origin(of: sample)))
    if !sample.metadata.isEmpty {
      members.append(
        .init(
          "payload",
          .object(
            sample.metadata.entries.map { .init($0.key.rawValue, Self.json($0.value)) })))
    }
    objects.append(.object(members))
  }

  private static func origin(of sample: Sample) -> JSONValue {
    var origin: [JSONValue.Member] = [
      .init("id", .string("\(sample.uuid)")), .init("name", "com.apple.HealthKit"),
      .init("type", "service"),
    ]
    if let revision = sample.sourceRevision {
      var parts: [JSONValue.Member] = [
        .init(
          "source",
          [
            "name": .string(revision.source.name),
            "bundleIdentifier": .string(revision.source.bundleIdentifier),
          ])
      ]
      if let version = revision.version { parts.append(.init("version", .string(version))) }
      if let product = revision.productType {
        parts.append(.init("productType", .string(product)))
      }
      origin.append(.init("payload", ["sourceRevision": .object(parts)]))
    }
    return .object(origin)
  }

  private static func json(_ value: MetadataValue) -> JSONValue {
    switch value {
    case .text(let text): .string(text)
    case .number(let number): .number(number)
    case .flag(let flag): .bool(flag)
    case .date(let date): .string(date.iso8601Milliseconds)
    case .quantity(let quantity): .string("\(quantity)")
    }
  }
}
