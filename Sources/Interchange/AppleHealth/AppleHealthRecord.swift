internal import HealthStore
internal import Quantities
internal import StructuredText

/// One element of an export of Apple Health as it stands in the file.
struct AppleHealthRecord {
  var element: String
  var tag: XMLTag
  var metadata: [(key: AppleHealthKey, value: String)] = []
  var members: [AppleHealthRecord] = []
  /// What a workout came to, of one type each; exports before iOS 16 have it in the workout itself.
  var statistics: [AppleHealthRecord] = []
  var events: [AppleHealthRecord] = []
  /// What the record shares with others of its file.
  var parts: AppleHealthParts

  /// Why an element is no sample of ours: in words without its date or number, so that records
  /// alike count together.
  struct Unusable: Error {
    var reason: String

    init(_ reason: String) { self.reason = reason }
  }

  var position: TextPosition { tag.position }

  subscript(name: StaticString) -> String? { tag[name] }

  func metadataText(_ mark: AppleHealthMark) -> String? {
    metadata.first { $0.key.mark == mark }?.value
  }

  /// The type of the sample; `nil` for one that is not known.
  let type: ObjectType?

  init(element: String, tag: XMLTag, parts: AppleHealthParts) {
    self.element = element
    self.tag = tag
    self.parts = parts
    type = element == "Workout" ? .workout : tag.bytes(of: "type").flatMap { parts.type($0) }
  }

  /// The sample that the element stands for.
  func sample(uuid: SampleUUID, members: [Sample]) throws(Unusable) -> RestoredSample {
    guard let type else { throw Unusable("the type '\(self["type"] ?? "")' is not known") }
    let (start, end) = (try instant("startDate", .start), try instant("endDate", .end))
    let isDated = tag.bytes(of: "creationDate") != nil
    let created = isDated ? try instant("creationDate", .created) : end
    let sample = Sample(
      restoring: uuid, type: type, start: start, end: end,
      value: try value(of: type, members: members),
      device: parts.device(tag.bytes(of: "device")),
      metadata: metadata.isEmpty
        ? .none : AppleHealthMetadata.metadata(of: metadata, parts: parts),
      sourceRevision: revision)
    return RestoredSample(sample, created: created)
  }

  private func value(
    of type: ObjectType, members: [Sample]
  ) throws(Unusable) -> SampleValue {
    let text = self["value"] ?? ""
    switch type.kind {
    case .quantity:
      guard let number = Double(recorded: text) else {
        throw Unusable("the value is no number such as 5.5")
      }
      guard let unit = parts.unit(tag.bytes(of: "unit") ?? []) else {
        throw Unusable("the unit '\(self["unit"] ?? "")' cannot be read")
      }
      let quantity = HealthQuantity(number, unit)
      guard type.unit.map({ quantity.converted(to: $0) != nil }) ?? true else {
        throw Unusable("\(unit) does not measure \(type.name)")
      }
      return .quantity(quantity)
    case .category:
      // What may only be there need not have a value.
      let isBare = self["value"] == nil && type.categoryValues == 0...0
      guard let category = isBare ? 0 : CategoryNames.value(of: text, type: type) else {
        throw Unusable("the value '\(text)' is none of \(type)")
      }
      return .category(category)
    case .correlation: return .correlation(members)
    case .document:
      guard let document = try? ClinicalDocument(cda: Array(text.utf8)) else {
        throw Unusable("the document is no CDA")
      }
      return .document(document)
    case .workout: return .workout(try workout())
    case .characteristic, .activitySummary: throw Unusable("\(type) is no sample")
    }
  }

  /// The kind of an event of a workout; `nil` for one that is not known.
  var eventKind: Workout.Event.Kind? { Workout.Event.Kind(exportName: self["type"] ?? "") }

  private func workout() throws(Unusable) -> Workout {
    let name = self["workoutActivityType"] ?? ""
    guard let activity = Workout.Activity(exportName: name) else {
      throw Unusable("the activity '\(name)' is not known")
    }
    var workout = Workout(
      activity: activity,
      duration: try span("duration", "durationUnit") ?? .zero,
      kilocalories: number("totalEnergyBurned", "totalEnergyBurnedUnit", in: .kilocalorie)
        ?? sum(of: "ActiveEnergyBurned", in: .kilocalorie),
      metres: number("totalDistance", "totalDistanceUnit", in: .metre)
        ?? sum(of: "Distance", in: .metre))
    for event in events {
      guard let kind = event.eventKind else { continue }
      workout.events.append(
        Workout.Event(
          kind, at: try event.instant("date", .date),
          duration: try event.span("duration", "durationUnit") ?? .zero))
    }
    return workout
  }

