internal import ClosedLoop
internal import Devices
internal import Quantities
internal import Simulation
internal import StructuredText

/// Who replaces the devices of a run, and whether they last.
extension RunBuilder {
  /// The words of `supplies`.
  static let supplyWords = ["automatic", "none"]

  /// Reads `supplies`; a device that the scenario itself replaces, empties or ends is left to it.
  func supplies(_ events: [ScenarioEvent]) -> Supplies {
    let field = root["supplies"]
    func isAutomatic(_ field: Field) -> Bool {
      !field.exists || field.choice(of: Self.supplyWords) == Self.supplyWords[0]
    }
    var supplies = Supplies.automatic
    if field.node?.members != nil {
      field.allowOnly(["pump", "cgm"])
      supplies.replacesPump = isAutomatic(field["pump"])
      supplies.replacesSensor = isAutomatic(field["cgm"])
    } else if !isAutomatic(field) {
      supplies = .none
    }
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
