internal import ScenarioLanguage
public import StructuredText

extension ExpandedRun {
  /// A value of a run with the place where it was written.
  public struct Origin: Sendable {
    /// The value's address, such as `therapy.basal[0][1]`; items with an id are named by it.
    public let path: String
    /// The value.
    public let value: JSONValue
    /// Where it was written.
    public let position: TextPosition
  }

  /// Every value of the run, in the order of the tree.
  ///
  /// Lists without objects, such as schedules, are one value while they were written in one place.
  public var origins: [Origin] {
    var origins: [Origin] = []
    Self.append(tree, path: "", to: &origins)
    return origins
  }

  private static func append(_ node: JSONNode, path: String, to origins: inout [Origin]) {
    switch node.value {
    case .object(let members) where !members.isEmpty:
      for member in members {
        append(
          member.value, path: path.isEmpty ? member.key : "\(path).\(member.key)", to: &origins)
      }
    case .array(let items) where !isOneValue(node):
      for (index, item) in items.enumerated() {
        let name =
          switch ScenarioPath.part(of: item, at: index) {
          case .item(let id), .key(let id): id
          case .index(let place): "\(place)"
          }
        append(item, path: "\(path)[\(name)]", to: &origins)
      }
    default:
      origins.append(Origin(path: path, value: JSONValue(node), position: node.position))
    }
  }

  /// Whether a list holds no objects and comes whole from one file.
  private static func isOneValue(_ node: JSONNode) -> Bool {
    guard let items = node.items else { return node.members == nil }
    return items.allSatisfy { $0.position.file == node.position.file && isOneValue($0) }
  }
}
