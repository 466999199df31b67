internal import Determinism
internal import Devices
internal import Quantities
internal import Simulation
internal import StructuredText

/// What a fault does, and how long by itself.
struct PlannedFault {
  var effect: Fault.Effect
  var length: FaultLength

  init(_ effect: Fault.Effect, _ length: FaultLength = .standard) {
    self.effect = effect
    self.length = length
  }
}

/// How long a fault lasts whose time is a moment.
enum FaultLength {
  /// Ten minutes.
  case standard
  /// Until the run ends, something puts it right, or it is over at once.
  case open
  /// A span, drawn for each occurrence where the bounds differ.
  case drawn(ClosedRange<TimeSpan>)
  /// Until a time that counts from the beginning of the fault.
  case until(Field)
}

extension RunBuilder {
  /// The components that a fault may concern.
  static let faultComponents = ["cgm", "pump", "app", "healthStore", "phone"]
  /// How long a fault lasts that says nothing of it.
  static let standardFaultLength = TimeSpan.minutes(10)

  /// The names of the faults of a list: the id, or component and kind such as `cgm.dropout`, and
  /// `cgm.dropout-2` for the second without an id.
  static func faultIDs(of faults: [JSONNode]) -> [String] {
    var counts: [String: Int] = [:]
    return faults.map { fault in
      if let id = fault["id"]?.string { return id }
      let component = (faultComponents + ["user"]).first { fault[$0] != nil } ?? "fault"
      let kind = fault[component]?.members?.first.map { ".\($0.key)" } ?? ""
      let name = component + kind
      let count = (counts[name] ?? 0) + 1
      counts[name] = count
      return count == 1 ? name : "\(name)-\(count)"
    }
  }

