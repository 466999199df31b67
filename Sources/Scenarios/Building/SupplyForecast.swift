internal import ClosedLoop
internal import Devices
internal import Quantities
internal import ScenarioLanguage
internal import Simulation
internal import StructuredText

/// Whether pump and sensor last as long as the scenario has them worn.
struct SupplyForecast {
  let root: Field
  let supplies: Supplies
  let therapy: TherapySettings
  /// What happens, faults included, in the order of time.
  let events: [ScenarioEvent]
  let beginning: Instant
  let end: Instant
  /// The study that the run belongs to; `nil` where it belongs to none.
  ///
  /// A run that is looked at by itself may have its pump run dry, and shows it. In a study such
  /// runs would be averaged, so that it is refused.
  let study: Study?

  /// What of a study a complaint names.
  struct Study {
    /// The patient of the cohort; `nil` without one.
    let patient: String?
  }

  /// A reservoir, a pod or a sensor, from its beginning until the next one's.
  private struct Wear {
    var start: Instant
    var end: Instant
    /// What it holds at first.
    var amount = InsulinAmount.zero
    /// Whether it delivers from its beginning, also where the one before it was suspended.
    var isPod = false
    var span: TimeSpan { end - start }
  }

  /// How much more than it holds a reservoir is expected to give before that is told: a loop gives
  /// somewhat more or less than the therapy says, so that less is no forecast.
  private static let margin = 1.1

  /// Warns of what comes to its end and is not replaced in time, unless the scenario is about that.
  func warn(of choice: PumpChoice, _ sensor: SensorChoice) {
    guard !isMeant else { return }
    let faults = events.compactMap { event in
      if case .beginFault(let fault) = event.action { fault } else { nil }
    }
    if !supplies.replacesPump {
      pumpTroubles(choice, isMeant: faults.contains(where: \.endsReservoir))
    }
    if !supplies.replacesSensor {
      sensorTroubles(sensor, isMeant: faults.contains(where: \.endsSensor))
    }
  }

  /// Whether the scenario expects an alarm, or that a sensor fails.
  private var isMeant: Bool { root.expects(anyOf: ["alert", "cgm"]) }

  private func pumpTroubles(_ choice: PumpChoice, isMeant: Bool) {
    let profile = choice.profile
    let full = profile.reservoirCapacity
    var wears = [
      Wear(
        start: choice.activation ?? beginning, end: end, amount: choice.reservoir ?? full,
        isPod: profile.isPatchPump)
    ]
    for event in events {
      guard case .pump(.replaceReservoir(let amount, _)) = event.action else { continue }
      wears[wears.count - 1].end = event.instant
      wears.append(
        Wear(
          start: event.instant, end: end, amount: amount ?? full, isPod: profile.isPatchPump))
    }
    if let life = profile.life, let long = wears.first(where: { $0.span > life.end }) {
      tell(
        root["pump"],
        "The \(profile.name) stops after \(life.end.wholeHours) and is worn for "
          + "\(long.span.wholeHours).", ends: long.start + life.end, every: life.end,
        remedy: "pump: { replace: {} }", isMeant: isMeant)
    }
    for wear in wears {
      let use = expectedUse(of: wear)
      guard use > wear.amount.units * Self.margin else { continue }
      let text = JSONField.shortText(use.rounded())
      let start = max(wear.start, beginning)
      // A reservoir may hold nothing: how long a full one lasts follows from the use alone.
      let perUnit = Double((wear.end - start).milliseconds) / use
      let lasts = TimeSpan(milliseconds: Int64(perUnit * wear.amount.units))
      let lastsFull = max(lasts, TimeSpan(milliseconds: Int64(perUnit * full.units)))
      tell(
        root["pump"],
        "The reservoir of the \(profile.name) holds \(wear.amount) and is expected to give "
          + "\(text) U before it is replaced.", ends: start + lasts, every: lastsFull,
        // What wears out as a whole is not filled again.
        remedy: profile.life == nil
          ? "pump: { refill: \(JSONField.shortText(full.units)) }" : "pump: { replace: {} }",
        isMeant: isMeant)
      break
    }
  }

  private func sensorTroubles(_ sensor: SensorChoice, isMeant: Bool) {
    let life = sensor.profile.wear + sensor.profile.grace
    var wears = [Wear(start: sensor.insertion, end: end)]
    for event in events {
      let last = wears.count - 1
      switch event.action {
      case .sensor(.replace):
        // One that was stopped before is worn no longer.
        wears[last].end = min(wears[last].end, event.instant)
        wears.append(Wear(start: event.instant, end: end))
      case .sensor(.stop): wears[last].end = min(wears[last].end, event.instant)
      default: break
      }
    }
    guard let long = wears.first(where: { $0.span > life }) else { return }
    tell(
      root["cgm"],
      "The \(sensor.profile.name) stops after \(life.wholeHours) and is worn for "
        + "\(long.span.wholeHours).", ends: long.start + life, every: life,
      remedy: "cgm: { replace: {} }", isMeant: isMeant)
  }

