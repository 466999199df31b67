internal import Quantities
internal import ScenarioLanguage
internal import Scenarios
internal import StructuredText

extension ReplayOutcome {
  /// Compares a kept file with the one that was found, row by row; nothing where they are the same.
  ///
  /// Of a summary the digests say no more than that something differs. That of the scenario's text
  /// is told by itself and in words; that of the result where nothing else of the summary differs.
  public static func differences(of file: String, kept: String, found: String) -> [Difference] {
    guard kept != found else { return [] }
    let old = kept.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let new = found.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    func line(_ index: Int, of lines: [String]) -> String? {
      index < lines.count ? lines[index] : nil
    }
    let differing = (0..<max(old.count, new.count)).filter {
      line($0, of: old) != line($0, of: new)
    }
    func states(_ key: String, at index: Int) -> Bool {
      file == OutputSelection.summaryName
        && [line(index, of: old), line(index, of: new)].contains {
          $0.map { $0.hasPrefix("  \"\(key)\":") } ?? false
        }
    }
    let texts = differing.filter { states("scenario_digest", at: $0) }
    let digests = differing.filter { states("digest", at: $0) }
    let content = differing.filter { !texts.contains($0) && !digests.contains($0) }
    let told = content.isEmpty ? digests : content
    var differences: [Difference] = []
    if let first = told.first {
      let (left, right) = (line(first, of: old), line(first, of: new))
      let instants = [left, right].compactMap { $0.flatMap(instant) }
      differences.append(
        Difference(
          file: file, instant: instants.min(), kept: left, found: right, count: told.count,
          line: first + 1))
    }
    if !texts.isEmpty {
      var text = Difference(file: file, words: "the scenario's text has changed")
      text.isScenarioText = true
      differences.append(text)
    }
    return differences
  }

  /// What differs in the order in which it is told: what has a time by that, then the rest as it
  /// comes, and that the scenario's text has changed at the end.
  ///
  /// Of one time an event comes before the segment that follows from it, and both before samples.
  public static func ordered(_ differences: [Difference]) -> [Difference] {
    func rank(_ difference: Difference) -> Int {
      difference.isScenarioText ? 2 : difference.instant == nil ? 1 : 0
    }
    let first = [OutputSelection.File.eventHistory, .basalSegments].map(\.fileName)
    func kind(_ difference: Difference) -> Int {
      first.firstIndex(of: difference.file) ?? first.count
    }
    let never = Instant(millisecondsSince1970: 0)
    return differences.enumerated().sorted { left, right in
      (rank(left.element), left.element.instant ?? never, kind(left.element), left.offset)
        < (rank(right.element), right.element.instant ?? never, kind(right.element), right.offset)
    }.map(\.element)
  }

  /// The time with which a row of a table begins.
  private static func instant(_ row: String) -> Instant? {
    let cell = row.prefix { $0 != "," }
    guard case .absolute(let instant)? = TimeText(String(cell)) else { return nil }
    return instant
  }
}

extension ReplayOutcome.Difference {
  /// What a report of tests calls it: no other difference of the run has the name.
  public var name: String { isScenarioText ? "scenario text" : file }

  /// The file with what is different in it, on one line.
  public var sentence: String {
    guard words.isEmpty else { return isScenarioText ? "\(file): \(words)" : "\(file) \(words)" }
    func quoted(_ line: String?) -> String { line.map { "\"\($0.prefix(120))\"" } ?? "nothing" }
    let place = line.map { "line \($0): " } ?? ""
    return "\(file) \(place)kept \(quoted(kept)), found \(quoted(found))"
  }
}
