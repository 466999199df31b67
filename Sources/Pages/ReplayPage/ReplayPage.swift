internal import Expectations
internal import Quantities
public import Reports
internal import StructuredText
public import Typesetting

/// The page of a replay, which says what changed and whether it is one's own change.
public struct ReplayPage: Sendable {
  let outcomes: [ReplayOutcome]
  let version: String
  /// The lines that the command printed.
  let lines: [String]
  /// The words of the command that say where the kept results are.
  let options: [String]

  /// How many failures are drawn in full; those after them are listed.
  private static let mostDrawn = 10
  /// How many lines of the text are shown; those after them are counted.
  private static let mostLines = 200

  /// Prepares the page.
  ///
  /// - Parameters:
  ///   - outcomes: What came of each run, in the order of the replay.
  ///   - lines: The replay as text, as the command printed it.
  ///   - options: The words of the command that say where the kept results are.
  ///   - version: The version of the program.
  public init(
    _ outcomes: [ReplayOutcome], lines: [String], options: [String] = [], version: String
  ) {
    self.outcomes = outcomes
    self.lines = lines
    self.options = options
    self.version = version
  }

  private func count(_ state: ReplayOutcome.State) -> Int { outcomes.count { $0.state == state } }

  /// The runs that are not as they were, the gravest first.
  private var notable: [ReplayOutcome] { notablePlaces.map { outcomes[$0] } }

  /// Where these are: two of one name may be among them, as of two files that state one id.
  private var notablePlaces: [Int] {
    outcomes.indices.filter { outcomes[$0].state != .passed }
      .sorted { (outcomes[$0].state, $0) < (outcomes[$1].state, $1) }
  }

  /// The page as a file.
  public var html: String {
    var page = Page(kind: "Replay", title: headline)
    page.meta = "Every run held against its reference result and its expectations, byte for byte."
    page.body = cards + failures + passed + text
    page.footer = ["loopsim \(version)"]
    return page.html
  }

  /// The charts of what failed or changed, each as a file that stands alone.
  public var figures: [PageFigure] { notable.compactMap { ReplayLanes($0)?.figure } }

  private var headline: String {
    let (failed, broken, changed) = (count(.failed), count(.broken), count(.changed))
    let causes = Set(outcomes.filter { $0.state < .changed }.map(\.cause)).count
    var parts: [String] = []
    if broken > 0 { parts.append("\(broken) could not run") }
    if failed > 0 { parts.append("\(failed) \(WordList.verb("fails", of: failed))") }
    if changed > 0 { parts.append("\(changed) changed") }
    let gone = count(.gone)
    let new = count(.new)
    if new > 0 { parts.append("\(new) \(WordList.verb("has", of: new)) no reference yet") }
    let runs = outcomes.count - gone
    let lost = "\(WordList.counted(gone, "result", "has")) no scenario"
    guard !parts.isEmpty else {
      return "\(runs) of \(WordList.counted(runs, "run", "passes"))"
        + (gone > 0 ? ", and \(lost)" : "")
    }
    if gone > 0 { parts.append(lost) }
    let text = "Of \(WordList.counted(runs, "run")) \(parts.joined(separator: ", "))"
    return failed + broken > 1
      ? text + (causes == 1 ? ", all alike" : ", in \(causes) different ways") : text
  }

  private func severity(_ state: ReplayOutcome.State) -> PageSeverity {
    switch state {
    case .broken, .failed: .fault
    case .changed, .gone: .check
    case .new: .note
    case .passed: .expected
    }
  }

  private func sign(_ state: ReplayOutcome.State) -> String {
    switch state {
    case .broken, .failed: "✕"
    case .changed: "~"
    case .gone: "?"
    case .new: "i"
    case .passed: "✓"
    }
  }

  // MARK: - Cards

  private var cards: Markup {
    let worst = outcomes.map(\.state).min() ?? .passed
    let runs = outcomes.count - count(.gone)
    let counts = ReplayOutcome.State.allCases.filter { count($0) > 0 || $0 == .passed }.map {
      PageParts.chip(severity($0), "\(sign($0)) \(count($0)) \($0.word)")
    }.joined(separator: " ")
    let firsts = notable.prefix(12).enumerated().map { place, outcome -> Markup in
      let time = outcome.first?.instant.map { clock(outcome, $0) } ?? "–"
      return "<li><span><a href=\"#f\(place + 1)\">\(outcome.id)</a></span><b>\(time)</b></li>"
    }.joined()
    let rerun = notable.filter { $0.state <= .changed }.map(\.file)
    var seen: Set<String> = []
    let files = rerun.filter { seen.insert($0).inserted }
    let command =
      files.isEmpty
      ? "" : PageParts.command(ShellWord.line(["loopsim", "verify"] + files + options))
    let list: Markup =
      firsts.isEmpty
      ? "" : "<ul class=\"wrong\">\(firsts)</ul>\(PageParts.more(than: 12, of: notable.count))"
    let left = PageParts.card(
      id: "k1", heading: notable.isEmpty ? "What changed" : "First difference of each",
      severity: severity(worst),
      """
      <p class="big">\(count(.passed)) of \(runs) \(WordList.verb("passes", of: runs))</p>\
      <p>\(counts)</p>\
      \(list)\(command)
      """)
    return "<div class=\"kpis two\">\(left)\(squares)</div>\n"
  }

