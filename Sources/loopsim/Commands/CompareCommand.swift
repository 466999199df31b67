import Arguments
import Expectations
import Pages
import Quantities
import Reports
import StructuredText

/// Holds two results against one another.
struct CompareCommand: Command {
  enum Format: String, CaseIterable, ArgumentValue { case text, json }

  static let name = "compare"
  static let abstract = "Compare two results: the first difference, then every column and figure."
  static let discussion = """
    A and B are folders of results, folders of such folders, single files of a result, such as \
    its summary.json, CSV files, or scenario files, which are run; FILE@ID means one run of a \
    scenario with several. Rows belong together by their time.

    A tolerance is written --tolerance glucose=0.01 and means every column whose name begins so; \
    a time may differ by a span, --tolerance time=1s; a number alone means all columns. Where a \
    tolerance is given, only the tables decide; otherwise the figures of the summaries and the \
    ledgers must be equal too, and what these say: whether the records agree, what went wrong, \
    the digest. The settings of a result, the samples of its health store, those that were \
    deleted there, who may write and read, and what programs answered are tables as well, without \
    what only names a sample. Where that is a column, as sample_id of basal-segments.csv, it comes \
    last in the search for the first difference, and --ignore leaves it out. The exit code is 0 \
    when nothing differs, 1 when something does.
    """

  var first = ""
  var second = ""
  var tolerances: [String] = []
  var ignored: [String] = []
  var format = Format.text
  var page = ""
  var figures: String?
  var allowsOutside = false

  static func describe(_ it: inout Parameters<Self>) {
    it.positional("a", \.first, help: "The result that is compared with.")
    it.positional("b", \.second, help: "The result that is looked at.")
    it.option(
      "tolerance", \.tolerances, valueName: "column=number",
      help: "How far values may lie apart; may be repeated.")
    it.option("ignore", \.ignored, valueName: "column", help: "A column to leave out.")
    it.option("format", \.format, help: "How to print the comparison.")
    it.destination(
      "report", \.page, valueName: "file", help: "Write a page of what differs to this file.")
    it.destination("svg", \.figures, valueName: "folder", help: ChartFolder.help)
    it.flag("allow-outside", \.allowsOutside, help: OutsideHelp.text)
  }

  func validate() throws { _ = try allowed() }

  func run(to console: any Console) async throws {
    try Files.keep([first, second], apartFrom: [page])
    for word in [first, second] { try Files.keepFolder(word, apartFrom: page) }
    var left = try ComparisonInput(first, allowsOutside: allowsOutside)
    var right = try ComparisonInput(second, allowsOutside: allowsOutside)
    try Files.keep(left.scenarioFiles + right.scenarioFiles, apartFrom: [page])
    console.note(left.warnings + right.warnings)
    try ComparisonInput.match(&left, first, &right, second)
    let allowed = try allowed()
    try checkNames(allowed, left, right)
    let names = left.runs.map(\.name) + right.runs.map(\.name)
    var same = 0
    var results: [JSONValue] = []
    var pairs: [ComparePage.Pair] = []
    var alone: [String] = []
    for name in Set(names).sorted() {
      guard let old = left.runs.first(where: { $0.name == name })?.run,
        let new = right.runs.first(where: { $0.name == name })?.run
      else {
        let side = left.runs.contains { $0.name == name } ? "A" : "B"
        results.append(["run": .string(name), "same": false, "only_in": .string(side)])
        let sentence = "\(name.isEmpty ? "The run" : name) is only in \(side)."
        alone.append(sentence)
        if format == .text { console.print(name.isEmpty ? sentence : "\(name): only in \(side)") }
        continue
      }
      let comparison = RunComparison(
        old, new, tolerances: allowed, ignoring: ignored, figuresDecide: tolerances.isEmpty)
      if comparison.isSame { same += 1 }
      if !page.isEmpty || figures != nil {
        pairs.append(.init(name: name, left: old, right: new, comparison: comparison))
      }
      results.append(["run": .string(name), "comparison": comparison.json])
      if format == .text, !comparison.isSame || names.count == 2 {
        if !name.isEmpty { console.print(name) }
        for line in lines(of: comparison, isOnly: names.count == 2) { console.print(line) }
        console.print("")
      }
    }
    let count = Set(names).count
    let drawn = ComparePage(
      first, second, pairs, alone: alone,
      options: tolerances.flatMap { ["--tolerance", $0] } + ignored.flatMap { ["--ignore", $0] }
        + (allowsOutside ? ["--allow-outside"] : []),
      version: Loopsim.version ?? "")
    try write(drawn, console)
    switch format {
    case .text:
      console.print(
        count == 1
          ? (same == 1 ? "same" : "different")
          : "\(WordList.counted(count, "run")): \(same) the same, \(count - same) different.")
    case .json:
      console.printJSON([
        "a": .string(first), "b": .string(second), "same": .bool(same == count),
        "runs": .array(results),
      ])
    }
    if same < count { throw CommandLineError.exit(.expectationFailed) }
  }

  /// Writes the page and the charts that were asked for; of equal results there is no chart.
  private func write(_ drawn: ComparePage, _ console: any Console) throws {
    if !page.isEmpty {
      try Files.write(drawn.html, to: page)
      console.note("page in \(page)")
    }
    try ChartFolder.write(drawn.figures, to: figures, none: "No chart differs", console)
  }

  private func lines(of comparison: RunComparison, isOnly: Bool) -> [String] {
    comparison.lines("A", "B", listsEqualFigures: isOnly)
  }

  /// The tolerances that were asked for.
  private func allowed() throws -> ColumnTolerances {
    var allowed = ColumnTolerances()
    var given: Set<String?> = []
    for word in tolerances {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        .map(String.init)
      let name = parts.count == 2 ? parts[0] : nil
      guard given.insert(name).inserted else {
        let place = name.map { " of \"\($0)\"" } ?? ""
        throw Failure(.usage, "There are two tolerances\(place). Write one.")
      }
      if name?.isEmpty != true, let number = parts.last.flatMap({ Double(argument: $0) }),
        number >= 0
      {
        if let name { allowed.allow(number, in: name) } else { allowed.standard = number }
      } else if let name, let span = TimeSpan(parts[1]), span >= .zero {
        allowed.allow(span, in: name)
      } else {
        throw Failure(
          .usage,
          "\"\(word)\" is not a tolerance. Write one such as glucose=0.01, time=1s or 0.001.")
      }
    }
    return allowed
  }

  private func checkNames(
    _ allowed: ColumnTolerances, _ left: ComparisonInput, _ right: ComparisonInput
  ) throws {
    let columns = (left.runs + right.runs).flatMap { RunComparison.columns(of: $0.run) }
    // Where a tolerance is given the tables decide: of figures alone everything would be the same.
    guard tolerances.isEmpty || !columns.isEmpty else {
      throw Failure(
        .usage, "A tolerance is for the columns of tables, and there is none here. Leave it out.")
    }
    let unknown =
      allowed.namesWithoutColumn(among: columns) + ignored.filter { !columns.contains($0) }
    guard let name = unknown.first else {
      let tables = (left.runs + right.runs).flatMap { $0.run.tables.map(\.table) }
      if let sentence = allowed.complaint(on: tables) { throw Failure(.usage, sentence) }
      return
    }
    let known = columns.flatMap { column in
      [column.split(separator: "_").first.map(String.init) ?? column, column]
    }
    throw Failure(
      .usage,
      "No column is called \"\(name)\".\(NearestName.suggestion(for: name, among: known))")
  }
}
