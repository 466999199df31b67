public import HealthStore
public import Quantities

/// Something that is wrong with a record, or worth looking at.
public struct AuditFinding: Sendable {
  /// What is found.
  public enum Kind: String, CaseIterable, Hashable, Sendable {
    /// Of time, of repetition, of lateness, or of a rate that cannot be.
    case gap, overlap, duplicateWithin, duplicateAcross, late, longSample, impossibleRate
    /// Of amounts, of labels, or of insulin from elsewhere.
    case zeroOrNegative, offPulse, rateMismatch, unlabelled, missingMidnight, foreignInsulin
    /// Of food, of glucose, of clocks, or of versions.
    case foreignCarbs, glucosePair, glucoseGap, glucoseStuck, clockChange, syncConflict
    /// There is nothing between temp basals.
    case scheduleMissing
    /// Other data stand before the first basal, or after the last.
    case basalBegins, basalEnds
    /// There are boluses, and no basal of any source.
    case basalAbsent

    /// Whether there is no basal where there should be some.
    public var isMissingBasal: Bool {
      self == .gap || self == .basalBegins || self == .basalEnds
    }
  }

  /// How much it matters.
  public enum Severity: String, CaseIterable, Hashable, Sendable {
    /// The record is wrong.
    case fault
    /// Right by the rules, and probably not what the person wanted.
    case check
    /// As it should be, and worth knowing.
    case expected
    /// Worth knowing.
    case note

    /// The order of findings, worst first.
    public var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
  }

  /// One place where it was found.
  public struct Occurrence: Hashable, Sendable {
    /// Where it begins.
    public var start: Instant
    /// Where it ends.
    public var end: Instant
    /// How much, in what the finding counts: positive for what is counted too much, negative for
    /// what is missing.
    public var amount: Double
    /// The samples concerned.
    public var samples: [SampleUUID]

    /// How long it lasts.
    public var length: TimeSpan { end - start }

    /// A place where units are missing.
    static func missing(
      _ units: Double, from start: Instant, to end: Instant, _ samples: [SampleUUID]
    ) -> Occurrence {
      // Subtracted, as the negative of nothing is written as -0.
      Occurrence(start: start, end: end, amount: 0 - units, samples: samples)
    }
  }

  /// What the amounts of a finding count.
  public enum Quantity: Sendable {
    /// Insulin, in U.
    case insulin
    /// Food, in grams of carbohydrate.
    case carbohydrates

    /// The unit of the amounts: `U` or `g`.
    public var unit: String { self == .insulin ? "U" : "g" }
  }

  /// What is found.
  public var kind: Kind
  /// How much it matters.
  public var severity: Severity
  /// The names of the sources.
  public var sources: [String]
  /// What it is, in a few words.
  public var title: String
  /// Why, in one sentence.
  public var cause: String
  /// What follows, in one sentence.
  public var consequence: String
  /// What the amounts count.
  public var quantity = Quantity.insulin
  /// Where it was found.
  public var occurrences: [Occurrence]
  /// The largest change of insulin on board by this finding alone, in U, and when; `nil` where
  /// there is none.
  public var change: (units: Double, instant: Instant)?

  /// Where it first begins.
  public var start: Instant { occurrences.map(\.start).min() ?? Instant(secondsSince1970: 0) }
  /// Where it last ends.
  public var end: Instant { occurrences.map(\.end).max() ?? start }
  /// The sum over all occurrences, in what the finding counts.
  public var amount: Double { occurrences.reduce(0) { $0 + $1.amount } }

  /// The finding with what of its occurrences lies in the time that is asked for; `nil` where
  /// nothing does.
  func within(_ options: Audit.Options) -> AuditFinding? {
    // When a sample was written may lie after that time.
    guard options.from != nil || options.to != nil, kind != .late else { return self }
    var finding = self
    finding.occurrences = occurrences.compactMap { $0.within(from: options.from, to: options.to) }
    return finding.occurrences.isEmpty ? nil : finding
  }
}

extension Audit.Options {
  /// A place at which some samples only repeat others, with their part of the time that is judged;
  /// `nil` where none of them lies in it.
  ///
  /// Each counts with its own share, as they may last differently.
  func place(of copies: [AuditRecord], among all: [AuditRecord]) -> AuditFinding.Occurrence? {
    let counted = copies.filter { hold($0.sample) }
    guard let first = counted.first else { return nil }
    let (start, end) = judged(
      all.reduce(first.start) { min($0, $1.start) }, all.reduce(first.end) { max($0, $1.end) })
    return AuditFinding.Occurrence(
      start: start, end: end, amount: counted.reduce(0) { $0 + $1.amount * share(of: $1.sample) },
      samples: all.map(\.sample.uuid))
  }
}

extension AuditFinding.Occurrence {
  /// The part that lies in a stretch of time, with its share of the amount by time; `nil` where
  /// none does.
  fileprivate func within(from: Instant?, to: Instant?) -> Self? {
    guard start < end else { return self }
    let (first, last) = (max(from ?? start, start), min(to ?? end, end))
    guard first < last else { return nil }
    guard first > start || last < end else { return self }
    var part = self
    (part.start, part.end) = (first, last)
    part.amount = amount * ((last - first).seconds / length.seconds)
    return part
  }
}
