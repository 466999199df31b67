internal import ClosedLoop
internal import Dosing
internal import Quantities

/// Insulin on board at an instant, as the app's records have it and as it entered the body, in U.
///
/// All figures are counted by the activity curves of the algorithm, so that they can be set against
/// one another; what the model of a body itself holds follows other kinetics and is
/// ``TraceRow/bodyInsulin``.
public struct InsulinOnBoard: Hashable, Sendable {
  /// By the app's records; `nil` while the app does not run.
  public var app: Kinds?
  /// By what entered the body.
  public var body: Kinds

  /// The two kinds of insulin on board.
  public struct Kinds: Hashable, Sendable {
    /// As Loop means it: relative to the scheduled basal after presets, and negative where less was
    /// given.
    public var net: Double
    /// All insulin that still acts, scheduled basal among it; never negative but for rounding.
    public var total: Double

    /// Creates a `Kinds` from its parts; see the properties.
    public init(net: Double, total: Double) {
      self.net = net
      self.total = total
    }
  }

  /// Creates a `InsulinOnBoard` from its parts; see the properties.
  public init(app: Kinds?, body: Kinds) {
    self.app = app
    self.body = body
  }
}

extension RunResult {
  /// Insulin on board at each row of the trace, or at the rows that are given, by time.
  ///
  /// What entered the body counts pulse by pulse, with the curve of the app's insulin; injected
  /// insulin counts by the curve that the app uses for it, and not at all where the app counts none
  /// (basal insulin from a pen). Before the run began the body had its scheduled basal. The
  /// scheduled basal is counted in pieces of five minutes. So both net figures agree, where the
  /// records are right, within one pulse and what the pump has not yet reported.
  ///
  /// Source of the curves: LoopKit/LoopAlgorithm, `InsulinMath.swift`.
  public func insulinOnBoard(at rows: [TraceRow]? = nil) -> [InsulinOnBoard] {
    var counter = InsulinOnBoardCounter(self)
    return (rows ?? trace.rows).map { counter.onBoard(at: $0.instant, app: $0.insulinOnBoard) }
  }
}

/// Insulin on board at instants that come one after the other.
struct InsulinOnBoardCounter {
  private let pulses: PumpPulses
  private var nextPulse: Int
  private var pumped: MomentaryDoses
  /// What is counted of injections, in the order of time, and the doses of each insulin.
  private let injections: [(instant: Instant, units: Double, model: InsulinModel)]
  private var nextInjection = 0
  private var injected: [(model: InsulinModel, doses: MomentaryDoses)]
  private var scheduled: ScheduledInsulin

  init(_ run: RunResult) {
    self.init(
      pulses: run.pulses, injections: run.injections, reference: run.referenceBasal.segments,
      model: run.pumpInsulinModel)
  }

  /// Counts what is known so far in a run.
  ///
  /// - Parameters:
  ///   - pulses: What the pump gave, in the order of time.
  ///   - injections: What was injected.
  ///   - reference: The scheduled basal, in the order of time.
  ///   - model: The curve of the pump's insulin.
  ///   - now: The first instant that is asked for: what has acted by then is not even looked at.
  init(
    pulses: PumpPulses, injections: [InjectionRecord],
    reference: [Timeline<Double>.Segment], model: InsulinModel, from now: Instant? = nil
  ) {
    assert(injections.allSatisfy { $0.units >= 0 }, "Nobody injects less than nothing.")
    let earliest = now.map { $0 - .seconds(Int64(InsulinModel.longestEffectDuration)) }
    self.pulses = pulses
    nextPulse = earliest.map { early in pulses.partitioningIndex { $0.instant >= early } } ?? 0
    pumped = MomentaryDoses(of: model)
    let counted = injections.compactMap { injection in
      injection.countedModel.map { (instant: injection.instant, units: injection.units, model: $0) }
    }
    let order = counted.indices.sorted { (counted[$0].instant, $0) < (counted[$1].instant, $1) }
    self.injections = order.map { counted[$0] }
    injected = InsulinModel.allCases.compactMap { model in
      counted.contains { $0.model == model } ? (model, MomentaryDoses(of: model)) : nil
    }
    scheduled = ScheduledInsulin(reference, model, from: earliest)
  }

