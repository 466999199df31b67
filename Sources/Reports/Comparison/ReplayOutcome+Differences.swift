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
    guard !isSame(kept, found) else { return [] }
    let (old, new) = (lines(of: kept), lines(of: found))
    func line(_ index: Int, of lines: [String]) -> String? {
      index < lines.count ? lines[index] : nil
    }
    let differing = (0..<max(old.count, new.count)).filter {
      !isSame(line($0, of: old), line($0, of: new))
    }
    func has(_ key: String, _ line: String) -> Bool {
      file == OutputSelection.summaryName && line.hasPrefix("  \"\(key)\":")
    }
    func states(_ key: String, at index: Int) -> Bool {
      [line(index, of: old), line(index, of: new)].allSatisfy {
        $0.map { has(key, $0) } ?? false
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
          file: file, instant: instants.min(), kept: left, found: right,
          count: content.isEmpty
            ? told.count
            : count(old, new) { !has("scenario_digest", $0) && !has("digest", $0) },
          line: first + 1))
    }
    // Where one summary has more lines than the other, the two do not stand beside one another.
    if Set([old, new].compactMap { $0.first { has("scenario_digest", $0) } }).count > 1 {
      var text = Difference(file: file, words: "the scenario's text has changed")
      text.isScenarioText = true
      differences.append(text)
    }
    return differences
  }

  /// How many lines one side has and the other has not, of the side with more of them: what stands
  /// a row further down is no other row.
  private static func count(
    _ old: [String], _ new: [String], where isCounted: (String) -> Bool
  ) -> Int {
    var rest: [[UInt8]: Int] = [:]
    for line in old where isCounted(line) { rest[Array(line.utf8), default: 0] += 1 }
    var added = 0
    for line in new where isCounted(line) {
      let bytes = Array(line.utf8)
      if let count = rest[bytes], count > 0 { rest[bytes] = count - 1 } else { added += 1 }
    }
    // Where lines have only changed their places, they differ all the same.
    return max(1, added, rest.values.reduce(0, +))
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

  /// The lines of a file: what ends one is a line feed, also behind a carriage return.
  private static func lines(of text: String) -> [String] {
    text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map {
      String(Substring($0))
    }
  }

  /// Whether two texts have the same bytes, and not only the same characters.
  private static func isSame(_ one: String?, _ other: String?) -> Bool {
    guard let one, let other else { return one == nil && other == nil }
    return one.utf8.elementsEqual(other.utf8)
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
    func quoted(_ line: String?) -> String { line.map { "\"\($0)\"" } ?? "nothing" }
    let place = line.map { "line \($0): " } ?? ""
    let shown = excerpts(of: 120)
    return "\(file) \(place)kept \(quoted(shown.kept)), found \(quoted(shown.found))"
  }

  /// What is shown of the two lines: so many characters of each from its beginning, or around the
  /// place where they part, where that lies further on.
  package func excerpts(of most: Int) -> (kept: String?, found: String?) {
    var start = 0
    if let kept, let found, max(kept.count, found.count) > most {
      let same = zip(kept, found).prefix { $0 == $1 }.count
      if same >= most - 20 { start = same - most / 2 }
    }
    func excerpt(_ line: String) -> String {
      (start > 0 ? "…" : "") + line.dropFirst(start).prefix(most)
    }
    return (kept.map(excerpt), found.map(excerpt))
  }
}
