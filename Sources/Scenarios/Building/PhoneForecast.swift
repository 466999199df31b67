internal import Quantities
internal import ScenarioLanguage
internal import Simulation
internal import StructuredText

/// Whether the phone is on when people do something on it.
struct PhoneForecast {
  let root: Field
  /// What happens, faults included, in the order of time.
  let events: [ScenarioEvent]
  let places: EventPlaces

  /// Warns of what does not happen because the phone is off, unless the scenario is about that.
  func warn() {
    guard !RefusalRules(root: root).isMeant else { return }
    let spans = timesOff
    guard !spans.isEmpty else { return }
    var told: Set<String> = []
    for event in events {
      guard let act = event.action.onPhone,
        let span = spans.first(where: {
          $0.lowerBound <= event.instant && event.instant < $0.upperBound
        }),
        told.insert(places.key(of: event)).inserted
      else { continue }
      let wall = root.context.wallClock
      places[event].warning(
        code: PlanWarnings.refused,
        "\(act) does not happen: the phone is off from \(wall.iso8601(span.lowerBound))"
          + (span.upperBound < root.context.end
            ? " to \(wall.iso8601(span.upperBound))." : " to the end."))
    }
  }

  /// When the phone is off, by its own setting or a fault, in order.
  ///
  /// What waits for a condition may not happen: it switches none off, and may switch one on.
  private var timesOff: [Range<Instant>] {
    var spans: [Range<Instant>] = []
    var (isOff, faults, start): (Bool, Set<String>, Instant?) = (false, [], nil)
    for event in events {
      switch event.action {
      case .setPhone(let phone): isOff = phone == .off && (isOff || event.condition == nil)
      case .beginFault(let fault):
        guard case .phone(.off) = fault.effect else { continue }
        faults.insert(fault.id)
      case .endFault(let id): faults.remove(id)
      default: continue
      }
      if isOff || !faults.isEmpty {
        start = start ?? event.instant
      } else if let began = start {
        spans.append(began..<event.instant)
        start = nil
      }
    }
    if let start, start < root.context.end { spans.append(start..<root.context.end) }
    return spans
  }
}
