import HealthStore
import HealthStoreSQLite
import Quantities
import Testing

/// One store kept twice, in memory and in a file that is opened again now and then, to which the
/// same is done.
struct Twins {
  typealias FileStore = HealthRecordStore<SQLiteBackend>

  private let folder: ScratchFolder
  var memory = InMemoryHealthStore()
  var file: FileStore
  let mirror: SQLiteBackend
  private var services: [SubscriptionService] = []
  private var chance: SplitMix
  private var identities: SplitMix
  private let clients: [ClientID]
  var known: [Sample] = []
  private var minute: Int64 = 2_000
  let start = Instant(secondsSince1970: 1_700_006_400)
  var trail: [String] = []

  static let types: [ObjectType] = [
    .bloodGlucose, .insulinDelivery, .stepCount, .dietaryCarbohydrates, .dietaryProtein, .food,
    .bloodPressure, .bloodPressureSystolic, .bloodPressureDiastolic, .workout, .sleepAnalysis,
  ]

  init(seed: UInt64) throws {
    folder = try ScratchFolder()
    chance = SplitMix(state: seed)
    identities = SplitMix(state: seed &* 7_919 &+ 1)
    file = try FileStore(opening: SQLiteBackend(path: folder.file("a.sqlite")))
    mirror = try SQLiteBackend(path: folder.file("b.sqlite"))
    var clients: [ClientID] = []
    for name in ["com.loopkit.Loop", "com.dexcom.G7", "com.tidepool.uploader"] {
      let client = HealthClient(bundleIdentifier: name, name: name, version: "1")
      clients.append(try memory.register(client, granting: .full))
      _ = try file.register(client, granting: .full)
    }
    self.clients = clients
    services = [
      SubscriptionService(name: "one", client: clients[2], isIntradayEnabled: true),
      SubscriptionService(name: "two", client: clients[2]),
    ]
  }

  // MARK: - Chance

  mutating func below(_ count: Int) -> Int { Int(chance.next() % UInt64(count)) }
  mutating func pick<Element>(_ list: [Element]) -> Element { list[below(list.count)] }
  private var now: Instant { start + .minutes(minute) }
  mutating func instant() -> Instant { start + .minutes(Int64(below(2_000))) }
  mutating func someone() -> ClientID { below(6) == 0 ? .user : pick(clients) }

  private mutating func metadata(of type: ObjectType) -> Metadata {
    var metadata = Metadata()
    if below(2) == 0 {
      metadata.setSync(identifier: SyncIdentifier("s\(below(6))"), version: below(5))
    }
    if below(3) == 0 { metadata[.foodType] = .text("é\(below(3))") }
    if below(4) == 0 { metadata[.externalUUID] = .text("x\(below(9))") }
    if below(5) == 0 { metadata[MetadataKey("k\(below(4))")] = .number(Double(below(3)) - 0.1) }
    if below(6) == 0 { metadata[.hasLoopKitOrigin] = .flag(below(2) == 0) }
    if below(6) == 0 { metadata[.userCreatedDate] = .date(instant()) }
    if type == .insulinDelivery { metadata.insulinDeliveryReason = pick([.basal, .bolus]) }
    return metadata
  }

  private mutating func quantity(
    _ type: ObjectType, from first: Instant, to last: Instant, hasMetadata: Bool = true
  ) throws -> Sample {
    let device = below(3) == 0 ? Device(name: "d\(below(3))") : nil
    return try Sample(
      type, quantity: HealthQuantity(Double(below(200)) / 4, type.unit ?? .count), start: first,
      end: last, uuid: SampleUUID(using: &identities), device: device,
      metadata: hasMetadata ? metadata(of: type) : .none)
  }

