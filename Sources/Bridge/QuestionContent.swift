internal import ClosedLoop
internal import Determinism
internal import Devices
internal import Dosing
internal import Interchange
internal import Physiology
internal import Quantities
public import Simulation
internal import StructuredText

/// What a question says, as the tables and objects of its message.
public struct QuestionContent: Sendable {
  /// A row of a table and the name under which it is recognised.
  struct Row: Sendable {
    var id: String
    var value: JSONValue
  }

  /// A table of a question.
  struct Table: Sendable {
    var name: String
    var rows: [Row]
    /// The digest of the first rows, those that the question before had in the same places.
    var digested = (count: 0, digest: RunningDigest())
  }

  /// The tables in the order of the message; none where the algorithm's input is asked about.
  let tables: [Table]
  let pump: JSONValue?
  let settings: JSONValue?
  let iob: JSONValue?
  /// The time of day by which the schedules of the settings go; `nil` where it is not told.
  var scheduleTime: JSONValue? { view.map { .string($0.scheduleTime.hoursAndMinutes) } }
  /// When the rows of the tables begin; `nil` where they are told once, and never gone.
  var start: Instant? { view?.start }
  /// The input of the algorithm.
  let input: JSONValue?

  /// Who is asked.
  let role: ProgramRole
  /// What the tables were made from; `nil` where they are not those of an app.
  private let view: ControllerView?

  /// What a question says.
  ///
  /// - Parameters:
  ///   - question: The question.
  ///   - last: What the question before it in the run said, of which the rows are taken that are
  ///     still the same: a question has the rows of a day, and few of them are new.
  public init(_ question: Question, after last: QuestionContent? = nil) {
    role = question.role
    switch question.content {
    case .body(let asked):
      tables = Self.tables(of: asked)
      (view, input, pump, settings, iob) = (nil, nil, nil, nil, nil)
    case .algorithm(let input):
      self.input = AlgorithmInputFile.value(input)
      (view, tables, pump, settings, iob) = (nil, [], nil, nil, nil)
    case .controller(let view):
      self.view = view
      input = nil
      let old = last?.view
      func table<Source: Equatable>(
        _ place: Int, _ name: String, _ sources: [Source], after before: [Source]?,
        _ row: (Source) -> Row
      ) -> Table {
        guard let last, let before else { return Table(name: name, rows: sources.map(row)) }
        return Table(name: name, of: sources, after: last.tables[place], of: before, row)
      }
      tables = [
        table(0, "glucose", view.glucose, after: old?.glucose, Self.row),
        table(1, "pumpEvents", view.pumpEvents, after: old?.pumpEvents, Self.row),
        table(2, "doses", view.deliveries, after: old?.deliveries, Self.row),
        table(3, "carbs", view.carbs, after: old?.carbs, Self.row),
      ]
      pump = Self.pump(view.pump)
      settings = Self.settings(view.settings)
      iob = view.insulinOnBoard.map { .number($0) } ?? .null
    }
  }

  // MARK: - What was asked, in short

  /// The parts of which ``asked`` has a digest each, in their order.
  static func parts(of role: ProgramRole) -> [String] {
    switch role {
    case .controller: ["glucose", "events", "doses", "carbs", "settings", "pump"]
    case .body: ["insulin", "food", "conditions"]
    }
  }

  /// How many digests ``asked`` has; those of parts that nobody has are zeros.
  private static let digests = 6

  /// Six digests of what the question says, by which a record of answers knows it again.
  ///
  /// They are those of glucose, events, doses, carbohydrates, settings, and pump with insulin on
  /// board; of a body those of insulin, food and conditions, and three zeros. How much of it a
  /// message repeats makes no difference.
  public var asked: String {
    guard role == .controller else { return askedOfBody }
    var digests = [RunningDigest](repeating: RunningDigest(), count: Self.digests)
    if let input, case .object(let members) = input {
      for member in members {
        let part =
          switch member.key {
          case "glucoseHistory": 0
          case "doses": 2
          case "carbEntries": 3
          default: 4
          }
        digests[part].absorb(member.key)
        digests[part].absorb(member.value)
      }
    }
    for (part, table) in tables.enumerated() { digests[part] = table.digest }
    digests[4].absorb(settings ?? .null)
    digests[5].absorb(pump ?? .null)
    digests[5].absorb(iob ?? .null)
    return digests.map(Self.folded).joined(separator: ".")
  }

