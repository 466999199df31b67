internal import Quantities
internal import Simulation

extension PumpProgramRecord {
  /// The program, cut where its rate changed.
  var atEachRate: [Self] {
    var pieces = [self]
    for change in rateChanges where change.instant > start && change.instant < end {
      guard var next = pieces.last, next.rate != change.rate else { continue }
      pieces[pieces.count - 1].end = change.instant
      (next.start, next.rate) = (change.instant, change.rate)
      pieces.append(next)
    }
    return pieces
  }
}
