internal import ClosedLoop
internal import Quantities

extension RunResult {
  /// What went wrong, the worst kind first, then by time; of stops the longest comes first, of lost
  /// insulin the largest amount, and after that stops shorter than a cycle of the loop.
  ///
  /// The same list stands in text, JSON, JUnit and on pages.
  public var troubles: [RunTrouble] { RunTroubles(run: self).all }

  /// The longest time between two completed cycles, or from a completed one to an end of the run;
  /// `nil` for a run in which no cycle was due.
  ///
  /// Its cause is that of the first cycle that was missed: what comes after may be a consequence.
  /// Where the app did not run first, what kept it from dosing for long when it ran again stands
  /// beside it, and else what kept it from dosing in most cycles, if that is another.
  /// That Loop waits for the end of a bolus is a cause only where there is no other.
  public var longestCycleGap: CycleGap? {
    guard !cycleOutcomes.isEmpty || !cyclesNotRun.isEmpty else { return nil }
    var longest = CycleGap(start: start, end: start)
    var last = start
    var causes = CycleGapCauses()
    var missed = cyclesNotRun[...]
    func close(at instant: Instant) {
      if instant - last > longest.duration {
        longest = CycleGap(start: last, end: instant, cause: causes.words(until: instant, time))
      }
      (last, causes) = (instant, CycleGapCauses())
    }
    for cycle in cycleOutcomes {
      while let due = missed.first, due <= cycle.instant {
        missed.removeFirst()
        causes.note(Self.appOff, at: due)
      }
      if let failure = cycle.failure {
        causes.note(failure, at: cycle.instant)
      } else {
        close(at: cycle.instant)
      }
    }
    for due in missed { causes.note(Self.appOff, at: due) }
    close(at: end)
    return longest
  }

  /// The cause of a cycle that was missed because the app did not run.
  static let appOff = "the app did not run."
  /// The cause of a cycle that was missed because no reading woke the app.
  static let appAsleep = "The phone saves power; no reading woke the app."
  /// The cause of a cycle that a fault took out.
  static let loopSkipped = "The loop was skipped."

  // MARK: - Words

  /// A time to the second; the pulses of a pump lie between seconds.
  func time(_ instant: Instant) -> String { moment(instant.roundedToSecond) }

  /// The first and the last time of something; both with their dates where it begins before the
  /// run, as the last would seem to be of the first's day.
  func times(_ first: Instant, _ last: Instant) -> (from: String, to: String) {
    guard first < start else { return (time(first), time(last)) }
    let words = [first, last].map {
      clock.moment($0.roundedToSecond, from: start, to: end, withDate: true)
    }
    return (words[0], words[1])
  }

  /// A glucose in the unit of the run's sentences: whole mg/dL, or mmol/L with one decimal.
  func words(_ glucose: GlucoseConcentration) -> String {
    let value = glucose.mgdL / glucoseUnit.mgdL
    let number =
      glucoseUnit == .milligramsPerDecilitre
      ? "\(Int64(value.rounded()))" : "\((value * 10).rounded() / 10)"
    return "\(number) \(glucoseUnit.rawValue)"
  }
}

extension Instant {
  /// The nearest whole second.
  var roundedToSecond: Instant {
    (self + .milliseconds(500)).floored(to: .seconds(1))
  }
}
