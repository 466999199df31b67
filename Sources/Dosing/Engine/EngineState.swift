import Quantities

/// What a ``DosingEngine`` keeps between cycles.
struct EngineState: Sendable {
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

  /// Entries of carbohydrate whose absorption may overlap, and so is found together.
  struct Cluster: Hashable, Sendable {
    var records: Range<Int>
    var start: Double
    var end: Double
    /// Whether two entries have been active at once: then the shares depend on the end of
    /// observation.
    var isShared = false
    /// Whether the records hold anything that can be extended.
    var isStarted = false
    /// The start of the last velocity that has been credited.
    var creditedUntil = -Double.infinity
  }

  let axis: TimeAxis
  /// Whether everything below belongs together; false while a cycle changes it, and before the
  /// first.
  var isConsistent = false
  var options = PredictionOptions()

  // Settings.
  var basal: [ScheduleSpan] = []
  var sensitivity: [ScheduleSpan] = []
  var carbRatio: [ScheduleSpan] = []
  var target: [TargetSpan] = []
  var steps = StepSensitivity(firstStep: 0)

  // Insulin. Parts stand in the order of their doses.
  var slots = SlidingList<Slot>()
  var parts = SlidingList<Part>()
  var insulin = InsulinEffectGrid(over: 0...0)
  /// The first and last steps of the original's effect timeline; nothing where insulin is left out.
  var extent: ClosedRange<Int>?
  /// Between which times the doses lie.
  var earliestDose = -Double.infinity
  var latestDose = Double.infinity
  var activeInsulin = 0.0
  /// The one ISF with which every part acts; `nil` where that is not known.
  var sensitivityOfParts: Double?

  // Glucose. Rounds number samples from the first one ever taken.
  var samples = SlidingList<AlgorithmInput.GlucoseSample>()
  var glucose: [GlucosePoint] = []
  var dropped = 0
  /// The first sample that is not what it was in the last cycle.
  var firstChangedSample = Int.max
  var provenances: [String] = []
  var rounds: [CounteractionWalk.Round] = []
  /// How many rounds at the beginning are gone and only keep their places for a while.
  var goneRounds = 0
  var velocities: [Velocity] = []
  /// Where the velocities start that are not what they were in the last cycle.
  var changedStarts: [Double] = []

  // Carbohydrate.
  var entries: [AlgorithmInput.CarbEntry] = []
  var records: [CarbRecord] = []
  var clusters: [Cluster] = []
  var carbs = Prediction.Effects()
  var activeCarbs = 0.0

  // What each cycle makes anew.
  var outlook = Outlook()
  var segments: [CorrectionMath.Segment] = []
  var decision: CompactDecision?
  var limits: DoseLimits?
  var suspendThreshold = 0.0

  // Storage that is used again.
  var newElements: [DoseElement] = []
  var newParts: [Part] = []
  var newRounds: [CounteractionWalk.Round] = []
  var newSpans: [ScheduleSpan] = []
  var newSteps = StepSensitivity(firstStep: 0)
  var changedSteps: [ClosedRange<Int>] = []

  init(near instant: Instant) { axis = TimeAxis(near: instant) }

  /// Whether the input can be brought up to date from this state.
  func fits(_ input: AlgorithmInput) -> Bool {
    let limit = Double(TimeAxis.maximumSteps) * TimeAxis.step / 4
    return isConsistent && axis.seconds(input.predictionStart).magnitude < limit
      && options.useMidAbsorptionISF == input.useMidAbsorptionISF
  }

  /// Runs one cycle: brings everything up to date, predicts, decides.
  mutating func cycle(_ input: AlgorithmInput) throws(AlgorithmError) -> CycleResult {
    let now = axis.seconds(input.predictionStart)
    let basalRate = try InputCheck.checkData(input, axis, now)
    target.removeAll(keepingCapacity: true)
    axis.append(input.target, to: &target)
    let (targetNow, threshold) = try InputCheck.checkTarget(target, input, now)
    isConsistent = false
    options = PredictionOptions(input)
    changedStarts.removeAll(keepingCapacity: true)
    takeSettings(input)
    takeGlucose(input.glucoseHistory)
    if hasInsulin(input, now) {
      try takeDoses(input.doses, now)
      activeInsulin = insulinOnBoard(at: now)
      takeCounteraction()
    } else {
      leaveInsulinOut()
    }
    try takeCarbs(input.carbEntries)
    try computeCarbEffect(at: now)
    isConsistent = true
    outlook.lookBack(glucose, velocities, carbs, isIntegral: options.isIntegral)
    outlook.predict(
      at: now, glucose, carbs: carbs, insulin: extent == nil ? nil : insulin,
      insulinLastStep: extent?.upperBound, options)
    suspendThreshold = threshold
    return try decide(input, now, targetNow: targetNow, scheduledBasalRate: basalRate)
  }
}
