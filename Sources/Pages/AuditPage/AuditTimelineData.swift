internal import Quantities
internal import Records
internal import Reports
internal import StructuredText
internal import Typesetting

/// What the script of a timeline reads of the drawn days of a record.
///
/// The days stand one after the other, five minutes apart, however far apart they were, so that
/// nothing is written of those that are not drawn.
struct AuditTimelineData {
  let audit: Audit
  /// The days that are drawn, in their order.
  let days: [AuditDay]
  /// The day that lies open; the cursor begins there.
  let open: AuditDay
  /// Whether what the audit found is drawn.
  let showsFindings: Bool
  /// Where each day begins on the timeline.
  private let starts: [TimeSpan]
  /// The sources that are read at the cursor, by their places in the audit, and how many are drawn.
  private let sources: [Int]
  private let drawnSources: Int

  private static let step = TimeSpan.minutes(5)
  /// A reading of a sensor is told until the next is due, which may come a little later.
  private static let readingLasts = TimeSpan.minutes(6)
  /// The most sources that are read at the cursor.
  private static let mostSources = 8

  init(_ audit: Audit, days: [AuditDay], open: AuditDay, showsFindings: Bool = true) {
    self.audit = audit
    self.days = days.sorted { $0.start < $1.start }
    self.open = open
    self.showsFindings = showsFindings
    var next = TimeSpan.zero
    starts = self.days.map { day in
      defer { next = next + (day.end - day.start) + Self.step }
      return next
    }
    let drawn = days.reduce(into: Set<Int>()) {
      $0.formUnion(AuditLanes(audit: audit, day: $1).sources)
    }
    sources = Array(drawn.sorted().prefix(Self.mostSources))
    drawnSources = drawn.count
  }

  // MARK: - Panels

  /// The id of the panel of a day.
  static func id(of day: AuditDay) -> String { "day-\(day.date)" }

  /// What tells the script where the panel of a day lies; nothing for one that is not drawn.
  func place(of day: AuditDay) -> Markup {
    guard let index = days.firstIndex(where: { $0.start == day.start }) else { return "" }
    return TimelinePanel.place(
      from: starts[index].minutes, minutes: (day.end - day.start).minutes)
  }

  /// The time of a moment, which leads to its day and moves the cursor, where that is drawn.
  func link(to instant: Instant, _ words: String) -> Markup {
    guard let index = days.firstIndex(where: { $0.start <= instant && instant < $0.end }) else {
      return "\(words)"
    }
    let minutes = TimelinePanel.number((stop(at: place(instant, index)) - Self.origin).minutes)
    return "<a href=\"#\(Self.id(of: days[index]))\" data-go=\"\(minutes)\">\(words)</a>"
  }

  /// The buttons and the read-out.
  func controls(title: Markup = "", note: Markup = "") -> TimelinePanel.Controls {
    var fields: [Markup] = [TimelinePanel.time, TimelinePanel.field("Glucose", "bg")]
    if showsFindings {
      fields.append(TimelinePanel.field("Active insulin, all samples", "all"))
      fields.append(TimelinePanel.field("Active insulin, reconciled", "iob"))
    }
    fields += sources.enumerated().map { number, source in
      TimelinePanel.field("\(audit.sources[source].name)", "s\(number)", style: "rh")
    }
    if showsFindings { fields.append(TimelinePanel.field("Findings", "found")) }
    let left = drawnSources - sources.count
    return TimelinePanel.Controls(
      title: title, note: note, stop: showsFindings ? "finding" : "gap",
      hours: (open.end - open.start).hours, fields: fields.joined(), style: "own",
      counts: left > 0
        ? " The \(sources.count) sources that are named first are read; \(left) more are drawn."
        : "")
  }

  // MARK: - Data

  /// Where the timeline begins.
  private static let origin = Instant(secondsSince1970: 0)

  /// A moment of a day on the timeline, at most its beginning or its end.
  private func place(_ instant: Instant, _ index: Int) -> Instant {
    let day = days[index]
    return Self.origin + starts[index] + (min(max(instant, day.start), day.end) - day.start)
  }

  private var values: TimelineValues { TimelineValues(start: Self.origin) }

  var json: JSONValue {
    let end = days.isEmpty ? Self.origin : place(days[days.count - 1].end, days.count - 1)
    return [
      "unit": .string(audit.glucoseUnit.rawValue), "from": 0, "to": values.time(end),
      "step": values.time(Self.origin + Self.step), "at": values.time(stop(at: first)),
      "off": .array(offsets),
      "twice": .array(twice),
      "bg": TimelineValues.series(1, slots(reading)),
      "all": TimelineValues.series(100, showsFindings ? slots { onBoard(at: $0)?.all } : []),
      "iob": TimelineValues.series(100, showsFindings ? slots { onBoard(at: $0)?.reconciled } : []),
      "mode": values.stretches(
        days.indices.map {
          (place(days[$0].start, $0), place(days[$0].end, $0), [.string(days[$0].date)])
        }),
      "sources": .array(
        sources.map { source -> JSONValue in
          [values.stretches(basal(of: source)), .array(doses(of: source))]
        }),
      "found": .array(found), "findings": .array(names), "stops": .array(stops),
    ]
  }

  /// A value for each step of each day, and none between two days.
  private func slots(_ value: (Instant) -> Double?) -> [Double?] {
    days.enumerated().flatMap { index, day -> [Double?] in
      let count = Int(((day.end - day.start).minutes / Self.step.minutes).rounded(.down))
      return (0...count).map { value(day.start + Self.step * Int64($0)) }
    }
  }