  private mutating func sample() throws -> Sample {
    if below(12) == 0, !known.isEmpty { return pick(known) }
    let type = pick(Self.types)
    let first = instant()
    let last = first + .minutes(Int64(below(4) == 0 ? below(1_600) : below(20)))
    let middle = first + TimeSpan.milliseconds((last - first).milliseconds / 2)
    let uuid = SampleUUID(using: &identities)
    switch type {
    case .food:
      let nutrients: [ObjectType] =
        below(2) == 0
        ? [.dietaryCarbohydrates, .dietaryProtein] : [.dietaryCarbohydrates]
      var members: [Sample] = []
      for nutrient in nutrients {
        members.append(try quantity(nutrient, from: first, to: below(2) == 0 ? middle : last))
      }
      return try Sample(
        .food, members: members, start: first, end: last, uuid: uuid,
        metadata: metadata(of: .food))
    case .bloodPressure:
      let members = [
        try quantity(.bloodPressureSystolic, from: first, to: last),
        try quantity(.bloodPressureDiastolic, from: middle, to: last),
      ]
      return try Sample(
        .bloodPressure, members: members, start: first, end: last, uuid: uuid,
        metadata: metadata(of: .bloodPressure))
    case .workout:
      let events = (0..<below(3)).map { Workout.Event(.lap, at: first + .seconds(Int64($0))) }
      return Sample(
        workout: Workout(
          activity: .running, duration: last - first, kilocalories: below(2) == 0 ? 5 : nil,
          events: events),
        start: first, end: last, uuid: uuid, metadata: metadata(of: .workout))
    case .sleepAnalysis:
      return try Sample(
        .sleepAnalysis, category: below(3), start: first, end: last, uuid: uuid,
        metadata: metadata(of: type))
    default: return try quantity(type, from: first, to: last)
    }
  }

  mutating func predicate(depth: Int = 2) -> SamplePredicate {
    switch below(depth > 0 ? 13 : 9) {
    case 0, 1:
      let ends = [instant(), instant()].sorted()
      return .samples(
        start: below(4) == 0 ? nil : ends[0], end: below(4) == 0 ? nil : ends[1],
        options: .init(rawValue: below(4)))
    case 2:
      return .objects(
        (0..<below(4)).map { _ in known.isEmpty ? SampleUUID(using: &identities) : pick(known).uuid
        })
    case 3: return .from(sources: [pick(["com.loopkit.Loop", "com.dexcom.G7", "none"])])
    case 4: return .metadata(pick([.foodType, .syncIdentifier, .externalUUID]))
    case 5: return .metadataValue(.foodType, allowed: [.text("é\(below(3))")])
    case 6: return .withoutCorrelation
    case 7: return .ofWorkout(known.isEmpty ? SampleUUID(using: &identities) : pick(known).uuid)
    case 8: return .device(.name, allowed: ["d\(below(3))"])
    case 9: return .and([predicate(depth: depth - 1), predicate(depth: depth - 1)])
    case 10: return .or([predicate(depth: depth - 1), predicate(depth: depth - 1)])
    case 11: return .not(predicate(depth: depth - 1))
    default: return .all
    }
  }

  // MARK: - Doing

  private func text<Value>(_ body: () throws -> Value) -> String {
    do { return "\(try body())" } catch { return "error \(error)" }
  }

  mutating func both<Value>(
    _ what: String, _ inMemory: (inout InMemoryHealthStore) throws -> Value,
    _ inFile: (inout FileStore) throws -> Value
  ) {
    trail.append(what)
    let first = text { try inMemory(&memory) }
    let second = text { try inFile(&file) }
    #expect(first == second, "\(trail.suffix(8).joined(separator: "\n"))")
  }

