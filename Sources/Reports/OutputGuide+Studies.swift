internal import Studies

extension OutputGuide {
  /// What a study leaves in its folder.
  static let studies = Chapter(
    title: "What a study leaves",
    about: """
      In the folder of `loopsim study FILE`, and of `study merge`. Numbers are unrounded. An end \
      point is in its own unit, which stands beside it: glucose is in mmol/L where its metric is \
      written so, and in mg/dL else. A difference is treatment less control, whichever of both is \
      better. An interval in JSON is its two ends; one that lies beyond every number is "none", \
      and `null` is no interval. results.text.txt and results.checklist.md say the same to people.
      """,
    files: [
      File(
        name: "results.cases.csv",
        about: """
          A row for each run, also a failed one; so are the tables of shards/, of which the first \
          alone has the line of names. In place of ENDPOINT there is a column for each end point, \
          called as its `id`, with `_mmolL` or `_mmolL_per_h` behind it where glucose is in \
          mmol/L. One that is called as a column before or behind the figures has `endpoint_` \
          before its name; one that is \
          called as a figure keeps it, and that figure has `run_` before its own. The figures \
          behind them are those of every study, as GUIDE.md says of metrics, glucose in mg/dL. \
          Where a run cannot give a value, or failed, the cell is empty. What was not lived of a \
          lethal run counts as below every limit in shares of time; counts of events \
          are those until its end, and the low in which it ended is one; `suspendedMinutes` and \
          `differences` are those until its end too, and all else is empty.
          """, columns: StudyColumns.cases),
      File(
        name: "results.patients.csv",
        about: "A row for each comparison, end point and patient with a value in both arms.",
        columns: StudyColumns.patients),
      File(
        name: "results.harms.csv",
        about: "A row for each comparison, end point with a rule of harm, and patient who is "
          + "harmed under the treatment alone, those who differ most first.",
        columns: StudyColumns.harms),
      File(
        name: "results.surface.csv",
        about: "A row for each comparison of a study with a sweep. In place of SETTING there is a "
          + "column for each path of the sweep.",
        columns: StudyColumns.surface),
      File(
        name: "results.surface.csv of a sampled sweep",
        about: "A row for each point. ENDPOINT and SETTING are as above, and an end point that is "
          + "called as another column here has `endpoint_` before its name.",
        columns: StudyColumns.points),
      File(
        name: "results.sensitivity.csv by `sobol`",
        about: "A row for each end point and setting. Where nothing can be told cells are empty.",
        columns: StudyColumns.sobol),
      File(
        name: "results.sensitivity.csv by `morris`", about: "Alike.", columns: StudyColumns.morris),
      studySummary,
      File(
        name: "results.manifest.json", about: "Which results there are; it is written last.",
        columns: [
          ("format", "the number of this form, 1"), ("study", "the digest to cite, in short"),
          ("plan_sha256", "of plan.json"), ("files[].name", "the name of a file"),
          ("files[].bytes", "its size"), ("files[].sha256", "its digest"),
        ]),
      File(
        name: "plan.json",
        about: "What the study is made from. It never changes, and its digest names the study.",
        columns: [
          ("format", "`loopsim-plan/1`"),
          ("version", "the program that made it, and alone carries it out"),
          ("id", "the study"), ("title", "as the scenario has it, else its `id`"),
          ("file", "which of `files` is the study's own"),
          ("seed", "of the scenario, as text"),
          ("first_patient", "how many patients of the cohort come before: those of a pilot"),
          ("patients", "how many take part"), ("replicates", "runs of a patient in each arm"),
          ("arms", "the variants; one empty text without any"),
          ("points", "of the sweep; 1 without one"), ("units", "patients times replicates"),
          ("runs", "units times arms times points"),
          ("programs[].role", "what a program is in the runs; `programs` is absent without any"),
          ("programs[].command", "the words that start it"),
          ("programs[].name", "as it says"), ("programs[].version", "as it says"),
          ("programs[].privileged", "whether it is told the truth about the body"),
          ("pilot.patients", "how many patients the pilot had; `pilot` is absent without one"),
          ("pilot.sd", "the standard deviation of its differences, in the unit of the end point"),
          ("pilot.half_width", "half of the interval that is wished for, in that unit"),
          ("pilot.rows_sha256", "of the pilot's cases"),
          ("follows", "the digest of the plan that it goes on from; absent where it does not"),
          ("files[].path", "from the folder of the study's file"),
          ("files[].sha256", "of the text"), ("files[].text", "what is in it"),
        ]),
      File(
        name: "shards/*.manifest.json", about: "What a part of the study is, in one line.",
        columns: [
          ("format", "the number of this form, 1"), ("shard", "its number, from 0"),
          ("of", "how many shards there are"), ("plan_sha256", "of plan.json"),
          ("first_case", "the number of its first case"), ("cases", "how many it has"),
          ("failed", "how many of these failed"), ("files[].name", "the table of its cases"),
          ("files[].rows", "as `cases`"), ("files[].bytes", "its size"),
          ("files[].sha256", "its digest"),
        ]),
      File(
        name: "layout.json", about: "Into how many shards the study is divided in this folder.",
        columns: [
          ("format", "the number of this form, 1"), ("shards", "how many there are"),
          ("plan_sha256", "of plan.json"),
        ]),
      File(
        name: "attempts/*.json",
        about: "Where a shard was carried out; no result depends on it.",
        columns: [
          ("host", "the machine"), ("jobs", "how many runs it did at a time"),
          ("process", "the number of the process"),
          ("ended", "when it ended, seconds since 1970 in UTC"), ("seconds", "how long it took"),
        ]),
    ])

