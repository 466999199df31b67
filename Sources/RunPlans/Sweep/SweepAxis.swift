public import ScenarioLanguage
public import StructuredText

/// A dimension of a sweep: values that one address, or several moved together, take one by one.
public struct SweepAxis: Sendable {
  /// The addresses that move, with the place in the file where each is named.
  public let paths: [(path: ScenarioPath, position: TextPosition)]
  /// The values of the addresses at each point of the axis.
  public let points: [[JSONNode]]

  /// Reads the sweep of a scenario; its axes have the order of the file.
  ///
  /// Random values are drawn with the given seed from a stream named after the address.
  static func axes(
    of sweep: JSONNode?, seed: UInt64, insulin: InsulinPaths, problems: ProblemList
  ) -> [SweepAxis] {
    guard let sweep else { return [] }
    guard let members = sweep.statedMembers else {
      problems.error(
        at: sweep.position, "\"sweep\" must be an object of paths and values, not \(sweep.kind).")
      return []
    }
    return members.flatMap { member -> [SweepAxis] in
      guard member.key == "zip" else {
        let axis = axis(of: [member], seed: seed, insulin: insulin, problems: problems)
        return axis.map { [$0] } ?? []
      }
      // An empty list moves nothing together, as an empty object does.
      let groups = member.value.items ?? []
      return (groups.isEmpty ? [member.value] : groups).compactMap { group in
        guard let members = group.statedMembers, !members.isEmpty else {
          problems.error(
            at: group.position, "\"zip\" must hold paths and values to be moved together.")
          return nil
        }
        return axis(of: members, seed: seed, insulin: insulin, problems: problems)
      }
    }
  }

  private static func axis(
    of members: [JSONMember], seed: UInt64, insulin: InsulinPaths, problems: ProblemList
  ) -> SweepAxis? {
    var paths: [(path: ScenarioPath, position: TextPosition)] = []
    var columns: [[JSONNode]] = []
    for member in members {
      guard let path = ScenarioPath(member.key, at: member.keyPosition, problems: problems)
      else { return nil }
      let values = SweepValues(
        name: member.key, seed: seed, problems: problems, isInsulin: insulin.contains(path))
      guard let column = values.read(member.value) else { return nil }
      paths.append((path, member.keyPosition))
      columns.append(column)
    }
    guard let count = columns.first?.count, columns.allSatisfy({ $0.count == count }) else {
      let counts = columns.map { "\($0.count)" }.joined(separator: ", ")
      problems.error(
        at: members.last?.value.position ?? members[0].keyPosition,
        "Lists whose values move together must be of one length, and these have \(counts) values.")
      return nil
    }
    assert(paths.count == columns.count, "Each path of an axis has its values.")
    let points = (0..<count).map { point in columns.map { $0[point] } }
    // What is drawn from a law may come twice; what is listed or counted twice is a slip, and so is
    // a law without spread.
    if !members.contains(where: { isSpreadLaw($0.value) }) {
      let isListed = members.allSatisfy { $0.value.items != nil }
      warnOfRepetition(points, isListed: isListed, problems)
    }
    if count > 1, let first = paths.first, paths.allSatisfy({ isOfRemark($0.path) }) {
      problems.warning(
        at: first.position, code: "W-NULL",
        "\"\(first.path)\" is in a remark, which nothing interprets, so that runs which differ in "
          + "that alone are the same."
      )
    }
    return SweepAxis(paths: paths, points: points)
  }

  /// Whether what stands at an address is a remark, or in one.
  private static func isOfRemark(_ path: ScenarioPath) -> Bool {
    path.parts.contains { part in
      guard case .key(let key) = part else { return false }
      return JSONField.isCarried(key)
    }
  }

  /// Whether values are drawn from a law with a spread.
  private static func isSpreadLaw(_ values: JSONNode) -> Bool {
    values["normal"].map { ($0["sd"]?.double ?? 0) > 0 } ?? false
  }

  /// Warns of the first point that was there already: its runs are the same once more.
  private static func warnOfRepetition(
    _ points: [[JSONNode]], isListed: Bool, _ problems: ProblemList
  ) {
    let remedy = isListed ? "Remove one." : "Widen its range or law, or take fewer values."
    var known: Set<[String]> = []
    for point in points where !known.insert(point.map(identity)).inserted {
      guard let first = point.first else { continue }
      let values = point.map { JSONWriter(style: .json5).line(JSONValue($0)) }
        .joined(separator: ", ")
      problems.warning(
        at: first.position, code: "W-NULL",
        "The sweep has \(values) twice, and the runs are the same. \(remedy)")
      return
    }
  }

  /// What two spellings of one value have in common, such as `1` and `1.0`.
  private static func identity(_ node: JSONNode) -> String {
    node.double.map { "\($0)" } ?? JSONWriter().line(JSONValue(node))
  }
}