  private var askedOfBody: String {
    let words = tables.map { Self.folded($0.digest) }
    let zeros = Array(repeating: "00000000", count: Self.digests - words.count)
    return (words + zeros).joined(separator: ".")
  }

  private static func folded(_ digest: RunningDigest) -> String {
    let folded = UInt32(truncatingIfNeeded: digest.value ^ (digest.value >> 32))
    return String(RunningDigest.hexadecimal(of: UInt64(folded)).suffix(8))
  }

  // MARK: - Rows

  private static func row(_ row: GlucoseStore.Row) -> Row {
    var members: [JSONValue.Member] = [
      .init("at", .time(row.date)), .init("mgdL", .number(row.glucose.mgdL)),
      .init("trend", row.trendRate.map { .number($0) } ?? .null),
    ]
    if let condition = row.condition { members.append(.init("condition", .string(condition))) }
    if row.isDisplayOnly { members.append(.init("displayOnly", true)) }
    return Row(id: "\(row.syncIdentifier)", value: .object(members))
  }

  private static func row(_ event: HistoryEvent) -> Row {
    let dose = event.dose
    var (rate, programmed) = (JSONValue.null, JSONValue.null)
    switch dose?.amount {
    case .unitsPerHour(let value): rate = .number(value)
    case .units(let value): programmed = .number(value)
    case nil: break
    }
    let members: [JSONValue.Member] = [
      .init("id", .string("\(event.syncIdentifier)")), .init("kind", .string("\(event.kind)")),
      .init("start", .time(event.date)), .init("end", .time(dose?.end ?? event.date)),
      .init("rate", rate), .init("programmed", programmed),
      .init("delivered", dose?.deliveredUnits.map { .number($0) } ?? .null),
      .init("automatic", .bool(dose?.isAutomatic ?? false)),
      .init("mutable", .bool(event.isMutable)),
    ]
    return Row(id: "\(event.syncIdentifier)", value: .object(members))
  }

  private static func row(_ row: InsulinDeliveryStore.Row) -> Row {
    let dose = row.dose
    let members: [JSONValue.Member] = [
      .init("id", .string("\(row.syncIdentifier)")), .init("kind", .string("\(dose.kind)")),
      .init("start", .time(dose.start)), .init("end", .time(dose.end)),
      .init("units", .number(dose.deliveredUnits ?? dose.programmedUnits)),
      .init("scheduledRate", dose.scheduledBasalRate.map { .number($0) } ?? .null),
      .init("insulin", dose.insulinType.map { .string($0.rawValue) } ?? .null),
      .init("source", .string(row.provenance)), .init("mutable", .bool(dose.isMutable)),
    ]
    return Row(id: "\(row.syncIdentifier)", value: .object(members))
  }

  private static func row(_ row: CarbStore.Row) -> Row {
    let entry = row.entry
    let members: [JSONValue.Member] = [
      .init("id", .string("\(row.syncIdentifier)")), .init("at", .time(entry.date)),
      .init("grams", .number(entry.mass.grams)),
      .init("absorption", entry.absorptionTime.map { .number($0.seconds) } ?? .null),
      .init("entered", .time(row.userCreatedAt)),
    ]
    return Row(id: "\(row.syncIdentifier)", value: .object(members))
  }

  // MARK: - Objects

