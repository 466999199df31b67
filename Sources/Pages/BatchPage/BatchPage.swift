public import Expectations
internal import Quantities
internal import Outcomes
public import Reports
internal import Simulation
internal import StructuredText
internal import Studies
internal import Typesetting

/// The page of a batch: which runs went wrong, how the arms compare, and how every run came out.
public struct BatchPage: Sendable {
  let rows: [BatchRow]
  let missing: [RunWithoutResult]
  let arms: [BatchArm]
  let joint: [ExpectationResult]
  let version: String
  private let unit: GlucoseUnit
  /// The tables of parts of the batch that are not there, so that their runs are in no figure.
  public var absentTables: [String] = []
  /// The words of the command that make its runs what they are, such as a seed; `nil` where no
  /// command is known to give the batch again.
  public var options: [String]? = []

  /// How many runs have a row each; those after them are in `runs.csv`.
  static let mostRows = 400
  /// The most arms that are held beside one another; all are in batch.json.
  static let mostArms = 60

  /// Prepares the page.
  ///
  /// - Parameters:
  ///   - rows: The runs, in the order of the batch.
  ///   - missing: The runs that came to no result.
  ///   - joint: What came of the expectations that look at several runs.
  ///   - version: The version of the program.
  public init(
    _ rows: [BatchRow], missing: [RunWithoutResult] = [], joint: [ExpectationResult],
    version: String
  ) {
    self.rows = rows
    self.missing = missing
    arms = BatchArm.arms(of: rows)
    self.joint = joint
    self.version = version
    unit = rows.first?.coordinates.glucoseUnit ?? .milligramsPerDecilitre
  }

  var words: GlucoseWords { GlucoseWords(unit) }

  private static let kind = "Batch report"

  /// Whether a file is the page of a batch, of whatever version.
  public static func isPage(_ bytes: [UInt8]) -> Bool {
    let start = String(decoding: bytes.prefix(100_000), as: UTF8.self)
    return start.hasPrefix("<!doctype html>") && start.contains(">\(kind)<")
  }

  /// The page as a file.
  ///
  /// - Parameter linksToRuns: Whether each run's own page stands in its folder beside this one.
  /// - Returns: The text of the page.
  public func html(linksToRuns: Bool) -> String {
    var page = Page(kind: Self.kind, title: headline)
    let files = Set(rows.map(\.coordinates.file)).sorted()
    let names = files.prefix(3).map { "<code>\($0)</code>" as Markup }.joined(separator: ", ")
    let rest: Markup =
      files.count > 3 ? " and \(WordList.counted(files.count - 3, "more file"))" : ""
    page.meta = "\(size), from \(names)\(rest)"
    page.glucoseUnit = unit
    page.skip = ("#runs", "Skip to the runs")
    page.body =
      cards + withoutResult + harm(linksToRuns: linksToRuns) + armTable + pictures
      + table(linksToRuns: linksToRuns) + definitions
    page.footer = ["loopsim \(version)", "simulated data"]
    return page.html
  }

  /// How many runs there are, and in how many arms those are that have any.
  private var size: String {
    let runs = WordList.counted(rows.count, "run")
    let compared = comparedArms
    guard !compared.isEmpty else { return runs }
    let count = compared.reduce(0) { $0 + $1.rows.count }
    let inArms = "in \(WordList.counted(compared.count, "arm"))"
    return count == rows.count ? "\(runs) \(inArms)" : "\(runs), \(count) of them \(inArms)"
  }

