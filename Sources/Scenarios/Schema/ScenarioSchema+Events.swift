import Quantities

extension ScenarioSchema {
  /// One or more times: a time, a list, or every day.
  static let occurrence = Shape.either([
    .timeInRun, .list(.timeInRun),
    .object([
      SchemaKey("daily", .timeOfDay, "A time of day, such as `'07:15'`.").required,
      SchemaKey(
        "days", .list(.integer(0...3_660)), "all", "The days of the run, the start's being 0."),
      SchemaKey("jitter", .duration(.zero...(.hours(12))), "'0m'", "The most it is early or late."),
    ]),
  ])

  static let event = ObjectShape(
    EventKeys.shared.all, kinds: EventKind.all.map(\.schema), noun: "an event")

  /// What can be changed while a run goes on.
  static let settings: [SchemaKey] =
    therapy.filter { RunBuilder.therapyKeys.contains($0.name) }
    + app.filter { RunBuilder.appSettingKeys.contains($0.name) }

  /// The same by their paths in a scenario.
  static let settingPaths: [String] =
    RunBuilder.therapyKeys.map { "therapy.\($0)" } + RunBuilder.appSettingKeys.map { "app.\($0)" }
}
