internal import HealthStore
internal import Quantities
internal import StructuredText

/// One element of an export of Apple Health as it stands in the file.
struct AppleHealthRecord {
  var element: String
  var attributes: Attributes
  var metadata: [(key: String, value: String)] = []
  var members: [AppleHealthRecord] = []
  var events: [AppleHealthRecord] = []
  var position: TextPosition
  /// What the record shares with others of its file.
  var parts: AppleHealthParts

  /// Why an element is no sample of ours.
  struct Unusable: Error {
    var reason: String

    init(_ reason: String) { self.reason = reason }
  }

  subscript(name: String) -> String? { attributes[name] }

  func metadataText(_ key: String) -> String? { metadata.first { $0.key == key }?.value }

  /// The type of the sample; `nil` for one that is not known.
  let type: ObjectType?

  init(
    element: String, attributes: [(name: String, value: String)], position: TextPosition,
    parts: AppleHealthParts
  ) {
    self.element = element
    self.attributes = Attributes(pairs: attributes)
    self.position = position
    self.parts = parts
    type = element == "Workout" ? .workout : self.attributes["type"].flatMap { parts.type($0) }
  }

  /// The attributes of an element: so few that a search beats a table.
  struct Attributes {
    var pairs: [(name: String, value: String)]

    subscript(name: String) -> String? { pairs.first { $0.name == name }?.value }
  }

  /// The sample that the element stands for.
  func sample(uuid: SampleUUID, members: [Sample]) throws(Unusable) -> RestoredSample {
    guard let type else { throw Unusable("the type '\(attributes["type"] ?? "")' is not known") }
    let (start, end) = (try instant("startDate", .start), try instant("endDate", .end))
    let created = attributes["creationDate"] == nil ? end : try instant("creationDate", .created)
    let sample = Sample(
      restoring: uuid, type: type, start: start, end: end,
      value: try value(of: type, members: members),
      device: parts.device(self["device"]),
      metadata: AppleHealthMetadata.metadata(of: metadata), sourceRevision: revision)
    return RestoredSample(sample, created: created)
  }