  mutating func act() throws {
    minute += Int64(below(30))
    let client = someone()
    let now = now
    switch below(24) {
    case 0...6:
      var samples: [Sample] = []
      for _ in 0...below(4) { samples.append(try sample()) }
      known += samples.flatMap { [$0] + $0.members }
      both(
        "save \(samples.count) by \(client.number)",
        { try $0.save(samples, as: client, at: now) }, { try $0.save(samples, as: client, at: now) }
      )
    case 7:
      let sample = try sample()
      known.append(sample)
      both(
        "save one", { try $0.save(sample, as: client, at: now) },
        { try $0.save(sample, as: client, at: now) })
    case 8, 9:
      guard !known.isEmpty else { return }
      let uuids = (0...below(3)).map { _ in pick(known).uuid }
      both(
        "delete", { try $0.delete(uuids, as: client, at: now) },
        { try $0.delete(uuids, as: client, at: now) })
    case 10:
      let (type, predicate) = (pick(Self.types), predicate())
      both(
        "delete \(type) \(predicate)",
        { try $0.deleteSamples(of: type, matching: predicate, as: client, at: now) },
        { try $0.deleteSamples(of: type, matching: predicate, as: client, at: now) })
    case 11:
      guard !known.isEmpty else { return }
      let old = (0...below(2)).map { _ in pick(known).uuid }
      var new: [Sample] = []
      for _ in old { new.append(try sample()) }
      known += new
      both(
        "replace", { try $0.replace(old, with: new, as: client, at: now).map { "\($0)" } },
        { try $0.replace(old, with: new, as: client, at: now).map { "\($0)" } })
    case 12:
      let workout =
        known.filter { $0.type == .workout }.last?.uuid ?? SampleUUID(using: &identities)
      var parts: [Sample] = []
      for _ in 0...below(3) {
        parts.append(below(2) == 0 && !known.isEmpty ? pick(known) : try sample())
      }
      known += parts
      both(
        "add to workout", { try $0.add(parts, toWorkout: workout, as: client, at: now) },
        { try $0.add(parts, toWorkout: workout, as: client, at: now) })
    case 13:
      let states: [Authorization] = [.full, .readOnly, .writeOnly, .denied, .notDetermined]
      let (state, type, target) = (
        below(2) == 0 ? .full : pick(states), pick(Self.types), pick(clients)
      )
      both(
        "authorize", { try $0.setAuthorization(state, of: target, for: [type]) },
        { try $0.setAuthorization(state, of: target, for: [type]) })
    case 14:
      let isLocked = below(3) == 0
      both(
        "lock", { try $0.changeSettings { $0.isLocked = isLocked } },
        { try $0.changeSettings { $0.isLocked = isLocked } })
    case 15:
      let retention = TimeSpan.minutes(Int64(below(400)))
      both(
        "purge",
        {
          try $0.changeSettings { $0.tombstoneRetention = retention };
          try $0.purgeTombstones(at: now)
        },
        {
          try $0.changeSettings { $0.tombstoneRetention = retention };
          try $0.purgeTombstones(at: now)
        })
    case 16:
      guard below(3) == 0 else { return }
      let earliest = start + .minutes(Int64(below(600)))
      both(
        "prune", { try $0.prune(endingBefore: earliest) }, { try $0.prune(endingBefore: earliest) })
    case 17:
      var restored: [RestoredSample] = []
      for _ in 0...below(3) {
        let made = try sample()
        let revision = SourceRevision(
          source: Source(name: "R", bundleIdentifier: pick(["com.loopkit.Loop", "r"])), version: "9"
        )
        let sample = Sample(
          restoring: made.uuid, type: made.type, start: made.start, end: made.end,
          value: made.value, device: made.device, metadata: made.metadata,
          sourceRevision: revision)
        restored.append(RestoredSample(sample, created: now))
      }
      known += restored.map(\.sample)
      both("restore", { try $0.restore(restored) }, { try $0.restore(restored) })
    case 18:
      file = try FileStore(opening: SQLiteBackend(path: ":memory:"))  // The lease is given back.
      file = try FileStore(opening: SQLiteBackend(path: folder.file("a.sqlite")))
      for index in services.indices {
        try? services[index].observeCurrentSubscriptions(in: &memory)
        try? services[index].observeCurrentSubscriptions(in: &file)
      }
    default: try serve(now)
    }
  }

  private mutating func serve(_ now: Instant) throws {
    let index = below(2)
    var service = services[index]
    var copy = service
    switch below(6) {
    case 0:
      let types = (0..<below(5)).map { _ in pick(Self.types) }
      both(
        "subscribe", { try service.setSubscriptions(types, in: &$0) },
        { try copy.setSubscriptions(types, in: &$0) })
      services[index] = service
    case 1, 2:
      both(
        "collect", { try service.collect(in: &$0, at: now) }, { try copy.collect(in: &$0, at: now) }
      )
    case 3:
      both(
        "history",
        { try service.fetchHistory([.routine, .fitness, .intraday], in: &$0, at: now, on: .utc) },
        { try copy.fetchHistory([.routine, .fitness, .intraday], in: &$0, at: now, on: .utc) })
    case 4:
      var sinks = (KeepingSink(), KeepingSink())
      let (limit, most) = (below(6), below(2) == 0 ? Int.max : below(9))
      (sinks.0.limit, sinks.1.limit) = (limit, limit)
      both(
        "upload", { try service.upload(to: &sinks.0, in: &$0, at: now, limit: most) },
        { try copy.upload(to: &sinks.1, in: &$0, at: now, limit: most) })
      #expect(sinks.0.received == sinks.1.received)
    default:
      guard below(4) == 0 else { return }
      both("forget", { try service.forgetQueue(in: &$0) }, { try copy.forgetQueue(in: &$0) })
    }
  }
}
