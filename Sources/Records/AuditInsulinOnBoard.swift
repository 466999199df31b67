internal import Dosing
internal import HealthStore
public import Quantities

/// The insulin on board every five minutes: of the record as it stands, and of the reconciled one.
///
/// Boluses count whole; basal counts against the schedule where one is known, as in the closed-loop
/// app, and not at all where none is.
public struct AuditInsulinOnBoard: Sendable {
  /// One moment.
  public struct Point: Hashable, Sendable {
    /// When.
    public var instant: Instant
    /// All samples, in U.
    public var all: Double
    /// Without what repeats another sample, in U.
    public var reconciled: Double
  }

  /// The points, five minutes apart; insulin from before the judged time counts while it acts.
  public let points: [Point]
  /// Whether basal counts.
  public let countsBasal: Bool
  /// The first point with the largest difference; `nil` where the two agree.
  public let largest: Point?

  private let model: InsulinModel
  /// What repeats another sample, as it stands in the record and with what is left of it.
  private let repeats: [SampleUUID: (all: RelativeDose, rest: [RelativeDose])]

  /// How long any insulin of the models acts.
  private static let reach = TimeSpan.hours(6) + .minutes(10)
  /// How long most doses last at most; longer ones are few.
  private static let longestDose = TimeSpan.days(1)

  /// What ends at this time or before it no longer acts at an instant.
  static func earliestStill(actingAt instant: Instant) -> Instant { instant - reach }

  /// Reckons in a stretch of time with a record that has what acts at its start.
  init(
    _ book: AuditBook, repeats: [SampleUUID: AuditRepeat], from start: Instant, to end: Instant
  ) {
    model = book.options.model
    var all: [RelativeDose] = []
    var reconciled: [RelativeDose] = []
    var found: [SampleUUID: (all: RelativeDose, rest: [RelativeDose])] = [:]
    var countsBasal = false
    for record in book.insulin {
      guard let dose = Self.dose(record, from: record.start, to: record.end, book) else { continue }
      if case .basal = dose.type { countsBasal = true }
      all.append(dose)
      guard let part = repeats[record.sample.uuid] else {
        reconciled.append(dose)
        continue
      }
      // Where another sample covers a segment, its schedule counts once too.
      let rest = part.kept(of: record).compactMap {
        Self.dose(record, from: $0.start, to: $0.end, book)
      }
      found[record.sample.uuid] = (dose, rest)
      reconciled += rest
    }
    self.countsBasal = countsBasal
    self.repeats = found
    let instants = Self.instants(book, from: start, to: end)
    let one = Self.values(all, at: instants)
    let other = found.isEmpty ? one : Self.values(Self.ordered(reconciled), at: instants)
    let points = instants.indices.map {
      Point(instant: instants[$0], all: one[$0], reconciled: other[$0])
    }
    assert(
      one.count == instants.count && other.count == instants.count, "Each moment has both figures.")
    self.points = points
    largest = Self.largest(points.map { $0.all - $0.reconciled }).map { points[$0] }
  }

  /// Differences of insulin on board nearer than this are the same but for arithmetic, in U.
  private static let smallestDifference = 1e-9

  /// The place of the first of the largest differences, whatever their signs; `nil` without any.
  ///
  /// A bolus counts whole for ten minutes, so that several are as large.
  private static func largest(_ differences: [Double]) -> Int? {
    let most = differences.reduce(0) { max($0, $1.magnitude) }
    guard most > smallestDifference else { return nil }
    return differences.firstIndex { $0.magnitude >= most - smallestDifference }
  }

  /// The most moments, those of 38 years.
  private static let most = 4_000_000

  /// Every five minutes from the first insulin in the judged time, or from its start where some
  /// acts that was given before, to the end of the record, without what lies in stretches of more
  /// than a month in which no insulin acts.
  private static func instants(
    _ book: AuditBook, from start: Instant, to last: Instant
  ) -> [Instant] {
    var time = max(book.insulin.first?.start ?? start, start).ceiledToFiveMinutes
    var instants = [time]
    func add(through end: Instant) {
      while instants.count < most, time + .minutes(5) <= end {
        time = time + .minutes(5)
        instants.append(time)
      }
    }
    var acting = time
    for record in book.insulin {
      if record.start - acting > AuditDay.longestEmpty {
        add(through: acting)
        time = record.start.ceiledToFiveMinutes
        instants.append(time)
      }
      acting = max(acting, record.end + reach)
    }
    add(through: last - acting > AuditDay.longestEmpty ? acting : last)
    return instants
  }

