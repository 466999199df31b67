public import Quantities

/// How well a health store tells what a pump did: what is missing, what is too much, and how late.
///
/// The pump's pulses are the truth. A sample covers the pulses in (start, end]; a bolus sample
/// covers those from its start to its end as well.
public struct ReportingOutcomes: Hashable, Sendable {
  /// A record of the health store with its whole life.
  public struct Sample: Hashable, Sendable {
    /// Which deliveries a sample can cover.
    public enum Kind: String, Hashable, Sendable {
      /// Which deliveries a sample can cover.
      case basal, bolus
    }

    /// Where a sample comes from.
    public enum Origin: String, Hashable, Sendable {
      /// The app that drives the pump.
      case app
      /// Another app, or a pen: insulin that no pump delivered.
      case external
    }

    /// Which deliveries it can cover.
    public var kind: Kind
    /// Where it comes from.
    public var origin: Origin
    /// The stretch that the sample tells about.
    public var start: Instant
    /// The end of the stretch that the sample tells about.
    public var end: Instant
    /// The insulin that it tells of.
    public var amount: InsulinAmount
    /// When it was written.
    public var written: Instant
    /// When it was deleted; `nil` while it stands.
    public var deleted: Instant?

    /// Creates a `Sample` from its parts; see the properties.
    public init(
      _ kind: Kind, from start: Instant, to end: Instant, _ amount: InsulinAmount,
      written: Instant, deleted: Instant? = nil, origin: Origin = .app
    ) {
      self.kind = kind
      self.origin = origin
      self.start = start
      self.end = end
      self.amount = amount
      self.written = written
      self.deleted = deleted
    }
  }

  /// A stretch of time in which pulses are covered by no standing sample.
  public struct Gap: Hashable, Sendable {
    /// The first pulse that no sample covers.
    public var start: Instant
    /// The last pulse that no sample covers.
    public var end: Instant
    /// The insulin of those pulses.
    public var amount: InsulinAmount
  }

  /// Delivered insulin that no standing sample covers, in all.
  public let missing: InsulinAmount
  /// Where delivered insulin is covered by no standing sample.
  public let gaps: [Gap]
  /// What standing samples of the app tell beyond the pulses they cover.
  public let extra: InsulinAmount
  /// What standing samples of other sources tell.
  public let external: InsulinAmount
  /// The store's standing total less pump and external insulin: nothing in a clean run.
  public let totalError: InsulinAmount
  /// The median length of the standing basal samples, in minutes.
  public let medianSpanMinutes: Double?
  /// The length of the longest standing basal sample, in minutes.
  public let longestSpanMinutes: Double?
  /// The median delay from a basal pulse to the first sample that covered it, in minutes.
  public let medianDelayMinutes: Double?
  /// The 95th percentile of the delay, in minutes.
  public let delay95Minutes: Double?
  /// The longest delay, in minutes.
  public let longestDelayMinutes: Double?
  /// Samples that were deleted and whose stretch was written again.
  public let rewrites: Int
  /// The minutes in which a stretch stood in the store twice.
  public let doubleCountedMinutes: Double

  /// Compares the pump's pulses with the store's samples.
  ///
  /// Neither needs to be in order. Deliveries that are in the order of time are not copied, nor are
  /// samples that nobody else keeps.
  public init(deliveries: ArraySlice<InsulinRecord.Delivery>, samples: consuming [Sample]) {
    let isInOrder = zip(deliveries, deliveries.dropFirst()).allSatisfy { $0.instant <= $1.instant }
    let deliveries = isInOrder ? deliveries : deliveries.sorted { $0.instant < $1.instant }[...]
    external = samples.reduce(.zero) {
      $1.origin == .external && $1.deleted == nil ? $0 + $1.amount : $0
    }
    var own = consume samples
    own.removeAll { $0.origin != .app }
    own.sort { ($0.start, $0.written) < ($1.start, $1.written) }
    var gaps: [Gap] = []
    var delays: [Double] = []
    var delivered = InsulinAmount.zero
    var covered = InsulinAmount.zero
    var next = 0
    // The samples that can cover the pulse: both lists are in the order of time.
    var near: [Sample] = []
    for pulse in deliveries where pulse.channel != .external {
      delivered += pulse.amount
      let kind: Sample.Kind = pulse.channel == .basal ? .basal : .bolus
      while next < own.count, own[next].start <= pulse.instant {
        near.append(own[next])
        next += 1
      }
      near.removeAll { $0.end < pulse.instant }
      var first: Instant?
      var isCovered = false
      for sample in near where sample.kind == kind && sample.covers(pulse.instant) {
        first = min(first ?? sample.written, sample.written)
        if sample.deleted == nil { isCovered = true }
      }
      if isCovered {
        covered += pulse.amount
      } else if let last = gaps.last, pulse.instant - last.end <= .minutes(60) {
        gaps[gaps.count - 1].end = pulse.instant
        gaps[gaps.count - 1].amount += pulse.amount
      } else {
        gaps.append(Gap(start: pulse.instant, end: pulse.instant, amount: pulse.amount))
      }
      if kind == .basal, let first { delays.append((first - pulse.instant).minutes) }
    }
    let standing = own.lazy.filter { $0.deleted == nil }
    let told = standing.reduce(InsulinAmount.zero) { $0 + $1.amount }
    assert(covered <= delivered, "No more is covered than was delivered.")
    self.gaps = gaps
    missing = delivered - covered
    extra = told - covered
    totalError = told - delivered
    var spans = Array(
      standing.filter { $0.kind == .basal }.map { ($0.end - $0.start).minutes })
    spans.sort()
    medianSpanMinutes = Statistics.quantile(sorted: spans, 0.5)
    longestSpanMinutes = spans.last
    delays.sort()
    medianDelayMinutes = Statistics.quantile(sorted: delays, 0.5)
    longestDelayMinutes = delays.last
    delay95Minutes =
      delays.isEmpty ? nil : delays[min(delays.count - 1, delays.count * 95 / 100)]
    rewrites = own.count { old in
      guard let deleted = old.deleted else { return false }
      return own.contains {
        $0 != old && $0.kind == old.kind && $0.overlaps(old)
          && ($0.written >= deleted || $0.deleted == nil)
      }
    }
    doubleCountedMinutes = Self.doubleCounted(own)
  }

  /// The minutes of stretches during which two samples of a kind stood for them at once; the
  /// samples are in the order of their starts, then of their writing.
  private static func doubleCounted(_ ordered: [Sample]) -> Double {
    var total = 0.0
    for (index, first) in ordered.enumerated() {
      for second in ordered[(index + 1)...] {
        if second.start >= first.end { break }
        guard first.kind == second.kind, first.overlaps(second) else { continue }
        let from = max(first.written, second.written)
        let stoodTogether =
          (first.deleted.map { $0 > from } ?? true) && (second.deleted.map { $0 > from } ?? true)
        if stoodTogether {
          total += (min(first.end, second.end) - max(first.start, second.start)).minutes
        }
      }
    }
    return total
  }
}

extension ReportingOutcomes.Sample {
  /// Whether the sample tells about a moment; a bolus sample's own start belongs to it.
  func covers(_ instant: Instant) -> Bool {
    instant <= end && (instant > start || (kind == .bolus && instant == start))
  }

  func overlaps(_ other: Self) -> Bool { start < other.end && other.start < end }
}
