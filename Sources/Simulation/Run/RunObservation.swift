public import ClosedLoop
public import Dosing
public import HealthStore
public import Quantities

/// What can be seen of a run only while it lives: predictions, deletions, the settings in force.
///
///     var observation = RunObservation(run, predictionsEvery: .minutes(30))
///     while run.step() { observation.observe(run) }
///     observation.end(run)
public struct RunObservation: Sendable {
  /// What the algorithm predicted in a cycle.
  public struct Prediction: Hashable, Sendable {
    /// The instant of the cycle.
    public var instant: Instant
    /// Glucose in mg/dL: the newest reading, and what is predicted from it.
    public var mgdL: [Double]
    /// The time between two values after the first.
    public var step: TimeSpan { grid * Int64(leap) }
    /// The time between two values after the first, before some were left out.
    private let grid: TimeSpan
    /// How long after the cycle the first value is, which is the reading's, the second and the
    /// last.
    private let first, second, last: TimeSpan
    /// How many values there were, from which one on some are kept, and each how many-th of them.
    private var count: Int
    private var origin = 0
    private var leap = 1

    /// Takes values of a decision, by whose clock they are dated; `nil` without one.
    init?(_ values: [PredictedGlucose], decidedAt decided: Instant, in cycle: Instant) {
      guard let reading = values.first, let last = values.last else { return nil }
      instant = cycle
      mgdL = values.map(\.quantity.mgdL)
      count = values.count
      grid = values.count > 2 ? values[2].startDate - values[1].startDate : .minutes(5)
      first = reading.startDate - decided
      second = (values.count > 1 ? values[1].startDate : reading.startDate) - decided
      self.last = last.startDate - decided
    }

    /// How long after the cycle a value is; less than nothing for one of before.
    ///
    /// The values after the first lie on the algorithm's grid, but for one that is appended.
    public func time(of index: Int) -> TimeSpan {
      let place = origin + index * leap
      if place == 0 { return first }
      return place == count - 1 ? last : second + grid * Int64(place - 1)
    }

    /// Keeps of the values the one that is nearest to the cycle and those some time apart after it.
    ///
    /// All are kept where the interval is no multiple of their step: fewer of them would lie
    /// elsewhere then.
    mutating func thin(to interval: TimeSpan) {
      guard grid > .zero, interval > .zero, interval.milliseconds % grid.milliseconds == 0 else {
        return
      }
      let places = Array(places(every: interval))
      origin = places.first ?? 0
      leap = Int(interval.quotient(by: grid))
      mgdL = places.map { mgdL[$0] }
    }

    /// The places of the value that is nearest to the cycle and of those some time apart after it.
    public func places(every interval: TimeSpan) -> StrideTo<Int> {
      let nearest = mgdL.indices.min { time(of: $0).magnitude < time(of: $1).magnitude } ?? 0
      return stride(from: nearest, to: mgdL.count, by: max(1, Int(interval.quotient(by: step))))
    }
  }

  /// What a cycle of the loop knew and recommended.
  public struct Cycle: Hashable, Sendable {
    /// When the cycle ran.
    public var instant: Instant
    /// Why nothing could be dosed, in words; `nil` if a dose could be given.
    public var refusal: String? { traits.value.refusal?.text }
    /// What is to become of the temp basal.
    public var basal: Decision.BasalChange { traits.value.basal }
    /// Why the prediction of the app's own algorithm is made without momentum; `nil` where it is
    /// made with it, and where there is none.
    public var momentumAbsence: MomentumAbsence? { traits.value.momentumAbsence }
    /// The automatic bolus, as the pump can give it; zero without one.
    public var bolus: InsulinAmount { traits.value.bolus }
    /// How many commands the app had for the pump.
    public var commands: Int { traits.value.commands }
    fileprivate var traits: Shared<Traits>
    /// Net insulin on board, in U.
    @OptionalNumber public private(set) var insulinOnBoard: Double?
    /// Carbohydrates on board, in grams.
    @OptionalNumber public private(set) var carbsOnBoard: Double?
    @OptionalNumber private var lowestMgdL: Double?
    @OptionalNumber private var eventualMgdL: Double?

    /// What many cycles have in common.
    fileprivate struct Traits: Shareable {
      var refusal: ExactText?
      var basal: Decision.BasalChange
      var momentumAbsence: MomentumAbsence?
      var bolus: InsulinAmount
      var commands: Int

      var placeHash: UInt64 {
        if let refusal { return refusal.placeHash }
        guard case .start(let rate, _) = basal else {
          return UInt64(bitPattern: bolus.milliunits) &* 2
        }
        return UInt64(bitPattern: rate.milliunitsPerHour) &* 2 &+ 1
      }
    }

    /// The lowest predicted glucose; `nil` without a prediction.
    public var lowestPredicted: GlucoseConcentration? { lowestMgdL.map { .mgdL($0) } }
    /// The last predicted glucose; `nil` without a prediction.
    public var eventualPredicted: GlucoseConcentration? { eventualMgdL.map { .mgdL($0) } }
  }

  /// An entry of the event history that a person removed.
  public struct DeletedEvent: Hashable, Sendable {
    /// When it was removed.
    public var deleted: Instant
    /// The entry as it stood when it was removed.
    public var record: EventHistoryRecord

    /// The amount of its bolus; `nil` for an event of another kind.
    public var bolus: InsulinAmount? {
      record.kind == .bolus ? record.delivered ?? record.programmed : nil
    }
  }

