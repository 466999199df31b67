import HealthStore
import Interchange

/// Finds the doses and meals of which what is imported holds more than a store keeps: those that
/// are there twice, those of which there is a newer version, and those that were deleted.
struct ImportedVersions {
  /// What of an import does not count.
  struct Surplus {
    var quantity: ImportAccount.Quantity
    var amount: Double
    var reason: String
    /// Whether it was added to the store before a newer version took its place.
    var wasAdded = false
  }

  /// By what a store knows a version of a sample again.
  private struct Key: Hashable {
    var type: ObjectType
    var source: String
    var identifier: SyncIdentifier
  }

  private struct Version {
    var number: Int
    var quantity: ImportAccount.Quantity
    var amount: Double
    var wasAdded: Bool
  }

  /// The amounts of those that were seen, by their identities.
  private var seen: [SampleUUID: Double] = [:]
  private var newest: [Key: Version] = [:]

  /// What a store does with a sample that it does not refuse.
  enum Outcome {
    /// It is added, or was there before.
    case added, known
    /// It is passed over, and not there.
    case absent
  }

  /// Notes a sample that the store took or passed over.
  ///
  /// - Returns: What does not count beside it, or of it; nothing where all counts.
  mutating func note(_ sample: Sample, _ outcome: Outcome) -> Surplus? {
    guard let (quantity, amount) = sample.accounted else { return nil }
    /// Of one identity, and of one version, a store keeps what came first.
    func reason(beside kept: Double, of what: String) -> String {
      amount == kept
        ? "the same record is there twice" : "another record of the same \(what) is kept"
    }
    if let first = seen[sample.uuid] {
      return Surplus(
        quantity: quantity, amount: amount, reason: reason(beside: first, of: "identity"))
    }
    seen[sample.uuid] = amount
    let absence =
      outcome == .absent
      ? Surplus(
        quantity: quantity, amount: amount,
        reason: "it was deleted here, or a newer version of it is here") : nil
    guard let identifier = sample.metadata.syncIdentifier,
      let number = sample.metadata.syncVersion
    else { return absence }
    let key = Key(
      type: sample.type, source: sample.source?.bundleIdentifier ?? "", identifier: identifier)
    let isReplaced = "a newer version of the sample replaces it"
    let version = Version(
      number: number, quantity: quantity, amount: amount, wasAdded: outcome == .added)
    guard let before = newest[key] else {
      if absence == nil { newest[key] = version }
      return absence
    }
    guard number > before.number else {
      return Surplus(
        quantity: quantity, amount: amount,
        reason: number < before.number
          ? isReplaced : reason(beside: before.amount, of: "version"))
    }
    if let absence { return absence }
    newest[key] = version
    return Surplus(
      quantity: before.quantity, amount: before.amount, reason: isReplaced,
      wasAdded: before.wasAdded)
  }
}
