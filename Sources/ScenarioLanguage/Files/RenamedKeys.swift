internal import StructuredText

/// Keys and words of the format that have been given better names.
///
/// A file with a former name reads as if it had the present one, with the warning `W-RENAMED`, for
/// one version of the format; `loopsim check --fix` rewrites it.
public enum RenamedKeys {
  /// A former name, and where it had a meaning.
  private struct Rename: Sendable {
    var former: String
    var name: String
    /// Whether it is the word of a value, and not a key.
    var isWord = false
    /// Whether it has the meaning at a path: the keys from the scenario on, lists left out.
    var applies: @Sendable ([String]) -> Bool
  }

  private static let all = [
    Rename(former: "authorised", name: "authorized") { $0 == ["healthStore"] },
    Rename(former: "at_meal", name: "eatenAt") { $0.last == "edits" },
    Rename(former: "sickness", name: "insulinResistance") { $0.last == "events" },
    Rename(former: "p", name: "probability") { path in
      path.count >= 3 && path[0] == "faults" && path[path.count - 2] == "user"
    },
    Rename(former: "unauthorised", name: "unauthorized", isWord: true) { path in
      path.suffix(2) == ["bolus", "by"]
    },
  ]

  /// A name in a file that is a former one.
  private struct Finding {
    var position: TextPosition
    var rename: Rename
  }

  /// A file's tree with present names in place of former ones, each of which is a warning.
  static func renamed(_ tree: JSONNode, problems: ProblemList) -> JSONNode {
    var findings: [Finding] = []
    let result = walk(tree, at: [], &findings)
    for finding in findings {
      problems.warning(
        at: finding.position, code: "W-RENAMED",
        "\"\(finding.rename.former)\" is called \"\(finding.rename.name)\" now. "
          + "\"loopsim check --fix\" rewrites the file.")
    }
    return result
  }

  /// The text of a scenario's file with present names in place of former ones.
  ///
  /// - Parameters:
  ///   - bytes: The file's bytes.
  ///   - file: Its name.
  /// - Returns: The new bytes and how many names have changed; `nil` if there is nothing to change,
  ///   or the file cannot be read.
  public static func fixed(_ bytes: [UInt8], file: String) -> (bytes: [UInt8], count: Int)? {
    guard let tree = JSONReader.read(bytes, file: file).root else { return nil }
    var findings: [Finding] = []
    _ = walk(tree, at: [], &findings)
    guard !findings.isEmpty else { return nil }
    var text = Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)
    let lines = lineStarts(of: text)
    var count = 0
    // From the end of the text to its beginning, so that the places before stay what they are.
    for finding in findings.sorted(by: { $0.position > $1.position }) {
      let former = Array(finding.rename.former.unicodeScalars)
      let line = finding.position.line - 1
      guard lines.indices.contains(line) else { continue }
      // A name in quotes begins behind them.
      let place = lines[line] + finding.position.column - 1
      let start = [place, place + 1].first { text.dropFirst($0).starts(with: former) }
      guard let start else { continue }
      text.replaceSubrange(
        start..<(start + former.count), with: Array(finding.rename.name.unicodeScalars))
      count += 1
    }
    guard count > 0 else { return nil }
    var view = String.UnicodeScalarView()
    view.append(contentsOf: text)
    return (Array(String(view).utf8), count)
  }

  /// Where the lines of a text begin, which end as those of JSON do: in `\n`, `\r\n` or `\r`.
  ///
  /// A mark of the byte order is no part of the first.
  private static func lineStarts(of text: [Unicode.Scalar]) -> [Int] {
    [text.first == "\u{FEFF}" ? 1 : 0]
      + text.indices.filter { place in
        text[place] == "\n"
          || text[place] == "\r" && !(place + 1 < text.count && text[place + 1] == "\n")
      }.map { $0 + 1 }
  }

  private static func walk(
    _ node: JSONNode, at path: [String], _ findings: inout [Finding]
  ) -> JSONNode {
    var result = node
    switch node.value {
    case .array(let items):
      result.value = .array(items.map { walk($0, at: path, &findings) })
    case .object(let members):
      let keys = members.map(\.key)
      result.value = .object(
        members.map { member in
          if JSONField.isCarried(member.key) { return member }
          var member = member
          let rename = all.first { rename in
            !rename.isWord && rename.former == member.key && !keys.contains(rename.name)
              && rename.applies(path)
          }
          if let rename {
            findings.append(Finding(position: member.keyPosition, rename: rename))
            member.key = rename.name
          }
          member.value = walk(member.value, at: inner(path, member.key), &findings)
          return member
        })
    case .string(let text):
      let rename = all.first { $0.isWord && $0.former == text && $0.applies(path) }
      if let rename {
        findings.append(Finding(position: node.position, rename: rename))
        result.value = .string(rename.name)
      }
    case .null, .bool, .integer, .number: break
    }
    return result
  }

  /// The path within a key: edits of lists and the name of a variant are no part of it.
  private static func inner(_ path: [String], _ key: String) -> [String] {
    if key.hasPrefix("$") { return path }
    if path == ["variants"] { return [] }
    return path + [key]
  }
}
