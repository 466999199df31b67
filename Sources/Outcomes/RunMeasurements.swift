public import Quantities
public import Simulation

/// Everything about one run that a metric may look at, as plain series.
public struct RunMeasurements: Hashable, Sendable {
  /// The stretch of the run that is measured.
  public var start: Instant
  /// The end of the stretch of the run that is measured.
  public var end: Instant
  /// The patient's true glucose.
  public var trueGlucose: GlucoseSeries
  /// What the sensor reported.
  public var cgm: GlucoseSeries
  /// What the pump delivered, and what came from outside.
  public var insulin: InsulinRecord
  /// What the loop did.
  public var loop: LoopActivity
  /// All insulin on board in the body, scheduled basal included.
  public var absoluteInsulinOnBoard: [LoopActivity.InsulinOnBoard]
  /// What the person ate against lows.
  public var rescues: [RescueMeal]
  /// The patient's own basal need at the start, in U/h; nothing where it is not known.
  public var basalNeed: Double?
  /// The insulin that the patient's body holds in its steady state on that basal, in U; nothing
  /// where it is not known.
  public var steadyInsulin: Double?
  /// The part of the programmed basal insulin that no pulse ever gave, in percent.
  ///
  /// It is made of the fractions of a pulse that the pump forgot when its program changed; `nil`
  /// for a part of a run, and where nothing was programmed.
  public var basalLostPercent: Double?
  /// What became of the insulin that the pump was asked for; `nil` for a part of a run.
  public var account: DeliveryAccount?
  /// When glucose lay outside the range of the patient model, in the order of time.
  public var outsideModel: [Range<Instant>] = []
  /// Of a part of a run: when the last reading before it came.
  var readingBefore: Instant?

  /// Creates a `RunMeasurements` from its parts; see the properties.
  public init(
    from start: Instant, to end: Instant, trueGlucose: GlucoseSeries, cgm: GlucoseSeries,
    insulin: InsulinRecord = InsulinRecord(), loop: LoopActivity = LoopActivity(),
    absoluteInsulinOnBoard: [LoopActivity.InsulinOnBoard] = [], rescues: [RescueMeal] = [],
    basalNeed: Double? = nil
  ) {
    self.start = start
    self.end = end
    self.trueGlucose = trueGlucose
    self.cgm = cgm
    self.insulin = insulin
    self.loop = loop
    self.absoluteInsulinOnBoard = absoluteInsulinOnBoard
    self.rescues = rescues
    self.basalNeed = basalNeed
  }

  /// The same run measured over a part of its time.
  ///
  /// A part is without what stands at its end, but for one that lasts to the end of the run: there
  /// the last reading, insulin on board and doses count as they do in the whole run.
  public func restricted(from start: Instant, to end: Instant) -> Self {
    let includesEnd = end >= self.end
    let bound = includesEnd ? end + .milliseconds(1) : end
    var part = Self(
      from: start, to: end, trueGlucose: trueGlucose.restricted(from: start, to: bound),
      cgm: cgm.restricted(from: start, to: bound),
      insulin: insulin.restricted(after: start, through: end, includesEnd: includesEnd),
      loop: loop.restricted(from: start, to: bound),
      absoluteInsulinOnBoard: absoluteInsulinOnBoard.filter {
        $0.instant >= start && $0.instant < bound
      }, rescues: rescues.filter { $0.instant >= start && $0.instant < bound },
      basalNeed: basalNeed)
    part.steadyInsulin = steadyInsulin
    part.readingBefore = cgm.points.last { $0.instant < start }?.instant ?? readingBefore
    part.outsideModel = outsideModel.filter { $0.lowerBound < end && $0.upperBound >= start }
      .map { max($0.lowerBound, start)..<min($0.upperBound, end) }
    return part
  }

  /// For how long glucose lay outside the range of the patient model.
  public var timeOutsideModel: TimeSpan {
    outsideModel.reduce(.zero) { $0 + ($1.upperBound - $1.lowerBound) }
  }

  /// What to read beside every figure of glucose: that some of it is no physiology; `nil` where all
  /// of it lies within the range of the patient model.
  public var modelMark: String? {
    guard !outsideModel.isEmpty else { return nil }
    // A run that ends as glucose leaves the range has no time outside it.
    let span = timeOutsideModel.roundedToSecond
    return "\(span > .zero ? "over \(span)" : "at last") outside the model's range"
  }

  /// The carbohydrate that was eaten against lows, in grams a day; `nil` for an empty stretch.
  public var rescueGramsPerDay: Double? {
    let days = (end - start).hours / 24
    return days > 0 ? rescues.reduce(0) { $0 + $1.grams } / days : nil
  }

  /// Totals of the pump's insulin over the measured stretch.
  public var insulinTotals: InsulinTotals {
    InsulinTotals(insulin, after: start, through: end)
  }

  /// Tidepool's scores on the true glucose; nothing without glucose.
  public var safetyScores: SafetyScores? {
    SafetyScores(
      trueGlucose: trueGlucose, absoluteInsulinOnBoard: absoluteInsulinOnBoard,
      steadyInsulin: steadyInsulin
        ?? basalNeed.map { $0 * SafetyScores.tidepoolSteadyState },
      until: end)
  }
}
