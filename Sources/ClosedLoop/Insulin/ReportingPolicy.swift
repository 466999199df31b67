internal import Quantities

/// How basal delivery is reported to the health store.
///
/// The triggers are those of LoopDocs, Apple HealthKit FAQs: midnight, a scheduled rate's new
/// entry, and a change of the temporary basal rate; suspend and resume besides, for they end and
/// begin delivery.
public struct ReportingPolicy: Hashable, Sendable {
  /// Where the number of a segment comes from.
  public enum Value: String, Hashable, Sendable, CaseIterable {
    /// The pulses the pump gave within the segment.
    case deliveredPulses
    /// Rate times time to the nearest 0.05 U, halves away from zero, as LoopKit rounds where a pump
    /// gives no delivery (`DoseEntry.swift`). The reports then drift from the pump.
    case loopKitNearest
  }

  /// When a segment that has ended is written.
  public enum Write: String, Hashable, Sendable, CaseIterable {
    /// At the instant of its trigger.
    case atTrigger
    /// In the first cycle at or after its trigger.
    case nextCycle
  }

  /// Whether basal segments are written to the health store at all.
  public var reportsBasal: Bool
  /// Where the amount of a segment comes from.
  public var value: Value
  /// When a segment that has ended is written.
  public var write: Write
  /// Whether a temp basal commanded again with the rate it already has ends the segment.
  public var reportsOnReissue: Bool
  /// Whether a segment of a day or longer is written as several samples of equal length.
  ///
  /// Apple's article "Saving Data to HealthKit" asks for samples shorter than 24 hours.
  public var splitsLongSegments: Bool

  /// Creates a policy; without arguments the one LoopDocs describes.
  public init(
    reportsBasal: Bool = true, value: Value = .deliveredPulses, write: Write = .nextCycle,
    reportsOnReissue: Bool = false, splitsLongSegments: Bool = true
  ) {
    self.reportsBasal = reportsBasal
    self.value = value
    self.write = write
    self.reportsOnReissue = reportsOnReissue
    self.splitsLongSegments = splitsLongSegments
  }

  /// A part longer than this is cut further: 12.5 hours, so that a 25-hour day makes two.
  static let longestPart = TimeSpan.minutes(750)
}
