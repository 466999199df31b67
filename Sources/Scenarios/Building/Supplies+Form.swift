internal import Devices
internal import ScenarioLanguage
internal import Simulation
internal import StructuredText

/// Who replaces the devices of a run, and whether they last.
extension Supplies {
  /// The value of `supplies`.
  static let form: Form<Self> = .either(
    replaces.map { isAutomatic, _ in isAutomatic ? .automatic : Self.none },
    .object {
      let pump = $0.key("pump", replaces, default: "'automatic'", "Reservoir, pod or pump.")
      let sensor = $0.key("cgm", replaces, default: "'automatic'", "The sensor.")
      return { Self(replacesPump: $0[pump], replacesSensor: $0[sensor]) }
    })

  private static let replaces = Form.words([("automatic", true), ("none", false)])

  /// The same, but for a device that the events themselves replace, empty or end, which is left to
  /// them.
  func leaving(to events: [ScenarioEvent]) -> Supplies {
    var supplies = self
    for event in events {
      switch event.action {
      case .pump(.replaceReservoir): supplies.replacesPump = false
      case .sensor(.replace), .sensor(.stop): supplies.replacesSensor = false
      case .beginFault(let fault):
        if fault.endsReservoir { supplies.replacesPump = false }
        if fault.endsSensor { supplies.replacesSensor = false }
      default: break
      }
    }
    return supplies
  }
}

extension Fault {
  /// Whether the fault is about a pump that has come to its end.
  var endsReservoir: Bool {
    switch effect {
    case .pump(.empty), .pump(.alarm(.reservoirEmpty)), .pump(.alarm(.expired)): true
    default: false
    }
  }

  /// Whether the fault is about a sensor that has come to its end.
  var endsSensor: Bool {
    switch effect {
    case .sensor(.expire), .sensor(.fail): true
    default: false
    }
  }
}
