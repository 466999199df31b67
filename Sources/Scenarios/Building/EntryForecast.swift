internal import ClosedLoop
internal import Quantities
internal import ScenarioLanguage
internal import Simulation
internal import StructuredText

/// Whether the app takes the entries of food with the times of eating that are typed.
struct EntryForecast {
  let root: Field
  /// What happens, faults included, in the order of time.
  let events: [ScenarioEvent]
  let places: EventPlaces

  /// Warns of the entries and changes that the app refuses, unless the scenario is about that.
  func warn() {
    guard !RefusalRules(root: root).isMeant else { return }
    var told: Set<String> = []
    /// When the food of the latest entry of a name was eaten.
    var eaten: [String: Instant] = [:]
    for event in events {
      var place: Field { places[event] }
      switch event.action {
      case .enterCarbs(let request):
        if CarbStore.takes(request.eatenAt, at: event.instant) {
          eaten[request.name] = request.eatenAt
        } else if told.insert(places.key(of: event)).inserted {
          warn(typed(place["entry"]) ?? place, "this entry", request.eatenAt, event.instant)
        }
      case .editCarbs(let name, _, _, let time):
        guard let date = time ?? eaten[name] else { break }
        if CarbStore.takes(date, at: event.instant) {
          eaten[name] = date
        } else if told.insert("\(places.key(of: event)) edits").inserted {
          warn(place, "a change of this entry", date, event.instant)
        }
      case .remote(let request):
        guard case .carbs(let entry) = request.action,
          !CarbStore.takes(entry.eatenAt, at: event.instant),
          told.insert(places.key(of: event)).inserted
        else { break }
        warn(typed(place["remote"]) ?? place, "this entry", entry.eatenAt, event.instant)
      default: break
      }
    }
  }

  /// Where the time of eating is typed, or else that of typing; `nil` where neither is.
  private func typed(_ field: Field) -> Field? {
    [field["eatenAt"], field["at"]].first(where: \.exists)
  }

  private func warn(_ place: Field, _ noun: String, _ date: Instant, _ now: Instant) {
    let wall = root.context.wallClock
    place.warning(
      code: PlanWarnings.refused,
      "The app refuses \(noun), typed at \(wall.iso8601(now)) for \(wall.iso8601(date)): it "
        + "takes food from \(CarbStore.longestPast) before until \(CarbStore.longestAhead) after "
        + "it is typed.")
  }
}
