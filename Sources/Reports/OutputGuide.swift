internal import Expectations
internal import Scenarios
internal import Simulation

/// What every file of a result and of a study holds, and every answer of a command in JSON, column
/// by column: the text of Scenarios/OUTPUT.md.
///
/// A test holds the columns against what is written, and the text against the file.
public enum OutputGuide {
  /// One file of a result.
  public struct File: Sendable {
    /// The name of the file.
    public var name: String
    /// What a row is, or what the tree tells.
    public var about: String
    /// The columns of a table, or the keys of a tree, each with its meaning; in their order.
    ///
    /// A key of a tree within others has their names before it, with `[]` behind that of a list;
    /// what is alike under several is written once, as `{control,treatment}.mean`.
    public var columns: [(name: String, meaning: String)]

    /// The names of the columns, each written out.
    public var names: [String] { columns.flatMap { Self.written(out: $0.name[...]) } }

    private static func written(out name: Substring) -> [String] {
      guard let open = name.firstIndex(of: "{"), let close = name.firstIndex(of: "}"),
        open < close
      else { return [String(name)] }
      let rest = written(out: name[name.index(after: close)...])
      return name[name.index(after: open)..<close].split(separator: ",").flatMap { word in
        rest.map { name[..<open] + word + $0 }
      }
    }
  }

  /// Files that belong together.
  public struct Chapter: Sendable {
    /// What they are of.
    public var title: String
    /// What holds for all of them.
    public var about: String
    /// The files.
    public var files: [File]
  }

  /// What else there is than the files of a result.
  public static let chapters = [studies, records, stores, answers]

  /// The tables of a run, of a batch, and the trees.
  public static let files: [File] = runTables + [doses, pulses, cycles, predictions, runs] + trees

  private static let local = "local time, ISO 8601 with its offset"
  private static let utc = "the same instant in UTC"

  /// The words that a cell may hold.
  static func words(_ cells: [String]) -> String {
    cells.map { "`\($0)`" }.joined(separator: ", ")
  }

  private static var runTables: [File] {
    [
      File(
        name: OutputSelection.File.timeline.fileName,
        about: "A row for each step of the output. Amounts are those since the row before. A run "
          + "without an app (`app: 'none'`) leaves out the columns that tell of one: "
          + "carbs_entered_g, iob_U, iob_total_U, cob_g, recommendation and mode.",
        columns: [("time", local), ("seconds", "since the start of the run, s")]
          + SeriesExpression.Name.allCases.map { ($0.column, meaning(of: $0)) } + [
            ("recommendation", "what the latest cycle decided, in words; empty without one"),
            (
              "mode",
              "`suspended` while delivery is suspended, else `off` while the app does "
                + "not run, else `closedLoop` or `openLoop`; a pump that an alarm has stopped "
                + "changes nothing of it"
            ),
          ]),
      File(
        name: OutputSelection.File.basalSegments.fileName,
        about: "A row for each basal sample of the app in the health store, by start.",
        columns: [
          ("start", local), ("end", local),
          ("rate_U_per_h", "the rate that the app takes to be programmed, U/h"),
          ("units", "in the sample, U: the pulses in (start, end]"),
          ("kind", "`basal`, `tempBasal` or `suspend`"), ("source", "the app that wrote it"),
          ("written_at", "when it was written"), ("sample_id", "the sample's UUID"),
        ]),
      File(
        name: OutputSelection.File.eventHistory.fileName,
        about: "A row for each pump event of the app, with those that a person has deleted.",
        columns: [
          ("time", local), ("kind", words(EventCheck.Place.eventHistory.kinds)),
          ("end", "the end of the dose; of what has no length `time` again"),
          ("rate_U_per_h", "of a temp basal, U/h"), ("programmed_U", "asked in a bolus, U"),
          (
            "delivered_U",
            "as the pump reported, U; empty while it runs. Of a dose of which the pump never told, "
              + "the app counts a bolus as given, and a temp basal has none"
          ),
          ("automatic", "whether the algorithm asked for it"),
          ("mutable", "whether the dose may still change"), ("identifier", "of the event"),
          ("deleted_at", "when a person deleted the entry; empty where nobody did"),
        ]),
      File(
        name: OutputSelection.File.insulinDelivery.fileName,
        about: "A row for each dose that the app counts.",
        columns: [
          ("start", local), ("end", local), ("kind", "`basal`, `tempBasal`, `suspend`, `bolus`"),
          ("units", "that count: delivered where known, programmed otherwise, U"),
          ("scheduled_rate_U_per_h", "of the schedule beneath it, U/h"),
          ("from_pump", "whether the pump gave it"),
          (
            "mutable",
            "whether it ran when the app last looked: an app that was stopped did not see its end"
          ),
          ("source", "who told of it"), ("identifier", "of the dose"),
        ]),
      File(
        name: OutputSelection.File.happenings.fileName,
        about: "Everything that happened, in the order of time.",
        columns: [
          ("time", local), ("kind", words(EventCheck.Place.timeline.kinds)),
          ("name", "of the fault, alarm or event"),
          ("text", "one sentence"),
        ]),
    ]
  }

