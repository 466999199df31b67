public import ClosedLoop
public import Dosing
public import HealthStore
public import Quantities

/// Runs the Loop algorithm over a real record, cycle by cycle, with what was known then.
///
/// At every reading of glucose that starts a cycle the algorithm gets the readings, the doses and
/// the food that were known at that time, and the therapy that is stated: what was written later is
/// not seen earlier, as far as the record says when it was written. What it predicts is held
/// against what glucose then did. This is a statement about the prediction, and the only one that a
/// record carries; what another dose would have done is estimated apart, see ``Counterfactual``.
///
/// Not a medical device.
public struct Backtest: Sendable {
  /// How far ahead predictions are held against readings.
  public static let horizons: [TimeSpan] = [.minutes(30), .hours(1), .hours(2), .hours(3)]

  /// Which insulin a record holds of the hours before a cycle in which rapid-acting insulin acts.
  ///
  /// Where it holds none, the algorithm takes the therapy's scheduled basal for what was given.
  public enum KnownInsulin: Sendable {
    case nothing
    /// Boluses, and no word of basal.
    case bolusesAlone
    case basal
  }

  /// One cycle.
  public struct Row: Sendable {
    /// When.
    public var instant: Instant
    /// The glucose that started the cycle, in mg/dL.
    public var glucose: Double
    /// Net insulin on board, in U; `nil` after an error.
    public var insulinOnBoard: Double?
    /// Carbohydrates on board, in grams; `nil` after an error.
    public var carbsOnBoard: Double?
    /// The prediction at each of the horizons, in mg/dL; `nil` after an error.
    public var predicted: [Double?]
    /// The reading at each of the horizons, in mg/dL; `nil` where there is none.
    public var observed: [Double?]
    /// The recommended temp basal, in U/h; `nil` for none.
    public var tempBasal: Double?
    /// The recommended automatic bolus, in U; `nil` for none.
    public var bolus: Double?
    /// What the record says was delivered in the next five minutes, in U.
    public var delivered: Double
    /// Which insulin the record holds of the six hours before.
    public var known: KnownInsulin
    /// Why the algorithm gave nothing.
    public var error: String?
  }

  /// What the therapy is called.
  public let name: String
  /// The cycles, in the order of time.
  public let rows: [Row]
  /// The errors of prediction, for all cycles and for parts of them.
  public let errors: [PredictionErrors]
  /// What glucose might have been under the therapy.
  public let counterfactual: Counterfactual
  /// How the loop's own figures compare with these; `nil` where the record has none.
  public let figures: FiguresComparison?
  /// Whether the record holds any food.
  public let hasFood: Bool
  /// Basal of the whole record that no app built on LoopKit wrote, which an app does not read.
  public let unreadBasal: UnreadInsulin
  /// Insulin of the whole record of which it is not said whether it is basal or a bolus.
  public let unlabelledInsulin: UnreadInsulin
  /// What is used of each source of readings in the whole record, that with most of them first.
  public let glucoseSources: [GlucoseSource]

  /// How many readings of the whole record a person entered, as those of a meter are: no cycle goes
  /// by them.
  public let readingsByHand: Int
  /// How many readings of the whole record stand twice in one source, with the same time and value:
  /// a cycle goes by one of them.
  public let readingsTwice: Int
  /// How many readings of the time that was asked for start no cycle, as one of another lies within
  /// 4.2 minutes.
  public let readingsBetween: Int

  /// Insulin of the record with which no cycle reckons.
  public struct UnreadInsulin: Hashable, Sendable {
    /// How many samples there are.
    public private(set) var samples = 0
    /// What they hold, in U.
    public private(set) var units = 0.0

    /// Counts a sample of so many units.
    mutating func add(_ units: Double) {
      samples += 1
      self.units += units
    }
  }

  /// How many readings of a source are used, and how many stand beside another's.
  public struct GlucoseSource: Hashable, Sendable {
    /// The name of the source.
    public var name: String
    /// How many readings the cycles go by.
    public var used: Int
    /// How many are left out.
    public var unused: Int
  }