  /// The finding in one sentence: what failed, who was harmed, how much time in range there was.
  private var headline: String {
    let failed = rows.count { $0.hasFailed }
    let lethal = rows.count { $0.isLethal }
    let low = rows.count { ($0.value(.below54) ?? 0) > 1 }
    var parts: [String] = []
    if !missing.isEmpty {
      parts.append(
        "\(missing.count) of \(WordList.counted(missing.count + rows.count, "run")) "
          + "\(WordList.verb("has", of: missing.count)) no result")
    }
    if lethal > 0 {
      parts.append(
        "\(lethal) of \(WordList.counted(rows.count, "run")) "
          + "\(WordList.verb("is", of: lethal)) lethal"
      )
    }
    if failed > 0 {
      let isByLaw = rows.contains { $0.hasFailed && $0.failures.isEmpty }
      parts.append(
        "\(failed) of \(rows.count) \(WordList.verb("fails", of: failed)) an expectation"
          + (isByLaw ? " or a law of the simulation" : ""))
    }
    if failedTogether > 0 {
      parts.append(
        "\(WordList.counted(failedTogether, "expectation")) of several runs "
          + WordList.verb("fails", of: failedTogether))
    }
    if low > 0 {
      parts.append(
        "\(low) of \(rows.count) \(WordList.verb("is", of: low)) below \(words.text(54)) "
          + "\(unit.rawValue) for more than 1 % of the time")
    }
    if parts.isEmpty {
      let share = ArmSummary(rows.map { $0.value(.inRange) })?.mean
      let percent = share.map { PercentText.number($0, decimals: 1) } ?? "–"
      let runs = WordList.counted(rows.count, "run")
      return "\(runs): none fails, none is lethal, \(percent) % in range on average"
    }
    let text = parts.joined(separator: ", ")
    return text.prefix(1).uppercased() + text.dropFirst()
  }

  /// How many expectations that look at several runs fail.
  private var failedTogether: Int {
    joint.count { !$0.isWarning && ($0.outcome == .failed || $0.outcome == .error) }
  }

  // MARK: - Cards

  private var cards: Markup {
    let failed = rows.count { $0.hasFailed }
    let wrong = rows.count { !$0.troubles.isEmpty }
    let differing = rows.count { $0.hasWrongRecord }
    let severity: PageSeverity =
      failed + failedTogether > 0 || !missing.isEmpty || rows.contains { $0.isLethal }
      ? .fault : wrong + differing > 0 ? .check : .expected
    let lethal = rows.count { $0.isLethal }
    let key: Markup =
      lethal > 0
      ? "\(lethal) lethal"
      : failed > 0
        ? "\(failed) \(WordList.verb("fails", of: failed))" : "\(rows.count) of \(rows.count)"
    let warned = rows.filter { !$0.hasFailed }.reduce(0) { $0 + $1.warned }
    let held =
      warned > 0
      ? "All expectations but \(warned) that only \(WordList.verb("warns", of: warned)), and the "
        + "laws of the simulation, hold"
      : "All expectations and the laws of the simulation hold"
    let verdict = PageParts.card(
      id: "k1", heading: "Did the runs hold?", severity: severity,
      """
      <p class="big">\(key)</p>\
      <p>\(held) in \(rows.count - failed) of \(WordList.counted(rows.count, "run")).</p>\
      \(PageParts.pairs([
        ("Runs without a result", "\(missing.count)"),
        ("Runs that ended as lethal", "\(rows.count { $0.isLethal })"),
        ("Runs in which a record is wrong", "\(differing)"),
        (
          "Runs in which records differ for a known reason",
          "\(rows.count { $0.isExplained })"
        ),
        ("Runs in which something went wrong", "\(wrong)"),
      ]))
      """)
    let shares = meanShares
    let note: Markup = shortLives.isEmpty ? "" : "<p class=\"small\">\(shortLives)</p>"
    let ranges =
      shares.map {
        PageParts.card(
          id: "k2", heading: "Time in ranges \(words.unitName), true glucose, mean of the runs",
          "\(PageParts.ranges($0, words))\(note)")
      } ?? ""
    let dose = ArmSummary(rows.map { $0.value(.dailyDose) })
    let insulin = PageParts.card(
      id: "k3", heading: "Pump's insulin a day, mean",
      "<p class=\"big\">\(dose.map { FixedDecimal.text($0.mean, decimals: 1) } ?? "–") U</p>")
    return "<div class=\"kpis\">\(verdict)\(ranges)\(insulin)\(JointVerdicts(joint).card)</div>\n"
  }

  /// The mean of the runs' shares, which add to 100 as the median's would not.
  private var meanShares: TimeInRanges? {
    let shares = rows.compactMap(\.shares)
    guard !shares.isEmpty else { return nil }
    return TimeInRanges(meanOf: shares)
  }

  // MARK: - Harm first

  /// The runs that are in no figure of the page, with why.
  private var withoutResult: Markup {
    guard !missing.isEmpty || !absentTables.isEmpty else { return "" }
    let tables = absentTables.map { name -> Markup in
      "<p class=\"warnt\">! \(name) is not there: runs of that part are not known here.</p>"
    }.joined()
    let items = missing.prefix(12).map { run -> Markup in
      """
      <li><div><h3>\(run.id) \(PageParts.chip(.fault, "✕ no result"))</h3>\
      <p>\(run.reason)</p></div></li>
      """
    }.joined()
    let rest = PageParts.more(than: 12, of: missing.count, in: "batch.json")
    return """
      <section class="card more" aria-labelledby="h-missing"><h2 class="t" id="h-missing">\
      Runs without a result, which are in no figure here</h2>\(tables)\
      <ul class="dlist plain">\(items)</ul>\(rest)</section>

      """
  }

