public import Quantities
public import Outcomes
internal import Reports
internal import StructuredText
public import Typesetting

/// The page of measured glucose: how the days run, the shares of time, and the usual figures, of
/// one person or of several.
public struct GlucosePage: Sendable {
  /// A person's glucose with what it is called, measured once.
  public struct Person: Sendable {
    let name: String
    let series: GlucoseSeries
    let column: String
    let notes: [String]
    let shares: TimeInRanges?
    let summary: GlucoseSummary?
    let risk: RiskIndices?
    let sufficiency: DataSufficiency?
    let day: DailyPattern?
    let extremes: ControlVariability?

    /// Measures a person's glucose.
    ///
    /// - Parameters:
    ///   - name: What the person is called.
    ///   - series: The glucose.
    ///   - column: What was measured, such as a table's column; empty where nothing is to be said.
    ///   - notes: What is to be known of the readings.
    public init(
      name: String, series: GlucoseSeries, column: String = "", notes: [String] = []
    ) {
      self.name = name
      self.notes = notes
      self.column = column
      self.series = series
      shares = series.timeInRanges()
      summary = series.summary
      risk = RiskIndices(series)
      sufficiency = DataSufficiency(series)
      extremes = ControlVariability(series)
      day = series.points.first.flatMap { first in
        series.points.last.map { last in
          DailyPattern(
            RunMeasurements(
              from: first.instant, to: last.instant, trueGlucose: series, cgm: series), series)
        }
      }
    }
  }

  private let people: [Person]
  private let unit: GlucoseUnit
  private let version: String
  /// How many people have a row each.
  private static let mostRows = 400

  /// Makes the page of some people's glucose.
  public init(_ people: [Person], unit: GlucoseUnit, version: String) {
    self.people = people.filter { !$0.series.isEmpty }
    self.unit = unit
    self.version = version
  }

  private var words: GlucoseWords { GlucoseWords(unit) }

  /// The page as a file.
  public var html: String {
    var page = Page(kind: "Glucose profile", title: headline)
    page.meta = meta
    page.glucoseUnit = unit
    page.body = cards + (single?.card ?? pictures.markup) + table + notes
    page.footer = ["loopsim \(version)"]
    return page.html
  }

  /// The charts, each as a file that stands alone.
  public var figures: [PageFigure] {
    let bars = RangeBars(
      bars: people.compactMap { person in
        person.shares.map { (person.name, $0) }
      }, unit: unit)
    let charts =
      single.map { [$0.figure(title: people[0].name)] }
      ?? pictures.figures(title: "\(people.count) series")
    return charts + [bars.figure]
  }

  /// The profile of one person who has a reading; `nil` otherwise.
  private var single: ProfileChart? {
    people.count == 1 ? ProfileChart(people[0].series, unit) : nil
  }

  private var pictures: ArmPictures {
    let members = people.map { person in
      PicturedArm.Member(id: person.name, day: person.day, extremes: person.extremes)
    }
    let name = people.count == 1 ? people[0].name : "everyone"
    return ArmPictures(
      arms: [PicturedArm(name: name, members: members)], words: words, noun: "series")
  }

  private var shares: TimeInRanges? {
    TimeInRanges(meanOf: people.compactMap(\.shares))
  }

  private var headline: String {
    let share = shares.map { PercentText.number($0.from70To180, decimals: 1) } ?? "–"
    let low = shares.map { PercentText.number($0.below70, decimals: 1) } ?? "–"
    let who = people.count == 1 ? "" : ", mean of \(people.count) series"
    return "\(share) % in range and \(low) % below \(words.text(70)) \(unit.rawValue)\(who)"
  }

  private var meta: Markup {
    let names = people.prefix(3).map { "<code>\($0.name)</code>" as Markup }
    let rest: Markup = people.count > 3 ? " and \(people.count - 3) more" : ""
    let readings = people.reduce(0) { $0 + $1.series.points.count }
    let columns = Set(people.map(\.column)).subtracting([""]).sorted()
    let measured: Markup =
      columns.isEmpty
      ? "" : " · measured <code>\(WordList.text(columns, atMost: 4))</code>"
    return """
      \(names.joined(separator: ", "))\(rest)\(measured) · \(WordList.counted(readings, "reading"))
      """
  }

