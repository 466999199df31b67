internal import ClosedLoop
internal import Devices
internal import HealthStore
internal import Quantities
public import Simulation
public import StructuredText

/// How much of the past a question repeats.
public enum QuestionHistory: String, Hashable, Sendable, CaseIterable {
  /// Rows that are new or different since the question before; the first question has them all.
  case changes
  /// All rows of the window every time, for programs without memory.
  case whole
}

/// Writes the questions of one run as messages.
public struct QuestionWriter: Sendable {
  private let history: QuestionHistory
  /// The rows of the question before, by table.
  private var told: [String: [QuestionContent.Row]] = [:]
  private var toldSettings: JSONValue?

  /// Creates a writer that has told nothing yet.
  public init(history: QuestionHistory = .changes) { self.history = history }

  /// A question as a message.
  ///
  /// - Parameters:
  ///   - question: The question.
  ///   - content: What it says.
  ///   - opening: The members before those of the question, such as the name of the run.
  /// - Returns: The message.
  public mutating func message(
    _ question: Question, _ content: QuestionContent, opening: [JSONValue.Member] = []
  ) -> JSONValue {
    if case .body(let asked) = question.content {
      return Self.live(question, asked, content, opening: opening)
    }
    let type: JSONValue = question.isForBolus ? "recommendBolus" : "decide"
    var members: [JSONValue.Member] = [.init("type", type)] + opening
    members += [
      .init("n", .integer(Int64(question.number))), .init("at", .time(question.instant)),
      .init("seconds", .number(question.elapsed.seconds)),
      .init("local", .string(question.local.timeOfDay.hoursAndMinutes)),
    ]
    if let time = content.scheduleTime { members.append(.init("scheduleTime", time)) }
    for table in content.tables {
      var rows = rows(of: table.name, table.rows, from: content.start)
      if table.name == "carbs" { Self.mark(&rows, fromBefore: question.carbsFromBefore) }
      members.append(.init(table.name, .array(rows)))
    }
    if let pump = content.pump { members.append(.init("pump", pump)) }
    if let settings = content.settings, history == .whole || settings != toldSettings {
      members.append(.init("settings", settings))
      toldSettings = settings
    }
    if let iob = content.iob { members.append(.init("iob", iob)) }
    if content.input == nil {
      members.append(.init("last", .array(question.last.map(Self.report))))
    }
    if let truth = question.truth { members.append(.init("truth", Self.truth(truth))) }
    // A shell finds the input as what is left of the line.
    if let input = content.input { members.append(.init("input", input)) }
    return .object(members)
  }

  /// A question to a body; it is told everything once.
  private static func live(
    _ question: Question, _ asked: BodyQuestion, _ content: QuestionContent,
    opening: [JSONValue.Member]
  ) -> JSONValue {
    let members: [JSONValue.Member] = [
      .init("n", .integer(Int64(question.number))), .init("from", .time(asked.from)),
      .init("to", .time(asked.to)), .init("seconds", .number((asked.to - asked.from).seconds)),
    ]
    let tables = content.tables.map {
      JSONValue.Member($0.name, .array($0.rows.map(\.value)))
    }
    return .object([.init("type", "live")] + opening + members + tables)
  }

  /// Says of carbohydrate entries that they were made before the run.
  ///
  /// It is no part of what was asked: a record of answers knows a question by its rows.
  private static func mark(_ rows: inout [JSONValue], fromBefore entries: Set<SyncIdentifier>) {
    guard !entries.isEmpty else { return }
    let names = Set(entries.map { JSONValue.string("\($0)") })
    for (place, row) in rows.enumerated() {
      guard case .object(let members) = row, row["removed"] == nil,
        let id = row["id"], names.contains(id)
      else { continue }
      rows[place] = .object(members + [.init("before", true)])
    }
  }

  private mutating func rows(
    of table: String, _ rows: [QuestionContent.Row], from start: Instant?
  ) -> [JSONValue] {
    guard history == .changes else { return rows.map(\.value) }
    let before = told[table] ?? []
    told[table] = rows
    // Most rows were told, and stand in the same order.
    var place = before.firstIndex { $0.id == rows.first?.id } ?? before.count
    let left = before[..<place]
    var same = 0
    while same < rows.count, place < before.count, rows[same].id == before[place].id,
      rows[same].value == before[place].value
    {
      same += 1
      place += 1
    }
    return changes(from: left + before[place...], to: rows, after: same, since: start)
  }

