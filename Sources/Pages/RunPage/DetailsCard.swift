internal import Reports
internal import Simulation
internal import StructuredText
internal import Typesetting

/// What a reader of a run may want to look up: what went wrong, every dose, the settings.
struct DetailsCard {
  private let report: RunReport

  /// Takes a run.
  init(_ report: RunReport) { self.report = report }

  /// The card.
  var markup: Markup {
    let hasApp = report.run.hasApp
    let heading = hasApp ? "Every dose in every record" : "Every dose"
    let doses = PageParts.folded(
      "\(heading) (\(report.doses.count))", DosesInRecords(report).markup)
    let settings =
      hasApp ? PageParts.folded("Settings in force", SettingsInForce(report).markup) : ""
    let again = command.map { PageParts.folded("Run it again", PageParts.command($0)) } ?? ""
    let troubles = TroubleList(report.summary).folded
    return "<section class=\"card more\">\(troubles)\(doses)\(settings)\(again)</section>\n"
  }

  /// The command that writes the page anew; `nil` where none is known.
  private var command: String? {
    guard !report.file.isEmpty, let seed = report.seedWords else { return nil }
    let words = ["loopsim", "report", report.file, "--run", report.summary.run.id]
    return ShellWord.line(words + seed)
  }
}
