internal import ClosedLoop
internal import HealthStore
internal import Quantities

/// What faults have deleted in the health store of what the app has written there.
struct FaultDeletions: Sendable {
  /// What one fault has deleted at once.
  private struct Deletion: Sendable {
    var glucose: [UnstoredGlucose]
    var carbs: [Entry]
  }

  /// An entry of carbohydrate whose sample a fault has deleted.
  struct Entry: Sendable {
    /// The sync identifier of the sample, which a later version of the entry has as well.
    var identifier: SyncIdentifier?
    /// What is told of it.
    var unstored: UnstoredCarbs
  }

  private var all: [Deletion] = []

  /// The readings.
  var glucose: [UnstoredGlucose] { all.flatMap(\.glucose) }

  /// The entries of carbohydrate.
  var carbs: [Entry] { all.flatMap(\.carbs) }

  /// A fault has deleted samples.
  ///
  /// - Parameters:
  ///   - samples: All that it has deleted.
  ///   - own: The bundle identifier of the app.
  ///   - fault: The name of the fault.
  ///   - now: When.
  mutating func note(
    _ samples: [Sample], of own: String, by fault: String, at now: Instant
  ) {
    let written = samples.filter { $0.source?.bundleIdentifier == own }
      .sorted { $0.start < $1.start }
    var readings = GlucoseStretches()
    for sample in written where sample.type == .bloodGlucose { readings.add(sample.start) }
    all.append(
      Deletion(
        glucose: readings.all.map {
          UnstoredGlucose(readings: $0, reason: .deleted(fault: fault, at: now))
        },
        carbs: written.compactMap { sample in
          sample.carbohydrates.map { mass in
            let created = sample.metadata.date(.userCreatedDate) ?? sample.start
            return Entry(
              identifier: sample.metadata.syncIdentifier,
              unstored: UnstoredCarbs(
                instant: created, mass: mass, isDeleted: false,
                cause: "the fault \(fault) deleted them"))
          }
        }))
  }

  /// What was deleted last comes back.
  mutating func takeBackLast() { _ = all.popLast() }
}
