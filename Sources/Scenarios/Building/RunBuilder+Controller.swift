public import Quantities
public import Simulation
public import StructuredText

/// What a scenario says of the program that decides.
public struct ControllerSpec: Sendable {
  /// The words that start the program; empty where the file names none.
  public var command: [String]
  /// The path of the record from which answers are taken, as the file writes it.
  public var transcript: String?
  /// The place in the file of the command or the record.
  public var place: TextPosition
  /// The seat; `nil` where the program chooses.
  public var seat: ControllerSeat?
  /// Which guards stand between program and pump, and what it is told.
  public var rules: ControllerRules
  /// Handed over to the program as they stand.
  public var parameters: JSONValue
  /// How long the program may take for an answer, and to start.
  public var timeout: TimeSpan
  /// How long the program may take to start.
  public var startTimeout: TimeSpan
  /// Whether a run fails when an answer does not come in time; otherwise the cycle does.
  public var failsOnTimeout: Bool
  /// The variables that the program gets beside the usual ones; `nil` for all of this process.
  public var environment: [(name: String, value: String)]?

  /// What holds where a scenario says nothing of a program.
  public static let standard = ControllerSpec(
    command: [], transcript: nil, place: TextPosition(file: "", line: 1, column: 1), seat: nil,
    rules: ControllerRules(), parameters: [:], timeout: .seconds(30), startTimeout: .seconds(60),
    failsOnTimeout: true, environment: nil)
}

extension RunBuilder {
  /// Reads `controller`, the program that decides in place of the app or of its algorithm.
  func controller() -> ControllerSpec? {
    let field = root["controller"]
    guard field.exists else { return nil }
    field.allowOnly([
      "command", "transcript", "seat", "parameters", "guards", "history", "timeout",
      "startTimeout", "onTimeout", "environment", "privileged",
    ])
    var spec = ControllerSpec.standard
    spec.place = field.position
    if field["command"].exists {
      spec.command = (field["command"].items() ?? []).compactMap { $0.text() }
      spec.place = field["command"].position
      if spec.command.first?.isEmpty != false {
        field["command"].error(
          "\"controller.command\" must have a program and its words, such as ['python3', "
            + "'pid.py'].")
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
    if field["seat"].exists {
      spec.seat =
        field["seat"].choice(of: Self.seats) == "algorithm" ? .algorithm : .controller
    }
    if let node = field["parameters"].node {
      _ = field["parameters"].members()
      spec.parameters = JSONValue(node)
    }
    spec.rules = ControllerRules(
      guards: field.standard("guards") { $0.choice() },
      history: field.standard("history") { $0.duration() },
      isPrivileged: field.standard("privileged") { $0.bool() })
    spec.timeout = field.standard("timeout") { $0.duration() }
    spec.startTimeout = field.standard("startTimeout") { $0.duration() }
    spec.failsOnTimeout =
      field.standard("onTimeout") { $0.choice(of: Self.timeoutWords) } == "fail"
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
