internal import Determinism
internal import Quantities
internal import ScenarioLanguage
internal import StructuredText

/// A setting of a sampled sweep with the law of its values.
struct SettingDistribution {
  /// What is drawn.
  private enum Values {
    case numbers(Distribution)
    /// Spans of time, in milliseconds.
    case spans(Distribution)
    /// Values of any kind, each alike.
    case choices([JSONNode])
  }

  let path: ScenarioPath
  /// The place of the path in the file.
  let position: TextPosition
  /// The law as the file has it.
  let text: String
  private let node: JSONNode
  private let values: Values
  /// Whether it is insulin, of which there are whole thousandths alone.
  private let isInsulin: Bool

  /// Reads paths with their laws; `nil` where something is wrong, all of which is reported.
  static func read(_ field: Field, _ insulin: InsulinPaths) -> [SettingDistribution]? {
    guard let members = field.node?.statedMembers, !members.isEmpty else {
      field.reportUnusable(expected: "an object of paths and the laws of their values")
      return nil
    }
    let settings = members.map { Self($0, field[$0.key], insulin) }
    return settings.contains { $0 == nil } ? nil : settings.compactMap(\.self)
  }

  private init?(_ member: JSONMember, _ field: Field, _ insulin: InsulinPaths) {
    let place = member.keyPosition
    guard let path = ScenarioPath(member.key, at: place, problems: field.problems),
      let values = Self.values(of: field)
    else { return nil }
    self.path = path
    position = member.keyPosition
    node = member.value
    text = JSONWriter(style: .json5).line(JSONValue(member.value))
    self.values = values
    isInsulin = insulin.contains(path)
  }

  private static func values(of field: Field) -> Values? {
    guard let members = field.node?.statedMembers else {
      field.reportUnusable(
        expected: "the law of its values: { uniform: [a, b] }, { normal: {…} }, "
          + "{ lognormal: {…} } or { choices: […] }")
      return nil
    }
    if let choices = field["choices"].node, members.count == 1 {
      guard let items = choices.items, items.count > 1 else {
        field["choices"].reportUnusable(expected: "a list of at least two values")
        return nil
      }
      return .choices(items)
    }
    guard Self.isOfSpans(field) else {
      return field.law(in: -1e12...1e12).flatMap { varying($0, field).map { .numbers($0) } }
    }
    return field.durationLaw(in: .days(-36_525)...(.days(36_525)))
      .flatMap { varying($0, field).map { .spans($0) } }
  }

  /// Whether the first value that the law names is a span of time.
  private static func isOfSpans(_ field: Field) -> Bool {
    let first = [
      field["uniform"][0], field["normal"]["mean"], field["lognormal"]["median"],
    ].first { $0.exists }
    return first?.node?.string != nil
  }

  /// The law, unless it has just one value: that could explain nothing.
  private static func varying(_ law: Distribution, _ field: Field) -> Distribution? {
    guard law.quantile(at: 0) < law.quantile(at: 1) else {
      field.error("This law has one value, which can explain nothing. Make it wider.")
      return nil
    }
    return law
  }

  /// How many values there are to choose from; `nil` where the law is one of numbers.
  var choices: Int? {
    if case .choices(let items) = values { items.count } else { nil }
  }

  /// The value below which a share of the law lies, from 0 to 1.
  func value(at share: Double) -> JSONNode {
    switch values {
    case .numbers(let law):
      let value = SweepValues.usable(law.quantile(at: share), isInsulin: isInsulin)
      return JSONNode(.number(value), at: node.position)
    case .spans(let law):
      let span = TimeSpan(milliseconds: Int64(law.quantile(at: share).rounded()))
      return JSONNode(.string(span.description), at: node.position)
    case .choices(let items):
      return items[min(Int(share * Double(items.count)), items.count - 1)]
    }
  }
}
