internal import Physiology
internal import Quantities
internal import Simulation
internal import StructuredText

/// What happened before the run: glucose the app has, and doses and meals that are lived through.
struct PastOfRun {
  var glucose: [PastReading] = []
  var events: [ScenarioEvent] = []
  /// How long before the start the world must begin to live for the events to happen.
  var preRoll = TimeSpan.zero
}

extension RunBuilder {
  /// How far back a flat history of glucose reaches: what the algorithm reads.
  private static let flatHistory = TimeSpan.hours(12)

  /// Reads the block `history`.
  func history() -> PastOfRun {
    let field = root["history"]
    guard field.exists else { return PastOfRun() }
    field.allowOnly(["glucose", "doses", "carbs", "observed"])
    var past = PastOfRun()
    past.events = pastDoses(field["doses"]) + pastCarbs(field["carbs"])
    let earliest = past.events.map(\.instant).min() ?? root.context.start
    past.preRoll = root.context.start - earliest
    past.glucose = pastGlucose(field["glucose"])
    return past
  }

  private func pastGlucose(_ field: Field) -> [PastReading] {
    guard field.exists else { return [] }
    let start = root.context.start
    if field["flat"].exists {
      field.allowOnly(["flat"])
      guard let value = field["flat"].glucose() else { return [] }
      let count = Self.flatHistory.quotient(by: .minutes(5))
      return (1...count).reversed().map {
        PastReading(instant: start - .minutes(5) * $0, glucose: value)
      }
    }
    // A reading at the very start is the sensor's own first one.
    return readings(field).filter { $0.instant < start }
  }

  /// Readings as a list of times and values, or as the rows of a table; earliest first.
  func readings(_ field: Field) -> [PastReading] {
    guard field.exists else { return [] }
    var list = field
    if field.node?.members != nil {
      field.allowOnly(["csv", "rows"])
      list = field["rows"]
      let isNamed = field["csv"].text() != nil
      guard list.exists else {
        field.error(
          isNamed
            ? "The table could not be read here; name it in the file or in a variant."
            : "Write the readings as a list, or name a table: { csv: 'readings.csv' }.")
        return []
      }
    }
    var readings: [PastReading] = []
    for item in list.items() ?? [] {
      guard item.node?.items?.count == 2 else {
        item.reportUnusable(expected: "a time and a value, such as ['-5m', 128]")
        continue
      }
      guard let instant = item[0].time(), let value = item[1].glucose() else { continue }
      readings.append(PastReading(instant: instant, glucose: value))
    }
    return readings.enumerated()
      .sorted { ($0.element.instant, $0.offset) < ($1.element.instant, $1.offset) }
      .map(\.element)
  }

  private func pastDoses(_ field: Field) -> [ScenarioEvent] {
    guard field.exists else { return [] }
    var events: [ScenarioEvent] = []
    for item in field.items() ?? [] {
      item.allowOnly(["at", "bolus", "basal", "duration", "insulin", "reported"])
      guard let instant = pastTime(item.required("at")) else { continue }
      if item["insulin"].exists, !item["bolus"].exists {
        item["insulin"].error("Only a bolus may be of another insulin than the pump's.")
      }
      if item["bolus"].exists {
        guard let units = item["bolus"].units() else { continue }
        if item["insulin"].exists {
          if item["reported"].exists {
            item["reported"].error("A pump reports its own insulin only; leave out insulin.")
          }
          events += pastInjection(units, item["insulin"], at: instant)
        } else {
          events += pastBolus(units, reported: item["reported"], at: instant)
        }
      } else if let rate = item.required("basal").rate(),
        let duration = item.required("duration").duration()
      {
        events.append(ScenarioEvent(at: instant, .tempBasal(rate, duration: duration)))
      }
    }
    return events
  }

  /// A bolus of the pump, which may report another amount than the body got.
  private func pastBolus(
    _ units: InsulinAmount, reported field: Field, at instant: Instant
  ) -> [ScenarioEvent] {
    let reported = field.exists ? field.units() : nil
    if let reported, units == .zero {
      return [ScenarioEvent(at: instant, .recordBolus(reported))]
    }
    return [
      ScenarioEvent(
        at: instant, .bolus(BolusRequest(.units(units.units), by: .pump, reported: reported)))
    ]
  }

  /// A dose of a stated insulin: the pump holds its own, so that this one came from a pen.
  private func pastInjection(
    _ units: InsulinAmount, _ field: Field, at instant: Instant
  ) -> [ScenarioEvent] {
    guard let insulin = insulin(field) else { return [] }
    return [
      ScenarioEvent(
        at: instant, .inject(units: units.units, formulation: insulin, name: insulin.id)),
      Self.logged(insulin, units: units, taken: instant, at: instant, id: "", source: "Pen"),
    ]
  }

  private func pastCarbs(_ field: Field) -> [ScenarioEvent] {
    guard field.exists else { return [] }
    var events: [ScenarioEvent] = []
    for (index, item) in (field.items() ?? []).enumerated() {
      item.allowOnly(["at", "grams", "absorption", "name", "eaten", "entered"])
      guard let instant = pastTime(item.required("at")),
        let mass = item.required("grams").carbohydrate()
      else { continue }
      let absorption =
        item.standard("absorption") { $0.duration() }
      let name = item["name"].text() ?? "past-\(index + 1)"
      let isEaten = !item["eaten"].exists || item["eaten"].bool() != false
      let isEntered = !item["entered"].exists || item["entered"].bool() != false
      if isEaten {
        events.append(
          ScenarioEvent(
            at: instant, .eat(MealInput(grams: mass.grams, absorption: absorption), name: name)))
      }
      guard isEntered else { continue }
      events.append(
        ScenarioEvent(
          at: instant,
          .enterCarbs(
            CarbEntryRequest(
              name: name, grams: mass.grams, absorption: absorption, eatenAt: instant))))
    }
    return events
  }

  /// A time before the start, at most three days.
  private func pastTime(_ field: Field) -> Instant? {
    guard let instant = field.time() else { return nil }
    let start = root.context.start
    guard instant <= start, instant >= start - .days(3) else {
      field.error("What belongs to the history happened in the three days before the start.")
      return nil
    }
    return instant
  }
}
