public import Quantities

/// A place where the records of a run do not say the same, with its name, amount and time.
///
/// Three records tell of the same insulin: what the pump delivered, what the app recorded, and what
/// the health store holds.
public struct RecordDifference: Hashable, Sendable {
  /// How much it matters.
  public enum Severity: String, Hashable, Sendable, CaseIterable, Comparable {
    /// A record is wrong.
    case fault
    /// Right by the rules, and likely not what the person wanted.
    case check
    /// A difference that should be there.
    case expected
    /// Worth knowing.
    case note

    public static func < (lhs: Self, rhs: Self) -> Bool { lhs.rank < rhs.rank }

    private var rank: Int {
      switch self {
      case .fault: 0
      case .check: 1
      case .expected: 2
      case .note: 3
      }
    }
  }

  /// What kind of difference.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    case missingSpan, unitsDiffer, overlappingSamples, duplicateSample, missingBolus
    case deletedFromEventHistory, deletedEverywhere, writtenAgain, interruptedBolus
    case externalDose, foreignBasal, unloggedInjection, unrequestedDelivery, notAbsorbed
    case discardedFractions, notYetReported, appDiffers, scheduleDiffers, conflictingSample
  }

  public var severity: Severity
  public var kind: Kind
  public var start: Instant
  public var end: Instant
  /// The health store less the pump, or as the sentence says, in units.
  public var units: Double
  /// One sentence of what is so and why.
  public var text: String

  public init(
    _ severity: Severity, _ kind: Kind, from start: Instant, to end: Instant, units: Double,
    _ text: String
  ) {
    self.severity = severity
    self.kind = kind
    self.start = start
    self.end = end
    self.units = units
    self.text = text
  }
}

/// Whether the three records of a run agree, and where they do not.
public struct RecordAgreement: Hashable, Sendable {
  /// The units of one kind of insulin in each record.
  public struct Totals: Hashable, Sendable {
    /// What the pump delivered.
    public var pump: Double
    /// What the app recorded as given.
    public var app: Double
    /// What the health store holds from the app.
    public var healthStore: Double

    public init(pump: Double = 0, app: Double = 0, healthStore: Double = 0) {
      self.pump = pump
      self.app = app
      self.healthStore = healthStore
    }
  }

  public var basal = Totals()
  public var bolus = Totals()
  /// Insulin from elsewhere that the health store knows of.
  public var external: Double = 0
  /// The differences, the worst first, then by time.
  public var differences: [RecordDifference] = []

  public init() {}

  /// Whether no record is wrong.
  public var agrees: Bool { !differences.contains { $0.severity == .fault } }
}

/// A number of units for a sentence, to the milliunit: `0.60`, `0.025`.
func unitsText(_ units: Double) -> String {
  InsulinAmount(roundingUnits: units)?.unitsText ?? "\(units)"
}