  private var cards: Markup {
    var result = Markup()
    if let shares {
      let heading: Markup =
        "Time in ranges \(words.unitName)\(people.count == 1 ? "" : ", mean of all")"
      result += PageParts.card(id: "k1", heading: heading, PageParts.ranges(shares, words))
    }
    func mean(_ value: (Person) -> Double?) -> Double? {
      Statistics.mean(people.compactMap(value))
    }
    func text(_ value: Double?, _ decimals: Int = 1) -> Markup {
      "\(value.map { FixedDecimal.text($0, decimals: decimals) } ?? "–")"
    }
    let average: Markup = mean { $0.summary?.mean }.map { words.value($0) } ?? "–"
    result += PageParts.card(
      id: "k2", heading: people.count == 1 ? "Figures" : "Figures, mean of all",
      PageParts.pairs([
        ("Mean, \(words.unitName)", average),
        ("GMI, %", text(mean { $0.summary?.glucoseManagementIndicator })),
        ("CV, %", text(mean { $0.summary?.coefficientOfVariation })),
        ("GRI", text(mean { $0.risk?.glycemiaRiskIndex })),
        ("LBGI", text(mean { $0.risk?.lowBloodGlucoseIndex })),
        ("HBGI", text(mean { $0.risk?.highBloodGlucoseIndex })),
      ]))
    let worn = mean { $0.sufficiency?.wearPercent }
    result += PageParts.card(
      id: "k3", heading: "How complete",
      PageParts.pairs([
        ("Days", text(mean { $0.sufficiency?.spanDays })),
        (
          "Readings there are, of those due, %",
          "\(worn.map { PercentText.number($0, decimals: 1) } ?? "–")"
        ),
      ]))
    return "<div class=\"kpis\">\(result)</div>\n"
  }

  private var table: Markup {
    guard people.count > 1 else { return "" }
    var table = PageTable(
      [
        .init("Series", sorted: true), .init("Time in ranges", style: "chart"),
        .init("In range, %", number: true, sorted: true),
        .init("Below \(words.value(70)), %", number: true, sorted: true),
        .init("Below \(words.value(54)), %", number: true, optional: true, sorted: true),
        .init("Mean", number: true, optional: true, sorted: true),
        .init("CV, %", number: true, optional: true, sorted: true),
      ], caption: "Every series")
    for person in people.prefix(Self.mostRows) {
      guard let shares = person.shares else { continue }
      func percent(_ value: Double) -> PageTable.Cell {
        .init(
          "\(PercentText.number(value, decimals: 1))",
          order: FixedDecimal.text(value, decimals: 4))
      }
      let variation = person.summary?.coefficientOfVariation
      table.rows.append([
        .init("\(person.name)", style: "name"),
        .init(RangeBars.drawing(shares, in: unit).markup, style: "chart"),
        percent(shares.from70To180), percent(shares.below70), percent(shares.below54),
        .init(words.value(shares.mean), order: FixedDecimal.text(shares.mean, decimals: 2)),
        .init("\(variation.map { FixedDecimal.text($0, decimals: 1) } ?? "–")"),
      ])
    }
    let more = PageParts.more(than: table.rows.count, of: people.count)
    return """
      <section class="card more" aria-labelledby="h-all"><h2 class="t" id="h-all">Every series \
      (\(people.count))</h2>\(table.markup)\(more)</section>

      """
  }

  private var notes: Markup {
    // What is so of a whole table is told once.
    let shared =
      people.count == 1
      ? []
      : (people.first?.notes ?? []).filter { note in
        note.hasPrefix(GlucoseTable.ofWholeTable) && people.allSatisfy { $0.notes.contains(note) }
      }
    let own = people.flatMap { person in
      (person.notes.filter { !shared.contains($0) } + (person.sufficiency?.notes ?? [])).map {
        people.count == 1 ? $0 : "\(person.name): \($0)"
      }
    }
    let notes = shared + own
    let lines =
      notes.prefix(20).map { "<p class=\"warnt\">! \($0)</p>" as Markup }.joined()
      + PageParts.more(than: 20, of: notes.count, in: "the answer of --format json")
    return """
      <section class="card more"><h2 class="t">Definitions</h2>\(lines)<p class="small">Ranges of \
      the international consensus. GMI: glucose management indicator. CV: standard deviation over \
      mean. GRI: glycemia risk index. LBGI, HBGI: low and high blood glucose index. Times are \
      those of the clock on the wall.</p></section>

      """
  }
}
