public import HealthStore
internal import Quantities
internal import StructuredText

/// Reads an export of Apple Health (`export.xml`), part by part.
///
/// The form is that of the document type inside the export, version 14, which itself is malformed
/// in several systems: it is skipped, and nothing is validated against it. Forbidden control
/// characters become blanks. Records that stand both inside a correlation and beside it count once;
/// those of a correlation that is left out are records of their own.
///
/// An export has no identities. Each record gets one that follows from its content, so that reading
/// the same file again gives the same samples. Records alike keep their number.
///
///     var reader = AppleHealthReader(file: "export.xml")
///     while let samples = try reader.next(upTo: 10_000, input: { try read() }) { … }
public struct AppleHealthReader {
  private var scanner: XMLScanner
  private let types: Set<ObjectType>?
  private let parts = AppleHealthParts()
  private var hasRoot = false
  private var identities = RecordIdentities()
  /// Records that may be members of a correlation, which stands further on in the file.
  private var heldRecords: [AppleHealthRecord] = []
  /// Members of correlations whose types are not asked for.
  private var freeMembers: [RestoredSample] = []
  /// Members of correlations that were left out, perhaps with a copy among the held records.
  private var looseMembers: [AppleHealthRecord] = []
  private var isAtEnd = false
  /// How many records begin at a date with each offset from UTC, in minutes.
  ///
  /// It is that of the phone's zone when the export was made, by the rule of each date.
  private var offsets: [Int64: Int] = [:]
  /// What came of the records so far.
  public private(set) var report: ImportReport
  /// The facts about the user, by type.
  public private(set) var characteristics: [(type: ObjectType, value: Int)] = []

  /// Creates a reader, of some types only when they are named.
  public init(file: String, types: Set<ObjectType>? = nil) {
    scanner = XMLScanner(file: file)
    self.types = types
    report = ImportReport(file: file)
  }

  /// The next samples, at most so many; nothing at the end of the file.
  ///
  /// The input gives the next bytes each time it is called, and none at the end.
  ///
  /// - Throws: `TextProblem` where the file is no XML or no export, and what the input throws.
  public mutating func next(
    upTo count: Int, input: () throws -> [UInt8]
  ) throws -> [RestoredSample]? {
    var samples: [RestoredSample] = []
    samples.reserveCapacity(count)
    while samples.count < count, !isAtEnd {
      guard let piece = try piece(input) else {
        isAtEnd = true
        heldRecords += identities.withoutCopies(looseMembers, among: heldRecords)
        heldRecords.reverse()
        freeMembers.reverse()
        nameOffsets()
        break
      }
      guard piece == .start else { continue }
      if !hasRoot {
        try checkRoot()
      } else if let sample = try sample(input) {
        samples.append(sample)
      }
    }
    if isAtEnd {
      takeHeld(upTo: count, into: &samples)
    }
    return samples.isEmpty && isAtEnd ? nil : samples
  }

  private mutating func checkRoot() throws {
    guard scanner.isNamed("HealthData") else {
      throw TextProblem(
        at: scanner.tagPosition,
        "This is no export of Apple Health: its root is <\(scanner.name)>, not <HealthData>.")
    }
    hasRoot = true
  }

  private mutating func piece(_ input: () throws -> [UInt8]) throws -> XMLScanner.Piece? {
    while scanner.wantsMore { scanner.append(cleaned(try input())) }
    return try scanner.next()
  }

  /// The bytes with blanks in place of control characters, which XML 1.0 does not allow and real
  /// exports have; the report counts them.
  private mutating func cleaned(_ bytes: [UInt8]) -> [UInt8] {
    guard XMLScanner.firstControlByte(in: bytes.span) != nil else { return bytes }
    report.controlCharacters += bytes.count(where: Self.isForbidden)
    return bytes.map { Self.isForbidden($0) ? UInt8(ascii: " ") : $0 }
  }

  private static func isForbidden(_ byte: UInt8) -> Bool {
    byte < 0x20 && byte != 0x09 && byte != 0x0a && byte != 0x0d
  }
}

extension AppleHealthReader {
  /// The sample of the element that has just started, if it is one to be handed out now.
  private mutating func sample(_ input: () throws -> [UInt8]) throws -> RestoredSample? {
    if scanner.isNamed("Me") { readCharacteristics() } else { countUnread() }
    let isWanted =
      scanner.isNamed("Record") || scanner.isNamed("Correlation") || scanner.isNamed("Workout")
    guard isWanted, isChosen() else {
      if scanner.isNamed("Correlation"), holdsChosen() {
        free(try record(input).members)
      } else {
        try skip(input)
      }
      return nil
    }
    let record = try record(input)
    report.countRecord()
    if let date = record.tag.bytes(of: "startDate"),
      let offset = AppleHealthDate.offset(date.span)
    {
      offsets[offset, default: 0] += 1
    }
    do {
      return try take(record)
    } catch let problem as AppleHealthRecord.Unusable {
      leaveOut(record, problem.reason)
      loosen(record.members)
      return nil
    }
  }

