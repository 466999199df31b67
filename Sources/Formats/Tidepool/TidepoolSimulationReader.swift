internal import Quantities
internal import StructuredText

/// Reads one merged simulation object of Tidepool's simulator.
struct TidepoolSimulationReader {
  let problems: ProblemList
  /// The parts in which histories of glucose may have been read before.
  var parts: ReusableParts?

  /// The simulation; nothing when a part that it needs is missing or unusable.
  func simulation(_ root: JSONNode, name: String, position: TextPosition) -> TidepoolSimulation? {
    let document = JSONField(root, problems: problems)
    guard let start = date(document.required("time_to_calculate_at")) else { return nil }
    let hours = document.required("duration_hours").number(in: 0.1...26_280, unit: "h")
    let patient = document.required("patient")
    let sensor = patient.required("sensor")
    let pump = patient.required("pump")
    let body = patient.required("patient_model")
    let programmed = metabolism(pump.required("metabolism_settings"))
    let actual = metabolism(body.required("metabolism_settings"))
    let sensed = TidepoolGlucose.points(
      sensor.required("glucose_history"), start: start, parts: parts)
    let truth = TidepoolGlucose.points(body.required("glucose_history"), start: start, parts: parts)
    let targets = targets(pump["target_range"])
    let type = sensor["type"].exists ? sensor["type"].text() : "IdealSensor"
    guard let hours, let programmed, let actual, let sensed, let truth, let type,
      !problems.hasErrors
    else { return nil }
    if !["IdealSensor", "NoisySensor"].contains(type) {
      problems.add(
        .warning, .lost, at: sensor["type"].position,
        "\"\(type)\" is no sensor of the original program; an ideal one is used.")
    }
    reportIgnored(document, sensor: sensor, body: body, isNoisy: type == "NoisySensor")
    let exercise = exercise(body["physical_activity_entries"], body, start: start)
    let simulation = TidepoolSimulation(
      name: name, position: position, start: start,
      duration: .milliseconds(Int64((hours * 3_600_000).rounded())),
      sensorHistory: sensed, trueHistory: truth, isNoisy: type == "NoisySensor",
      sensorParameters: object(sensor["parameters"]),
      programmed: programmed, actual: actual, targets: targets,
      eaten: carbs(body["carb_entries"], start: start),
      reportedCarbs: carbs(pump["carb_entries"], start: start),
      given: boluses(body["bolus_entries"], start: start),
      reportedBoluses: boluses(pump["bolus_entries"], start: start),
      exercise: exercise.entries, exerciseParameters: exercise.parameters,
      controller: controller(document["controller"], start: start))
    return problems.hasErrors ? nil : simulation
  }

  /// Reports settings that are there and have no effect, in the original program as here.
  private func reportIgnored(
    _ document: JSONField, sensor: JSONField, body: JSONField, isNoisy: Bool
  ) {
    func report(_ field: JSONField, _ sentence: String) {
      problems.add(.warning, .ignored, at: field.position, sentence)
    }
    let shift = document["offset_applied_to_dates"]
    if let node = shift.node, !node.isNull, node.double != 0 {
      report(shift, "\"offset_applied_to_dates\" has no effect.")
    }
    if isStated(body["patient_class"]) {
      report(body["patient_class"], "\"patient_class\" has no effect.")
    }
    if !isNoisy, sensor["parameters"].node?.members?.isEmpty == false {
      report(
        sensor["parameters"], "\"parameters\" have no effect on a sensor that is no NoisySensor.")
    }
  }

  /// Reports an entry that is named for something else than what it is taken for.
  private func reportKind(_ field: JSONField, as kind: String) {
    guard let node = field.node, !node.isNull, node.string?.lowercased() != kind else { return }
    problems.add(
      .warning, .ignored, at: node.position,
      "The original program takes this \(node.quoted) for a \(kind), and so does the import.")
  }

  // MARK: - Values

  /// An object that need not be there.
  private func object(_ field: JSONField) -> JSONField? {
    guard let node = field.node, !node.isNull else { return nil }
    return field.members() == nil ? nil : field
  }

