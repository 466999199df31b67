public import Quantities

/// A place where the records of a run do not say the same, with its name, amount, time and cause.
public struct RecordDifference: Hashable, Sendable {
  /// How much it matters.
  public enum Severity: String, Hashable, Sendable, CaseIterable, Comparable {
    /// A record is wrong, or nothing explains the difference.
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
    // A record is wrong, or there is no cause.
    /// A record is wrong.
    case missingSpan, missingBolus, unitsDiffer, overlappingSamples, duplicateSample, notDelivered
    /// Insulin is lost, or nothing explains the difference.
    case notConserved, unexplained
    // A person deleted.
    /// A person deleted something.
    case deleted, deletedEverywhere, deletedFromEventHistory, writtenAgain
    // The app could not, or was not to.
    /// The app could not report, or was not to.
    case notYetReported, appStopped, notAllowed, turnedOff, installedAnew, roundedBasal, emptySpan
    // Between pump and app.
    /// The app knows less of the pump than the pump does.
    case runningBolus, interruptedBolus, notReported, misdated, scheduleDiffers, otherProgram
    /// The pump forgot fractions of a pulse, or its reservoir did not hold what was due.
    case discardedFractions
    // Insulin from elsewhere.
    /// Insulin from elsewhere.
    case externalDose, foreignBasal, conflictingSample, notInjected, unloggedInjection,
      misstatedDose
    /// The pump gave what nobody asked for.
    case unrequestedDelivery
    // Between pump and body.
    /// What the pump counted and the body did not get.
    case notAbsorbed, heldBack, pumpTakenOff, fedContinuously
  }

  /// How much it matters.
  public var severity: Severity
  /// What kind of difference it is.
  public var kind: Kind
  /// What insulin it concerns; `nil` for basal and boluses together, or for no amount.
  public var origin: RecordAgreement.Origin?
  /// The records that say something else than the pump, or than the body where no pump counts.
  public var records: [RecordAgreement.Record]
  /// The beginning of what it concerns.
  public var start: Instant
  /// The end of what it concerns.
  public var end: Instant
  /// What those records say more than the pump, or than the body where no pump counts, in units.
  public var units: Double
  /// One sentence of what is so and why.
  public var text: String

  /// Creates a `RecordDifference` from its parts; see the properties.
  public init(
    _ severity: Severity, _ kind: Kind, _ origin: RecordAgreement.Origin? = nil,
    in records: [RecordAgreement.Record] = [], from start: Instant, to end: Instant,
    units: Double, _ text: String
  ) {
    precondition(!text.isEmpty, "A difference says what is so.")
    assert(start <= end, "A difference begins before it ends.")
    assert(units.isFinite, "A difference is a number of units.")
    self.severity = severity
    self.kind = kind
    self.origin = origin
    self.records = records
    self.start = start
    self.end = end
    self.units = units
    self.text = text
  }

  /// Whether a record says something else, or a person should look; otherwise it is a remark.
  public var isDifference: Bool { !records.isEmpty || severity <= .check }
}

/// A number of units for a sentence, to the milliunit: `0.60`, `0.025`.
///
/// Of less than half a milliunit the first digit that is not zero is told, `0.0004`, for what there
/// is must not be told as nothing; below a billionth lies what is left over by arithmetic.
func unitsText(_ units: Double) -> String {
  guard let amount = InsulinAmount(roundingUnits: units) else { return "\(units)" }
  let size = units.magnitude
  guard amount == .zero, size >= 1e-9 else { return amount.unitsText }
  var (zeros, scale) = (3, 1e4)
  while size * scale < 0.5 { (zeros, scale) = (zeros + 1, scale * 10) }
  let sign = units < 0 ? "-" : ""
  return "\(sign)0.\(String(repeating: "0", count: zeros))\(Int((size * scale).rounded()))"
}
