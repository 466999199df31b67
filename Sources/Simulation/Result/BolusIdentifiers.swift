public import HealthStore
public import Quantities
internal import ClosedLoop

/// The identifiers by which app and health store tell of the pump's boluses.
///
/// They are those of the pump's events, but for a bolus that the pump never told of, because its
/// command had no reply and its pod was thrown away: the app assumes one in its place. Some tell of
/// boluses that the pump did not give: by what the app assumed, or by what the pump's history says.
public struct BolusIdentifiers: Sendable {
  /// A bolus that the pump did not give, as the app tells of it, or the health store alone.
  public struct NeverGiven: Hashable, Sendable {
    /// The identifier by which they tell of it.
    public var identifier: SyncIdentifier
    /// When it is said to have begun.
    public var start: Instant
    /// When it is said to have ended.
    public var end: Instant
    /// How much is said to have been given, in U.
    public var units: Double
  }

  /// The boluses that the pump did not give: those of which the app tells, by time, and then those
  /// of which the health store alone does.
  public private(set) var neverGiven: [NeverGiven] = []
  private let events: Set<SyncIdentifier>
  /// The identifiers of what is assumed, by those of the pump's events.
  private var assumed: [SyncIdentifier: SyncIdentifier] = [:]
  /// Until when the pump gave the boluses of which an assumed dose tells, by its identifier.
  private var ends: [SyncIdentifier: Instant] = [:]

  /// Takes the boluses of a pump, what its app counts as delivered, what the health store holds,
  /// and the clocks that were wrong.
  init(
    boluses: [PumpBolusRecord], doses: [InsulinDeliveryRecord], samples: [InsulinSampleRecord],
    clocks: [WrongClock]
  ) {
    events = Set(boluses.map(\.identifier))
    // Those of which the app tells by their own identifier, or by an assumed one already.
    var told = Set(doses.lazy.filter(\.isBolus).map(\.identifier))
    let others =
      doses.filter { $0.isBolus && $0.isFromPump && !events.contains($0.identifier) }.map {
        NeverGiven(identifier: $0.identifier, start: $0.start, end: $0.end, units: $0.units)
      }
      + Self.assumed(samples, besides: told.union(events)).map {
        NeverGiven(
          identifier: $0.identifier, start: $0.sample.start, end: $0.sample.end,
          units: $0.sample.units)
      }
    for dose in others {
      guard dose.identifier.isAssumed,
        let bolus = Self.bolus(sentAt: clocks.instants(shownAs: dose.start), boluses, besides: told)
      else {
        neverGiven.append(dose)
        continue
      }
      told.insert(bolus.identifier)
      assumed[bolus.identifier] = dose.identifier
      ends[dose.identifier] = bolus.end
    }
  }

  /// The samples of what was assumed that the app, since it was installed anew, does not know.
  private static func assumed(
    _ samples: [InsulinSampleRecord], besides told: Set<SyncIdentifier>
  ) -> [(identifier: SyncIdentifier, sample: InsulinSampleRecord)] {
    samples.compactMap { sample in
      guard sample.isOwn, !sample.isBasal, let identifier = sample.syncIdentifier,
        !told.contains(identifier), identifier.isAssumed
      else { return nil }
      return (identifier, sample)
    }
  }

  /// The bolus of an assumed dose, which began when its command was sent, or was held up then.
  private static func bolus(
    sentAt instants: [Instant], _ boluses: [PumpBolusRecord], besides told: Set<SyncIdentifier>
  ) -> PumpBolusRecord? {
    boluses.first { instants.contains($0.sent ?? $0.start) && !told.contains($0.identifier) }
  }

  /// The identifier by which app and health store tell of a bolus of the pump.
  public subscript(bolus: SyncIdentifier) -> SyncIdentifier {
    assumed[bolus] ?? bolus
  }

  /// Until when the insulin of a sample was given.
  ///
  /// A sample of an assumed dose has no length, since nobody ever said how long the bolus took.
  public func end(of sample: InsulinSampleRecord) -> Instant {
    max(sample.end, sample.syncIdentifier.flatMap { ends[$0] } ?? sample.end)
  }

  /// Whether a sample tells of a bolus of the pump, be it one that was never given.
  public func contain(_ sample: InsulinSampleRecord) -> Bool {
    guard sample.isOwn, !sample.isBasal, let identifier = sample.syncIdentifier
    else { return false }
    return events.contains(identifier) || identifier.isAssumed
      || neverGiven.contains { $0.identifier == identifier }
  }
}

extension RunResult {
  /// The identifiers by which app and health store tell of the pump's boluses.
  public var bolusIdentifiers: BolusIdentifiers {
    BolusIdentifiers(
      boluses: boluses, doses: insulinDelivery, samples: insulinSamples, clocks: wrongClocks)
  }
}
