internal import ClosedLoop
public import Quantities
internal import ScenarioLanguage
public import Simulation
public import StructuredText

/// What a scenario says of a program that decides, or is the body.
public struct ProgramSpec: Sendable {
  /// What the program is in the run.
  public var role = ProgramRole.controller
  /// The words that start the program; empty where the file names none.
  public var command: [String] = []
  /// The path of the record from which answers are taken, as the file writes it.
  public var transcript: String?
  /// The place in the file of the command or the record.
  public var place = TextPosition(file: "", line: 1, column: 1)
  /// The seat of one that decides; `nil` where the program chooses.
  public var seat: ControllerSeat?
  /// How one that decides does so.
  public var rules = ControllerRules()
  /// Handed over to the program as they stand.
  public var parameters: JSONValue = [:]
  /// The glucose with which a body is to begin; `nil` where that is its own affair.
  public var initialGlucose: GlucoseConcentration?
  /// How long the program may take for an answer.
  public var timeout = TimeSpan.seconds(30)
  /// How long it may take to start.
  public var startTimeout = TimeSpan.seconds(60)
  /// Whether a run fails when an answer does not come in time; otherwise the cycle does.
  public var failsOnTimeout = true
  /// The variables that the program gets beside the usual ones; `nil` for all of this process.
  public var environment: [(name: String, value: String)]?

  /// What holds where a scenario says nothing of a program.
  public static let standard = ProgramSpec()

  /// What the program does in the run, in a sentence.
  public var sentence: String {
    switch role {
    case .controller: "A program decides this run"
    case .body: "A program is the body of this run"
    }
  }
}

extension ProgramSpec {
  /// The keys of a block that say which program runs, and how long it may take.
  static func keys(
    of program: String, command: String, transcript: String, timeout: String
  ) -> Block<Self> {
    Block {
      $0.set(\.command, "command", .list(.text), else: "none", command)
      $0.set(optional: \.transcript, "transcript", .text, else: "none", transcript)
      let spans = Form.duration(.milliseconds(1)...(.hours(24)))
      $0.set(\.timeout, "timeout", spans, default: "'30s'", timeout)
      $0.set(
        \.startTimeout, "startTimeout", spans, default: "'60s'", "How long it may take to start.")
      $0.set(
        optional: \.environment, "environment",
        Form(.map(.text)) { field in
          field.members().map { members in members.map { ($0.key, $0.field.text() ?? "") } }
        }, else: "this process's",
        "The variables of \(program), beside `PATH`, `HOME`, `TMPDIR` and what makes Python print "
          + "at once.")
    }
  }

  /// The keys that say how a program is started, and how long it may take.
  private static let keysOfStarted = ["timeout", "startTimeout", "environment", "onTimeout"]

  /// The program with its place in a file; the example is a command as a file writes it.
  func placed(in field: Field, _ role: ProgramRole, such example: String) -> Self {
    let (command, transcript) = (field["command"], field["transcript"])
    var spec = self
    spec.role = role
    spec.place = [transcript, command].first(where: \.exists)?.position ?? field.position
    if command.exists, spec.command.first?.isEmpty != false {
      command.error(
        "\"\(command.path)\" must have a program and its words, such as \(example).")
    }
    if command.exists, transcript.exists {
      transcript.error(
        "A run takes its answers from a program or from a record of one; remove \"command\" or "
          + "\"transcript\".")
    } else if transcript.exists {
      for key in Self.keysOfStarted {
        field[key].warnOfNoEffect(
          "\"\(field[key].path)\" has no effect: a record answers, and no program is started.")
      }
    }
    return spec
  }

  /// The block `controller`: the program that decides in place of the app or of its algorithm.
  static let controller = Form<Self>.object { keys in
    let program = Self.keys(
      of: "the program",
      command: "The words that start the program; no shell runs. The first without `/` is looked "
        + "up in `PATH`; the folder of the file is the working directory. It is started only with "
        + "`--allow-programs`.",
      transcript: "The record of an earlier run's answers (`decisions.ndjson`), taken in place of "
        + "a program.", timeout: "How long the program may take for an answer.")
    keys.include(program)
    let seat = keys.optional(
      "seat", .words([("controller", ControllerSeat.controller), ("algorithm", .algorithm)]),
      else: "the program's",
      "What the program decides: `controller` all that the app does, `algorithm` what the Loop "
        + "algorithm recommends.")
    let parameters = keys.optional(
      "parameters", .parameters, else: "{}",
      "Handed over to the program; a sweep may set them.")
    let rules = Block<ControllerRules> {
      $0.set(
        \.guards, "guards", .choice(), default: "'app'",
        "Which guards stand between the program and the pump: `app` those of the settings too, "
          + "`pump` only those without which no pump could be commanded.")
      $0.set(
        \.history, "history", .duration(.hours(1)...(.days(7))), default: "'1d'",
        "How far back the program is told the past.")
      $0.set(
        \.isPrivileged, "privileged", .bool, default: "false",
        "Whether the program is told the truth about the body; every result says so.")
      $0.set(
        optional: \.manualBolus, "manualBolus", .choice(), else: "the program's",
        "Who recommends the boluses that people take as recommended: `program`, which must say "
          + "that it can (`\"can\":[\"bolus\"]`), or `loop`, the built-in algorithm.")
    }
    keys.include(rules)
    let fails = keys.key(
      "onTimeout", .words([("fail", true), ("skip", false)]), default: "'fail'",
      "What a late answer does: `fail` ends the run, `skip` fails the cycle, and what the pump "
        + "runs goes on.")
    return { field in
      var spec = ProgramSpec.standard
      program.read(field, into: &spec)
      spec.seat = field[seat]
      spec.parameters = field[parameters] ?? [:]
      rules.read(field, into: &spec.rules)
      spec.failsOnTimeout = field[fails]
      if spec.seat == .algorithm {
        field["history"].warnOfNoEffect(
          "\"controller.history\" has no effect with seat: 'algorithm': what is asked then is what "
            + "the Loop algorithm goes by.")
      }
      return spec.placed(in: field, .controller, such: "['python3', 'pid.py']")
    }
  }
}

extension Form where Value == JSONValue {
  /// An object that is handed over as it stands.
  static var parameters: Self {
    Form(.map(.anything)) { field in
      field.members().flatMap { _ in field.node.map { JSONValue($0) } }
    }
  }
}
