public import HealthStore
public import Quantities
internal import StructuredText

/// Writes samples in the form of an export of Apple Health (`export.xml`).
///
/// What that form cannot say goes into metadata of our own, so that reading the file back gives
/// equal samples: identities, bundle identifiers, fractions of a second, kinds of metadata. Members
/// of correlations also stand beside them, as in the original. Times are in UTC.
///
///     var writer = AppleHealthWriter(exportedAt: now, characteristics: [])
///     for sample in samples { writer.append(sample) }
///     writer.finish()
///     let bytes = writer.takeBytes()
public struct AppleHealthWriter {
  private var writer = XMLWriter()

  /// Begins an export with the facts about the user.
  public init(exportedAt instant: Instant, characteristics: [(type: ObjectType, value: Int)]) {
    writer.open("HealthData", ["locale": "en_US"])
    writer.empty("ExportDate", ["value": AppleHealthDate.text(instant)])
    writer.empty(
      "Me",
      attributes: CharacteristicNames.types.map { type in
        let value = characteristics.first { $0.type == type }?.value
        return (type.identifier, CharacteristicNames.text(of: value, type: type))
      })
  }

  /// Appends a sample; one of a correlation with its members.
  public mutating func append(_ restored: RestoredSample) {
    append(restored.sample, created: restored.created, isInside: false)
  }

  /// Ends the document.
  public mutating func finish() { writer.close() }

  /// What was written since the last call.
  public mutating func takeBytes() -> [UInt8] { writer.takeBytes() }

  private mutating func append(_ sample: Sample, created: Instant, isInside: Bool) {
    let element: String
    switch sample.value {
    case .correlation: element = "Correlation"
    case .workout: element = "Workout"
    case .quantity, .category, .document: element = "Record"
    }
    writer.open(element, attributes: attributes(of: sample, created: created))
    for (key, value) in entries(of: sample, created: created) {
      writer.empty("MetadataEntry", ["key": key, "value": value])
    }
    for event in sample.workout?.events ?? [] { append(event) }
    for member in sample.members { append(member, created: created, isInside: true) }
    writer.close()
    guard !isInside else { return }
    for member in sample.members { append(member, created: created, isInside: true) }
  }

  private mutating func append(_ event: Workout.Event) {
    var attributes = [
      ("type", event.kind.exportName), ("date", AppleHealthDate.text(event.instant)),
      ("duration", HealthQuantity.text(of: event.duration.seconds / 60)), ("durationUnit", "min"),
    ]
    if event.duration == .zero { attributes.removeLast(2) }
    guard !AppleHealthDate.isWhole(event.instant) else {
      writer.empty("WorkoutEvent", attributes: attributes)
      return
    }
    writer.open("WorkoutEvent", attributes: attributes)
    writer.empty(
      "MetadataEntry",
      [
        "key": AppleHealthMark.date.rawValue,
        "value": "\(event.instant.millisecondsSince1970)",
      ])
    writer.close()
  }

  private func attributes(of sample: Sample, created: Instant) -> [(String, String)] {
    var attributes: [(String, String)] = []
    if case .workout(let workout) = sample.value {
      attributes += Self.attributes(of: workout)
    } else {
      attributes.append(("type", sample.type.identifier))
    }
    let revision = sample.sourceRevision ?? SourceRevision(source: .healthApp)
    attributes.append(("sourceName", revision.source.name))
    if let version = revision.version { attributes.append(("sourceVersion", version)) }
    if let device = AppleHealthDevice(sample.device).text { attributes.append(("device", device)) }
    if let quantity = sample.quantity { attributes.append(("unit", "\(quantity.unit)")) }
    attributes += [
      ("creationDate", AppleHealthDate.text(created)),
      ("startDate", AppleHealthDate.text(sample.start)),
      ("endDate", AppleHealthDate.text(sample.end)),
    ]
    switch sample.value {
    case .quantity(let quantity):
      attributes.append(("value", HealthQuantity.text(of: quantity.value)))
    case .category(let value):
      attributes.append(("value", CategoryNames.name(of: value, type: sample.type)))
    case .document(let document):
      attributes.append(("value", String(decoding: document.xml ?? [], as: UTF8.self)))
    case .correlation, .workout: break
    }
    return attributes
  }

  private static func attributes(of workout: Workout) -> [(String, String)] {
    var attributes = [
      ("workoutActivityType", workout.activity.exportName),
      ("duration", HealthQuantity.text(of: workout.duration.seconds / 60)),
      ("durationUnit", "min"),
    ]
    if let metres = workout.metres {
      attributes.append(("totalDistance", HealthQuantity.text(of: metres)))
      attributes.append(("totalDistanceUnit", "m"))
    }
    if let kilocalories = workout.kilocalories {
      attributes.append(("totalEnergyBurned", HealthQuantity.text(of: kilocalories)))
      attributes.append(("totalEnergyBurnedUnit", "kcal"))
    }
    return attributes
  }

  /// The metadata, with what else is needed to get the sample back.
  private func entries(of sample: Sample, created: Instant) -> [(key: String, value: String)] {
    var entries = AppleHealthMetadata.entries(of: sample.metadata)
    func mark(_ mark: AppleHealthMark, _ value: String) { entries.append((mark.rawValue, value)) }
    mark(.uuid, "\(sample.uuid)")
    let revision = sample.sourceRevision ?? SourceRevision(source: .healthApp)
    mark(.bundle, revision.source.bundleIdentifier)
    if let product = revision.productType { mark(.product, product) }
    if let system = revision.operatingSystemVersion { mark(.system, system) }
    for (name, instant) in [
      (AppleHealthMark.start, sample.start), (.end, sample.end), (.created, created),
    ] where !AppleHealthDate.isWhole(instant) {
      mark(name, "\(instant.millisecondsSince1970)")
    }
    return entries
  }
}
