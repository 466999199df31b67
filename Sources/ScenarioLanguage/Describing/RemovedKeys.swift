package import StructuredText

/// Finds keys that a file takes away (`{ $remove: true }`) and that no object has.
///
/// Merging leaves nothing of them for ``SchemaCheck``, which would take a misspelled one for an
/// unknown key. Where a base has the key, whatever it is, it may be taken away.
package struct RemovedKeys {
  /// The errors, by where `$remove` stands.
  private var unknown: [TextPosition: TextProblem] = [:]

  /// Walks what a file itself says along its shape, and each of its variants.
  private init(in own: JSONNode, _ shape: ObjectShape) {
    let root = Field(own, in: .plain, problems: ProblemList())
    visit(root, .object(shape))
    let variants = root[Overlay.variantsKey]
    for name in (variants.node?.members ?? []).map(\.key) {
      visit(variants[name], .object(shape))
    }
  }

  /// Problems of merging, in which the error stands in place of the warning that nothing is
  /// inherited.
  ///
  /// The file is only walked where there is such a warning, since that takes a twelfth of all that
  /// a short run takes.
  ///
  /// - Parameters:
  ///   - problems: The problems of merging.
  ///   - own: The file, before anything it extends.
  ///   - shape: The shape of a file.
  /// - Returns: All problems, in their order.
  package static func correcting(
    _ problems: [TextProblem], in own: JSONNode, _ shape: @autoclosure () -> ObjectShape
  ) -> [TextProblem] {
    guard problems.contains(where: { $0.sentence == Overlay.idleRemoval }) else { return problems }
    let removed = Self(in: own, shape())
    return problems.map { problem in
      guard problem.sentence == Overlay.idleRemoval else { return problem }
      return removed.unknown[problem.position] ?? problem
    }
  }

  private mutating func visit(_ field: Field, _ shape: Shape) {
    switch shape {
    case .object(let object): visit(field, object)
    case .map(let value):
      for member in field.node?.members ?? [] { visit(field[member.key], value) }
    case .list(let item), .listOrOne(let item):
      let merged = field["$merge"]["items"]
      for list in [field, field["$append"], field["$prepend"], merged] {
        for place in list.listed { visit(place, item) }
      }
    case .either(let shapes):
      // A key that one of them has is known.
      let trials = shapes.filter { $0.accepts(.object) || $0.accepts(.list) }.map { shape in
        var trial = Self()
        trial.visit(field, shape)
        return trial.unknown
      }
      if let best = trials.min(by: { $0.count < $1.count }) {
        unknown.merge(best) { former, _ in former }
      }
    case .plain, .schedule, .pair: break
    }
  }

  private init() {}

  private mutating func visit(_ field: Field, _ object: ObjectShape) {
    let known = object.keys + object.kinds + object.kinds.flatMap(\.companions)
    for member in field.node?.statedMembers ?? [] {
      if let key = known.first(where: { $0.name == member.key }) {
        visit(field[member.key], key.shape)
      } else if let removal = member.value.members?.first(where: { $0.key == "$remove" }) {
        let found = ProblemList()
        field.reporting(to: found)
          .reportUnknown(member.key, at: member.keyPosition, among: known.map(\.name))
        unknown[removal.keyPosition] = found.problems.first
      }
    }
  }
}
