internal import Devices
internal import Quantities
internal import Reports
internal import Simulation
internal import StructuredText
internal import Typesetting

/// The insulin of a run in every record, by what it was for.
struct InsulinLedger {
  private let report: RunReport

  /// Takes a run.
  init(_ report: RunReport) { self.report = report }

  /// The table, with what its columns mean.
  var markup: Markup {
    var columns: [PageTable.Column] = [
      .init("Units"), .init("Asked", number: true, optional: true),
      .init("Body", number: true, style: "c-b"), .init("Pump", number: true, style: "c-p"),
    ]
    if run.hasApp {
      columns += [
        .init("App", number: true, style: "c-l"), .init("Health", number: true, style: "c-h"),
        .init("Health − pump", number: true),
      ]
    }
    var table = PageTable(columns, caption: "Insulin ledger")
    let counted: [DoseRow.Kind] = [.scheduledBasal, .tempBasal, .bolus, .automaticBolus]
    // What never became a dose was asked for all the same.
    let (cut, misreported) = (run.cutFromBoluses.units, run.misreportedOfBoluses.units)
    let more = inVain + cut - misreported
    for kind in counted + [.unrequested, .released, .external] {
      let doses = report.doses.filter { $0.kind.ledgerRow == kind }
      let asked = kind == .bolus ? more : 0
      guard !doses.isEmpty || asked.magnitude > 0.0005 else { continue }
      table.rows.append(
        cells("\(kind.words)", doses, andAsked: asked, isOutside: !counted.contains(kind)))
    }
    table.total = cells("Total", report.doses, andAsked: more, isOutside: false)
    let basal = run.ledger.basal
    let boluses = run.boluses.filter { $0.start >= run.start || $0.end > run.start }
    let undelivered = boluses.reduce(cut) { $0 + ($1.asked - $1.delivered).units }
    let span =
      run.beginningOfAccounts.map { "since \(report.moment($0)), before the run" }
      ?? "over the whole run"
    let vain = report.bolusesInVain
    // On a phone the column is left out, and so is what it means.
    let askers = run.hasApp ? "schedule, app and person" : "schedule and person"
    var notes: Markup = """
      <span class="opt">Asked is what \(askers) requested. </span>\
      The pump counts whole \
      \(run.pulseSize.unitsText) U pulses; its program changes discarded \
      \(RecordLanes.units(basal.discarded.units)) U of basal \(span), \
      \(RecordLanes.units(basal.pending.units)) U are pending
      """
    notes +=
      undelivered > 0.0005
      ? ", and \(RecordLanes.units(undelivered)) U of boluses were not given." : "."
    if !vain.isEmpty {
      notes += vain.count == 1 ? " A bolus" : " \(vain.count) boluses"
      notes += " of \(RecordLanes.units(inVain)) U \(vain.count == 1 ? "was" : "together were") "
      notes += "asked for and never begun."
    }
    if misreported.magnitude > 0.0005 {
      notes += " It counts \(RecordLanes.units(misreported.magnitude)) U "
      notes += "\(misreported > 0 ? "more" : "less") of boluses than was asked for, as it reports "
      notes += "them wrongly."
    }
    if report.doses.contains(where: { $0.start < run.start }) {
      notes += " A dose that had begun before \(report.moment(run.start)) stands whole."
    }
    if run.hasApp { notes += " Health is the store at the end of the run." }
    return table.markup + "<p class=\"small\">\(notes)</p>"
  }

  /// What people asked for as boluses that the pump never began, U.
  private var inVain: Double { report.bolusesInVain.reduce(0) { $0 + $1.asked.units } }

  private func cells(
    _ name: Markup, _ doses: [DoseRow], andAsked more: Double = 0, isOutside: Bool
  ) -> [PageTable.Cell] {
    var sums = Sums(doses)
    sums.asked += more
    let difference = sums.store - (isOutside ? 0 : sums.pump)
    let numbers = doses.flatMap(\.differences).reduce(into: [Int]()) { found, index in
      let severity = report.differences[index].severity
      if severity != .note, !found.contains(index) { found.append(index) }
    }
    let links =
      numbers.prefix(4).map { index -> Markup in
        " <a href=\"#d\(report.number(of: index))\">\(report.number(of: index))</a>"
      }.joined() + (numbers.count > 4 ? " and \(numbers.count - 4) more" : "")
    func cell(_ value: Double, _ isThere: Bool = true) -> PageTable.Cell {
      PageTable.Cell(isThere ? "\(RecordLanes.units(value))" : "–")
    }
    let isZero = difference.magnitude < 0.0005
    let difText: Markup = isZero ? "0" : "\(RecordLanes.signed(difference))"
    let own = [
      PageTable.Cell(name),
      PageTable.Cell(
        isOutside ? "–" : "\(FixedDecimal.text(sums.asked, decimals: 3))"),
      cell(sums.body), cell(sums.pump, !isOutside),
    ]
    guard run.hasApp else { return own }
    return own + [
      cell(sums.app, sums.hasApp), cell(sums.store),
      PageTable.Cell(
        numbers.isEmpty ? difText : "\(difText)<span class=\"brk\">\(links)</span>",
        style: !isZero && difference < 0 ? "badt" : ""),
    ]
  }

  /// What every record has of some doses.
  private struct Sums {
    var asked = 0.0
    var body = 0.0
    var pump = 0.0
    var app = 0.0
    var store = 0.0
    var hasApp = false

    init(_ doses: [DoseRow]) {
      for dose in doses {
        asked += dose.asked ?? 0
        body += dose.body ?? 0
        pump += dose.pump ?? 0
        app += dose.app ?? 0
        store += dose.store ?? 0
        if dose.app != nil { hasApp = true }
      }
    }
  }

  private var run: RunResult { report.run }
}

extension DoseRow.Kind {
  /// The kind under which a ledger counts it: a pump that gives nothing is a part of its schedule.
  fileprivate var ledgerRow: Self {
    self == .suspended || self == .stopped ? .scheduledBasal : self
  }
}
