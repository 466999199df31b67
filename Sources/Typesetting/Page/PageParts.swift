internal import StructuredText

/// How much something on a page matters; each has a colour, a sign and a word of its own.
public enum PageSeverity: String, Hashable, Sendable, CaseIterable {
  /// Something is wrong.
  case fault = "bad"
  /// Right by the rules, and worth a look.
  case check = "warn"
  /// As it should be.
  case expected = "ok"
  /// Worth knowing.
  case note = "info"

  /// The sign that stands beside the colour.
  public var sign: String {
    switch self {
    case .fault: "✕"
    case .check: "!"
    case .expected: "✓"
    case .note: "i"
    }
  }

  /// The word that stands in a chip.
  public var word: String {
    switch self {
    case .fault: "Fault"
    case .check: "Check"
    case .expected: "Expected"
    case .note: "Note"
    }
  }

  /// So many of it, as a chip says: `2 faults`, `1 check`, `3 expected`.
  package func counted(_ count: Int) -> String {
    self == .expected
      ? "\(count) \(word.lowercased())" : WordList.counted(count, word.lowercased())
  }
}

/// Pieces of which every page is made.
public enum PageParts {
  /// The path of a key, which a narrow column breaks behind its points.
  package static func path(_ path: String) -> Markup {
    path.split(separator: ".", omittingEmptySubsequences: false).map { "\(String($0))" as Markup }
      .joined(separator: ".<wbr>")
  }

  /// A small label in a severity's colour.
  public static func chip(_ severity: PageSeverity, _ text: String, link: String? = nil) -> Markup {
    guard let link else { return "<span class=\"chip \(severity.rawValue)\">\(text)</span>" }
    return "<a class=\"chip \(severity.rawValue)\" href=\"\(link)\">\(text)</a>"
  }

  /// A card with a key figure; the card of bad news has a border in its severity's colour.
  ///
  /// - Parameters:
  ///   - id: The id of its heading.
  ///   - heading: The question that the card answers.
  ///   - severity: What the answer means; `nil` for a card that is neither good nor bad.
  ///   - body: What stands below the heading.
  /// - Returns: The card.
  public static func card(
    id: String, heading: Markup, severity: PageSeverity? = nil, _ body: Markup
  ) -> Markup {
    let verdict = severity.map { " verdict \($0.rawValue)" } ?? ""
    return """
      <section class="card kpi\(verdict)" aria-labelledby="\(id)"><h2 id="\(id)">\(heading)</h2>\
      \(body)</section>

      """
  }

  /// What stands above a chart that is wider than the screen; elsewhere it is not shown.
  package static let swipe: Markup = """
    <p class="swipe">◂ Wider than the screen: swipe the chart sideways ▸</p>

    """

  /// How many of a list are not shown, and where they are; nothing where all are.
  package static func more(than shown: Int, of count: Int, in place: String? = nil) -> Markup {
    assert(shown >= 0 && count >= 0, "Of a number of entries a number is shown.")
    guard count > shown else { return "" }
    return "<p class=\"small\">And \(count - shown) more\(place.map { ", in \($0)" } ?? "").</p>"
  }

  /// A list of names and values, one under the other.
  public static func pairs(_ pairs: [(name: Markup, value: Markup)], style: String = "stat")
    -> Markup
  {
    let rows = pairs.map { "<dt>\($0.name)</dt><dd>\($0.value)</dd>" as Markup }
    return "<dl class=\"\(style)\">\(rows.joined())</dl>"
  }

  /// A bar of shares that add up; each at least wide enough to be seen.
  public static func bar(_ parts: [(style: String, share: Double)]) -> Markup {
    let shown = parts.filter { $0.share > 0 }
    // Parts that grow by less than one together would not fill the bar.
    let sum = shown.reduce(0) { $0 + $1.share }
    let cells = shown.map {
      let share = FixedDecimal.text($0.share / sum * 100, decimals: 2)
      return "<i class=\"\($0.style)\" style=\"flex:\(share) 0 3px\"></i>" as Markup
    }
    return "<div class=\"bar\" aria-hidden=\"true\">\(cells.joined())</div>"
  }

  /// A command to copy; without a script it is text to select.
  public static func command(_ words: String) -> Markup {
    """
    <p class="copy"><code>\(words)</code><button type="button" class="cp">Copy</button></p>
    """
  }

  /// A stretch that is folded, and opened in print where that is wanted.
  public static func folded(
    _ summary: Markup, id: String? = nil, isOpen: Bool = false, opensInPrint: Bool = false,
    _ body: Markup
  ) -> Markup {
    let name: Markup = id.map { " id=\"\($0)\"" } ?? ""
    let open: Markup = isOpen ? " open" : ""
    let print: Markup = opensInPrint ? " data-print" : ""
    return "<details\(name)\(open)\(print)><summary>\(summary)</summary>\(body)</details>\n"
  }
}
