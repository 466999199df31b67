internal import ClosedLoop
internal import Devices
internal import Quantities
internal import Simulation
internal import StructuredText

/// Whether pump and sensor last as long as the scenario has them worn.
struct SupplyForecast {
  let root: Field
  let supplies: Supplies
  let therapy: TherapySettings
  let events: [WorldEvent]
  let beginning: Instant
  let end: Instant

  /// A reservoir, a pod or a sensor, from its beginning until the next one's.
  private struct Wear {
    var start: Instant
    var end: Instant
    /// What it holds at first.
    var amount = InsulinAmount.zero
    var span: TimeSpan { end - start }
  }

  /// How much more than it holds a reservoir is expected to give before that is told: a loop gives
  /// somewhat more or less than the therapy says, so that less is no forecast.
  private static let margin = 1.1

  /// Warns of what comes to its end and is not replaced in time, unless the scenario is about that.
  func warn(of choice: PumpChoice, _ sensor: SensorChoice) {
    guard !isMeant else { return }
    if !supplies.replacesPump { warn(of: choice) }
    if !supplies.replacesSensor { warn(of: sensor) }
  }

  /// Whether the scenario expects an alarm, or makes a device fail.
  private var isMeant: Bool {
    let expectations = root["expect"].node?.items ?? []
    return expectations.contains { expectation in
      [expectation["event"], expectation["events"]].contains {
        ["alert", "cgm"].contains($0?["kind"]?.string)
      }
    }
  }

  private func warn(of choice: PumpChoice) {
    let profile = choice.profile
    let full = profile.reservoirCapacity
    var wears = [
      Wear(start: choice.activation ?? beginning, end: end, amount: choice.reservoir ?? full)
    ]
    for event in inTime {
      guard case .pump(.replaceReservoir(let amount)) = event.action else { continue }
      wears[wears.count - 1].end = event.instant
      wears.append(Wear(start: event.instant, end: end, amount: amount ?? full))
    }
    if let life = profile.life, let long = wears.first(where: { $0.span > life.end }) {
      warn(
        root["pump"],
        "The \(profile.name) stops after \(life.end.wholeHours) and is worn for "
          + "\(long.span.wholeHours). Replace it in time: { at: …, pump: { replace: {} } }.")
    }
    for wear in wears {
      let use = expectedUse(of: wear)
      guard use > wear.amount.units * Self.margin else { continue }
      let text = JSONField.shortText(use.rounded())
      warn(
        root["pump"],
        "The reservoir of the \(profile.name) holds \(wear.amount) and is expected to give "
          + "\(text) U before it is replaced. Replace it in time: "
          + "{ at: …, pump: { refill: \(JSONField.shortText(full.units)) } }.")
      break
    }
  }

  private func warn(of sensor: SensorChoice) {
    let life = sensor.profile.wear + sensor.profile.grace
    var wears = [Wear(start: sensor.insertion, end: end)]
    for event in inTime {
      switch event.action {
      case .sensor(.replace):
        wears[wears.count - 1].end = event.instant
        wears.append(Wear(start: event.instant, end: end))
      case .sensor(.stop): wears[wears.count - 1].end = event.instant
      default: break
      }
    }
    guard let long = wears.first(where: { $0.span > life }) else { return }
    warn(
      root["cgm"],
      "The \(sensor.profile.name) stops after \(life.wholeHours) and is worn for "
        + "\(long.span.wholeHours). Replace it in time: { at: …, cgm: { replace: {} } }.")
  }

  private func warn(_ field: Field, _ sentence: String) {
    field.warning(code: "W-SUPPLIES", sentence)
  }

  private var inTime: [WorldEvent] { events.sorted { $0.instant < $1.instant } }

  /// The insulin that a stretch of time takes: the programmed basal rates, and the boluses that are
  /// stated or that the carb entries ask for, whichever are more.
  private func expectedUse(of wear: Wear) -> Double {
    let start = max(wear.start, beginning)
    guard wear.end > start else { return 0 }
    let hours = (wear.end - start).seconds / 3_600
    var (stated, entered) = (0.0, 0.0)
    for event in events where event.instant >= start && event.instant < wear.end {
      switch event.action {
      case .bolus(let request):
        if case .units(let units) = request.amount { stated += units }
      case .enterCarbs(let entry): entered += entry.grams
      default: break
      }
    }
    let ratio = therapy.carbRatio.value(at: .midnight).gramsPerUnit
    return therapy.basal.meanUnitsPerHour * hours + max(stated, entered / ratio)
  }
}

extension DailySchedule<InsulinRate> {
  /// The mean rate over a day, in U/h.
  fileprivate var meanUnitsPerHour: Double {
    let ends = entries.dropFirst().map { $0.start.sinceMidnight } + [TimeSpan.days(1)]
    let parts = zip(entries, ends).map { entry, end in
      entry.value.unitsPerHour * (end - entry.start.sinceMidnight).seconds
    }
    return parts.reduce(0, +) / TimeSpan.days(1).seconds
  }
}

extension TimeSpan {
  /// The span in hours, as the lives of devices are told.
  fileprivate var wholeHours: String { "\(JSONField.shortText((seconds / 360).rounded() / 10))h" }
}
