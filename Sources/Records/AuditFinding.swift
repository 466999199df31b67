public import HealthStore
public import Quantities

/// Something that is wrong with a record, or worth looking at.
public struct AuditFinding: Sendable {
  /// What is found.
  public enum Kind: String, CaseIterable, Hashable, Sendable {
    case gap, overlap, duplicateWithin, duplicateAcross, late, longSample, impossibleRate
    case zeroOrNegative, offPulse, rateMismatch, unlabelled, missingMidnight, foreignInsulin
    case foreignCarbs, glucosePair, glucoseGap, glucoseStuck, clockChange, syncConflict
    case scheduleMissing
  }

  /// How much it matters.
  public enum Severity: String, CaseIterable, Hashable, Sendable {
    /// The record is wrong.
    case fault
    /// Right by the rules, and probably not what the person wanted.
    case check
    /// As it should be, and worth knowing.
    case expected
    case note

    /// The order of findings, worst first.
    public var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
  }

  /// One place where it was found.
  public struct Occurrence: Hashable, Sendable {
    public var start: Instant
    public var end: Instant
    /// The units or grams: positive for what is counted too much, negative for what is missing.
    public var units: Double
    public var samples: [SampleUUID]
  }

  public var kind: Kind
  public var severity: Severity
  /// The names of the sources.
  public var sources: [String]
  public var title: String
  /// Why, in one sentence.
  public var cause: String
  /// What follows, in one sentence.
  public var consequence: String
  public var occurrences: [Occurrence]
  /// The largest change of insulin on board, in U, and when; `nil` where there is none.
  public var change: (units: Double, instant: Instant)?

  public var start: Instant { occurrences.map(\.start).min() ?? Instant(secondsSince1970: 0) }
  public var end: Instant { occurrences.map(\.end).max() ?? start }
  /// The sum over all occurrences.
  public var units: Double { occurrences.reduce(0) { $0 + $1.units } }
}
