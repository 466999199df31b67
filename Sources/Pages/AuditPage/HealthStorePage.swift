internal import Outcomes
internal import Quantities
public import Records
internal import StructuredText
public import Typesetting

/// The page of a health store's file: what is in it, day by day, as each source wrote it.
///
/// Nothing is judged; ``AuditPage`` adds what is wrong with the record.
public struct HealthStorePage: Sendable {
  private let record: Audit
  private let file: String
  private let version: String

  /// The most days that are drawn; all are in the table.
  private static let mostDays = 31
  /// The most doses in the table.
  private static let mostDoses = 300

  /// Makes the page of a store's file.
  public init(_ record: Audit, file: String, version: String) {
    self.record = record
    self.file = file
    self.version = version
  }

  /// The page as a file.
  public var html: String {
    var page = Page(kind: "Health store", title: title)
    page.meta = """
      \(record.dates), \(record.zoneWords) · \
      <code>\(file)</code> · \
      \(record.counts.insulin) insulin, \(record.counts.carbohydrates) carb and \
      \(record.counts.glucose) glucose samples
      """
    page.glucoseUnit = record.glucoseUnit
    let timeline = timeline
    page.data = timeline?.json
    page.skip = ("#days", "Skip to the days")
    page.isLandscape = true
    page.body = cards + days(timeline) + tables
    page.footer = ["loopsim \(version)", "as the store's sources wrote it"]
    return page.html
  }

  /// The days that are drawn, each as a file that stands alone.
  public var figures: [PageFigure] {
    record.days.prefix(Self.mostDays).map {
      AuditLanes(audit: record, day: $0, showsFindings: false).figure
    }
  }

  private var insulinDays: [AuditDay] { record.insulinDays }

  private var title: String {
    let number = insulinDays.count
    guard number > 0 else {
      return "No insulin, from \(WordList.counted(record.sources.count, "source"))"
    }
    let sources = WordList.counted(record.insulinSources, "source")
    let amount = AuditText.units(record.amount(\.plain))
    let rest = (twice.map { ", \($0)" } ?? "") + ", from \(sources)"
    if number == 1 { return "\(amount) on \(insulinDays[0].date)\(rest)" }
    let whole = record.wholeDays.count
    return whole == 0
      ? "\(amount) on \(number) days\(rest)"
      : "\(amount) a day over \(WordList.counted(whole, "whole day"))\(rest)"
  }

  /// How much of the insulin only repeats another sample; `nil` where nothing does.
  private var twice: String? {
    let units = record.amount(\.twice)
    return units > 5e-4 ? "\(AuditText.units(units)) of it counted twice" : nil
  }

  // MARK: - Cards

  private var cards: Markup {
    "<div class=\"kpis\">\n\(insulin)\(glucose)\(completeness)</div>\n"
  }

  private var insulin: Markup {
    let parts: [(style: String, name: Markup, units: Double)] = [
      ("i-s", "Basal", record.amount(\.basal)), ("i-b", "Bolus", record.amount(\.manualBolus)),
      ("i-a", "Automatic bolus", record.amount(\.automaticBolus)),
      ("i-t", "Bolus, by whom is not said", record.amount(\.otherBolus)),
      ("i-x", "From elsewhere", record.amount(\.foreign)),
    ]
    let shown = parts.filter { $0.units > 5e-4 }
    let items = shown.map {
      "<li><s class=\"\($0.style)\"></s>\($0.name)<b>\(FixedDecimal.text($0.units, decimals: 2))"
        + "</b></li>" as Markup
    }
    return PageParts.card(
      id: "k1",
      heading: record.wholeDays.isEmpty ? "Insulin, all of it" : "Insulin a day, whole days",
      """
      <p class="big">\(AuditText.units(record.amount(\.plain)))</p>\
      \(PageParts.bar(shown.map { ($0.style, $0.units) }))<ul class="two">\(items.joined())</ul>\
      \(twice.map { "<p class=\"small\">\($0).</p>" as Markup } ?? "")
      """)
  }

  private var glucose: Markup {
    let words = GlucoseWords(record.glucoseUnit)
    let series = GlucoseSeries(
      record.readings.map { GlucoseSeries.Point($0.instant, mgdL: $0.mgdL) })
    guard let shares = series.timeInRanges() else {
      return PageParts.card(
        id: "k2", heading: "Time in ranges", "<p>The store has no reading of glucose.</p>")
    }
    return PageParts.card(
      id: "k2", heading: "Time in ranges \(words.unitName), all readings",
      PageParts.ranges(shares, words))
  }

  private var completeness: Markup {
    let days = record.days.count { $0.basal + $0.foreignBasal > 5e-4 }
    return PageParts.card(
      id: "k3", heading: "How complete",
      PageParts.pairs(
        [
          ("Days", "\(record.days.count)"), ("Days with insulin", "\(insulinDays.count)"),
          ("Days with basal", "\(days)"),
          ("Glucose, of one in 5 min", "\(record.glucoseCoverage)"),
          ("Sources of insulin", "\(record.sources.count { $0.basal + $0.bolus > 0 })"),
        ] + withoutBasal))
  }

