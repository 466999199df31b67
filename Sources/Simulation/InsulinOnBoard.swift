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
  /// insulin counts by its own curve, and not at all where Loop has none for it (basal insulin from
  /// a pen). Before the run began the body had its scheduled basal. The scheduled basal is counted
  /// in pieces of five minutes. So both net figures agree, where the records are right, within one
  /// pulse and what the pump has not yet reported.
  ///
  /// Source of the curves: LoopKit/LoopAlgorithm, `InsulinMath.swift`.
  public func insulinOnBoard() -> [InsulinOnBoard] {
    var counter = InsulinOnBoardCounter(self)
    return trace.rows.map { counter.onBoard(at: $0.instant, app: $0.insulinOnBoard) }
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
  init(
    pulses: [PumpPulseRecord], injections: [InjectionRecord],
    reference: [Timeline<Double>.Segment], model: InsulinModel
  ) {
    let beginning = reference.first.map { $0.start + ScheduleRecord.lead }
    var basal: [Part] = []
    for segment in reference {
      var start = segment.start
      while start < segment.end {
        let end = min(segment.end, start.floored(to: .minutes(5)) + .minutes(5))
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
    given += pulses.lazy.filter { $0.physicalUnits > 0 }.map {
      Part(instant: $0.instant, units: $0.physicalUnits, seconds: 0, model: model)
    }
    given += injections.compactMap { injection in
      injection.model.map {
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
  /// - Returns: Both kinds, by the app and by the body.
  mutating func onBoard(at now: Instant, app: Double?) -> InsulinOnBoard {
    let basal = scheduled.units(at: now)
    let total = entered.units(at: now)
    return InsulinOnBoard(
      app: app.map { .init(net: $0, total: $0 + basal) },
      body: .init(net: total - basal, total: total))
  }

  /// Parts in the order of time, of which only those that still act are looked at.
  private struct Recent {
    var parts: [Part]
    private var first = 0

    init(parts: [Part]) { self.parts = parts }

    mutating func units(at now: Instant) -> Double {
      assert(first <= parts.count, "Parts that have acted lie before those that act.")
      while first < parts.count,
        (now - parts[first].instant).seconds > parts[first].seconds + Self.longest
      {
        first += 1
      }
      var sum = 0.0
      for part in parts[first...] {
        guard part.instant <= now else { break }
        let age = (now - part.instant).seconds
        // What is given evenly counts as far as it has been given, in the middle of that time.
        let elapsed = min(part.seconds, age)
        let given = part.seconds > 0 ? elapsed / part.seconds : 1
        sum +=
          part.units * given
          * LoopAlgorithm.fractionOnBoard(of: part.model, secondsAfter: age - elapsed / 2)
      }
      return sum
    }

    /// No dose acts longer, in seconds.
    private static let longest = InsulinModel.allCases.map(\.effectDuration).max() ?? 0
  }
}
