internal import Records
internal import StructuredText
internal import Typesetting

/// The tables about a record that pages have in common.
struct AuditTables {
  let audit: Audit

  /// Insulin by day, folded.
  var totals: Markup {
    var table = PageTable(
      [
        .init("Day, \(audit.zone)"), .init("Basal", number: true), .init("Bolus", number: true),
        .init("By hand", number: true), .init("Plain sum", number: true),
        .init("Store's own", number: true), .init("Reconciled", number: true),
        .init("Twice", number: true),
      ], caption: "Totals by day of \(audit.zone), in units")
    for day in audit.days {
      let bolus = day.manualBolus + day.automaticBolus + day.otherBolus
      let figures = [
        day.basal, bolus, day.foreign, day.plain, day.storeOwn, day.reconciled, day.twice,
      ]
      table.rows.append(
        [PageTable.Cell("\(day.date)" as Markup)]
          + figures.map { PageTable.Cell("\(FixedDecimal.text($0, decimals: 2))" as Markup) })
    }
    let left = audit.daysLeftOut.map { "<p class=\"small\">\($0)</p>" as Markup } ?? ""
    return """
      <section class="card more">\
      \(PageParts.folded("Totals as a table", opensInPrint: true, table.markup + left))</section>

      """
  }

  /// What was left out when the files were read, and what was assumed; nothing where that is none.
  var reading: Markup {
    guard !audit.reading.isEmpty else { return "" }
    return """
      <section class="card" aria-labelledby="h-r"><h2 class="t" id="h-r">Reading the files</h2>\
      \(audit.reading.map { "<p class=\"small\">\($0)</p>" as Markup }.joined())</section>

      """
  }

  /// Who wrote what.
  var sources: Markup {
    var table = PageTable(
      [
        .init("Source"), .init("Samples", number: true),
        .init("Basal U", number: true), .init("Bolus U", number: true), .init("Role"),
      ], caption: "Sources")
    for source in audit.sources {
      table.rows.append([
        PageTable.Cell("\(source.name)" as Markup, style: "name"),
        PageTable.Cell("\(Int64(source.samples))" as Markup),
        PageTable.Cell("\(FixedDecimal.text(source.basal, decimals: 2))" as Markup),
        PageTable.Cell("\(FixedDecimal.text(source.bolus, decimals: 2))" as Markup),
        PageTable.Cell("\(source.role.rawValue)" as Markup),
      ])
    }
    return table.markup
  }
}
