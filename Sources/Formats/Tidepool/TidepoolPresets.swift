internal import Quantities
internal import StructuredText

/// Finds presets that were written as schedules, because the simulator knows no preset.
///
/// A window in which the programmed basal, 1/ISF and 1/CR all change by one factor, and before and
/// after which they are the same, becomes a `preset` event with that factor. A window of the
/// correction range at the same times goes with it; other windows of it stay schedules. Without an
/// app nobody runs a preset, and the pump delivers its schedule: the window stays one.
struct TidepoolPresets {
  let mode: ImportMode
  let problems: ProblemList

  /// A window of the day with its factor on insulin needs.
  private struct Window {
    var index: Int
    var start: TimeOfDay
    var end: TimeOfDay
    var factor: Double
  }

  /// The simulation without such windows, and the events in their place.
  func rewritten(_ simulation: TidepoolSimulation)
    -> (simulation: TidepoolSimulation, events: [ImportedEvent])
  {
    guard mode == .asIntended, simulation.hasApp, let window = window(in: simulation.programmed)
    else { return (simulation, []) }
    var result = simulation
    restore(&result.programmed.basal, window.index)
    restore(&result.programmed.sensitivity, window.index)
    restore(&result.programmed.carbRatio, window.index)
    let target = target(in: simulation.targets, window)
    if let target { result.targets[target].low = result.targets[target - 1].low }
    if let target { result.targets[target].high = result.targets[target - 1].high }
    let preset = ImportText.object([
      (
        "target",
        target.map {
          .array([
            ImportText.number(simulation.targets[$0].low),
            ImportText.number(simulation.targets[$0].high),
          ])
        }
      ),
      ("insulinNeeds", ImportText.number(window.factor)),
    ])
    let events = occurrences(of: window, in: simulation).map { start, end in
      ImportedEvent(
        offset: start, rank: 0,
        value: ImportText.object([
          ("at", ImportText.moment(start, after: simulation.start)), ("preset", preset),
          ("duration", .string(ImportText.duration(end - start))),
        ]))
    }
    problems.add(
      .note, .decided, at: simulation.position,
      "From \(window.start.hoursAndMinutes) to \(window.end.hoursAndMinutes) the programmed "
        + "settings "
        + "are scaled by \(window.factor), which is carried as a preset.")
    return (result, events)
  }

  private func restore(_ schedule: inout TidepoolSimulation.Schedule, _ index: Int) {
    assert(schedule.indices.contains(index), "A schedule has the entry that is restored.")
    schedule[index].value = schedule[index - 1].value
  }

  private func window(in settings: TidepoolSimulation.Metabolism) -> Window? {
    let schedules = [settings.basal, settings.sensitivity, settings.carbRatio]
    guard schedules.allSatisfy({ $0.map(\.start) == settings.basal.map(\.start) }) else {
      return nil
    }
    let found = settings.basal.indices.dropFirst().dropLast().compactMap { index -> Window? in
      guard schedules.allSatisfy({ $0[index - 1].value == $0[index + 1].value }),
        settings.basal[index].value > 0, settings.basal[index - 1].value > 0
      else { return nil }
      let factor = settings.basal[index].value / settings.basal[index - 1].value
      let others = [settings.sensitivity, settings.carbRatio].map {
        $0[index - 1].value / $0[index].value
      }
      // The published schedules are rounded to whole numbers.
      guard factor != 1, (0.1...2).contains(factor),
        others.allSatisfy({ abs($0 / factor - 1) < 0.03 })
      else { return nil }
      return Window(
        index: index, start: settings.basal[index].start, end: settings.basal[index + 1].start,
        factor: (factor * 1_000).rounded() / 1_000)
    }
    return found.count == 1 ? found.first : nil
  }

  private func target(
    in targets: [(start: TimeOfDay, low: Double, high: Double)], _ window: Window
  ) -> Int? {
    targets.indices.dropFirst().dropLast().first { index in
      targets[index].start == window.start && targets[index + 1].start == window.end
        && targets[index - 1].low == targets[index + 1].low
        && targets[index - 1].high == targets[index + 1].high
    }
  }

  /// The times within the run over which a window of the day lies, counted from the start.
  private func occurrences(of window: Window, in simulation: TidepoolSimulation)
    -> [(start: TimeSpan, end: TimeSpan)]
  {
    let origin = simulation.start.timeOfDay.sinceMidnight
    let days = simulation.duration.quotient(by: .days(1)) + 1
    return (0...days).compactMap { day in
      let start = window.start.sinceMidnight + .days(day) - origin
      let end = window.end.sinceMidnight + .days(day) - origin
      guard end > .zero, start < simulation.duration else { return nil }
      return (max(.zero, start), end)
    }
  }
}