  private func reading(at instant: Instant) -> Double? {
    let next = audit.readings.partitioningIndex { $0.instant > instant }
    guard next > 0, instant - audit.readings[next - 1].instant < Self.readingLasts else {
      return nil
    }
    return audit.readings[next - 1].mgdL
  }

  private func onBoard(at instant: Instant) -> AuditInsulinOnBoard.Point? {
    let points = audit.insulinOnBoard.points
    let next = points.partitioningIndex { $0.instant > instant }
    guard next > 0, instant - points[next - 1].instant < Self.step else { return nil }
    return points[next - 1]
  }

  /// What the clock on the wall is ahead of the timeline, from each moment at which that changes.
  private var offsets: [JSONValue] {
    days.indices.flatMap { index -> [JSONValue] in
      let day = days[index]
      let changes = audit.clock.transitions.map(\.instant).filter {
        day.start < $0 && $0 < day.end
      }
      return ([day.start] + changes).map { instant in
        let moment = place(instant, index)
        let shown = audit.clock.timeOfDay(at: instant).sinceMidnight.minutes
        return [
          values.time(moment), TimelineValues.number(shown - (moment - Self.origin).minutes, 2),
        ]
      }
    }
  }

  /// Where times of day come twice, each with what tells it from the other.
  private var twice: [JSONValue] {
    let all = audit.clock.timesShownTwice
    return days.indices.flatMap { index -> [JSONValue] in
      all.filter { $0.start < days[index].end && $0.end > days[index].start }.map { time in
        [
          values.time(place(time.start, index)), values.time(place(time.end, index)),
          .string(time.offset),
        ]
      }
    }
  }

  /// The basal of a source, and where it is missing, each with the units that lie in the day.
  private func basal(of source: Int) -> [TimelineValues.Stretch] {
    days.indices.flatMap { index -> [TimelineValues.Stretch] in
      let lanes = AuditLanes(audit: audit, day: days[index])
      let samples = audit.marks.filter {
        $0.source == source && $0.isBasal && $0.end > $0.start && lanes.share(of: $0) > 0
      }.map { mark -> TimelineValues.Stretch in
        let units = TimelineValues.number(mark.amount * lanes.share(of: mark), 3)
        return (place(mark.start, index), place(mark.end, index), [units, 0])
      }
      let gaps = lanes.gaps(of: audit.sources[source].name).map { gap -> TimelineValues.Stretch in
        (place(gap.start, index), place(gap.end, index), [.null, 1])
      }
      return (samples + gaps).sorted { ($0.start, $0.end) < ($1.start, $1.end) }
    }
  }

  /// What a source has of a moment, or as a bolus.
  private func doses(of source: Int) -> [JSONValue] {
    days.indices.flatMap { index -> [JSONValue] in
      let lanes = AuditLanes(audit: audit, day: days[index])
      return audit.marks.filter {
        $0.source == source && !$0.isFood && (!$0.isBasal || $0.end <= $0.start)
          && lanes.share(of: $0) > 0
      }.map { mark -> JSONValue in
        [
          values.time(place(mark.start, index)),
          .string("\(mark.isBasal ? "basal" : "bolus") \(AuditText.units(mark.amount))"),
        ]
      }
    }
  }

  // MARK: - Findings

  /// The findings that have a bar in the lanes, by their places in the audit's list.
  private var shown: [Int] {
    showsFindings
      ? audit.findings.indices.filter { audit.findings[$0].severity != .note } : []
  }

  private var names: [JSONValue] {
    shown.map { .string("\($0 + 1) \(audit.findings[$0].title)") }
  }

  /// Each place of a finding on a drawn day.
  private var places: [(start: Instant, end: Instant, number: Int)] {
    days.indices.flatMap { index in
      shown.enumerated().flatMap { number, finding in
        audit.findings[finding].occurrences.filter {
          days[index].share(from: $0.start, to: $0.end) > 0
        }.map { (place($0.start, index), place($0.end, index), number) }
      }
    }
  }

  private var found: [JSONValue] {
    places.map { [values.time($0.start), values.time($0.end), .integer(Int64($0.number))] }
  }

  /// Where the keys `[` and `]` lead: the beginnings of findings, or of gaps where none is drawn.
  private var stops: [JSONValue] {
    let gaps = showsFindings ? [] : sources.flatMap { basal(of: $0) }.filter { $0.rest.last == 1 }
    let begins = places.map(\.start) + gaps.map(\.start)
    return Set(begins.map(stop)).sorted().map(values.time)
  }

  /// The step of the timeline at a moment or after it.
  private func stop(at instant: Instant) -> Instant {
    let steps = ((instant - Self.origin).minutes / Self.step.minutes).rounded(.up)
    return Self.origin + Self.step * Int64(steps)
  }

  /// Where the cursor begins: at the largest difference of insulin on board on the day that lies
  /// open, else at the first place of a finding there, else in its middle.
  private var first: Instant {
    guard let index = days.firstIndex(where: { $0.start == open.start }) else {
      return Self.origin
    }
    let (start, end) = (place(open.start, index), place(open.end, index))
    if showsFindings, let worst = AuditLanes(audit: audit, day: open).worst {
      return place(worst.instant, index)
    }
    let own = places.map(\.start).filter { start <= $0 && $0 <= end }
    return own.min() ?? start + TimeSpan(milliseconds: (end - start).milliseconds / 2)
  }
}
