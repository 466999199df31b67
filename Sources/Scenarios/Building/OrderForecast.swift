internal import Quantities
internal import ScenarioLanguage
internal import Simulation
internal import StructuredText

/// Whether a bolus that is taken as recommended is asked for before the entry of the same time.
///
/// What happens at one time happens in the order of the file. An app that does not know of the
/// food yet recommends nothing for it, and nothing else in a result says why.
struct OrderForecast {
  /// What happens, faults included, in the order of time.
  let events: [ScenarioEvent]
  let places: EventPlaces

  /// Notes each such bolus once.
  func note() {
    var told: Set<String> = []
    var (instant, asked): (Instant?, [ScenarioEvent]) = (nil, [])
    for event in events {
      if event.instant != instant { (instant, asked) = (event.instant, []) }
      switch event.action {
      case .bolus(let request):
        guard case .recommended = request.amount else { break }
        asked.append(event)
      case .enterCarbs:
        for bolus in asked where told.insert(places.key(of: bolus)).inserted {
          note(places[bolus], before: places[event])
        }
      default: break
      }
    }
  }

  private func note(_ bolus: Field, before entry: Field) {
    // What a person does by chance has its order, and stands nowhere in the list.
    guard bolus.node?.members != nil, entry.node?.members != nil else { return }
    bolus.note(
      "This bolus is recommended before the app knows of \"\(entry.path)\", which comes at the "
        + "same time: what happens at one time happens in the order of the file. Put the meal "
        + "first, or the bolus a second later.")
  }
}
