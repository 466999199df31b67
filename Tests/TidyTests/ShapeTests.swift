import Foundation
import Testing

@Suite("Shape of the repository")
struct ShapeTests {
  @Test("A file has at most 400 lines")
  func isShort() {
    for file in Repository.sources + Repository.tests where file.lines.count - 1 > 400 {
      Issue.record("\(file.path) has \(file.lines.count - 1) lines. Split it by ideas.")
    }
  }

  @Test("A line has at most 100 columns")
  func isNarrow() {
    for file in Repository.sources + Repository.tests {
      // Counting bytes is quick, and there are no more characters than bytes.
      for (index, line) in file.lines.enumerated() where line.utf8.count > 100 && line.count > 100 {
        Issue.record("\(file.path):\(index + 1) has \(line.count) columns.")
      }
    }
  }

  @Test("Every public type says what it is")
  func isDocumented() {
    for file in Repository.sources { checkTypes(of: file) }
  }

  private func checkTypes(of file: Repository.SourceFile) {
    let lines = file.lines
    for index in lines.indices
    where lines[index].hasPrefix("public ")
      && Self.publicTypes.contains(where: { lines[index].hasPrefix($0) })
    {
      var above = index - 1
      while above >= 0 && lines[above].hasPrefix("@") { above -= 1 }
      let isDocumented = above >= 0 && lines[above].hasPrefix("///")
      #expect(isDocumented, "\(file.path):\(index + 1) lacks a summary.")
    }
  }

  private static let publicTypes = [
    "struct", "enum", "indirect enum", "protocol", "final class", "actor", "func",
  ]
  .map { "public \($0) " }

  /// The modules whose types others use: all but the programs and the shims of C libraries.
  static let libraries: [String] = {
    let modules = Set(Repository.sources.map(\.target))
    return modules.subtracting(["loopsim", "loopsim-benchmarks"]).sorted()
  }()

  @Test("Every module has a landing page, which begins with its name", arguments: libraries)
  func hasLandingPage(module: String) throws {
    let path = "Sources/\(module)/\(module).docc/\(module).md"
    let page = try? Repository.text(of: path)
    #expect(page != nil, "\(path) is missing: say there what the module is for.")
    #expect(page?.hasPrefix("# ``\(module)``\n\n") == true)
    #expect(page?.contains("\n## Overview\n") == true, "\(path) has no overview.")
  }

  @Test("A module's landing page names every public type of the module", arguments: libraries)
  func landingPagesAreComplete(module: String) throws {
    let page = try Repository.text(of: "Sources/\(module)/\(module).docc/\(module).md")
    for file in Repository.sources where file.target == module {
      for line in file.lines {
        guard let start = Self.publicTypes.first(where: { line.hasPrefix($0) }),
          !start.contains("func")
        else { continue }
        let name = line.dropFirst(start.count).prefix { $0.isLetter || $0.isNumber }
        #expect(page.contains("- ``\(name)``"), "\(module).md does not list \(name).")
      }
    }
  }

  @Test("The top level holds what a stranger expects, and nothing else")
  func topLevelIsTidy() {
    let expected: Set = [
      ".git", ".ci", ".gitignore", ".swift-format", ".build", ".swiftpm", "Package.swift",
      "Package.resolved", "Sources", "Tests", "Scenarios", "Results", "README.md", "LICENSE",
    ]
    for name in Repository.names(in: ".") where !name.hasPrefix(".build-") {
      #expect(expected.contains(name), "\(name) does not belong at the top level.")
    }
  }

  @Test("Every scenario has its reference results")
  func scenariosHaveResults() {
    let scenarios = Repository.paths(below: "Scenarios").filter { path in
      path.hasSuffix(".json5") && !path.contains("base/") && !path.contains("studies/whole/")
    }
    let results = Repository.paths(below: "Results").filter { !$0.hasPrefix("runs/") }
    guard !scenarios.isEmpty, !results.isEmpty else { return }
    let names = Set(results.flatMap { $0.split(separator: "/") }.map(Self.stem))
    for scenario in scenarios {
      let name = Self.stem(scenario.split(separator: "/").last ?? "")
      #expect(names.contains(name), "Results has nothing for Scenarios/\(scenario).")
    }
  }

  @Test("Results lie in the folders of their scenarios")
  func resultsMirrorScenarios() {
    let folders = Repository.names(in: "Scenarios")
    guard !folders.isEmpty else { return }
    for name in Repository.names(in: "Results") where name != "runs" {
      #expect(folders.contains(name), "There is no folder Scenarios/\(name) for Results/\(name).")
    }
  }

  /// The name of a file up to its first dot.
  private static func stem(_ name: Substring) -> Substring { name.prefix { $0 != "." } }
}