  /// How many failed expectations, and how many troubles, of a run are told at its name.
  private static let mostReasons = [2, 3]

  private func harm(linksToRuns: Bool) -> Markup {
    let alike = AlikeCause.causes(of: rows)
    let told = Set(alike.map(\.key))
    // What many say alike is told once; a run that says nothing else has no entry of its own
    // unless its glucose was in danger.
    let worst = rows.filter { row in
      row.isLethal || (row.value(.below54) ?? 0) > 1
        || !reasons(of: row, besides: told).allSatisfy(\.isEmpty)
        || row.hasFailed && row.failures.isEmpty && row.troubles.isEmpty
    }.sorted {
      ($0.isLethal ? 0 : 1, $0.hasFailed ? 0 : 1, -($0.value(.below54) ?? 0), $0.id)
        < ($1.isLethal ? 0 : 1, $1.hasFailed ? 0 : 1, -($1.value(.below54) ?? 0), $1.id)
    }
    guard !worst.isEmpty || !alike.isEmpty else { return "" }
    let items = worst.prefix(12).map { row -> Markup in
      let below = row.value(.below54) ?? 0
      let chip =
        row.isLethal
        ? PageParts.chip(.fault, "✕ lethal")
        : row.hasFailed ? PageParts.chip(.fault, "✕ fails") : PageParts.chip(.check, "! look")
      let own = reasons(of: row, besides: told)
      let shown = zip(own, Self.mostReasons).flatMap { $0.prefix($1) }
      let left = own.reduce(0) { $0 + $1.count } - shown.count
      let isTold = shown.isEmpty && row.failures.count + row.troubles.count > 0
      let reasons =
        isTold
        ? "It says what is told of many above."
        : (shown + (left > 0 ? ["And \(left) more."] : [])).joined(separator: " ")
      return """
        <li><div><h3>\(name(of: row, isLink: linksToRuns)) \(chip)</h3>\
        <p>\(PageSentence(reasons, withYear: isOfSeveralYears).markup)</p></div>\
        <div class="amt"><span class="mut">below \(words.value(54)) \(words.unitName)</span>\
        <b>\(PercentText.number(below, decimals: 2)) %</b></div></li>
        """
    }.joined()
    let rest = PageParts.more(than: 12, of: worst.count, in: "the table")
    return """
      <section class="card more" aria-labelledby="h-harm"><h2 class="t" id="h-harm">\
      Look at these first</h2><ul class="dlist plain">\
      \(alike.map { item(of: $0.cause, isLink: linksToRuns) }.joined())\(items)</ul>\(rest)\
      </section>

      """
  }

  /// Whether a day and a month alone do not say which day is meant.
  private var isOfSeveralYears: Bool {
    Set(rows.flatMap { [$0.start.prefix(4), $0.end.prefix(4)] }).count > 1
  }

  /// What a run says that many others do not say as well: the expectations that fail, and what
  /// went wrong.
  private func reasons(of row: BatchRow, besides told: Set<AlikeCause.Key>) -> [[String]] {
    [
      row.failures.filter { !told.contains(AlikeCause.Key(failure: $0)) }.map { "\($0)." },
      row.troubles.filter { !told.contains(AlikeCause.Key($0)) }.map(\.sentence),
    ]
  }

  /// What many runs say alike, with the first of them and the worst.
  private func item(of cause: AlikeCause, isLink: Bool) -> Markup {
    let isFault = [nil, .lethal, .brokenLaw].contains(cause.trouble)
    let chip =
      cause.trouble == .lethal
      ? PageParts.chip(.fault, "✕ lethal")
      : isFault ? PageParts.chip(.fault, "✕ fails") : PageParts.chip(.check, "! look")
    return """
      <li><div><h3>\(cause.count) of \(WordList.counted(rows.count, "run")) alike \(chip)</h3>\
      <p>\(PageSentence(cause.sentence, withYear: isOfSeveralYears).markup)</p>\
      <p>So says \(name(of: cause.worst, isLink: isLink)), the worst; the first is \
      \(name(of: cause.first, isLink: isLink)).</p></div>\
      <div class="amt"><span class="mut">runs</span><b>\(cause.count)</b></div></li>
      """
  }

