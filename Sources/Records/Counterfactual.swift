internal import ClosedLoop
internal import Dosing
internal import HealthStore
public import Quantities

/// What glucose might have been had another therapy dosed: a linear estimate, and no more.
///
///     g'(t) = g(t) − Σ (u'(k) − u(k)) · ISF(k) · (1 − R(t − t(k)))
///
/// The difference of insulin between what the therapy would have given and what the loop gave acts
/// by the insulin model and the sensitivity of the therapy, and is added to the observed glucose.
/// The therapy sees the estimate, so that errors feed back; every six hours it begins again from
/// the observed glucose, and a difference of more than 60 mg/dL ends a stretch, since nothing holds
/// it to a straight line there. Boluses that a person asked for, and food, stay as they were.
///
/// The method is retrospective virtual modelling and simulation (Patek et al., IEEE J Biomed Health
/// Inform 2016; Hughes et al., J Diabetes Sci Technol 2014). Its limit: what people would have done
/// otherwise, and every effect that is not a straight line, are left out.
public struct Counterfactual: Sendable {
  /// How long a stretch lasts at most.
  public static let longestStretch = TimeSpan.hours(6)
  /// The difference at which a stretch ends, in mg/dL.
  public static let largestDifference = 60.0
  /// A longer pause between readings ends a stretch.
  static let longestPause = TimeSpan.minutes(15)

  /// One cycle inside a stretch.
  public struct Row: Sendable {
    /// When.
    public var instant: Instant
    /// Glucose as observed, in mg/dL.
    public var observed: Double
    /// Glucose as estimated, in mg/dL.
    public var estimated: Double
    /// What the loop gave until the next cycle, in U: basal and automatic boluses.
    ///
    /// The last cycle ends with the record, at most five minutes later.
    public var given: Double
    /// What of it the record does not say, in U: the therapy's scheduled basal, which the algorithm
    /// takes for given.
    public var assumed: Double
    /// What the therapy would have given until the next cycle, in U.
    public var alternative: Double
  }

  /// Glucose over the cycles inside stretches.
  public struct Glucose: Sendable {
    /// The mean, in mg/dL.
    public var mean = 0.0
    /// The share of cycles below 70 mg/dL, from 0 to 1.
    public var below70 = 0.0
    /// The share of cycles from 70 to 180 mg/dL, from 0 to 1.
    public var inRange = 0.0
    /// The share of cycles above 180 mg/dL, from 0 to 1.
    public var above180 = 0.0

    init(_ values: [Double]) {
      guard !values.isEmpty else { return }
      let count = Double(values.count)
      assert(count > 0, "A share is of a value or more.")
      mean = values.reduce(0, +) / count
      below70 = Double(values.count { $0 < 70 }) / count
      above180 = Double(values.count { ConsensusLimit.isExceeded(180, by: $0) }) / count
      inRange =
        Double(values.count { $0 >= 70 && !ConsensusLimit.isExceeded(180, by: $0) }) / count
    }
  }

  /// The cycles inside stretches, in the order of time.
  public private(set) var rows: [Row] = []
  /// How many stretches there were.
  public private(set) var stretches = 0
  /// How many of them ended because the difference grew too large.
  public private(set) var endedByDifference = 0
  /// How many ended because readings paused.
  public private(set) var endedByPause = 0
  /// Which part of the cycles lay inside stretches, from 0 to 1.
  public let share: Double

  /// Glucose as it was.
  public var observed: Glucose { Glucose(rows.map(\.observed)) }
  /// Glucose as estimated.
  public var estimated: Glucose { Glucose(rows.map(\.estimated)) }