  /// A sample of insulin that was removed from the health store.
  public struct DeletedSample: Hashable, Sendable {
    /// Its sync identifier; `nil` where it had none.
    public var syncIdentifier: SyncIdentifier?
    /// The identity of the sample.
    public var sampleID: SampleUUID
    /// The start of the sample.
    public var start: Instant
    /// The end of the sample.
    public var end: Instant
    /// When it was removed.
    public var deleted: Instant
    /// Whether a person removed it, and not an app that replaces its own sample.
    public var isByPerson: Bool
  }

  /// The therapy from an instant on.
  public struct SettingsInForce: Sendable {
    /// From when it holds.
    public var start: Instant
    /// The therapy.
    public var therapy: TherapySettings
  }

  /// A preset that a person started, while it held.
  public struct PresetInForce: Hashable, Sendable {
    /// What the preset is called.
    public var name: String
    /// The correction range meanwhile; `nil` where it leaves that of the settings.
    public var targets: GlucoseRange?
    /// From when it held.
    public var start: Instant
    /// Until when it held; `nil` where it held at the end of the run.
    public var end: Instant?
  }

  /// The predictions, thinned to the interval that was asked for.
  public private(set) var predictions: [Prediction] = []
  /// The cycles from the start on; empty unless they were asked for.
  public private(set) var cycles: [Cycle] = []
  private var traits = SharedValues<Cycle.Traits>()
  /// What was removed from the event history, in the order of removal.
  public private(set) var deletedEvents: [DeletedEvent] = []
  /// What was removed from the health store, in the order of removal.
  public private(set) var deletedSamples: [DeletedSample] = []
  /// The therapy at the start, and every change of it.
  public private(set) var settings: [SettingsInForce] = []
  /// The presets that held, one after the other.
  public private(set) var presets: [PresetInForce] = []
  /// The time between two predictions; `nil` if none are kept.
  private let interval: TimeSpan?
  private let keepsValuesBetween: Bool
  private let keepsCycles: Bool
  private let start: Instant
  private var lastCycle: Instant?

  /// Begins to watch a run.
  ///
  /// - Parameters:
  ///   - run: The run before its first step.
  ///   - interval: The least time between two predictions that are kept, the first being that of
  ///     the first cycle with one; all of them when it is zero, none when it is `nil`.
  ///   - keepsValuesBetween: Whether all values of each are kept, which a page draws, or those
  ///     alone that are the interval apart.
  ///   - keepsCycles: Whether what each cycle recommended is kept too.
  public init(
    _ run: Run, predictionsEvery interval: TimeSpan? = .minutes(30),
    keepsValuesBetween: Bool = true, keepsCycles: Bool = true
  ) {
    precondition(interval ?? .zero >= .zero, "Predictions are kept some time apart.")
    self.interval = interval
    self.keepsValuesBetween = keepsValuesBetween
    self.keepsCycles = keepsCycles
    start = run.setup.start
  }

  /// Looks at a run after a step.
  public mutating func observe(_ run: Run) {
    // A cycle of which a program has not decided yet has nothing to show.
    guard run.question == nil else { return }
    guard let cycle = run.world.phone.lastCycle, cycle != lastCycle else { return }
    lastCycle = cycle
    guard cycle >= start, let decision = run.world.phone.lastDecision else { return }
    if keepsCycles {
      // A program that did not answer leaves a cycle without a decision of its own.
      let decisions = run.world.decisions.isEmpty ? [decision] : run.world.decisions
      for decision in decisions {
        var seen = Cycle(decision, at: cycle)
        traits.share(&seen.traits)
        cycles.append(seen)
      }
    }
    guard let interval else { return }
    if let last = predictions.last, cycle - last.instant < interval { return }
    // Listed once: the decision keeps its prediction in another form.
    let values = decision.predictedGlucose
    guard var prediction = Prediction(values, decidedAt: decision.instant, in: cycle) else {
      return
    }
    assert(
      predictions.last.map { $0.instant < cycle } ?? true, "Predictions come in the order of time.")
    if !keepsValuesBetween { prediction.thin(to: interval) }
    predictions.append(prediction)
  }

  /// Looks at a run after its last step, before it is finished.
  public mutating func end(_ run: Run) {
    deletedEvents = run.world.deletedEvents.map {
      DeletedEvent(deleted: $0.instant, record: EventHistoryRecord($0.event))
    }
    let stones = run.world.store.records.backend.tombstones(of: .insulinDelivery, after: 0)
    deletedSamples = stones.map {
      DeletedSample(
        syncIdentifier: $0.syncIdentifier, sampleID: $0.uuid,
        start: $0.start, end: $0.end,
        deleted: $0.deleted, isByPerson: $0.deletedBy == .user)
    }
    settings = run.world.appRecord.settings
    presets = run.world.presetWatch.held
  }
}

extension RunObservation.Cycle {
  fileprivate init(_ decision: Decision, at instant: Instant) {
    let values = decision.predictedMgdL
    self.instant = instant
    traits = Shared(
      Traits(
        refusal: decision.refusal.map { ExactText($0.description) }, basal: decision.basal,
        momentumAbsence: decision.momentumAbsence, bolus: decision.bolus,
        commands: decision.commands.count))
    insulinOnBoard = decision.insulinOnBoard
    carbsOnBoard = decision.carbsOnBoard
    lowestMgdL = values.min()
    eventualMgdL = values.last
  }
}