  private func isStated(_ field: JSONField) -> Bool { field.node?.isNull == false }

  private func date(_ field: JSONField) -> CivilTime? {
    guard let text = field.text() else { return nil }
    guard let date = TidepoolTime.date(text) else {
      field.reportUnusable(expected: "a time such as 8/15/2019 12:00:00")
      return nil
    }
    return date
  }

  private func offset(_ field: JSONField, start: CivilTime) -> TimeSpan? {
    date(field).map { TidepoolTime.span(from: start, to: $0) }
  }

  private func minutes(_ field: JSONField, standard: Double) -> TimeSpan {
    guard field.exists else { return .milliseconds(Int64(standard * 60_000)) }
    let value = field.number(in: 0...14_400, unit: "min") ?? standard
    return .milliseconds(Int64((value * 60_000).rounded()))
  }

  private func metabolism(_ field: JSONField) -> TidepoolSimulation.Metabolism? {
    guard
      let basal = schedule(field.required("basal_rate"), in: 0...100, unit: "U/h"),
      let ratio = schedule(field.required("carb_insulin_ratio"), in: 0.01...1_000, unit: "g/U"),
      let sensitivity = schedule(
        field.required("insulin_sensitivity_factor"), in: 0.01...5_000, unit: "mg/dL/U")
    else { return nil }
    let slope = field["glucose_sensitivity_factor"]
    let glucose = field["basal_blood_glucose"]
    let production = field["insulin_production_rate"]
    return TidepoolSimulation.Metabolism(
      basal: basal, carbRatio: ratio, sensitivity: sensitivity,
      secretionSlope: slope.exists ? schedule(slope, in: 0...500, unit: "") ?? [] : [],
      basalGlucose: glucose.exists ? schedule(glucose, in: 0...500, unit: "mg/dL") ?? [] : [],
      production: production.exists ? schedule(production, in: 0...5, unit: "U/min") ?? [] : [],
      insulinType: field["patient_insulin_type"].exists ? field["patient_insulin_type"] : nil)
  }

  private func schedule(_ field: JSONField, in range: ClosedRange<Double>, unit: String)
    -> TidepoolSimulation.Schedule?
  {
    guard let times = times(field.required("start_times")),
      let values = field.required("values").items()
    else { return nil }
    guard times.count == values.count, !times.isEmpty else {
      field.reportUnusable(expected: "as many values as start times")
      return nil
    }
    let numbers = values.map { $0.number(in: range, unit: unit) }
    guard !numbers.contains(where: { $0 == nil }) else { return nil }
    return zip(times, numbers.compactMap(\.self)).map { (start: $0, value: $1) }
  }

  /// Times of day from midnight on that ascend.
  private func times(_ field: JSONField) -> [TimeOfDay]? {
    guard let items = field.items() else { return nil }
    var result: [TimeOfDay] = []
    for item in items {
      guard let text = item.text() else { return nil }
      guard let time = TidepoolTime.clock(text),
        result.last.map({ $0 < time }) ?? (time == .midnight)
      else {
        item.reportUnusable(expected: "a time of day after the one before it, the first 0:00:00")
        return nil
      }
      result.append(time)
    }
    return result
  }

  private func targets(_ field: JSONField) -> [(start: TimeOfDay, low: Double, high: Double)] {
    guard field.exists, let times = times(field.required("start_times")),
      let lows = field.required("lower_values").items(),
      let highs = field.required("upper_values").items()
    else { return [] }
    guard times.count == lows.count, times.count == highs.count else {
      field.reportUnusable(expected: "as many lower and upper values as start times")
      return []
    }
    var result: [(start: TimeOfDay, low: Double, high: Double)] = []
    for (time, values) in zip(times, zip(lows, highs)) {
      guard let low = values.0.number(in: 20...500, unit: "mg/dL"),
        let high = values.1.number(in: 20...500, unit: "mg/dL")
      else { return [] }
      guard low <= high else {
        values.0.reportUnusable(expected: "at most the upper value \(high)")
        return []
      }
      result.append((time, low, high))
    }
    return result
  }

