internal import Quantities
internal import ScenarioLanguage
public import StructuredText

/// Writes a scenario as a testing scenario of the Loop app.
///
/// Only data goes over: history, meals with their entries, boluses of stated units and temp basals.
/// Such a file has no place for body, settings and devices. What else of history, events, faults
/// and chance cannot be said in it is reported with its place.
public struct LoopScenarioExporter {
  private let problems: ProblemList

  /// Creates an exporter that reports to a list.
  public init(problems: ProblemList) { self.problems = problems }

  /// The testing scenario; its reference date is the start of the scenario.
  public func exporting(_ root: JSONNode) -> JSONValue {
    // What is wrong with unit and clock was told when the scenario was read.
    let context = ReadingContext(of: root, problems: ProblemList())
    let history = root["history"]
    // What another sensor than the one that shows a trace is told of it has no effect.
    let trace = root["cgm"]?["model"]?.string == "trace" ? root["cgm"]?["trace"] : nil
    let past = past(history?["glucose"], context)
    // One table may be both, and a reading is one.
    let known = Set(past.map(\.0))
    let glucose =
      past
      + rows(trace?["rows"] ?? trace, context).filter { !known.contains($0.0) }
      + rows(root["x-loop"]?["futureGlucose"], context)
    var doses = Doses()
    for item in history?["doses"]?.items ?? [] { add(item, context, to: &doses) }
    var carbs = (history?["carbs"]?.items ?? []).compactMap { carbEntry($0, context) }
    for item in root["events"]?.items ?? [] {
      guard let offset = time(item["at"], context) else {
        lose(item, "An event without one fixed time")
        continue
      }
      if item["if"] != nil {
        lose(item, "An event with a condition")
        continue
      }
      add(event: item, at: offset, context, &doses, &carbs)
    }
    for key in ["faults", "behaviour", "sweep", "cohort"] where root[key] != nil {
      if let node = root[key] { lose(node, "\"\(key)\"") }
    }
    if let observed = history?["observed"] { lose(observed, "What was observed") }
    let readings = glucose.map { offset, value -> JSONValue in
      let milligrams = value * context.glucoseUnit.mgdL
      let told = context.glucoseUnit == .milligramsPerDecilitre ? value : hundredths(milligrams)
      return ["mgdlValue": ImportText.number(told), "dateOffset": seconds(offset)]
    }
    var members: [(String, JSONValue?)] = [
      ("glucoseValues", .array(readings)), ("basalDoses", .array(doses.basals)),
      ("bolusDoses", .array(doses.boluses)), ("carbEntries", .array(carbs)),
    ]
    for key in ["deviceActions", "reloadManager"] {
      members.append((key, root["x-loop"]?[key].map { JSONValue($0) }))
    }
    return ImportText.object(members)
  }

  /// The readings before the start: those that are stated, or as many as the algorithm looks back
  /// over, six hours of them, of the one value that all have.
  private func past(
    _ glucose: JSONNode?, _ context: ReadingContext
  ) -> [(TimeSpan, Double)] {
    guard let value = glucose?["flat"]?.double else {
      // A history ends with the start.
      return rows(glucose?["rows"] ?? glucose, context).filter { $0.0 <= .zero }
    }
    return (0...72).map { (.minutes(5 * Int64($0)) - .hours(6), value) }
  }

  private struct Doses {
    var basals: [JSONValue] = []
    var boluses: [JSONValue] = []
  }

  private func add(_ item: JSONNode, _ context: ReadingContext, to doses: inout Doses) {
    guard let offset = time(item["at"], context) else { return lose(item, "A dose without a time") }
    if let insulin = item["insulin"] { lose(insulin, "The kind of insulin") }
    if let reported = item["reported"]?.double, reported != item["bolus"]?.double {
      lose(item, "That the body got another amount than is reported")
    }
    if let units = item["reported"]?.double ?? item["bolus"]?.double {
      doses.boluses.append(bolus(units, at: offset, item))
    } else if let rate = item["basal"]?.double {
      doses.basals.append(basal(rate, at: offset, item["duration"]))
    } else {
      lose(item, "This dose")
    }
  }

  private func add(
    event item: JSONNode, at offset: TimeSpan, _ context: ReadingContext, _ doses: inout Doses,
    _ carbs: inout [JSONValue]
  ) {
    if item["meal"] != nil || item["entry"] != nil && item["injection"] == nil {
      if item["entry"]?.bool == false { return lose(item, "A meal without an entry") }
      if let entry = entry(of: item, at: offset, context) { carbs.append(entry) }
    } else if let units = item["bolus"]?["units"]?.double {
      for key in ["cancelAt", "reported", "by"] {
        // In a testing scenario every bolus is one that the pump tells of.
        guard let node = item["bolus"]?[key], !["user", "pump"].contains(node.string)
        else { continue }
        lose(node, "\"\(key)\" of a bolus")
      }
      doses.boluses.append(bolus(units, at: offset, item))
    } else if let rate = item["basal"]?["rate"]?.double {
      doses.basals.append(basal(rate, at: offset, item["basal"]?["duration"]))
    } else {
      lose(item, "This event")
    }
  }

