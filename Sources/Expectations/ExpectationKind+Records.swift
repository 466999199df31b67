internal import ClosedLoop
internal import Quantities
internal import ScenarioLanguage
internal import Simulation
internal import StructuredText

/// Expectations of what stands in a run's records.
extension ExpectationKind {
  // MARK: - Timeline

  static let timeline = Self { kind, beside in
    let table = kind.required(
      "timeline", .words([("healthStore.basal", true)]),
      "A table of the run, such as `'healthStore.basal'`.")
    let equals = beside.optional(
      "equals", .unread(.list(.list(.anything))),
      """
      The rows, in the file; a time of day is the next one after that of the row before, and in \
      the first row after the start of what is looked at (`after`, `between`).
      """)
    let matches = beside.optional(
      "matches", .text,
      "A CSV file with the rows, such as the `basal-segments.csv` of a run; in place of `equals`.")
    let rows = beside.optional(
      "rows", .unread(.list(.list(.anything))), else: "the table's",
      "Its rows, which are filled in from `matches`.")
    let columns = beside.optional(
      "columns", .listOrOne(.choice(TimelineCheck.Column.self)), else: "all",
      "The columns compared, as `matches` names them.")
    let tolerance = tolerance(&beside)
    let mode = beside.key(
      "mode", .choice(TimelineCheck.Mode.self), default: "'exact'", "How rows match.")
    return { item, reader throws(UnusableKey) in
      _ = try item[table]
      let tolerance = item[tolerance]
      tolerance?.allowOnly(["time", "units"])
      if item[columns.name].node?.items?.isEmpty == true {
        item[columns.name].error(
          "No column is left to compare. Name some, or remove \"columns\" for all.")
      }
      if item[matches.name].exists, item[equals.name].exists {
        item[equals.name].error(
          "Rows stand in the scenario or in a file: remove this or \"matches\".")
        return nil
      }
      let keys = ExpectationKeys.shared
      let bounds = [item[keys.between]?.lowerBound, item[keys.after]].compactMap(\.self)
      let start = bounds.max() ?? item.context.start
      let found: [TimelineCheck.Row]?
      if item[matches.name].exists {
        guard item[matches] != nil else { return nil }
        guard item[rows.name].node?.items?.isEmpty == false else {
          item[matches.name].error(
            "The table could not be read here; name it in the file or a variant.")
          return nil
        }
        found = keptRows(item[rows.name], from: start, item[columns])
      } else {
        found = writtenRows(item.required(equals.name), from: start, item[columns])
      }
      let isNamed = tolerance?.node?.members != nil
      let units = isNamed ? tolerance?["units"] : tolerance
      let time = isNamed ? tolerance?["time"] : nil
      return found.map {
        .timeline(
          TimelineCheck(
            rows: $0, mode: item[mode], timeTolerance: time?.duration() ?? .zero,
            unitsTolerance: units?.number(in: 0...1e12) ?? 1e-9))
      }
    }
  }

  // MARK: - Rows in the scenario

  private static func writtenRows(
    _ list: Field, from start: Instant, _ chosen: [TimelineCheck.Column]?
  ) -> [TimelineCheck.Row]? {
    guard let items = list.items() else { return nil }
    var anchor = start
    var rows: [TimelineCheck.Row] = []
    for field in items {
      guard let count = field.node?.items?.count, count == 5 || count == 6 else {
        field.reportUnusable(
          expected: "a row such as ['06:00:00', '07:15:00', 0.5, 0.6, 'basal']")
        continue
      }
      let columns = TimelineCheck.Column.allCases.prefix(count)
      let cells = Dictionary(uniqueKeysWithValues: columns.enumerated().map { ($1, field[$0]) })
      if let row = row(cells, of: field, after: &anchor, chosen) { rows.append(row) }
    }
    return rows.count == items.count ? rows : nil
  }

  // MARK: - Rows in a file

