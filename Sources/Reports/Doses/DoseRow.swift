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
  private var numbers = Numbers()
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

  /// What may be missing of a row, as it is kept.
  private struct Numbers: Hashable, Sendable {
    var asked = OptionalNumber(nil)
    var body = OptionalNumber(nil)
    var pump = OptionalNumber(nil)
    var app = OptionalNumber(nil)
    var store = OptionalNumber(nil)
    var written = OptionalInstant(nil)
    var deletedFromHistory = OptionalInstant(nil)
    var deletedFromStore = OptionalInstant(nil)
  }

  init(_ kind: Kind, from start: Instant, to end: Instant) {
    self.kind = kind
    self.start = start
    self.end = end
  }

  /// The units that were programmed or asked for.
  public var asked: Double? {
    get { numbers.asked.value }
    set { numbers.asked.value = newValue }
  }
  /// What reached the body from the pulses of the dose, or from a pen.
  public var body: Double? {
    get { numbers.body.value }
    set { numbers.body.value = newValue }
  }
  /// What the pump counted.
  public var pump: Double? {
    get { numbers.pump.value }
    set { numbers.pump.value = newValue }
  }
  /// What the app counts; `nil` where it has no row.
  public var app: Double? {
    get { numbers.app.value }
    set { numbers.app.value = newValue }
  }
  /// What the health store holds; `nil` where it has no sample.
  public var store: Double? {
    get { numbers.store.value }
    set { numbers.store.value = newValue }
  }
  /// When the sample was written; `nil` without one.
  public var written: Instant? {
    get { numbers.written.value }
    set { numbers.written.value = newValue }
  }
  /// When a person removed it from the event history; `nil` where it stands.
  public var deletedFromHistory: Instant? {
    get { numbers.deletedFromHistory.value }
    set { numbers.deletedFromHistory.value = newValue }
  }
  /// When the sample was deleted; `nil` where it stands.
  public var deletedFromStore: Instant? {
    get { numbers.deletedFromStore.value }
    set { numbers.deletedFromStore.value = newValue }
  }
}
