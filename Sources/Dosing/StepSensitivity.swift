/// The ISF timeline seen from the five-minute grid, for the mid-absorption effect.
///
/// Almost every step lies within one entry and needs one number; only where an entry starts or ends
/// inside a step are there pieces.
struct StepSensitivity: Sendable {
  /// A part of a step with an ISF of its own.
  struct Piece: Hashable, Sendable {
    var step: Int
    var start: Double
    var end: Double
    var value: Double
  }

  /// The step `whole[0]` belongs to; step `j` is the interval from `300(j − 1)` to `300j`.
  private(set) var firstStep: Int
  /// The sum of the ISFs that hold throughout each step.
  private(set) var whole: [Double]
  /// The parts of steps not covered throughout, by step.
  private(set) var pieces: [Piece]

  /// Creates a layout without any ISF.
  init(firstStep: Int) {
    self.firstStep = firstStep
    whole = []
    pieces = []
  }

  /// Lays out a timeline over the steps of a grid.
  ///
  /// Throws `sensitivityEntryEndsBeforeStart` for an entry whose dates are reversed.
  init(_ spans: [ScheduleSpan], over grid: ClosedRange<Int>, axis: TimeAxis) throws(AlgorithmError)
  {
    self.init(firstStep: grid.lowerBound)
    try layOut(spans, over: grid, axis: axis)
  }

  /// Lays out a timeline in storage that is used again.
  ///
  /// Throws `sensitivityEntryEndsBeforeStart` for an entry whose dates are reversed.
  mutating func layOut(
    _ spans: [ScheduleSpan], over grid: ClosedRange<Int>, axis: TimeAxis
  ) throws(AlgorithmError) {
    firstStep = grid.lowerBound
    whole.removeAll(keepingCapacity: true)
    whole.append(contentsOf: repeatElement(0, count: grid.count))
    pieces.removeAll(keepingCapacity: true)
    let step = TimeAxis.step
    let begin = Double(grid.lowerBound) * step
    let finish = Double(grid.upperBound) * step
    for span in spans {
      guard span.end >= span.start else {
        throw .sensitivityEntryEndsBeforeStart(axis.instant(span.start))
      }
      let start = max(begin, span.start)
      let end = min(finish, span.end)
      guard start < end else { continue }
      assert(start < end, "A sensitivity that counts holds for some time.")
      let firstWhole = TimeAxis.ceilStep(start) + 1
      let lastWhole = TimeAxis.floorStep(end)
      if firstWhole <= lastWhole {
        for j in firstWhole...lastWhole { whole[j - firstStep] += span.value }
      }
      let head = Double(firstWhole - 1) * step
      if start < head {
        pieces.append(
          Piece(step: firstWhole - 1, start: start, end: min(head, end), value: span.value))
      }
      let tail = Double(lastWhole) * step
      if tail < end, lastWhole >= firstWhole - 1 {
        pieces.append(
          Piece(step: lastWhole + 1, start: tail, end: end, value: span.value))
      }
    }
  }

  func value(throughout step: Int) -> Double {
    let index = step - firstStep
    return index >= 0 && index < whole.count ? whole[index] : 0
  }

  /// The last step there is a number for.
  private var lastStep: Int { firstStep + whole.count - 1 }

  /// Appends the steps in which this layout differs from another one, as ranges.
  ///
  /// A step that one of them does not reach has no ISF there.
  func appendDifferences(from other: Self, to ranges: inout [ClosedRange<Int>]) {
    if whole.isEmpty || other.whole.isEmpty || lastStep < other.firstStep
      || other.lastStep < firstStep
    {
      if !other.whole.isEmpty { ranges.append(other.firstStep...other.lastStep) }
      if !whole.isEmpty { ranges.append(firstStep...lastStep) }
    } else {
      let lower = max(firstStep, other.firstStep)
      let upper = min(lastStep, other.lastStep)
      if firstStep < lower { ranges.append(firstStep...(lower - 1)) }
      if other.firstStep < lower { ranges.append(other.firstStep...(lower - 1)) }
      appendDifferences(from: other, in: lower...upper, to: &ranges)
      if lastStep > upper { ranges.append((upper + 1)...lastStep) }
      if other.lastStep > upper { ranges.append((upper + 1)...other.lastStep) }
    }
    guard pieces != other.pieces else { return }
    for piece in pieces where !other.pieces.contains(piece) {
      ranges.append(piece.step...piece.step)
    }
    for piece in other.pieces where !pieces.contains(piece) {
      ranges.append(piece.step...piece.step)
    }
  }

  /// Appends the steps in which two layouts differ that both reach a range.
  private func appendDifferences(
    from other: Self, in range: ClosedRange<Int>, to ranges: inout [ClosedRange<Int>]
  ) {
    assert(
      range.lowerBound >= firstStep && range.lowerBound >= other.firstStep,
      "Sensitivities are compared where both are.")
    let shift = firstStep - other.firstStep
    var begin: Int?
    for index in (range.lowerBound - firstStep)...(range.upperBound - firstStep) {
      if whole[index] != other.whole[index + shift] {
        begin = begin ?? index
      } else if let first = begin {
        ranges.append((firstStep + first)...(firstStep + index - 1))
        begin = nil
      }
    }
    if let begin { ranges.append((firstStep + begin)...range.upperBound) }
  }
}
