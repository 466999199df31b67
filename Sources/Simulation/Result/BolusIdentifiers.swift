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
    var told: Set<SyncIdentifier>?
    for dose in doses
    where dose.isBolus && dose.isFromPump && !events.contains(dose.identifier) {
      // The bolus of an assumed dose began when its command was sent.
      let sent = clocks.instants(shownAs: dose.start)
      let others = told ?? Set(doses.lazy.filter(\.isBolus).map(\.identifier))
      told = others
      let bolus =
        dose.identifier.isAssumed
        ? boluses.first { sent.contains($0.sent ?? $0.start) && !others.contains($0.identifier) }
        : nil
      if let bolus {
        told?.insert(bolus.identifier)
        assumed[bolus.identifier] = dose.identifier
        ends[dose.identifier] = bolus.end
      } else {
        neverGiven.append(dose)
      }
    }
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
