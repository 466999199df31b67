internal import ClosedLoop
internal import Devices
internal import Physiology
internal import Quantities
internal import Simulation
internal import StructuredText

extension RunBuilder {
  /// The kinds of events, by the key that names them.
  static let eventKinds =
    [
      "meal", "entry", "bolus", "injection", "basal", "suspend", "resume", "closedLoop", "preset",
      "exercise", "settings", "delete", "healthStore", "pump", "cgm", "fingerstick", "timeZone",
      "clockSet", "phone", "remote", "sickness", "insulinResistance", "remark",
    ] + varyingKinds

  /// The name of an event: its id, or its kind with its place.
  static func eventID(of node: JSONNode?, kind: String, at place: Int) -> String {
    node?["id"]?.string ?? "\(kind)-\(place + 1)"
  }

  /// When an event happens, and what each occurrence is called.
  func occurrences(
    of item: Field, kind: String, place: Int
  ) -> [(name: String, instant: Instant)] {
    let id = Self.eventID(of: item.node, kind: kind, at: place)
    let instants = times(item.required("at"), stream: "events.\(id)")
    return instants.enumerated().map { count, instant in
      (instants.count > 1 ? OccurrenceName.numbered(id, count + 1) : id, instant)
    }
  }

  /// An event of the list, such as one that was made anew.
  func event(_ node: JSONNode, at place: Int) -> Field {
    let json = JSONField(
      node: node, path: "events[\(place)]", problems: problems, isRequired: true,
      position: node.position)
    return Field(json, in: root.context)
  }

  /// Reads the list `events`.
  func events(profile: PumpProfile?, needs: Person.Needs?) -> [WorldEvent] {
    guard root["events"].exists, let items = root["events"].items() else { return [] }
    var events: [WorldEvent] = []
    let slips = slips()
    for (index, item) in items.enumerated() {
      guard item.node?.members != nil else {
        item.reportUnusable(expected: "an event such as { at: '18:30', meal: { grams: 45 } }")
        continue
      }
      item.allowOnly(
        ["at", "id", "if", "until", "duration", "indefinite", "pumpFollows"] + Self.eventKinds)
      let kinds = Self.eventKinds.filter { item[$0].exists }
      // A meal, a bolus or an injection may have an entry beside it.
      let primary =
        kinds.count == 2 && kinds.contains("entry")
        ? kinds.filter { $0 != "entry" } : kinds
      guard primary.count == 1, let kind = primary.first else {
        item.error(
          kinds.isEmpty
            ? "The event says nothing. Add one of: \(Self.eventKinds.joined(separator: ", "))."
            : "The event says several things (\(kinds.joined(separator: ", "))). Write one each.")
        continue
      }
      _ = item["id"].text()
      for (name, instant) in occurrences(of: item, kind: kind, place: index) {
        let anchored = item.anchored(at: instant)
        var made = self.events(of: kind, anchored, at: instant, id: name)
        if item["if"].exists {
          let condition = item["if"].condition(of: name)
          for place in made.indices { made[place].condition = condition }
        }
        events += (slips[name] ?? []).reduce(made) { $1.changing($0) }
      }
    }
    return Self.multiplyingResistances(events)
  }

  private func events(
    of kind: String, _ item: Field, at instant: Instant, id: String
  ) -> [WorldEvent] {
    let field = item[kind]
    func event(_ action: WorldEvent.Action?) -> [WorldEvent] {
      action.map { [WorldEvent(at: instant, id: id, $0)] } ?? []
    }
    switch kind {
    case "meal": return meal(item, at: instant, id: id)
    case "entry": return entry(field, default: nil, at: instant, id: id)
    case "bolus":
      let name = item["id"].exists ? id : "request"
      return bolus(field, at: instant, id: id, name: name)
    case "injection": return injection(item, at: instant, id: id)
    case "basal": return event(tempBasal(field))
    case "suspend": return suspend(field, at: instant, id: id)
    case "resume": return event(says(field) ? .resume : nil)
    case "closedLoop": return event(field.bool().map { .setClosedLoop($0) })
    case "preset": return preset(item, at: instant, id: id)
    case "exercise": return exercise(field, at: instant, id: id)
    case "settings": return event(.changeSettings(Self.settingsChange(field)))
    case "delete": return event(deletion(field).map { .delete($0) })
    case "healthStore": return healthStore(field, at: instant, id: id)
    case "pump": return event(pumpService(field).map { .pump($0) })
    case "cgm": return event(sensorService(field).map { .sensor($0) })
    case "fingerstick": return event(fingerstick(field))
    case "timeZone":
      return event(.travel(travelClock(), pumpFollows: item.standard("pumpFollows") { $0.bool() }))
    case "remote": return remote(field, at: instant, id: id)
    case "remark": return event(field.text().map { .remark($0) })
    case "clockSet": return event(clockSetting(field).map { .setPhoneClock($0) })
    case "phone": return phone(field, at: instant, id: id)
    case "sickness", "insulinResistance": return resistance(field, at: instant, id: id)
    case "illness", "stress", "shortNight": return varying(field, kind, at: instant, id: id)
    default: return []
    }
  }

