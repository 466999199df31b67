internal import ClosedLoop
internal import Devices
internal import Quantities
internal import ScenarioLanguage
internal import Simulation
internal import StructuredText

/// What a person does to the devices.
enum DeviceEvents {
  /// The pump and the sensor.
  static let kinds: [EventKind] = [
    EventKind("pump", "What a person does to the pump.", .event { pump(&$0) }),
    EventKind("cgm", "What a person does to the sensor.", .event { sensor(&$0) }),
  ]

  private static func pump(_ keys: inout Keys) -> ObjectMaker {
    let replace = keys.optional(
      "replace",
      .object {
        let reservoir = $0.optional(
          "reservoir", .units(0...1_000), else: "full", "What the new one holds.")
        return { PumpService.replaceReservoir($0[reservoir]) }
      }, "A new pump or pod; a pod that was taken off is replaced by one that is put on.")
    let remove = keys.optional("remove", .mark, "It is taken off the body and runs on.")
    let attach = keys.optional("attach", .mark, "It is put on again.")
    let prime = keys.optional("prime", .units(0...50), "The set is primed with so much.")
    let refill = keys.optional(
      "refill", .units(0...1_000),
      "A reservoir with so much is put in, which a pump whose battery is empty does not take; of a "
        + "pod, the next one, which holds so much.")
    let setTime = keys.optional("setTime", .mark, "Its clock is set to the phone's.")
    let clearAlarm = keys.optional(
      "clearAlarm", .mark,
      "Its alarm is acknowledged. A pump that has expired, or whose battery is empty, stays "
        + "stopped.")
    return { field, on in
      let service: PumpService? =
        field[replace] ?? field[refill].map { .replaceReservoir($0, keepsPump: true) }
        ?? field[prime].map { .prime($0) }
      let marked: [(Key<Bool?>, PumpService)] = [
        (remove, .remove), (attach, .attach), (clearAlarm, .clearAlarm), (setTime, .setTime),
      ]
      if let service = service ?? marked.first(where: { field[$0.0] == true })?.1 {
        return [on.event(.pump(service))]
      }
      if field.node?.statedMembers?.isEmpty == true {
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
}
