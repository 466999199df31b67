import Physiology
import Quantities

/// What varies in a body.
extension ScenarioSchema {
  static let variability: [SchemaKey] = [
    SchemaKey(
      "sensitivitySD", deviation, "0",
      "The deviation of insulin sensitivity within the day, as a fraction; short for "
        + "`withinDay.insulinSensitivity`."),
    SchemaKey(
      "correlation", .duration(.minutes(5)...(.days(30))), "'3h'",
      "How long a deviation within the day lasts."),
    SchemaKey(
      "withinDay", .object(targets(deviation, "0", "The deviation of")), "{}",
      "Deviations that wander, as fractions."),
    SchemaKey(
      "betweenDays", .object(targets(deviation, "0", "The deviation of")), "{}",
      "Deviations of which each local day has one, as fractions."),
    SchemaKey(
      "oscillation",
      .object([
        SchemaKey(
          "of", .choice(Modulator.Target.allCases.map(\.rawValue)), "'insulinSensitivity'",
          "What oscillates."),
        SchemaKey("amplitude", .number(0...1, unit: ""), "By which part, up and down.").required,
        SchemaKey("period", .duration(.minutes(30)...(.days(40))), "'3h'", "From crest to crest."),
        SchemaKey("crest", .time, "the start", "A time at which it is highest."),
      ]), "none", "A regular swing, such as the menstrual cycle's or one of three hours."),
  ]

  static let pattern = targets(
    .schedule(.number(0.05...10, unit: "")), "1 all day", "The factor on")

  private static let deviation = Shape.number(0...2, unit: "")

  /// A key for everything that can be multiplied in a body.
  private static func targets(
    _ shape: Shape, _ standard: String, _ meaning: String
  ) -> [SchemaKey] {
    Modulator.Target.allCases.map { target in
      let what =
        switch target {
        case .insulinSensitivity: "how well insulin works"
        case .glucoseProduction: "what the liver gives"
        case .gastricEmptying: "how fast food leaves stomach and gut"
        case .insulinAbsorption: "how fast insulin leaves the skin"
        }
      return SchemaKey(target.rawValue, shape, standard, "\(meaning) \(what).")
    }
  }
}
