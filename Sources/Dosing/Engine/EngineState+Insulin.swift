import Quantities

extension EngineState {
  /// Whether insulin counts: the basal schedule starts at or before the first dose.
  func hasInsulin(_ input: AlgorithmInput, _ now: Double) -> Bool {
    let firstDose = input.doses.first.map { axis.seconds($0.startDate) } ?? now
    return basal.first.map { $0.start <= firstDose } ?? false
  }

  /// Forgets all insulin, where the algorithm leaves it out.
  mutating func leaveInsulinOut() {
    slots.removeAll()
    parts.removeAll()
    insulin = InsulinEffectGrid(over: 0...0)
    steps = StepSensitivity(firstStep: 0)
    for velocity in velocities { changedStarts.append(velocity.start) }
    rounds.removeAll(keepingCapacity: true)
    goneRounds = 0
    velocities.removeAll(keepingCapacity: true)
    extent = nil
    activeInsulin = 0
  }

  /// Brings the insulin effect up to date with a list of doses.
  mutating func takeDoses(
    _ doses: [AlgorithmInput.InsulinDose], _ now: Double
  ) throws(AlgorithmError) {
    try cover(doses, now)
    try takeStepSensitivity()
    var slot = 0
    var part = 0
    var hint = 0
    let span = sensitivity.count == 1 ? sensitivity[0] : nil
    let actAlike = partsAct(by: span)
    sensitivityOfParts = nil
    var next = 0
    while true {
      if actAlike {
        // Nearly every dose is what it was.
        let (count, itsParts) = unchanged(doses, from: next, slot)
        next += count
        slot += count
        part += itsParts
      }
      guard next < doses.count else { break }
      let dose = doses[next]
      next += 1
      if slot < slots.count, slots[slot].dose == dose {
        if slots[slot].isTakenBack { try putBack(slot, firstPart: part) }
        let count = slots[slot].count
        if !actAlike, !acts(part..<(part + count), by: span) {
          try refreshSensitivity(slot, firstPart: part, &hint)
        }
        part += count
        slot += 1
        continue
      }
      while slot < slots.count, slots[slot].dose != dose,
        slots[slot].dose.startDate <= dose.startDate
      {
        removeSlot(slot, firstPart: part)
      }
      if slot < slots.count, slots[slot].dose == dose {
        try refreshSensitivity(slot, firstPart: part, &hint)
      } else {
        try insertSlot(dose, at: slot, firstPart: part)
      }
      part += slots[slot].count
      slot += 1
    }
    while slot < slots.count { removeSlot(slot, firstPart: part) }
    sensitivityOfParts = span?.value
    try findExtent(now)
  }

  /// How many doses, from one on, are those of the slots from one on, and how many parts they have.
  private func unchanged(
    _ doses: [AlgorithmInput.InsulinDose], from first: Int, _ slot: Int
  ) -> (doses: Int, parts: Int) {
    let most = min(doses.count - first, slots.count - slot)
    let slots = slots.storage.span.extracting(droppingFirst: slots.gone + slot)
    let doses = doses.span.extracting(droppingFirst: first)
    var count = 0
    var parts = 0
    while count < most, slots[count].dose == doses[count], !slots[count].isTakenBack {
      parts += slots[count].count
      count += 1
    }
    return (count, parts)
  }

  /// Whether all parts act with the only ISF there is, as in the last cycle.
  ///
  /// They lie between the earliest and the latest dose.
  private func partsAct(by span: ScheduleSpan?) -> Bool {
    guard !options.useMidAbsorptionISF else { return true }
    guard let span, let sensitivityOfParts else { return false }
    return span.value == sensitivityOfParts && span.start <= earliestDose && latestDose <= span.end
  }

  /// Whether parts act with the only ISF there is, so that it need not be looked for.
  private func acts(_ range: Range<Int>, by span: ScheduleSpan?) -> Bool {
    guard !options.useMidAbsorptionISF else { return true }
    guard let span else { return false }
    for index in range {
      let start = parts[index].element.start
      guard parts[index].sensitivity == span.value, span.start <= start, start <= span.end
      else { return false }
    }
    return true
  }

  /// Takes a dose back that mostly comes again at once: its parts keep their places.
  mutating func takeBack(_ slot: Int, firstPart: Int) {
    for index in firstPart..<(firstPart + slots[slot].count) {
      add(parts[index], times: -1)
      parts[index].units = 0
    }
    slots[slot].isTakenBack = true
  }

  /// Sets a dose that was taken back against the schedule again.
  private mutating func putBack(_ slot: Int, firstPart: Int) throws(AlgorithmError) {
    let dose = slots[slot].dose
    try makeParts(of: dose)
    guard newParts.count == slots[slot].count else {
      removeSlot(slot, firstPart: firstPart)
      return try insertSlot(dose, at: slot, firstPart: firstPart)
    }
    for index in newParts.indices {
      parts[firstPart + index] = newParts[index]
      add(newParts[index], times: 1)
    }
    slots[slot].isTakenBack = false
  }

  /// Takes a dose back.
  mutating func removeSlot(_ slot: Int, firstPart: Int) {
    assert(slots.indices.contains(slot), "A slot that is removed is there.")
    let range = firstPart..<(firstPart + slots[slot].count)
    for index in range { add(parts[index], times: -1) }
    parts.removeSubrange(range)
    slots.remove(at: slot)
  }

  private mutating func insertSlot(
    _ dose: AlgorithmInput.InsulinDose, at slot: Int, firstPart: Int
  ) throws(AlgorithmError) {
    try makeParts(of: dose)
    var index = firstPart
    for part in newParts {
      parts.insert(part, at: index)
      add(part, times: 1)
      index += 1
    }
    slots.insert(Slot(dose: dose, count: newParts.count), at: slot)
  }

