internal import ClosedLoop
internal import Devices
internal import Quantities
internal import ScenarioLanguage
internal import Simulation
internal import StructuredText

/// What a carer asks of the app from afar.
enum RemoteCommands {
  /// A command as Nightscout and LoopFollow send it, as it arrives at the phone.
  static let form: Form<EventMaker> = {
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
        let end = on.root.context.end
        if arrival > end {
          let clock = on.root.context.wallClock
          field.warnOfNoEffect(
            "This command never comes: it arrives at \(clock.iso8601(arrival)), after the end of "
              + "the run at \(clock.iso8601(end)).")
        }
        guard let action = command.action(field, arrival, on) else { return [] }
        let request = RemoteRequest(
          action, name: on.id, sentAt: on.instant, expiresAt: on.instant + field[expires],
          hasValidCode: field[isValid], isEatenOnArrival: !field["eatenAt"].exists)
        let command = on.event(.remote(request), at: arrival)
        // A condition is looked at where an event begins, and the carer decides when it is sent.
        guard on.item[EventKeys.shared.condition.name].exists, arrival > on.instant else {
          return [command]
        }
        return [on.event(.remark("The carer sends the command.")), command]
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
      "eatenAt", .time, else: "when it arrives", "The time of eating.")
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
