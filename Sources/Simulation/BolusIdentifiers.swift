public import HealthStore
internal import ClosedLoop

/// The identifiers by which app and health store tell of the pump's boluses.
///
/// They are those of the pump's events, but for a bolus that the pump never told of, because its
/// command had no reply and its pod was thrown away: the app assumes one in its place.
public struct BolusIdentifiers: Sendable {
  /// The doses that the app assumed of commands which the pump had not carried out, by time.
  public private(set) var assumedOfNothing: [InsulinDeliveryRecord] = []
  private let events: Set<SyncIdentifier>
  /// The identifiers of what is assumed, by those of the pump's events.
  private var assumed: [SyncIdentifier: SyncIdentifier] = [:]

  /// Takes the boluses of a pump and what its app counts as delivered.
  init(boluses: [PumpBolusRecord], doses: [InsulinDeliveryRecord]) {
    events = Set(boluses.map(\.identifier))
    for dose in doses
    where dose.isBolus && !events.contains(dose.identifier) && dose.identifier.isAssumed {
      // The bolus began when its command was sent.
      if let bolus = boluses.first(where: { $0.start == dose.start }) {
        assumed[bolus.identifier] = dose.identifier
      } else {
        assumedOfNothing.append(dose)
      }
    }
  }

  /// The identifier by which app and health store tell of a bolus of the pump.
  public subscript(bolus: SyncIdentifier) -> SyncIdentifier {
    assumed[bolus] ?? bolus
  }

  /// Whether a sample tells of a bolus of the pump, be it assumed.
  public func contain(_ sample: InsulinSampleRecord) -> Bool {
    guard sample.isOwn, !sample.isBasal, let identifier = sample.syncIdentifier
    else { return false }
    return events.contains(identifier) || identifier.isAssumed
  }
}

extension RunResult {
  /// The identifiers by which app and health store tell of the pump's boluses.
  public var bolusIdentifiers: BolusIdentifiers {
    BolusIdentifiers(boluses: boluses, doses: insulinDelivery)
  }
}