  /// Makes the members of a correlation that is not asked for samples of their own, as far as they
  /// are asked for.
  ///
  /// They keep the identities that they have in the correlation: a copy beside it is still one, and
  /// whoever takes over the correlation later has them already.
  private mutating func free(_ members: [AppleHealthRecord]) {
    for member in members {
      let uuid = identities.identity(of: member, isMember: true)
      guard let type = member.type, types?.contains(type) != false else { continue }
      report.countRecord()
      do {
        let restored = try member.sample(uuid: uuid, members: [])
        count(restored)
        freeMembers.append(restored)
      } catch {
        loosen([member])
      }
    }
  }

  /// Makes the members of a correlation that is left out records of their own, as far as their
  /// types are asked for.
  ///
  /// Copies of members of other types are handed out as they come.
  private mutating func loosen(_ members: [AppleHealthRecord]) {
    for member in members {
      identities.loosen(member)
      guard let type = member.type, CorrelationMembers.types.contains(type),
        types?.contains(type) != false
      else { continue }
      looseMembers.append(member)
    }
  }

  /// Names the offsets from UTC, unless most dates are in UTC, as all of our own exports are.
  private mutating func nameOffsets() {
    guard let most = offsets.values.max(), offsets[0] != most else { return }
    report.name(offsets: offsets)
  }

  /// Counts an element that holds data which are not read.
  private mutating func countUnread() {
    let isData =
      scanner.isNamed("ActivitySummary") || scanner.isNamed("ClinicalRecord")
      || scanner.isNamed("Audiogram") || scanner.isNamed("VisionPrescription")
    guard isData else { return }
    report.countRecord()
    report.leaveOut("elements <\(scanner.name)> are not read", at: scanner.tagPosition)
  }

  /// Leaves a record out, with the insulin or the carbohydrates that it states.
  private mutating func leaveOut(_ record: AppleHealthRecord, _ reason: String) {
    report.leaveOut(reason, at: record.position)
    guard let stated = record.accounted else { return }
    report.account.state(stated.quantity, stated.amount)
    report.account.change(
      stated.quantity, by: -stated.amount, because: reason, at: record.position)
  }

  /// Counts a record that is handed out.
  private mutating func count(_ restored: RestoredSample) {
    state(restored.sample)
    for member in restored.sample.members { state(member) }
    report.count(restored.sample)
  }

  private mutating func state(_ sample: Sample) {
    guard let stated = sample.accounted else { return }
    report.account.state(stated.quantity, stated.amount)
  }

  private func isChosen() -> Bool {
    guard let types else { return true }
    if scanner.isNamed("Workout") { return types.contains(.workout) }
    guard let type = scanner.bytes(of: "type").flatMap({ parts.type($0) }) else {
      return false
    }
    return types.contains(type)
  }

  /// Whether the correlation that has just started may have members of types that are asked for.
  private func holdsChosen() -> Bool {
    let type = scanner.bytes(of: "type").flatMap { parts.type($0) }
    return type?.memberTypes.contains { types?.contains($0) == true } ?? false
  }

  private mutating func take(_ record: AppleHealthRecord) throws -> RestoredSample? {
    var members: [Sample] = []
    // A copy at top level has the same content, and therefore the same identity. All are known
    // before one of them turns out to be unusable.
    let uuids = record.members.map { identities.identity(of: $0, isMember: true) }
    for (member, uuid) in zip(record.members, uuids) {
      members.append(try member.sample(uuid: uuid, members: []).sample)
    }
    let isMemberType = record.type.map { CorrelationMembers.types.contains($0) } ?? false
    if isMemberType {
      heldRecords.append(record)
      return nil
    }
    let uuid = identities.identity(of: record, isMember: false)
    let restored = try record.sample(uuid: uuid, members: members)
    count(restored)
    for event in record.events where event.eventKind == nil {
      report.remark("a kind of workout event that is not known", at: event.position)
    }
    return restored
  }

