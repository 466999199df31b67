import ClosedLoop
import Quantities
import Simulation

extension ScenarioSchema {
  static let controller: [SchemaKey] = [
    SchemaKey(
      "command", .list(.text), "none",
      "The words that start the program; no shell runs. The first without `/` is looked up in "
        + "`PATH`; the folder of the file is the working directory. It is started only with "
        + "`--allow-programs`."),
    SchemaKey(
      "transcript", .text, "none",
      "The record of an earlier run's answers (`decisions.ndjson`), taken in place of a program."),
    SchemaKey(
      "seat", .choice(RunBuilder.seats), "the program's",
      "What the program decides: `controller` all that the app does, `algorithm` what the Loop "
        + "algorithm recommends."),
    SchemaKey(
      "parameters", .map(.anything), "{}", "Handed over to the program; a sweep may set them."),
    SchemaKey(
      "guards", .choice(GuardSet.allCases.map(\.rawValue)), "'app'",
      "Which guards stand between the program and the pump: `app` those of the settings too, "
        + "`pump` only those without which no pump could be commanded."),
    SchemaKey(
      "history", .duration(.hours(1)...(.days(7))), "'1d'",
      "How far back the program is told the past."),
    SchemaKey(
      "timeout", .duration(.milliseconds(1)...(.hours(24))), "'30s'",
      "How long the program may take for an answer."),
    SchemaKey(
      "startTimeout", .duration(.milliseconds(1)...(.hours(24))), "'60s'",
      "How long it may take to start."),
    SchemaKey(
      "onTimeout", .choice(RunBuilder.timeoutWords), "'fail'",
      "What a late answer does: `fail` ends the run, `skip` fails the cycle, and what the pump "
        + "runs goes on."),
    SchemaKey(
      "environment", .map(.text), "this process's",
      "The variables of the program, beside `PATH`, `HOME`, `TMPDIR` and what makes Python print "
        + "at once."),
    SchemaKey(
      "privileged", .bool, "false",
      "Whether the program is told the truth about the body; every result says so."),
    SchemaKey(
      "manualBolus", .choice(BolusAdviser.allCases.map(\.rawValue)), "the program's",
      "Who recommends the boluses that people take as recommended: `program`, which must say that "
        + "it can (`\"can\":[\"bolus\"]`), or `loop`, the built-in algorithm."),
  ]
}