  private static let studySummary = File(
    name: "results.summary.json", about: "Everything that the study found.",
    columns: [
      ("format", "`loopsim-study/1`"), ("id", "the study"), ("title", "as in plan.json"),
      ("verdict", "the answer in a sentence"), ("version", "the program that ran it"),
      ("plan_sha256", "of plan.json"), ("cases_sha256", "of results.cases.csv"),
      ("follows", "the digest of the plan that it goes on from, or `null`"),
      ("seed", "of the scenario, as text"),
      ("confidence", "of intervals, %, but those of goals"),
      ("goal_confidence", "at which goals are tested, %: all comparisons share the error"),
      ("multiplicity", "how several goals share it: `sequence` or `holm`"),
      ("paired", "whether the arms share their chance"),
    ] + studyFlow + [
      ("arms_differ[].path", "a setting in which the arms differ"),
      (
        "arms_differ[].values",
        "what each arm has, as text, in the order of `flow.arms`; `null`"
          + " where it says nothing"
      ),
      ("arms_differ[].origin", "the file and line where it is written"),
      ("comparisons[].control", "the arm, or the point of the sweep, that is compared with"),
      ("comparisons[].treatment", "the one that is compared"),
      (
        "comparisons[].point",
        "what the sweep sets for the treatment, by its paths, as text; "
          + "`null` without a sweep"
      ),
      ("comparisons[].verdict", "what came of it, in a sentence"),
      ("comparisons[].lethal.{control,treatment}", "runs in which the body did not survive"),
      ("comparisons[].lethal.patients_newly", "patients who died under the treatment alone"),
      ("comparisons[].lethal.patients_spared", "patients who died under the control alone"),
      ("comparisons[].lethal.mcnemar_p", "of these two numbers, by the exact test, two-sided"),
    ] + endPoints.map { ("comparisons[].endpoints[].\($0.name)", $0.meaning) } + [
      ("comparisons[].harm[].endpoint", "one with a rule of harm"),
      ("comparisons[].harm[].rule", "who counts as harmed, such as `above 1`"),
      ("comparisons[].harm[].{control,treatment}", "patients harmed under the arm"),
      ("comparisons[].harm[].newly", "patients harmed under the treatment alone"),
      ("comparisons[].harm[].spared", "patients harmed under the control alone"),
      (
        "comparisons[].harm[].share",
        "`newly` of all with a difference, from 0 to 1, then its "
          + "interval; `null` without any"
      ),
      ("comparisons[].harm[].mcnemar_p", "of `newly` and `spared`, two-sided"),
      ("comparisons[].groups[].endpoint", "the end point; `groups` is empty without `strata`"),
      ("comparisons[].groups[].group", "as `study.strata` has it"),
      ("comparisons[].groups[].n", "its patients with a difference"),
      ("comparisons[].groups[].{control,treatment}", "their mean under the arm"),
      ("comparisons[].groups[].difference", "the mean of their differences"),
      ("comparisons[].groups[].interval", "of it; `null` below ten patients"),
      ("comparisons[].groups[].newly_harmed", "patients harmed under the treatment alone"),
    ] + studyRest)

  private static let studyFlow: [(name: String, meaning: String)] = [
    ("flow.patients", "how many take part"), ("flow.replicates", "runs of each in each arm"),
    ("flow.arms", "the variants; one empty text without any"),
    ("flow.points", "of the sweep; 1 without one"),
    ("flow.runs_planned", "runs of the plan: `ok`, `lethal` and `failed_runs` together"),
    ("flow.ok", "runs that came to their end"),
    ("flow.lethal", "runs in which the body did not survive"),
    ("flow.failed_runs", "runs that could not be carried out, or broke a law"),
    ("flow.failed[].reason", "why runs failed, the most frequent reason first"),
    ("flow.failed[].count", "how many runs did"),
    (
      "flow.implausible",
      "patients with a run of a control above 600 or below 20 mg/dL, or with "
        + "less than 20 % from 70 to 180 mg/dL by the sensor"
    ),
    (
      "flow.implausible_treated",
      "patients of whom a run of another arm alone is above 600 or "
        + "below 20 mg/dL; absent without any"
    ),
    (
      "flow.stopped_pumps.runs",
      "runs in which the pump gave nothing for a while, being "
        + "suspended, empty or broken; `stopped_pumps` is absent without any"
    ),
    ("flow.stopped_pumps.patients", "whose they are"),
    ("flow.stopped_pumps.longest_minutes", "the longest time in one run, min"),
    ("flow.stopped_pumps.longest_case", "the number of its case"),
    (
      "flow.stopped_pumps.arms[].name",
      "an arm with such runs, at its point of a sweep; none of a "
        + "sampled sweep"
    ),
    ("flow.stopped_pumps.arms[].runs", "how many it has"),
    ("flow.stopped_pumps.arms[].of", "of how many runs of the arm"),
  ]
}
