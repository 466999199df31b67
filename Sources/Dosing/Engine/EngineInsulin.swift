import Quantities
internal import WorkCounting

/// What a ``DosingEngine`` keeps of doses between cycles: their parts and the sum of their effects.
///
/// Invariant: the grid is the sum of what the parts do to glucose, each over its whole action;
/// parts stand in the order of their doses.
struct EngineInsulin: Sendable {
  /// A dose, and how many parts it has against the basal schedule.
  struct Slot: Hashable, Sendable {
    var dose: AlgorithmInput.InsulinDose
    var count: Int
    /// Whether the parts have been taken back from the grid and only keep their places.
    var isTakenBack = false
  }

  /// A part of a dose as it was added to the grid.
  struct Part: Hashable, Sendable {
    var element: DoseElement
    var lattice: DoseLattice
    /// U.
    var units: Double
    /// The ISF it acts with, where that is fixed.
    var sensitivity: Double
  }

  private let axis: TimeAxis
  /// Whether every part acts with the ISF in force at each step, and not with the one at its start.
  private let isMidAbsorption: Bool

  private var slots = SlidingList<Slot>()
  /// How many of the slots are taken back.
  private var takenBack = 0
  private(set) var parts = SlidingList<Part>()
  private(set) var grid = InsulinEffectGrid(over: 0...0)
  /// The first and last steps of the original's effect timeline; nothing where insulin is left out.
  private(set) var extent: ClosedRange<Int>?
  /// The ISF at each step.
  private var steps = StepSensitivity(firstStep: 0)
  /// Between which times the doses lie.
  private var earliestDose = -Double.infinity
  private var latestDose = Double.infinity
  /// The one ISF with which every part acts; `nil` where that is not known.
  private var sensitivityOfParts: Double?

  // Storage that is used again.
  private var newElements: [DoseElement] = []
  private var newParts: [Part] = []
  private var newSteps = StepSensitivity(firstStep: 0)
  private var changedSteps: [ClosedRange<Int>] = []

  init(axis: TimeAxis, isMidAbsorption: Bool) {
    self.axis = axis
    self.isMidAbsorption = isMidAbsorption
  }

  /// Forgets all insulin, where the algorithm leaves it out.
  mutating func leaveOut() {
    slots.removeAll()
    takenBack = 0
    parts.removeAll()
    grid = InsulinEffectGrid(over: 0...0)
    steps = StepSensitivity(firstStep: 0)
    extent = nil
  }

