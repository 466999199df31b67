import Testing

@testable import Typesetting

@Suite("Drawing")
struct DrawingTests {
  @Test("What is interpolated into markup is text, whatever it holds")
  func escapesText() {
    let title = "<img src=x onerror=alert(1)> & \"two\" 'one' \u{202E}gnp\u{61C}.exe\u{0}"
    let markup: Markup = "<p title=\"\(title)\">\(title)</p>"
    let escaped =
      "&lt;img src=x onerror=alert(1)&gt; &amp; &quot;two&quot; &#39;one&#39; "
      + "\u{FFFD}gnp\u{FFFD}.exe\u{FFFD}"
    #expect(markup.text == "<p title=\"\(escaped)\">\(escaped)</p>")
    #expect(("<b>\(markup)</b>" as Markup).text == "<b>\(markup.text)</b>")
  }

  @Test("Relative commands on the grid lead where absolute ones would")
  func tracesPaths() throws {
    var path = SVGPath()
    path.move(to: 0.1, 0.5)
    path.line(to: 0.2, 0.25)
    path.dot(at: 0.3, 0.75)
    path.rectangle(left: 0.5, top: 0.1, right: 0.6, bottom: 0.2)
    #expect(path.data == "M1000 500l1000-250m1000 500h1m1999-650h1000v100h-1000z")
    var flat = SVGPath()
    flat.rectangle(left: 0.5, top: 0.1, right: 0.5, bottom: 0.2)
    #expect(flat.isEmpty)
  }

  @Test("A thinned line strays no further than the tolerance, and keeps what sticks out")
  func thins() {
    let points = (0...1_000).map { index -> (x: Double, y: Double) in
      let small = Double(index % 2) * 0.1
      return (x: Double(index), y: index == 500 ? 5 : small)
    }
    let thinned = Simplification.thinned(points, tolerance: 0.2)
    #expect(thinned.count < 8)
    #expect(thinned.contains { $0.x == 500 && $0.y == 5 })
    for point in points {
      let next = thinned.firstIndex { $0.x >= point.x } ?? 0
      let (from, to) = (thinned[max(0, next - 1)], thinned[next])
      let share = to.x > from.x ? (point.x - from.x) / (to.x - from.x) : 0
      let drawn: Double = from.y + share * (to.y - from.y)
      #expect((drawn - point.y).magnitude <= 0.2 + 1e-9)
    }
  }

  @Test("A line is cut where it leaves the axis of glucose, and does not run along its edge")
  func cutsLines() throws {
    let axis = GlucoseAxis(of: [100])
    #expect(axis.low == 40 && axis.high == 285)
    // It falls through 40 at three quarters, rises through it at a half, and through 285 at 15/16.
    let line = [100.0, 20, 20, 60, 300].enumerated().map { (x: Double($0), mgdL: $1) }
    let pieces = axis.pieces(of: line)
    #expect(pieces.map { $0.map(\.x) } == [[0, 0.75], [2.5, 3, 3.9375]])
    let heights: [[Double]] = [[185.0 / 245, 1], [1, 225.0 / 245, 0]]
    for (piece, expected) in zip(pieces, heights) {
      #expect(zip(piece, expected).allSatisfy { abs($0.0.y - $0.1) < 1e-12 })
    }
    // Along an edge it lies on the chart; beyond it nowhere, and one point is no line.
    #expect(axis.pieces(of: [(0, 40), (1, 40), (2, 285)]).map(\.count) == [3])
    #expect(axis.pieces(of: [(0, 20), (1, 20), (2, 39)]).isEmpty)
    #expect(axis.pieces(of: [(0, 100)]).isEmpty && axis.pieces(of: []).isEmpty)
  }

  @Test("Words that would cover one another go to another row, or nowhere")
  func placesLabels() {
    var rows = LabelRows(count: 2)
    #expect(rows.place("12.50", at: 0.5) == 0)
    #expect(rows.place("12.50", at: 0.51) == 1)
    #expect(rows.place("12.50", at: 0.52) == nil)
    #expect(rows.place("12.50", at: 0.6) == 0)
    #expect(LabelRows.zoom(for: "0.4", within: 0.1) == 1)
    #expect(LabelRows.zoom(for: "0.4", within: 0.015) == 2)
    #expect(LabelRows.zoom(for: "0.4", within: 0.001) == nil)
  }