  private static func meaning(of series: SeriesExpression.Name) -> String {
    switch series {
    case .glucoseTrue: "glucose in blood, mg/dL"
    case .glucoseCGM:
      "the latest reading that came since the row before, mg/dL; empty without one. The app, or "
        + "without one the person at the receiver, takes readings in at its cycles "
        + "(`clock.loopEvery`)"
    case .scheduledRate: "of the pump's schedule, U/h"
    case .programmedRate: "that the pump runs, U/h; 0 while it is suspended or stopped"
    case .basal: "basal pulses since the row before, U"
    case .bolus: "bolus pulses since the row before, U"
    case .carbsEaten: "eaten since the row before, g"
    case .carbsEntered: "entered in the app since the row before, g"
    case .iobApp: "net IOB by the app's records, U: relative to the basal schedule after presets"
    case .iobAppTotal: "total IOB by the app's records, U: with the scheduled basal"
    case .iobTrue: "net IOB by what entered the body, U, counted with Loop's curves as `iob_U`"
    case .iobTrueTotal: "total IOB by what entered the body, U"
    case .bodyInsulin: "insulin that the body's model holds, U, by its own kinetics"
    case .cobApp: "carbs on board that the app believes in, g"
    }
  }

  private static let doses = File(
    name: OutputSelection.File.doses.fileName,
    about:
      "A row for each dose, as the body, the pump, the app and the health store have it; of basal "
      + "for each sample, in which temp basals of one rate that follow one another are together, "
      + "and without samples for each program of the pump and entry of its schedule. Where samples "
      + "of basal overlap, a pulse stands in the first of their rows. One that ran over the start "
      + "of the run is whole, with its pulses of before.",
    columns: [
      ("start", local), ("start_utc", utc), ("end", local),
      ("kind", words(DoseRow.Kind.allCases.map(\.rawValue))),
      ("rate_U_per_h", "the programmed rate of basal, U/h; empty where it changed within"),
      ("asked_U", "rate times duration, or the bolus that was asked for, U"),
      ("body_U", "that reached the body, U"), ("pump_U", "that the pump counted, U"),
      ("pulses", "how many of `pulse_U` in settings.json"),
      ("app_U", "that the app counts, U; empty where it has no row"),
      ("health_store_U", "in the health store, U; empty where there is no sample"),
      (
        "in_event_history",
        "`yes` or `no`; empty for scheduled basal, which is no event, for `stopped` and for what "
          + "no command asked of the pump, and without an app"
      ),
      ("source", "who wrote the sample, or what was injected"), ("written_at", local),
      ("deleted_from_event_history_at", local), ("deleted_from_health_store_at", local),
      (
        "difference",
        "the kinds of differences that concern it, as in ledger.json: of what the body did not "
          + "get, those of its time; none that are about the whole run"
      ),
    ])

  private static let pulses = File(
    name: OutputSelection.File.pulses.fileName,
    about:
      "A row for each time that the pump gave something: one pulse, or as many as a pump gives "
      + "at once that delivers what is due every few minutes, or faster than one by one.",
    columns: [
      ("time", local), ("time_utc", utc),
      (
        "channel",
        "why it was given: "
          + words(PumpPulseRecord.Channel.allCases.map(\.rawValue))
          + ", the last of which came free behind an occlusion"
      ),
      ("recorded_U", "what the pump counted, U"), ("body_U", "what reached the body, U"),
    ])

  private static let cycles = File(
    name: OutputSelection.File.cycles.fileName,
    about: "A row for each cycle of the loop: what it knew and recommended. The one at the very "
      + "end of a run has a row, and is not counted among the cycles that were due, nor "
      + "completed; one that was missed is counted as due, and has none.",
    columns: [
      ("time", local), ("time_utc", utc), ("seconds", "since the start of the run, s"),
      ("iob_U", "net IOB by the app's records, U"), ("cob_g", "carbs on board, g"),
      ("predicted_lowest_mgdL", "the lowest predicted glucose, mg/dL"),
      ("predicted_eventual_mgdL", "the last predicted glucose, mg/dL"),
      ("temp_basal_U_per_h", "the rate of the temp basal to start, U/h; else empty"),
      (
        "temp_basal_minutes",
        "how long it lasts; 0 where a temp basal is to end, empty where nothing is to change"
      ),
      ("bolus_U", "the automatic bolus, U"), ("commands", "how many the app had for the pump"),
      ("refusal", "why nothing could be dosed; empty where a dose could be given"),
      (
        "no_momentum",
        "why the app's own algorithm predicted without momentum: `fewReadings` (less than three in "
          + "15 minutes), `gap`, `jump`, `calibration`, `sources` (readings of two), or `rising` "
          + "(which is not to count); else empty"
      ),
    ])