  /// A sample, or a part of one that lasts, as the dose that the algorithm counts; `nil` for one
  /// that it does not.
  private static func dose(
    _ record: AuditRecord, from start: Instant, to end: Instant, _ book: AuditBook
  ) -> RelativeDose? {
    let model = book.options.model
    guard record.kind == .basal else {
      return RelativeDose(
        type: .bolus, startDate: record.start, endDate: record.end, volume: record.amount,
        insulinModel: model)
    }
    guard record.sample.duration > .zero else { return nil }
    let metadata = record.metadata
    let stated = AuditSchedule.stated(record)
    // What runs as scheduled adds nothing to it.
    if metadata.programmedTempBasalRate == nil, metadata.isSuspend != true, stated != nil {
      return nil
    }
    let rate = stated ?? book.schedule.units(from: start, to: end).map { $0 / (end - start).hours }
    guard let rate else { return nil }
    return RelativeDose(
      type: .basal(scheduledRate: rate), startDate: start, endDate: end,
      volume: record.amount * ((end - start).seconds / record.sample.duration.seconds),
      insulinModel: model)
  }

  /// The insulin on board of doses in the order of their starts.
  private static func values(_ doses: [RelativeDose], at instants: [Instant]) -> [Double] {
    var values: [Double] = []
    values.reserveCapacity(instants.count)
    var first = 0
    let long = doses.filter { $0.endDate - $0.startDate > longestDose }
    for chunk in stride(from: 0, to: instants.count, by: 72) {
      let part = instants[chunk..<min(chunk + 72, instants.count)]
      guard let start = part.first, let end = part.last else { continue }
      let earliest = start - reach - longestDose
      while first < doses.count, doses[first].startDate < earliest { first += 1 }
      var near = long.prefix { $0.startDate < earliest }.filter { $0.endDate > start - reach }
      var index = first
      while index < doses.count, doses[index].startDate <= end {
        if doses[index].endDate > start - reach { near.append(doses[index]) }
        index += 1
      }
      for instant in part { values.append(LoopAlgorithm.insulinOnBoard(of: near, at: instant)) }
    }
    return values
  }

  /// The largest change by what a finding counts twice, alone, while it acts; `nil` for other
  /// findings, and where what repeats another sample does not count.
  func change(of finding: AuditFinding) -> (units: Double, instant: Instant)? {
    guard finding.quantity == .insulin,
      finding.kind == .duplicateAcross || finding.kind == .duplicateWithin
        || finding.kind == .overlap || finding.kind == .syncConflict
    else { return nil }
    var seen: Set<SampleUUID> = []
    let own = finding.occurrences.flatMap(\.samples).filter { seen.insert($0).inserted }
      .compactMap { repeats[$0] }
    let instants = instants(of: finding)
    let all = Self.values(Self.ordered(own.map(\.all)), at: instants)
    let rest = Self.values(Self.ordered(own.flatMap(\.rest)), at: instants)
    let changes = instants.indices.map { all[$0] - rest[$0] }
    return Self.largest(changes).map { (changes[$0], instants[$0]) }
  }

  /// Doses in the order of their starts, those of one moment by what they hold.
  private static func ordered(_ doses: [RelativeDose]) -> [RelativeDose] {
    doses.sorted { ($0.startDate, $0.endDate, $0.volume) < ($1.startDate, $1.endDate, $1.volume) }
  }

  /// The moments while what a finding counts twice acts.
  private func instants(of finding: AuditFinding) -> [Instant] {
    // A record of many years has a million points, and thousands of places.
    var spans: [(start: Instant, end: Instant)] = []
    for place in finding.occurrences.sorted(by: { $0.start < $1.start }) {
      let end = place.end + Self.reach
      if let last = spans.last, place.start <= last.end {
        spans[spans.count - 1].end = max(last.end, end)
      } else {
        spans.append((place.start, end))
      }
    }
    var next = 0
    return points.map(\.instant).filter { instant in
      while next < spans.count, spans[next].end < instant { next += 1 }
      return next < spans.count && spans[next].start <= instant
    }
  }
}

extension Instant {
  /// The next whole five minutes, or the instant itself where it is one.
  var ceiledToFiveMinutes: Instant {
    let floor = floored(to: .minutes(5))
    return floor == self ? floor : floor + .minutes(5)
  }
}
