import Reports
import StructuredText

extension FinishedRun {
  /// The run as `--format json` prints it: its summary, with the expectations over several runs
  /// that ended with it; of a run that could not be carried out, what stood in its way.
  var json: JSONValue {
    var members: [JSONValue.Member]
    if case .object(let summary)? = summary?.json {
      members = summary
    } else {
      members = [
        .init("id", .string(id)), .init("file", .string(file)),
        .init("expectations", .array(expectations.map { $0.json(named: false) })),
      ]
    }
    if !joint.isEmpty { members.append(.init("joint", .array(joint.map { $0.json(named: true) }))) }
    return .object(members)
  }
}
