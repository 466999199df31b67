import HealthStore
import HealthStoreSQLite
import Quantities
import Testing

@Suite("Anchored queries, on both backends")
struct AnchorLaws {
  @Test(
    "H129 H130 Without an anchor everything comes, and without a change nothing",
    arguments: Place.allCases)
  func beginning(place: Place) throws {
    var world = try World(place)
    let samples = (0..<4).map { world.glucose(100, minute: $0) }
    try world.store.save(samples, as: world.loop, at: world.start)
    try world.store.delete([samples[1].uuid], as: world.loop, at: world.start)
    let all = try world.store.changes(of: .bloodGlucose, as: world.loop)
    #expect(all.added.map(\.uuid) == [samples[0], samples[2], samples[3]].map(\.uuid))
    #expect(all.deleted.map(\.uuid) == [samples[1].uuid])
    let none = try world.store.changes(of: .bloodGlucose, since: all.anchor, as: world.loop)
    #expect(none.isEmpty)
    #expect(none.anchor == all.anchor)
  }

  @Test(
    "H131 With any limit each change comes once, in the order of commits",
    arguments: Place.allCases, [1, 2, 3, 7, 100])
  func limits(place: Place, limit: Int) throws {
    var world = try World(place)
    let old = (0..<6).map { world.glucose(100, minute: $0) }
    try world.store.save(old, as: world.loop, at: world.start)
    var anchor = try world.store.changes(of: .bloodGlucose, as: world.loop).anchor
    var expected: [String] = []
    for step in 0..<12 as Range<Int64> {
      if step % 3 == 2 {
        let gone = old[Int(step / 3)]
        try world.store.delete([gone.uuid], as: world.loop, at: world.start)
        expected.append("-\(gone.uuid)")
      } else {
        let new = world.glucose(90, minute: 20 - step)
        try world.save(new, by: world.loop)
        expected.append("+\(new.uuid)")
        let noise = try world.quantity(.stepCount, 1, from: step)
        try world.save(noise, by: world.loop)
      }
    }
    var seen: [String] = []
    while true {
      let changes = try world.store.changes(
        of: .bloodGlucose, since: anchor, limit: limit, as: world.loop)
      let tail = Set(
        expected.dropFirst(seen.count).prefix(changes.added.count + changes.deleted.count))
      let new = changes.added.map { "+\($0.uuid)" } + changes.deleted.map { "-\($0.uuid)" }
      #expect(Set(new) == tail)
      seen += new
      #expect(changes.anchor >= anchor)
      anchor = changes.anchor
      if new.count < limit { break }
    }
    #expect(seen.count == expected.count)
    #expect(anchor.row == world.store.lastRow)
  }

  @Test("H132 What came and went since the anchor is only deleted", arguments: Place.allCases)
  func cameAndWent(place: Place) throws {
    var world = try World(place)
    let anchor = try world.store.changes(of: .bloodGlucose, as: world.loop).anchor
    let sample = world.glucose(100, minute: 0)
    try world.save(sample, by: world.loop)
    try world.store.delete([sample.uuid], as: world.loop, at: world.start)
    let changes = try world.store.changes(of: .bloodGlucose, since: anchor, as: world.loop)
    #expect(changes.added.isEmpty)
    #expect(changes.deleted.map(\.uuid) == [sample.uuid])
  }

  @Test(
    "Deletions of samples that never matched or were never visible do not show",
    arguments: Place.allCases)
  func invisibleDeletions(place: Place) throws {
    var world = try World(place)
    let (own, other) = (world.glucose(100, minute: 0), world.glucose(100, minute: 50))
    try world.save(own, by: world.loop)
    try world.save(other, by: world.dexcom)
    try world.store.setAuthorization(.writeOnly, of: world.loop, for: [.bloodGlucose])
    try world.store.delete([own.uuid, other.uuid], as: .user, at: world.start)
    let seen = try world.store.changes(of: .bloodGlucose, as: world.loop)
    #expect(seen.deleted.map(\.uuid) == [own.uuid])
    let late = try world.store.changes(
      of: .bloodGlucose, matching: .samples(start: world.minute(40)), as: .user)
    #expect(late.deleted.map(\.uuid) == [other.uuid])
  }

  @Test(
    "Of predicates together a deletion shows unless one that its trace tells of rules it out",
    arguments: Place.allCases)
  func unknownOfDeletions(place: Place) throws {
    var world = try World(place)
    let samples = [0, 50].map { world.glucose(100, minute: $0) }
    try world.store.save(samples, as: world.loop, at: world.start)
    try world.store.delete(samples.map(\.uuid), as: .user, at: world.start)
    func deleted(_ predicate: SamplePredicate) throws -> [SampleUUID] {
      try world.store.changes(of: .bloodGlucose, matching: predicate, as: world.loop)
        .deleted.map(\.uuid)
    }
    let early = SamplePredicate.samples(end: world.minute(40))
    // What its value was nobody knows any more.
    let high = SamplePredicate.quantity(.greater, HealthQuantity(200, .milligramPerDecilitre))
    let (first, both) = ([samples[0].uuid], samples.map(\.uuid))
    #expect(try deleted(.and([early, high])) == first)
    #expect(try deleted(.and([early, .all])) == first)
    #expect(try deleted(.and([.none, high])) == [])
    #expect(try deleted(.or([early, high])) == both)
    #expect(try deleted(.or([early, .none])) == first)
    #expect(try deleted(.not(high)) == both)
    #expect(try deleted(.not(.or([early, high]))) == [samples[1].uuid])
  }

