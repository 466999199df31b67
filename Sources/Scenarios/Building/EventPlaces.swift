internal import ScenarioLanguage
internal import Simulation
internal import StructuredText

/// Where the events of a file stand.
struct EventPlaces {
  private let list: Field
  /// The first place of each name.
  private let places: [String: Int]

  /// Looks for the names of all events of a file, once for as many as there are.
  init(in root: Field) {
    list = root["events"]
    var places: [String: Int] = [:]
    for (place, item) in (list.node?.items ?? []).enumerated() {
      for kind in EventKind.names where item[kind] != nil {
        let name = EventKeys.name(of: item, kind: kind, at: place)
        places[name] = places[name] ?? place
      }
      // An entry that has a name of its own is an event of that name.
      if let entry = item["entry"]?["id"]?.string { places[entry] = places[entry] ?? place }
    }
    self.places = places
  }

  /// The event of the file that something belongs to; the list for one that a person decides.
  subscript(event: ScenarioEvent) -> Field {
    // An id may have a number by itself, as those of a frozen scenario.
    (places[event.id] ?? places[OccurrenceName.id(of: event.id)]).map { list[$0] } ?? list
  }

  /// What all occurrences of an event have in common, and nothing else has, be it that chance made
  /// them: something is told of them once.
  func key(of event: ScenarioEvent) -> String {
    "\(self[event].position) \(OccurrenceName.id(of: event.id))"
  }
}