  // MARK: - Entries

  private func carbs(_ field: JSONField, start: CivilTime) -> [TidepoolSimulation.Carbs] {
    guard field.exists, let items = field.items() else { return [] }
    return items.compactMap { item in
      guard let date = date(item.required("start_time")),
        let grams = item.required("value").number(in: 0...10_000, unit: "g")
      else { return nil }
      reportKind(item["type"], as: "carb")
      let entered = item["entry_time"]
      let edits = item["edits"]
      return TidepoolSimulation.Carbs(
        date: date, offset: TidepoolTime.span(from: start, to: date), grams: grams,
        absorption: minutes(item["duration"], standard: 180), isUsual: !item["duration"].exists,
        enteredAt: entered.exists ? self.offset(entered, start: start) : nil,
        edits: isStated(edits) ? edits.items() ?? [] : [], name: item["id"].node?.string,
        position: item.position)
    }
  }

  private func boluses(_ field: JSONField, start: CivilTime) -> [TidepoolSimulation.Bolus] {
    guard field.exists, let items = field.items() else { return [] }
    return items.compactMap { item in
      guard let offset = offset(item.required("time"), start: start) else { return nil }
      reportKind(item["type"], as: "bolus")
      let value = item.required("value")
      if value.node?.string == "accept_recommendation" {
        return TidepoolSimulation.Bolus(offset: offset, units: nil, position: item.position)
      }
      guard let units = value.number(in: 0...1_000, unit: "U") else { return nil }
      return TidepoolSimulation.Bolus(offset: offset, units: units, position: item.position)
    }
  }

  private func exercise(_ field: JSONField, _ body: JSONField, start: CivilTime)
    -> (entries: [TidepoolSimulation.Exercise], parameters: [JSONValue.Member])
  {
    var list = field
    var parameters = ["w_hr", "a", "tau", "n"].compactMap { key in
      (body[key].node ?? body["metabolism_settings"][key].node).map {
        JSONValue.Member(key, JSONValue($0))
      }
    }
    if let members = field["metabolism_parameters"].node?.members {
      list = field.required("physical_activity_entries")
      parameters = members.map { JSONValue.Member($0.key, JSONValue($0.value)) }
    }
    guard list.exists, let items = list.items() else { return ([], parameters) }
    let entries = items.compactMap { item -> TidepoolSimulation.Exercise? in
      guard let offset = offset(item.required("start_time"), start: start) else { return nil }
      let activity = item["activity"].node?.string ?? "activity"
      let rate = item["expected_hr"]
      return TidepoolSimulation.Exercise(
        offset: offset, activity: activity, duration: minutes(item["duration"], standard: 30),
        intensity: item["intensity"].node?.string,
        heartRate: rate.exists
          ? rate.number(in: 40...220, unit: "bpm") ?? 110 : Self.rate(activity),
        position: item.position)
    }
    return (entries, parameters)
  }

  /// The heart rate that the original program assumes for an activity, in beats per minute.
  private static func rate(_ activity: String) -> Double {
    switch activity {
    case "biking": 130
    case "jogging": 140
    default: 110
    }
  }

  private func controller(_ field: JSONField, start: CivilTime) -> TidepoolSimulation.Controller? {
    guard let node = field.node, !node.isNull else { return nil }
    let id = field["id"].node?.string ?? ""
    let kind: TidepoolSimulation.Controller.Kind =
      id.contains("swift")
      ? .loop : id.contains("py") ? .pyLoopKit : id.contains("open") ? .lowGlucoseSuspend : .none
    let timeline = field["automation_control_timeline"]
    let switches = (timeline.exists ? timeline.items() ?? [] : []).compactMap {
      item -> (offset: TimeSpan, isOn: Bool, position: TextPosition)? in
      guard let offset = offset(item.required("time"), start: start),
        let isOn = item.required("dosing_enabled").bool()
      else { return nil }
      return (offset, isOn, item.position)
    }
    _ = object(field["settings"])
    return TidepoolSimulation.Controller(
      kind: kind, settings: field["settings"], switches: switches, position: field.position)
  }
}