  /// Replays a record under a therapy.
  ///
  /// - Parameters:
  ///   - name: What the therapy is called.
  ///   - samples: The record, in any order.
  ///   - therapy: The settings in force all the time.
  ///   - generation: Which app's rules are followed.
  ///   - clock: The clock of the schedules.
  ///   - first: From when on cycles are replayed; `nil` for all from the beginning.
  ///   - end: Before which cycles are replayed; `nil` for all to the end.
  ///   - figures: What the loop itself said, in any order.
  public init(
    _ name: String, samples: [RestoredSample], therapy: TherapySettings,
    generation: LoopGeneration = .current, clock: WallClock,
    from first: Instant? = nil, to end: Instant? = nil, figures: [LoopFigures] = []
  ) {
    let therapy = BacktestTherapy(settings: therapy, generation: generation, clock: clock)
    self.name = name
    let record = BacktestRecord(samples)
    hasFood = record.hasFood
    glucoseSources = record.glucoseSources
    (readingsByHand, readingsTwice) = (record.readingsByHand, record.readingsTwice)
    (unreadBasal, unlabelledInsulin) = record.unread
    func isAsked(_ instant: Instant) -> Bool {
      (first.map { $0 <= instant } ?? true) && (end.map { instant < $0 } ?? true)
    }
    let readings = Self.starting(of: record, figures).filter { isAsked($0.start) }
    readingsBetween = record.readings.count { isAsked($0.start) } - readings.count
    var lastCompleted: Instant?
    rows = readings.map { reading in
      let row = Self.row(reading, record, therapy, lastCompletedLoop: lastCompleted)
      if row.error == nil { lastCompleted = row.instant }
      return row
    }
    counterfactual = Counterfactual(of: record, readings: readings, therapy)
    let asked = figures.filter { isAsked(record.sample(near: $0.instant)?.start ?? $0.instant) }
    self.figures = FiguresComparison(of: rows, with: asked)
    errors = PredictionErrors.all(of: rows, clock: clock)
  }

  /// The readings that start a cycle, by the rule of the app, see ``LoopTrigger``; where the loop
  /// itself says when it had one, the reading next to that.
  private static func starting(of record: BacktestRecord, _ figures: [LoopFigures]) -> [Sample] {
    let own = Set(figures.compactMap { record.sample(near: $0.instant)?.start }).sorted()
    var last: Instant?
    var next = 0
    return record.readings.filter { reading in
      let now = reading.start
      while next < own.count, own[next] < now { next += 1 }
      let ahead = next < own.count ? own[next] : nil
      let isDue = LoopTrigger.isDue(at: now, lastLoop: last)
      let isBeforeOwn = ahead.map { !LoopTrigger.isDue(at: $0, lastLoop: now) } ?? false
      guard ahead == now ? last != now : isDue && !isBeforeOwn else { return false }
      last = now
      return true
    }
  }

  private static func row(
    _ reading: Sample, _ record: BacktestRecord, _ therapy: BacktestTherapy,
    lastCompletedLoop: Instant?
  ) -> Row {
    let now = reading.start
    let doses = record.doses(knownAt: now)
    let output = LoopAlgorithm.run(
      record.input(
        at: now, therapy, glucose: record.glucose(before: now), doses: doses,
        lastCompletedLoop: lastCompletedLoop))
    var row = Row(
      instant: now, glucose: reading.storedValue ?? 0, insulinOnBoard: output.activeInsulin,
      carbsOnBoard: output.activeCarbs, predicted: [], observed: [],
      delivered: record.delivered(from: now, to: now + .minutes(5)), known: known(doses, at: now))
    for horizon in horizons {
      row.predicted.append(value(of: output.predictedGlucose, at: now + horizon))
      row.observed.append(record.reading(near: now + horizon))
    }
    switch output.recommendation {
    case .success(.automatic(let dose)):
      row.tempBasal = max(0, dose.basalAdjustment.unitsPerHour)
      row.bolus = dose.bolusUnits
    case .success(.manual(let bolus)): row.bolus = bolus.amount
    case .failure(let error): row.error = error.name
    }
    return row
  }

