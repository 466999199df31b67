package import Quantities
internal import Simulation

/// A bolus that somebody asked for, and that the pump never began.
package struct BolusInVain: Hashable {
  package var instant: Instant
  package var asked: InsulinAmount
}

extension RunReport {
  /// The boluses that people asked for in the run and the pump never began.
  var foundBolusesInVain: [BolusInVain] {
    run.bolusesInVain.map { BolusInVain(instant: $0.instant, asked: $0.asked) }
  }
}
