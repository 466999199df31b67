internal import Expectations
internal import Quantities
public import Reports
internal import Scenarios
internal import StructuredText
public import Typesetting

/// The page of two results held against one another: the series over each other, and every figure
/// that differs.
public struct ComparePage: Sendable {
  /// Two runs of the same name, with what was found.
  public struct Pair: Sendable {
    /// The name that both runs have.
    public var name: String
    /// The run of the first result.
    public var left: RecordedRun
    /// The run of the second result.
    public var right: RecordedRun
    /// What was found.
    public var comparison: RunComparison

    /// Creates a `Pair` from its parts; see the properties.
    public init(name: String, left: RecordedRun, right: RecordedRun, comparison: RunComparison) {
      self.name = name
      self.left = left
      self.right = right
      self.comparison = comparison
    }
  }

  private let names: (left: String, right: String)
  private let pairs: [Pair]
  private let alone: [String]
  private let options: [String]
  private let version: String
  /// How many runs that differ are drawn; those after them are counted.
  private static let most = 20

  /// Makes the page of pairs from two results.
  ///
  /// - Parameters:
  ///   - left: The name of the first result.
  ///   - right: The name of the second result.
  ///   - pairs: The runs that both have.
  ///   - alone: A sentence for each run that one side alone has.
  ///   - options: The words of the command that say what is near enough, and what is left out.
  ///   - version: The version of the program.
  public init(
    _ left: String, _ right: String, _ pairs: [Pair], alone: [String] = [],
    options: [String] = [], version: String
  ) {
    self.options = options
    self.alone = alone
    names = (left, right)
    self.pairs = pairs
    self.version = version
  }

  /// The page as a file.
  public var html: String {
    let differing = pairs.filter { !$0.comparison.isSame }
    var page = Page(kind: "Comparison", title: headline(differing))
    page.meta = "A is <code>\(names.left)</code>, B is <code>\(names.right)</code>"
    page.glucoseUnit = differing.lazy.compactMap(Self.statedUnit).first
    page.body = differing.prefix(Self.most).map(card).joined()
    if differing.isEmpty, alone.isEmpty {
      page.body = "<section class=\"card more\"><p>\(sameness).</p></section>\n"
    } else if differing.count > Self.most {
      page.body += "<p class=\"small\">And \(differing.count - Self.most) more that differ.</p>\n"
    }
    if !alone.isEmpty {
      let items = alone.map { "<li>\($0)</li>" as Markup }.joined()
      page.body += "<section class=\"card more\"><ul>\(items)</ul></section>\n"
    }
    let again = ShellWord.line(["loopsim", "compare", names.left, names.right] + options)
    page.body += """
      <section class="card more"><h2 class="t">Compare again</h2>\
      \(PageParts.command(again))</section>

      """
    // Tables may be those of a person's record.
    let isSimulated = pairs.allSatisfy { $0.left.isOfRun && $0.right.isOfRun }
    page.footer = ["loopsim \(version)"] + (isSimulated ? ["simulated data"] : [])
    return page.html
  }

  /// The charts of the runs that differ, each as a file that stands alone.
  public var figures: [PageFigure] {
    let differing = pairs.filter { !$0.comparison.isSame }.prefix(Self.most)
    return differing.compactMap { pair in
      let rows = Self.series.compactMap { chart($0, pair)?.row }
      guard !rows.isEmpty else { return nil }
      let name = pair.name.isEmpty ? "comparison" : PageFigure.slug(pair.name)
      let title = pair.name.isEmpty ? "A and B" : pair.name
      return PageFigure("\(name).svg", SVGFigure(title: title, rows: rows))
    }
  }

  /// What is said where nothing differs, or nothing by more than is allowed.
  private var sameness: String {
    "The two results are the same"
      + (options.contains { ["--tolerance", "--ignore"].contains($0) }
        ? " by what the command allows" : "")
  }

  private func headline(_ differing: [Pair]) -> String {
    guard alone.isEmpty else {
      let all = WordList.counted(alone.count + pairs.count, "run")
      return "\(alone.count) of \(all) only in one result, "
        + "\(differing.count) \(WordList.verb("differs", of: differing.count))"
    }
    guard let first = differing.first else { return sameness }
    if pairs.count > 1 {
      return
        "\(differing.count) of \(pairs.count) runs \(WordList.verb("differs", of: differing.count))"
    }
    guard let found = first.comparison.first else {
      return "The results differ in their figures or in what they say"
    }
    guard let row = found.difference.row else {
      return "The results differ in their columns: \(found.table): "
        + found.difference.sentence("A", "B")
    }
    return "The results part at \(InertText.line(row.description)), in \(found.table)"
  }