  private static func known(_ doses: [DoseEntry], at now: Instant) -> KnownInsulin {
    let recent = doses.filter { $0.end > now - .hours(6) }
    if recent.contains(where: { $0.kind != .bolus }) { return .basal }
    return recent.isEmpty ? .nothing : .bolusesAlone
  }

  /// The prediction between its points.
  static func value(of prediction: [PredictedGlucose], at instant: Instant) -> Double? {
    guard let after = prediction.firstIndex(where: { $0.startDate >= instant }) else { return nil }
    let next = prediction[after]
    guard after > 0, next.startDate > instant else { return next.quantity.mgdL }
    let last = prediction[after - 1]
    let share =
      (instant - last.startDate).seconds / max((next.startDate - last.startDate).seconds, 1e-9)
    return last.quantity.mgdL + share * (next.quantity.mgdL - last.quantity.mgdL)
  }
}

/// How far predictions were from readings, for one group of cycles.
public struct PredictionErrors: Sendable {
  /// The errors at one horizon, in mg/dL; prediction minus reading.
  public struct Horizon: Sendable {
    /// How far ahead.
    public var ahead: TimeSpan
    /// How many predictions have a reading.
    public var count: Int
    /// The mean error, in mg/dL.
    public var bias: Double
    /// The root mean square of the errors, in mg/dL.
    public var rootMeanSquare: Double
    /// The mean absolute error, in mg/dL.
    public var meanAbsolute: Double
  }

  /// Which cycles: `all`, `00-06`, `with carbs`; `after a correction` is 1 U or more on board
  /// without carbohydrates.
  public var group: String
  /// How many cycles there are.
  public var cycles: Int
  /// The errors at each horizon.
  public var horizons: [Horizon]

  static func all(of rows: [Backtest.Row], clock: WallClock) -> [PredictionErrors] {
    func hour(_ row: Backtest.Row) -> Int64 {
      clock.timeOfDay(at: row.instant).milliseconds / 3_600_000
    }
    var groups: [(String, [Backtest.Row])] = [("all", rows)]
    for (name, hours) in [
      ("00-06", 0..<6), ("06-12", 6..<12), ("12-18", 12..<18), ("18-24", 18..<24),
    ] as [(String, Range<Int64>)] {
      groups.append((name, rows.filter { hours.contains(hour($0)) }))
    }
    groups.append(("with carbs", rows.filter { ($0.carbsOnBoard ?? 0) > 0 }))
    groups.append(
      (
        "after a correction",
        rows.filter { ($0.carbsOnBoard ?? 1) <= 0 && ($0.insulinOnBoard ?? 0) >= 1 }
      ))
    groups.append(("without carbs", rows.filter { ($0.carbsOnBoard ?? 1) <= 0 }))
    return groups.filter { !$0.1.isEmpty }.map { PredictionErrors($0.0, $0.1) }
  }

  private init(_ group: String, _ rows: [Backtest.Row]) {
    self.group = group
    cycles = rows.count
    horizons = Backtest.horizons.indices.map { index in
      let errors = rows.compactMap { row -> Double? in
        guard let predicted = row.predicted[index], let observed = row.observed[index] else {
          return nil
        }
        return predicted - observed
      }
      let count = Double(max(errors.count, 1))
      return Horizon(
        ahead: Backtest.horizons[index], count: errors.count,
        bias: errors.reduce(0, +) / count,
        rootMeanSquare: (errors.reduce(0) { $0 + $1 * $1 } / count).squareRoot(),
        meanAbsolute: errors.reduce(0) { $0 + $1.magnitude } / count)
    }
  }
}
