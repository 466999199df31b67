internal import Physiology
internal import Quantities
internal import ScenarioLanguage
internal import Simulation
internal import StructuredText

/// What happened before the run: glucose the app has, and doses and meals that are lived through.
struct PastOfRun: Sendable {
  /// Readings, earliest first; those at the start or after it are not of the past.
  var readings: [PastReading] = []
  var events: [ScenarioEvent] = []
  /// Those of the doses among them, dose by dose.
  var doses: [[ScenarioEvent]] = []
  /// How long before the start the world must begin to live for the events to happen.
  var preRoll = TimeSpan.zero

  /// Reads the block `history`; without an app there was none that could have been told of it.
  static func reading(_ root: Field) -> Self {
    let field = root["history"]
    var past = field.exists ? form.read(field) ?? Self() : Self()
    if !root.hasApp { past.events.removeAll(where: \.action.onlyTells) }
    return past
  }

  static let form = Form<Self>.object { keys in
    let glucose = keys.optional(
      "glucose", Self.glucose, else: "`initialGlucose`",
      "Readings before the start; times are relative to it.")
    let doses = keys.key("doses", .list(dose), default: "[]", "Insulin before the start.")
    let carbs = keys.key(
      "carbs", .list(.object { meal(&$0) }), default: "[]", "Carbohydrate before the start.")
    _ = keys.optional(
      "observed",
      .object {
        $0.only(
          "csv", .text,
          "A table with the columns `time`, written as in scenarios, and `glucose`."
        ) { $0 }
      }, "Real readings, before and after the start, to compare with (`other: 'observed'`).")
    return { field in
      let meals = field[carbs].enumerated().flatMap { $1.events("past-\($0 + 1)") }
      let given = field[doses]
      var past = Self(
        readings: field[glucose] ?? [], events: given.flatMap(\.self) + meals, doses: given)
      let start = field.context.start
      past.preRoll = start - (past.events.map(\.instant).min() ?? start)
      return past
    }
  }

  /// A time before the start, at most three days.
  private static let before = Form.time.map { instant, field in
    let start = field.context.start
    if instant <= start, instant >= start - .days(3) { return instant }
    field.error("What belongs to the history happened in the three days before the start.")
    return nil
  }

  // MARK: - Glucose

  /// How far back a flat history of glucose reaches: what the algorithm reads.
  private static let flatHistory = TimeSpan.hours(12)

  private static let glucose: Form<[PastReading]> = .either(
    .object { keys in
      let flat = keys.optional("flat", .glucose(20...600), "One value for the whole past.")
      let table = Self.table(&keys)
      return { field throws(UnusableKey) in
        guard field[flat.name].exists else { return try table(field) }
        field.allowOnly([flat.name])
        guard let value = field[flat] else { return nil }
        let count = Self.flatHistory.quotient(by: .minutes(5))
        return (1...count).reversed().map {
          PastReading(instant: field.context.start - .minutes(5) * $0, glucose: value)
        }
      }
    }, rows
  ).map { readings, field in
    let late = readings.count { $0.instant > field.context.start }
    if late > 0 {
      field.warnOfNoEffect(
        "\(WordList.counted(late, "reading", "lies")) behind the start; "
          + "a history ends there.")
    }
    return readings
  }

  /// Readings that are written in the scenario or stand in a table.
  static let recorded: Form<[PastReading]> = .either(.object { table(&$0) }, rows)

  private static func table(_ keys: inout Keys) -> Maker<[PastReading]> {
    let csv = keys.optional("csv", .text, "A table with the columns `time` and `glucose`.")
    let rows = keys.optional(
      "rows", Self.rows, else: "the table's", "Its rows, which are filled in from `csv`.")
    return { field in
      if field[rows.name].exists { return field[rows] }
      field.error(
        field[csv] != nil
          ? "The table could not be read here; name it in the file or in a variant."
          : "Write the readings as a list, or name a table: { csv: 'readings.csv' }.")
      return nil
    }
  }

  /// Times and values, the times relative to the start.
  private static let rows = Form<[PastReading]>(.list(row.shape)) { field in
    let items = field.items() ?? []
    field.warnOfReadingsInOtherUnit(items.map { $0[1] })
    return items.compactMap(row.read).sorted { $0.instant < $1.instant }
  }

  private static let row = Form<PastReading>.pair(
    of: .either([.time, .anyGlucose]), "a list of a time and a value, such as ['-5m', 128]"
  ) { item in
    guard let instant = item[0].time(), let value = item[1].glucose() else { return nil }
    return PastReading(instant: instant, glucose: value)
  }

