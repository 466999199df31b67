extension OutputGuide {
  /// What commands say of scenarios and runs.
  static let ofRuns = [
    File(
      name: "run --format json",
      about: """
        A list with an object for each run: its summary.json, to which `joint` alone is added. Of \
        a run that could not be carried out there are the keys below.
        """,
      columns: [
        ("id", "the run"), ("file", "its scenario file; only of a run that was not carried out"),
        ("expectations", "as in summary.json; `others` are further sentences of one"),
        ("joint", "the expectations over several runs that ended with this one; else absent"),
      ]),
    File(
      name: "verify --format json",
      about: """
        A list with an object for each run, for each file that cannot be read, and for each result \
        without a scenario.
        """,
      columns: [
        ("id", "the run"), ("file", "its scenario file, or the summary of such a result"),
        (
          "outcome",
          words(["same", "kept", "differs", "failed", "gone"])
            + ": `kept` by `--update`, and `gone` where no scenario has the result"
        ),
        ("digest", "as in summary.json; `null` where nothing came of the run"),
        ("differences", "the first of each file, or what is to be known of a result, sentences"),
        ("troubles", "as in summary.json"),
        ("failures", "expectations that fail the run, with the keys of `joint` in batch.json"),
        ("joint", "those that look at several runs and ended with this one, whatever came of them"),
      ]),
    File(
      name: "check --format json", about: "A list of what is wrong, in the order of the lines.",
      columns: [
        ("file", "where"), ("line", "from 1"), ("column", "from 1, in characters"),
        ("severity", words(["error", "warning", "note"])),
        ("code", "the kind of a warning, as `W-NOEFFECT`; `null` without one"),
        ("sentence", "what is wrong, and what was expected"),
      ]),
    File(
      name: "expand --format json",
      about: "A list with an object for each run; with `--list` of the ids alone.",
      columns: [
        ("run", "the id"), ("patient", "of the cohort, as its table has it; `null` without one"),
        ("seed", "of the scenario; of a replicate after the first its own follows from it"),
        ("replicate", "from 0"), ("values[].path", "the key with those that it is in"),
        ("values[].value", "as it counts in the run"),
        ("values[].file", "where it is written"), ("values[].line", "from 1"),
        ("values[].column", "from 1"),
      ]),
    replay, predict,
    File(
      name: "import --report", about: "What came of each file of another program's scenarios.",
      columns: [
        ("files[].file", "what was read"), ("files[].id", "of the scenario that was made"),
        ("files[].imported", "whether one was made"),
        ("files[].in.simulations", "how many the file has"),
        ("files[].out.runs", "how many runs the scenario has"),
        ("files[].problems[].place", "file, line and column"),
        ("files[].problems[].severity", "as of `check`"), ("files[].problems[].code", "alike"),
        ("files[].problems[].sentence", "what is to be known"),
      ] + amounts(of: "events", "files[].")),
  ]

  private static let replay = File(
    name: "replay --format json",
    about: """
      The state at the instant, with the units in the keys. Without an app (`app: 'none'`) there \
      are no `app`, `decision` and `health_store`. Times are by the local clock, in `app` and \
      `decision` by the phone's, and the figures of `decision` have six decimals.
      """,
    columns: [
      ("id", "the run"), ("seed", "of all that is random, as text"), ("time", "the instant"),
      ("since_start_seconds", "after the start of the run, s; below 0 before it"),
      ("body.glucose_mgdL", "in blood"), ("body.glucose_at_sensor_mgdL", "where the sensor is"),
      (
        "body.insulin_on_board_U",
        "that still acts in the body; `null` where its model does not know it"
      ),
      ("body.pump_attached", "whether the body gets what the pump gives"),
      ("pump.profile", "the id of the pump"),
      (
        "pump.program.kind",
        words(["scheduled basal", "temp basal", "automatic temp basal", "suspended"])
          + ", `stopped: ` and the alarm"
      ),
      ("pump.program.start", "since when"), ("pump.program.end", "until when; `null` if not known"),
      ("pump.rate_U_per_h", "that the pump runs"),
      ("pump.scheduled_rate_U_per_h", "of its schedule"),
      ("pump.bolus.start", "of the bolus that runs; `bolus` is `null` without one"),
      ("pump.bolus.asked_U", "what was asked"), ("pump.bolus.delivered_U", "what is given of it"),
      ("pump.bolus.automatic", "whether the algorithm asked for it"),
      ("pump.reservoir_U", "what is in the reservoir"),
      ("pump.owed_U", "the fraction of a pulse that is carried over"),
      ("pump.basal_delivered_U", "basal pulses so far"),
      ("pump.bolus_delivered_U", "bolus pulses so far"),
      ("pump.discarded_U", "basal that came to no pulse so far"),
      ("pump.alarm", "the alarm; `null` without one"),
      ("pump.clock_error_seconds", "by how much the pump's clock is ahead"),
      ("sensor.profile", "the id of the sensor"), ("sensor.status", "whether it gives readings"),
      ("sensor.inserted", "since when it is worn"),
      ("sensor.last_measured_mgdL", "before it is rounded; `null` before the first"),
      ("sensor.next_sample", "when it next measures"),
      ("app.closed_loop", "whether the loop is closed"), ("app.phone", "the state of the phone"),
      ("app.clock_error_seconds", "by how much the phone's clock is ahead"),
      ("app.glucose.time", "of the newest reading; `glucose` is `null` without one"),
      ("app.glucose.mgdL", "what it says"),
      ("app.insulin_on_board_U", "net, by the app's records; `null` while the phone is off"),
      ("app.carbs_on_board_g", "alike"), ("app.preset", "the preset that holds, else `null`"),
      ("app.uncertain_command", "commands without a reply, else `null`"),
      ("app.reported_until", "until when basal is in the health store"),
      ("app.carb_entries[].time", "of each entry that counts"), ("app.carb_entries[].grams", "g"),
      ("app.carb_entries[].absorption_seconds", "as it was entered; `null` for the usual time"),
      ("app.doses[].kind", "of each dose that counts"), ("app.doses[].start", "when it begins"),
      ("app.doses[].end", "when it ends"), ("app.doses[].units", "U"),
      ("app.doses[].running", "whether it may still change"),
      ("decision.time", "of the last cycle; `null`, and the only key, before the first"),
      ("decision.refusal", "why the algorithm decided nothing, else `null`"),
      ("decision.insulin_on_board_U", "net, that it reckoned with; `null` after a refusal"),
      ("decision.carbs_on_board_g", "alike"),
      (
        "decision.recommendation.rate_U_per_h",
        "of a temp basal, below 0 where insulin on board is above its limit; `recommendation` is "
          + "`null` without one"
      ),
      ("decision.recommendation.duration_seconds", "of the temp basal"),
      ("decision.recommendation.bolus_U", "`null` without a bolus"),
      ("decision.outcome", "what became of it, in words"),
      ("decision.commands", "what was sent to the pump, in words"),
      ("decision.predicted_glucose[].time", "of each step of the prediction"),
      ("decision.predicted_glucose[].mgdL", "what is predicted"),
      ("health_store.insulin_samples", "how many there are, of every source"),
      ("health_store.insulin_total_U", "what they hold"),
      ("health_store.glucose_samples", "how many there are"),
      ("health_store.carbs_samples", "how many there are"),
      ("health_store.carbs_total_g", "what they hold"),
      ("faults.active", "the ids of the faults that hold"),
      ("notice", "that this is no medical device"),
    ])

  private static let predict = File(
    name: "predict",
    about: """
      The output of LoopAlgorithm's runner, by its names: spans are in s and times in UTC. After \
      an error of the algorithm all lists are empty.
      """,
    columns: [
      ("predictedGlucose[].startDate", "from the current glucose to the end of every effect"),
      ("predictedGlucose[].quantity", "what is predicted"),
      ("predictedGlucose[].quantityUnit", "`mg/dL`"),
      ("effects.{insulin,carbs}[].startDate", "of each step"),
      ("effects.{insulin,carbs}[].quantity", "how glucose has changed by it till then, mg/dL"),
      ("effects.momentum[].startDate", "of each step, listed even where it is not used"),
      ("effects.momentum[].quantity", "how glucose has changed by its present trend, mg/dL"),
      ("effects.retrospectiveCorrection[].startDate", "alike"),
      ("effects.retrospectiveCorrection[].quantity", "a glucose, from the current one on, mg/dL"),
      ("effects.totalRetrospectiveCorrectionEffect", "mg/dL; absent where there is no effect"),
      (
        "effects.{insulinCounteraction,retrospectiveGlucoseDiscrepancies}[].startDate",
        "of each interval"
      ),
      ("effects.{insulinCounteraction,retrospectiveGlucoseDiscrepancies}[].endDate", "its end"),
      (
        "effects.insulinCounteraction[].mgdlPerSecond",
        "what glucose did beyond what insulin explains, mg/dL/s"
      ),
      (
        "effects.retrospectiveGlucoseDiscrepancies[].mgdl",
        "what it did beyond what insulin and carbs explain, added up, mg/dL"
      ),
      ("effects.carbStatus[].entry.date", "of the carb entry"),
      ("effects.carbStatus[].entry.grams", "what was entered, g"),
      (
        "effects.carbStatus[].entry.absorptionTime",
        "as it was entered, s; absent for the usual time"
      ),
      (
        "effects.carbStatus[].absorption.observed", "as in the runner, what remains of the entry, g"
      ),
      ("effects.carbStatus[].absorption.observedDateStart", "when absorption was first observed"),
      ("effects.carbStatus[].absorption.observedDateDuration", "for how long, s"),
      (
        "effects.carbStatus[].absorption.estimatedTimeRemaining",
        "until the entry is absorbed, if it goes on as observed, s"
      ),
      (
        "effects.carbStatus[].absorption.timeToAbsorbObservedCarbs",
        "that the observed carbs would take on the entry's own curve, s"
      ),
      (
        "effects.carbStatus[].observedTimeline[].startDate",
        "of each interval; `observedTimeline` is absent where less was observed than is assumed"
      ),
      ("effects.carbStatus[].observedTimeline[].endDate", "its end"),
      ("effects.carbStatus[].observedTimeline[].value", "what was absorbed in it, g"),
      ("dosesRelativeToBasal[].startDate", "of each dose, or of a part of it"),
      ("dosesRelativeToBasal[].endDate", "its end"),
      ("dosesRelativeToBasal[].volume", "all of it, U"),
      ("dosesRelativeToBasal[].type.bolus", "an object without keys; of basal absent"),
      ("dosesRelativeToBasal[].type.basal.scheduledRate", "U/h; of a bolus absent"),
      ("activeInsulin", "net insulin on board, U; may be below 0; `null` after an error"),
      ("activeCarbs", "carbs on board, g; `null` after an error"),
      (
        "recommendation.automatic.basalAdjustment.unitsPerHour",
        "U/h; `recommendation` is absent after an error"
      ),
      ("recommendation.automatic.basalAdjustment.duration", "s"),
      ("recommendation.automatic.direction", words(["decrease", "neutral", "increase"])),
      ("recommendation.automatic.bolusUnits", "U; absent without a bolus"),
      ("recommendation.manual.amount", "a bolus for the person to decide on, U"),
      (
        "recommendation.manual.notice",
        "why it is so, a word, or a word with the glucose that it is about; absent without one"
      ),
      ("error", "the name of the error; absent without one"),
    ])

  /// What commands say of bodies and devices.
  static let ofDevices = [
    File(
      name: "patients --format csv", about: "A row for each parameter of each patient.",
      columns: patientParameters),
    File(
      name: "patients --format json", about: "A list with an object for each patient.",
      columns: [
        ("id", "the patient"), ("model", "the equations of its body"),
        ("source", "where these and the parameters are from"),
        (
          "basal_U_per_h_at_120_mgdL",
          "the basal that holds 120 mg/dL, U/h; `null` where none does"
        ),
        ("parameters[].name", "as in the source"), ("parameters[].value", "in full"),
        ("parameters[].unit", "`1` of a number without one"),
      ]),
    File(
      name: "pumps, sensors --format csv",
      about: "A row for each property of each pump, or of each sensor, in words for people.",
      columns: deviceProperties),
    File(
      name: "pumps, sensors --format json",
      about: "A list with an object for each pump, or for each sensor.",
      columns: [
        ("id", "as a scenario names it"), ("name", "as people do"),
        ("properties[].property", "which"), ("properties[].value", "in words"),
      ]),
    accuracy,
  ]

  /// The columns of `patients --format csv`, each with what it means.
  public static let patientParameters: [(name: String, meaning: String)] = [
    ("id", "the patient"), ("model", "the equations of its body"),
    ("parameter", "as in the source"), ("value", "in full"),
    ("unit", "`1` of a number without one"),
  ]

  /// The columns of `pumps` and `sensors` with `--format csv`, each with what it means.
  public static let deviceProperties: [(name: String, meaning: String)] = [
    ("id", "as a scenario names it"), ("name", "as people do"), ("property", "which"),
    ("value", "in words"),
  ]

  private static let accuracy = File(
    name: "cgm accuracy --format json",
    about: """
      How well readings agree with their references. Readings of LOW and HIGH are counted apart. \
      A figure of no pairs is `null`, and so is a standard deviation of one.
      """,
    columns: [
      ("format", "`loopsim-accuracy/1`"), ("title", "what is judged"),
      ("pairs", "how many have a value"), ("low", "readings of LOW"), ("high", "readings of HIGH"),
      ("mard_percent", "the mean absolute relative difference, %"),
      ("median_ard_percent", "the median, %"),
      ("mean_relative_difference_percent", "the mean with its sign, %"),
      (
        "mard_interval_percent",
        "its 95 % interval by drawing sensors, %; `null` below two sensors"
      ),
      (
        "persistence.autocorrelation[].minutes",
        "between two errors of a sensor, against interstitial glucose; `persistence` is `null` of "
          + "a table"
      ),
      ("persistence.autocorrelation[].correlation", "of errors so far apart"),
      ("persistence.readings_due", "how many were due"),
      ("persistence.readings_missing", "how many of them did not come when they were due"),
      ("persistence.missing_percent", "these of those, %"),
    ]
      + [
        ("name", "all, the range of the reading in mg/dL, or the day of wear"),
        ("n", "pairs"), ("mard_percent", "the mean absolute relative difference, %"),
        ("bias_mgdL", "the mean difference, reading less reference"),
        ("sd_mgdL", "the sample standard deviation of the differences"),
      ].map { ("{all,by_range[],by_day[]}.\($0.0)", $0.1) }
      + [
        (
          "{all,by_range[],by_day[]}.within_{15,20,30,40}_percent",
          "readings within so many mg/dL of a reference below 100 mg/dL, or so many % of a higher "
            + "one, %"
        ),
        ("icgm[].criterion", "`A` to `K` of the special controls, 21 CFR 862.1355"),
        ("icgm[].rule", "in words"), ("icgm[].n", "pairs that it judges"),
        ("icgm[].share_percent", "those that keep to it, of `H` to `K` that break it, %"),
        (
          "icgm[].lower_bounds_percent.{normal,wilson,exact}",
          "of the share, one-sided at 95 %, by three methods; `lower_bounds_percent` is `null` of "
            + "`H` to `K` and of no pairs"
        ),
        ("icgm[].limit_percent", "that the bound must exceed, of `H` to `K` the most of the share"),
        ("icgm[].met", "whether it is met, by the exact bound; `null` of no pairs"),
        ("icgm[].few_pairs", "whether there are too few to say"),
        ("{clarke,parkes1,parkes2}_percent.{A,B,C,D,E}", "pairs in the zone, %"),
        (
          "surveillance_percent",
          "pairs of no, slight, moderate, high and extreme risk, %; `null` without `--surveillance`"
        ),
        (
          "rates[].n",
          "pairs of each class of the reading's rate: below -2, to -1, to 0, to 1, to 2, above 2 "
            + "mg/dL/min"
        ),
        ("rates[].percent", "their references' rates in the same classes, % of the row"),
      ])
}
