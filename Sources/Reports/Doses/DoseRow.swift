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

  // A year has some 60,000 rows. With numbers that may be missing in eight bytes each a row takes
  // 136 bytes and not 216.

  /// When it began.
  public var start: Instant
  /// When it ended.
  public var end: Instant
  /// Who wrote the sample.
  public var source: String?
  /// The differences that have to do with the dose, as indices of the run's differences.
  public var differences: [Int] = []
  /// How many pulses the pump gave.
  public var pulses: Int?
  /// What was given.
  public var kind: Kind
  /// Whether the event history shows it; `nil` for what is no event.
  public var isInEventHistory: Bool?
  /// The programmed rate of basal.
  public var rate: InsulinRate?

  /// The units that were programmed or asked for.
  @OptionalNumber public var asked: Double? = nil
  /// What reached the body from the pulses of the dose, or from a pen.
  @OptionalNumber public var body: Double? = nil
  /// What the pump counted.
  @OptionalNumber public var pump: Double? = nil
  /// What the app counts; `nil` where it has no row.
  @OptionalNumber public var app: Double? = nil
  /// What the health store holds; `nil` where it has no sample.
  @OptionalNumber public var store: Double? = nil
  /// When the sample was written; `nil` without one.
  @OptionalInstant public var written: Instant? = nil
  /// When a person removed it from the event history; `nil` where it stands.
  @OptionalInstant public var deletedFromHistory: Instant? = nil
  /// When the sample was deleted; `nil` where it stands.
  @OptionalInstant public var deletedFromStore: Instant? = nil

  init(_ kind: Kind, from start: Instant, to end: Instant) {
    self.kind = kind
    self.start = start
    self.end = end
  }
}
