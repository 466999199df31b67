internal import HealthStore
public import Quantities

/// The insulin of one local day.
public struct AuditDay: Sendable {
  /// Midnight, at its beginning.
  public var start: Instant
  /// Midnight, at its end.
  public var end: Instant
  /// The date, such as `2026-03-04`.
  public var date: String
  /// Basal, in U.
  public var basal = 0.0
  /// Boluses that a person asked for, in U.
  public var manualBolus = 0.0
  /// Boluses that the loop gave by itself, in U.
  public var automaticBolus = 0.0
  /// Boluses of which the record does not say who decided.
  public var otherBolus = 0.0
  /// Insulin from elsewhere than the pump.
  public var foreign = 0.0
  /// What of that is basal, as of a pen.
  public var foreignBasal = 0.0
  /// The sum of all samples.
  public var plain: Double { basal + manualBolus + automaticBolus + otherBolus + foreign }
  /// The sum by the health store's statistics, which prefer one source where several cover a time.
  public var storeOwn = 0.0
  /// The sum without what repeats another sample.
  public var reconciled = 0.0
  /// What is counted twice.
  public var twice: Double { plain - reconciled }
  /// How many readings of glucose it has.
  public var readings = 0

  /// The part of what lasted from an instant to another that lies in this day; all or nothing of
  /// what took no time.
  public func share(from start: Instant, to end: Instant) -> Double {
    assert(self.start < self.end, "A day lasts some time.")
    guard end > start else { return self.start <= start && start < self.end ? 1 : 0 }
    let inside = min(end, self.end) - max(start, self.start)
    return max(0, inside.seconds) / (end - start).seconds
  }

  /// Makes totals equal that differ by what their order of adding up left.
  private mutating func settle() {
    if (storeOwn - plain).magnitude < 1e-9 { storeOwn = plain }
    if (reconciled - plain).magnitude < 1e-9 { reconciled = plain }
  }

  /// The days of a record, from what repeats another sample, and which of that is boluses of the
  /// pump that another source has as well: they are its boluses, and no insulin from elsewhere.
  static func days(
    of book: AuditBook, repeats: [SampleUUID: AuditRepeat], copiedBoluses: Set<SampleUUID>
  ) -> [AuditDay] {
    var days = empty(of: book)
    let hidden = hiddenByPriority(book)
    for record in book.insulin {
      let isForeign =
        !copiedBoluses.contains(record.sample.uuid)
        && (record.isByHand || record.source != book.sources.dosing && isElsewhere(record, book))
      for index in indices(of: record, days) {
        let day = days[index]
        // Of a day of which a part is asked for, what lies outside does not count.
        let from = max(record.start, day.start, book.options.from ?? day.start)
        let to = min(record.end, day.end, book.options.to ?? day.end)
        /// The units of the day without what does not count beside others.
        func counted(without left: AuditRepeat?) -> Double {
          let length = record.sample.duration
          guard length > .zero else { return left == nil ? record.amount : 0 }
          guard from < to else { return 0 }
          return record.amount * ((left?.kept(from, to) ?? to - from).seconds / length.seconds)
        }
        let units = counted(without: nil)
        switch record.kind {
        case _ where isForeign:
          days[index].foreign += units
          if record.kind == .basal { days[index].foreignBasal += units }
        case .basal: days[index].basal += units
        default:
          switch record.metadata.isAutomaticallyIssued {
          case true?: days[index].automaticBolus += units
          case false?: days[index].manualBolus += units
          case nil: days[index].otherBolus += units
          }
        }
        days[index].storeOwn += counted(without: hidden[record.sample.uuid])
        days[index].reconciled += counted(without: repeats[record.sample.uuid])
      }
    }
    for reading in book.glucose {
      if let index = place(of: reading.sample.start, days) { days[index].readings += 1 }
    }
    for index in days.indices { days[index].settle() }
    return days
  }

  /// The longest stretch without any sample whose days are all there; of a longer one there are
  /// none, as of the years between a clock that was not set and the rest of a record.
  static let longestEmpty = TimeSpan.days(31)
  /// The most days, which one sample alone may last.
  private static let most = 100_000

  /// The days of a record, in which nothing is counted yet.
  private static func empty(of book: AuditBook) -> [AuditDay] {
    let clock = book.options.clock
    let spans =
      (book.records.map { ($0.start, $0.end) }
      + book.glucose.map { ($0.sample.start, $0.sample.end) }).sorted { $0.0 < $1.0 }
    var days: [AuditDay] = []
    var time = clock.startOfDay(containing: book.start)
    var (place, reached) = (0, book.start)
    // What took no time at the last midnight is of the day that begins there.
    let last = spans.last?.0 ?? book.start
    while time < book.end || time <= last || days.isEmpty, days.count < most {
      while place < spans.count, spans[place].0 <= time {
        reached = max(reached, spans[place].1)
        place += 1
      }
      let coming = place < spans.count ? spans[place].0 : book.end
      if time >= reached, coming - reached > longestEmpty, !days.isEmpty {
        let next = clock.startOfDay(containing: coming)
        if next > time {
          time = next
          continue
        }
      }
      let next = clock.midnight(after: time)
      let date = String(clock.civilTime(at: time).description.prefix(10))
      assert(next > time, "A day ends after it begins.")
      days.append(AuditDay(start: time, end: next, date: date))
      time = next
    }
    return days
  }

  private static func isElsewhere(_ record: AuditRecord, _ book: AuditBook) -> Bool {
    let entry = book.sources.sources[record.source]
    return !entry.hasBasalSegments && !entry.isLoopKit
      && (entry.isByHand || record.metadata.wasUserEntered || book.sources.dosing != nil)
  }

  private static func place(of instant: Instant, _ days: [AuditDay]) -> Int? {
    var (low, high) = (0, days.count)
    while low < high {
      let middle = (low + high) / 2
      if days[middle].end <= instant { low = middle + 1 } else { high = middle }
    }
    return low < days.count && days[low].start <= instant ? low : nil
  }

  private static func indices(of record: AuditRecord, _ days: [AuditDay]) -> Range<Int> {
    assert(!days.isEmpty, "A record that is looked for lies among days.")
    guard let first = place(of: max(record.start, days[0].start), days) else { return 0..<0 }
    var last = first + 1
    while last < days.count, days[last].start < record.end { last += 1 }
    return first..<last
  }

  /// What of each sample the statistics leave out, because a source they prefer covers the time.
  private static func hiddenByPriority(_ book: AuditBook) -> [SampleUUID: AuditRepeat] {
    var hidden: [SampleUUID: AuditRepeat] = [:]
    var covered = IntervalSet()
    for source in book.sources.order(inStore: book.options.priority) {
      let own = book.insulin.filter { $0.source == source }
      for record in own {
        if record.sample.duration > .zero {
          let part = covered.within(record.start, record.end)
          if !part.stretches.isEmpty { hidden[record.sample.uuid] = .parts(part) }
        } else if covered.contains(record.start) {
          hidden[record.sample.uuid] = .whole
        }
      }
      covered.formUnion(own.map { ($0.start, $0.end) })
    }
    return hidden
  }
}