  /// How long no basal is written between what else is, and where that lasts longest.
  private var withoutBasal: [(name: Markup, value: Markup)] {
    let gaps = record.missingBasal
    guard let longest = gaps.max(by: { $0.place.length < $1.place.length }) else { return [] }
    let sum = gaps.reduce(TimeSpan.zero) { $0 + $1.place.length }
    let (start, end) = (longest.place.start, longest.place.end)
    let more: Markup = gaps.count > 1 ? ", the longest" : ""
    return [
      (
        "No basal written",
        """
        \(sum.description)\(more) \(record.date(start)) \(record.time(start)) to \
        \(record.time(end, from: start))
        """
      )
    ]
  }

  /// How much of a day has no basal.
  private func missing(on day: AuditDay) -> Markup {
    let sum = record.missingBasal.reduce(TimeSpan.zero) { sum, gap in
      let (start, end) = (max(gap.place.start, day.start), min(gap.place.end, day.end))
      return start < end ? sum + (end - start) : sum
    }
    return sum == .zero ? "" : ", no basal written for \(sum.description)"
  }

  // MARK: - Days

  /// The place of the day that lies open: the first whole one, as days at the ends are usually cut.
  private var openDay: Int {
    let drawn = record.days.prefix(Self.mostDays)
    return drawn.firstIndex { $0.start >= record.start && $0.end <= record.end } ?? 0
  }

  /// What is read at the cursor of the days that are drawn.
  private var timeline: AuditTimelineData? {
    guard !record.days.isEmpty else { return nil }
    return AuditTimelineData(
      record, days: Array(record.days.prefix(Self.mostDays)), open: record.days[openDay],
      showsFindings: false)
  }

  private func days(_ timeline: AuditTimelineData?) -> Markup {
    let whole = openDay
    let panels = record.days.prefix(Self.mostDays).enumerated().map { index, day -> Markup in
      let hours = (day.end - day.start).hours
      let length: Markup =
        hours == 24 ? "" : ", \(RecordLanes.short(hours)) h"
      let readings = WordList.counted(day.readings, "reading")
      return """
        <details class="card tl" id="\(AuditTimelineData.id(of: day))"\
        \(timeline?.place(of: day) ?? "")\(index == whole ? " open" : "") data-print><summary>\
        \(day.date) \
        <span class="mut">\(AuditText.units(day.plain)), \
        \(AuditText.units(day.basal + day.foreignBasal)) of it basal, \
        \(readings)\(length)\(missing(on: day))</span></summary>\
        \(AuditLanes(audit: record, day: day, showsFindings: false)
          .markup(index == 0 ? timeline?.controls() : nil))</details>

        """
    }
    let rest = record.days.count - panels.count
    let more: Markup =
      rest > 0
      ? "<p class=\"small\">The first \(panels.count) days are drawn; \(rest) more "
        + "\(WordList.verb("is", of: rest)) in the "
        + "table.</p>" as Markup : ""
    return """
      <div id="days">\(panels.joined())</div>\(more)<p class="small">Boxes are basal samples with \
      their units, bars are boluses. Dashed red: no basal is written, and other data go on. Times \
      are those of \(record.zone).</p>

      """
  }

  // MARK: - Tables

  private var tables: Markup {
    let tables = AuditTables(audit: record)
    return """
      <section class="card more" aria-labelledby="h-s"><h2 class="t" id="h-s">Sources</h2>\
      \(tables.sources)</section>
      \(tables.reading)\(tables.totals)<section class="card more">\
      \(PageParts.folded("Every dose (\(record.counts.insulin)), times in \(record.zone)", doses))\
      </section>

      """
  }

  private var doses: Markup {
    let doses = record.marks.filter { !$0.isFood }
    var table = PageTable(
      [
        .init("Date"), .init("From"), .init("To"), .init("Kind"), .init("U", number: true),
        .init("Stated rate, U/h", number: true, optional: true), .init("Source"),
      ], caption: "Every dose, times in \(record.zone)")
    var gaps = record.missingBasal[...]
    func addGaps(before instant: Instant?) {
      while let gap = gaps.first, instant.map({ gap.place.start < $0 }) ?? true {
        gaps.removeFirst()
        table.rows.append([
          "\(record.date(gap.place.start))", "\(record.time(gap.place.start))",
          "\(record.time(gap.place.end, from: gap.place.start))", "No basal", "–", "–",
          .init("\(gap.source)", style: "name"),
        ])
      }
    }
    let shown = doses.prefix(Self.mostDoses)
    for dose in shown {
      addGaps(before: dose.start)
      let rate = dose.rate.map { FixedDecimal.text($0, decimals: 2) } ?? ""
      table.rows.append([
        "\(record.date(dose.start))", "\(record.time(dose.start))",
        "\(record.time(dose.end, from: dose.start))", "\(dose.kind)",
        "\(AuditText.number(dose.amount))", .init("\(rate)"),
        .init("\(record.sources[dose.source].name)", style: "name"),
      ])
    }
    if shown.count == doses.count { addGaps(before: nil) }
    let rest = doses.count - shown.count
    return table.markup
      + (rest > 0
        ? "<p class=\"small\">And \(rest) more: <code>loopsim store samples</code>.</p>" : "")
  }
}
