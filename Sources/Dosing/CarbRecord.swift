/// What is known of one carbohydrate entry's absorption.
///
/// Effects observed as counteraction of insulin are credited to the entry; they are bounded below
/// by the curve stretched to 1.5 times the entered time and delayed by 10 minutes.
///
/// Source: LoopKit/LoopAlgorithm, `CarbMath.swift`, `CarbStatusBuilder`.
struct CarbRecord: Hashable, Sendable {
  /// Grams absorbed over an interval.
  struct Absorbed: Hashable, Sendable {
    var start: Double
    var end: Double
    var grams: Double
  }

  static let delay = 600.0
  static let overrun = 1.5
  /// `2⁻²³`, the least effect that counts as something, in mg/dL.
  static let leastEffect = 1.1920928955078125e-07

  let start: Double
  let grams: Double
  /// Carbohydrate sensitivity: ISF over carbohydrate ratio, in mg/dL per g.
  let sensitivity: Double
  /// The absorption time with its overrun, which is both the first assumption and the maximum.
  let maximumTime: Double
  let maximumEnd: Double
  let entryEffect: Double

  /// The last moment up to which absorption could be observed.
  private(set) var lastDate: Double
  private(set) var observedEffect = 0.0
  private(set) var completion: Double?
  private(set) var timeline: [Absorbed] = []

  // What follows from the above, kept until something changes.
  private(set) var minimumPredicted = 0.0
  private(set) var clamped = 0.0
  private(set) var timeToAbsorb = 0.0
  private(set) var timeRemaining = 0.0
  /// The time the entry is expected to take, at most the maximum.
  private var dynamicTime = 0.0

  init(_ entry: CarbPoint, sensitivity: Double, observedUntil end: Double?) {
    start = entry.start
    grams = entry.grams
    self.sensitivity = sensitivity
    maximumTime = entry.absorptionTime * Self.overrun
    maximumEnd = entry.start + (maximumTime + Self.delay)
    entryEffect = entry.grams * sensitivity
    lastDate = entry.start
    observe(until: end)
  }

  /// Makes room for a timeline, so that none is allocated while absorption is observed.
  mutating func reserve(_ items: Int) { timeline.reserveCapacity(items) }

  /// Forgets what was observed, and starts again with another end of observation.
  mutating func restart(observedUntil end: Double?) {
    observedEffect = 0
    completion = nil
    timeline.removeAll(keepingCapacity: true)
    observe(until: end)
  }

  /// The last moment of absorption that velocities up to `end` let one observe.
  func lastDate(observedUntil end: Double?) -> Double {
    min(maximumEnd, max(end ?? start, start))
  }

  /// Moves the end of observation.
  mutating func observe(until end: Double?) {
    lastDate = lastDate(observedUntil: end)
    minimumPredicted = grams * PiecewiseLinear.fraction(elapsed / maximumTime)
    derive()
  }

  /// Whether the entry can absorb at a moment.
  func isActive(at time: Double) -> Bool { time < maximumEnd && time >= start }

  /// Seconds of absorption that could be observed.
  private var elapsed: Double { lastDate - start - Self.delay }
  /// Observed grams: the effect credited, over the sensitivity.
  var observed: Double { observedEffect / sensitivity }
  var observedEnd: Double { completion ?? lastDate }
  var observedDuration: Double { observedEnd - start }
  /// Seconds the whole entry is estimated to take.
  var estimatedTime: Double { observedDuration + timeRemaining }
  /// The timeline, unless less was observed than is assumed at least.
  var hasObservedTimeline: Bool { observed >= minimumPredicted }
  var remainingEffect: Double { max(entryEffect - observedEffect, 0) }

  /// Grams per second the entry is expected to absorb, `x` seconds after its start.
  func rate(_ x: Double) -> Double {
    dynamicTime <= 0 ? 0 : (grams / dynamicTime) * PiecewiseLinear.rate(x / dynamicTime)
  }