  /// Reads the list `faults`: each begins and ends with an event of its own.
  func faults() -> [WorldEvent] {
    guard root["faults"].exists, let items = root["faults"].items() else { return [] }
    var events: [WorldEvent] = []
    let ids = Self.faultIDs(of: root["faults"].node?.items ?? [])
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
      let id = ids[index]
      guard let fault = fault(of: component, item[component]) else { continue }
      for (count, span) in spans(item, length: fault.length, id: id).enumerated() {
        let name = count == 0 ? id : "\(id)#\(count + 1)"
        events.append(
          WorldEvent(at: span.start, id: name, .beginFault(Fault(id: name, fault.effect))))
        if let end = span.end {
          events.append(WorldEvent(at: end, id: name, .endFault(id: name)))
        }
      }
    }
    return events
  }

  // MARK: - When

  func spans(
    _ item: Field, length: FaultLength, id: String
  ) -> [(start: Instant, end: Instant?)] {
    let ways = ["at", "during", "every"].filter { item[$0].exists }
    guard ways.count == 1 else {
      item.error("Say when the fault happens, in one of these ways: at, during or every.")
      return []
    }
    var stream = RandomStream(seed: seed, name: "faults.\(id)")
    let probability = item.standard("probability") { $0.number() }
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
    // Lengths have a stream of their own, so that drawing them moves no arrival.
    var lengths = RandomStream(seed: seed, name: "faults.\(id).duration")
    let starts =
      item["at"].exists
      ? times(item["at"], stream: "faults.\(id).at") : arrivals(item["every"], &stream)
    return starts.filter { _ in happens() }.map { ($0, end(of: length, $0, &lengths)) }
  }

  /// Poisson arrivals: waits with an exponential law around `mean`.
  private func arrivals(_ field: Field, _ stream: inout RandomStream) -> [Instant] {
    field.allowOnly(["mean", "count"])
    guard let mean = field.required("mean").duration() else {
      return []
    }
    let most = field["count"].integer() ?? 100_000
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

  private func end(
    of length: FaultLength, _ start: Instant, _ stream: inout RandomStream
  ) -> Instant? {
    switch length {
    case .standard: return start + Self.standardFaultLength
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

  /// How long a fault lasts: its `duration`, or what is usual for its kind.
  func length(_ field: Field, else usual: FaultLength = .standard) -> FaultLength {
    guard field["duration"].exists else { return usual }
    guard let range = field["duration"].durationRange() else { return usual }
    return .drawn(range)
  }

  // MARK: - What

  func fault(of component: String, _ field: Field) -> PlannedFault? {
    guard let members = field.members(), members.count == 1, let member = members.first else {
      field.error("A fault has one kind, such as { dropout: {} }.")
      return nil
    }
    let (kind, inner) = (member.key, member.field)
    guard Self.faultKinds(of: component).contains(kind) else {
      // At the key, where the check of the file says the same.
      field.problems.error(at: member.keyPosition, Self.sentence(onUnknown: kind, of: component))
      return nil
    }
    switch component {
    case "cgm":
      return sensorFault(kind, inner).map {
        PlannedFault(.sensor($0), length(inner, else: $0.usualLength))
      }
    case "pump":
      if kind == "wrongPump" { return wrongPump(inner) }
      return pumpFault(kind, inner).map {
        PlannedFault(.pump($0), length(inner, else: $0.usualLength))
      }
    case "app": return appFault(kind, inner)
    case "healthStore": return storeFault(kind, inner)
    default: return phoneFault(kind, inner)
    }
  }

  /// The kinds of faults of a component that can be simulated.
  private static func faultKinds(of component: String) -> [String] {
    switch component {
    case "cgm": sensorFaultKinds
    case "pump": pumpFaultKinds
    case "app": appFaultKinds
    case "healthStore": storeFaultKinds
    default: ["off", "lowPower", "bluetoothOff", "backgroundKilled"]
    }
  }

  /// What is said of a kind of fault that does not exist or cannot be simulated.
  private static func sentence(onUnknown kind: String, of component: String) -> String {
    let known = faultKinds(of: component)
    return "\"\(kind)\" is not a fault that can be simulated here."
      + NearestName.suggestion(for: kind, among: known)
      + " The kinds are: \(known.joined(separator: ", "))."
  }

  /// Reports a kind of fault that its component does not build.
  func unknown(_ kind: String, of component: String, _ field: Field) {
    field.error(Self.sentence(onUnknown: kind, of: component))
  }

  private func wrongPump(_ field: Field) -> PlannedFault? {
    field.allowOnly(["duration", "basal"])
    return field.required("basal").schedule { $0.rate() }.map {
      PlannedFault(.wrongPump($0), length(field, else: .open))
    }
  }

  private static let storeFaultKinds = [
    "writeFail", "readDenied", "duplicate", "lateSync", "wipe", "conflict",
  ]

  private func storeFault(_ kind: String, _ field: Field) -> PlannedFault? {
    field.allowOnly(["duration", "scope", "rate"] + (kind == "conflict" ? ["factor"] : []))
    let own: HealthStoreFault.Kind
    switch kind {
    case "writeFail": own = .writeFails
    case "readDenied": own = .readDenied
    case "duplicate": own = .duplicate
    case "lateSync": own = .lateSync
    case "wipe": own = .wipe
    case "conflict": own = .conflict(factor: field.standard("factor") { $0.number() })
    default:
      unknown(kind, of: "healthStore", field)
      return nil
    }
    var fault = HealthStoreFault(own)
    if field["scope"].exists {
      fault.data = (field["scope"].itemsOrOne() ?? []).compactMap {
        $0.choice(HealthStoreAccess.Data.self)
      }
    }
    fault.rate = field.standard("rate") { $0.number() }
    return PlannedFault(.healthStore(fault), length(field, else: own == .wipe ? .open : .standard))
  }

  private func phoneFault(_ kind: String, _ field: Field) -> PlannedFault? {
    field.allowOnly(["duration"])
    let effect: Fault.Effect
    switch kind {
    case "off": effect = .phone(.off)
    case "bluetoothOff": effect = .phone(.bluetoothOff)
    case "backgroundKilled": effect = .phone(.backgroundKilled)
    case "lowPower": effect = .lowPower
    default:
      unknown(kind, of: "phone", field)
      return nil
    }
    return PlannedFault(effect, length(field))
  }
}

extension SensorFault {
  /// How long a fault of this kind lasts that says nothing of it.
  var usualLength: FaultLength {
    switch self {
    case .spike, .expire, .fail: .open
    default: .standard
    }
  }
}

extension PumpFault {
  /// How long a fault of this kind lasts that says nothing of it.
  var usualLength: FaultLength {
    switch self {
    case .airBubble, .unrequested, .empty, .alarm, .clockError: .open
    default: .standard
    }
  }
}
