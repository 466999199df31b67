internal import ScenarioLanguage
internal import StructuredText

/// The paths in a scenario as they are seen from where its frozen copy will stand.
struct FrozenPaths {
  /// The folder of the frozen scenario, as seen from the working folder.
  let folder: String
  /// The working folder, from which all files were named; empty where nothing lies above it.
  let working: String

  /// A path that a file names.
  func rewritten(_ path: String, namedIn file: String) -> String {
    let full = FilePath.joined(working, FilePath.joined(FilePath.folder(ofNamesIn: file), path))
    return FilePath.relative(full, from: FilePath.joined(working, folder))
  }

  /// The same for the node that holds the path.
  func rewritten(_ node: JSONNode) -> JSONNode {
    guard let path = node.string else { return node }
    return JSONNode(
      .string(rewritten(path, namedIn: node.position.file)), at: node.position)
  }

  /// The scenario without the names of tables whose rows it holds, and with the paths of others.
  func rewritten(tree: JSONNode) -> JSONNode {
    var tree = tree
    for (block, key) in [("cgm", "trace"), ("history", "glucose")] {
      guard let outer = tree[block], let table = outer[key], table["rows"] != nil else { continue }
      tree = tree.setting(block, to: outer.setting(key, to: table.removing(["csv"])))
    }
    if let history = tree["history"], let observed = history["observed"],
      let path = observed["csv"]
    {
      tree = tree.setting(
        "history",
        to: history.setting("observed", to: observed.setting("csv", to: rewritten(path))))
    }
    return tree
  }
}
