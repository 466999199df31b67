internal import Quantities
internal import ScenarioLanguage
internal import Simulation
internal import StructuredText

/// A run's timeline against a file that was kept.
public struct GoldenCheck: Sendable {
  /// The path of the file.
  public var path: String
  /// How far the columns may differ.
  public var tolerances: ColumnTolerances

  /// What stands for a part of the run's name in the pattern of a path.
  static let names = ["run", "id", "variant", "point", "patient", "replicate"]

  /// The path that a pattern means for a run; nothing with an unknown name in braces, which is
  /// given back.
  package static func path(of pattern: String, for run: RunPlace) -> Result<String, UnknownName> {
    var path = ""
    var rest = Substring(pattern)
    while let open = rest.firstIndex(of: "{") {
      path += rest[..<open]
      rest = rest[rest.index(after: open)...]
      guard let close = rest.firstIndex(of: "}") else {
        return .failure(UnknownName(name: String(rest)))
      }
      switch rest[..<close] {
      case "run": path += run.id
      case "id": path += run.scenario
      case "variant": path += run.variant ?? "main"
      case "point": path += run.point.map { "s\($0)" } ?? "s0"
      case "patient": path += run.patient ?? "patient"
      case "replicate": path += "r\(run.replicate)"
      case let name: return .failure(UnknownName(name: String(name)))
      }
      rest = rest[rest.index(after: close)...]
    }
    return .success(path + rest)
  }

  /// A word in braces that means nothing.
  package struct UnknownName: Error { var name: String }

  /// What is wrong with a run; nothing when its timeline is as it was kept.
  ///
  /// Where the surroundings say so, the timeline is kept anew instead.
  func complaint(
    about run: RunResult, in scope: Expectation.Scope, _ surroundings: GoldenFiles,
    scenario: String
  ) -> Complaint? {
    let text = surroundings.timeline(run)
    if let keep = surroundings.keepGolden {
      return keep(path, text).map { Complaint($0) }
    }
    let bytes: [UInt8]
    do throws(FileTrouble) {
      bytes = try surroundings.files.bytes(of: path)
    } catch {
      // What is there and cannot be read is not kept anew either.
      guard error == .missing(path) else { return Complaint(error.description) }
      return Complaint(
        "the golden file \(path) is missing; keep one with: "
          + ShellWord.line(["loopsim", "run", scenario, "--update-golden"]))
    }
    let problems = ProblemList()
    guard let kept = CSVTable(bytes, file: path, problems: problems), !problems.hasErrors,
      let found = CSVTable(Array(text.utf8), file: "timeline.csv", problems: problems)
    else {
      return Complaint(problems.sorted.first?.description ?? "\(path) cannot be read")
    }
    let columns = kept.header.map(\.text)
    if let name = tolerances.namesWithoutColumn(among: columns).first {
      return Complaint(
        "\(path) has no column \"\(name)\" for the tolerance of that name."
          + NearestName.suggestion(for: name, among: columns))
    }
    if let sentence = tolerances.complaint(on: [kept, found]) {
      return Complaint("\(path): \(sentence)")
    }
    if scope.isNarrowed || !scope.outside.isEmpty, columns.first != "time" {
      return Complaint(
        "\(path) does not begin with the column \"time\", which tells the rows that count.")
    }
    if let disorder = Self.disorder(of: kept, problems) { return disorder }
    let comparison = TableComparison(
      kept, found, tolerances: tolerances, allowsMoreColumns: true,
      where: scope.ofKeptRows.contains)
    guard let first = comparison.first else {
      guard comparison.columns.first?.compared == 0 else { return nil }
      return Complaint("\(path): no row lies in the part of the run that counts")
    }
    // A row that the golden file alone has may lie where the run was not.
    return Complaint(
      "\(path): \(first.sentence("kept", "found"))\(Self.extent(of: comparison, first))",
      at: first.instant.map { min(max($0, run.start), run.end) })
  }

  /// What is wrong with the order of a golden file's rows; nothing where each comes after the one
  /// before it.
  ///
  /// Rows belong together by their times: of rows that do not ascend it would be said that they are
  /// missing.
  private static func disorder(of kept: CSVTable, _ problems: ProblemList) -> Complaint? {
    guard kept.header.first?.text == "time" else { return nil }
    for (before, row) in zip(kept.rows, kept.rows.dropFirst()) {
      guard let first = TableComparison.instant(before[0].text),
        let second = TableComparison.instant(row[0].text), second <= first
      else { continue }
      problems.error(
        at: row[0].position,
        second == first
          ? "The row of \(row[0].text) is there twice; a timeline has one of each time."
          : "The row of \(row[0].text) comes after that of \(before[0].text); the rows of a "
            + "timeline ascend.")
      return problems.sorted.first.map { Complaint($0.description) }
    }
    return nil
  }

  /// Of how many differences of its kind the first is one, and how many there are of other kinds;
  /// empty where it is the only one.
  private static func extent(
    of comparison: TableComparison, _ first: TableComparison.Difference
  ) -> String {
    enum Kind { case value, keptRow, foundRow, column }
    let kind: Kind =
      first.row == nil
      ? .column : first.right == nil ? .keptRow : first.left == nil ? .foundRow : .value
    func words(_ count: Int, _ of: Kind, _ noun: String, _ other: String) -> (String, String) {
      guard kind != of else { return (count > 1 ? " (first of \(count) \(noun)s)" : "", "") }
      return ("", count > 0 ? "\(WordList.counted(count, noun)) \(other)" : "")
    }
    let values = comparison.columns.reduce(0) { $0 + $1.differing }
    let (kept, found) = (comparison.rowsOnlyLeft, comparison.rowsOnlyRight)
    let parts = [
      words(kept, .keptRow, "row", "\(WordList.verb("is", of: kept)) only in kept"),
      words(found, .foundRow, "row", "\(WordList.verb("is", of: found)) only in found"),
      words(values, .value, "value", WordList.verb("differs", of: values)),
    ]
    let others = parts.map(\.1).filter { !$0.isEmpty }
    return parts.map(\.0).joined()
      + (others.isEmpty ? "" : "; besides \(others.joined(separator: ", "))")
  }
}
