internal import ClosedLoop
internal import Devices
internal import Dosing
internal import Quantities
internal import Simulation
internal import StructuredText

/// Collects the figures of a ``StateReport``, part by part of the world.
struct StateSections {
  typealias Row = StateReport.Row
  typealias Section = StateReport.Section

  let state: StateSnapshot
  /// The unit of glucose in the text; the tree's keys say that it has mg/dL.
  let glucoseUnit: GlucoseUnit

  // MARK: - Body

  var body: Section {
    let body = state.body
    var rows = [
      Row(
        "glucose_mgdL", "glucose", .number(body.glucose.mgdL), words(body.glucose, decimals: 2)),
      Row(
        "glucose_at_sensor_mgdL", "glucose at the sensor", .number(body.sensedGlucose.mgdL),
        words(body.sensedGlucose, decimals: 2)),
      number("insulin_on_board_U", "insulin in the body", body.insulinOnBoard, "U", decimals: 4),
    ]
    let attached = body.isPumpAttached
    rows.append(
      Row("pump_attached", "pump attached", .bool(attached), attached ? "yes" : "no"))
    return Section(key: "body", title: "Body (the truth)", rows: rows)
  }

  // MARK: - Pump

  var pump: Section {
    let pump = state.pump
    let ledger = pump.ledger
    var rows = [Row("profile", "pump", .string(pump.profile.id), pump.profile.name)]
    rows += program(pump)
    if let bolus = pump.bolus {
      rows.append(
        Row(
          "bolus",
          "bolus",
          [
            "start": time(bolus.start), "asked_U": .number(bolus.asked.units),
            "delivered_U": .number(bolus.delivered.units), "automatic": .bool(bolus.isAutomatic),
          ],
          "\(bolus.delivered) of \(bolus.asked) given since \(clock(bolus.start))"))
    } else {
      rows.append(Row("bolus", "bolus", .null, "none"))
    }
    rows += [
      amount("reservoir_U", "reservoir", pump.reservoir),
      number(
        "owed_U", "fraction of a pulse owed", ledger.basal.pending.units, "U", decimals: 4),
      amount("basal_delivered_U", "basal given so far", ledger.basal.delivered),
      amount("bolus_delivered_U", "boluses given so far", ledger.boluses.delivered),
      number(
        "discarded_U", "basal discarded so far", ledger.basal.discarded.units, "U", decimals: 4),
      word("alarm", "alarm", pump.alarm.map { "\($0)" }),
      Row(
        "clock_error_seconds", "clock error", .number(pump.clockError.seconds),
        "\(pump.clockError)"),
    ]
    return Section(key: "pump", title: "Pump", rows: rows)
  }

  private func program(_ pump: StateSnapshot.Pump) -> [Row] {
    let program = pump.program
    let kind: String
    switch program.kind {
    case .scheduled: kind = "scheduled basal"
    case .tempBasal: kind = program.isAutomatic ? "automatic temp basal" : "temp basal"
    case .suspended: kind = "suspended"
    case .stopped(let alarm): kind = "stopped: \(alarm)"
    }
    let end = program.end.map { " until \(clock($0))" } ?? ""
    return [
      Row(
        "program",
        "basal",
        [
          "kind": .string(kind), "start": time(program.start),
          "end": program.end.map { time($0) } ?? .null,
        ],
        "\(kind) since \(clock(program.start))\(end)"),
      rate("rate_U_per_h", "rate", pump.rate),
      rate("scheduled_rate_U_per_h", "scheduled rate", pump.scheduledRate),
    ]
  }

  // MARK: - Sensor

  var sensor: Section {
    let sensor = state.sensor
    let status = sensor.status.rawValue
    return Section(
      key: "sensor", title: "Sensor",
      rows: [
        Row("profile", "sensor", .string(sensor.profile), sensor.profile),
        Row("status", "status", .string(status), status),
        Row("inserted", "inserted", time(sensor.insertion), clock(sensor.insertion)),
        Row(
          "last_measured_mgdL", "last measured",
          sensor.lastMeasured.map { .number($0.mgdL) } ?? .null,
          sensor.lastMeasured.map { words($0, decimals: 1) } ?? "unknown"),
        Row("next_sample", "next sample", time(sensor.nextSample), clock(sensor.nextSample)),
      ])
  }

  // MARK: - App

  /// Whose clock the times of a section are of, where the phone's is wrong: a cycle stands in the
  /// tables at another time then.
  private var byPhone: String { state.app.clockError == .zero ? "" : ", by the phone's clock" }

