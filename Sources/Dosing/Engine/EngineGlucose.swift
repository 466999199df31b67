import Quantities
internal import WorkCounting

/// What a ``DosingEngine`` keeps of glucose between cycles: the samples, and how fast glucose
/// changed between them beside the effect of insulin.
///
/// Invariant: the rounds are those of a walk from the first sample to the last, and each velocity
/// is that of its round. Rounds number samples from the first one ever taken.
struct EngineGlucose: Sendable {
  private let axis: TimeAxis
  private var samples = SlidingList<AlgorithmInput.GlucoseSample>()
  /// The samples on the axis of time.
  private(set) var points = SlidingList<GlucosePoint>()
  private var dropped = 0
  /// The first sample that is not what it was in the last cycle.
  private var firstChangedSample = Int.max
  private var provenances: [String] = []
  private var rounds = SlidingList<CounteractionWalk.Round>()
  private(set) var velocities = SlidingList<Velocity>()
  /// Where the velocities start that are not what they were in the last cycle.
  private(set) var changedStarts: [Double] = []
  /// Storage that is used again.
  private var newRounds: [CounteractionWalk.Round] = []

  init(axis: TimeAxis) { self.axis = axis }

  /// The last sample; there must be one.
  var last: GlucosePoint { points[points.count - 1] }

  /// The times of the first and the last sample; there must be one.
  var times: ClosedRange<Double> { points[0].start...last.start }

  /// The change of a velocity, as glucose over its interval in mg/dL, below which it stays as it
  /// is.
  ///
  /// Taking a dose back and adding it again leaves rounding behind; what was credited to
  /// carbohydrate need not be found again for that.
  private static let negligible = 1e-12

  /// Takes the samples: those of before that are gone from the front are dropped, those that follow
  /// an unchanged beginning are replaced.
  mutating func take(_ history: [AlgorithmInput.GlucoseSample], _ known: KeptElements) {
    assert(!history.isEmpty, "A cycle has a glucose.")
    changedStarts.removeAll(keepingCapacity: true)
    firstChangedSample = Int.max
    // What is known is of no use to an engine that begins.
    let kept = known.gone + known.count <= samples.count ? known.count : 0
    var gone = kept > 0 ? known.gone : 0
    while gone < samples.count, samples[gone].date < history[0].date { gone += 1 }
    if gone > 0 {
      samples.removeFirst(gone)
      points.removeFirst(gone)
      dropped += gone
    }
    let same = unchanged(history, from: kept)
    if same < samples.count {
      firstChangedSample = dropped + same
      samples.removeLast(samples.count - same)
      points.removeLast(points.count - same)
    }
    Work.visit(rows: history.count - same)
    for index in same..<history.count {
      let sample = history[index]
      samples.append(sample)
      points.append(
        GlucosePoint(
          start: axis.seconds(sample.date), value: sample.quantity.mgdL,
          provenance: number(of: sample.provenanceIdentifier),
          isDisplayOnly: sample.isDisplayOnly))
    }
    assert(points.count == samples.count, "Each sample is a point.")
  }

  /// How many of the samples there are begin a history, as the first of them are known to do.
  private func unchanged(_ history: [AlgorithmInput.GlucoseSample], from kept: Int) -> Int {
    let most = min(samples.count, history.count)
    assert(
      kept <= most && (0..<kept).allSatisfy { self.samples[$0].isSame(as: history[$0]) },
      "A sample that is known to have stayed is the same.")
    let samples = samples.storage.span.extracting(droppingFirst: samples.gone)
    let history = history.span
    var same = kept
    while same < most, samples[same].isSame(as: history[same]) { same += 1 }
    Work.visit(rows: same - kept)
    return same
  }

  private mutating func number(of provenance: String) -> Int {
    if let known = provenances.firstIndex(of: provenance) { return known }
    provenances.append(provenance)
    return provenances.count - 1
  }

  /// Brings the counteraction of insulin up to date with samples and insulin effect.
  mutating func takeCounteraction(of insulin: InsulinEffectGrid, over extent: ClosedRange<Int>) {
    removeRounds(beyond: extent.upperBound)
    resynchronise(insulin, extent)
    extendRounds(insulin, extent)
    for steps in insulin.touched { bringUpToDate(roundsIn: steps, insulin) }
  }

