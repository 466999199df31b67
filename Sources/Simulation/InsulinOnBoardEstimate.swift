internal import Dosing
internal import Quantities

/// Net insulin on board by what the pump gave, at instants that come one after the other, to some
/// thousandths of a unit in a tenth of the steps of ``InsulinOnBoardCounter``.
///
/// The curve of the insulin is read at whole minutes and taken as straight in between, and the
/// scheduled basal is counted by the curve's integral, in one step for each stretch of a rate. What
/// the body had from its schedule before the run is the same on both sides and is left out. The
/// pulses of a bolus within a minute count as one, in their middle.
struct InsulinOnBoardEstimate {
  /// When insulin was given, and how much, in U.
  private var instants: [Instant] = []
  private var units: [Double] = []
  private let reference: [Timeline<Double>.Segment]
  /// From when on pulses count against the schedule.
  private let beginning: Instant
  /// The fraction on board so many minutes after a dose, and its integral up to then, in minutes.
  private let fractions: [Double]
  private let integral: [Double]
  private var firstPulse = 0
  private var firstSegment = 0

  init(_ run: RunResult) {
    reference = run.referenceBasal.segments
    beginning = (reference.first?.start ?? run.start) + ScheduleRecord.lead
    let model = run.pumpInsulinModel
    let minutes = Int(model.effectDuration / 60) + 1
    fractions = (0...minutes).map {
      LoopAlgorithm.fractionOnBoard(of: model, secondsAfter: Double($0) * 60)
    }
    var sums = [0.0]
    for (one, next) in zip(fractions, fractions.dropFirst()) {
      sums.append(sums[sums.count - 1] + (one + next) / 2)
    }
    integral = sums
    gather(run.pulses)
    assert(fractions.last == 0, "All of a dose has acted at the end of the curve.")
  }

  private mutating func gather(_ pulses: [PumpPulseRecord]) {
    instants.reserveCapacity(pulses.count)
    units.reserveCapacity(pulses.count)
    var isOfBolus = false
    for pulse in pulses where pulse.physicalUnits > 0 {
      let minute = pulse.instant.floored(to: .minutes(1))
      let continues = isOfBolus && instants.last.map { $0 >= minute } ?? false
      isOfBolus = pulse.channel == .userBolus || pulse.channel == .automaticBolus
      guard continues, isOfBolus else {
        instants.append(pulse.instant)
        units.append(pulse.physicalUnits)
        continue
      }
      let last = units.count - 1
      units[last] += pulse.physicalUnits
      let share = pulse.physicalUnits / units[last]
      let later = Double((pulse.instant - instants[last]).milliseconds) * share
      instants[last] += .milliseconds(Int64(later))
    }
  }

  /// Net insulin on board, in U, at an instant that is not before the last one asked for.
  mutating func net(at now: Instant) -> Double {
    let longest = TimeSpan.minutes(Int64(fractions.count - 1))
    while firstPulse < instants.count, now - instants[firstPulse] >= longest { firstPulse += 1 }
    while firstSegment < reference.count, now - reference[firstSegment].end >= longest {
      firstSegment += 1
    }
    var sum = 0.0
    for index in firstPulse..<instants.count {
      let age = now - instants[index]
      guard age >= .zero else { break }
      sum += units[index] * Self.value(of: fractions, at: age)
    }
    for index in firstSegment..<reference.count {
      let segment = reference[index]
      guard segment.start < now else { break }
      let start = max(segment.start, beginning)
      let end = min(segment.end, now)
      guard start < end else { continue }
      sum -=
        segment.value / 60
        * (Self.value(of: integral, at: now - start) - Self.value(of: integral, at: now - end))
    }
    return sum
  }

  /// A table of whole minutes at a time; its last value from its end on.
  @inline(__always)
  private static func value(of table: [Double], at time: TimeSpan) -> Double {
    assert(time >= .zero, "Nothing acts before it is given.")
    let minutes = Double(time.milliseconds) * (1.0 / 60_000)
    let minute = Int(minutes)
    guard minute < table.count - 1 else { return table[table.count - 1] }
    return table[minute] + (table[minute + 1] - table[minute]) * (minutes - Double(minute))
  }
}
