internal import Quantities
internal import ScenarioLanguage
public import StructuredText

/// Writes a scenario as a testing scenario of the Loop app.
///
/// Only data goes over: history, meals with their entries, boluses of stated units and temp basals.
/// Everything else is reported with its place.
public struct LoopScenarioExporter {
  private let problems: ProblemList

  /// Creates an exporter that reports to a list.
  public init(problems: ProblemList) { self.problems = problems }

  /// The testing scenario; its reference date is the start of the scenario.
  public func exporting(_ root: JSONNode) -> JSONValue {
    let start = start(of: root)
    let history = root["history"]
    let past = history?["glucose"]
    let future = root["cgm"]?["trace"]
    var glucose =
      rows(past?["rows"] ?? past) + rows(future?["rows"] ?? future)
      + rows(root["x-loop"]?["futureGlucose"])
    if let flat = history?["glucose"]?["flat"]?.double {
      // Six hours are what the algorithm looks back over.
      glucose = (0...72).map { (.minutes(5 * Int64($0)) - .hours(6), flat) }
    }
    var doses = Doses()
    for item in history?["doses"]?.items ?? [] { add(item, to: &doses) }
    var carbs = (history?["carbs"]?.items ?? []).compactMap(carbEntry)
    for item in root["events"]?.items ?? [] {
      guard let offset = time(item["at"], start) else {
        lose(item, "An event without one fixed time")
        continue
      }
      add(event: item, at: offset, start, &doses, &carbs)
    }
    for key in ["faults", "behaviour", "sweep", "cohort"] where root[key] != nil {
      if let node = root[key] { lose(node, "\"\(key)\"") }
    }
    let readings = glucose.map { offset, value -> JSONValue in
      ["mgdlValue": ImportText.number(value), "dateOffset": seconds(offset)]
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

  private struct Doses {
    var basals: [JSONValue] = []
    var boluses: [JSONValue] = []
  }

  private func add(_ item: JSONNode, to doses: inout Doses) {
    guard let offset = time(item["at"], nil) else { return lose(item, "A dose without a time") }
    if let units = item["bolus"]?.double {
      doses.boluses.append(bolus(units, at: offset, item))
    } else if let rate = item["basal"]?.double {
      doses.basals.append(basal(rate, at: offset, item["duration"]))
    } else {
      lose(item, "This dose")
    }
  }

  private func add(
    event item: JSONNode, at offset: TimeSpan, _ start: CivilTime?, _ doses: inout Doses,
    _ carbs: inout [JSONValue]
  ) {
    if let meal = item["meal"] {
      if item["entry"]?.bool == false { return lose(item, "A meal without an entry") }
      let told = item["entry"]?["at"]?.string.flatMap(SpanText.milliseconds).map {
        TimeSpan(milliseconds: $0) + offset
      }
      let stated = time(item["x-entered"], nil) ?? told
      let source = item["entry"]?["grams"] == nil ? meal : item["entry"] ?? meal
      if let entry = carbEntry(source, at: offset, enteredAt: stated) { carbs.append(entry) }
    } else if let entry = item["entry"] {
      let eaten = time(item["x-eaten"], nil) ?? offset
      let stated = eaten == offset ? nil : Optional(offset)
      if let value = carbEntry(entry, at: eaten, enteredAt: stated) { carbs.append(value) }
    } else if let units = item["bolus"]?["units"]?.double {
      doses.boluses.append(bolus(units, at: offset, item))
    } else if let rate = item["basal"]?["rate"]?.double {
      doses.basals.append(basal(rate, at: offset, item["basal"]?["duration"]))
    } else {
      lose(item, "This event")
    }
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

  private func carbEntry(_ item: JSONNode) -> JSONValue? {
    guard let offset = time(item["at"], nil) else {
      lose(item, "Carbs without a time")
      return nil
    }
    return carbEntry(item, at: offset, enteredAt: time(item["x-entered"], nil))
  }

  private func carbEntry(_ item: JSONNode, at offset: TimeSpan, enteredAt: TimeSpan?) -> JSONValue?
  {
    guard let grams = item["grams"]?.double else {
      lose(item, "Carbs without grams")
      return nil
    }
    return ImportText.object([
      ("gramValue", ImportText.number(grams)), ("dateOffset", seconds(offset)),
      ("absorptionTime", seconds(span(item["absorption"]) ?? .hours(3))),
      ("enteredAtOffset", enteredAt.map { seconds($0) }),
    ])
  }

  private func lose(_ node: JSONNode, _ what: String) {
    problems.add(
      .warning, .lost, at: node.position,
      "\(what) cannot be said in a testing scenario of Loop and is left out.")
  }

  // MARK: - Times

  private func start(of root: JSONNode) -> CivilTime? {
    guard case .civil(let civil, _)? = root["clock"]?["start"]?.string.flatMap({ TimeText($0) })
    else { return nil }
    return civil
  }

  /// A fixed time counted from the start; nothing for lists, conditions and unreadable times.
  private func time(_ node: JSONNode?, _ start: CivilTime?) -> TimeSpan? {
    guard let text = node?.string else { return nil }
    switch TimeText(text) {
    case .offset(let span): return span
    case .day(let day, let time, _):
      guard let start else { return nil }
      let civil = CivilTime(dayNumber: start.dayNumber + Int64(day), timeOfDay: time)
      return TidepoolTime.span(from: start, to: civil)
    case .clock(let time, _):
      guard let start else { return nil }
      let civil = CivilTime(dayNumber: start.dayNumber, timeOfDay: time)
      let span = TidepoolTime.span(from: start, to: civil)
      return span < .zero ? span + .days(1) : span
    case .civil(let civil, _): return start.map { TidepoolTime.span(from: $0, to: civil) }
    default: return nil
    }
  }

  private func span(_ node: JSONNode?) -> TimeSpan? {
    node?.string.flatMap(SpanText.milliseconds).map { TimeSpan(milliseconds: $0) }
  }

  private func rows(_ node: JSONNode?) -> [(TimeSpan, Double)] {
    (node?.items ?? []).compactMap { row in
      guard let items = row.items, items.count == 2, let offset = time(items[0], nil),
        let value = items[1].double
      else {
        lose(row, "A reading without time and value")
        return nil
      }
      return (offset, value)
    }
  }

  private func seconds(_ span: TimeSpan) -> JSONValue { ImportText.number(span.seconds) }
}
