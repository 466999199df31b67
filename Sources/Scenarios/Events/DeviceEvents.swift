internal import ClosedLoop
internal import Devices
internal import Quantities
internal import ScenarioLanguage
internal import Simulation
internal import StructuredText

extension EventKind {
  private typealias ObjectMaker =
    @Sendable (Field, Occasion) throws(UnusableKey) -> [ScenarioEvent]

  /// What a person does to the devices.
  static let deviceKinds = [
    Self("pump", "What a person does to the pump.", .event { pump(&$0) }),
    Self("cgm", "What a person does to the sensor.", .event { sensor(&$0) }),
  ]

  private static func pump(_ keys: inout Keys) -> ObjectMaker {
    let replace = keys.optional(
      "replace",
      .object {
        let reservoir = $0.optional(
          "reservoir", .units(0...1_000), else: "full", "What the new one holds.")
        return { PumpService.replaceReservoir($0[reservoir]) }
      }, "A new pump or pod.")
    let remove = keys.optional("remove", .mark, "It is taken off the body and runs on.")
    let attach = keys.optional("attach", .mark, "It is put on again.")
    let prime = keys.optional("prime", .units(0...50), "The set is primed with so much.")
    let refill = keys.optional(
      "refill", .units(0...1_000), "A reservoir with so much is put in.")
    let setTime = keys.optional("setTime", .mark, "Its clock is set to the phone's.")
    let clearAlarm = keys.optional("clearAlarm", .mark, "Its alarm is acknowledged.")
    return { field, on in
      let service: PumpService? =
        field[replace] ?? field[refill].map { .replaceReservoir($0) }
        ?? field[prime].map { .prime($0) }
      let marked: [(Key<Bool?>, PumpService)] = [
        (remove, .remove), (attach, .attach), (clearAlarm, .clearAlarm), (setTime, .setTime),
      ]
      if let service = service ?? marked.first(where: { field[$0.0] == true })?.1 {
        return [on.event(.pump(service))]
      }
      if field.node?.members?.isEmpty == true {
        field.error(
          "Say what is done: replace, remove, attach, prime, refill, clearAlarm or setTime.")
      }
      return []
    }
  }

  private static func sensor(_ keys: inout Keys) -> ObjectMaker {
    let replace = keys.optional("replace", .mark, "A new sensor, with its warm-up.")
    let calibrate = keys.optional(
      "calibrate", .glucose(20...600), "A calibration with this value.")
    let stop = keys.optional("stop", .mark, "The sensor is stopped.")
    return { field, on in
      if field[replace] == true { return [on.event(.sensor(.replace))] }
      if field[stop] == true { return [on.event(.sensor(.stop))] }
      if let value = field[calibrate] { return [on.event(.sensor(.calibrate(value)))] }
      if !field[calibrate.name].exists {
        field.error("Say what is done: replace, calibrate or stop.")
      }
      return []
    }
  }

  // MARK: - Phone

  /// What happens to the phone and its clock, and what comes to it from afar.
  static let phoneKinds: [Self] = [
    Self(
      "timeZone", "The phone changes its zone.",
      beside: {
        $0.key("pumpFollows", .bool, default: "false", "Whether the pump's clock is set too.")
      }
    ) { follows in
      Form.zone.happens { _, on in
        [on.event(.travel(on.travel, pumpFollows: on.item[follows]))]
      }
    },
    Self(
      "remote", "A carer sends a command to the app from afar; `at` is when it is sent.", remote),
    Self(
      "clockSet", "The phone's clock is set by hand: how far, or to what.",
      clockSetting.does { .setPhoneClock($0) }),
    Self(
      "phone", "What happens to the phone and the app on it.",
      Form<@Sendable (Occasion) -> [ScenarioEvent]>.words([
        (
          "reboot",
          { [$0.event(.setPhone(.off)), $0.event(.setPhone(.on), at: $0.instant + .minutes(2))] }
        ),
        ("off", { [$0.event(.setPhone(.off))] }), ("on", { [$0.event(.setPhone(.on))] }),
        ("reinstall", { [$0.event(.reinstallApp)] }),
        ("bluetoothOff", { [$0.event(.setPhone(.bluetoothOff))] }),
      ]).happens { $0($1) }),
  ]