  /// Forgets the counteraction, where the algorithm leaves insulin out.
  mutating func leaveCounteractionOut() {
    for velocity in velocities { changedStarts.append(velocity.start) }
    rounds.removeAll()
    velocities.removeAll()
  }

  /// Computes the velocities again of the rounds that read a step of a range.
  ///
  /// Rounds stand in the order of time. One that reads steps of two ranges is looked at twice,
  /// which changes nothing the second time.
  private mutating func bringUpToDate(
    roundsIn steps: ClosedRange<Int>, _ insulin: InsulinEffectGrid
  ) {
    var number = rounds.partitioningIndex { $0.endStep >= steps.lowerBound }
    let first = number
    defer { Work.compute(points: number - first) }
    while number < rounds.count, rounds[number].startStep < steps.upperBound {
      let round = rounds[number]
      let old = velocities[number]
      let elapsed = old.end - old.start
      let change = round.change - insulin.change(from: round.startStep, to: round.endStep)
      if (change - old.mgdLPerSecond * elapsed).magnitude > Self.negligible {
        velocities[number].mgdLPerSecond = change / elapsed
        changedStarts.append(old.start)
      }
      number += 1
    }
  }

  /// Removes the last rounds that samples or the effect's end no longer support.
  private mutating func removeRounds(beyond lastStep: Int) {
    while let last = rounds.last,
      last.endSample >= firstChangedSample || last.endStep > lastStep
    {
      changedStarts.append(last.velocity.start)
      rounds.removeLast(1)
      velocities.removeLast(1)
    }
  }

  /// Walks from the first sample until the walk meets the rounds that are there.
  ///
  /// Mostly that is at once; where samples lie closer than 4 minutes, dropping one may change which
  /// are paired.
  private mutating func resynchronise(
    _ insulin: InsulinEffectGrid, _ extent: ClosedRange<Int>
  ) {
    newRounds.removeAll(keepingCapacity: true)
    var walk = CounteractionWalk(sample: 0, step: extent.lowerBound)
    var cached = 0
    while cached < rounds.count {
      guard let round = next(&walk, insulin, extent.upperBound) else {
        cached = rounds.count
        break
      }
      while cached < rounds.count, rounds[cached].sample < round.sample { cached += 1 }
      if cached < rounds.count, rounds[cached].sample == round.sample,
        rounds[cached].startStep == round.startStep, rounds[cached].endSample == round.endSample
      {
        break
      }
      newRounds.append(round)
    }
    guard cached > 0 || !newRounds.isEmpty else { return }
    Work.compute(points: cached + newRounds.count)
    for index in 0..<cached { changedStarts.append(rounds[index].velocity.start) }
    for round in newRounds { changedStarts.append(round.velocity.start) }
    rounds.removeFirst(cached)
    velocities.removeFirst(cached)
    for round in newRounds.reversed() {
      rounds.insert(round, at: 0)
      velocities.insert(round.velocity, at: 0)
    }
  }

  /// Walks on from the last round.
  private mutating func extendRounds(
    _ insulin: InsulinEffectGrid, _ extent: ClosedRange<Int>
  ) {
    var walk = CounteractionWalk(sample: 0, step: extent.lowerBound)
    if let last = rounds.last {
      walk = CounteractionWalk(sample: last.endSample - dropped, step: last.endStep)
    }
    while let round = next(&walk, insulin, extent.upperBound) {
      if firstChangedSample != Int.max { changedStarts.append(round.velocity.start) }
      rounds.append(round)
      velocities.append(round.velocity)
    }
    assert(velocities.count == rounds.count, "Each round has its velocity.")
  }

  /// The next round of a walk, with samples numbered from the first one ever taken.
  private func next(
    _ walk: inout CounteractionWalk, _ insulin: InsulinEffectGrid, _ lastStep: Int
  ) -> CounteractionWalk.Round? {
    var round = walk.next(points, lastStep: lastStep) { insulin.change(from: $0, to: $1) }
    round?.sample += dropped
    round?.endSample += dropped
    return round
  }
}

extension AlgorithmInput.GlucoseSample {
  fileprivate func isSame(as other: Self) -> Bool {
    date == other.date && quantity == other.quantity && isDisplayOnly == other.isDisplayOnly
      && provenanceIdentifier == other.provenanceIdentifier
  }
}
