internal import Quantities
internal import Simulation
internal import StructuredText

/// Expectations of what stands in a run's records.
extension ExpectationReader {
  // MARK: - Timeline

  func timeline(_ item: Field) -> Expectation.Check? {
    item.allowOnly(
      Self.common + ["timeline", "equals", "matches", "rows", "columns", "tolerance", "mode"])
    guard item["timeline"].choice(of: ["healthStore.basal"]) != nil else { return nil }
    item["tolerance"].allowOnly(["time", "units"])
    let chosen = columns(item["columns"])
    let rows: [TimelineCheck.Row]?
    if item["matches"].exists {
      guard !item["equals"].exists else {
        item["equals"].error("Rows stand in the scenario or in a file: remove this or \"matches\".")
        return nil
      }
      rows = keptRows(item, chosen)
    } else {
      rows = writtenRows(item, chosen)
    }
    guard let rows else { return nil }
    return .timeline(
      TimelineCheck(
        rows: rows, mode: item.standard("mode") { $0.choice(TimelineCheck.Mode.self) },
        timeTolerance: item["tolerance"]["time"].duration() ?? .zero,
        unitsTolerance: item["tolerance"]["units"].number() ?? 1e-9))
  }

  /// The columns that are compared; nothing for all that the rows have.
  private func columns(_ field: Field) -> [TimelineCheck.Column]? {
    guard field.exists else { return nil }
    let columns = (field.itemsOrOne() ?? []).compactMap { $0.choice(TimelineCheck.Column.self) }
    if field.node?.items?.isEmpty == true {
      field.error("No column is left to compare. Name some, or remove \"columns\" for all.")
    }
    return columns
  }

  /// From when times of day in the rows are looked for.
  private func anchor(_ item: Field) -> Instant {
    (item["between"].exists ? item["between"].window()?.lowerBound : nil) ?? root.context.start
  }

  // MARK: - Rows in the scenario

  private func writtenRows(
    _ item: Field, _ chosen: [TimelineCheck.Column]?
  ) -> [TimelineCheck.Row]? {
    guard let items = item.required("equals").items() else { return nil }
    var anchor = anchor(item)
    var rows: [TimelineCheck.Row] = []
    for field in items {
      guard let count = field.node?.items?.count, count == 5 || count == 6 else {
        field.reportUnusable(
          expected: "a row such as ['06:00:00', '07:15:00', 0.5, 0.6, 'basal']")
        continue
      }
      let columns = TimelineCheck.Column.allCases.prefix(count)
      let cells = Dictionary(uniqueKeysWithValues: columns.enumerated().map { ($1, field[$0]) })
      if let row = row(cells, after: &anchor) { rows.append(row.keeping(chosen)) }
    }
    return rows.count == items.count ? rows : nil
  }

  // MARK: - Rows in a file

  /// The rows of a table, which stand beside its name.
  private func keptRows(
    _ item: Field, _ chosen: [TimelineCheck.Column]?
  ) -> [TimelineCheck.Row]? {
    guard item["matches"].text() != nil else { return nil }
    guard let items = item["rows"].node?.items, !items.isEmpty else {
      item["matches"].error("The table could not be read here; name it in the file or a variant.")
      return nil
    }
    let header = item["rows"][0]
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
    var anchor = anchor(item)
    var rows: [TimelineCheck.Row] = []
    for index in items.indices.dropFirst() {
      let field = item["rows"][index]
      let filled = places.filter { field[$0.place].node?.value != .null }
      let cells = Dictionary(
        filled.map { ($0.column, field[$0.place]) }, uniquingKeysWith: { first, _ in first })
      if let row = row(cells, after: &anchor) { rows.append(row.keeping(chosen)) }
    }
    return rows.count == items.count - 1 ? rows : nil
  }

  /// One row; times of day are those after the row before it.
  private func row(
    _ cells: [TimelineCheck.Column: Field], after anchor: inout Instant
  ) -> TimelineCheck.Row? {
    var row = TimelineCheck.Row()
    if let cell = cells[.start] {
      guard let start = cell.anchored(at: anchor).time() else { return nil }
      (row.start, anchor) = (start, start)
    }
    if let cell = cells[.end] {
      guard let end = cell.anchored(at: anchor + .milliseconds(1)).time() else { return nil }
      (row.end, anchor) = (end, end)
    }
    if let cell = cells[.rate] {
      guard let rate = cell.rate(in: 0...100) else { return nil }
      row.rate = rate
    }
    if let cell = cells[.units] {
      guard let units = cell.units(in: 0...1_000) else { return nil }
      row.units = units
    }
    if let cell = cells[.kind] {
      guard let kind = cell.choice(BasalSampleRecord.Kind.self) else { return nil }
      row.kind = kind
    }
    if let cell = cells[.trueUnits] {
      guard let units = cell.number(in: 0...1_000, unit: "U") else { return nil }
      row.trueUnits = units
    }
    return row
  }

  // MARK: - Events

  func events(_ item: Field, _ field: Field) -> Expectation.Check? {
    item.allowOnly(
      Self.common + ["event", "events", "count", "min", "max", "order", "eachDuration"])
    field.allowOnly(["kind", "name", "in"])
    let hasDuration = item["eachDuration"].exists
    // What happens in the timeline has no length; the pump's events have.
    let usual = hasDuration ? EventCheck.Place.eventHistory : .timeline
    let place = field["in"].exists ? field["in"].choice(EventCheck.Place.self) : usual
    guard let place else { return nil }
    if hasDuration, place == .timeline {
      field["in"].error(
        "What stands in the timeline has no duration. Write 'eventHistory' or another record.")
      return nil
    }
    guard let kind = field.required("kind").choice(of: place.kinds) else { return nil }
    var check = EventCheck(
      kind: kind, name: field["name"].text(), place: place,
      count: Expectation.Bounds(
        minimum: item["min"].integer().map { Double($0) },
        maximum: item["max"].integer().map { Double($0) },
        equals: item["count"].integer().map { Double($0) }))
    item["eachDuration"].allowOnly(["min", "max"])
    check.longest = item["eachDuration"]["max"].duration()
    check.shortest = item["eachDuration"]["min"].duration()
    if check.name != nil, place != .timeline {
      field["name"].error("Only what stands in the timeline has a name, not the \(place.rawValue).")
    }
    if item["order"].exists { check.order = order(item["order"], check) }
    let counts = check.count
    if counts.minimum == nil, counts.maximum == nil, counts.equals == nil {
      check.count.minimum = 1
    }
    return .events(check)
  }

  /// The names that must come one after the other.
  private func order(_ field: Field, _ check: EventCheck) -> [String]? {
    let names = (field.items() ?? []).compactMap { $0.text() }
    if check.place != .timeline {
      field.error("Only what stands in the timeline has names to put in order.")
    } else if check.name != nil {
      field.error("Names in order are those of all events of the kind: remove \"name\".")
    } else if names.count < 2 {
      field.error("An order needs two names or more.")
    }
    return names
  }
}

extension EventCheck.Place {
  /// The kinds of entries that stand there.
  var kinds: [String] {
    switch self {
    case .timeline: Happening.Kind.allCases.map(\.rawValue)
    case .eventHistory:
      ["bolus", "tempBasal", "suspend", "resume", "prime", "rewind", "alarm"]
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
