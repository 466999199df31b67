internal import Determinism
internal import Devices
internal import Quantities
internal import Simulation
internal import StructuredText

extension RunBuilder {
  /// The components that a fault may concern.
  static let faultComponents = ["cgm", "pump", "app", "healthStore", "phone"]

  /// The name of a fault: its id, or its component with its place.
  static func faultID(of node: JSONNode, component: String, at place: Int) -> String {
    node["id"]?.string ?? "\(component)-fault-\(place + 1)"
  }

  /// Reads the list `faults`: each begins and ends with an event of its own.
  func faults() -> [WorldEvent] {
    guard root["faults"].exists, let items = root["faults"].items() else { return [] }
    var events: [WorldEvent] = []
    for (index, item) in items.enumerated() {
      item.allowOnly(
        ["id", "at", "during", "every", "probability"] + Self.faultComponents + ["user"])
      // What the person does wrong changes events and is read with them.
      if item["user"].exists { continue }
      let components = Self.faultComponents.filter { item[$0].exists }
      guard components.count == 1, let component = components.first else {
        item.error(
          "A fault concerns one of: \((Self.faultComponents + ["user"]).joined(separator: ", ")).")
        continue
      }
      guard let node = item.node else { continue }
      let id = Self.faultID(of: node, component: component, at: index)
      guard let effect = effect(of: component, item[component]) else { continue }
      for (count, span) in spans(item, effect: effect, id: id).enumerated() {
        let name = count == 0 ? id : "\(id)#\(count + 1)"
        events.append(WorldEvent(at: span.start, id: name, .beginFault(Fault(id: name, effect))))
        if let end = span.end {
          events.append(WorldEvent(at: end, id: name, .endFault(id: name)))
        }
      }
    }
    return events
  }

  // MARK: - When

  func spans(
    _ item: Field, effect: Fault.Effect, id: String
  ) -> [(start: Instant, end: Instant?)] {
    let ways = ["at", "during", "every"].filter { item[$0].exists }
    guard ways.count == 1 else {
      item.error("Say when the fault happens, in one of these ways: at, during or every.")
      return []
    }
    var stream = RandomStream(seed: seed, name: "faults.\(id)")
    let probability = item.standard("probability") { $0.number(in: 0...1) }
    func happens() -> Bool { probability >= 1 || stream.unit() < probability }
    if item["during"].exists {
      guard let window = item["during"].during() else { return [] }
      guard window.upperBound > root.context.start - root.context.preRoll,
        window.lowerBound < root.context.end
      else {
        item["during"].error("The fault lies outside the run.")
        return []
      }
      return happens() ? [(window.lowerBound, window.upperBound)] : []
    }
    if item["at"].exists {
      return times(item["at"]).filter { _ in happens() }.map { ($0, defaultEnd(of: effect, $0)) }
    }
    return arrivals(item["every"], &stream).filter { _ in happens() }.map {
      ($0, defaultEnd(of: effect, $0))
    }
  }

  /// Poisson arrivals: waits with an exponential law around `mean`.
  private func arrivals(_ field: Field, _ stream: inout RandomStream) -> [Instant] {
    field.allowOnly(["mean", "count"])
    guard let mean = field.required("mean").duration(in: .minutes(1)...(.days(365))) else {
      return []
    }
    let most = field["count"].integer(in: 1...100_000) ?? 100_000
    var instants: [Instant] = []
    var now = root.context.start
    while instants.count < Int(most) {
      let wait = -PortableMath.log(1 - stream.unit()) * mean.seconds
      now += TimeSpan(roundingSeconds: max(1, wait)) ?? mean
      guard now < root.context.end else { break }
      instants.append(now)
    }
    return instants
  }

  /// Faults that are over at once need no end; others last ten minutes unless the file says more.
  private func defaultEnd(of effect: Fault.Effect, _ start: Instant) -> Instant? {
    switch effect {
    case .pump(.airBubble), .pump(.unrequested), .pump(.empty), .pump(.alarm), .sensor(.spike),
      .pump(.clockError), .healthStore(.wipe):
      nil
    default: start + .minutes(10)
    }
  }

  // MARK: - What

  func effect(of component: String, _ field: Field) -> Fault.Effect? {
    guard let members = field.members(), members.count == 1, let member = members.first else {
      field.error("A fault has one kind, such as { dropout: {} }.")
      return nil
    }
    switch component {
    case "cgm": return sensorFault(member.key, member.field).map { .sensor($0) }
    case "pump": return pumpFault(member.key, member.field).map { .pump($0) }
    case "app": return appFault(member.key, member.field).map { .app($0) }
    case "healthStore": return storeFault(member.key, member.field).map { .healthStore($0) }
    default: return phoneFault(member.key, member.field).map { .phone($0) }
    }
  }

  /// Reports a kind of fault that does not exist or cannot be simulated.
  func unknown(_ kind: String, among known: [String], _ field: Field) {
    field.error(
      "\"\(kind)\" is not a fault that can be simulated here."
        + NearestName.suggestion(for: kind, among: known)
        + " The kinds are: \(known.joined(separator: ", ")).")
  }

  private func appFault(_ kind: String, _ field: Field) -> AppFault? {
    field.allowOnly([])
    switch kind {
    case "skipLoops": return .skipLoops
    case "doubleRun": return .doubleRun
    case "crash": return .crash
    default:
      unknown(kind, among: ["skipLoops", "doubleRun", "crash"], field)
      return nil
    }
  }

  private func storeFault(_ kind: String, _ field: Field) -> HealthStoreFault? {
    field.allowOnly([])
    switch kind {
    case "writeFail": return .writeFails
    case "readDenied": return .readDenied
    case "wipe": return .wipe
    default:
      unknown(kind, among: ["writeFail", "readDenied", "wipe"], field)
      return nil
    }
  }

  private func phoneFault(_ kind: String, _ field: Field) -> PhoneState? {
    field.allowOnly([])
    switch kind {
    case "off": return .off
    case "bluetoothOff": return .bluetoothOff
    case "backgroundKilled": return .backgroundKilled
    default:
      unknown(kind, among: ["off", "bluetoothOff", "backgroundKilled"], field)
      return nil
    }
  }
}
