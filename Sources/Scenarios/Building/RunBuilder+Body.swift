internal import Physiology
internal import Quantities
internal import Simulation
internal import StructuredText

extension RunBuilder {
  /// An insulin that a person takes; Humalog when none is named.
  func insulin(_ field: Field) -> InsulinFormulation? {
    guard field.exists else { return .humalog }
    return field.choice(of: Vocabulary.injectedInsulins).flatMap { .named($0) }
  }

  /// The insulin in the pump, as it truly acts.
  func pumpInsulin(isContinuous: Bool) -> InsulinAbsorption {
    let field = root["patient"]["insulinType"]
    let word = field.choice(of: Vocabulary.pumpedInsulins)
    let absorption = word.flatMap { InsulinFormulation.named($0) }?.absorption ?? .rapid
    if isContinuous, absorption != .rapid {
      field.warning(
        code: "W-NOEFFECT",
        "\"patient.insulinType\" has no effect on the basal of the pump 'continuous'.")
    }
    return absorption
  }

  /// Exercise, by heart rate or by intensity; the app learns nothing of it.
  ///
  /// Metabolic equivalents from 1 to 10 are the share of the reserve of oxygen uptake, which goes
  /// with that of the heart rate (American College of Sports Medicine, Guidelines for Exercise
  /// Testing and Prescription).
  func exercise(_ field: Field, at instant: Instant, id: String) -> [WorldEvent] {
    field.allowOnly(["heartRate", "mets", "duration", "intensity"])
    guard let duration = field.required("duration").duration() else {
      return []
    }
    var share =
      switch field.standard("intensity", { $0.choice(of: ["light", "moderate", "high"]) }) {
      case "light": 0.3
      case "high": 0.75
      default: 0.5
      }
    guard let heart = heartRates else {
      field.warning(
        code: "W-NOEFFECT",
        """
        Exercise has no effect: the model \(root["patient"]["model"].node?.string ?? "") has none. \
        Use uva-padova-s2013, hovorka or bergman.
        """)
      return []
    }
    if let rate = field["heartRate"].number() {
      share = (rate - heart.resting) / (heart.maximum - heart.resting)
      if !(0...1).contains(share) {
        field["heartRate"].error(
          """
          A heart rate of \(JSONField.shortText(rate)) is not between this body's \
          \(JSONField.shortText(heart.resting)) at rest and \
          \(JSONField.shortText(heart.maximum)) at most. \
          "patient.heartRate" states others.
          """)
        return []
      }
      if field["intensity"].exists {
        field["intensity"].warning(
          code: "W-NOEFFECT", "\"intensity\" has no effect beside \"heartRate\".")
      }
    } else if let equivalents = field["mets"].number() {
      share = min(1, (equivalents - 1) / 9)
    }
    return [
      WorldEvent(at: instant, id: id, .undergo(.exercise(intensity: share), name: id)),
      WorldEvent(
        at: instant + duration, id: id, .undergo(.exercise(intensity: 0), name: "\(id) ends")),
    ]
  }

  /// Sickness or insulin resistance: insulin works `1/scale` as well for a while.
  func resistance(_ field: Field, at instant: Instant, id: String) -> [WorldEvent] {
    field.allowOnly(["scale", "duration"])
    guard let scale = field.required("scale").number(),
      let duration = field.required("duration").duration()
    else { return [] }
    return [
      WorldEvent(
        at: instant, id: id, .undergo(.insulinSensitivity(factor: 1 / scale), name: id)),
      WorldEvent(
        at: instant + duration, id: id,
        .undergo(.insulinSensitivity(factor: 1), name: "\(id) ends")),
    ]
  }

  /// A preset by name or in full, with its end.
  func preset(_ item: Field, at instant: Instant, id: String) -> [WorldEvent] {
    let field = item["preset"]
    if field.node?.bool == false { return [WorldEvent(at: instant, id: id, .endPreset)] }
    var duration: TimeSpan?
    if item["until"].exists {
      guard let end = item["until"].time(), end > instant else {
        item["until"].error("A preset ends after it starts.")
        return []
      }
      duration = end - instant
    } else if item["duration"].exists {
      duration = item["duration"].duration()
    }
    if item["indefinite"].bool() == true { duration = nil }
    guard var request = presetRequest(field, id: id) else { return [] }
    request.duration = duration
    return [WorldEvent(at: instant, id: id, .startPreset(request))]
  }

  private func presetRequest(_ field: Field, id: String) -> PresetRequest? {
    if field.node?.members != nil { return preset(field, named: id) }
    let presets = root["therapy"]["presets"]
    let names = (presets.exists ? presets.members() ?? [] : []).map(\.key)
    guard let name = field.choice(of: ["preMeal", "workout"] + names) else { return nil }
    switch name {
    case "preMeal", "workout":
      let key = name == "preMeal" ? "preMealTarget" : "workoutTarget"
      let target = root["therapy"][key]
      guard target.exists else {
        field.error("The preset \(name) needs \"therapy.\(key)\", which is missing.")
        return nil
      }
      guard let range = target.glucoseRange() else { return nil }
      return PresetRequest(
        name: name, kind: name == "preMeal" ? .preMeal : .workout, target: range,
        insulinNeeds: 1, duration: nil)
    default: return preset(presets[name], named: name)
    }
  }