  init(of record: BacktestRecord, readings: [Sample], _ therapy: BacktestTherapy) {
    var stretch: Stretch?
    // After a stretch that ended by its difference nothing is estimated until the next is due.
    var waitsUntil: Instant?
    let recordEnd = record.insulinEnd
    for (place, reading) in readings.enumerated() {
      let now = reading.start
      // Nothing is compared after the record's end.
      let last = min(now + .minutes(5), max(now, recordEnd ?? now))
      let next = place + 1 < readings.count ? readings[place + 1].start : last
      let previous = place > 0 ? readings[place - 1].start : nil
      let pause = previous.map { now - $0 } ?? .zero
      if pause > Self.longestPause {
        if stretch != nil { endedByPause += 1 }
        stretch = nil
        waitsUntil = nil
      }
      if let begun = stretch?.start, now - begun >= Self.longestStretch { stretch = nil }
      if stretch == nil {
        if let waitsUntil, now < waitsUntil { continue }
        stretch = Stretch(record: record, replayed: therapy, start: now)
        stretches += 1
      }
      guard var current = stretch, let observed = reading.storedValue else { continue }
      let row = current.step(
        at: now, to: min(next, now + Self.longestPause), observed: observed,
        lastCompletedLoop: previous)
      if (row.estimated - observed).magnitude > Self.largestDifference {
        endedByDifference += 1
        waitsUntil = current.start + Self.longestStretch
        stretch = nil
        continue
      }
      rows.append(row)
      stretch = current
    }
    share = readings.isEmpty ? 0 : Double(rows.count) / Double(readings.count)
  }

  /// A stretch that began from observed glucose.
  private struct Stretch {
    let record: BacktestRecord
    let replayed: BacktestTherapy
    let start: Instant
    /// What the therapy gave, and the difference to what was given, since the start.
    var doses: [DoseEntry] = []
    var differences: [(instant: Instant, mgdL: Double)] = []
    var glucose: [AlgorithmInput.GlucoseSample] = []

    mutating func step(
      at now: Instant, to end: Instant, observed: Double, lastCompletedLoop: Instant?
    ) -> Row {
      let therapy = replayed.settings
      let model = therapy.pumpInsulinModel
      let change = differences.reduce(0) { sum, difference in
        sum - difference.mgdL * (1 - model.fractionRemaining(after: now - difference.instant))
      }
      let estimated = observed + change
      let assumed = record.assumed(from: now, to: end, therapy.basal, replayed.clock)
      let given = record.delivered(from: now, to: end, byLoopOnly: true) + assumed
      var row = Row(
        instant: now, observed: observed, estimated: estimated, given: given, assumed: assumed,
        alternative: given)
      guard end > now else { return row }
      var history = record.glucose(before: now)
      guard var latest = history.popLast() else { return row }
      latest.quantity = .mgdL(max(1, estimated))
      glucose.append(latest)
      history = history.filter { $0.date < start } + glucose
      let input = record.input(
        at: now, replayed, glucose: history, doses: dosesKnown(at: now),
        lastCompletedLoop: lastCompletedLoop)
      guard case .success(.automatic(let dose)) = LoopAlgorithm.run(input).recommendation else {
        // Without a recommendation the loop does what it did.
        return row
      }
      let rate = max(0, dose.basalAdjustment.unitsPerHour)
      let bolus = dose.bolusUnits ?? 0
      row.alternative = rate * (end - now).hours + bolus
      doses.append(
        DoseEntry(
          .tempBasal, from: now, to: end, .unitsPerHour(rate),
          deliveredUnits: rate * (end - now).hours, insulinType: therapy.insulinType))
      if bolus > 0 {
        doses.append(
          DoseEntry(
            .bolus, from: now, to: now, .units(bolus), deliveredUnits: bolus,
            insulinType: therapy.insulinType, isAutomatic: true))
      }
      let time = replayed.clock.timeOfDay(at: now)
      let sensitivity = therapy.sensitivity.value(at: time).mgdLPerUnit
      differences.append((now, (row.alternative - given) * sensitivity))
      return row
    }

    /// What was known of the time before the stretch, what people asked for since, and what the
    /// therapy gave.
    private func dosesKnown(at now: Instant) -> [DoseEntry] {
      let known = record.doses(knownAt: now).compactMap { entry -> DoseEntry? in
        if entry.kind == .bolus {
          return entry.start < start || entry.isAutomatic != true ? entry : nil
        }
        return entry.start < start ? entry.running(at: start) : nil
      }
      return known + doses
    }
  }
}