  var app: Section {
    let app = state.app
    let newest = app.newestGlucose
    var rows = [
      Row(
        "closed_loop", "loop", .bool(app.isClosedLoop), app.isClosedLoop ? "closed" : "open"),
      Row("phone", "phone", .string(state.phone.rawValue), state.phone.rawValue),
      Row(
        "clock_error_seconds", "clock error", .number(app.clockError.seconds),
        "\(app.clockError)"),
      Row(
        "glucose",
        "glucose",
        newest.map { ["time": time($0.instant), "mgdL": .number($0.glucose.mgdL)] } ?? .null,
        newest.map { "\(words($0.glucose, decimals: 1)) at \(clock($0.instant))" } ?? "none"),
      number(
        "insulin_on_board_U", "insulin on board", app.insulinOnBoard, "U",
        decimals: 4),
      number("carbs_on_board_g", "carbs on board", app.carbsOnBoard, "g", decimals: 2),
      word("preset", "preset", app.preset),
      word(
        "uncertain_command", "command without reply",
        app.uncertainCommands.isEmpty
          ? nil : app.uncertainCommands.map { "\($0)" }.joined(separator: ", ")),
      Row(
        "reported_until", "basal reported until", time(app.reportedUntil),
        clock(app.reportedUntil)),
    ]
    rows.append(carbEntries(app))
    rows.append(doses(app))
    return Section(key: "app", title: "App\(byPhone)", rows: rows)
  }

  private func carbEntries(_ app: StateSnapshot.App) -> Row {
    let entries = app.carbEntries
    let grams = entries.reduce(0) { $0 + $1.mass.grams }
    return Row(
      "carb_entries",
      "carb entries",
      .array(
        entries.map { entry in
          [
            "time": time(entry.date), "grams": .number(entry.mass.grams),
            "absorption_seconds": entry.absorptionTime.map { .number($0.seconds) } ?? .null,
          ]
        }),
      entries.last.map {
        "\(entries.count), \(decimal(grams, 1)) g; the latest \(decimal($0.mass.grams, 1)) g "
          + "at \(clock($0.date))"
      } ?? "none")
  }

  private func doses(_ app: StateSnapshot.App) -> Row {
    let doses = app.doses
    let shown = doses.map { dose -> JSONValue in
      [
        "kind": .string("\(dose.kind)"), "start": time(dose.start), "end": time(dose.end),
        "units": .number(dose.deliveredUnits ?? dose.programmedUnits),
        "running": .bool(dose.isMutable),
      ]
    }
    let boluses = doses.count { $0.kind == .bolus }
    return Row(
      "doses", "doses counted", .array(shown),
      doses.isEmpty
        ? "none" : "\(doses.count), of which \(WordList.counted(boluses, "bolus"))")
  }

  // MARK: - Health store and faults

  var store: Section {
    var rows: [Row] = []
    for samples in state.healthStore {
      let name = samples.data.rawValue
      rows.append(
        Row(
          "\(name)_samples", "\(name) samples", .integer(Int64(samples.count)),
          "\(samples.count)"))
      let unit: String
      switch samples.data {
      case .glucose: continue
      case .insulin: unit = "U"
      case .carbs: unit = "g"
      }
      rows.append(
        number("\(name)_total_\(unit)", "\(name), total", samples.total, unit, decimals: 3))
    }
    return Section(key: "health_store", title: "Health store", rows: rows)
  }

  var faults: Section {
    let ids = state.faults
    return Section(
      key: "faults", title: "Faults",
      rows: [
        Row(
          "active", "active", .array(ids.map { .string($0) }),
          ids.isEmpty ? "none" : ids.joined(separator: ", "))
      ])
  }

  // MARK: - Words

  func time(_ instant: Instant) -> JSONValue { .string(state.clock.iso8601(instant)) }

  /// The local time, with its date where that is another day than the state's, and with its offset
  /// where the clock has been set forward or back between them.
  func clock(_ instant: Instant) -> String {
    guard state.clock.offset(at: instant) == state.clock.offset(at: state.instant) else {
      return state.clock.iso8601(instant)
    }
    let civil = state.clock.civilTime(at: instant)
    let today = state.clock.civilTime(at: state.instant).dayNumber
    return civil.dayNumber == today
      ? "\(civil.timeOfDay)" : "\(civil.dateText) \(civil.timeOfDay)"
  }

  func decimal(_ value: Double, _ decimals: Int) -> String {
    FixedDecimal.text(value, decimals: decimals)
  }

  /// A glucose in the unit of the text.
  func words(_ glucose: GlucoseConcentration, decimals: Int) -> String {
    "\(decimal(glucose.mgdL / glucoseUnit.mgdL, decimals)) \(glucoseUnit.rawValue)"
  }

  func number(
    _ key: String, _ label: String, _ value: Double?, _ unit: String, decimals: Int
  ) -> Row {
    guard let value else { return Row(key, label, .null, "unknown") }
    return Row(key, label, .number(value), "\(decimal(value, decimals)) \(unit)")
  }

  private func amount(_ key: String, _ label: String, _ amount: InsulinAmount) -> Row {
    Row(key, label, .number(amount.units), "\(amount)")
  }

  private func rate(_ key: String, _ label: String, _ rate: InsulinRate) -> Row {
    Row(key, label, .number(rate.unitsPerHour), "\(rate)")
  }

  func word(_ key: String, _ label: String, _ word: String?) -> Row {
    Row(key, label, word.map { .string($0) } ?? .null, word ?? "none")
  }
}