  /// What the statistics of types whose names begin so come to; `nil` where there are none.
  private func sum(of type: String, in unit: HealthUnit) -> Double? {
    let name = "HKQuantityTypeIdentifier" + type
    let sums = statistics.filter { $0["type"]?.hasPrefix(name) == true }
      .compactMap { $0.number("sum", "unit", in: unit) }
    return sums.isEmpty ? nil : sums.reduce(0, +)
  }

  private func span(
    _ name: StaticString, _ unitName: StaticString
  ) throws(Unusable) -> TimeSpan? {
    guard self[name] != nil else { return nil }
    guard let seconds = number(name, unitName, in: .second), seconds.magnitude < 1e12 else {
      throw Unusable("the \(name) is no length of time")
    }
    return .milliseconds(Int64((seconds * 1_000).rounded()))
  }

  private func number(
    _ name: StaticString, _ unitName: StaticString, in unit: HealthUnit
  ) -> Double? {
    guard let value = self[name].flatMap({ Double(recorded: $0) }),
      let own = parts.unit(tag.bytes(of: unitName) ?? Array(unit.unitString.utf8)[...])
    else { return nil }
    return HealthQuantity(value, own).converted(to: unit)
  }

  /// A date, with the milliseconds that our own exports add beside it.
  private func instant(
    _ name: StaticString, _ mark: AppleHealthMark
  ) throws(Unusable) -> Instant {
    if let exact = metadataText(mark).flatMap({ Int64($0) }) {
      let instant = Instant(millisecondsSince1970: exact)
      guard Instant.yearsOfFourDigits.contains(instant) else {
        throw Unusable("the \(name) lies outside the years 0 to 9999")
      }
      return instant
    }
    let text = tag.bytes(of: name) ?? []
    guard let instant = AppleHealthDate.instant(text.span) else {
      throw Unusable("the \(name) is no date such as 2026-02-03 07:00:00 +0100")
    }
    return instant
  }

  private var revision: SourceRevision {
    let bundle = metadataText(.bundle)
    let product = metadataText(.product)
    let system = metadataText(.system)
    let others = [bundle, product, system].map { $0.map { Array($0.utf8)[...] } }
    let texts = [tag.bytes(of: "sourceName"), tag.bytes(of: "sourceVersion")] + others
    return parts.revision(of: texts) {
      let name = self["sourceName"] ?? "unknown"
      return SourceRevision(
        source: Source(name: name, bundleIdentifier: bundle ?? Self.bundle(of: name)),
        version: self["sourceVersion"], productType: product, operatingSystemVersion: system)
    }
  }

  /// Exports do not tell bundle identifiers: that of the health app, which is known by its name in
  /// the phone's language, else one that follows from the source's name.
  static func bundle(of name: String) -> String {
    isHealthApp(named: name)
      ? Source.healthApp.bundleIdentifier : "import.\(ImportedSource.identifier(of: name))"
  }

  /// Whether a source is the health app, with which people type in what they measured or took.
  private static func isHealthApp(named name: String) -> Bool {
    [
      "Health", "Santé", "Salud", "Salute", "Saúde", "Gezondheid", "Hälsa", "Sundhed", "Helse",
      "Terveys", "Zdrowie", "Zdraví", "Здоровье", "Sağlık", "ヘルスケア", "健康", "건강",
    ].contains(name)
  }

  /// The identity that follows from what tells the record from others.
  ///
  /// Dates count as instants: their offsets from UTC are those of the phone's zone when the export
  /// was made, and another export of the same records may have others.
  ///
  /// - Parameters:
  ///   - role: What the record is in its file, where that counts.
  ///   - number: How many records alike came before, where that counts.
  /// - Returns: The identity, which is the same whenever the file is read.
  func identity(as role: String?, number: Int? = nil) -> SampleUUID {
    var name = SampleUUID.Name(parts: 8 + (role == nil ? 0 : 1) + (number == nil ? 0 : 1))
    if let role { name.append(role.utf8Span.span) }
    func append(_ part: ArraySlice<UInt8>?) {
      let bytes = part ?? []
      name.append(bytes.span)
    }
    name.append(element.utf8Span.span)
    append(tag.bytes(of: "type") ?? tag.bytes(of: "workoutActivityType"))
    append(tag.bytes(of: "sourceName"))
    for date in ["startDate", "endDate", "creationDate"] as [StaticString] {
      let bytes = tag.bytes(of: date) ?? []
      if let instant = AppleHealthDate.instant(bytes.span) {
        name.append("\(instant.millisecondsSince1970)".utf8Span.span)
      } else {
        append(bytes)
      }
    }
    append(tag.bytes(of: "value"))
    append(tag.bytes(of: "unit"))
    if let number { name.append("\(number)".utf8Span.span) }
    return name.identity
  }
}

