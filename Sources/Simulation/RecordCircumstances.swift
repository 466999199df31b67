internal import Quantities

/// What explains that the records of a run differ.
struct RecordCircumstances: Sendable {
  /// What keeps the app from following the pump and from using the health store.
  var obstacles = AppObstacles()
  /// When the app was last installed anew.
  var installedAnew: Instant?
  /// What the phone's clock showed then.
  var installedAnewShown: Instant?
  /// Sync identifiers of what a person deleted.
  private(set) var deletedEvents: Set<String> = []
  private(set) var deletedSamples: Set<String> = []

  mutating func noteDeletion(ofEvent identifier: String) { deletedEvents.insert(identifier) }

  mutating func noteDeletion(ofSample identifier: String) { deletedSamples.insert(identifier) }
}