  /// Insulin on board at an instant that is not before the last one asked for.
  ///
  /// - Parameters:
  ///   - now: The instant.
  ///   - app: The net insulin on board that the app believes in.
  /// - Returns: Both kinds, by the app and by the body.
  mutating func onBoard(at now: Instant, app: Double?) -> InsulinOnBoard {
    let given = given(at: now)
    let basal = scheduled.onBoard(at: now)
    return InsulinOnBoard(
      app: app.map { .init(net: $0, total: $0 + (basal.before + basal.since)) },
      body: .init(net: given - basal.since, total: given + basal.before))
  }

  /// What was given since the run began and is on board at an instant, in U.
  private mutating func given(at now: Instant) -> Double {
    while nextPulse < pulses.count, pulses[nextPulse].instant <= now {
      if pulses[nextPulse].physicalUnits > 0 {
        pumped.append(pulses[nextPulse].physicalUnits, at: pulses[nextPulse].instant)
      }
      nextPulse += 1
    }
    while nextInjection < injections.count, injections[nextInjection].instant <= now {
      let injection = injections[nextInjection]
      for index in injected.indices where injected[index].model == injection.model {
        injected[index].doses.append(injection.units, at: injection.instant)
      }
      nextInjection += 1
    }
    var units = pumped.onBoard(at: now)
    for index in injected.indices { units += injected[index].doses.onBoard(at: now) }
    return units
  }
}

/// The scheduled basal as insulin on board, in pieces of five minutes.
///
/// What the body had from its schedule before the run is in the body as well; what is scheduled
/// since then is what net insulin is counted against: a piece ends where the run begins.
private struct ScheduledInsulin {
  private struct Piece {
    var start: Instant
    var end: Instant
    /// U/h.
    var rate: Double

    /// How long it lasts, or as much of that as has gone by, in seconds.
    func seconds(until now: Instant) -> Double { (min(now, end) - start).seconds }
  }

  private let segments: [Timeline<Double>.Segment]
  private var segment = 0
  /// The piece that is not over yet; `nil` at the end of the schedule.
  private var piece: Piece?
  private let beginning: Instant
  private let model: InsulinModel
  private var before: MomentaryDoses
  private var since: MomentaryDoses
  private static let length = TimeSpan.minutes(5)

  /// Begins with what is not over at `earliest`, or with the schedule if that is `nil`.
  init(_ segments: [Timeline<Double>.Segment], _ model: InsulinModel, from earliest: Instant?) {
    assert(segments.allSatisfy { $0.value >= 0 }, "A scheduled rate cannot be negative.")
    self.segments = segments
    self.model = model
    let first = segments.first?.start ?? Instant(secondsSince1970: 0)
    beginning = first + ScheduleRecord.lead
    before = MomentaryDoses(of: model)
    since = MomentaryDoses(of: model)
    piece = firstPiece(from: earliest.map { ($0 - Self.length).floored(to: Self.length) })
  }

  /// What is on board of it at an instant that is not before the last one asked for, in U.
  mutating func onBoard(at now: Instant) -> (before: Double, since: Double) {
    while let done = piece, done.end <= now {
      // What is given evenly counts in the middle of its time.
      let seconds = done.seconds(until: now)
      let units = done.rate * (done.end - done.start).hours
      if done.start < beginning {
        before.append(units, at: done.start, plus: seconds * 500)
      } else {
        since.append(units, at: done.start, plus: seconds * 500)
      }
      piece = firstPiece(from: done.end)
    }
    var units = (before: before.onBoard(at: now), since: since.onBoard(at: now))
    if let piece, piece.start < now {
      let seconds = piece.seconds(until: now)
      let part =
        piece.rate * seconds / 3_600
        * LoopAlgorithm.fractionOnBoard(of: model, secondsAfter: seconds / 2)
      if piece.start < beginning { units.before += part } else { units.since += part }
    }
    return units
  }

  /// The piece that begins at an instant, or the first after it; from the start if there is none.
  private mutating func firstPiece(from earliest: Instant?) -> Piece? {
    while segment < segments.count {
      let current = segments[segment]
      let start = earliest.map { max($0, current.start) } ?? current.start
      if start < current.end {
        var end = min(current.end, start.floored(to: Self.length) + Self.length)
        if start < beginning { end = min(end, beginning) }
        return Piece(start: start, end: end, rate: current.value)
      }
      segment += 1
    }
    return nil
  }
}