  func preset(_ field: Field, named name: String) -> PresetRequest? {
    field.allowOnly(["target", "insulinNeeds"])
    let target = field["target"].exists ? field["target"].glucoseRange() : nil
    if field["target"].exists, target == nil { return nil }
    return PresetRequest(
      name: name, kind: .custom, target: target,
      insulinNeeds: field.standard("insulinNeeds") { $0.number() }, duration: nil)
  }

  // MARK: - Health store and devices

  /// What other apps write, and what the person allows.
  func healthStore(_ field: Field, at instant: Instant, id: String) -> [WorldEvent] {
    field.allowOnly(["write", "revoke", "grant", "restore"])
    var events: [WorldEvent] = []
    if field["write"].exists, let write = healthStoreWrite(field["write"], at: instant) {
      events.append(WorldEvent(at: instant, id: id, .writeToHealthStore(write)))
    }
    for (key, isGranted) in [("revoke", false), ("grant", true)] where field[key].exists {
      guard let access = access(field[key], isGranted: isGranted) else { continue }
      events.append(WorldEvent(at: instant, id: id, .authorize(access)))
    }
    if field["restore"].bool() == true {
      events.append(WorldEvent(at: instant, id: id, .restoreHealthStore))
    }
    return events
  }

  /// A list of data such as `['insulin']`, or with a direction: `['insulin.read']`.
  private func access(_ field: Field, isGranted: Bool) -> HealthStoreAccess? {
    let kinds = HealthStoreAccess.Data.allCases.map(\.rawValue)
    let words = kinds + kinds.flatMap { ["\($0).read", "\($0).write"] }
    let chosen = (field.itemsOrOne() ?? []).compactMap { $0.choice(of: words) }
    guard let first = chosen.first else { return nil }
    let direction = first.split(separator: ".").dropFirst().first
    let directions: [HealthStoreAccess.Direction] =
      direction == "read" ? [.read] : direction == "write" ? [.write] : [.read, .write]
    let data = chosen.compactMap { word in
      HealthStoreAccess.Data(rawValue: String(word.split(separator: ".")[0]))
    }
    return HealthStoreAccess(data: data, directions: directions, isGranted: isGranted)
  }

  private func healthStoreWrite(_ field: Field, at instant: Instant) -> HealthStoreWrite? {
    field.allowOnly(["glucose", "carbs", "bolus", "basal", "duration", "source", "start"])
    let source = field.standard("source") { $0.text() }
    let start = field["start"].exists ? field["start"].time() : instant
    guard let start else { return nil }
    if field["glucose"].exists {
      return field["glucose"].glucose().map {
        HealthStoreWrite(.glucose($0), start: start, source: source)
      }
    }
    if field["carbs"].exists {
      return field["carbs"].carbohydrate().map {
        HealthStoreWrite(.carbs(grams: $0.grams), start: start, source: source)
      }
    }
    if field["bolus"].exists {
      return field["bolus"].units().map {
        HealthStoreWrite(.bolus(units: $0.units, insulin: nil), start: start, source: source)
      }
    }
    guard field["basal"].exists else {
      field.error("Say what is written: glucose, carbs, bolus or basal.")
      return nil
    }
    let duration = field.standard("duration") { $0.duration() }
    return field["basal"].units().map {
      HealthStoreWrite(
        .basal(units: $0.units, duration: duration), start: start, source: source)
    }
  }

  func pumpService(_ field: Field) -> PumpService? {
    field.allowOnly(["replace", "remove", "attach", "prime", "refill", "clearAlarm", "setTime"])
    if field["replace"].exists {
      field["replace"].allowOnly(["reservoir"])
      let amount = field["replace"]["reservoir"]
      return .replaceReservoir(amount.exists ? amount.units() : nil)
    }
    if field["refill"].exists {
      return field["refill"].units().map { .replaceReservoir($0) }
    }
    if field["prime"].exists { return field["prime"].units().map { .prime($0) } }
    if field["remove"].exists { return .remove }
    if field["attach"].exists { return .attach }
    if field["clearAlarm"].exists { return .clearAlarm }
    if field["setTime"].exists { return .setTime }
    field.error(
      "Say what is done: replace, remove, attach, prime, refill, clearAlarm or setTime.")
    return nil
  }

  func sensorService(_ field: Field) -> SensorService? {
    field.allowOnly(["replace", "calibrate", "stop"])
    if field["replace"].exists { return .replace }
    if field["stop"].exists { return .stop }
    if field["calibrate"].exists { return field["calibrate"].glucose().map { .calibrate($0) } }
    field.error("Say what is done: replace, calibrate or stop.")
    return nil
  }
}
