import Foundation
import Testing

@Suite("Shape of the repository")
struct ShapeTests {
  @Test("A file has at most 400 lines", arguments: Repository.sources + Repository.tests)
  func isShort(file: Repository.SourceFile) {
    let count = file.text.split(separator: "\n", omittingEmptySubsequences: false).count - 1
    #expect(count <= 400, "Split the file by ideas.")
  }

  @Test("A line has at most 100 columns", arguments: Repository.sources + Repository.tests)
  func isNarrow(file: Repository.SourceFile) {
    for (index, line) in file.lines.enumerated() where line.count > 100 {
      Issue.record("\(file.path):\(index + 1) has \(line.count) columns.")
    }
  }

  @Test("Every public type says what it is", arguments: Repository.sources)
  func isDocumented(file: Repository.SourceFile) {
    let lines = file.lines
    for index in lines.indices
    where Self.publicTypes.contains(where: { lines[index].hasPrefix($0) }) {
      var above = index - 1
      while above >= 0 && lines[above].hasPrefix("@") { above -= 1 }
      let isDocumented = above >= 0 && lines[above].hasPrefix("///")
      #expect(isDocumented, "\(file.path):\(index + 1) lacks a summary.")
    }
  }

  private static let publicTypes = ["struct", "enum", "protocol", "final class", "actor", "func"]
    .map { "public \($0) " }

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

  @Test("Every scenario has its reference results, and every result its scenario")
  func scenariosHaveResults() {
    let scenarios = Set(
      Repository.names(in: "Scenarios").filter { $0.hasSuffix(".json5") || $0.hasSuffix(".json") }
        .map { ($0 as NSString).deletingPathExtension })
    let results = Repository.names(in: "Results")
    guard !scenarios.isEmpty, !results.isEmpty else { return }
    for scenario in scenarios.sorted() {
      #expect(results.contains(scenario), "Results has no folder \(scenario).")
    }
    for result in results where result != "runs" && !result.contains(".") {
      #expect(scenarios.contains(result), "Scenarios has no file for Results/\(result).")
    }
  }
}
