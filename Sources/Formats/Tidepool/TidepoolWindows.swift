internal import Quantities
internal import StructuredText

/// Finds suspensions that were written as basal schedules, because the simulator knows no
/// suspension.
///
/// A window of zero basal over exactly the time in which automation is off becomes a `suspend`
/// event, and the schedule is what it was before the window. Other windows stay schedules, and all
/// do where no app runs, which has no automation to go off.
struct TidepoolWindows {
  let mode: ImportMode
  let problems: ProblemList

  /// The programmed settings without such windows, and the events in their place.
  func rewritten(_ simulation: TidepoolSimulation)
    -> (programmed: TidepoolSimulation.Metabolism, events: [ImportedEvent])
  {
    guard mode == .asIntended, simulation.hasApp, let switches = simulation.controller?.switches
    else {
      return (simulation.programmed, [])
    }
    var programmed = simulation.programmed
    var events: [ImportedEvent] = []
    for (off, on) in zip(switches, switches.dropFirst()) where !off.isOn && on.isOn {
      guard let window = window(from: off.offset, to: on.offset, in: programmed.basal, simulation)
      else { continue }
      programmed.basal[window].value = programmed.basal[window - 1].value
      let length = on.offset - off.offset
      problems.add(
        .note, .decided, at: off.position,
        "Zero basal while automation is off is a suspension of \(ImportText.duration(length)).")
      let value = ImportText.object([
        ("at", ImportText.moment(off.offset, after: simulation.start)),
        ("suspend", ImportText.object([("duration", .string(ImportText.duration(length)))])),
      ])
      events.append(ImportedEvent(offset: off.offset, rank: 0, value: value))
    }
    return (programmed, events)
  }

  /// The entry of zero basal that starts and ends with a stretch, and between equal rates.
  private func window(
    from start: TimeSpan, to end: TimeSpan, in basal: TidepoolSimulation.Schedule,
    _ simulation: TidepoolSimulation
  ) -> Int? {
    guard start >= .zero, end - start < .days(1) else { return nil }
    let from = timeOfDay(start, simulation)
    let to = timeOfDay(end, simulation)
    return basal.indices.dropFirst().dropLast().first { index in
      basal[index].start == from && basal[index + 1].start == to && basal[index].value == 0
        && basal[index - 1].value == basal[index + 1].value && basal[index - 1].value > 0
    }
  }

  private func timeOfDay(_ offset: TimeSpan, _ simulation: TidepoolSimulation) -> TimeOfDay {
    CivilTime(
      millisecondsSince1970: simulation.start.millisecondsSince1970 + offset.milliseconds
    ).timeOfDay
  }
}
