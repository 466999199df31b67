internal import Quantities
internal import Reports
internal import Simulation

extension RunReport {
  /// The days that have a panel each; those after them stand in the strip and in the tables.
  var drawnDays: ArraySlice<RunDay> { days.prefix(RunDay.most) }

  /// Until when something is drawn.
  var drawnEnd: Instant { drawnDays.last?.to ?? run.end }

  /// The worst difference that has a place on a day that is drawn; `nil` where none has.
  var worstDrawn: RecordDifference? {
    let end = drawnEnd
    return differences.indices.filter { !isWhole(differences[$0]) && differences[$0].start <= end }
      .min(by: isWorse).map { differences[$0] }
  }

  /// The day that lies open at first: that of the worst difference, otherwise the first.
  var openDay: RunDay? {
    guard let worst = worstDrawn else { return drawnDays.first }
    return drawnDays.first { worst.start < $0.end } ?? drawnDays.last
  }
}