  /// One square a run, by folder.
  private var squares: Markup {
    var folders: [(name: String, outcomes: [Int])] = []
    for (number, outcome) in outcomes.enumerated() {
      if let index = folders.firstIndex(where: { $0.name == outcome.folder }) {
        folders[index].outcomes.append(number)
      } else {
        folders.append((outcome.folder, [number]))
      }
    }
    let places = Dictionary(
      uniqueKeysWithValues: notablePlaces.enumerated().map { ($0.element, $0.offset + 1) })
    let rows = folders.map { folder -> Markup in
      let good = folder.outcomes.count { outcomes[$0].state == .passed }
      let boxes: Markup
      if outcomes.count > 1_000 {
        boxes = PageParts.bar([
          ("f-tgt", Double(good)), ("f-lo", Double(folder.outcomes.count - good)),
        ])
      } else {
        boxes = folder.outcomes.map { number in
          guard let place = places[number] else { return "<i></i>" }
          let outcome = outcomes[number]
          return """
            <a class="\(severity(outcome.state).rawValue)" href="#f\(place)" \
            aria-label="\(outcome.id): \(outcome.state.word)">\(sign(outcome.state))</a>
            """
        }.joined()
      }
      return """
        <div class="fold"><span>\(folder.name)</span><span class="sq">\(boxes)</span>\
        <b>\(good)/\(folder.outcomes.count)</b></div>
        """
    }.joined()
    return PageParts.card(id: "k2", heading: "By folder", rows)
  }

  private func clock(_ outcome: ReplayOutcome, _ instant: Instant) -> String {
    let civil = outcome.clock.civilTime(at: instant)
    return "\(civil.dateText) \(civil.timeOfDay)"
  }

  // MARK: - Failures

  private var failures: Markup {
    let shown = notable
    guard !shown.isEmpty else { return "" }
    var alike: [String: Int] = [:]
    for outcome in shown { alike[outcome.cause, default: 0] += 1 }
    var open: [String: Int] = [:]
    var drawn = 0
    return shown.enumerated().map { place, outcome -> Markup in
      // Of failures that are alike the first stands for all.
      open[outcome.cause, default: 0] += 1
      let isAlike = (alike[outcome.cause] ?? 0) > 3 && (open[outcome.cause] ?? 0) > 1
      let isDrawn = drawn < Self.mostDrawn && !isAlike
      if isDrawn { drawn += 1 }
      return card(outcome, place + 1, isDrawn: isDrawn, alike: alike[outcome.cause] ?? 1)
    }.joined()
  }

  private func card(_ outcome: ReplayOutcome, _ number: Int, isDrawn: Bool, alike: Int) -> Markup {
    let chip = PageParts.chip(
      severity(outcome.state), "\(sign(outcome.state)) \(outcome.state.word)")
    let group: Markup =
      alike > 3 && isDrawn ? " \(PageParts.chip(.note, "\(alike) alike"))" : ""
    let failed = outcome.failures
    let most = isDrawn ? 20 : 1
    let lines =
      failed.prefix(most).map { result -> Markup in
        let file = result.source.map { " of \($0)" } ?? ""
        let place: Markup =
          result.line.map { " <span class=\"mut\">line \($0)\(file)</span>" } ?? ""
        let run: Markup = result.run == outcome.id ? "" : " in \(result.run)"
        return "<li><b>\(result.expectation)</b>\(place)\(run): \(result.message)</li>"
      } + outcome.violations.map { "<li>\($0)</li>" as Markup }
    let head: Markup = """
      <section class="card more fail" id="f\(number)"><h2 class="t">\(outcome.id) \(chip)\(group)\
      </h2><p class="mut">\(outcome.title) <code>\(outcome.file)</code></p>
      """
    let list: Markup =
      lines.isEmpty
      ? "" : "<ul>\(lines.joined())</ul>\(PageParts.more(than: most, of: failed.count))"
    guard isDrawn else { return "\(head)\(list)</section>\n" }
    return """
      \(head)\(list)\(firstDifference(outcome))\(lanes(outcome))\(changes(outcome))\
      \(commands(outcome))</section>

      """
  }