  /// Warns of what comes to its end, and refuses it in a study, with the day and the event to add.
  private func tell(
    _ field: Field, _ sentence: String, ends: Instant, every life: TimeSpan, remedy: String,
    isMeant: Bool
  ) {
    guard let study, !isMeant else {
      field.warning(
        code: "W-SUPPLIES", "\(sentence) Replace it in time: { at: …, \(remedy) }.")
      return
    }
    let context = field.context
    let midnight =
      context.start - context.wallClock.timeOfDay(at: context.start).sinceMidnight
    func day(_ instant: Instant) -> Int { max(0, Int((instant - midnight).hours / 24)) }
    let times: [String]
    if ends < midnight + .hours(34) {
      // Before ten in the morning of the next day: by the hours that it lasts.
      let hours = max(1, Int((ends - context.start).hours.rounded(.up)) - 1)
      let last = max(hours, Int((end - context.start).hours.rounded(.up)) - 1)
      let step = max(1, Int(life.hours))
      times = stride(from: hours, through: last, by: step).map { "'+\($0)h'" }
    } else {
      // At ten in the morning, and before the end.
      let step = max(1, min(Int(life.hours / 24), day(ends - .hours(10))))
      let days = stride(from: step, through: max(step, day(end - .hours(1))), by: step)
        .map { "\($0)" }.joined(separator: ", ")
      times = ["{ daily: '10:00', days: [\(days)] }"]
    }
    let advice = times.map { "{ at: \($0), \(remedy) }" }.joined(separator: ", ")
    let whose = study.patient.map { "Patient \"\($0)\": " } ?? ""
    field.error(
      "\(whose)\(sentence) It ends on day \(day(ends)) of the run, counted from 0, and a study "
        + "must not average over that. "
        + "Add \(advice) to \"events\", or leave "
        + "supplies to the person."
    )
  }

  /// The insulin that a stretch of time takes: the scheduled basal rates, and the boluses that are
  /// stated or that the carb entries ask for, whichever are more.
  ///
  /// Schedules count as they are saved by then, and basal while delivery is not suspended; what
  /// waits for a condition is taken not to happen. Of what a calculator advises the part for the
  /// carbohydrates is known.
  private func expectedUse(of wear: Wear) -> Double {
    let start = max(wear.start, beginning)
    guard wear.end > start else { return 0 }
    let clock = root.context.wallClock
    var (scheduled, stated, entered) = (0.0, 0.0, 0.0)
    var (therapy, now) = (therapy, start)
    /// The event whose suspension holds, and all that have suspended: what ends one that another
    /// has ended, or taken the place of, resumes nothing.
    var (suspension, suspended): (String?, Set<String>) = (nil, [])
    func pass(to instant: Instant) {
      let next = min(max(instant, start), wear.end)
      if suspension == nil {
        therapy.basal.visit(from: now, to: next, on: clock) {
          scheduled += $0.value.unitsPerHour * $0.duration.hours
        }
      }
      now = next
    }
    for event in events {
      let isWithin = event.instant >= start && event.instant < wear.end
      var ratio: Double {
        therapy.carbRatio.value(at: clock.timeOfDay(at: event.instant)).gramsPerUnit
      }
      switch event.action {
      case .bolus(let request) where isWithin:
        switch request.amount {
        case .units(let units): stated += units
        case .calculated(let calculator, let scale, let cap):
          stated += min(scale * calculator.carbohydrates.grams / ratio, cap ?? .infinity)
        case .recommended: break
        }
      case .enterCarbs(let entry) where isWithin: entered += entry.grams / ratio
      case .suspend where event.condition == nil:
        suspended.insert(event.id)
        guard event.instant >= start || !wear.isPod else { break }
        pass(to: event.instant)
        suspension = event.id
      case .resume where event.condition == nil:
        guard !suspended.contains(event.id) || suspension == event.id else { break }
        pass(to: event.instant)
        suspension = nil
      case .changeSettings(let change) where event.condition == nil:
        pass(to: event.instant)
        therapy = change.applied(to: therapy)
      default: break
      }
    }
    pass(to: wear.end)
    return scheduled + max(stated, entered)
  }
}

extension TimeSpan {
  /// The span in hours, as the lives of devices are told.
  fileprivate var wholeHours: String { "\(JSONField.shortText((seconds / 360).rounded() / 10))h" }
}
