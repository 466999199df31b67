internal import HealthStore
internal import Quantities

/// Metadata as an export writes them: all as text, the kinds lost.
///
/// On reading, the kinds of known keys come back; unknown ones stay text. Our own exports say the
/// kind of every entry that would not come back by that.
enum AppleHealthMetadata {
  /// The kinds of values, as our own exports name them.
  enum Kind: String {
    case text, number, flag, date, quantity
    /// A date with a fraction of a second, in milliseconds since 1970.
    case milliseconds
  }

  private static let kinds: [MetadataKey: Kind] = {
    var kinds: [MetadataKey: Kind] = [:]
    for key in [
      MetadataKey.insulinDeliveryReason, .syncVersion, .bloodGlucoseMealTime, .absorptionTime,
      .absorptionTimeMinutes, .bodyTemperatureSensorLocation, .heartRateSensorLocation,
      .heartRateMotionContext,
    ] { kinds[key] = .number }
    for key in [
      MetadataKey.wasUserEntered, .wasTakenInLab, .menstrualCycleStart, .hasLoopKitOrigin,
      .manuallyEntered, .automaticallyIssued, .isSuspend, .glucoseIsDisplayOnly,
    ] { kinds[key] = .flag }
    for key in [
      MetadataKey.referenceRangeLowerLimit, .referenceRangeUpperLimit, .scheduledBasalRate,
      .programmedTempBasalRate, .glucoseTrendRate,
    ] { kinds[key] = .quantity }
    for key in [MetadataKey.userCreatedDate, .userUpdatedDate] { kinds[key] = .date }
    return kinds
  }()

  /// The kind of the values under a key where no other entry says it.
  static func kind(of key: MetadataKey) -> Kind { kinds[key] ?? .text }

  // MARK: - Reading

  static func metadata(of entries: [(key: String, value: String)]) -> Metadata {
    metadata(
      of: entries.map { (AppleHealthKey($0.key), $0.value) }, parts: AppleHealthParts())
  }

  static func metadata(
    of entries: [(key: AppleHealthKey, value: String)], parts: AppleHealthParts
  ) -> Metadata {
    var said: [String: String] = [:]
    for (name, text) in entries {
      guard let key = name.kindOf else { continue }
      said[key] = said[key] ?? text
    }
    var pairs: [(MetadataKey, MetadataValue)] = []
    pairs.reserveCapacity(entries.count)
    for (name, text) in entries where name.mark == nil {
      let other = said.isEmpty ? nil : said[name.key.rawValue].flatMap { Kind(rawValue: $0) }
      pairs.append((name.key, value(text, other ?? name.kind, parts) ?? .text(text)))
    }
    return Metadata(pairs)
  }

  private static func value(
    _ text: String, _ kind: Kind, _ parts: AppleHealthParts
  ) -> MetadataValue? {
    switch kind {
    case .text: return .text(text)
    case .number: return Double(recorded: text).map { .number($0) }
    case .flag: return text == "1" ? .flag(true) : text == "0" ? .flag(false) : nil
    // Tidepool's uploader writes dates as it writes all its times.
    case .date:
      return (AppleHealthDate.instant(text) ?? Instant(recorded: text)).map { .date($0) }
    case .milliseconds:
      return Int64(text).map { .date(Instant(millisecondsSince1970: $0)) }
    case .quantity:
      guard let space = text.utf8.firstIndex(of: UInt8(ascii: " ")),
        let number = Double(recorded: text[..<space]),
        let unit = parts.unit(Array(text.utf8[space...].dropFirst())[...])
      else { return nil }
      return .quantity(HealthQuantity(number, unit))
    }
  }

  // MARK: - Writing

  /// The entries that bring the metadata back, in their order.
  static func entries(of metadata: Metadata) -> [(key: String, value: String)] {
    var entries: [(key: String, value: String)] = []
    for entry in metadata.entries {
      let (text, kind) = written(entry.value)
      entries.append((entry.key.rawValue, text))
      let expected = kinds[entry.key] ?? .text
      if kind != expected {
        entries.append((AppleHealthMark.kind.rawValue + entry.key.rawValue, kind.rawValue))
      }
    }
    return entries
  }

  private static func written(_ value: MetadataValue) -> (String, Kind) {
    switch value {
    case .text(let text): (text, .text)
    case .number(let number): (HealthQuantity.text(of: number), .number)
    case .flag(let flag): (flag ? "1" : "0", .flag)
    case .quantity(let quantity): (quantity.description, .quantity)
    case .date(let date):
      AppleHealthDate.isWhole(date)
        ? (AppleHealthDate.text(date), .date) : ("\(date.millisecondsSince1970)", .milliseconds)
    }
  }
}
