internal import Devices
internal import Quantities
internal import ScenarioLanguage
internal import Simulation
internal import StructuredText

/// Reads the list `faults`: each begins and ends with an event of its own.
///
/// What the person does wrong changes events and is read with them; see ``Slip``.
struct FaultReader {
  private let root: Field
  private let times: FaultTimes

  /// A reader of the faults of a scenario, of a run with that seed.
  init(root: Field, seed: UInt64) {
    self.root = root
    times = FaultTimes(in: root.context, seed: seed)
  }

  /// The beginnings and ends of all faults, in the order of the file.
  func events() -> [ScenarioEvent] {
    guard root["faults"].exists, let items = root["faults"].items() else { return [] }
    let ids = FaultKeys.names(of: root["faults"].node?.items ?? [])
    var names = TakenNames(noun: "fault")
    let drift = root["pump"]["clockDrift"]
    if let perDay = drift.reporting(to: ProblemList()).durationPerDay(in: PumpFault.clockDrifts),
      perDay != .zero
    {
      names.take([PumpChoice.driftName], by: drift)
    }
    return items.enumerated().flatMap { place, item in events(of: item, id: ids[place], &names) }
  }

  private func events(of item: Field, id: String, _ names: inout TakenNames) -> [ScenarioEvent] {
    item.allowOnly(ScenarioSchema.fault.names)
    if item[UserFaultSpec.schema.name].exists {
      names.take([id], by: item)
      return []
    }
    let components = FaultComponent.all.filter { item[$0.name].exists }
    guard components.count == 1, let component = components.first else {
      item.reportMisshapen(ScenarioSchema.fault)
      return []
    }
    guard let fault = component.form.read(item[component.name]) else { return [] }
    if !root.hasApp, fault.effect.needOfApp != nil { return [] }
    var events: [ScenarioEvent] = []
    let spans = times.spans(of: item, length: fault.length, id: id)
    let own = spans.indices.map { $0 == 0 ? id : OccurrenceName.numbered(id, $0 + 1) }
    names.take(own, by: item)
    for (name, span) in zip(own, spans) {
      events.append(
        ScenarioEvent(at: span.start, id: name, .beginFault(Fault(id: name, fault.effect))))
      if let end = span.end {
        events.append(ScenarioEvent(at: end, id: name, .endFault(id: name)))
      }
    }
    return events
  }
}