  @Test("Text and its ground differ by 4.5 : 1 in both themes")
  func contrasts() throws {
    let words = [
      "ink", "mut", "pump", "loop", "health", "body", "bad", "warn", "ok", "info", "focus",
    ]
    for isDark in [false, true] {
      func colour(_ name: String) throws -> Double {
        let found = try #require(PageColours.all.first { $0.name == name })
        return luminance(isDark ? found.dark : found.light)
      }
      for word in words {
        for ground in ["card", "bg"] {
          let (one, other) = (try colour(word), try colour(ground))
          let ratio = (max(one, other) + 0.05) / (min(one, other) + 0.05)
          #expect(ratio >= 4.5, "\(word) on \(ground), \(isDark ? "dark" : "light"): \(ratio)")
        }
      }
      for (word, ground) in [
        ("bad", "badbg"), ("warn", "warnbg"), ("ok", "okbg"), ("info", "infobg"), ("mut", "soft"),
        ("onbadge", "bad"), ("onbadge", "warn"), ("onbadge", "ok"), ("onbadge", "info"),
      ] {
        let (one, other) = (try colour(word), try colour(ground))
        let ratio = (max(one, other) + 0.05) / (min(one, other) + 0.05)
        #expect(ratio >= 4.5, "\(word) on \(ground), \(isDark ? "dark" : "light"): \(ratio)")
      }
    }
  }