  /// What the app is told of food: what the entry does not say is as the meal is.
  private func entry(
    of item: JSONNode, at offset: TimeSpan, _ context: ReadingContext
  ) -> JSONValue? {
    let (meal, entry) = (item["meal"], item["entry"])
    if let edits = entry?["edits"], edits.items?.isEmpty == false {
      lose(edits, "A later change of an entry")
    }
    for key in ["grams", "absorption"] {
      guard let meal, let typed = entry?[key], isOther(typed, than: meal[key]) else { continue }
      lose(meal, "That the meal has other \"\(key)\" than its entry")
    }
    let told = time(entry?["at"], context, after: offset)
    let entered = told ?? offset
    let usual = meal == nil ? entered : offset
    let eaten =
      time(item["x-eaten"], context) ?? time(entry?["eatenAt"], context, after: offset) ?? usual
    let isAtOnce = meal == nil ? eaten == entered : told == nil && eaten == entered
    return carbEntry(
      grams: entry?["grams"] ?? meal?["grams"],
      absorption: entry?["absorption"] ?? meal?["absorption"], of: entry ?? item, at: eaten,
      enteredAt: time(item["x-entered"], context) ?? (isAtOnce ? nil : entered))
  }

  // MARK: - Entries

  private func bolus(_ units: Double, at offset: TimeSpan, _ item: JSONNode) -> JSONValue {
    [
      "unitsValue": ImportText.number(units), "dateOffset": seconds(offset),
      "deliveryDuration": seconds(span(item["x-duration"]) ?? .zero),
    ]
  }

  private func basal(_ rate: Double, at offset: TimeSpan, _ duration: JSONNode?) -> JSONValue {
    [
      "unitsPerHourValue": ImportText.number(rate), "dateOffset": seconds(offset),
      "duration": seconds(span(duration) ?? .minutes(30)),
    ]
  }

  private func carbEntry(_ item: JSONNode, _ context: ReadingContext) -> JSONValue? {
    guard let offset = time(item["at"], context) else {
      lose(item, "Carbs without a time")
      return nil
    }
    if let eaten = item["eaten"], eaten.bool == false { lose(eaten, "That nobody ate this food") }
    if item["entered"]?.bool == false {
      lose(item, "Food that is not entered")
      return nil
    }
    return carbEntry(
      grams: item["grams"], absorption: item["absorption"], of: item, at: offset,
      enteredAt: time(item["x-entered"], context))
  }

  private func carbEntry(
    grams: JSONNode?, absorption: JSONNode?, of item: JSONNode, at offset: TimeSpan,
    enteredAt: TimeSpan?
  ) -> JSONValue? {
    guard let grams = grams?.double else {
      lose(item, "Carbs without grams")
      return nil
    }
    return ImportText.object([
      ("gramValue", ImportText.number(grams)), ("dateOffset", seconds(offset)),
      ("absorptionTime", seconds(span(absorption) ?? .hours(3))),
      ("enteredAtOffset", enteredAt.map { seconds($0) }),
    ])
  }

  /// Whether what was typed of a meal is not what the meal has; an absorption time that is not
  /// stated is three hours.
  private func isOther(_ typed: JSONNode, than meal: JSONNode?) -> Bool {
    if let grams = typed.double { return grams != meal?.double }
    return span(typed) != (meal.map { span($0) } ?? .hours(3))
  }

  private func lose(_ node: JSONNode, _ what: String) {
    problems.add(
      .warning, .lost, at: node.position,
      "\(what) cannot be said in a testing scenario of Loop and is left out.")
  }

  // MARK: - Times

  /// A fixed time counted from the start; nothing for lists, chance and unreadable times.
  private func time(
    _ node: JSONNode?, _ context: ReadingContext, after anchor: TimeSpan = .zero
  ) -> TimeSpan? {
    guard let time = node?.string.flatMap({ TimeText($0) }) else { return nil }
    if case .offset(let span) = time { return anchor + span }
    let start = context.start
    return time.resolved(from: start + anchor, start: start, on: context.wallClock).instant - start
  }

  private func span(_ node: JSONNode?) -> TimeSpan? {
    node?.string.flatMap(SpanText.milliseconds).map { TimeSpan(milliseconds: $0) }
  }

  private func rows(_ node: JSONNode?, _ context: ReadingContext) -> [(TimeSpan, Double)] {
    (node?.items ?? []).compactMap { row in
      guard let items = row.items, items.count == 2, let offset = time(items[0], context),
        let value = items[1].double
      else {
        lose(row, "A reading without time and value")
        return nil
      }
      return (offset, value)
    }
  }

  private func hundredths(_ value: Double) -> Double { (value * 100).rounded() / 100 }

  private func seconds(_ span: TimeSpan) -> JSONValue { ImportText.number(span.seconds) }
}
