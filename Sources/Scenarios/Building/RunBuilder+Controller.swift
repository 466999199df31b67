internal import Quantities
internal import Simulation
internal import StructuredText

extension RunBuilder {
  /// Reads `controller`, the program that decides in place of the app or of its algorithm.
  func controller() -> ProgramSpec? {
    let field = root["controller"]
    guard field.exists else { return nil }
    field.allowOnly([
      "command", "transcript", "seat", "parameters", "guards", "history", "timeout",
      "startTimeout", "onTimeout", "environment", "privileged", "manualBolus",
    ])
    var spec = program(field, .controller, such: "['python3', 'pid.py']")
    if field["seat"].exists {
      spec.seat =
        field["seat"].choice(of: Self.seats) == "algorithm" ? .algorithm : .controller
    }
    spec.rules = ControllerRules(
      guards: field.standard("guards") { $0.choice() },
      history: field.standard("history") { $0.duration() },
      isPrivileged: field.standard("privileged") { $0.bool() })
    if field["manualBolus"].exists {
      spec.rules.manualBolus = field["manualBolus"].choice(BolusAdviser.self)
    }
    spec.failsOnTimeout =
      field.standard("onTimeout") { $0.choice(of: Self.timeoutWords) } == "fail"
    return spec
  }

  /// Reads the keys of a block that say which program runs, and how long it may take.
  ///
  /// - Parameters:
  ///   - field: The block.
  ///   - role: What the program is in the run.
  ///   - example: A command as a file writes it, for sentences.
  /// - Returns: What the block says, with what holds where it says nothing.
  func program(_ field: Field, _ role: ProgramRole, such example: String) -> ProgramSpec {
    var spec = ProgramSpec.standard
    spec.role = role
    spec.place = field.position
    if field["command"].exists {
      spec.command = (field["command"].items() ?? []).compactMap { $0.text() }
      spec.place = field["command"].position
      if spec.command.first?.isEmpty != false {
        field["command"].error(
          "\"\(field["command"].path)\" must have a program and its words, such as \(example).")
      }
    }
    if field["transcript"].exists {
      if field["command"].exists {
        field["transcript"].error(
          "A run takes its answers from a program or from a record of one; remove \"command\" or "
            + "\"transcript\".")
      }
      spec.transcript = field["transcript"].text()
      spec.place = field["transcript"].position
    }
    if let node = field["parameters"].node {
      _ = field["parameters"].members()
      spec.parameters = JSONValue(node)
    }
    spec.timeout = field.standard("timeout") { $0.duration() }
    spec.startTimeout = field.standard("startTimeout") { $0.duration() }
    if field["environment"].exists {
      spec.environment = (field["environment"].members() ?? []).map {
        ($0.key, $0.field.text() ?? "")
      }
    }
    return spec
  }

  /// The words for where a program sits, and for what happens when it is late.
  static let seats = ["controller", "algorithm"]
  static let timeoutWords = ["fail", "skip"]
}
