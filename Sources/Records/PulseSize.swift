/// The smallest amount that a pump gives, as far as the amounts of a record tell.
enum PulseSize {
  /// The pulses of pumps, in U, largest first.
  private static let known = [0.1, 0.05, 0.025, 0.01, 0.005, 0.001]
  /// So many boluses must agree on a pulse, and so many segments of basal on a finer one.
  private static let fewestBoluses = 5
  private static let fewestSegments = 10

  /// Infers a pulse from what one pump counted; `nil` where too few boluses agree on one.
  ///
  /// The largest that divides 99 of 100 boluses is where one begins. People and apps ask for
  /// boluses in steps that may be coarser than the pulse, and no one asks for the units of a
  /// segment of basal: a finer pulse that divides most of these is taken where the coarser divides
  /// no more of them than chance explains. Amounts that were calculated in place of counted are
  /// divided by neither.
  static func inferred(from records: [AuditRecord]) -> Double? {
    let amounts = records.filter { $0.amount > 0 }
    let boluses = amounts.filter { $0.kind == .bolus }.map(\.amount)
    guard boluses.count >= fewestBoluses else { return nil }
    let begin = known.firstIndex { pulse in
      Double(boluses.count { isWhole($0, pulse) }) >= 0.99 * Double(boluses.count)
    }
    guard let begin else { return nil }
    let coarse = known[begin]
    let segments = amounts.filter { $0.kind == .basal }.map(\.amount)
    for fine in known[(begin + 1)...] {
      let whole = segments.filter { isWhole($0, fine) }
      guard whole.count >= fewestSegments, 2 * whole.count >= segments.count else { continue }
      let share = Double(whole.count { isWhole($0, coarse) }) / Double(whole.count)
      if share <= fine / coarse + 0.25 { return fine }
    }
    return coarse
  }

  /// Whether an amount is a whole number of pulses.
  static func isWhole(_ amount: Double, _ pulse: Double) -> Bool {
    (amount / pulse - (amount / pulse).rounded()).magnitude < 1e-5
  }

  /// How long a pump may wait before it gives the basal of the time since in one go.
  ///
  /// Pumps with pulses of 0.01 U and finer count basal by the minute and give it every few minutes;
  /// the others give a pulse as soon as one has come together.
  static func longestWait(_ pulse: Double) -> Double { pulse < 0.0101 ? 5.0 / 60 : 0 }
}
