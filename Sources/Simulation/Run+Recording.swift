internal import ClosedLoop
internal import Devices
internal import Physiology
internal import Quantities

extension Run {
  /// Adds a row to the trace.
  mutating func record() {
    let now = state.now
    defer { state.nextRow = now + setup.outputInterval }
    guard now >= setup.start else { return }
    let since = state.row.since ?? now
    let isRunning = state.phoneState == .on || state.phoneState == .bluetoothOff
    let row = TraceRow(
      instant: now, trueGlucose: state.patient.glucose, reading: state.row.reading,
      scheduledRate: state.pump.scheduledRate(at: now), programmedRate: state.pump.basalRate,
      basalDelivered: state.pump.basalDelivered(after: since, through: now),
      bolusDelivered: state.pump.bolusDelivered(after: since, through: now),
      carbsEaten: state.row.carbsEaten, carbsEntered: state.row.carbsEntered,
      insulinOnBoard: isRunning ? state.phone.insulinOnBoard(at: now) : nil,
      trueInsulinOnBoard: state.patient.insulinOnBoard,
      carbsOnBoard: isRunning ? state.phone.carbsOnBoard : nil,
      recommendation: state.row.recommendation, mode: mode)
    state.trace.rows.append(row)
    state.row = State.RowSums()
    state.row.since = now
  }

  private var mode: LoopMode {
    if state.pump.isSuspended { return .suspended }
    switch state.phoneState {
    case .off, .backgroundKilled: return .off
    case .on, .bluetoothOff: return state.phone.isClosedLoop ? .closedLoop : .openLoop
    }
  }

  /// Checks the laws that must hold after every step; a broken one is a result of the run.
  mutating func check() {
    noteObstacles()
    guard state.violations.count < 100 else { return }
    if let violation = state.pump.ledger.checkConservation() {
      state.violations.append(
        InvariantViolation(
          name: "insulin-conservation", instant: state.now, text: violation.description))
    }
    let glucose = state.patient.glucose.mgdL
    if !glucose.isFinite {
      state.violations.append(
        InvariantViolation(
          name: "finite-glucose", instant: state.now,
          text: "The body's glucose is not a number any more."))
    }
  }
}