  @Test(
    "H133 H134 A query with updates tells of each later change until it is stopped",
    arguments: Place.allCases)
  func updates(place: Place) throws {
    var world = try World(place)
    #expect(
      failure {
        _ = try world.store.makeQuery(.changes(of: [.bloodGlucose], limit: 5), as: world.loop)
      } == 3)
    let query = try world.store.makeQuery(.changes(of: [.bloodGlucose]), as: world.loop)
    try world.store.execute(query)
    var anchor = QueryAnchor.beginning
    for step in 0..<3 as Range<Int64> {
      let sample = world.glucose(100, minute: step)
      try world.save(sample, by: world.loop)
      let deliveries = try world.store.takeDeliveries()
      guard case .changes(query, .bloodGlucose, let changes) = deliveries.first else {
        Issue.record("Nothing was delivered.")
        return
      }
      #expect(changes.added.map(\.uuid) == [sample.uuid])
      #expect(changes.anchor > anchor)
      anchor = changes.anchor
      #expect(try world.store.takeDeliveries().isEmpty)
    }
    world.store.stop(query)
    let sample = world.glucose(100, minute: 9)
    try world.save(sample, by: world.loop)
    #expect(try world.store.takeDeliveries().isEmpty)
  }

  @Test("H135 An anchor kept as text goes on where it was after the file is opened again")
  func reopened() throws {
    let folder = try ScratchFolder()
    let path = folder.file("health.sqlite")
    var generator = SplitMix(state: 5)
    let start = Instant(secondsSince1970: 1_700_000_000)
    let client = HealthClient(bundleIdentifier: "a", name: "A")
    func sample() -> Sample { .bloodGlucose(.mgdL(100), at: start, uuid: .init(using: &generator)) }
    var text = ""
    do {
      var store = try SQLiteHealthStore(path: path)
      let id = try store.register(client, granting: .full)
      try store.save(sample(), as: id, at: start)
      text = try store.changes(of: .bloodGlucose, as: id).anchor.encoded
    }
    var store = try SQLiteHealthStore(path: path)
    let id = try #require(store.registry.client(bundleIdentifier: "a"))
    let late = sample()
    try store.save(late, as: id, at: start)
    let anchor = try #require(QueryAnchor(encoded: text))
    let changes = try store.changes(of: .bloodGlucose, since: anchor, as: id)
    #expect(changes.added.map(\.uuid) == [late.uuid])
    #expect(QueryAnchor(encoded: "x") == nil)
    #expect(QueryAnchor(encoded: "a1:-3") == nil)
  }

  @Test("A source that is renamed has the same name in memory and after the file is opened again")
  func renamed() throws {
    let folder = try ScratchFolder()
    let path = folder.file("health.sqlite")
    var generator = SplitMix(state: 6)
    let start = Instant(secondsSince1970: 1_700_000_000)
    func sample(_ source: Source? = nil) -> Sample {
      Sample(
        restoring: .init(using: &generator), type: .bloodGlucose, start: start, end: start,
        value: .quantity(HealthQuantity(100, .milligramPerDecilitre)),
        sourceRevision: source.map { SourceRevision(source: $0) })
    }
    func names(_ store: SQLiteHealthStore) throws -> [String?] {
      try store.samples(of: .bloodGlucose, as: .user).map { $0.sourceRevision?.source.name }
    }
    // The latest name of an app is shown, and what is restored keeps the name that is known.
    let expected = ["New", "New", "First", "First"]
    do {
      var store = try SQLiteHealthStore(path: path)
      for name in ["Old", "New"] {
        let id = try store.register(
          HealthClient(bundleIdentifier: "a", name: name), granting: .full)
        try store.save(sample(), as: id, at: start)
      }
      for name in ["First", "Second"] {
        let outcomes = try store.restore([
          RestoredSample(sample(Source(name: name, bundleIdentifier: "b")), created: start)
        ])
        #expect(outcomes == [.added])
      }
      #expect(try names(store) == expected)
    }
    #expect(try names(try SQLiteHealthStore(path: path)) == expected)
  }

  @Test(
    "H136 Forgotten deletions are admitted, and an anchor of another store begins again",
    arguments: Place.allCases)
  func gaps(place: Place) throws {
    var world = try World(place)
    let samples = (0..<3).map { world.glucose(100, minute: $0) }
    try world.store.save(samples, as: world.loop, at: world.start)
    let anchor = try world.store.changes(of: .bloodGlucose, as: world.loop).anchor
    try world.store.delete([samples[0].uuid], as: world.loop, at: world.start)
    let informed = try world.store.changes(of: .bloodGlucose, as: world.loop).anchor
    let later = world.start + .days(29)
    try world.store.delete([samples[1].uuid], as: world.loop, at: later)
    try world.store.purgeTombstones(at: world.start + .days(30))
    #expect(
      try world.store.changes(of: .bloodGlucose, since: anchor, as: world.loop)
        .mayHaveMissedDeletions == false)
    try world.store.purgeTombstones(at: world.start + .days(31))
    let changes = try world.store.changes(of: .bloodGlucose, since: anchor, as: world.loop)
    #expect(changes.mayHaveMissedDeletions)
    // An anchor that has seen the newest of the forgotten deletions has missed none.
    #expect(
      try !world.store.changes(of: .bloodGlucose, since: informed, as: world.loop)
        .mayHaveMissedDeletions)
    #expect(changes.deleted.map(\.uuid) == [samples[1].uuid])
    #expect(
      try !world.store.changes(of: .bloodGlucose, since: changes.anchor, as: world.loop)
        .mayHaveMissedDeletions)
    let foreign = QueryAnchor(row: 1_000_000)
    let restart = try world.store.changes(of: .bloodGlucose, since: foreign, as: world.loop)
    #expect(restart.mayHaveMissedDeletions)
    #expect(restart.added.map(\.uuid) == [samples[2].uuid])
  }
}
