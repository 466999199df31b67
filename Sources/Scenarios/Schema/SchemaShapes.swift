import Quantities

/// The shapes of the format by the paths of its keys.
///
/// Readers take the ranges of values from here, so that what the reference publishes, what the
/// check accepts and what a run is built from cannot differ.
enum SchemaShapes {
  private static let shapes: [String: [Shape]] = {
    var shapes: [String: [Shape]] = [:]
    for row in SchemaTable().rows { add(row.shape, at: row.path, to: &shapes) }
    return shapes
  }()

  private static func add(_ shape: Shape, at path: String, to shapes: inout [String: [Shape]]) {
    shapes[path, default: []].append(shape)
    switch shape {
    case .list(let item), .pair(let item): add(item, at: "\(path)[]", to: &shapes)
    case .listOrOne(let item):
      add(item, at: path, to: &shapes)
      add(item, at: "\(path)[]", to: &shapes)
    case .either(let alternatives):
      for alternative in alternatives { add(alternative, at: path, to: &shapes) }
    case .map(let value): add(value, at: "\(path).<name>", to: &shapes)
    case .schedule(let value): add(value, at: "\(path)[][]", to: &shapes)
    case .glucoseRange(let range): add(.glucose(range), at: "\(path)[]", to: &shapes)
    default: break
    }
  }

  /// What the format takes at a path such as `events[3].bolus.units`; empty where it has no key.
  static func shapes(at path: String) -> [Shape] {
    let general = SchemaDefaults.generalised(path)
    if let found = shapes[general] { return found }
    let settings = "events[].settings."
    if general.hasPrefix(settings) {
      let key = general.dropFirst(settings.count)
      return shapes["therapy.\(key)"] ?? shapes["app.\(key)"] ?? []
    }
    guard let dot = general.lastIndex(of: ".") else { return [] }
    return shapes["\(general[..<dot]).<name>"] ?? []
  }

  /// The range that one of the shapes at a path has; `nil` where none has one of this kind.
  static func range<Bound>(
    at path: String, _ pick: (Shape) -> ClosedRange<Bound>?
  ) -> ClosedRange<Bound>? {
    shapes(at: path).lazy.compactMap(pick).first
  }
}

extension Shape {
  /// The range of a plain number.
  ///
  /// Like the other ranges here, it is `nil` for every other shape.
  var numbers: ClosedRange<Double>? {
    if case .number(let range, _) = self { range } else { nil }
  }
  /// The unit in which a number is told in sentences.
  var unit: String? {
    if case .number(_, let unit) = self, !unit.isEmpty { unit } else { nil }
  }
  var integers: ClosedRange<Int64>? {
    if case .integer(let range) = self { range } else { nil }
  }
  var spans: ClosedRange<TimeSpan>? {
    if case .duration(let range) = self { range } else { nil }
  }
  var glucoses: ClosedRange<Double>? {
    if case .glucose(let range) = self { range } else { nil }
  }
  var glucoseChanges: ClosedRange<Double>? {
    if case .glucoseChange(let range) = self { range } else { nil }
  }
  var glucoseRanges: ClosedRange<Double>? {
    if case .glucoseRange(let range) = self { range } else { nil }
  }
  var amounts: ClosedRange<Double>? {
    if case .units(let range) = self { range } else { nil }
  }
  var rates: ClosedRange<Double>? {
    if case .rate(let range) = self { range } else { nil }
  }
  var laws: ClosedRange<Double>? {
    if case .law(let range, _) = self { range } else { nil }
  }
  var spanLaws: ClosedRange<TimeSpan>? {
    if case .durationLaw(let range) = self { range } else { nil }
  }
}