  /// Credits velocities to an entry that is active alone, as ``distribute(_:over:in:)`` does one by
  /// one.
  ///
  /// What follows from the effect is computed once behind them: between them nothing asks for it.
  /// While the entry is observed and not absorbed, its expected rate is above 0, so that all of the
  /// effect is its share; once nothing is left its share is nothing, whatever the rate. Elsewhere
  /// the walk ends.
  ///
  /// - Returns: How many velocities have been looked at, and the start of the last one credited.
  mutating func creditAlone(
    _ velocities: SlidingList<Velocity>, from first: Int, after credited: Double,
    before end: Double
  ) -> (count: Int, last: Double?) {
    let list = velocities.storage.span.extracting(droppingFirst: velocities.gone + first)
    var count = 0
    var last: Double?
    let latest = start + min(lastDate - start, maximumTime)
    while count < list.count, grams > 0 {
      let velocity = list[count]
      guard velocity.start < end else { break }
      guard velocity.start > credited else {
        count += 1
        continue
      }
      let isWholeShare = completion == nil && velocity.start < latest
      guard velocity.end > velocity.start, velocity.start > start, velocity.start < maximumEnd,
        isWholeShare || (completion != nil && remainingEffect == 0)
      else { break }
      let effect = max(0, velocity.mgdLPerSecond * (velocity.end - velocity.start))
      let part = isWholeShare ? min(remainingEffect, effect) : 0
      note(part, from: velocity.start, to: velocity.end)
      if effect - part > Self.leastEffect {
        note(effect - part, from: velocity.start, to: velocity.end)
      }
      last = velocity.start
      count += 1
    }
    if last != nil { derive() }
    return (count, last)
  }

  /// Credits an effect, in mg/dL, observed over an interval.
  mutating func add(_ effect: Double, from start: Double, to end: Double) {
    note(effect, from: start, to: end)
    derive()
  }

  /// Notes an effect, in mg/dL, observed over an interval.
  private mutating func note(_ effect: Double, from start: Double, to end: Double) {
    assert(start < end, "Absorption is observed over some time.")
    observedEffect += effect
    if completion == nil {
      timeline.append(Absorbed(start: start, end: end, grams: effect / sensitivity))
      if observedEffect + Self.leastEffect >= entryEffect { completion = end }
    }
  }

  /// Computes what follows from the effect observed so far.
  private mutating func derive() {
    let elapsed = elapsed
    clamped = min(grams, max(minimumPredicted, observed))
    if elapsed > 0 {
      timeToAbsorb = min(PiecewiseLinear.time(clamped / grams) * maximumTime, maximumTime)
      let cap = max(maximumTime - elapsed, 0)
      timeRemaining = cap <= 0 ? 0 : min(maximumTime - timeToAbsorb, cap)
    } else {
      timeToAbsorb = 0
      timeRemaining = maximumTime
    }
    dynamicTime = min(observedDuration + timeRemaining, maximumTime)
  }
}

/// Credits the counteraction over one interval to the entries active at its start.
///
/// Each entry takes its share by expected rate, at most what it has left; what then is left over
/// goes to the last active entry. Returns how many entries were active.
///
/// Source: LoopKit/LoopAlgorithm, `CarbMath.swift`, `map(to:)`.
@discardableResult
func distribute(
  _ velocity: Velocity, over records: inout [CarbRecord], in range: Range<Int>
) -> Int {
  let a = velocity.start
  let b = velocity.end
  guard b > a else { return 0 }
  var effect = max(0, velocity.mgdLPerSecond * (b - a))
  var total = 0.0
  var active = 0
  var last = 0
  for n in range where records[n].isActive(at: a) {
    total += records[n].rate(a - records[n].start)
    active += 1
    last = n
  }
  guard active > 0 else { return 0 }
  assert(range.contains(last), "What is left over goes to a record that is active.")
  for n in range where records[n].isActive(at: a) {
    let rate = records[n].rate(a - records[n].start)
    var part = 0.0
    if total > 0 {
      part = min(records[n].remainingEffect, (rate / total) * effect)
      total -= rate
      effect -= part
    }
    records[n].add(part, from: a, to: b)
    if n == last, effect > CarbRecord.leastEffect { records[n].add(effect, from: a, to: b) }
  }
  return active
}
