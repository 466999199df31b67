internal import Dosing
internal import Quantities

/// Net insulin on board by what the pump gave, at instants that come one after the other, to some
/// thousandths of a unit in a twentieth of the steps of ``InsulinOnBoardCounter``.
///
/// Insulin counts at whole minutes: what is given between two is divided between them, so that it
/// lies where it was given on the average. The curve of the insulin is taken as straight between
/// whole minutes. The scheduled basal is counted by the curve's integral, in one step for each
/// stretch of a rate. What the body had from its schedule before the run is the same on both sides
/// and is left out.
struct InsulinOnBoardEstimate {
  /// Every pulse of the run, and how many have been given by the last instant asked for.
  private let pulses: [PumpPulseRecord]
  private var given = 0
  /// The units at each whole minute that may still act, in a ring; see ``newest``.
  private var minutes: [Double]
  /// The latest minute in the ring, counted from 1970.
  ///
  /// Invariant: the place of a minute is its remainder by the size of the ring, which has every
  /// minute up to this one that is younger than the curve is long.
  private var newest: Int
  private let reference: [Timeline<Double>.Segment]
  /// From when on pulses count against the schedule.
  private let beginning: Instant
  /// The fraction on board so many minutes after a dose, and its integral up to then, in minutes.
  private let fractions: [Double]
  private let integral: [Double]
  private var firstSegment = 0

  init(_ run: RunResult) {
    pulses = run.pulses
    reference = run.referenceBasal.segments
    beginning = (reference.first?.start ?? run.start) + ScheduleRecord.lead
    let model = run.pumpInsulinModel
    let longest = Int(model.effectDuration / 60) + 1
    fractions = (0...longest).map {
      LoopAlgorithm.fractionOnBoard(of: model, secondsAfter: Double($0) * 60)
    }
    var sums = [0.0]
    for (one, next) in zip(fractions, fractions.dropFirst()) {
      sums.append(sums[sums.count - 1] + (one + next) / 2)
    }
    integral = sums
    // Room for the minute after now as well.
    minutes = Array(repeating: 0, count: fractions.count + 1)
    newest = .min / 2
    assert(fractions.last == 0, "All of a dose has acted at the end of the curve.")
  }

  /// Net insulin on board, in U, at an instant that is not before the last one asked for.
  mutating func net(at now: Instant) -> Double {
    let (minute, rest) = Self.minute(of: now)
    takePulses(through: now)
    reach(minute + 1)
    let before = onBoard(at: minute)
    let pumped = rest == 0 ? before : before + rest * (onBoard(at: minute + 1) - before)
    return pumped - scheduled(at: now)
  }

  // MARK: - What the pump gave

  /// The whole minute before an instant, and the part of a minute since then.
  private static func minute(of instant: Instant) -> (whole: Int, rest: Double) {
    let (whole, rest) = Int(instant.millisecondsSince1970).quotientAndRemainder(dividingBy: 60_000)
    return rest < 0
      ? (whole - 1, Double(rest + 60_000) / 60_000) : (whole, Double(rest) / 60_000)
  }

  private mutating func takePulses(through now: Instant) {
    while given < pulses.count, pulses[given].instant <= now {
      let (minute, rest) = Self.minute(of: pulses[given].instant)
      reach(minute + 1)
      add((1 - rest) * pulses[given].physicalUnits, at: minute)
      add(rest * pulses[given].physicalUnits, at: minute + 1)
      given += 1
    }
  }

  private mutating func add(_ units: Double, at minute: Int) {
    guard minute > newest - minutes.count else { return }
    minutes[place(of: minute)] += units
  }

  /// Makes a minute the latest of the ring, unless a later one is.
  private mutating func reach(_ minute: Int) {
    guard minute > newest else { return }
    for gone in max(newest + 1, minute - minutes.count + 1)...minute {
      minutes[place(of: gone)] = 0
    }
    newest = minute
  }

  private func place(of minute: Int) -> Int {
    let place = minute % minutes.count
    return place < 0 ? place + minutes.count : place
  }

  /// What is on board at a whole minute, the latest of the ring or the one before.
  private func onBoard(at minute: Int) -> Double {
    assert(minute == newest || minute == newest - 1, "What is asked for is now.")
    let (units, fractions) = (minutes.span, fractions.span)
    // What is given within this minute has not begun to act.
    var sum = minute < newest ? units[place(of: newest)] * fractions[0] : 0
    let last = place(of: minute)
    let youngest = min(last + 1, fractions.count)
    for age in 0..<youngest { sum += units[last - age] * fractions[age] }
    for age in youngest..<fractions.count {
      sum += units[last - age + units.count] * fractions[age]
    }
    return sum
  }

  // MARK: - What was scheduled

  /// What the schedule since the beginning has on board.
  private mutating func scheduled(at now: Instant) -> Double {
    let longest = TimeSpan.minutes(Int64(fractions.count - 1))
    while firstSegment < reference.count, now - reference[firstSegment].end >= longest {
      firstSegment += 1
    }
    var sum = 0.0
    for index in firstSegment..<reference.count {
      let segment = reference[index]
      guard segment.start < now else { break }
      let start = max(segment.start, beginning)
      let end = min(segment.end, now)
      guard start < end else { continue }
      sum +=
        segment.value / 60
        * (Self.value(of: integral, at: now - start) - Self.value(of: integral, at: now - end))
    }
    return sum
  }

  /// A table of whole minutes at a time; its last value from its end on.
  private static func value(of table: [Double], at time: TimeSpan) -> Double {
    assert(time >= .zero, "Nothing acts before it is given.")
    let minutes = Double(time.milliseconds) * (1.0 / 60_000)
    let minute = Int(minutes)
    guard minute < table.count - 1 else { return table[table.count - 1] }
    return table[minute] + (table[minute + 1] - table[minute]) * (minutes - Double(minute))
  }
}