  /// The rows of a table, which stand beside its name.
  private static func keptRows(
    _ list: Field, from start: Instant, _ chosen: [TimelineCheck.Column]?
  ) -> [TimelineCheck.Row]? {
    let (items, header) = (list.node?.items ?? [], list[0])
    var places: [(column: TimelineCheck.Column, place: Int)] = []
    for (place, name) in (header.node?.items ?? []).enumerated() {
      guard let column = name.string.flatMap({ TimelineCheck.Column(rawValue: $0) }) else {
        continue
      }
      places.append((column, place))
    }
    if let missing = chosen?.first(where: { column in !places.contains { $0.column == column } }) {
      header.error("The table has no column \"\(missing.rawValue)\", which is to be compared.")
      return nil
    }
    guard !places.isEmpty else {
      let known = TimelineCheck.Column.allCases.map(\.rawValue).joined(separator: ", ")
      header.error("The table has no column of basal samples. There are: \(known).")
      return nil
    }
    var anchor = start
    var rows: [TimelineCheck.Row] = []
    for index in items.indices.dropFirst() {
      let field = list[index]
      let filled = places.filter { field[$0.place].node?.value != .null }
      let cells = Dictionary(
        filled.map { ($0.column, field[$0.place]) }, uniquingKeysWith: { first, _ in first })
      if let row = row(cells, of: field, after: &anchor, chosen) { rows.append(row) }
    }
    return rows.count == items.count - 1 ? rows : nil
  }

  /// One row; times of day are those after the row before it.
  private static func row(
    _ cells: [TimelineCheck.Column: Field], of list: Field, after anchor: inout Instant,
    _ chosen: [TimelineCheck.Column]?
  ) -> TimelineCheck.Row? {
    var row = TimelineCheck.Row()
    if let cell = cells[.start] {
      row.start = time(cell, after: anchor)
      anchor = row.start ?? anchor
    }
    if let cell = cells[.end] {
      row.end = time(cell, after: anchor + .milliseconds(1))
      anchor = row.end ?? anchor
    }
    row.rate = cells[.rate]?.rate(in: 0...100)
    row.units = cells[.units]?.units(in: 0...1_000)
    row.kind = cells[.kind]?.choice(BasalSampleRecord.Kind.self)
    row.trueUnits = cells[.trueUnits]?.number(in: 0...1_000, unit: "U")
    // All cells are read, so that each is told of that cannot be.
    let isRead: [TimelineCheck.Column: Bool] = [
      .start: row.start != nil, .end: row.end != nil, .rate: row.rate != nil,
      .units: row.units != nil, .kind: row.kind != nil, .trueUnits: row.trueUnits != nil,
    ]
    guard cells.keys.allSatisfy({ isRead[$0] == true }) else { return nil }
    row = row.keeping(chosen)
    guard row != TimelineCheck.Row() else {
      list.error("This row says nothing that is compared. Fill in a cell, or remove the row.")
      return nil
    }
    return row
  }

  /// A time in a row; a span counts from the start of the run, as in all other keys here.
  private static func time(_ cell: Field, after anchor: Instant) -> Instant? {
    if case .offset? = cell.node?.string.flatMap({ TimeText($0) }) { return cell.time() }
    return cell.anchored(at: anchor).time()
  }

  // MARK: - Events

  static let event = counted("event", "Events that must occur.") { keys in
    let order = keys.optional(
      "order", .list(.text), else: "any",
      "Names that must come one after the other, in the timeline; others may come between.")
    return { item, check in
      check.order = item[order]
      let field = item[order.name]
      guard let names = check.order else { return }
      if check.place != .timeline {
        field.error("Only what stands in the timeline has names to put in order.")
      } else if check.name != nil {
        field.error("Names in order are those of all events of the kind: remove \"name\".")
      } else if names.count < 2 {
        field.error("An order needs two names or more.")
      }
    }
  }

  static let events = counted("events", "All events of a kind.") { keys in
    let lengths = keys.optional(
      "eachDuration",
      .object {
        let shortest = $0.optional("min", .anySpan, else: "none", "The shortest.")
        let longest = $0.optional("max", .anySpan, else: "none", "The longest.")
        return { (shortest: $0[shortest], longest: $0[longest]) }
      }, "How long each lasts.")
    return { item, check in
      let stated = item[lengths.name]
      guard let lengths = item[lengths] else { return }
      if !stated["min"].exists, !stated["max"].exists {
        stated.error("\"eachDuration\" is empty. Add min or max.")
      }
      (check.shortest, check.longest) = lengths
    }
  }

