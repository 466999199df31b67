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
  /// Insulin on board at each row of the trace.
  ///
  /// What entered the body counts pulse by pulse, with the curve of the app's insulin; injected
  /// insulin counts by the curve that the app uses for it, and not at all where the app counts none
  /// (basal insulin from a pen). Before the run began the body had its scheduled basal. The
  /// scheduled basal is counted in pieces of five minutes. So both net figures agree, where the
  /// records are right, within one pulse and what the pump has not yet reported.
  ///
  /// Source of the curves: LoopKit/LoopAlgorithm, `InsulinMath.swift`.
  public func insulinOnBoard() -> [InsulinOnBoard] {
    var counter = InsulinOnBoardCounter(self)
    var fractions = FractionsOnBoard(keeps: true)
    return trace.rows.map {
      counter.onBoard(at: $0.instant, app: $0.insulinOnBoard, &fractions)
    }
  }
}

/// Insulin on board at instants that come one after the other.
struct InsulinOnBoardCounter {
  /// An amount given at once, or evenly over the time that follows.
  private struct Part {
    var instant: Instant
    var units: Double
    var seconds: Double
    var model: InsulinModel
  }

  private var entered: Recent
  private var scheduled: Recent

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
    pulses: [PumpPulseRecord], injections: [InjectionRecord],
    reference: [Timeline<Double>.Segment], model: InsulinModel, from now: Instant? = nil
  ) {
    let grid = TimeSpan.minutes(5)
    let beginning = reference.first.map { $0.start + ScheduleRecord.lead }
    let earliest = now.map { ($0 - .seconds(Int64(Recent.longest)) - grid).floored(to: grid) }
    var basal: [Part] = []
    for segment in reference {
      var start = earliest.map { max($0, segment.start) } ?? segment.start
      while start < segment.end {
        let end = min(segment.end, start.floored(to: grid) + grid)
        basal.append(
          Part(
            instant: start, units: segment.value * (end - start).hours,
            seconds: (end - start).seconds, model: model))
        start = end
      }
    }
    assert(reference.allSatisfy { $0.value >= 0 }, "A scheduled rate cannot be negative.")
    assert(injections.allSatisfy { $0.units >= 0 }, "Nobody injects less than nothing.")
    var given = basal.filter { part in beginning.map { part.instant < $0 } ?? false }
    let firstPulse = earliest.map { early in pulses.partitioningIndex { $0.instant >= early } }
    given += pulses[(firstPulse ?? 0)...].lazy.filter { $0.physicalUnits > 0 }.map {
      Part(instant: $0.instant, units: $0.physicalUnits, seconds: 0, model: model)
    }
    given += injections.compactMap { injection in
      injection.countedModel.map {
        Part(instant: injection.instant, units: injection.units, seconds: 0, model: $0)
      }
    }
    let order = given.indices.sorted {
      (given[$0].instant, $0) < (given[$1].instant, $1)
    }
    entered = Recent(parts: order.map { given[$0] })
    scheduled = Recent(parts: basal)
  }

  /// Insulin on board at an instant that is not before the last one asked for.
  ///
  /// - Parameters:
  ///   - now: The instant.
  ///   - app: The net insulin on board that the app believes in.
  ///   - fractions: What earlier instants have computed, and what this one adds to it.
  /// - Returns: Both kinds, by the app and by the body.
  mutating func onBoard(at now: Instant, app: Double?, _ fractions: inout FractionsOnBoard)
    -> InsulinOnBoard
  {
    let basal = scheduled.units(at: now, &fractions)
    let total = entered.units(at: now, &fractions)
    return InsulinOnBoard(
      app: app.map { .init(net: $0, total: $0 + basal) },
      body: .init(net: total - basal, total: total))
  }

  /// Parts in the order of time, of which only those that still act are looked at.
  private struct Recent {
    var parts: [Part]
    private var first = 0

    init(parts: [Part]) { self.parts = parts }

    mutating func units(at now: Instant, _ fractions: inout FractionsOnBoard) -> Double {
      assert(first <= parts.count, "Parts that have acted lie before those that act.")
      while first < parts.count,
        (now - parts[first].instant).seconds > parts[first].seconds + Self.longest
      {
        first += 1
      }
      var sum = 0.0
      for index in first..<parts.count {
        let part = parts[index]
        guard part.instant <= now else { break }
        let age = (now - part.instant).seconds
        // What is given evenly counts as far as it has been given, in the middle of that time.
        let elapsed = min(part.seconds, age)
        let given = part.seconds > 0 ? elapsed / part.seconds : 1
        sum +=
          part.units * given * fractions.fraction(of: part.model, secondsAfter: age - elapsed / 2)
      }
      return sum
    }

    /// No dose acts longer, in seconds.
    static let longest = InsulinModel.longestEffectDuration
  }
}

/// Fractions of insulin on board, of which those at whole seconds are computed once.
///
/// The rows of a run lie whole minutes apart and meet the same ages of pulses again and again.
/// Invariant: a fraction is ``LoopAlgorithm/fractionOnBoard(of:secondsAfter:)``, to the bit.
struct FractionsOnBoard {
  /// By insulin, then by second; `nil` until it is asked for.
  private var known: [[Double?]] = InsulinModel.allCases.map { _ in [] }
  private let keeps: Bool

  /// Begins with none.
  ///
  /// - Parameter keeps: Whether fractions are kept, which does not pay for a single instant.
  init(keeps: Bool) { self.keeps = keeps }

  /// The fraction of a dose still on board so many seconds after it was given at once.
  mutating func fraction(of model: InsulinModel, secondsAfter seconds: Double) -> Double {
    let index = Int(model.rawValue)
    guard keeps, seconds >= 0, seconds <= model.effectDuration, seconds.rounded(.down) == seconds
    else {
      return LoopAlgorithm.fractionOnBoard(of: model, secondsAfter: seconds)
    }
    if known[index].isEmpty {
      known[index] = Array(repeating: nil, count: Int(model.effectDuration) + 1)
    }
    if let fraction = known[index][Int(seconds)] { return fraction }
    let fraction = LoopAlgorithm.fractionOnBoard(of: model, secondsAfter: seconds)
    known[index][Int(seconds)] = fraction
    return fraction
  }
}
