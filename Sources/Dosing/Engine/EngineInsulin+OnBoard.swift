import Quantities
internal import WorkCounting

/// Insulin on board, part by part.
extension EngineInsulin {
  /// Net insulin on board, in U, with one exponential for each insulin.
  func onBoard(at now: Double) -> Double {
    let step = TimeAxis.floorStep(now)
    return now == Double(step) * TimeAxis.step
      ? onBoard(atStep: step) : onBoard(offGridAt: now)
  }

  /// The same on the grid, where most doses are tabulated and the older half is passed over.
  private func onBoard(atStep step: Int) -> Double {
    var sum = 0.0
    var model = InsulinModel.rapidActingAdult
    var table = ActivityTables.of(model).onBoardOfLattice
    let parts = parts.storage.span.extracting(droppingFirst: parts.gone)
    Work.visit(rows: parts.count)
    for index in parts.indices where parts[index].lattice.spentStep > step {
      let count = parts[index].lattice.stepCount
      guard count >= 0 else {
        sum += units(parts[index], onBoardAt: Double(step) * TimeAxis.step)
        continue
      }
      let age = step - parts[index].lattice.startStep
      guard age >= 0 else { continue }
      if parts[index].element.model != model {
        model = parts[index].element.model
        table = ActivityTables.of(model).onBoardOfLattice
      }
      sum += parts[index].units * table.fraction(atStep: age, of: count)
    }
    return sum
  }

  /// What is on board of a part that is not tabulated, at a time on the grid.
  @inline(never)
  private func units(_ part: Part, onBoardAt now: Double) -> Double {
    guard part.isOnBoard(at: now) else { return 0 }
    let activity = InsulinActivity.of(part.element.model)
    return part.units(onBoardAt: now, LatticePhase(offset: 0, activity), activity)
  }

  private func onBoard(offGridAt now: Double) -> Double {
    let offset = now - Double(TimeAxis.floorStep(now)) * TimeAxis.step
    var sum = 0.0
    var model = InsulinModel.rapidActingAdult
    var activity = InsulinActivity.of(model)
    var phase = LatticePhase(offset: offset, activity)
    Work.visit(rows: parts.count)
    for part in parts where part.isOnBoard(at: now) {
      if part.element.model != model {
        model = part.element.model
        activity = InsulinActivity.of(model)
        phase = LatticePhase(offset: offset, activity)
      }
      sum += part.units(onBoardAt: now, phase, activity)
    }
    return sum
  }
}

extension EngineInsulin.Part {
  /// Whether a time lies between the start of the part and the end of its action.
  fileprivate func isOnBoard(at now: Double) -> Bool {
    let x = now - element.start
    let duration = element.end - element.start
    return x >= 0 && x < InsulinModel.longestEffectDuration + duration + 600
  }

  /// What of the part is on board, in U.
  fileprivate func units(
    onBoardAt now: Double, _ phase: LatticePhase, _ activity: InsulinActivity
  ) -> Double {
    units
      * phase.fractionOnBoard(
        now - element.start, of: element.end - element.start, first: lattice.first,
        exponential: lattice.exponential, activity)
  }
}