  // MARK: - Insulin

  private static let dose = Form<[ScenarioEvent]>.shaped(noun: "a dose") {
    var (common, kinds, beside) = (Keys(), Keys(), Keys())
    let at = common.required("at", before, "When, in the three days before the start.")
    let insulin = common.optional(
      "insulin", .injected, else: "the pump's",
      "Which insulin; a bolus of a stated one is an injection that was logged.")
    let reported = common.optional(
      "reported", .units(0...100), else: "what is given",
      "What the pump reports of a bolus, where the body got something else.")
    let bolus = kinds.optional("bolus", .units(0...100), "A bolus.")
    let basal = kinds.optional("basal", .rate(0...35), "A temp basal.")
    let duration = beside.required(
      "duration", .duration(.minutes(1)...(.days(1))), "How long it ran.")
    let make: Maker<[ScenarioEvent]> = { field throws(UnusableKey) in
      let instant = try field[at]
      if field[insulin.name].exists, !field[bolus.name].exists {
        field[insulin.name].error("Only a bolus may be of another insulin than the pump's.")
      }
      if field[reported.name].exists, !field[bolus.name].exists {
        field[reported.name].error("Only a bolus may be reported as another amount than it was.")
      }
      guard field[bolus.name].exists else {
        guard field[basal.name].exists else {
          field.error("A dose before the start needs \"bolus\" or \"basal\".")
          return nil
        }
        guard let rate = field.needed(basal) else { return nil }
        let duration = try field[duration]
        return [ScenarioEvent(at: instant, .tempBasal(rate, duration: duration, onPump: true))]
      }
      guard let units = field[bolus] else { return nil }
      guard field[insulin.name].exists else {
        return [given(units, reported: field[reported], at: instant)]
      }
      if field[reported.name].exists {
        field[reported.name].error("A pump reports its own insulin only; leave out insulin.")
      }
      return field[insulin].map { injected(units, of: $0, at: instant) }
    }
    return ((common.all, [kinds.all[0], kinds.all[1].with(beside.all)]), make)
  }

  /// A bolus of the pump, which may report another amount than the body got.
  private static func given(
    _ units: InsulinAmount, reported: InsulinAmount?, at instant: Instant
  ) -> ScenarioEvent {
    if let reported, units == .zero { return ScenarioEvent(at: instant, .recordBolus(reported)) }
    return ScenarioEvent(
      at: instant, .bolus(BolusRequest(.units(units.units), by: .pump, reported: reported)))
  }

  /// A dose of a stated insulin: the pump holds its own, so that this one came from a pen.
  private static func injected(
    _ units: InsulinAmount, of insulin: InsulinFormulation, at instant: Instant
  ) -> [ScenarioEvent] {
    [
      ScenarioEvent(
        at: instant, .inject(units: units.units, formulation: insulin, name: insulin.id)),
      .logged(insulin, units: units, taken: instant, at: instant, id: "", source: "Pen"),
    ]
  }

  // MARK: - Carbohydrate

  private struct Meal: Sendable {
    var instant: Instant
    var food: MealInput
    var name: String?
    var isEaten: Bool
    var isEntered: Bool

    func events(_ usual: String) -> [ScenarioEvent] {
      let name = name ?? usual
      let entry = CarbEntryRequest(
        name: name, grams: food.grams, absorption: food.absorption, eatenAt: instant)
      return (isEaten ? [ScenarioEvent(at: instant, .eat(food, name: name))] : [])
        + (isEntered ? [ScenarioEvent(at: instant, .enterCarbs(entry))] : [])
    }
  }

  private static func meal(_ keys: inout Keys) -> Maker<Meal> {
    let at = keys.required("at", before, "When, in the three days before the start.")
    let grams = keys.required("grams", .grams, "How much.")
    let absorption = keys.key("absorption", .absorption, default: "'3h'", "How long it takes.")
    let name = keys.optional("name", .text, "A name to show.")
    let eaten = keys.key("eaten", .bool, default: "true", "Whether it was eaten.")
    let entered = keys.key("entered", .bool, default: "true", "Whether the app was told.")
    return { field throws(UnusableKey) in
      if !field[eaten], !field[entered] {
        field.warnOfNoEffect("A meal that was neither eaten nor entered is none.")
      }
      return Meal(
        instant: try field[at],
        food: MealInput(grams: try field[grams].grams, absorption: field[absorption]),
        name: field[name], isEaten: field[eaten], isEntered: field[entered])
    }
  }
}
