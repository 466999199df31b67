internal import HealthStore
public import Quantities

/// Carbohydrates that a fault copied in the health store, and that the app does not count.
public struct CopiedCarbs: Hashable, Sendable {
  /// The time of the copy.
  public var instant: Instant
  /// How much the copy says.
  public var mass: CarbohydrateMass
  /// Who wrote the copy.
  public var source: String
  /// The fault that made it.
  public var fault: String
}

extension World {
  /// The copies of food that the store holds at the end and that the app never counted, in the
  /// order of time.
  var uncountedCopies: [CopiedCarbs] {
    let copied = store.faultedCarbs.copied
    guard hasApp, !copied.isEmpty else { return [] }
    let samples = (try? store.records.samples(of: .dietaryCarbohydrates, as: .user)) ?? []
    return samples.compactMap { sample in
      guard let fault = copied[sample.uuid], let mass = sample.carbohydrates,
        !miscountedCarbs.hasTold(sample.uuid)
      else { return nil }
      return CopiedCarbs(
        instant: sample.start, mass: mass, source: sample.source?.name ?? "another source",
        fault: fault)
    }.sorted { $0.instant < $1.instant }
  }
}