  /// Hands out the held records that turned out to be no members.
  private mutating func takeHeld(upTo count: Int, into samples: inout [RestoredSample]) {
    while samples.count < count, let free = freeMembers.popLast() { samples.append(free) }
    while samples.count < count, !heldRecords.isEmpty {
      let record = heldRecords.removeLast()
      guard let uuid = identities.identityBesideMembers(of: record) else {
        report.countCopy(of: record.type)
        continue
      }
      do {
        let restored = try record.sample(uuid: uuid, members: [])
        self.count(restored)
        samples.append(restored)
      } catch {
        leaveOut(record, error.reason)
      }
    }
  }

  /// The element that has just started, with everything in it that is read.
  private mutating func record(_ input: () throws -> [UInt8]) throws -> AppleHealthRecord {
    var record = AppleHealthRecord(element: scanner.name, tag: scanner.tag, parts: parts)
    while let piece = try piece(input), piece != .end {
      guard piece == .start else { continue }
      if scanner.isNamed("MetadataEntry") {
        record.metadata.append(
          (parts.key(scanner.bytes(of: "key") ?? []), scanner.attribute("value") ?? ""))
        try skip(input)
      } else if scanner.isNamed("Record") {
        record.members.append(try self.record(input))
      } else if scanner.isNamed("WorkoutEvent") {
        record.events.append(try self.record(input))
      } else if scanner.isNamed("WorkoutStatistics") {
        record.statistics.append(try self.record(input))
      } else {
        try skip(input)
      }
    }
    return record
  }

  /// Leaves out the element that has just started.
  private mutating func skip(_ input: () throws -> [UInt8]) throws {
    var depth = 1
    while depth > 0, let piece = try piece(input) {
      switch piece {
      case .start: depth += 1
      case .end: depth -= 1
      case .text: break
      }
    }
  }

  private mutating func readCharacteristics() {
    for (name, text) in scanner.allAttributes where !text.isEmpty {
      guard let type = ObjectType(identifier: name), CharacteristicNames.types.contains(type) else {
        continue
      }
      guard let value = CharacteristicNames.value(of: text, type: type) else {
        report.countRecord()
        report.leaveOut("it is no \(type.name) of a person", at: scanner.tagPosition)
        continue
      }
      characteristics.append((type, value))
    }
  }
}

/// The types that can be members of a correlation.
enum CorrelationMembers {
  static let types = Set(ObjectType.allCases.flatMap(\.memberTypes))
}

/// Identities for records that have none.
struct RecordIdentities {
  /// Half of each identity so far.
  private var seen = IdentitySet()
  private var repeats: [UInt64: Int] = [:]
  /// The identities of members of correlations, each with how often it is still expected beside.
  private var members: [SampleUUID: Int] = [:]

  /// The identity of a record: its own where our export says it, else one that follows from the
  /// content and from how many records alike came before.
  mutating func identity(of record: AppleHealthRecord, isMember: Bool) -> SampleUUID {
    let uuid = own(record) ?? derived(record, isMember ? "member" : "record")
    if isMember { members[key(record), default: 0] += 1 }
    return uuid
  }

  /// The identity of a record that may be the copy of a member; nothing when it is one.
  mutating func identityBesideMembers(of record: AppleHealthRecord) -> SampleUUID? {
    let key = key(record)
    if let count = members[key], count > 0 {
      members[key] = count - 1
      return nil
    }
    return own(record) ?? derived(record, "record")
  }

  /// Expects no copy of a member any more, as its correlation is left out.
  mutating func loosen(_ member: AppleHealthRecord) { members[key(member), default: 0] -= 1 }

  /// Those of some members of correlations that were left out of which no copy is among other
  /// records; a copy of a member that stays does not count.
  func withoutCopies(
    _ loose: [AppleHealthRecord], among others: [AppleHealthRecord]
  ) -> [AppleHealthRecord] {
    guard !loose.isEmpty else { return [] }
    var copies: [SampleUUID: Int] = [:]
    for record in others { copies[key(record), default: 0] += 1 }
    return loose.filter { member in
      let key = key(member)
      guard let count = copies[key], count > members[key, default: 0] else { return true }
      copies[key] = count - 1
      return false
    }
  }

  private func own(_ record: AppleHealthRecord) -> SampleUUID? {
    record.metadataText(.uuid).flatMap { SampleUUID($0) }
  }

  /// What a member of a correlation and its copy have in common, and nothing else has: the identity
  /// where our export says it, else the content.
  private func key(_ record: AppleHealthRecord) -> SampleUUID {
    own(record) ?? record.identity(as: nil)
  }

  private mutating func derived(_ record: AppleHealthRecord, _ role: String) -> SampleUUID {
    let plain = record.identity(as: role)
    if seen.insert(plain.low) { return plain }
    let number = repeats[plain.low, default: 0] + 1
    repeats[plain.low] = number
    return record.identity(as: role, number: number)
  }
}
