import Foundation
import Testing

/// That what documents point to is there.
@Suite("Links of documents")
struct DocumentLinkTests {
  /// The documents, by their paths.
  private static let documents =
    ["README.md"]
    + ["Sources", "Scenarios", "Results", ".ci"].flatMap { folder in
      Repository.paths(below: folder).filter { $0.hasSuffix(".md") }.map { "\(folder)/\($0)" }
    }

  /// A document without its blocks of code.
  private static func prose(of path: String) throws -> String {
    try Repository.text(of: path).replacing(/(?ms)^```.*?^```/, with: "")
  }

  /// The names by which the headings of a document are reached.
  private static func anchors(of path: String) throws -> Set<String> {
    Set(
      try prose(of: path).matches(of: /(?m)^#+ (.*)$/).map { heading in
        String(
          heading.1.lowercased().replacing(" ", with: "-").filter {
            $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_"
          })
      })
  }

  private static func exists(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: Repository.root.appendingPathComponent(path).path)
  }

  @Test("Every link leads to a file or a heading of this repository, or to the network")
  func links() throws {
    var count = 0
    for document in Self.documents {
      let folder = document.split(separator: "/").dropLast().joined(separator: "/")
      for link in try Self.prose(of: document).matches(of: /\]\(([^)\s]+)\)/)
      where !link.1.hasPrefix("http") {
        let parts = link.1.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let path =
          parts[0].isEmpty
          ? document
          : Repository.root.appendingPathComponent("\(folder)/\(parts[0])").standardizedFileURL
            .path.replacing(Repository.root.standardizedFileURL.path + "/", with: "")
        #expect(Self.exists(path), "\(document): \(link.1)")
        if parts.count > 1, path.hasSuffix(".md") {
          #expect(try Self.anchors(of: path).contains(String(parts[1])), "\(document): \(link.1)")
        }
        count += 1
      }
    }
    #expect(count > 200)
  }

  @Test("Files of the repository that a document names in code are there")
  func paths() throws {
    var count = 0
    for document in Self.documents {
      let text = try Repository.text(of: document)
      for path in text.matches(of: /[`\s](\.ci|Scenarios|Sources|Tests)\/([\w.\/-]*\w)/) {
        #expect(Self.exists("\(path.1)/\(path.2)"), "\(document): \(path.0)")
        count += 1
      }
    }
    #expect(count > 60)
  }

  @Test("What a document runs with --filter is a suite or a module of tests")
  func filters() throws {
    // By lines: an expression that is looked for in all tests takes seconds.
    let suites = Repository.tests.flatMap { $0.text.split(separator: "\n") }.filter {
      let words = $0.drop { $0 == " " }
      return words.hasPrefix("struct ") || words.hasPrefix("final class ")
    }
    let modules = Repository.names(in: "Tests")
    for document in Self.documents {
      let text = try Repository.text(of: document)
      for filter in text.matches(of: /swift test[^`\n]*--filter '?([\w\\|]+)/) {
        for name in filter.1.replacing("\\", with: "").split(separator: "|") {
          #expect(
            modules.contains(String(name)) || suites.contains { $0.contains(name) },
            "\(document): \(name)")
        }
      }
    }
  }
}