  /// Events of a kind, and how many there must be.
  private static func counted(
    _ name: String, _ meaning: String,
    _ describe: @escaping @Sendable (inout Keys) -> @Sendable (Field, inout EventCheck) -> Void
  ) -> Self {
    Self { kind, beside in
      let chosen = kind.required(name, chosenEvents, meaning)
      let numbers = Form.integer(0...1_000_000)
      let count = beside.optional("count", numbers, else: "at least 1", "How many.")
      let least = beside.optional("min", numbers, else: "none", "At least so many.")
      let most = beside.optional("max", numbers, else: "none", "At most so many.")
      let more = describe(&beside)
      return { item, _ throws(UnusableKey) in
        guard var check = (try item[chosen])(item) else { return nil }
        check.count = Expectation.Bounds(
          minimum: item[least].map(Double.init), maximum: item[most].map(Double.init),
          equals: item[count].map(Double.init))
        more(item, &check)
        let counts = check.count
        if counts.minimum == nil, counts.maximum == nil, counts.equals == nil {
          check.count.minimum = 1
        }
        return .events(check)
      }
    }
  }

  /// Which events; where they are looked for depends on what is expected of them.
  private static let chosenEvents = Form<(Field) -> EventCheck?>.object {
    let kind = $0.required(
      "kind", .text,
      "What kind of event, such as `'bolus'`, of which the timeline tells the request, the start "
        + "and the end, and the event history the bolus once. In the timeline it is "
        + EventCheck.Place.timeline.kindWords + "; in the event history "
        + EventCheck.Place.eventHistory.kindWords + "; in the insulin delivery store "
        + EventCheck.Place.insulinDelivery.kindWords + "; in the health store "
        + EventCheck.Place.healthStore.kindWords + ".")
    let name = $0.optional(
      "name", .text, else: "any",
      "Its name in the timeline, such as `'start'` for the start of a bolus; elsewhere events have "
        + "none.")
    let place = $0.optional(
      "in", .choice(EventCheck.Place.self),
      else: "the timeline; with `eachDuration` the event history", "In which record.")
    return { field in
      { item in
        // What happens in the timeline has no length; the pump's events have.
        let hasDuration = item["eachDuration"].exists
        let usual = hasDuration ? EventCheck.Place.eventHistory : .timeline
        guard let chosen = field[place.name].exists ? field[place] : usual else { return nil }
        if hasDuration, chosen == .timeline {
          field[place.name].error(
            "What stands in the timeline has no duration. Write 'eventHistory' or another record.")
          return nil
        }
        guard let word = field.required(kind.name).choice(of: chosen.kinds) else { return nil }
        if hasDuration, chosen == .eventHistory, !EventCheck.lastingEvents.contains(word) {
          field[kind.name].error(
            "In the event history \"\(word)\" is a moment, which lasts no time. "
              + (word == HistoryEvent.Kind.suspend.rawValue
                ? "Write in: 'insulinDelivery', where it lasts until delivery is resumed."
                : "What lasts there is a bolus or a tempBasal."))
          return nil
        }
        let check = EventCheck(
          kind: word, name: field[name], place: chosen, count: Expectation.Bounds())
        if check.name != nil, chosen != .timeline {
          field[name.name].error(
            "Only what stands in the timeline has a name, not the \(chosen.rawValue).")
        }
        return check
      }
    }
  }
}

extension EventCheck {
  /// The kinds of entries of the event history that have a length.
  fileprivate static let lastingEvents = [HistoryEvent.Kind.bolus, .tempBasal].map(\.rawValue)
}

extension EventCheck.Place {
  /// The kinds of entries that stand there, as the reference lists them.
  fileprivate var kindWords: String { kinds.map { "`'\($0)'`" }.joined(separator: ", ") }

  /// The kinds of entries that stand there.
  package var kinds: [String] {
    switch self {
    case .timeline: Happening.Kind.allCases.map(\.rawValue)
    // No pump of the catalogue reports that its schedule begins.
    case .eventHistory:
      HistoryEvent.Kind.allCases.filter { $0 != .basalProfileStart }.map(\.rawValue)
    case .insulinDelivery: ["basal", "tempBasal", "suspend", "bolus"]
    case .healthStore: ["basal", "bolus"]
    }
  }
}

extension TimelineCheck.Row {
  /// The row with nothing but some columns; all for nothing.
  func keeping(_ columns: [TimelineCheck.Column]?) -> Self {
    guard let columns else { return self }
    return Self(
      start: columns.contains(.start) ? start : nil, end: columns.contains(.end) ? end : nil,
      rate: columns.contains(.rate) ? rate : nil, units: columns.contains(.units) ? units : nil,
      kind: columns.contains(.kind) ? kind : nil,
      trueUnits: columns.contains(.trueUnits) ? trueUnits : nil)
  }
}
