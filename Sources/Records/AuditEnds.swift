internal import HealthStore
internal import Quantities

/// Judges where the basal of a record begins and ends, against everything else that is in it.
///
/// Nothing can be told of a gap with basal on one side only but from the other data: glucose,
/// boluses and food go on, and no basal stands beside them.
struct AuditEnds {
  let book: AuditBook

  /// What is as long as this is not told: a segment is written when it is over.
  private static let shortest = TimeSpan.minutes(10)

  /// The sources with basal of whom all is written, also what runs by the schedule.
  private var candidates: [(index: Int, basal: [AuditRecord])] {
    book.sources.sources.indices.compactMap { index in
      let basal = book.basal(of: index)
      return !basal.isEmpty && book.scheduleWriters.contains(index) ? (index, basal) : nil
    }
  }

  var findings: [AuditFinding] { [beginning, end].compactMap(\.self) }

  /// The basal of all sources: where one goes on, the other's end is none of the record.
  private var allBasal: [AuditRecord] {
    book.insulin.filter(\.isLastingBasal)
  }

  private var others: [AuditRecord] { book.records.filter { $0.kind != .basal } }

  /// What is told as missing between two sources, where one of them may lie outside of what is
  /// judged.
  private let between: [AuditFinding.Occurrence]

  init(book: AuditBook) {
    self.book = book
    between =
      book.before.isEmpty && book.after.isEmpty ? [] : AuditBasal(book: book).placesBetween.places
  }

  /// Whether a source that writes all of it has basal in or before what is judged, and after it;
  /// or the other way round.
  private func goesOn(_ before: [Int: AuditRecord], _ after: [Int: AuditRecord]) -> Bool {
    book.scheduleWriters.contains { source in
      after[source] != nil && (before[source] != nil || !book.basal(of: source).isEmpty)
    }
  }

  /// Places in which basal is missing, with the units of the schedule where these count.
  private func places(
    _ parts: [(start: Instant, end: Instant)], beside uuid: SampleUUID, isMissing: Bool
  ) -> [AuditFinding.Occurrence] {
    parts.map { part in
      let units = isMissing ? book.schedule.units(from: part.start, to: part.end) ?? 0 : 0
      return .missing(units, from: part.start, to: part.end, [uuid])
    }
  }

  private static func length(_ parts: [(start: Instant, end: Instant)]) -> TimeSpan {
    parts.reduce(.zero) { $0 + ($1.end - $1.start) }
  }

  // MARK: - None at all

  /// Boluses beside which no basal stands, be it of a pump or of a pen.
  var absence: AuditFinding? {
    let boluses = book.insulin.filter { $0.kind == .bolus && $0.amount > 0 }
    guard let first = boluses.first, let last = boluses.last,
      !book.insulin.contains(where: { $0.kind == .basal }),
      !book.sources.sources.indices.contains(where: book.surrounds), between.isEmpty
    else { return nil }
    let names = Set(boluses.map(\.source)).sorted().map(book.sources.name)
    return AuditFinding(
      kind: .basalAbsent, severity: .check, sources: names,
      title: "No basal at all",
      cause: "There are boluses, and no basal of any source.",
      consequence: "Totals are those of boluses alone, and so is insulin on board.",
      occurrences: [.missing(0, from: first.start, to: last.end, [])])
  }

  // MARK: - The end

  private var end: AuditFinding? {
    let last = others.map(\.reached) + book.glucose.map(\.sample.end)
    // Of what was asked for up to an instant the rest of a sample is no record.
    // Where basal goes on later there is a gap, and no end.
    guard !goesOn(book.before, book.after), !between.contains(where: { $0.end == book.end }),
      let dataEnd = last.max().map({ min($0, book.end) }),
      let reached = allBasal.max(by: { $0.end < $1.end }),
      let source = candidates.max(by: { Self.end(of: $0.basal) < Self.end(of: $1.basal) }),
      dataEnd - reached.end > Self.shortest
    else { return nil }
    let parts = book.recorded(from: reached.end, to: dataEnd)
    let length = Self.length(parts)
    guard length > Self.shortest else { return nil }
    // A source that writes temp basals alone may go on for longer.
    let name = book.sources.name(reached.source)
    let isSuspended = reached.isOpenSuspension
    // A segment is written when it is over, so that the last one of a record may be missing.
    let mayBeUnfinished = length <= usualLongest(source.basal)
    let isMissing = !isSuspended && !mayBeUnfinished
    return AuditFinding(
      kind: .basalEnds, severity: isMissing ? .fault : .note, sources: [name],
      title: "Basal ends before the record",
      cause:
        "The last basal of \(name) ends \(dataEnd - reached.end) before the record does.",
      consequence: isSuspended
        ? "Delivery was suspended; nothing is missing if it did not resume."
        : mayBeUnfinished
          ? "A segment that was not finished may cover it: none is written before its end."
          : "Totals lack these units, unless the pump was taken off.",
      occurrences: places(parts, beside: reached.sample.uuid, isMissing: isMissing))
  }

  private static func end(of basal: [AuditRecord]) -> Instant {
    basal.map(\.end).max() ?? Instant(secondsSince1970: 0)
  }

  /// The length that nine in ten segments do not exceed.
  private func usualLongest(_ basal: [AuditRecord]) -> TimeSpan {
    let lengths = basal.map(\.sample.duration).sorted()
    return lengths.isEmpty ? .zero : lengths[(lengths.count * 9 + 9) / 10 - 1]
  }

  // MARK: - The beginning

  private var beginning: AuditFinding? {
    guard !goesOn(book.after, book.before), !between.contains(where: { $0.start == book.start }),
      let first = allBasal.first,
      let source = candidates.min(by: { $0.basal[0].start < $1.basal[0].start })
    else { return nil }
    // Boluses of the same source tell that its pump was worn; glucose alone does not.
    let boluses = others.filter { $0.source == source.index && $0.kind != .carbohydrates }
    let isWorn =
      boluses.first.map { first.start - max($0.start, book.start) > Self.shortest }
      ?? false
    let readings = isWorn ? [] : book.glucose.map(\.sample.start)
    let data = (isWorn ? boluses : others).map(\.start) + readings
    guard let dataStart = data.min().map({ max($0, book.start) }),
      first.start - dataStart > Self.shortest
    else { return nil }
    let parts = book.recorded(from: dataStart, to: first.start)
    guard Self.length(parts) > Self.shortest else { return nil }
    // The bolus is of a source that writes all, and the basal may be of another.
    let (name, pump) = (book.sources.name(first.source), book.sources.name(source.index))
    return AuditFinding(
      kind: .basalBegins, severity: isWorn ? .check : .note,
      sources: name == pump ? [name] : [name, pump],
      title: isWorn ? "Basal begins after the first bolus" : "Basal begins after the record",
      cause: "The first basal of \(name) begins \(first.start - dataStart) after "
        + (!isWorn
          ? "the record does." : name == pump ? "its first bolus." : "the first bolus of \(pump)."),
      consequence: isWorn
        ? "Totals lack these units." : "Nothing is missing if the pump was not worn before.",
      occurrences: places(parts, beside: first.sample.uuid, isMissing: isWorn))
  }
}