  private static func pump(_ pump: ControllerView.PumpView) -> JSONValue {
    let program = pump.status?.program
    let word: JSONValue =
      switch program?.kind {
      case .scheduled: "scheduled"
      case .tempBasal: "tempBasal"
      case .suspended: "suspended"
      case .stopped: "stopped"
      case nil: pump.status?.alarm == nil ? .null : "stopped"
      }
    var bolus = JSONValue.null
    if let running = pump.status?.bolus, running.outcome == .running {
      bolus = [
        "units": .number(running.asked.units), "delivered": .number(running.delivered.units),
        "end": .time(running.end),
      ]
    }
    return [
      "program": word, "rate": pump.status?.rate.map { .number($0.unitsPerHour) } ?? .null,
      "until": program?.end.map { .time($0) } ?? .null, "bolus": bolus,
      "reservoir": pump.reservoir?.amount.map { .number($0.units) } ?? .null,
      "alarm": pump.status?.alarm.map { .string("\($0)") } ?? .null,
      "uncertain": .bool(pump.isUncertain), "read": pump.read.map { .time($0) } ?? .null,
    ]
  }

  /// The settings as a message tells them.
  static func settings(_ settings: ControllerView.Settings) -> JSONValue {
    let therapy = settings.therapy
    return [
      "basal": .schedule(settings.basal) { .number($0.unitsPerHour) },
      "sensitivity": .schedule(therapy.sensitivity) { .number($0.mgdLPerUnit) },
      "carbRatio": .schedule(therapy.carbRatio) { .number($0.gramsPerUnit) },
      "target": .schedule(therapy.targets) {
        [.number($0.lower.mgdL), .number($0.upper.mgdL)]
      },
      "suspendThreshold": therapy.suspendThreshold.map { .number($0.mgdL) } ?? .null,
      "maxBasal": .number(therapy.maximumBasalRate.unitsPerHour),
      "maxBolus": .number(therapy.maximumBolus.units),
      "maxActiveInsulin": therapy.maximumActiveInsulin.map { .number($0) } ?? .null,
      "insulin": .string(therapy.insulinType.rawValue),
      "preset": settings.preset.map { .string($0) } ?? .null,
      "closedLoop": .bool(therapy.isClosedLoop), "offset": .number(settings.offset.seconds),
    ]
  }
}

extension QuestionContent.Table {
  /// A table of which the rows that are still the same are taken from the question before.
  ///
  /// The rows of a message are the same array then, so that to compare them takes no time.
  init<Source: Equatable>(
    name: String, of sources: [Source], after last: Self, of before: [Source],
    _ row: (Source) -> QuestionContent.Row
  ) {
    self.init(name: name, rows: [])
    assert(last.rows.count == before.count, "A table has a row for each of its sources.")
    // What has become too old for the window has left at the front.
    let shift = sources.first.flatMap { before.firstIndex(of: $0) } ?? before.count
    rows.reserveCapacity(sources.count)
    var same = 0
    for place in sources.indices {
      let old = place + shift
      guard old < before.count, before[old] == sources[place] else {
        rows.append(row(sources[place]))
        continue
      }
      rows.append(last.rows[old])
      if same == place { same += 1 }
    }
    guard shift == 0, same >= last.digested.count else { return }
    digested = last.digested
    for row in rows[digested.count..<same] { digested.digest.absorb(row.value) }
    digested.count = same
  }

  /// The digest of all rows.
  var digest: RunningDigest {
    var digest = digested.digest
    for row in rows[digested.count...] { digest.absorb(row.value) }
    return digest
  }
}

extension JSONValue {
  /// A time as messages have it: ISO 8601 in UTC, with milliseconds where there are any.
  static func time(_ instant: Instant) -> JSONValue { .string("\(instant)") }

  /// A schedule as scenarios have it: `[["00:00", 1.0], …]`.
  static func schedule<Value>(
    _ schedule: DailySchedule<Value>, _ write: (Value) -> JSONValue
  ) -> JSONValue {
    .array(schedule.entries.map { [.string($0.start.hoursAndMinutes), write($0.value)] })
  }
}

extension RunningDigest {
  /// Absorbs a value, its keys in their order.
  fileprivate mutating func absorb(_ value: JSONValue) {
    switch value {
    case .null: absorb(UInt8(0))
    case .bool(let bool): absorb(bool)
    case .integer(let integer): absorb(Double(integer))
    case .number(let number): absorb(number)
    case .string(let text): absorb(text)
    case .array(let items):
      absorb(items.count)
      for item in items { absorb(item) }
    case .object(let members):
      for member in members {
        absorb(member.key)
        absorb(member.value)
      }
    }
  }
}
