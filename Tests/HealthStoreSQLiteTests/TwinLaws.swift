import HealthStore
import HealthStoreSQLite
import Quantities
import TestSupport
import Testing

/// What is asked of both stores.
extension Twins {
  mutating func look() throws {
    let (client, type, predicate) = (someone(), pick(Self.types), predicate())
    let keys: [SampleSort.Key] = [.start, .end, .uuid, .value, .created]
    let sorts = (0...below(2)).map { _ in SampleSort(pick(keys), ascending: below(2) == 0) }
    let limit: Int? = below(2) == 0 ? nil : below(5)
    both(
      "samples \(type) \(predicate)",
      { try $0.samples(of: type, matching: predicate, sortedBy: sorts, limit: limit, as: client) },
      { try $0.samples(of: type, matching: predicate, sortedBy: sorts, limit: limit, as: client) })
    let anchor = QueryAnchor(row: Int64(below(Int(memory.lastRow) + 3)))
    both(
      "changes \(type) \(predicate)",
      { try $0.changes(of: type, since: anchor, matching: predicate, limit: limit, as: client) },
      { try $0.changes(of: type, since: anchor, matching: predicate, limit: limit, as: client) })
    both(
      "sources",
      { try $0.sources(of: type, matching: predicate, as: client) },
      { try $0.sources(of: type, matching: predicate, as: client) })
    let start = start
    let options: StatisticsOptions =
      type == .bloodGlucose
      ? [.discreteAverage, .mostRecent, .discreteMinimum]
      : [.cumulativeSum, .separateBySource, .duration]
    both(
      "statistics \(type) \(predicate)",
      {
        try $0.statisticsCollection(
          of: type, matching: predicate, options: options, anchor: start, every: .hours(5),
          on: .utc, as: client)
      },
      {
        try $0.statisticsCollection(
          of: type, matching: predicate, options: options, anchor: start, every: .hours(5),
          on: .utc, as: client)
      })
    if type.kind == .correlation {
      both(
        "correlations",
        {
          try $0.correlations(
            of: type, members: [(.dietaryCarbohydrates, predicate)], limit: limit, as: client)
        },
        {
          try $0.correlations(
            of: type, members: [(.dietaryCarbohydrates, predicate)], limit: limit, as: client)
        })
    }
    #expect(memory.lastRow == file.lastRow)
  }

  mutating func lookAtAll(mirroring: Bool) throws {
    both(
      "unlock", { try $0.changeSettings { $0.isLocked = false } },
      { try $0.changeSettings { $0.isLocked = false } })
    both("all", { try $0.allSamples() }, { try $0.allSamples() })
    for service in ["one", "one/intraday", "two"] {
      #expect(
        try memory.backend.uploads(of: service, limit: .max)
          == file.backend.uploads(of: service, limit: .max))
      for type in Self.types {
        #expect(
          try memory.backend.toldSamples(of: service, type: type)
            == file.backend.toldSamples(of: service, type: type), "\(trail.suffix(30))")
      }
    }
    guard mirroring else { return }
    try mirror.mirror(memory)
    let kept = try HealthRecordStore(opening: mirror)
    #expect(try kept.allSamples() == memory.allSamples())
    for type in Self.types {
      let stones = try mirror.tombstones(of: type, after: 0)
      #expect(stones == memory.backend.tombstones(of: type, after: 0), "\(trail.suffix(30))")
    }
    #expect(mirror.lastRow == memory.lastRow)
    for service in ["one", "one/intraday", "two"] {
      #expect(
        try memory.backend.uploads(of: service, limit: .max)
          == mirror.uploads(of: service, limit: .max), "mirror \(trail.suffix(30))")
    }
    for sample in known.suffix(40) {
      #expect(
        try mirror.samples(ofWorkout: sample.uuid)
          == memory.backend.samples(ofWorkout: sample.uuid))
      guard let row = memory.backend.stored(sample.uuid)?.row else { continue }
      #expect(try mirror.members(of: row) == memory.backend.members(of: row))
    }
  }
}

@Suite("A store in memory and one in a file, to which the same is done")
struct TwinLaws {
  @Test(
    "After any operations both show the same, and so does a mirror",
    arguments: 0..<UInt64(Extent.of(3, whole: 40)))
  func agreement(seed: UInt64) throws {
    var twins = try Twins(seed: seed)
    for step in 0..<150 {
      try twins.act()
      try twins.look()
      if step % 10 == 9 { try twins.lookAtAll(mirroring: step % 30 == 29) }
    }
  }
}
