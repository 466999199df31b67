import Foundation
import Testing

/// The files of this package, found from where this file stands.
enum Repository {
  static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// A Swift file of the package.
  struct SourceFile: Sendable, CustomTestStringConvertible {
    /// The path below the package's root.
    let path: String
    let text: String
    let lines: [Substring]
    /// The modules that the file imports.
    let imports: [String]

    init(path: String, text: String) {
      (self.path, self.text) = (path, text)
      lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      imports = Self.imports(in: lines)
    }

    var testDescription: String { path }

    /// The folder below `Sources` or `Tests`, which is the target's name.
    var target: String {
      let parts = path.split(separator: "/")
      return parts.count > 1 ? String(parts[1]) : ""
    }

    private static func imports(in lines: [Substring]) -> [String] {
      lines.compactMap { line in
        // Few lines begin as such a line does; the others need not be cut into words.
        guard let first = line.utf8.first(where: { $0 != UInt8(ascii: " ") }),
          "@ipf".utf8.contains(first)
        else { return nil }
        let words = line.split(separator: " ")
        guard let keyword = words.firstIndex(of: "import"),
          words[..<keyword].allSatisfy({ Self.beforeImport.contains($0) || $0.hasPrefix("@") }),
          let name = words[(keyword + 1)...].last
        else { return nil }
        return String(name.prefix { $0 != "." })
      }
    }

    private static let beforeImport: Set<Substring> = [
      "public", "package", "internal", "fileprivate", "private",
    ]
  }

  static let sources = swiftFiles(below: "Sources")
  static let tests = swiftFiles(below: "Tests")

  /// The names in a folder of the package, in order; none when there is no such folder.
  static func names(in folder: String) -> [String] {
    let path = root.appendingPathComponent(folder).path
    return ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
  }

  static func text(of path: String) throws -> String {
    try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  }

  /// The paths of everything below a folder of the package, in order, relative to that folder.
  static func paths(below folder: String) -> [String] {
    let start = root.appendingPathComponent(folder).path
    let paths = FileManager.default.enumerator(atPath: start)?.allObjects ?? []
    return paths.compactMap { $0 as? String }.sorted()
  }

  private static func swiftFiles(below folder: String) -> [SourceFile] {
    paths(below: folder).filter { $0.hasSuffix(".swift") }.compactMap { path in
      (try? text(of: "\(folder)/\(path)")).map {
        SourceFile(path: "\(folder)/\(path)", text: $0)
      }
    }
  }
}
