internal import HealthStore
internal import Quantities
internal import StructuredText

/// A basal as Tidepool has it.
struct TidepoolBasal: TimedBasal {
  var kind: String
  var start: Instant
  var end: Instant
  /// Units an hour.
  var rate: Double
  var scheduled: Double?
  var author: ImportedSource.Author?
  var payload = Metadata()
  /// The device that the object names.
  var device: String?
  var uuid: SampleUUID

  /// What it gives until an instant, in units.
  func units(until end: Instant) -> Double { rate * (end - start).seconds / 3_600 }

  /// The scheduled rate under a basal that is none itself, in units an hour: that of what it
  /// suppresses or, as of a suspension during a temp basal, of what that suppresses; `nil` where no
  /// schedule is among it.
  static func scheduled(under object: JSONField) -> Double? {
    var field = object["suppressed"]
    while field["suppressed"].exists { field = field["suppressed"] }
    guard field["deliveryType"].text() ?? "scheduled" == "scheduled" else { return nil }
    return field["rate"].number(in: 0...100, unit: "U/h")
  }

  /// The rate that an object states, in units an hour.
  ///
  /// A temp basal may state, in place of a rate, which part of the suppressed rate it is; of that
  /// Tidepool's service makes a rate alike.
  static func rate(of object: JSONField, kind: String, suppressed: Double?) -> Double {
    let isPart = kind == "temp" && !object["rate"].exists && object["percent"].exists
    if isPart, let suppressed { return suppressed * (object["percent"].number(in: 0...10) ?? 0) }
    let field = kind == "suspend" ? object["rate"] : object.required("rate")
    return field.number(in: 0...100, unit: "U/h") ?? 0
  }
}

/// The metadata of a health sample, which Tidepool's uploader for Health keeps under `payload`.
enum TidepoolPayload {
  static func metadata(of object: JSONNode) -> Metadata {
    guard object["origin"]?["name"]?.string == "com.apple.HealthKit",
      let members = object["payload"]?.members
    else { return Metadata() }
    return AppleHealthMetadata.metadata(of: members.compactMap(entry))
  }

  /// What the uploader moves out of the payload, or once did, since the object says it: the name of
  /// food, why insulin was given, and the rate that it took the place of (`HealthKitUploadType*`).
  private static let moved: [MetadataKey] = [.foodType, .absorptionTime, .scheduledBasalRate]

  /// The metadata that a sample had, with what stands in its object alone.
  ///
  /// - Parameters:
  ///   - payload: What the object has of the sample's metadata.
  ///   - own: The metadata of a sample that is made of the object.
  /// - Returns: The payload, with the reason of insulin by the type of the object.
  static func metadata(_ payload: Metadata, completedBy own: Metadata) -> Metadata {
    var metadata = payload
    for key in moved where metadata[key] == nil { metadata[key] = own[key] }
    if let reason = own.insulinDeliveryReason, metadata.insulinDeliveryReason != reason {
      metadata.insulinDeliveryReason = reason
    }
    return metadata
  }

  /// A member as the text of an Apple Health export.
  private static func entry(_ member: JSONMember) -> (key: String, value: String)? {
    switch member.value.value {
    case .string(let text): (member.key, text)
    case .bool(let flag): (member.key, flag ? "1" : "0")
    case .integer(let integer): (member.key, "\(integer)")
    case .number(let number): (member.key, "\(number)")
    case .null, .array, .object: nil
    }
  }
}

/// What an object of Tidepool states of insulin and carbohydrates.
enum TidepoolAmounts {
  /// The amounts, as far as they can be told without checking the object.
  static func stated(_ object: JSONNode) -> [(ImportAccount.Quantity, Double)] {
    switch object["type"]?.string {
    case "bolus":
      return amount(.bolus, object["normal"]) + amount(.bolus, object["extended"])
    case "insulin":
      guard let total = node(object, ["dose", "total"])?.double else { return [] }
      return parts(of: total, object).map { ($0.isBasal ? .basal : .bolus, $0.units) }
    case "basal":
      guard let milliseconds = object["duration"]?.double else { return [] }
      let rate = object["rate"]?.double ?? partOfSuppressed(object) ?? 0
      return [(.basal, rate * (milliseconds / 1_000) / 3_600)]
    case "food":
      // An exchange is no number of grams.
      let carbohydrate = node(object, ["nutrition", "carbohydrate"])
      guard carbohydrate?["units"]?.string != "exchanges" else { return [] }
      return amount(.carbohydrates, carbohydrate?["net"])
    case "wizard":
      guard object["carbUnits"]?.string != "exchanges" else { return [] }
      return amount(.carbohydrates, object["carbInput"])
    default: return []
    }
  }

  /// The rate of a temp basal that states which part of the suppressed rate it is.
  private static func partOfSuppressed(_ object: JSONNode) -> Double? {
    guard object["deliveryType"]?.string == "temp", let part = object["percent"]?.double,
      let suppressed = node(object, ["suppressed", "rate"])?.double
    else { return nil }
    return part * suppressed
  }

  /// Whether insulin of a pen is basal by how it acts: such as glargine, or NPH.
  static func isBasal(_ acting: String?) -> Bool { acting == "long" || acting == "intermediate" }

  /// What of a dose of a pen acts at once and what for long, as a mixture may do both.
  static func parts(of units: Double, _ object: JSONNode) -> [(units: Double, isBasal: Bool)] {
    let simple = ["formulation", "simple", "actingType"]
    var (slow, whole) = (0.0, 0.0)
    for compound in node(object, ["formulation", "compounds"])?.items ?? [] {
      let amount = compound["amount"]?.double ?? 0
      guard amount > 0 else { continue }
      whole += amount
      if isBasal(node(compound, simple)?.string) { slow += amount }
    }
    guard whole > 0 else { return [(units, isBasal(node(object, simple)?.string))] }
    let long = (units * slow / whole).toBillionths
    let rapid = (units - long).toBillionths
    return [(rapid, false), (long, true)].filter { $0.0 > 0 }
  }

  // A loop, because the optimiser of Swift 6.3.1 stops on chains of optionals here.
  private static func node(_ object: JSONNode, _ path: [String]) -> JSONNode? {
    var found = object
    for key in path {
      guard let inner = found[key] else { return nil }
      found = inner
    }
    return found
  }

  private static func amount(
    _ quantity: ImportAccount.Quantity, _ node: JSONNode?
  ) -> [(ImportAccount.Quantity, Double)] {
    node?.double.map { [(quantity, $0)] } ?? []
  }
}