  // MARK: - Arms

  /// The arms that stand beside another arm of their scenario, or have several runs; the others
  /// are in the table of the runs.
  var comparedArms: [BatchArm] {
    let perScenario = Dictionary(grouping: arms) { $0.rows.first?.coordinates.scenario ?? "" }
    return arms.filter { arm in
      arm.rows.count > 1
        || (perScenario[arm.rows.first?.coordinates.scenario ?? ""]?.count ?? 0) > 1
    }
  }

  private var armTable: Markup {
    let compared = comparedArms
    guard !compared.isEmpty else { return "" }
    let figures: [(BatchRow.Figure, Markup, Int)] = [
      (.inRange, "In range, %", 1), (.below70, "Below \(words.value(70)), %", 2),
      (.below54, "Below \(words.value(54)), %", 2), (.mean, "Mean, \(words.unitName)", 0),
      (.variation, "CV, %", 1), (.risk, "GRI", 1), (.dailyDose, "Pump, U a day", 1),
    ]
    var table = PageTable(
      [.init("Arm"), .init("Runs", number: true)]
        + figures.map { .init($0.1, number: true) }, caption: "The arms side by side")
    for arm in compared.prefix(Self.mostArms) {
      table.rows.append(
        [.init("\(arm.name)"), .init(Self.runs(of: arm))]
          + figures.map { figure, _, decimals in
            guard let summary = arm.summary(of: figure) else { return .init("–") }
            func text(_ value: Double) -> Markup {
              switch figure {
              case .mean: words.value(value)
              // A share that is there is not none, and one short of all is not all.
              case .inRange, .below70, .below54:
                "\(PercentText.number(value, decimals: decimals))"
              default: "\(FixedDecimal.text(value, decimals: decimals))"
              }
            }
            let quartiles: Markup =
              "[\(text(summary.lowerQuartile)), \(text(summary.upperQuartile))]"
            let range: Markup =
              summary.count > 1 ? " <span class=\"mut opt\">\(quartiles)</span>" : ""
            return .init("\(text(summary.median))\(range)")
          })
    }
    return """
      <section class="card more" aria-labelledby="h-arms"><h2 class="t" id="h-arms">\
      Arms side by side</h2>\(table.markup)\
      \(PageParts.more(than: Self.mostArms, of: compared.count, in: "batch.json"))\
      <p class="small">Median of the runs [lower, upper quartile].\(shortLives) Means and \
      standard deviations \
      are in batch.json. Whether one arm is better than another is a question for a study: this \
      table pairs no runs.</p>\(SweepPoints(of: rows).markup)</section>

      """
  }

  /// How many runs an arm has, and how many of them are lethal.
  private static func runs(of arm: BatchArm) -> Markup {
    let lethal = arm.rows.count { $0.isLethal }
    return lethal > 0 ? "\(arm.rows.count), \(lethal) lethal" : "\(arm.rows.count)"
  }

  /// That figures over runs of unequal length hold lethal ones; nothing where none is lethal.
  private var shortLives: Markup {
    rows.contains { $0.isLethal }
      ? " A lethal run counts like any other, with the time that it lasted." : ""
  }

  private var definitions: Markup {
    let files = Set(rows.map(\.coordinates.file)).sorted()
    // A command that left files out would make another batch.
    let isWhole = files.count <= 8 && missing.isEmpty
    let again = !isWhole ? nil : options.map { ["loopsim", "run"] + files + $0 }
    let command = again.map { PageParts.command(ShellWord.line($0 + ["--report"])) } ?? ""
    return """
      <section class="card more"><h2 class="t">Definitions</h2><p class="small">\
      Glucose figures are those of the true glucose over the whole run, in the ranges of the \
      international consensus. \
      CV: standard deviation over mean. GRI: glycemia risk index. U a day: what the pump gave by \
      the length of the run; of one shorter than a day, as if that had gone on. \
      The grid shows the 2.5th and the 97.5th percentile of each run's glucose \
      (control-variability grid analysis). Differences: all between a run's records, also those \
      that make no record wrong, such as fractions of a pulse that the pump discarded.</p>\
      \(command)</section>

      """
  }
}
