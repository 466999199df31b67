internal import Devices
internal import Quantities
internal import StructuredText

extension RunBuilder {
  static let sensorFaultKinds = [
    "dropout", "delay", "noise", "bias", "drift", "compression", "spike", "stuck", "timestamp",
    "warmUp", "expire", "fail", "unreliable",
  ]

  /// A fault of the CGM.
  func sensorFault(_ kind: String, _ field: Field) -> SensorFault? {
    func number(_ key: String) -> Double { field.standard(key) { $0.number() } }
    func span(_ key: String) -> TimeSpan { field.standard(key) { $0.duration() } }
    switch kind {
    case "dropout":
      field.allowOnly(["duration", "backfill"])
      return .dropout(backfill: field.standard("backfill") { $0.bool() })
    case "delay":
      field.allowOnly(["duration", "by"])
      return field.required("by").duration().map { .delay(by: $0) }
    case "noise":
      field.allowOnly(["duration", "sdScale", "sd", "phi"])
      return .noise(
        scale: number("sdScale"), standardDeviation: number("sd"), φ: number("phi"))
    case "bias":
      field.allowOnly(["duration", "gain", "offset"])
      return .bias(gain: number("gain"), offset: number("offset"))
    case "drift":
      field.allowOnly(["duration", "gainPerDay", "offsetPerDay"])
      return .drift(
        gainPerDay: number("gainPerDay"), offsetPerDay: number("offsetPerDay"))
    case "compression":
      field.allowOnly(["duration", "depth", "rise", "fall"])
      return .compression(
        depth: number("depth"), rise: span("rise"), fall: span("fall"))
    case "spike":
      field.allowOnly(["duration", "delta", "samples"])
      return .spike(
        delta: number("delta"),
        samples: Int(field.standard("samples") { $0.integer() }))
    case "stuck":
      field.allowOnly(["duration", "value"])
      return .stuck(field["value"].exists ? field["value"].glucose() : nil)
    case "timestamp":
      field.allowOnly(["duration", "shift", "duplicate"])
      return .timestamp(
        shift: field.standard("shift") { $0.duration() },
        duplicate: field.standard("duplicate") { $0.bool() })
    case "warmUp", "expire", "fail", "unreliable":
      field.allowOnly(["duration"])
      return kind == "warmUp"
        ? .warmUp : kind == "expire" ? .expire : kind == "fail" ? .fail : .unreliable
    default:
      unknown(kind, of: "cgm", field)
      return nil
    }
  }

  static let pumpFaultKinds = [
    "occlusion", "leak", "siteFailure", "scale", "scatter", "airBubble", "empty", "lowBattery",
    "batteryDepleted", "error", "commLoss", "reject", "uncertainDelivery", "dropPulses",
    "unrequested", "clockDrift", "clockError", "alarm", "wrongPump",
  ]

