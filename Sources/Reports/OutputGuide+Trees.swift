internal import Expectations
internal import Scenarios
internal import Simulation

extension OutputGuide {
  /// The files that are trees of JSON.
  static let trees = [
    File(
      name: OutputSelection.summaryName,
      about: "The figures of a run; one that it cannot give is `null`. A run without an app has "
        + "`app`, which is `none`.",
      columns: [
        ("format", "the number of this form, 1"),
        ("id", "the run"), ("title", "as the scenario has it"),
        ("version", "the program that ran it"), ("seed", "of all that is random, as text"),
        ("scenario_digest", "of the scenario with all that it is made from"),
        ("digest", "of everything that the run left behind: the same in every replay"),
        ("start", "when the run began, by the local clock"), ("end", "when it ended"),
        ("glucose", "shares and extremes of true glucose"),
        (
          "insulin",
          "what the pump gave after the start, and what no pump gave (`external_U`), U; "
            + "`discarded_U`, and that as a part of the programmed basal, "
            + "`lost_to_pulses_percent`, are the ledger's, from the pump's beginning"
        ),
        ("loop", "cycles due, completed, enacted; only with an app"),
        (
          "records",
          "whether the records agree, and what each holds, as in ledger.json; `answer` is `null` "
            + "without an app"
        ),
        (
          "expectations",
          "each with `id`, `outcome` ("
            + words(ExpectationResult.Outcome.allCases.map(\.rawValue))
            + ") and `message`, and with `severity` where a failure is a `warning`; of a number "
            + "its `value`, `unit` and bounds `min`, "
            + "`max`, `equals`, `tolerance`, and `ratio` beside a difference; of a failure `at`, "
            + "the time to look at; `remark` where a run ended before the end of what is looked "
            + "at, and of moments that one side of a comparison alone has"
        ),
        (
          "troubles",
          "what went wrong, the worst first: `kind` ("
            + words(RunTrouble.Kind.allCases.map(\.rawValue))
            + "), `start`, `end`, `seconds` that it lasted in all, insulin on board being wrong "
            + "until the next row, `count`, `text`, and "
            + "`units` of the boluses that people asked for and that failed or were cut"
        ),
        ("violations", "laws of the simulation that were broken: `law`, `time`, `text`"),
        ("lethal", "when the body did not survive, and below which glucose; absent where it did"),
        (
          "faults",
          "the faults of the scenario that held: `id`, `start`, `end`, and `text` of what a person "
            + "did wrong; absent where none did"
        ),
        (
          "outcomes",
          "figures of the true glucose, under `cgm` those of the sensor's readings, each at its "
            + "own time, or at that of its row where it came later, and figures of insulin and of "
            + "the loop; a `metric` of an expectation gives any other"
        ),
        ("reporting", "how completely and how late the health store was told; only with an app"),
        ("source", "file, variant, sweep, patient, replicate, tags, zone, glucose unit"),
        (
          "outside_model", "how long glucose lay outside the model's range; absent where it did not"
        ),
        ("privileged", "`true` where a program that decides might see the truth; else absent"),
        ("guards", "how often each guard changed what a program asked for; only with a program"),
        ("step_check", "what half the step changes; only with `--check-step`"),
        ("notice", "that this is no medical device"),
      ]),
    File(
      name: OutputSelection.File.ledger.fileName,
      about: """
        The insulin accounts of the pump from its beginning, the time before the run \
        (`history`, `clock.preRoll`) included. So tell basal-segments.csv, event-history.csv, \
        insulin-delivery.csv and happenings.csv; the other tables begin with the run.
        """,
      columns: [
        ("id", "the run"), ("conserved", "whether every account balances"),
        ("basal", "programmed + anticipated = delivered + discarded + pending, U"),
        (
          "bolus",
          "what was asked, why less was started, and what became of it: delivered + cancelled + "
            + "lost + pending, U"
        ),
        (
          "reservoir",
          "filled = remaining + what `basal` and `bolus` have as delivered + primed + removed + "
            + "unrequested, U"
        ),
        (
          "body",
          "what the pump recorded, what of it reached the body (`absorbed_U`), and why the rest "
            + "did not, U; `taken_off_U` is there where the pump was taken off"
        ),
        ("records", "what each record holds, whether they agree, and every difference"),
      ]),
    File(
      name: OutputSelection.File.settings.fileName, about: "The therapy in force.",
      columns: [
        ("format", "the number of this form, 1"), ("id", "the run"),
        ("pulse_U", "what one pulse of the pump is, U"),
        ("time_zone", "of the local times"), ("glucose_unit", "in which the scenario is written"),
        (
          "therapy",
          "the settings from each instant on, in the units of their names; the times of day in "
            + "schedules are those of the clock that `app.scheduleZone` names: the pump's as it "
            + "was last set, which summer time and travel do not move, or the phone's; "
            + "`max_active_insulin_U` is `null` where nothing was said of it, which is twice the "
            + "largest bolus, `suspend_threshold_mgdL` 0 of `'none'`, and `application_factor` a "
            + "number or `glucoseBased`"
        ),
        ("written_in", "the file and line of each setting, or `derived`"),
      ]),
    File(
      name: "batch.json",
      about: """
        What the runs of the latest batch come to together. Of a part of a batch (`--shard 2/4`) \
        the two files are named `runs.2-of-4.csv` and `batch.2-of-4.json`. In one folder the rows \
        of all parts together are those of the whole batch, and `loopsim report FOLDER` draws its \
        page; what stands in a part's `batch.2-of-4.json` is of that part alone.
        """,
      columns: [
        ("format", "the number of this form, 1"), ("version", "the program that ran it"),
        ("runs", "how many runs have a result; all that follows is of these"),
        (
          "without_result",
          "the runs that came to none, each as `run` with its `reason`, files that cannot be read, "
            + "and the runs that `--fail-fast` has left out"
        ),
        (
          "failed",
          "in how many an expectation failed or a law of the simulation was broken"
        ),
        ("lethal", "in how many the body did not survive"),
        ("records_disagree", "in how many a record is wrong"),
        ("records_explained", "in how many records differ and every difference has its cause"),
        ("with_something_wrong", "in how many there is a trouble"),
        ("notice", "that this is no medical device"),
        (
          "arms",
          "each with the values of its sweep point by their paths as `set`, and for each figure n, "
            + "mean, SD, extremes and quartiles over the runs, of which `lethal` ended early and "
            + "count with the time that they lasted"
        ),
        ("troubles", "in how many runs each kind of trouble happened"),
        (
          "joint",
          "the expectations that look at several runs, with the keys of `expectations` of "
            + "summary.json, and `run`, `file` and `line`, with `line_in` where the line is in "
            + "another file, which that one extends"
        ),
        (
          "alike",
          "what more than three runs say alike, the same words with other numbers: the `kind` of "
            + "trouble, or `expectation`, in how many `runs`, the `first` of them, the `worst` "
            + "(of most insulin, or of the figure that was most wrong, then the longest), and its "
            + "`text`"
        ),
      ]),
  ]
}