extension AppleHealthRecord {
  /// The insulin or the carbohydrates that the record states, whatever else is wrong with it.
  var accounted: (quantity: ImportAccount.Quantity, amount: Double)? {
    guard let type, type == .insulinDelivery || type == .dietaryCarbohydrates,
      let number = self["value"].flatMap({ Double(recorded: $0) }),
      let stated = parts.unit(tag.bytes(of: "unit") ?? []), let unit = type.unit,
      let amount = HealthQuantity(number, stated).converted(to: unit)
    else { return nil }
    guard type == .insulinDelivery else { return (.carbohydrates, amount) }
    let isBasal = metadata.first { $0.key.key == .insulinDeliveryReason }?.value == "1"
    return (isBasal ? .basal : .bolus, amount)
  }
}

/// The keys under which our own exports keep what Apple's cannot say.
enum AppleHealthMark: String, CaseIterable {
  case uuid = "loopsim.uuid"
  case bundle = "loopsim.bundle"
  case product = "loopsim.product"
  case system = "loopsim.system"
  case start = "loopsim.startMs"
  case end = "loopsim.endMs"
  case created = "loopsim.createdMs"
  case date = "loopsim.dateMs"
  /// Followed by the key of another entry: of which kind its value is.
  case kind = "loopsim.kind:"
}

/// Dates as an export writes them, such as `2026-02-03 07:00:00 +0100`.
enum AppleHealthDate {
  static func instant(_ text: String) -> Instant? { instant(text.utf8Span.span) }

  static func instant(_ bytes: Span<UInt8>) -> Instant? {
    guard bytes.count == 25, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
      bytes[10] == UInt8(ascii: " "), bytes[13] == UInt8(ascii: ":"),
      bytes[16] == UInt8(ascii: ":"), bytes[19] == UInt8(ascii: " "),
      bytes[20] == UInt8(ascii: "+") || bytes[20] == UInt8(ascii: "-")
    else { return nil }
    guard let year = number(bytes, 0..<4), let month = number(bytes, 5..<7),
      let day = number(bytes, 8..<10), let hour = number(bytes, 11..<13),
      let minute = number(bytes, 14..<16), let second = number(bytes, 17..<19),
      let offset = offset(bytes)
    else { return nil }
    let civil = CivilTime(year: year, month: month, day: day)
    guard civil.isValid, hour < 24, minute < 60, second <= 60 else { return nil }
    return Instant(
      secondsSince1970: civil.dayNumber * 86_400 + Int64(hour * 3_600 + minute * 60 + second)
        - offset * 60)
  }

  /// The offset from UTC that a date states, in minutes; `nil` for none and above 18 hours.
  static func offset(_ bytes: Span<UInt8>) -> Int64? {
    guard bytes.count == 25, let hours = number(bytes, 21..<23),
      let minutes = number(bytes, 23..<25), minutes < 60
    else { return nil }
    let size = Int64(hours * 60 + minutes)
    guard size <= 1_080 else { return nil }
    return bytes[20] == UInt8(ascii: "-") ? -size : size
  }

  /// The number that the digits in a range are.
  private static func number(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int? {
    assert(range.count < 19, "So many digits are a number that fits.")
    var value = 0
    for index in range {
      guard (0x30...0x39).contains(bytes[index]) else { return nil }
      value = value * 10 + Int(bytes[index]) - 0x30
    }
    return value
  }

  /// A date in UTC, its fraction of a second cut off.
  static func text(_ instant: Instant) -> String {
    let text = CivilTime(
      millisecondsSince1970: instant.floored(to: .seconds(1)).millisecondsSince1970
    ).description
    return String(text.prefix(19)).replacing("T", with: " ") + " +0000"
  }

  static func isWhole(_ instant: Instant) -> Bool { instant.floored(to: .seconds(1)) == instant }
}
