internal import Quantities
internal import Simulation
internal import StructuredText

/// The faults of the scenario that held in a run, whether anything went wrong or not.
///
/// Of many a fault no record says anything: a sensor that reads too high, a setting that is not the
/// one that was meant. Without them nobody could tell why a day went as it did.
extension RunSummary {
  /// The block of a text; empty where no fault held.
  var faultBlock: [String] {
    let windows = run.faultWindows
    guard !windows.isEmpty else { return [] }
    let times = windows.prefix(12).map { time(of: $0) }
    let width = times.map(\.count).max() ?? 0
    let shown = zip(times, windows).map { time, window in
      let pad = String(repeating: " ", count: width - time.count)
      return "  \(time)\(pad)  \(InertText.line(window.slip ?? window.id))"
    }
    let rest = windows.count - shown.count
    return ["Faults of the scenario"] + shown
      + (rest > 0 ? ["  and \(rest) more in summary.json"] : []) + [""]
  }

  /// When a fault held; what is over at once has only a moment.
  private func time(of window: FaultWindow) -> String {
    let (start, end) = (window.told.lowerBound, window.told.upperBound)
    let first = run.moment(start)
    if start == end { return first }
    return end < run.end ? "\(first) to \(run.moment(end))" : "from \(first)"
  }

  /// The list as a JSON tree.
  var faultsJSON: JSONValue {
    .array(
      run.faultWindows.map { window in
        var members: [JSONValue.Member] = [
          .init("id", .string(window.id)),
          .init("start", .string(run.clock.iso8601(window.told.lowerBound))),
          .init("end", .string(run.clock.iso8601(window.told.upperBound))),
        ]
        if let slip = window.slip { members.append(.init("text", .string(slip))) }
        return .object(members)
      })
  }
}
