internal import ClosedLoop
internal import Determinism
internal import Devices
internal import Quantities
internal import Scenarios
internal import Simulation
internal import StructuredText

/// What a program is told of a run before its first question.
enum BeginMessage {
  /// What a program is told that is the body: it learns nothing of what the app believes.
  ///
  /// - Parameters:
  ///   - setup: The run.
  ///   - spec: What the scenario says of the program.
  ///   - opening: The members after the type, such as the name of the run.
  /// - Returns: The message.
  static func body(
    _ setup: Setup, _ spec: ProgramSpec, opening: [JSONValue.Member] = []
  ) -> JSONValue {
    var stream = RandomStream(seed: setup.seed, name: "body")
    return .object(
      [.init("type", "begin")] + opening + [
        .init("scenario", .string(setup.id)), .init("seed", .string("\(stream.next())")),
        .init("beginning", .time(setup.beginning)), .init("start", .time(setup.start)),
        .init("end", .time(setup.end)),
        .init(
          "initialGlucose", spec.initialGlucose.map { .number($0.mgdL) } ?? .null),
        .init("parameters", spec.parameters),
      ])
  }

  /// What a program is told that decides.
  static func value(
    _ setup: Setup, parameters: JSONValue, scenario: String, opening: [JSONValue.Member] = []
  ) -> JSONValue {
    var stream = RandomStream(seed: setup.seed, name: "controller")
    return .object(
      [.init("type", "begin")] + opening + [
        .init("scenario", .string(scenario)), .init("seed", .string("\(stream.next())")),
      ] + members(setup, parameters: parameters))
  }

  /// What holds for every run of a scenario: when it is, the settings, the pump and the sensor.
  static func members(_ setup: Setup, parameters: JSONValue? = nil) -> [JSONValue.Member] {
    let therapy = setup.app.therapy
    let pump = setup.pump.profile
    let sensor = setup.sensor.profile
    let settings = ControllerView.Settings(
      therapy: therapy, basal: therapy.basal, preset: nil,
      offset: setup.clock.offset(at: setup.start))
    return [
      .init("start", .time(setup.start)), .init("end", .time(setup.end)),
      .init("cycle", .number(setup.cycleInterval.seconds)),
    ] + (parameters.map { [.init("parameters", $0)] } ?? []) + [
      .init("settings", QuestionContent.settings(settings)),
      .init(
        "pump",
        [
          "model": .string(pump.id),
          "basalStep": .number(Double(pump.tempBasal.rates.smallest) / 1_000),
          "bolusStep": .number(Double(pump.bolusVolumes.smallest) / 1_000),
          "pulse": .number(pump.pulse.units),
          "maxBasal": .number(Double(pump.tempBasal.rates.maximum) / 1_000),
          "durationStep": .number(pump.tempBasal.durationStep.seconds),
          "maxDuration": .number(pump.tempBasal.maximumDuration.seconds),
          "reservoir": .number(pump.reservoirCapacity.units),
        ]),
      .init(
        "sensor",
        [
          "model": .string(sensor.id), "interval": .number(sensor.period.seconds),
          "range": [.number(sensor.minimum.mgdL), .number(sensor.maximum.mgdL)],
        ]),
    ]
  }
}
