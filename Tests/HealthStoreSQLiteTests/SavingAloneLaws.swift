import HealthStore
import Quantities
import Testing

/// A single sample is saved without a batch, and is there as one of several would be.
@Suite("A sample that is saved alone, on both backends")
struct SavingAloneLaws {
  /// What a store says of saving a sample, and what it then holds of it.
  private struct Trace: Equatable {
    var outcome: SaveOutcome?
    var error: HealthStoreError?
    var stored: StoredSample?
    var diagnostics: [StoreDiagnostic]
  }

  /// Saves a sample alone, or before another.
  private func trace(
    _ sample: Sample, in world: World, with other: Sample? = nil, as client: ClientID? = nil
  ) throws -> Trace {
    // A store in a file is one object, so that each is saved to a store of its own.
    var store = world.store
    let client = client ?? world.loop
    var (outcome, failure): (SaveOutcome?, HealthStoreError?)
    do throws(HealthStoreError) {
      outcome =
        if let other {
          try store.save([sample, other], as: client, at: world.start).first
        } else {
          try store.save(sample, as: client, at: world.start)
        }
    } catch {
      failure = error
    }
    return Trace(
      outcome: outcome, error: failure, stored: try store.backend.stored(sample.uuid),
      diagnostics: store.diagnostics)
  }

  /// Expects that both ways come to the same, in stores that are made alike.
  @discardableResult
  private func expectSame(
    _ place: Place, as client: (World) -> ClientID = { $0.loop },
    _ prepare: (inout World) throws -> Sample, at location: SourceLocation = #_sourceLocation
  ) throws -> SaveOutcome? {
    let traces = try [false, true].map { isAlone in
      var world = try World(place)
      let other = world.glucose(90, minute: 60)
      let sample = try prepare(&world)
      return try trace(sample, in: world, with: isAlone ? nil : other, as: client(world))
    }
    #expect(traces[0] == traces[1], sourceLocation: location)
    return traces[1].outcome
  }

  @Test("What is accepted", arguments: Place.allCases)
  func accepted(place: Place) throws {
    try expectSame(place) { $0.glucose(100, minute: 0) }
    try expectSame(place) { $0.glucose(100, minute: 0, metadata: [.timeZone: .text("UTC")]) }
    try expectSame(place) { $0.synced("a", version: 1) }
    try expectSame(place) { try $0.quantity(.stepCount, 5, from: 0, to: 2_000) }
    try expectSame(place, as: { _ in .user }) { $0.glucose(100, minute: 0) }
    try expectSame(place) { world in
      try Sample(.sleepAnalysis, category: 1, start: world.start, uuid: world.uuid())
    }
    // Whoever saves a sample that was read is its source.
    let outcome = try expectSame(place) { world in
      let first = world.glucose(100, minute: 0)
      try world.save(first, by: world.dexcom)
      let read = try #require(
        try world.store.samples(of: .bloodGlucose, as: world.dexcom).first)
      try world.store.delete([first.uuid], as: world.dexcom, at: world.start)
      return read
    }
    #expect(outcome == .inserted)
  }

  @Test("What replaces another sample, or gives way", arguments: Place.allCases, [1, 2, 3])
  func replaced(place: Place, version: Int) throws {
    let outcome = try expectSame(place) { world in
      try world.save(world.synced("a", version: 2), by: world.loop)
      try world.save(world.synced("a", version: 9), by: world.dexcom)
      return world.synced("a", version: version)
    }
    switch outcome {
    case .replaced: #expect(version == 3)
    case .ignored: #expect(version < 3)
    case .inserted, nil: Issue.record("The other sample was not found.")
    }
  }

  @Test("What is refused", arguments: Place.allCases)
  func refused(place: Place) throws {
    let bad: [(inout World) throws -> Sample] = [
      { try $0.quantity(.stepCount, 5, from: 0, to: -1) },
      { try $0.quantity(.insulinDelivery, 1, from: 0) },
      { $0.glucose(100, minute: 0, metadata: [.syncIdentifier: .text("a")]) },
      { $0.glucose(100, minute: 0, metadata: [.syncVersion: .number(1)]) },
      { world in
        Sample(
          restoring: world.uuid(), type: .activitySummary, start: world.start, end: world.start,
          value: .category(0))
      },
      { world in
        Sample(
          restoring: world.uuid(), type: .bloodGlucose, start: world.start, end: world.start,
          value: .category(0))
      },
      // A known identity, with and without a sync identifier.
      { world in
        let sample = world.glucose(100, minute: 0)
        try world.save(sample, by: world.loop)
        return sample
      },
      { world in
        let sample = world.synced("a", version: 1)
        try world.save(sample, by: world.loop)
        return sample
      },
      { world in
        let earliest = world.minute(30)
        try world.store.changeSettings { $0.earliestPermittedSampleDate = earliest }
        return world.glucose(100, minute: 0)
      },
      { world in
        try world.store.setAuthorization(.readOnly, of: world.loop, for: [.stepCount])
        return try world.quantity(.stepCount, 5, from: 0)
      },
      { world in
        try world.store.setAuthorization(.notDetermined, of: world.loop, for: [.stepCount])
        return try world.quantity(.stepCount, 5, from: 0)
      },
    ]
    for prepare in bad {
      #expect(try expectSame(place, prepare) == nil)
    }
    #expect(
      try expectSame(place, as: { _ in ClientID(number: 77) }) { $0.glucose(100, minute: 0) } == nil
    )
  }
}
