public import Quantities
public import Outcomes
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
  func counted(_ count: Int) -> String {
    self == .expected
      ? "\(count) \(word.lowercased())" : WordList.counted(count, word.lowercased())
  }
}

/// Pieces of which every page is made.
public enum PageParts {
  /// The path of a key, which a narrow column breaks behind its points.
  static func path(_ path: String) -> Markup {
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
  static let swipe: Markup = """
    <p class="swipe">◂ Wider than the screen: swipe the chart sideways ▸</p>

    """

  /// How many of a list are not shown, and where they are; nothing where all are.
  static func more(than shown: Int, of count: Int, in place: String? = nil) -> Markup {
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
    let cells = shown.map {
      let share = FixedDecimal.text($0.share, decimals: 2)
      return "<i class=\"\($0.style)\" style=\"flex:\(share) 0 3px\"></i>" as Markup
    }
    return "<div class=\"bar\" aria-hidden=\"true\">\(cells.joined())</div>"
  }

  /// The five ranges of glucose as a bar with its legend, highest first; shares add to 100.
  public static func ranges(_ shares: TimeInRanges, _ glucose: GlucoseWords) -> Markup {
    let names: [(String, String, Markup)] = [
      ("f-vhi", "Very high", glucose.range(">250")), ("f-hi", "High", glucose.range("181–250")),
      ("f-tgt", "In range", glucose.range("70–180")), ("f-lo", "Low", glucose.range("54–69")),
      ("f-vlo", "Very low", glucose.range("<54")),
    ]
    let whole = wholePercentages(shares.stacked)
    let items = zip(names, zip(shares.stacked, whole)).map { name, share -> Markup in
      // A share that is there is never written as none.
      let text = share.0 > 0 && share.1 == 0 ? "<1" : "\(share.1)"
      return """
        <li><s class="\(name.0)"></s><span>\(name.1)</span><span class="mut">\(name.2)</span>\
        <b>\(text)%</b></li>
        """
    }
    let bar = bar(zip(names, shares.stacked).reversed().map { ($0.0, $1) })
    return bar + """
      <ul class="two three">\(items.joined())<li><span class="mut">Mean</span>\
      <b>\(glucose.value(shares.mean)) \(glucose.unitName)</b></li></ul>
      """
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

/// Writes glucose in a page's unit, so that a button can change all of it.
public struct GlucoseWords: Sendable {
  /// The unit in which glucose is written.
  public let unit: GlucoseUnit

  /// Writes glucose in a unit.
  public init(_ unit: GlucoseUnit) { self.unit = unit }

  private var isMolar: Bool { unit == .millimolesPerLitre }

  /// The name of the unit.
  public var unitName: Markup { "<span data-unit>\(unit.rawValue)</span>" }

  /// A concentration: whole mg/dL, or mmol/L with one decimal.
  public func value(_ mgdL: Double) -> Markup {
    "<span data-mg=\"\(FixedDecimal.text(mgdL, decimals: 1))\">\(text(mgdL))</span>"
  }

  /// A range of the consensus, written as in mg/dL; the bounds in mmol/L are those of the
  /// consensus.
  public func range(_ mgdL: String) -> Markup {
    "<span data-rng=\"\(mgdL)\">\(rangeText(mgdL))</span>"
  }

  /// The same without markup.
  public func rangeText(_ mgdL: String) -> String {
    isMolar ? Self.molarRanges.first { $0.mgdL == mgdL }?.mmolL ?? mgdL : mgdL
  }

  /// The ranges of the international consensus in both units.
  ///
  /// Battelino and others, Diabetes Care 42 (2019) 1593–1603.
  static let molarRanges: [(mgdL: String, mmolL: String)] = [
    (">250", ">13.9"), ("181–250", "10.1–13.9"), ("70–180", "3.9–10.0"), ("54–69", "3.0–3.8"),
    ("<54", "<3.0"), ("<70", "<3.9"), (">180", ">10.0"),
  ]

  /// A concentration without markup, for sentences that no button changes.
  public func text(_ mgdL: Double) -> String {
    isMolar
      ? FixedDecimal.text(mgdL / unit.mgdL, decimals: 1) : FixedDecimal.text(mgdL, decimals: 0)
  }
}