  /// How far the phone's clock is set, or to what.
  private static let clockSetting: Form<PhoneClockSetting> = {
    let shift = Form.duration(.days(-30)...(.days(30)))
    return Form(.either([shift.shape, .dateTime])) { field in
      switch field.node?.string.flatMap({ TimeText($0) }) {
      case .civil, .absolute: field.time().map { .to($0) }
      default: shift.read(field).map { .by($0) }
      }
    }
  }()

  // MARK: - Remote commands

  /// A command as Nightscout and LoopFollow send it, as it arrives at the phone.
  private static let remote: Form<EventMaker> = {
    var common = Keys()
    let delay = common.key(
      "delay", .duration(.zero...(.hours(1))), default: "'5s'",
      "How long it is on its way to the phone.")
    let expires = common.key(
      "expires", .duration(.seconds(1)...(.days(1))), default: "'5m'",
      "The age above which the app refuses it; five minutes in Nightscout.")
    let isValid = common.key(
      "code", .words([("valid", true), ("wrong", false)]), default: "'valid'",
      "The one-time code, which boluses and carbohydrates need.")
    let commands = [remoteBolus, remoteCarbs, remotePreset]
    let shape = ObjectShape(
      common.all, kinds: commands.map(\.schema), noun: "a remote command")
    let names = shape.names + shape.kinds.flatMap { $0.companions.map(\.name) }
    return Form(.object(shape)) { field in
      guard field.object(allowed: names) != nil else { return nil }
      let found = commands.filter { field[$0.schema.name].exists }
      guard found.count == 1, let command = found.first else {
        let kinds = shape.kinds.map(\.name).joined(separator: ", ")
        field.error("A remote command is one of: \(kinds).")
        return nil
      }
      return { on in
        let arrival = on.instant + field[delay]
        guard let action = command.action(field, arrival, on) else { return [] }
        let request = RemoteRequest(
          action, name: on.id, sentAt: on.instant, expiresAt: on.instant + field[expires],
          hasValidCode: field[isValid])
        return [on.event(.remote(request), at: arrival)]
      }
    }
  }()

  private struct RemoteKind: Sendable {
    var schema: SchemaKey
    var action: @Sendable (Field, _ arrival: Instant, Occasion) -> RemoteRequest.Action?
  }

  private static let remoteBolus: RemoteKind = {
    var keys = Keys()
    let bolus = keys.optional(
      "bolus", .units(0...100), "A bolus; one above the largest bolus is refused, not cut.")
    return RemoteKind(schema: keys.all[0]) { field, _, _ in
      field[bolus].map { .bolus(units: $0.units) }
    }
  }()

  private static let remoteCarbs: RemoteKind = {
    var (keys, beside) = (Keys(), Keys())
    let carbs = keys.optional("carbs", .grams, "A carb entry.")
    let absorption = beside.key(
      "absorption", .absorption, default: "'3h'", "The absorption time.")
    let eatenAt = beside.optional(
      "eatenAt", Form.time.anchored, else: "when it arrives", "The time of eating.")
    return RemoteKind(schema: keys.all[0].with(beside.all)) { field, arrival, on in
      field[carbs].map {
        .carbs(
          CarbEntryRequest(
            name: on.id, grams: $0.grams, absorption: field[absorption],
            eatenAt: field[eatenAt] ?? arrival))
      }
    }
  }()

  private static let remotePreset: RemoteKind = {
    var (keys, beside) = (Keys(), Keys())
    let override = keys.optional(
      "override",
      .either(
        Form.text.map { name, _ in .some(name) },
        Form.only(false).map { _, _ in .some(String?.none) }),
      "A preset of `therapy.presets` by name, or `false` to end the one that runs.")
    let duration = beside.optional(
      "duration", .duration(.zero...(.days(30))), else: "without end",
      "How long it runs; more than 24 hours are refused, and `'0s'` is without end.")
    return RemoteKind(schema: keys.all[0].with(beside.all)) { field, _, on in
      guard let chosen = field[override] else { return nil }
      guard let name = chosen else { return .endPreset }
      let presets = on.root["therapy"]["presets"]
      guard presets.node?[name] != nil,
        var preset = PresetRequest.preset(presets[name], named: name)
      else { return .preset(name, nil) }
      preset.duration = field[duration] == .zero ? nil : field[duration]
      return .preset(name, preset)
    }
  }()
}