  private static let predictions = File(
    name: OutputSelection.File.predictions.fileName,
    about: "What the algorithm predicted in a cycle of every half hour, half an hour apart; with "
      + "`output.save: ['predictions']` in every cycle, in its own steps. Of two cycles at one "
      + "instant (`app.doubleRun`) it is that of the second; cycles.csv has a row of both.",
    columns: [
      ("cycle", local), ("cycle_utc", utc),
      (
        "minutes",
        "after the cycle: of the algorithm's own steps the first is that of the newest reading, "
          + "below 0 where it is older, and the others are whole five minutes of the phone's "
          + "clock; half an hour apart the first is the nearest to the cycle"
      ),
      ("glucose_mgdL", "predicted, mg/dL"),
    ])

  private static let placeWords = [
    "file": "the scenario file, as it was named",
    "scenario": "the id of the scenario",
    "variant": "the name of the variant; empty without one",
    "replicate": "the number of the replicate, from 0",
    "tags": "of the scenario, with blanks between",
    "start": "when the run began, by the local clock",
    "end": "when it ended: earlier than the scenario says where the body did not "
      + "survive",
    "seed": "the run's own: that of the scenario or of `--seed`, or made from it for a "
      + "replicate but the first and for a patient of a cohort with chance of its "
      + "own",
    "digest": "of everything that the run left behind, as in summary.json",
    "verdict": "`ok`, or `failed` where an expectation failed or a law of the simulation "
      + "was broken",
    "expectations_passed": "how many expectations hold",
    "expectations": "how many there are, those that look at several runs left out",
    "differences": "how many differences there are between the records, notes included, as in "
      + "ledger.json",
    "cycles_due": "how many cycles of the loop were due",
    "cycles_completed": "how many of these completed",
    "lethal": "`yes` where the body did not survive, else `no`",
    "went_wrong": "how many `troubles` summary.json has",
    "troubles": "their kinds, each once, with blanks between: whose insulin on board was wrong has "
      + "`wrongInsulinOnBoard`",
    "sweep_point": "the number in `s0`, of the point of the sweep; empty without a sweep",
    "set": "what the sweep and the cohort's table set in the run: a JSON object of the values by "
      + "their paths; empty where they set nothing",
    "records_agree": "`yes`, `explained` or `no`, as `records.answer` of summary.json; empty "
      + "without an app",
    "patient": "of the cohort, as its folder is named; without a cohort `patient.name`, where the "
      + "scenario has one",
    "patient_in_table": "the name that the cohort's table has, as it is written there; it differs "
      + "from `patient` where that cannot be the name of a folder, and is there twice where the "
      + "table has it twice",
  ]

  private static let runs = File(
    name: "runs.csv",
    about: "A row for each run of the latest batch with a result; in the folder above the runs.",
    columns: BatchTables.places.map { ($0, placeWords[$0] ?? "of the run") }
      + BatchRow.Figure.allCases.map { ($0.rawValue, $0.meaning) })

  /// The text of the guide.
  public static var markdown: String {
    var text = """
      # What a result holds

      Every table is comma-separated UTF-8 with one line of names, a unit in the name of every
      amount, and `.` before decimals. Insulin is in U, glucose in mg/dL whatever unit the scenario
      is written in, positive means given or held. A stretch (start, end] holds the pulse at its
      end. An empty cell means that there is no value.

      Glucose and insulin in the tables of a run are rounded to the decimals that are shown.
      Figures are made from the values before that, so that a count over the rows may differ from
      them by a reading that lies at a limit.

      The names, units and meanings below stay as they are while the number `format` is 1; columns
      may be added at the end. This file is generated: `loopsim schema --format output`.

      """
    for file in files { text += section(file) }
    for chapter in chapters {
      text += "\n# \(chapter.title)\n\n\(chapter.about)\n"
      for file in chapter.files { text += section(file) }
    }
    return text
  }

  private static func section(_ file: File) -> String {
    file.columns.reduce(
      "\n## \(file.name)\n\n\(file.about)\n\n| name | meaning |\n| --- | --- |\n"
    ) { $0 + "| `\($1.name)` | \($1.meaning) |\n" }
  }
}