  /// Brings the insulin effect up to date with a list of doses.
  ///
  /// The grid reaches over the times of `glucose` as well. What is known to have stayed is not
  /// looked at.
  mutating func takeDoses(
    _ doses: [AlgorithmInput.InsulinDose], _ known: KeptElements, _ extent: DoseExtent,
    at now: Double, _ settings: EngineSettings, over glucose: ClosedRange<Double>
  ) throws(AlgorithmError) {
    let sensitivity = settings.sensitivity
    try cover(extent, now, glucose)
    try takeStepSensitivity(sensitivity)
    var slot = 0
    var part = 0
    var hint = 0
    let span = sensitivity.count == 1 ? sensitivity[0] : nil
    let actAlike = partsAct(by: span)
    sensitivityOfParts = nil
    // What is known is of no use to an engine that begins.
    if actAlike, known.count > 0, known.gone + known.count <= slots.count {
      for _ in 0..<known.gone { removeSlot(0, firstPart: 0) }
      try putBack(first: known.count, settings)
      slot = known.count
      part = parts.count
      for index in slot..<slots.count { part -= slots[index].count }
      assert(
        unchanged(doses, from: 0, 0) >= (slot, part),
        "A dose that is known to have stayed is the same.")
    }
    var next = slot
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
      while slot < slots.count, slots[slot].dose != dose,
        slots[slot].dose.startDate <= dose.startDate
      {
        removeSlot(slot, firstPart: part)
      }
      if slot < slots.count, slots[slot].dose == dose {
        if slots[slot].isTakenBack { try putBack(slot, firstPart: part, settings) }
        if !actAlike, !acts(part..<(part + slots[slot].count), by: span) {
          try refreshSensitivity(slot, firstPart: part, sensitivity, &hint)
        }
      } else {
        try insertSlot(dose, at: slot, firstPart: part, settings)
      }
      part += slots[slot].count
      slot += 1
    }
    while slot < slots.count { removeSlot(slot, firstPart: part) }
    assert(slots.count == doses.count, "Each dose has its slot.")
    assert(part == parts.count, "Each part belongs to a dose.")
    sensitivityOfParts = span?.value
    try findExtent(now, glucose)
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
    Work.visit(rows: count)
    return (count, parts)
  }

  /// Whether all parts act with the only ISF there is, as in the last cycle.
  ///
  /// They lie between the earliest and the latest dose.
  private func partsAct(by span: ScheduleSpan?) -> Bool {
    guard !isMidAbsorption else { return true }
    guard let span, let sensitivityOfParts else { return false }
    return span.value == sensitivityOfParts && span.start <= earliestDose && latestDose <= span.end
  }

  /// Whether parts act with the only ISF there is, so that it need not be looked for.
  private func acts(_ range: Range<Int>, by span: ScheduleSpan?) -> Bool {
    guard !isMidAbsorption else { return true }
    guard let span else { return false }
    for index in range {
      let start = parts[index].element.start
      guard parts[index].sensitivity == span.value, span.start <= start, start <= span.end
      else { return false }
    }
    return true
  }

  /// Takes a dose back that mostly comes again at once: its parts keep their places.
  private mutating func takeBack(_ slot: Int, firstPart: Int) {
    assert(!slots[slot].isTakenBack, "A dose is taken back once.")
    for index in firstPart..<(firstPart + slots[slot].count) {
      add(parts[index], times: -1)
      parts[index].units = 0
    }
    slots[slot].isTakenBack = true
    takenBack += 1
  }

  /// Sets those of the first doses that were taken back against the schedule again.
  private mutating func putBack(
    first count: Int, _ settings: EngineSettings
  ) throws(AlgorithmError) {
    var slot = 0
    var part = 0
    while slot < count, takenBack > 0 {
      if slots[slot].isTakenBack { try putBack(slot, firstPart: part, settings) }
      part += slots[slot].count
      slot += 1
    }
  }

  /// Sets a dose that was taken back against the schedule again.
  private mutating func putBack(
    _ slot: Int, firstPart: Int, _ settings: EngineSettings
  ) throws(AlgorithmError) {
    assert(slots[slot].isTakenBack, "Only a dose that was taken back is put back.")
    let dose = slots[slot].dose
    try makeParts(of: dose, settings)
    guard newParts.count == slots[slot].count else {
      removeSlot(slot, firstPart: firstPart)
      return try insertSlot(dose, at: slot, firstPart: firstPart, settings)
    }
    for index in newParts.indices {
      parts[firstPart + index] = newParts[index]
      add(newParts[index], times: 1)
    }
    slots[slot].isTakenBack = false
    takenBack -= 1
  }

  /// Takes a dose back.
  private mutating func removeSlot(_ slot: Int, firstPart: Int) {
    assert(slots.indices.contains(slot), "A slot that is removed is there.")
    let range = firstPart..<(firstPart + slots[slot].count)
    // Those at the beginning leave without moving others.
    Work.visit(rows: slot == 0 ? range.count : slots.count - slot)
    for index in range { add(parts[index], times: -1) }
    parts.removeSubrange(range)
    if slots[slot].isTakenBack { takenBack -= 1 }
    slots.remove(at: slot)
  }

  private mutating func insertSlot(
    _ dose: AlgorithmInput.InsulinDose, at slot: Int, firstPart: Int, _ settings: EngineSettings
  ) throws(AlgorithmError) {
    try makeParts(of: dose, settings)
    Work.visit(rows: slots.count - slot + parts.count - firstPart)
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
    of dose: AlgorithmInput.InsulinDose, _ settings: EngineSettings
  ) throws(AlgorithmError) {
    newParts.removeAll(keepingCapacity: true)
    newElements.removeAll(keepingCapacity: true)
    annotate(
      type: dose.type, start: axis.seconds(dose.startDate), end: axis.seconds(dose.endDate),
      volume: dose.volume, model: dose.insulinModel, basal: settings.basal, into: &newElements)
    for element in newElements {
      var part = Part(
        element: element, lattice: DoseLattice(element), units: element.netUnits, sensitivity: 0)
      if !isMidAbsorption {
        part.sensitivity = try fixedSensitivity(
          at: element.start, settings.sensitivity, axis: axis)
      }
      newParts.append(part)
    }
  }

  /// Adds a dose again where the ISF in force at its start has changed; `hint` is where to look
  /// first.
  private mutating func refreshSensitivity(
    _ slot: Int, firstPart: Int, _ sensitivity: [ScheduleSpan], _ hint: inout Int
  ) throws(AlgorithmError) {
    guard !isMidAbsorption else { return }
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
    if isMidAbsorption {
      grid.add(part.element, part.lattice, units: units, sensitivity: steps, within: range)
    } else {
      grid.add(
        part.element, part.lattice, units: units, sensitivity: part.sensitivity, within: range)
    }
  }

  /// Makes the grid cover every dose's action, the glucose and now.
  private mutating func cover(
    _ doses: DoseExtent, _ now: Double, _ glucose: ClosedRange<Double>
  ) throws(AlgorithmError) {
    var from = min(now, glucose.lowerBound)
    var to = max(now, glucose.upperBound)
    if let earliest = doses.earliestStart, let latest = doses.latestTime {
      earliestDose = axis.seconds(earliest)
      latestDose = axis.seconds(latest)
      from = min(from, earliestDose)
      to = max(to, latestDose + InsulinModel.longestEffectDuration)
    }
    grid.cover(try TimeAxis.grid(from: from, to: to))
  }

  /// Finds the first and last steps of the original's effect timeline.
  private mutating func findExtent(
    _ now: Double, _ glucose: ClosedRange<Double>
  ) throws(AlgorithmError) {
    let acting = parts.action(from: now)
    Work.visit(rows: parts.count)
    extent = try TimeAxis.grid(
      from: min(acting.start, glucose.lowerBound),
      to: max(acting.end, glucose.upperBound))
  }

  /// Lays out the ISF over the grid, and computes the steps again in which it has changed.
  private mutating func takeStepSensitivity(
    _ sensitivity: [ScheduleSpan]
  ) throws(AlgorithmError) {
    guard isMidAbsorption else { return }
    try newSteps.layOut(sensitivity, over: grid.firstStep...grid.lastStep, axis: axis)
    changedSteps.removeAll(keepingCapacity: true)
    newSteps.appendDifferences(from: steps, to: &changedSteps)
    swap(&steps, &newSteps)
    for range in changedSteps {
      grid.clear(range)
      for index in parts.indices
      where parts[index].lattice.begin <= range.upperBound
        && parts[index].lattice.end >= range.lowerBound
      {
        add(parts[index], times: 1, within: range)
      }
    }
  }

  /// Forgets which steps have been touched: whoever reads the grid has seen them.
  mutating func forgetTouched() { grid.forgetTouched() }

  // MARK: - Another basal schedule

  /// Takes back the doses that touch a difference between the basal schedule and what it was.
  ///
  /// They are set against the new one when doses are taken.
  mutating func forgetDoses(whereDifferent old: [ScheduleSpan], and basal: [ScheduleSpan]) {
    var i = 0
    var j = 0
    while i < old.count || j < basal.count {
      let a = i < old.count ? old[i] : nil
      let b = j < basal.count ? basal[j] : nil
      if let a, let b, a.value == b.value, a.start < b.end, b.start < a.end || a == b {
        // The same rate, perhaps over another stretch, as when a window moves on.
        if a.start != b.start { forgetDoses(min(a.start, b.start), max(a.start, b.start)) }
        if a.end != b.end { forgetDoses(min(a.end, b.end), max(a.end, b.end)) }
        i += 1
        j += 1
      } else if let a, a.start <= (b?.start ?? .infinity) {
        forgetDoses(a.start, a.end)
        i += 1
      } else if let b {
        forgetDoses(b.start, b.end)
        j += 1
      }
    }
  }

  /// Takes back the basal doses that touch a stretch of time.
  private mutating func forgetDoses(_ start: Double, _ end: Double) {
    guard end >= earliestDose, start <= latestDose else { return }
    var part = 0
    var slot = 0
    while slot < slots.count {
      let dose = slots[slot].dose
      // They stand in the order of their starts.
      if axis.seconds(dose.startDate) > end { return }
      if dose.type == .basal, !slots[slot].isTakenBack, axis.seconds(dose.startDate) <= end,
        axis.seconds(dose.endDate) >= start
      {
        takeBack(slot, firstPart: part)
      }
      part += slots[slot].count
      slot += 1
    }
    assert(part == parts.count, "Each part belongs to a dose.")
  }
}
