internal import ClosedLoop
internal import Dosing
internal import Quantities
public import Simulation
public import StructuredText

extension RunTables {
  /// Every dose, one row each: what the body, the pump, the app and the health store have of it.
  public static func doses(_ run: RunResult, _ observation: RunObservation) -> CSVRows {
    let clock = run.clock
    let differences = run.agreement.differences
    let header = [
      "start", "start_utc", "end", "kind", "rate_U_per_h", "asked_U", "body_U", "pump_U", "pulses",
      "app_U", "health_store_U", "in_event_history", "source", "written_at",
      "deleted_from_event_history_at", "deleted_from_health_store_at", "difference",
    ]
    return CSVRows(header: header, of: DoseTable(run, observation).rows) { dose, table in
      table.field(dose.start, on: clock)
      table.field(dose.start, on: .utc)
      table.field(dose.end, on: clock)
      table.field(dose.kind.rawValue)
      table.field(dose.rate?.unitsPerHour, decimals: 3)
      for units in [dose.asked, dose.body, dose.pump] { table.field(units, decimals: 4) }
      table.field(dose.pulses.map { "\($0)" } ?? "")
      for units in [dose.app, dose.store] { table.field(units, decimals: 4) }
      table.field(dose.isInEventHistory.map { $0 ? "yes" : "no" } ?? "")
      table.field(dose.source ?? "")
      for instant in [dose.written, dose.deletedFromHistory, dose.deletedFromStore] {
        table.field(instant, on: clock)
      }
      var kinds: [RecordDifference.Kind] = []
      for place in dose.differences where !kinds.contains(differences[place].kind) {
        kinds.append(differences[place].kind)
      }
      table.field(kinds.map(\.rawValue).joined(separator: " "))
    }
  }

  /// Every pulse of the pump, what it counted and what of it reached the body.
  public static func pulses(_ run: RunResult) -> CSVRows {
    let header = ["time", "time_utc", "channel", "recorded_U", "body_U"]
    return CSVRows(header: header, of: run.pulses) { pulse, table in
      guard run.counts(pulse) else { return }
      table.field(pulse.instant, on: run.clock)
      table.field(pulse.instant, on: .utc)
      table.field(pulse.channel.rawValue)
      table.field(milliunits: pulse.recorded.milliunits)
      table.field(pulse.physicalUnits, decimals: 4)
    }
  }

  /// What the algorithm predicted, a row for each value: in the cycles that were kept, every half
  /// hour unless all values are asked for.
  public static func predictions(
    _ run: RunResult, _ observation: RunObservation, isWhole: Bool = false
  ) -> CSVRows {
    let clock = run.clock
    let header = ["cycle", "cycle_utc", "minutes", "glucose_mgdL"]
    return CSVRows(header: header, of: observation.predictions) { prediction, table in
      let thinned = isWhole ? nil : Array(prediction.places(every: .minutes(30)))
      for index in thinned ?? Array(prediction.mgdL.indices) {
        table.field(prediction.instant, on: clock)
        table.field(prediction.instant, on: .utc)
        table.field(minutes: prediction.time(of: index))
        table.field(prediction.mgdL[index], decimals: 2)
      }
    }
  }

  /// What each cycle of the loop knew and recommended, in numbers.
  public static func cycles(_ run: RunResult, _ observation: RunObservation) -> CSVRows {
    let header = [
      "time", "time_utc", "seconds", "iob_U", "cob_g", "predicted_lowest_mgdL",
      "predicted_eventual_mgdL", "temp_basal_U_per_h", "temp_basal_minutes", "bolus_U",
      "commands", "refusal", "no_momentum",
    ]
    return CSVRows(header: header, of: observation.cycles) { cycle, table in
      table.field(cycle.instant, on: run.clock)
      table.field(cycle.instant, on: .utc)
      table.field(thousandths: (cycle.instant - run.start).milliseconds, atLeast: 0)
      table.field(cycle.insulinOnBoard, decimals: 4)
      table.field(cycle.carbsOnBoard, decimals: 3)
      table.field(cycle.lowestPredicted?.mgdL, decimals: 2)
      table.field(cycle.eventualPredicted?.mgdL, decimals: 2)
      switch cycle.basal {
      case .none:
        table.field("")
        table.field("")
      case .cancel:
        table.field("")
        table.field("0")
      case .start(let rate, let duration):
        table.field(milliunits: rate.milliunitsPerHour)
        table.field(minutes: duration)
      }
      table.field(milliunits: cycle.bolus.milliunits)
      table.field("\(cycle.commands)")
      table.field(cycle.refusal ?? "")
      table.field(cycle.momentumAbsence?.rawValue ?? "")
    }
  }

  /// The therapy in force over the run, each setting with the place where it was written.
  public static func settings(_ report: RunReport) -> JSONValue {
    let run = report.summary.run
    let parts = report.observation.settings.map { part -> JSONValue in
      let therapy = part.therapy
      return [
        "from": .string(run.clock.iso8601(part.start)),
        "basal_U_per_h": entries(therapy.basal) { .number($0.unitsPerHour) },
        "sensitivity_mgdL_per_U": entries(therapy.sensitivity) { .rounded($0.mgdLPerUnit, 4) },
        "carb_ratio_g_per_U": entries(therapy.carbRatio) { .rounded($0.gramsPerUnit, 4) },
        "target_mgdL": entries(therapy.targets) {
          [.rounded($0.lower.mgdL, 2), .rounded($0.upper.mgdL, 2)]
        },
        "suspend_threshold_mgdL": .rounded(therapy.suspendThreshold?.mgdL, 2),
        "max_basal_U_per_h": .number(therapy.maximumBasalRate.unitsPerHour),
        "max_bolus_U": .number(therapy.maximumBolus.units),
        "max_active_insulin_U": .rounded(therapy.maximumActiveInsulin, 3),
        "dosing": .string(therapy.strategy.rawValue), "closed_loop": .bool(therapy.isClosedLoop),
        "insulin": .string(therapy.insulinType.rawValue),
        "insulin_model": .string(therapy.pumpInsulinModel.name),
        "application_factor": share(therapy.applicationFactor),
        "mid_absorption_isf": .bool(therapy.usesMidAbsorptionISF),
        "integral_rc": .bool(therapy.usesIntegralRetrospectiveCorrection),
        "positive_momentum_and_rc": .bool(therapy.includesPositiveVelocityAndRC),
      ]
    }
    return [
      "format": 1, "id": .string(run.id), "pulse_U": .number(run.pulseSize.units),
      "time_zone": .string(report.timeZone), "glucose_unit": .string(report.glucoseUnit.rawValue),
      "therapy": .array(parts), "written_in": .object(report.origins),
    ]
  }

  private static func share(_ factor: ApplicationFactor) -> JSONValue {
    switch factor {
    case .constant(let part): .number(part)
    case .glucoseBased: "glucoseBased"
    }
  }

  private static func entries<Value>(
    _ schedule: DailySchedule<Value>, _ json: (Value) -> JSONValue
  ) -> JSONValue {
    .array(schedule.entries.map { [.string($0.start.hoursAndMinutes), json($0.value)] })
  }
}
