/// Paths with `/` between their parts.
public enum FilePath {
  /// The path without `.`, empty parts, and `..` where a part precedes it.
  public static func normalised(_ path: String) -> String {
    var parts: [Substring] = []
    for part in path.split(separator: "/") where part != "." {
      if part == "..", let last = parts.last, last != ".." {
        parts.removeLast()
      } else if part != ".." || !path.hasPrefix("/") {
        parts.append(part)
      }
    }
    return (path.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")
  }

  /// The folder of a file, empty for a bare name.
  public static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "" }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// What a scenario on standard input is called.
  public static let standardInput = "/dev/stdin"

  /// The folder from which a file names others: its own; of what came on standard input, the one
  /// where the program runs.
  public static func folder(ofNamesIn file: String) -> String {
    file == standardInput ? "" : folder(of: file)
  }

  /// A path that a file names, seen from where the file itself is seen.
  public static func joined(_ folder: String, _ path: String) -> String {
    if path.hasPrefix("/") || folder.isEmpty { return normalised(path) }
    return normalised(folder + "/" + path)
  }

  /// A path as it is seen from a folder; unchanged where that cannot be told.
  public static func relative(_ path: String, from folder: String) -> String {
    guard path.hasPrefix("/") == folder.hasPrefix("/") else { return path }
    var parts = normalised(path).split(separator: "/")
    var folders = normalised(folder).split(separator: "/")
    while let first = folders.first, parts.first == first, parts.count > 1 {
      folders.removeFirst()
      parts.removeFirst()
    }
    guard !folders.contains("..") else { return path }
    return (folders.map { _ in ".." } + parts).joined(separator: "/")
  }

  /// The name of a file without its folder and its extension, which is what follows the last dot.
  static func stem(of path: String) -> String {
    let name = path.split(separator: "/").last ?? ""
    return String(name.lastIndex(of: ".").map { name[..<$0] } ?? name)
  }

  /// Whether a canonical path lies in a canonical folder.
  static func isInside(_ path: String, folder: String) -> Bool {
    if folder.isEmpty { return !path.hasPrefix("/") && !path.hasPrefix("..") }
    return folder == "/" ? path.hasPrefix("/") : path.hasPrefix(folder + "/")
  }
}
