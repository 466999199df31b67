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
    let isRunning = state.phoneState == .on || state.phoneState == .bluetoothOff
    let row = TraceRow(
      instant: now, trueGlucose: state.body.glucose, reading: state.row.reading,
      scheduledRate: state.pump.scheduledRate(at: now), programmedRate: state.pump.basalRate,
      basalDelivered: state.pump.basalDelivered(after: since, through: now),
      bolusDelivered: state.pump.bolusDelivered(after: since, through: now),
      carbsEaten: state.row.carbsEaten, carbsEntered: state.row.carbsEntered,
      insulinOnBoard: isRunning ? state.phone.insulinOnBoard(at: now) : nil,
      bodyInsulin: state.body.insulinOnBoard,
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
}
