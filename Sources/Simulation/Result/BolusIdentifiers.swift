public import HealthStore
public import Quantities
internal import ClosedLoop

/// The identifiers by which app and health store tell of the pump's boluses.
///
/// They are those of the pump's events, but for a bolus that the pump never told of, because its
/// command had no reply and its pod was thrown away: the app assumes one in its place. Some tell of
/// boluses that the pump did not give: by what the app assumed, or by what the pump's history says.
public struct BolusIdentifiers: Sendable {
  /// The app's doses of boluses that the pump did not give, by time.
  public private(set) var neverGiven: [InsulinDeliveryRecord] = []
  private let events: Set<SyncIdentifier>
  /// The identifiers of what is assumed, by those of the pump's events.
  private var assumed: [SyncIdentifier: SyncIdentifier] = [:]
  /// Until when the pump gave the boluses of which an assumed dose tells, by its identifier.
  private var ends: [SyncIdentifier: Instant] = [:]

  /// Takes the boluses of a pump, what its app counts as delivered, and the clocks that were wrong.
  init(boluses: [PumpBolusRecord], doses: [InsulinDeliveryRecord], clocks: [WrongClock]) {
    events = Set(boluses.map(\.identifier))
    let others = doses.filter {
      $0.isBolus && $0.isFromPump && !events.contains($0.identifier)
    }
    // Those of which the app tells by their own identifier, or by an assumed one already.
    var told = others.isEmpty ? [] : Set(doses.lazy.filter(\.isBolus).map(\.identifier))
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
    BolusIdentifiers(boluses: boluses, doses: insulinDelivery, clocks: wrongClocks)
  }
}
