internal import ClosedLoop
internal import Quantities

extension RunTroubles {
  /// Readings of the app that the health store does not hold, those with one reason together.
  var glucoseNotStored: [RunTrouble] {
    let found = run.glucoseNotStoredAtEnd.filter { $0.readings.end >= run.start }
    return found.inGroups(by: \.reason).compactMap { alike in
      let (reason, stretches) = (alike[0].reason, alike.map(\.readings))
      guard let first = stretches.first, let last = stretches.map(\.end).max() else { return nil }
      let count = stretches.reduce(0) { $0 + $1.count }
      let (from, to) = run.times(first.start, last)
      let times =
        stretches.count > 1
        ? "in \(stretches.count) stretches from \(from) to \(to)"
        : count == 1 ? "of \(from)" : "from \(from) to \(to)"
      return RunTrouble(
        .glucoseNotStored, from: first.start, to: last, count: count, lasting: .zero,
        count == 1
          ? "The reading \(times) is not in the health store: \(words(reason, many: false))."
          : "\(count) readings \(times) are not in the health store: \(words(reason, many: true)).")
    }
  }

  /// Readings that the health store holds besides those of the app: what other programs count, and
  /// what the app reads as of another sensor.
  var copiedGlucose: [RunTrouble] {
    run.glucoseCopiedAtEnd.filter { $0.span.upperBound >= run.start }.map { copies in
      let (first, last) = (copies.span.lowerBound, copies.span.upperBound)
      let (from, to) = run.times(first, last)
      let what =
        copies.count == 1
        ? "A copy of the reading of \(from) is"
        : "Copies of \(copies.count) readings from \(from) to \(to) are"
      return RunTrouble(
        .wrongRecord, from: first, to: last, count: copies.count, lasting: .zero,
        "\(what) in the health store besides, from \(copies.source), because of the fault "
          + "\(copies.fault)\(consequence(of: copies)).")
    }
  }

  /// What copies kept from the prediction, which is made with momentum only where the readings of
  /// 15 minutes are of one source.
  private func consequence(of copies: CopiedGlucose) -> String {
    let reach = copies.span.lowerBound...copies.span.upperBound + .minutes(15)
    let count = run.cyclesOfTwoSources.count { reach.contains($0) }
    guard count > 0 else { return "" }
    return
      "; with them \(count) \(count == 1 ? "cycle" : "cycles") predicted without momentum, which "
      + "needs readings of one source"
  }

  private func words(_ reason: UnstoredGlucose.Reason, many: Bool) -> String {
    switch reason {
    case .notAllowed:
      "the app was not allowed to write glucose when \(many ? "they" : "it") came, and never "
        + "writes \(many ? "them" : "it") later"
    case .notTaken: "the store took none when the app was to write \(many ? "them" : "it")"
    case .lost:
      "the app had lost \(many ? "them" : "it") before it was to write \(many ? "them" : "it")"
    case .deleted(let fault, let instant):
      "the fault \(fault) deleted \(many ? "them" : "it") at \(run.time(instant))"
    }
  }
}