  /// The relative luminance of a colour (W3C, Web Content Accessibility Guidelines 2.2).
  private func luminance(_ hex: String) -> Double {
    var digits = hex.dropFirst().map(String.init)
    if digits.count == 3 { digits = digits.flatMap { [$0, $0] } }
    let parts = stride(from: 0, to: 6, by: 2).map { index -> Double in
      let value = Double(Int(digits[index] + digits[index + 1], radix: 16) ?? 0) / 255
      return value <= 0.04045 ? value / 12.92 : power((value + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
  }

  /// x to the power of 2.4 = 12/5: the fifth root by Newton's method.
  private func power(_ x: Double, _ exponent: Double) -> Double {
    var root = 1.0
    for _ in 0..<80 {
      let fourth = root * root * root * root
      root -= (fourth * root - x) / (5 * fourth)
    }
    let square = root * root
    return square * square * square * square * square * square
  }

  @Test("A sentence has a minus before a number that is one, and a hyphen elsewhere")
  func minusInSentences() {
    let sentence = "It was -2.74 U on 2026-03-07T11:00:00-06:00, by a run-in of 3-5 h (-1 too)."
    #expect(
      PageSentence(sentence).markup.text.replacing(/<[^>]*>/, with: "")
        == "It was −2.74 U on Sat 7 Mar 11:00 UTC−06:00, by a run-in of 3-5 h (-1 too).")
    // A part of a second stands before the offset, which is one of UTC there too.
    #expect(
      PageSentence("It began at 2026-01-15T08:01:12.414-06:00.").markup.text
        == "It began at <time datetime=\"2026-01-15T08:01:12.414-06:00\">"
        + "Thu 15 Jan 08:01:12.414 UTC−06:00</time>.")
    // In a record of several years a day has its year.
    #expect(
      PageSentence("None since 2027-01-01T00:05:00Z.", withYear: true).markup.text
        .replacing(/<[^>]*>/, with: "") == "None since Fri 1 Jan 2027 00:05 UTC.")
    // A table of a comparison keeps its columns and its times.
    let table = "glucose-min  -0.33  [-0.9, 1.2]\n-4  2026-01-15T04:00:00-06:00"
    #expect(
      PageSentence.withMinus(table)
        == "glucose-min  −0.33  [−0.9, 1.2]\n−4  2026-01-15T04:00:00-06:00")
  }

  @Test("In a file a change of the clocks is a line where it is, as on a page, and no frame")
  func clockChange() {
    var drawing = Drawing(height: 40)
    drawing.box(.clockChange, from: 0.25, to: 1)
    #expect(drawing.markup.text.contains("<i class=\"bx cc\" style=\"left:25%;"))
    // The chart is 900 px wide, behind 160 px for the names of rows.
    let text = SVGFigure(title: "t", rows: [.init(name: "Row", drawing: drawing)]).text
    #expect(text.contains("<line x1=\"385.0\" x2=\"385.0\" y1=\"0.0\" y2=\"40.0\""))
    #expect(text.matches(of: /<rect\b/).count == 1)
  }

  @Test("The parts of a bar fill it, however small their sum is")
  func bars() {
    // Parts that grow by less than one together leave room: 0.1 and 0.3 are 25 and 75 %.
    let cells = PageParts.bar([("a", 0.1), ("none", 0), ("b", 0.3)]).text
      .matches(of: /class="(\w+)" style="flex:([0-9.]+) 0 3px"/).map { "\($0.1) \($0.2)" }
    #expect(cells == ["a 25.00", "b 75.00"])
  }

  @Test("Words on paper that stands upright shrink as the plot does, and not below 6 pt")
  func uprightPaper() {
    // A4 upright has 794 px, less margins of 76 px, 26 px for the values at the edge of the lanes
    // and 4 px beyond them, where words of 11 px have room for 900 px. 6 pt are 8 px.
    let width: Double = 794 - 76 - 26 - 4
    let size = Int(11 * width / LabelRows.leastWidth)
    #expect(size == 8)
    #expect(
      TimelineSheet.text.contains(
        "@container (max-width:820px){.plot .w,.plot .ticks i{font-size:8px}\n"
          + ".tl .plot{--lab:26px}.tl .lab{grid-column:1/-1;"))
    #expect(!TimelineSheet.text.contains(/font-size:[1-7](\.\d+)?px/))
    // A query of the page's own width needs a box whose width it is.
    #expect(PageStyle.sheet(isLandscape: true).contains("main{container-type:inline-size}"))
    // Charts that are no lanes have few words, which stay as they are.
    #expect(!TimelineSheet.text.contains("px){.w,"))
  }

  @Test("On paper no row of a table is cut in two, and on a small phone ranges stand in one column")
  func rowsOnPaper() throws {
    let sheet = PageStyle.sheet(isLandscape: false)
    #expect(try #require(sheet.split(separator: "@page{").last).contains("tr{break-inside:avoid}"))
    let small = try #require(sheet.split(separator: "@media (max-width:360px){").last)
    #expect(small.prefix { $0 != "}" }.contains(".kpi ul.three{grid-template-columns:1fr"))
  }

  @Test("On paper a study's main picture stands on the first page, and its charts side by side")
  func studyOnPaper() throws {
    // Of a letter's 1056 px upright 988 lie between the margins. A study of six patients has there
    // 33 px of heading, 55 of what was run, 340 of who was harmed (two rules with five rows each),
    // 235 of three goals and 185 of six end points, and four gaps of 8 px: 880. With the paddings
    // of a screen (16 px above and below in three cards, 14 px between them, 10 px above and below
    // each goal, notes of 80 letters) it were some 170 px more, and the last card on the next page.
    let paper = try #require(PageStyle.sheet(isLandscape: false).split(separator: "@page{").last)
    #expect(paper.contains(".cols,.stack{gap:8px}.more,.pics{margin:8px 0}"))
    #expect(paper.contains(".more{padding:8px 12px}"))
    #expect(paper.contains(".small,.dlist p{max-width:none}"))
    #expect(paper.contains(".dlist li{padding:4px 0}"))
    // The day, the insulin and the grid take a page and a half below one another, and half a page
    // side by side.
    #expect(paper.contains(".cols.pics{grid-template-columns:1fr 1fr}"))
  }

  @Test("Where text alone is enlarged cards have room below one another, and lists break")
  func enlargedText() {
    let sheet = PageStyle.sheet(isLandscape: false)
    // With letters of 14 px the cards of a screen of more than 1340 px, less 48 beside the page,
    // stand in one row: 1292 / 14 = 92.3. Where letters are twice as large that takes 2632 px.
    #expect(sheet.contains("font:14px/1.45"))
    #expect(sheet.contains("@container (min-width:92.3rem){.kpis{grid-template-columns:1.2fr "))
    #expect(sheet.contains(".kpi li{display:flex;flex-wrap:wrap;"))
    // A phone's 360 px less 24 have room for a time at its size, and not at twice that.
    #expect(sheet.contains("@container (max-width:20rem){time{white-space:normal}}"))
    // The plot on which words have room in 900 px grows with them: 900 / 14 = 64.3.
    #expect(sheet.contains("--base:max(64.3rem,100%"))
  }

  @Test("On paper of several days the first stands below the strip, and two stand on one page")
  func daysOnPaper() throws {
    // Paper on its side has 726 px of A4's 794 between its margins. Above the days are 195 px of
    // cards, and 95 of the strip: 436 are left for 350 of a day, and half of the page is 363.
    let side = try #require(
      TimelineSheet.text.split(separator: "@container (min-width:821px){").last)
    #expect(side.contains("details.tl{zoom:.64;padding:3px 0}"))
    #expect(side.contains("details.tl .cv,details.tl .ticks{height:calc(var(--h)*.66px)}"))
    // The chart of one day shrinks where what went wrong takes the room above it: 726 px less 285.
    #expect(
      side.contains(
        ".kpis:has(.wrongs)~section.tl .cv,.kpis:has(.wrongs)~section.tl .ticks{"
          + "height:calc(var(--h)*.62px)}"))
    // What differs, and the ledger beside it, stand on the second page.
    #expect(
      PageStyle.sheet(isLandscape: true).contains(
        "\n.cols{grid-template-columns:minmax(0,1.35fr) minmax(0,1fr)}"))
    // The insulin's amounts have no room beside one another there.
    let sheet = PageStyle.sheet(isLandscape: true)
    #expect(!sheet.contains(".kpi ul.two{grid-template-columns:1fr 1fr}"))
  }

  @Test("No word of a timeline on paper on its side is smaller than 6 points, which are 8 px")
  func smallestWords() throws {
    let side = try #require(
      TimelineSheet.text.split(separator: "@container (min-width:821px){").last)
    // 11.2 px at 72 %, and 12.5 px at 64 %.
    #expect(
      side.contains(
        ".tl .lab,.tl .lab span,.tl .lab .k,.tl .w,.tl .ticks i{font-size:11.2px}"))
    #expect(
      side.contains(
        "details.tl .lab,details.tl .lab span,details.tl .lab .k,details.tl .w,"
          + "details.tl .plot .ticks i{font-size:12.5px}"))
    for size in side.matches(of: /font-size:([0-9.]+)px/) {
      let pixels = try #require(Double(String(size.1)))
      #expect(pixels * (pixels < 12 ? 0.72 : 0.64) >= 8)
    }
  }

  @Test("Charts grow with their letters, so that words above one another stay apart")
  func heights() {
    var drawing = Drawing(height: 92, label: "Doses")
    drawing.word("0.65", at: 0.5, 0.58)
    #expect(drawing.markup.text.contains("style=\"--h:92\""))
    // A chart of 92 px where the page's letters have 14, and of 184 where they have 28.
    #expect(ChartSheet.words.contains(".cv{position:relative;height:calc(var(--h)/14*1rem);"))
    #expect(ChartSheet.words.contains(".w.g{width:1.57rem;height:1.57rem;"))
    #expect(!PageStyle.sheet(isLandscape: true).contains("height:var(--h)"))
  }

  @Test("On paper the lanes' names stay beside the chart, however far it was moved on the screen")
  func namesOnPaper() throws {
    // What sticks to the edge of a chart that was moved is printed as far within it.
    let paper = try #require(TimelineSheet.text.split(separator: "@media print{").last)
    #expect(paper.contains(".lab,.ticks{position:relative;left:0}"))
    #expect(!paper.contains("sticky"))
  }

  @Test("A name that is read from right to left turns no number around that follows it")
  func directions() {
    let sheet = PageStyle.sheet(isLandscape: false)
    #expect(sheet.contains("h1{unicode-bidi:plaintext}.meta b,code{unicode-bidi:isolate}"))
  }

  @Test("Where the reader's system sets the colours, the keys of a chart keep those of the chart")
  func forcedColours() {
    let sheet = PageStyle.sheet(isLandscape: false)
    #expect(sheet.contains(".bar i,s,.bx{forced-color-adjust:none}"))
    // A chip has no ground there, and needs an edge.
    #expect(sheet.contains("@media (forced-colors:active){.chip{border:1px solid}"))
    // A button that is pressed is told from others by its ground, which the system would take away.
    #expect(
      sheet.contains(
        "button[aria-pressed=true]{background:Highlight;color:HighlightText;"
          + "forced-color-adjust:none}"))
  }
}