  private func value(
    of type: ObjectType, members: [Sample]
  ) throws(Unusable) -> SampleValue {
    let text = self["value"] ?? ""
    switch type.kind {
    case .quantity:
      // Swift reads hexadecimal numbers, which no export has.
      guard let number = Double(text), number.isFinite, !text.utf8.contains(UInt8(ascii: "x"))
      else {
        throw Unusable("the value '\(text)' is no number")
      }
      guard let unit = parts.unit(self["unit"] ?? "") else {
        throw Unusable("the unit '\(self["unit"] ?? "")' cannot be read")
      }
      return .quantity(HealthQuantity(number, unit))
    case .category:
      guard let category = CategoryNames.value(of: text, type: type) else {
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

  private func workout() throws(Unusable) -> Workout {
    let name = self["workoutActivityType"] ?? ""
    guard let activity = Workout.Activity(exportName: name) else {
      throw Unusable("the activity '\(name)' is not known")
    }
    var workout = Workout(
      activity: activity,
      duration: try span("duration", "durationUnit") ?? .zero,
      kilocalories: number("totalEnergyBurned", "totalEnergyBurnedUnit", in: .kilocalorie),
      metres: number("totalDistance", "totalDistanceUnit", in: .metre))
    for event in events {
      guard let kind = Workout.Event.Kind(exportName: event["type"] ?? "") else { continue }
      workout.events.append(
        Workout.Event(
          kind, at: try event.instant("date", .date),
          duration: try event.span("duration", "durationUnit") ?? .zero))
    }
    return workout
  }

  private func span(_ name: String, _ unitName: String) throws(Unusable) -> TimeSpan? {
    guard attributes[name] != nil else { return nil }
    guard let seconds = number(name, unitName, in: .second), seconds.magnitude < 1e12 else {
      throw Unusable("the \(name) '\(attributes[name] ?? "")' is no time")
    }
    return .milliseconds(Int64((seconds * 1_000).rounded()))
  }

  private func number(_ name: String, _ unitName: String, in unit: HealthUnit) -> Double? {
    guard let value = attributes[name].flatMap({ Double($0) }), value.isFinite,
      let own = parts.unit(attributes[unitName] ?? unit.unitString)
    else { return nil }
    return HealthQuantity(value, own).converted(to: unit)
  }

  /// A date, with the milliseconds that our own exports add beside it.
  private func instant(
    _ name: String, _ mark: AppleHealthMark
  ) throws(Unusable) -> Instant {
    if let exact = metadataText(mark.rawValue).flatMap({ Int64($0) }) {
      return Instant(millisecondsSince1970: exact)
    }
    guard let instant = parts.instant(attributes[name] ?? "") else {
      throw Unusable("the \(name) '\(attributes[name] ?? "")' is no date")
    }
    return instant
  }

  private var revision: SourceRevision {
    let name = self["sourceName"] ?? "unknown"
    let bundle = metadataText(AppleHealthMark.bundle.rawValue)
    let product = metadataText(AppleHealthMark.product.rawValue)
    let system = metadataText(AppleHealthMark.system.rawValue)
    let version = self["sourceVersion"]
    return parts.revision([name, bundle, version, product, system]) {
      SourceRevision(
        source: Source(name: name, bundleIdentifier: bundle ?? Self.bundle(of: name)),
        version: version, productType: product, operatingSystemVersion: system)
    }
  }

  /// Exports do not tell bundle identifiers: one that follows from the source's name.
  static func bundle(of name: String) -> String {
    var slug = ""
    for scalar in name.lowercased().unicodeScalars {
      let isPlain = ("a"..."z").contains(scalar) || ("0"..."9").contains(scalar)
      slug.unicodeScalars.append(isPlain ? scalar : "-")
    }
    return "import.\(slug)"
  }

  /// What tells the record from others, for an identity that follows from the file.
  var content: [String] {
    [
      element, self["type"] ?? self["workoutActivityType"] ?? "", self["sourceName"] ?? "",
      self["startDate"] ?? "", self["endDate"] ?? "", self["creationDate"] ?? "",
      self["value"] ?? "", self["unit"] ?? "",
    ]
  }
}

extension AppleHealthRecord {
  /// The insulin or the carbohydrates that the record states, whatever else is wrong with it.
  var accounted: (quantity: ImportAccount.Quantity, amount: Double)? {
    guard let type, type == .insulinDelivery || type == .dietaryCarbohydrates,
      let amount = self["value"].flatMap({ Double($0) }), amount.isFinite
    else { return nil }
    guard type == .insulinDelivery else { return (.carbohydrates, amount) }
    let isBasal = metadataText(MetadataKey.insulinDeliveryReason.rawValue) == "1"
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
  static func instant(_ text: String) -> Instant? {
    let bytes = Array(text.utf8)
    func number(_ range: Range<Int>) -> Int? {
      var value = 0
      for byte in bytes[range] {
        guard (0x30...0x39).contains(byte) else { return nil }
        value = value * 10 + Int(byte) - 0x30
      }
      return value
    }
    func has(_ character: Character, at index: Int) -> Bool {
      assert(bytes.indices.contains(index), "The place lies within the text.")
      return bytes[index] == character.asciiValue
    }
    guard bytes.count == 25, has("-", at: 4), has("-", at: 7), has(" ", at: 10), has(":", at: 13),
      has(":", at: 16), has(" ", at: 19), has("+", at: 20) || has("-", at: 20)
    else { return nil }
    guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
      let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19),
      let offsetHours = number(21..<23), let offsetMinutes = number(23..<25)
    else { return nil }
    let civil = CivilTime(year: year, month: month, day: day)
    guard civil.isValid, hour < 24, minute < 60, second <= 60, offsetMinutes < 60 else {
      return nil
    }
    let offset = (offsetHours * 3_600 + offsetMinutes * 60) * (has("-", at: 20) ? -1 : 1)
    return Instant(
      secondsSince1970: civil.dayNumber * 86_400
        + Int64(hour * 3_600 + minute * 60 + second - offset))
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