  private func card(_ pair: Pair) -> Markup {
    let name = pair.name.isEmpty ? "The run" : pair.name
    let words = GlucoseWords(Self.statedUnit(pair) ?? .milligramsPerDecilitre)
    let charts = Self.series.compactMap { series -> Markup? in
      guard let chart = chart(series, pair) else { return nil }
      let unit: Markup = series.isGlucose ? words.unitName : "\(series.unit)"
      return "<p class=\"small\">\(series.name), \(unit)</p>\(chart.markup)"
    }.joined()
    // Sentences come first, and after them tables, whose columns must stay below one another.
    let lines = pair.comparison.lines("A", "B", listsEqualFigures: false)
    let sentences = lines.prefix { !$0.isEmpty }
    let tables = lines.dropFirst(sentences.count).drop { $0.isEmpty }
    func preformatted(_ lines: some Sequence<String>, _ start: Markup) -> Markup {
      let whole = PageSentence.withMinus(lines.joined(separator: "\n"))
      return whole.isEmpty ? "" : "\(start)\(whole)</pre>"
    }
    // What scrolls by itself must be reached by the keys too.
    let wide: Markup = """
      <pre class="wide" tabindex="0" role="region" aria-label="Columns and figures that differ">
      """
    let text = preformatted(sentences, "<pre>") + preformatted(tables, wide)
    let key: Markup =
      charts.isEmpty
      ? ""
      : "<p class=\"small\">Dashed: A. Blue: B. A line each six hours from the start, or each day "
        + "after ten days.\(starts(of: pair))</p>"
    return """
      <section class="card more long"><h2 class="t">\(name) \
      \(PageParts.chip(.check, "~ differs"))</h2>\
      \(charts)\(key)\(text)</section>

      """
  }

  /// When each of two runs begins, where that is not the same: both are drawn from their starts.
  private func starts(of pair: Pair) -> Markup {
    guard let left = start(of: pair.left), let right = start(of: pair.right), left != right else {
      return ""
    }
    return " A begins at \(left), and B at \(right); each is drawn from its own start."
  }

  /// The time of the first row of a run's timeline, as it stands there.
  private func start(of run: RecordedRun) -> String? {
    timeline(of: run).flatMap { table in
      table.header.firstIndex { $0.text == "time" }.flatMap { table.rows.first?[$0].text }
    }
  }

  /// A column of the timeline that is drawn.
  private struct Series {
    var column: String
    var name: String
    var unit: String
    var isGlucose = false
    /// Whether a value holds until the next one.
    var isStepped = false
  }

  private static let series = [
    Series(column: "glucose_true_mgdL", name: "True glucose", unit: "mg/dL", isGlucose: true),
    Series(
      column: "programmed_rate_U_per_h", name: "Programmed rate", unit: "U/h", isStepped: true),
    Series(column: "iob_U", name: "Insulin on board", unit: "U"),
  ]

  /// The unit in which the scenario of two runs has its glucose; `nil` where none is stated.
  private static func statedUnit(_ pair: Pair) -> GlucoseUnit? {
    [pair.left, pair.right].lazy.flatMap(\.identity).first { $0.name == "glucose unit" }
      .flatMap { GlucoseUnit(rawValue: $0.text) }
  }

  private func chart(_ series: Series, _ pair: Pair) -> TickedChart? {
    let left = points(series, of: pair.left)
    let right = points(series, of: pair.right)
    let all = left + right
    guard left.count > 1, right.count > 1, let low = all.map(\.y).min(),
      let high = all.map(\.y).max(), let end = all.map(\.x).max(), end > 0
    else { return nil }
    let room = max(high - low, 0.001)
    func scaled(_ points: [(x: Double, y: Double)]) -> [(x: Double, y: Double)] {
      let places = points.map { (x: $0.x / end, y: 0.05 + 0.9 * (high - $0.y) / room) }
      return Simplification.thinned(places, tolerance: 0.003)
    }
    let words = GlucoseWords(Self.statedUnit(pair) ?? .milligramsPerDecilitre)
    let unit = series.isGlucose ? words.unit.rawValue : series.unit
    let name = "\(series.name), \(unit)"
    var drawing = Drawing(height: 120, label: "\(name): A and B over each other.")
    drawing.draw(.grid) { path in
      for y in [0.05, 0.5, 0.95] { path.level(at: y, from: 0, to: 1) }
      for x in stride(from: 0, through: end, by: end <= 864_000 ? 21_600 : 86_400) {
        path.upright(at: x / end, from: 0, to: 1)
      }
    }
    drawing.draw(.control) { $0.polyline(scaled(left)) }
    drawing.draw(.treatment) { $0.polyline(scaled(right)) }
    return TickedChart(
      name: name, drawing: drawing,
      ticks: [(0.05, high), (0.95, low)].map {
        // Ends that lie near to one another are told apart by thousandths.
        let number =
          room < 0.1 ? FixedDecimal.text($1, decimals: 3) : RecordLanes.short($1)
        return ($0, series.isGlucose ? words.value($1) : "\(PageSentence.withMinus(number))")
      })
  }

  private func timeline(of run: RecordedRun) -> CSVTable? {
    run.tables.first { $0.name == OutputSelection.File.timeline.fileName }?.table
  }

  /// A column of the timeline over the seconds since the start.
  private func points(_ series: Series, of run: RecordedRun) -> [(x: Double, y: Double)] {
    guard let table = timeline(of: run),
      let time = table.header.firstIndex(where: { $0.text == "seconds" }),
      let place = table.header.firstIndex(where: { $0.text == series.column })
    else { return [] }
    var points: [(x: Double, y: Double)] = []
    for row in table.rows {
      guard let x = Double(decimal: row[time].text), let y = Double(decimal: row[place].text)
      else { continue }
      if series.isStepped, let last = points.last, last.y != y { points.append((x, last.y)) }
      points.append((x, y))
    }
    return points
  }
}
