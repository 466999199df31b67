internal import Quantities
internal import StructuredText

extension TidepoolEvents {
  /// The stretches of exercise; the app learns nothing of them.
  func exercise(_ simulation: TidepoolSimulation) -> [ImportedEvent] {
    simulation.exercise.compactMap { exercise in
      guard exercise.offset >= .zero, exercise.offset <= simulation.duration else {
        problems.add(
          .warning, .time, at: exercise.position,
          "This exercise lies outside the run and is left out.")
        return nil
      }
      problems.add(
        .warning, .lost, at: exercise.position,
        "Exercise has no effect: the original program drops it, its equation is unpublished, and "
          + "the model tidepool-simple has none. The event is kept for other models.")
      let value = ImportText.object([
        ("at", ImportText.moment(exercise.offset, after: simulation.start)),
        (
          "exercise",
          ImportText.object([
            ("heartRate", ImportText.number(exercise.heartRate)),
            ("duration", .string(ImportText.duration(exercise.duration))),
            ("intensity", exercise.intensity.map { .string($0) }),
          ])
        ),
        ("note", .string(exercise.activity)),
        (
          "x-tidepool",
          simulation.exerciseParameters.isEmpty ? nil : .object(simulation.exerciseParameters)
        ),
      ])
      return ImportedEvent(offset: exercise.offset, rank: 3, value: value)
    }
  }

  /// The moments at which the controller is switched on or off; none where nothing automatic runs.
  func switches(_ simulation: TidepoolSimulation) -> [ImportedEvent] {
    (simulation.controller?.switches ?? []).compactMap { change in
      guard change.offset <= simulation.duration else {
        problems.add(
          .warning, .time, at: change.position, "This switch lies after the end and is left out.")
        return nil
      }
      guard simulation.hasApp else {
        problems.add(
          .warning, .lost, at: change.position,
          "This switch is left out: the run is open loop, and nothing is there to be switched.")
        return nil
      }
      problems.add(
        .note, .ignored, at: change.position,
        "The original program ignores its automation timeline; here it takes effect.")
      let offset = max(.zero, change.offset)
      return ImportedEvent(
        offset: offset, rank: 0,
        value: ImportText.object([
          ("at", ImportText.moment(offset, after: simulation.start)),
          ("closedLoop", .bool(change.isOn)),
        ]))
    }
  }

  /// Reports what a literal import leaves out because the original program ignores it.
  func reportIgnored(_ simulation: TidepoolSimulation) {
    for exercise in simulation.exercise {
      problems.add(
        .warning, .ignored, at: exercise.position, "The original program drops this exercise.")
    }
    for change in simulation.controller?.switches ?? [] {
      problems.add(
        .warning, .ignored, at: change.position,
        "The original program ignores its automation timeline.")
    }
  }
}