  /// Sets a dose against the schedule, without adding it to the grid.
  private mutating func makeParts(
    of dose: AlgorithmInput.InsulinDose
  ) throws(AlgorithmError) {
    newParts.removeAll(keepingCapacity: true)
    newElements.removeAll(keepingCapacity: true)
    annotate(
      type: dose.type, start: axis.seconds(dose.startDate), end: axis.seconds(dose.endDate),
      volume: dose.volume, model: dose.insulinModel, basal: basal, into: &newElements)
    for element in newElements {
      var part = Part(
        element: element, lattice: DoseLattice(element), units: element.netUnits, sensitivity: 0)
      if !options.useMidAbsorptionISF {
        part.sensitivity = try fixedSensitivity(at: element.start, sensitivity, axis: axis)
      }
      newParts.append(part)
    }
  }

  /// Adds a dose again where the ISF in force at its start has changed; `hint` is where to look
  /// first.
  private mutating func refreshSensitivity(
    _ slot: Int, firstPart: Int, _ hint: inout Int
  ) throws(AlgorithmError) {
    guard !options.useMidAbsorptionISF else { return }
    for index in firstPart..<(firstPart + slots[slot].count) {
      let start = parts[index].element.start
      while hint + 1 < sensitivity.count, sensitivity[hint + 1].start <= start { hint += 1 }
      let isFound =
        hint < sensitivity.count && sensitivity[hint].start <= start
        && sensitivity[hint].end >= start
      let value =
        isFound
        ? sensitivity[hint].value : try fixedSensitivity(at: start, sensitivity, axis: axis)
      guard value != parts[index].sensitivity else { continue }
      add(parts[index], times: -1)
      parts[index].sensitivity = value
      add(parts[index], times: 1)
    }
  }

  private mutating func add(
    _ part: Part, times sign: Double, within range: ClosedRange<Int>? = nil
  ) {
    let units = sign * part.units
    if options.useMidAbsorptionISF {
      insulin.add(part.element, part.lattice, units: units, sensitivity: steps, within: range)
    } else {
      insulin.add(
        part.element, part.lattice, units: units, sensitivity: part.sensitivity, within: range)
    }
  }

  /// Makes the grid cover every dose's action, the glucose and now.
  private mutating func cover(
    _ doses: [AlgorithmInput.InsulinDose], _ now: Double
  ) throws(AlgorithmError) {
    var earliest = Instant(millisecondsSince1970: .max)
    var latest = Instant(millisecondsSince1970: .min)
    for dose in doses {
      earliest = min(earliest, dose.startDate)
      latest = max(latest, dose.startDate, dose.endDate)
    }
    var from = min(now, glucose[0].start)
    var to = max(now, glucose[glucose.count - 1].start)
    if !doses.isEmpty {
      earliestDose = axis.seconds(earliest)
      latestDose = axis.seconds(latest)
      from = min(from, earliestDose)
      to = max(to, latestDose + InsulinModel.longestEffectDuration)
    }
    insulin.cover(try TimeAxis.grid(from: from, to: to))
  }

  /// Finds the first and last steps of the original's effect timeline.
  private mutating func findExtent(_ now: Double) throws(AlgorithmError) {
    let acting = action(of: parts, from: now)
    extent = try TimeAxis.grid(
      from: min(acting.start, glucose[0].start),
      to: max(acting.end, glucose[glucose.count - 1].start))
  }

  /// Over which time parts act; where there are none, a time.
  private func action(
    of parts: SlidingList<Part>, from now: Double
  ) -> (start: Double, end: Double) {
    guard let first = parts.first?.element else { return (now, now) }
    var (start, end) = (first.start, first.end)
    let stored = parts.storage.span
    for index in parts.gone..<stored.count {
      start = min(start, stored[index].element.start)
      end = max(end, stored[index].element.end + stored[index].element.model.effectDuration)
    }
    return (start, end)
  }

  /// Lays out the ISF over the grid, and computes the steps again in which it has changed.
  private mutating func takeStepSensitivity() throws(AlgorithmError) {
    guard options.useMidAbsorptionISF else { return }
    try newSteps.layOut(sensitivity, over: insulin.firstStep...insulin.lastStep, axis: axis)
    changedSteps.removeAll(keepingCapacity: true)
    newSteps.appendDifferences(from: steps, to: &changedSteps)
    swap(&steps, &newSteps)
    for range in changedSteps {
      insulin.clear(range)
      for index in parts.indices
      where parts[index].lattice.begin <= range.upperBound
        && parts[index].lattice.end >= range.lowerBound
      {
        add(parts[index], times: 1, within: range)
      }
    }
  }

  /// Net insulin on board, in U, with one exponential for each insulin.
  func insulinOnBoard(at now: Double) -> Double {
    let step = TimeAxis.floorStep(now)
    return now == Double(step) * TimeAxis.step
      ? insulinOnBoard(atStep: step) : insulinOnBoard(offGridAt: now)
  }

  /// The same on the grid, where most doses are tabulated and the older half is passed over.
  private func insulinOnBoard(atStep step: Int) -> Double {
    var sum = 0.0
    var model = InsulinModel.rapidActingAdult
    var table = ActivityTables.of(model).onBoardOfLattice
    let parts = parts.storage.span.extracting(droppingFirst: parts.gone)
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

  private func insulinOnBoard(offGridAt now: Double) -> Double {
    let offset = now - Double(TimeAxis.floorStep(now)) * TimeAxis.step
    var sum = 0.0
    var model = InsulinModel.rapidActingAdult
    var activity = InsulinActivity.of(model)
    var phase = LatticePhase(offset: offset, activity)
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

extension EngineState.Part {
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
