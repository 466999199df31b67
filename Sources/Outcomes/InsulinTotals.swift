public import Quantities

/// Totals of insulin over a stretch of time, from one record.
public struct InsulinTotals: Hashable, Sendable {
  /// The stretch in days of 24 hours.
  public let days: Double
  /// What came out by channel.
  public let basal: InsulinAmount
  /// Boluses that a person asked for.
  public let userBolus: InsulinAmount
  /// Boluses that the loop gave by itself.
  public let automaticBolus: InsulinAmount
  /// Insulin that no pump gave.
  public let external: InsulinAmount
  /// What the schedule alone would have delivered, in units.
  public let scheduledBasalUnits: Double
  /// What automatic temp basals added above the schedule, in U.
  public let addedBasalUnits: Double
  /// Basal below the schedule, in U.
  public let withheldBasalUnits: Double
  /// How many boluses people gave.
  public let userBoluses: Int
  /// How many boluses the loop gave.
  public let automaticBoluses: Int
  /// How many doses came from elsewhere.
  public let externalDoses: Int
  /// How many boluses did not come to their end.
  public let interruptedBoluses: Int
  /// What was programmed in boluses and not given.
  public let undelivered: InsulinAmount
  /// How many temp basals began in the stretch.
  public let tempBasals: Int
  /// How many temp basals had the rate of the one before.
  public let unchangedTempBasals: Int
  /// How many temp basals ran at 0 U/h.
  public let zeroTempBasals: Int
  /// Stops that began in the stretch, by a person and by an alarm, contiguous ones merged.
  public let suspensions: Int
  /// How long delivery was suspended, in all.
  public let suspended: TimeSpan
  /// The longest time for which delivery was suspended, of what lies in the stretch.
  public let longestSuspension: TimeSpan
  /// The longest time without any pulse while delivery was not suspended.
  public let longestWithoutDelivery: TimeSpan

  /// Sums up a record over a stretch of time, with what begins at either end of it; see
  /// ``InsulinRecord/restricted(after:through:includesEnd:)``.
  public init(_ whole: InsulinRecord, after start: Instant, through end: Instant) {
    let record = whole.restricted(after: start, through: end, includesEnd: true)
    days = max(0, (end - start).hours / 24)
    func sum(_ channel: InsulinRecord.Channel) -> InsulinAmount {
      record.deliveries.reduce(.zero) { $1.channel == channel ? $0 + $1.amount : $0 }
    }
    assert(start <= end, "Totals are of a stretch of time.")
    basal = sum(.basal)
    userBolus = sum(.userBolus)
    automaticBolus = sum(.automaticBolus)
    external = sum(.external)
    scheduledBasalUnits = whole.scheduledUnits(after: start, through: end)
    var (added, withheld) = (0.0, 0.0)
    for segment in record.segments {
      let (from, to) = (max(start, segment.start), min(end, segment.end))
      // Of a segment that the stretch cuts only the pulses within the stretch count.
      let isCut = from > segment.start || to < segment.end
      let delivered =
        isCut ? record.given(asBasal: true, after: from, through: to) : segment.delivered
      let difference = delivered.units - whole.scheduledUnits(after: from, through: to)
      if segment.kind == .automaticTempBasal { added += max(0, difference) }
      if segment.kind != .scheduled { withheld += max(0, -difference) }
    }
    (addedBasalUnits, withheldBasalUnits) = (added, withheld)
    userBoluses = record.boluses.count { $0.channel == .userBolus }
    automaticBoluses = record.boluses.count { $0.channel == .automaticBolus }
    externalDoses = record.deliveries.count { $0.channel == .external }
    interruptedBoluses = record.boluses.count { $0.delivered < $0.programmed }
    undelivered = record.boluses.reduce(.zero) { $0 + ($1.programmed - $1.delivered) }
    // What runs at the start began in the stretch before, where it is counted.
    let temps = record.segments.lazy.filter {
      $0.kind == .automaticTempBasal || $0.kind == .manualTempBasal
    }
    tempBasals = temps.count { $0.start >= start }
    unchangedTempBasals = zip(temps.dropFirst(), temps).count {
      $0.rate == $1.rate && $0.start == $1.end
    }
    zeroTempBasals = temps.count { $0.start >= start && $0.rate == .zero }
    let stops = IntervalSet(
      record.segments.filter { $0.kind == .suspended }.map { ($0.start, $0.end) }
        .sorted { $0.0 < $1.0 }
    ).stretches
    // One that begins as the stretch ends has no length yet.
    let endsInStop = record.segments.contains { $0.kind == .suspended && $0.start == end }
    let stopsAnew = endsInStop && stops.last.map { $0.end < end } ?? true
    suspensions = stops.count { $0.start >= start } + (stopsAnew ? 1 : 0)
    let lengths = stops.map { min($0.end, end) - max($0.start, start) }
    suspended = lengths.reduce(.zero, +)
    longestSuspension = lengths.max() ?? .zero
    longestWithoutDelivery = Self.longestSilence(
      record.deliveries, stops: stops, after: start, through: end)
  }

  /// All boluses, by a person and by the loop.
  public var bolus: InsulinAmount { userBolus + automaticBolus }
  /// Basal and boluses of the pump, without insulin from outside.
  public var total: InsulinAmount { basal + bolus }
  /// The total daily dose of the pump in units per day; nothing for an empty stretch.
  public var totalDailyDose: Double? { days > 0 ? total.units / days : nil }
  /// Basal as a percentage of the total; nothing without insulin.
  public var basalPercent: Double? { total > .zero ? 100 * basal.units / total.units : nil }
  /// Basal above (or, negative, below) what the schedule alone would have delivered, in units.
  public var netBasalUnits: Double { basal.units - scheduledBasalUnits }

  /// The total daily dose by body weight in units per kilogram; nothing without a weight.
  public func totalDailyDose(perKilogramOf weight: Double) -> Double? {
    weight > 0 ? totalDailyDose.map { $0 / weight } : nil
  }

  /// The longest stretch that neither a pulse nor a suspension interrupts.
  private static func longestSilence(
    _ deliveries: [InsulinRecord.Delivery], stops: [(start: Instant, end: Instant)],
    after start: Instant, through end: Instant
  ) -> TimeSpan {
    var longest = TimeSpan.zero
    var last = start
    func pass(_ from: Instant, _ to: Instant) {
      longest = max(longest, from - last)
      last = max(last, to)
    }
    // Both come in the order of time.
    var stops = stops[...]
    for delivery in deliveries where delivery.channel != .external {
      while let stop = stops.first, max(start, stop.start) < delivery.instant {
        pass(max(start, stop.start), min(end, stop.end))
        stops.removeFirst()
      }
      pass(delivery.instant, delivery.instant)
    }
    for stop in stops { pass(max(start, stop.start), min(end, stop.end)) }
    pass(end, end)
    return longest
  }
}
