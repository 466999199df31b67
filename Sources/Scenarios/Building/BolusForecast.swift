internal import Devices
internal import Quantities
internal import ScenarioLanguage
internal import Simulation

/// Whether the pump still gives a bolus when it is asked for the next one.
struct BolusForecast {
  let root: Field
  let profile: PumpProfile
  /// The most that the app lets anybody ask for at first.
  let largest: InsulinAmount?
  /// What the history says of doses, dose by dose.
  let doses: [[ScenarioEvent]]
  /// What happens, faults included, in any order.
  let events: [ScenarioEvent]
  let places: EventPlaces

  /// A bolus whose amount the scenario states.
  private struct Running {
    var start: Instant
    var end: Instant
    var units: InsulinAmount
  }

  /// Warns of what the pump refuses meanwhile, unless the scenario is about that.
  ///
  /// From where on a fault, the phone or somebody who changes the pump may have a say in what is
  /// given, nothing is said.
  func warn() {
    guard !RefusalRules(root: root).isMeant else { return }
    let past = doses.enumerated().flatMap { dose, events in
      events.map { (event: $0, dose: dose) }
    }
    // An event has many bytes, and a field a text: what is put in order is where events stand.
    let instants = past.map(\.event.instant) + events.map(\.instant)
    var (running, largest): (Running?, InsulinAmount?) = (nil, largest)
    var told: Set<String> = []
    for number in instants.indices.sorted(by: { (instants[$0], $0) < (instants[$1], $1) }) {
      let event = number < past.count ? past[number].event : events[number - past.count]
      var place: Field {
        number < past.count ? root["history"]["doses"][past[number].dose] : places[event]
      }
      if running.map({ $0.end <= event.instant }) == true { running = nil }
      switch event.action {
      case .bolus(let request):
        guard event.condition == nil, case .units(let units) = request.amount else { break }
        if let running {
          if told.insert(place.path).inserted { warn(place, "bolus", running) }
        } else {
          running = self.running(units, request, from: event.instant, atMost: largest)
        }
      case .tempBasal:
        guard event.condition == nil, profile.refusesTempBasalDuringBolus, let running else {
          break
        }
        if told.insert(place.path).inserted { warn(place, "temp basal", running) }
      case .cancelBolus: running = nil
      case .changeSettings(let change):
        guard let changed = change.maximumBolus else { break }
        // Nobody knows before whether the limit will be the new one.
        guard event.condition == nil else { return }
        largest = changed
      case .suspend, .remote, .pump, .setPhone, .reinstallApp, .recordBolus: return
      case .beginFault(let fault):
        if case .sensor = fault.effect { break }
        return
      default: break
      }
    }
  }

  private func warn(_ place: Field, _ noun: String, _ running: Running) {
    let wall = root.context.wallClock
    place.warning(
      code: PlanWarnings.refused,
      "The pump refuses this \(noun): it gives the bolus of \(running.units) from "
        + "\(wall.iso8601(running.start)) until \(wall.iso8601(running.end)).")
  }

  /// The bolus that begins, at most as large as app and pump let it be.
  private func running(
    _ units: Double, _ request: BolusRequest, from start: Instant, atMost largest: InsulinAmount?
  ) -> Running? {
    let amount =
      request.reported.map(profile.supportedBolus)
      ?? CommandedBolus(units: units, from: profile, by: request.by, appMaximum: largest).amount
    let duration = profile.bolusSpeed.duration(of: amount)
    let end = start + min(duration, request.cancelAfter ?? duration)
    return end > start ? Running(start: start, end: end, units: amount) : nil
  }
}
