import Foundation
import ScenarioLanguage
import Scenarios
import Testing

/// Rules that join several objects name their keys in plain text, as `root["therapy"]["basal"]`.
///
/// Such a name is a copy of the description's, which would go on to be looked for, and never found,
/// if the description were changed.
@Suite("Keys that rules and builders name")
struct NamedKeysTests {
  /// The words of a distribution stand in the form of a value and are no keys of their own.
  private static let readersOfValues: Set = ["SettingDistribution.swift", "SweepValues.swift"]

  /// Every key of the format, and every pair of an object's key and one in it.
  private static let (keys, pairs): (Set<String>, Set<String>) = {
    var (keys, pairs): (Set<String>, Set<String>) = ([], [])
    for row in SchemaTable().rows {
      let names = row.path.split(separator: ".").map { name in
        name.hasSuffix("[]") ? String(name.dropLast(2)) : String(name)
      }
      keys.formUnion(names)
      for (outer, inner) in zip(names, names.dropFirst()) { pairs.insert("\(outer).\(inner)") }
    }
    // An event's settings are those of therapy and app, which the table lists there.
    for pair in pairs where pair.hasPrefix("therapy.") || pair.hasPrefix("app.") {
      pairs.insert("settings." + pair.split(separator: ".")[1])
    }
    return (keys, pairs)
  }()

  /// The keys of a chain of subscripts, such as `therapy` and `basal` of `["therapy"]["basal"]`.
  private static func chains(in line: Substring) -> [[String]] {
    line.matches(of: /[A-Za-z\])](?:\[("[A-Za-z]+"|[a-z]+|[0-9]+)\]\??)+/).map { match in
      match.output.0.matches(of: /\["([A-Za-z]+)"\]/).map { String($0.output.1) }
    }
  }

  @Test("Each is described")
  func described() throws {
    let folder = LibraryTests.root.appendingPathComponent("Sources/Scenarios")
    let files = try #require(FileManager.default.enumerator(atPath: folder.path))
    var count = 0
    for case let name as String in files where name.hasSuffix(".swift") {
      let file = folder.appendingPathComponent(name)
      guard !Self.readersOfValues.contains(file.lastPathComponent) else { continue }
      let text = try String(contentsOf: file, encoding: .utf8)
      // A chain has a text in brackets, and few lines have one.
      for line in text.split(separator: "\n")
      where line.contains("[\"") && !line.contains("//") {
        for chain in Self.chains(in: line) {
          for key in chain { #expect(Self.keys.contains(key), "\(name): \"\(key)\" in\n\(line)") }
          for (outer, inner) in zip(chain, chain.dropFirst()) {
            #expect(
              Self.pairs.contains("\(outer).\(inner)"), "\(name): \(outer).\(inner) in\n\(line)")
          }
          count += chain.count
        }
      }
    }
    #expect(count > 300)
  }
}