  /// A fault of the pump, its tubing, its site or its radio.
  func pumpFault(_ kind: String, _ field: Field) -> PumpFault? {
    func share(_ key: String) -> Double { field.standard(key) { $0.number() } }
    switch kind {
    case "occlusion": return occlusion(field)
    case "leak":
      field.allowOnly(["duration", "fraction"])
      return .leak(fraction: share("fraction"))
    case "siteFailure":
      field.allowOnly(["duration", "fraction", "tau"])
      return .siteFailure(
        fraction: share("fraction"),
        timeConstant: field.standard("tau") { $0.duration() })
    case "scale":
      field.allowOnly(["duration", "basal", "bolus"])
      return .scale(
        basal: field.standard("basal") { $0.number() },
        bolus: field.standard("bolus") { $0.number() })
    case "scatter":
      field.allowOnly(["duration", "sd"])
      return .scatter(deviation: field.standard("sd") { $0.number() })
    case "airBubble":
      field.allowOnly(["duration", "units"])
      return field.required("units").units().map { .airBubble($0) }
    case "unrequested":
      field.allowOnly(["duration", "units"])
      return field.required("units").units().map { .unrequested($0) }
    case "dropPulses":
      field.allowOnly(["duration", "onTempBasal"])
      if !field.standard("onTempBasal", { $0.bool() }) {
        field["onTempBasal"].error("A pump forgets pulses at new temp basals only. Write true.")
      }
      return .dropPulses
    case "empty", "lowBattery", "batteryDepleted", "error":
      field.allowOnly(["duration"])
      return kind == "empty"
        ? .empty
        : kind == "lowBattery"
          ? .alarm(.lowBattery)
          : kind == "batteryDepleted"
            ? .alarm(.batteryDepleted)
            : .alarm(.failure)
    case "alarm":
      field.allowOnly(["duration", "name"])
      let word = field.standard("name") { $0.choice(of: Self.alarms.map(\.0)) }
      return Self.alarms.first { $0.0 == word }.map { .alarm($0.1) }
    case "commLoss": return communicationLoss(field)
    case "reject":
      field.allowOnly(["duration", "what"])
      let names = (field.required("what").itemsOrOne() ?? []).compactMap {
        $0.choice(PumpCommand.Name.self)
      }
      return names.isEmpty ? nil : .reject(Set(names))
    case "uncertainDelivery": return uncertain(field)
    case "clockDrift":
      field.allowOnly(["duration", "perDay"])
      return field.required("perDay").duration().map { .clockDrift(perDay: $0) }
    case "clockError":
      field.allowOnly(["duration", "by"])
      return field.required("by").duration().map { .clockError($0) }
    default:
      unknown(kind, of: "pump", field)
      return nil
    }
  }

  /// The alarms by name.
  static let alarms: [(String, PumpAlarm)] = [
    ("failure", .failure), ("occlusion", .occlusion), ("reservoirEmpty", .reservoirEmpty),
    ("batteryDepleted", .batteryDepleted), ("lowBattery", .lowBattery), ("expired", .expired),
    ("autoOff", .autoOff),
  ]

  private func occlusion(_ field: Field) -> PumpFault? {
    field.allowOnly([
      "duration", "deliveredFraction", "leak", "backlog", "alarmAfter", "missedUnits",
    ])
    var occlusion = Occlusion(
      deliveredFraction: field.standard("deliveredFraction") { $0.number() },
      leakedFraction: field.standard("leak") { $0.number() })
    if field["alarmAfter"].exists {
      guard let span = field["alarmAfter"].duration() else {
        return nil
      }
      occlusion.detection = .after(span)
    } else if let missed = field["missedUnits"].units() {
      occlusion.detection = .heldBack(missed)
    }
    if field.standard("backlog", { $0.choice(of: ["lost", "released"]) }) == "released" {
      occlusion.releasedFraction = 1
    }
    return .occlusion(occlusion)
  }

  private func communicationLoss(_ field: Field) -> PumpFault? {
    field.allowOnly(["duration", "commands", "history", "latency"])
    var loss = CommunicationLoss()
    if field.standard("commands", { $0.choice(of: ["fail", "late"]) }) == "late" {
      loss.commands = .late(
        field.standard("latency") { $0.duration() })
    }
    if field.standard("history", { $0.choice(of: ["none", "late"]) }) == "none" {
      loss.history = .none
    }
    return .communicationLoss(loss)
  }

  private func uncertain(_ field: Field) -> PumpFault? {
    field.allowOnly(["duration", "trulyDelivered", "reported", "resolveAfter"])
    var uncertain = UncertainDelivery(
      trulyDelivered: field.standard("trulyDelivered") { $0.number() })
    uncertain.reported = field.standard("reported") { $0.choice(UncertainDelivery.Reported.self) }
    uncertain.resolveAfter = field.standard("resolveAfter") { $0.duration() }
    return .uncertainDelivery(uncertain)
  }
}