  /// Checks an object that says all by being there: `{}` or `true`.
  func says(_ field: Field) -> Bool {
    if field.node?.bool == true { return true }
    guard field.node?.members != nil else {
      field.reportUnusable(expected: "{} or true")
      return false
    }
    field.allowOnly([])
    return true
  }

  private func tempBasal(_ field: Field) -> WorldEvent.Action? {
    field.allowOnly(["rate", "duration", "cancel"])
    if field["cancel"].exists { return .cancelTempBasal }
    guard let rate = field.required("rate").rate() else { return nil }
    if let maximum = root["therapy"]["maxBasal"].rate(), rate > maximum {
      field["rate"].error(
        "A temp basal of \(rate) is above the maximum basal rate of \(maximum). Lower it, or raise "
          + "\"therapy.maxBasal\".")
      return nil
    }
    guard let duration = field.required("duration").duration() else {
      return nil
    }
    return .tempBasal(rate, duration: duration)
  }

  private func suspend(_ field: Field, at instant: Instant, id: String) -> [WorldEvent] {
    var events = [WorldEvent(at: instant, id: id, .suspend)]
    if field.node?.bool == true { return events }
    guard field.node?.members != nil else {
      field.reportUnusable(expected: "{} or { duration: '30m' }")
      return []
    }
    field.allowOnly(["duration"])
    if field["duration"].exists {
      guard let duration = field["duration"].duration() else {
        return []
      }
      events.append(WorldEvent(at: instant + duration, id: id, .resume))
    }
    return events
  }

  private func deletion(_ field: Field) -> DeletionRequest? {
    field.allowOnly(["from", "match"])
    let match = field["match"]
    match.allowOnly(["kind", "last", "between", "id", "all"])
    guard let place = field.required("from").choice(DeletionRequest.Place.self) else { return nil }
    let kind = match["kind"].exists ? match["kind"].choice(DeletionRequest.Kind.self) : .any
    guard let kind else { return nil }
    var request = DeletionRequest(place: place, kind: kind)
    request.id = match["id"].text()
    if match["all"].bool() != true, request.id == nil { request.last = 1 }
    if match["last"].exists {
      guard let last = match["last"].integer() else { return nil }
      request.last = Int(last)
    }
    if match["between"].exists {
      guard let window = match["between"].window() else { return nil }
      request.from = window.lowerBound
      request.through = window.upperBound
      if !match["last"].exists { request.last = nil }
    }
    return request
  }

  private func fingerstick(_ field: Field) -> WorldEvent.Action? {
    field.allowOnly(["value", "error", "entry"])
    let value = field["value"].glucose()
    let error = field.standard("error") { $0.number() }
    let log: FingerstickRequest.Log?
    if field["entry"].node?.string != nil {
      log = field["entry"].choice(FingerstickRequest.Log.self)
    } else {
      log = field.standard("entry") { $0.bool() } ? .meter : FingerstickRequest.Log.none
    }
    return log.map {
      .fingerstick(FingerstickRequest(value: value, relativeError: error / 100, log: $0))
    }
  }

  /// How far the phone's clock is set, or to what.
  private func clockSetting(_ field: Field) -> PhoneClockSetting? {
    switch field.node?.string.flatMap({ TimeText($0) }) {
    case .civil, .absolute: return field.time().map { .to($0) }
    default: return field.duration().map { .by($0) }
    }
  }

  private func phone(_ field: Field, at instant: Instant, id: String) -> [WorldEvent] {
    switch field.choice(of: ["reboot", "off", "on", "reinstall", "bluetoothOff"]) {
    case "reboot":
      return [
        WorldEvent(at: instant, id: id, .setPhone(.off)),
        WorldEvent(at: instant + .minutes(2), id: id, .setPhone(.on)),
      ]
    case "off": return [WorldEvent(at: instant, id: id, .setPhone(.off))]
    case "on": return [WorldEvent(at: instant, id: id, .setPhone(.on))]
    case "bluetoothOff": return [WorldEvent(at: instant, id: id, .setPhone(.bluetoothOff))]
    case "reinstall": return [WorldEvent(at: instant, id: id, .reinstallApp)]
    default: return []
    }
  }
}
