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
      let reason =
        error == .missing(path) ? "the golden file \(path) is missing" : error.description
      return Complaint("\(reason); keep one with: loopsim run \(scenario) --update-golden")
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
    let comparison = TableComparison(
      kept, found, tolerances: tolerances, allowsMoreColumns: true,
      where: scope.ofKeptRows.contains)
    guard let first = comparison.first else {
      guard comparison.columns.first?.compared == 0 else { return nil }
      return Complaint("\(path): no row lies in the part of the run that counts")
    }
    let count = comparison.columns.reduce(0) { $0 + $1.differing }
    let more = count > 1 ? " (first of \(count) values)" : ""
    return Complaint(
      "\(path): \(first.sentence("kept", "found"))\(more)", at: first.instant)
  }
}