  /// The rows that are gone, and then those that are new or different.
  ///
  /// Glucose is told of by its time. Where one of two values of a time is gone, the other is told
  /// again behind that.
  ///
  /// - Parameters:
  ///   - before: The rows that were told, but for the first that are the same.
  ///   - rows: Those that there are.
  ///   - same: How many of them are the same, from the first on.
  ///   - start: When the window begins.
  /// - Returns: The rows of the message.
  private func changes(
    from before: ArraySlice<QuestionContent.Row>, to rows: [QuestionContent.Row],
    after same: Int, since start: Instant?
  ) -> [JSONValue] {
    if before.isEmpty { return rows[same...].map(\.value) }
    var old: [String: JSONValue] = [:]
    for row in before { old[row.id] = row.value }
    let now = Set(rows[same...].map(\.id))
    // A row that is too old for the window is not gone; one that reaches into it is.
    let gone = before.filter { row in
      guard !now.contains(row.id), let start, let end = Self.end(of: row.value) else {
        return false
      }
      return end >= start
    }
    var changed = gone.map { row -> JSONValue in
      let key = row.value["id"] == nil ? "at" : "id"
      return [key: row.value[key] ?? .null, "removed": true]
    }
    let times = Set(gone.compactMap { Self.glucoseTime(of: $0.value) })
    // What is the same is looked at where a value of its time may be gone.
    for place in (times.isEmpty ? same : 0)..<rows.count {
      let row = rows[place]
      let isNew = place >= same && old[row.id] != row.value
      let isTwin = Self.glucoseTime(of: row.value).map(times.contains) ?? false
      if isNew || isTwin { changed.append(row.value) }
    }
    return changed
  }

  /// When a row is over, which is when it is too old.
  private static func end(of row: JSONValue) -> Instant? {
    ["end", "at", "entered", "start"].compactMap { key in
      guard case .string(let text)? = row[key] else { return nil }
      return Instant(iso8601: text)
    }.max()
  }

  /// The time of a row that is told of by it alone; `nil` of one that has a name.
  private static func glucoseTime(of row: JSONValue) -> String? {
    guard row["id"] == nil, case .string(let text)? = row["at"] else { return nil }
    return text
  }

  private static func truth(_ truth: Question.Truth) -> JSONValue {
    [
      "glucose": .number(truth.glucose.mgdL), "sensed": .number(truth.sensed.mgdL),
      "iob": truth.insulinOnBoard.map { .number($0) } ?? .null,
      "carbsEaten": .number(truth.carbsEaten.grams),
      "insulinReachedBody": .number(truth.insulinReachedBody),
    ]
  }

  // MARK: - What became of commands

  private static func report(_ report: CommandReport) -> JSONValue {
    let (name, asked) = words(report.command.asked)
    let result: JSONValue =
      switch report.outcome {
      case .notSent: "notSent"
      case .notReached: "notReached"
      case .carriedOut: "ok"
      case .underway: "underway"
      case .failed(let sentence): .string(sentence)
      }
    return [
      "command": .string(name), "asked": asked,
      "given": report.command.given.map(given) ?? .null,
      "guards": .array(report.command.guards.map { .string($0.rawValue) }), "result": result,
    ]
  }

  private static func words(_ asked: ControllerCommand.Asked) -> (String, JSONValue) {
    switch asked {
    case .cancelBolus: ("cancelBolus", true)
    case .resume: ("resume", true)
    case .suspend: ("suspend", true)
    case .cancelTempBasal: ("tempBasal", "cancel")
    case .tempBasal(let rate, let duration):
      ("tempBasal", ["rate": .number(rate), "duration": .number(duration.seconds)])
    case .bolus(let units): ("bolus", .number(units))
    }
  }

  private static func given(_ command: PumpCommand) -> JSONValue {
    switch command {
    case .startTempBasal(let rate, let duration, _):
      ["rate": .number(rate.unitsPerHour), "duration": .number(duration.seconds)]
    case .cancelTempBasal: "cancel"
    case .startBolus(let amount, _): .number(amount.units)
    case .cancelBolus, .suspend, .resume, .replaceSchedule, .setClock: true
    }
  }
}
