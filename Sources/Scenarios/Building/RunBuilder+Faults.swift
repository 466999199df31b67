internal import Determinism
internal import Devices
internal import Quantities
internal import ScenarioLanguage
internal import Simulation
internal import StructuredText

extension RunBuilder {
  /// The names of the faults of a list: the id, or component and kind such as `cgm.dropout`, and
  /// `cgm.dropout-2` for the second without an id.
  static func faultIDs(of faults: [JSONNode]) -> [String] {
    var counts: [String: Int] = [:]
    return faults.map { fault in
      if let id = fault[FaultKeys.shared.id.name]?.string { return id }
      let component = ScenarioSchema.fault.kinds.first { fault[$0.name] != nil }?.name ?? "fault"
      let kind = fault[component]?.members?.first.map { ".\($0.key)" } ?? ""
      let name = component + kind
      let count = (counts[name] ?? 0) + 1
      counts[name] = count
      return count == 1 ? name : "\(name)-\(count)"
    }
  }

  /// Reads the list `faults`: each begins and ends with an event of its own.
  func faults() -> [ScenarioEvent] {
    guard root["faults"].exists, let items = root["faults"].items() else { return [] }
    var events: [ScenarioEvent] = []
    let ids = Self.faultIDs(of: root["faults"].node?.items ?? [])
    for (index, item) in items.enumerated() {
      item.allowOnly(ScenarioSchema.fault.names)
      // What the person does wrong changes events and is read with them.
      if item[UserFaultSpec.schema.name].exists { continue }
      let components = FaultComponent.all.filter { item[$0.name].exists }
      guard components.count == 1, let component = components.first else {
        item.reportMisshapen(ScenarioSchema.fault)
        continue
      }
      let id = ids[index]
      guard let fault = component.form.read(item[component.name]) else { continue }
      if !hasApp, fault.effect.needOfApp != nil { continue }
      for (count, span) in spans(item, length: fault.length, id: id).enumerated() {
        let name = count == 0 ? id : "\(id)#\(count + 1)"
        events.append(
          ScenarioEvent(at: span.start, id: name, .beginFault(Fault(id: name, fault.effect))))
        if let end = span.end {
          events.append(ScenarioEvent(at: end, id: name, .endFault(id: name)))
        }
      }
    }
    return events
  }

  // MARK: - When

  func spans(
    _ item: Field, length: FaultLength, id: String
  ) -> [(start: Instant, end: Instant?)] {
    let keys = FaultKeys.shared
    guard keys.ways.count(where: { item[$0].exists }) == 1 else {
      FaultRules(fault: item).checkTime()
      return []
    }
    var stream = RandomStream(seed: seed, name: "faults.\(id)")
    let probability = item[keys.probability]
    func happens() -> Bool { probability >= 1 || stream.unit() < probability }
    if item[keys.during.name].exists {
      guard let window = item[keys.during] else { return [] }
      guard window.upperBound > root.context.start - root.context.preRoll,
        window.lowerBound < root.context.end
      else {
        item[keys.during.name].error("The fault lies outside the run.")
        return []
      }
      return happens() ? [(window.lowerBound, window.upperBound)] : []
    }
    // Lengths have a stream of their own, so that drawing them moves no arrival.
    var lengths = RandomStream(seed: seed, name: "faults.\(id).duration")
    let starts =
      item[keys.at].map { times($0, stream: "faults.\(id).at") }
      ?? item[keys.every].map { arrivals($0, &stream) } ?? []
    return starts.filter { _ in happens() }.map { ($0, end(of: length, $0, &lengths)) }
  }

  /// Poisson arrivals: waits with an exponential law around `mean`.
  private func arrivals(
    _ arrivals: FaultKeys.Arrivals, _ stream: inout RandomStream
  ) -> [Instant] {
    var instants: [Instant] = []
    var now = root.context.start
    while instants.count < arrivals.count ?? 100_000 {
      let wait = -PortableMath.log(1 - stream.unit()) * arrivals.mean.seconds
      now += TimeSpan(roundingSeconds: max(1, wait)) ?? arrivals.mean
      guard now < root.context.end else { break }
      instants.append(now)
    }
    return instants
  }

  private func end(
    of length: FaultLength, _ start: Instant, _ stream: inout RandomStream
  ) -> Instant? {
    switch length {
    case .open: return nil
    case .drawn(let range):
      let width = range.upperBound - range.lowerBound
      guard width > .zero else { return start + range.lowerBound }
      return start + range.lowerBound + .seconds(Int64((width.seconds * stream.unit()).rounded()))
    case .until(let field):
      guard let end = field.anchored(at: start).time() else { return nil }
      guard end > start else {
        field.error("A fault ends after it begins.")
        return nil
      }
      return end
    }
  }
}
