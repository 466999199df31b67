public import Quantities
internal import Simulation

/// One dose as each of the records tells of it: the body, the pump, the app and the health store.
public struct DoseRow: Hashable, Sendable {
  /// What was given.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// What the pump ran or gave by a command, or by its schedule.
    case scheduledBasal, tempBasal, suspended, stopped, bolus, automaticBolus
    /// What the pump gave without a command, and what came free behind an occlusion.
    case unrequested, released
    /// Insulin that no pump gave.
    case external

    /// The kind in words.
    public var words: String {
      switch self {
      case .scheduledBasal: "Scheduled basal"
      case .tempBasal: "Temp basal"
      case .suspended: "Suspended"
      case .stopped: "Pump stopped"
      case .bolus: "Bolus"
      case .automaticBolus: "Automatic bolus"
      case .unrequested: "Without a command"
      case .released: "Freed from an occlusion"
      case .external: "From outside"
      }
    }

    /// Whether it runs over a stretch of time at a rate.
    public var isBasal: Bool {
      switch self {
      case .scheduledBasal, .tempBasal, .suspended, .stopped: true
      case .bolus, .automaticBolus, .unrequested, .released, .external: false
      }
    }
  }

  /// What was given.
  public var kind: Kind
  /// When it began.
  public var start: Instant
  /// When it ended.
  public var end: Instant
  /// The programmed rate of basal.
  public var rate: InsulinRate?
  /// The units that were programmed or asked for.
  public var asked: Double?
  /// What reached the body from the pulses of the dose, or from a pen.
  public var body: Double?
  /// What the pump counted.
  public var pump: Double?
  /// How many pulses the pump gave.
  public var pulses: Int?
  /// What the app counts; `nil` where it has no row.
  public var app: Double?
  /// Whether the event history shows it; `nil` for what is no event.
  public var isInEventHistory: Bool?
  /// What the health store holds; `nil` where it has no sample.
  public var store: Double?
  /// Who wrote the sample.
  public var source: String?
  /// When the sample was written; `nil` without one.
  public var written: Instant?
  /// When a person removed it from the event history; `nil` where it stands.
  public var deletedFromHistory: Instant?
  /// When the sample was deleted; `nil` where it stands.
  public var deletedFromStore: Instant?
  /// The differences that have to do with the dose, as indices of the run's differences.
  public var differences: [Int] = []

  init(_ kind: Kind, from start: Instant, to end: Instant) {
    self.kind = kind
    self.start = start
    self.end = end
  }
}
