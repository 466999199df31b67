public import Expectations
public import StructuredText

extension ExpectationResult {
  /// What became of the expectation as a JSON tree: the verdict, the number that decided with its
  /// bounds, and where a failure is best looked at.
  ///
  /// Every tree in which an expectation stands is made here.
  ///
  /// - Parameter named: Whether the run, the file and the line are told: where the tree is not
  ///   itself that of the run.
  /// - Returns: The tree; what there is not is left out.
  public func json(named: Bool) -> JSONValue {
    var members: [JSONValue.Member] = [.init("id", .string(expectation))]
    if named {
      members += [.init("run", .string(run)), .init("file", .string(file))]
      if let line { members.append(.init("line", .integer(Int64(line)))) }
      if let source { members.append(.init("line_in", .string(source))) }
    }
    members.append(.init("outcome", .string(outcome.rawValue)))
    if isWarning { members.append(.init("severity", "warning")) }
    members.append(.init("message", .string(message)))
    if !others.isEmpty {
      members.append(.init("others", .array(others.map { .string($0) })))
    }
    if let measure {
      members.append(.init("value", .rounded(measure.value, 6)))
      if let unit = measure.unit { members.append(.init("unit", .string(unit))) }
      let bounds = [
        ("min", measure.minimum), ("max", measure.maximum), ("equals", measure.equals),
        ("tolerance", measure.equals == nil ? nil : measure.tolerance),
      ]
      for (name, bound) in bounds {
        if let bound { members.append(.init(name, .number(bound))) }
      }
    }
    if let ratio {
      let bounds = [("min", ratio.minimum), ("max", ratio.maximum)].compactMap { name, bound in
        bound.map { JSONValue.Member(name, .number($0)) }
      }
      members.append(
        .init("ratio", .object([.init("value", .rounded(ratio.value, 6))] + bounds)))
    }
    if !remark.isEmpty { members.append(.init("remark", .string(remark))) }
    if let moment {
      if named, moment.run != run { members.append(.init("at_run", .string(moment.run))) }
      members.append(.init("at", .string(moment.time)))
    }
    return .object(members)
  }
}