  private func firstDifference(_ outcome: ReplayOutcome) -> Markup {
    guard let first = outcome.first else { return "" }
    let time = first.instant.map { clock(outcome, $0) } ?? "not in time"
    let pairs: [(name: Markup, value: Markup)] =
      [
        ("First difference", "\(time), <code>\(first.file)</code>")
      ] + expectedAndActual(first)
    let later = outcome.differences.reduce(0) { $0 + $1.count } - 1
    var named: Set<String> = []
    let files = outcome.differences.map(\.file).filter { named.insert($0).inserted }
      .joined(separator: ", ")
    let rest: Markup =
      later > 0
      ? "<p class=\"small\">\(WordList.counted(later, "later difference")), in \(files).</p>" : ""
    return PageParts.pairs(pairs, style: "exp") + rest
  }

  private func expectedAndActual(
    _ difference: ReplayOutcome.Difference
  ) -> [(name: Markup, value: Markup)] {
    guard difference.words.isEmpty else { return [("What", "\(difference.words)")] }
    func row(_ text: String?) -> Markup { "<code>\(text ?? "no such row")</code>" }
    let shown = difference.excerpts(of: 300)
    return [("Expected", row(shown.kept)), ("Actual", row(shown.found))]
  }

  /// Expected above actual, three quarters of an hour around the first difference.
  private func lanes(_ outcome: ReplayOutcome) -> Markup {
    guard let change = ReplayLanes(outcome) else { return "" }
    return change.markup
  }

  private func changes(_ outcome: ReplayOutcome) -> Markup {
    let (kept, found) = (Set(outcome.kept), Set(outcome.found))
    let removed = outcome.kept.filter { !found.contains($0) }
    let added = outcome.found.filter { !kept.contains($0) }
    guard !removed.isEmpty || !added.isEmpty else { return "" }
    let rows =
      removed.map { ("removed", $0, -$0.units) } + added.map { ("added", $0, $0.units) }
    var table = PageTable(
      [.init("Basal sample"), .init("From"), .init("To"), .init("ΔU", number: true)],
      caption: "Changes of \(outcome.id)")
    for row in rows.sorted(by: { ($0.1.start, $0.0) < ($1.1.start, $1.0) }).prefix(12) {
      table.rows.append([
        .init("\(row.0)"), .init("\(clock(outcome, row.1.start))"),
        .init("\(clock(outcome, row.1.end))"), .init("\(RecordLanes.signed(row.2))"),
      ])
    }
    return table.markup + PageParts.more(than: 12, of: rows.count)
  }

  /// The option that commands about a scenario have as well, where it reads outside its folder.
  private var reach: [String] { options.filter { $0 == "--allow-outside" } }

  private func commands(_ outcome: ReplayOutcome) -> Markup {
    guard outcome.command.isEmpty else { return PageParts.command(outcome.command) }
    let replay =
      outcome.failures.first { !$0.replay.isEmpty }?.replay
      ?? outcome.first?.instant.map { instant in
        ShellWord.line(
          [
            "loopsim", "replay", outcome.file, "--run", outcome.id, "--at",
            outcome.clock.iso8601(instant),
          ] + reach)
      } ?? ShellWord.line(["loopsim", "run", outcome.file] + reach)
    return PageParts.command(replay)
      + (outcome.update.isEmpty ? "" : PageParts.command(outcome.update))
  }

  // MARK: - The rest

  private var passed: Markup {
    let names = outcomes.filter { $0.state == .passed }
    guard !names.isEmpty else { return "" }
    let rows = names.map { "<li data-name=\"\($0.id)\">\($0.id)</li>" as Markup }.joined()
    let list = PageParts.folded(
      "✓ \(names.count) passed", id: "passed-list", "<ul class=\"names\">\(rows)</ul>")
    return """
      <section class="card more" id="passed"><p class="filters"><label>Filter \
      <input type="search" data-filters="passed-list"></label></p>\
      \(list)</section>

      """
  }

  private var text: Markup {
    let kept = lines.filter { !$0.hasPrefix("same ") }
    return """
      <section class="card more"><h2 class="t">As text</h2>\
      <pre>\(kept.prefix(Self.mostLines).joined(separator: "\n"))</pre>\
      \(PageParts.more(than: Self.mostLines, of: kept.count))</section>

      """
  }
}
