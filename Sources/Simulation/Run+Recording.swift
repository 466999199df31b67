internal import ClosedLoop
internal import Devices
internal import Physiology
internal import Quantities

extension Run {
  /// Adds a row to the trace.
  mutating func record() {
    let now = state.now
    defer { state.agenda.planRow(at: now + setup.outputInterval) }
    state.appRecord.noteSchedules(of: state.phone, at: now)
    guard now >= setup.start else { return }
    let since = state.row.since ?? now
    assert(since <= now, "A row counts what came after the row before it.")
    assert(
      state.trace.rows.last.map { $0.instant < now } ?? true, "Rows come in the order of time.")
    let isRunning =
      setup.hasApp && (state.phoneState == .on || state.phoneState == .bluetoothOff)
    // Asked for at once: each look at a pump moves all of it.
    let pump = state.delivery.pump.figures(after: since, through: now)
    let row = TraceRow(
      instant: now, trueGlucose: state.delivery.body.glucose, reading: state.row.reading,
      scheduledRate: pump.scheduledRate, programmedRate: pump.basalRate,
      basalDelivered: pump.basalDelivered, bolusDelivered: pump.bolusDelivered,
      carbsEaten: state.row.carbsEaten, carbsEntered: state.row.carbsEntered,
      insulinOnBoard: isRunning ? state.phone.insulinOnBoard(at: now) : nil,
      bodyInsulin: state.delivery.body.insulinOnBoard,
      carbsOnBoard: isRunning ? state.phone.carbsOnBoard : nil,
      recommendation: state.row.recommendation,
      mode: pump.isSuspended ? .suspended : mode)
    state.trace.rows.append(row)
    state.row = State.RowSums()
    state.row.since = now
    // Nobody asks again for the pulses of a window that has its row.
    if !setup.hasApp { state.delivery.forgetPulses(through: now) }
  }

  /// What the app does while the pump is not suspended.
  private var mode: LoopMode {
    guard setup.hasApp else { return .off }
    switch state.phoneState {
    case .off, .backgroundKilled: return .off
    case .on, .bluetoothOff: return state.phone.isClosedLoop ? .closedLoop : .openLoop
    }
  }
}
