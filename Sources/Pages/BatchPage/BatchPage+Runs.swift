internal import Outcomes
internal import Reports
internal import StructuredText
public import Typesetting

extension BatchPage {
  /// The pictures of the arms: the day, the control-variability grid and the insulin by hour.
  var pictures: Markup {
    guard rows.count > 1 else { return "" }
    let count = comparedArms.count
    let more: Markup =
      count > 2 ? "<p class=\"small\">The first two of \(count) arms are drawn.</p>\n" : ""
    return armPictures.markup + more
  }

  /// The charts of the page, each as a file that stands alone; none of a single run.
  public var figures: [PageFigure] {
    rows.count > 1 ? armPictures.figures(title: "\(rows.count) runs") + [ranges.figure] : []
  }

  private var armPictures: ArmPictures {
    // Runs that have nothing to do with each other are one crowd, and no arms.
    let compared = Array(comparedArms.prefix(2))
    let drawn = compared.isEmpty ? [BatchArm(name: "all runs", settings: [], rows: rows)] : compared
    let pictured = drawn.map { arm in
      PicturedArm(
        name: arm.name,
        members: arm.rows.map {
          .init(
            id: $0.id, day: $0.pattern, extremes: $0.variability,
            dailyDose: $0.value(.dailyDose))
        })
    }
    return ArmPictures(arms: pictured, words: words, noun: "runs")
  }

  /// The shares of time of each arm, or of each run where there is one arm of few.
  private var ranges: RangeBars {
    let isOne = arms.count == 1 && rows.count <= 60
    let bars =
      isOne
      ? rows.map { ($0.id, $0.shares) }
      : arms.prefix(Self.mostArms).map { arm -> (String, TimeInRanges?) in
        let shares = arm.rows.compactMap(\.shares)
        return (arm.name, shares.isEmpty ? nil : TimeInRanges(meanOf: shares))
      }
    return RangeBars(
      bars: bars.compactMap { name, shares in shares.map { (name, $0) } }, unit: words.unit)
  }

  /// Every run in a row that can be sorted.
  func table(linksToRuns: Bool) -> Markup {
    var table = PageTable(
      [
        .init("Run", sorted: true), .init("Verdict", sorted: true),
        .init("Time in ranges"),
        .init("In range", number: true, sorted: true),
        .init("Below \(words.value(70))", number: true, sorted: true),
        .init("Below \(words.value(54))", number: true, sorted: true),
        .init("Lowest", number: true, optional: true, sorted: true),
        .init("Highest", number: true, optional: true, sorted: true),
        .init("Pump, U a day", number: true, optional: true, sorted: true),
        .init("Differences", number: true, optional: true, sorted: true),
      ], caption: "Every run")
    for row in rows.prefix(Self.mostRows) {
      let name = name(of: row, isLink: linksToRuns)
      let chip =
        row.isLethal
        ? PageParts.chip(.fault, "✕ lethal")
        : row.hasFailed
          ? PageParts.chip(.fault, "✕ fails")
          : row.hasWrongRecord
            ? PageParts.chip(.check, "! records")
            : row.troubles.isEmpty
              ? PageParts.chip(.expected, "✓ ok") : PageParts.chip(.check, "! went wrong")
      let order =
        row.isLethal
        ? "0" : row.hasFailed ? "1" : row.hasWrongRecord ? "2" : row.troubles.isEmpty ? "4" : "3"
      func percent(_ figure: BatchRow.Figure) -> PageTable.Cell {
        guard let value = row.value(figure) else { return .init("–", order: "-1") }
        return .init(
          "\(PercentText.number(value, decimals: 1)) %",
          order: FixedDecimal.text(value, decimals: 4))
      }
      func glucose(_ figure: BatchRow.Figure) -> PageTable.Cell {
        guard let value = row.value(figure) else { return .init("–", order: "-1") }
        return .init(
          words.value(value), order: FixedDecimal.text(value, decimals: 2))
      }
      let dose = row.value(.dailyDose)
      table.rows.append([
        .init(name, order: row.id, style: "name"), .init(chip, order: order), .init(bar(row)),
        percent(.inRange), percent(.below70), percent(.below54), glucose(.lowest),
        glucose(.highest),
        .init("\(dose.map { FixedDecimal.text($0, decimals: 1) } ?? "–")"),
        .init("\(row.differences)"),
      ])
    }
    let more = PageParts.more(than: table.rows.count, of: rows.count, in: "runs.csv")
    return """
      <section class="card more" id="runs" aria-labelledby="h-runs"><h2 class="t" id="h-runs">\
      Every run (\(rows.count))</h2>\(table.markup)\(more)</section>

      """
  }

  /// The name of a run, which leads to its own page where that stands beside this one.
  func name(of row: BatchRow, isLink: Bool) -> Markup { name(of: row.id, isLink: isLink) }

  /// The same by the name of the run.
  func name(of id: String, isLink: Bool) -> Markup {
    isLink ? "<a href=\"\(Self.address(of: id))/report.html\">\(id)</a>" : "\(id)"
  }

  private func bar(_ row: BatchRow) -> Markup {
    guard let shares = row.shares else { return "–" }
    let styles = ["f-vhi", "f-hi", "f-tgt", "f-lo", "f-vlo"]
    return PageParts.bar(zip(styles, shares.stacked).reversed().map { ($0.0, $0.1) })
  }

  /// The id of a run as a relative address.
  static func address(of id: String) -> String {
    id.utf8.map { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: String(UnicodeScalar(byte))
      default:
        "-_.~/".utf8.contains(byte)
          ? String(UnicodeScalar(byte))
          : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }.joined()
  }
}
