internal import ClosedLoop
internal import Devices
internal import Quantities

/// What went wrong in a run, found in its result.
///
/// The same list stands in text, JSON, JUnit and on pages.
struct RunTroubles {
  let run: RunResult

  /// Everything, the worst kind first, then by time; of stops the longest comes first, of insulin
  /// that was lost the largest amount, and after that stops shorter than a cycle of the loop.
  var all: [RunTrouble] {
    let found =
      lethal + brokenLaws + outsideModel + stops + wrongDelivery + ratesAboveLimit
      + wrongInsulinOnBoard + wrongReadings + wrongInApp + miscountedCarbs + missedCycles
      + insulinInNoRecord + wrongRecords + copiedCarbs + copiedGlucose + insulinNotStored
      + carbsNotStored + glucoseNotStored + refusals + warningsOfApp + gapsOfSensor + alarms
    let order = RunTrouble.Kind.allCases
    func place(_ trouble: RunTrouble) -> (Int, Int, TimeSpan, Instant) {
      let isBrief = trouble.kind == .stop && trouble.duration < Self.cycle
      let rank = order.firstIndex(of: isBrief ? .wrongDelivery : trouble.kind) ?? 0
      // Insulin that was lost is in the order of its amounts already.
      let start = trouble.kind == .wrongDelivery ? run.start : trouble.start
      return (rank, isBrief ? 1 : 0, brevity(trouble), start)
    }
    return found.enumerated().sorted { first, second in
      let (one, other) = (place(first.element), place(second.element))
      return one == other ? first.offset < second.offset : one < other
    }.map(\.element)
  }

  /// The time between two cycles of the loop.
  private static let cycle = TimeSpan.minutes(5)

  /// What puts the longest stop first, and leaves all other troubles as they are.
  private func brevity(_ trouble: RunTrouble) -> TimeSpan {
    trouble.kind == .stop ? .zero - trouble.duration : .zero
  }

  // MARK: - Kinds

  private var lethal: [RunTrouble] {
    guard let lethalEnd = run.lethalEnd else { return [] }
    return [
      RunTrouble(
        .lethal, from: lethalEnd.instant, to: lethalEnd.instant,
        "The body did not survive: glucose fell below "
          + "\(run.glucoseUnit.exactly(lethalEnd.floor)).")
    ]
  }

  private var brokenLaws: [RunTrouble] {
    run.violations.map { violation in
      RunTrouble(
        .brokenLaw, from: violation.instant, to: violation.instant,
        "\(violation.name): \(violation.text)")
    }
  }

  private var outsideModel: [RunTrouble] {
    guard let first = run.modelExcursions.first, let last = run.modelExcursions.last else {
      return []
    }
    let span = run.modelExcursions.reduce(TimeSpan.zero) { $0 + $1.duration }
    let stretches =
      run.modelExcursions.count > 1 ? " in \(run.modelExcursions.count) stretches" : ""
    // A run that ends as glucose leaves the range has no time outside it.
    let when =
      span.roundedToSecond > .zero
      ? "lay outside the range of the patient model for \(span.roundedToSecond)\(stretches) from "
      : "left the range of the patient model at "
    return [
      RunTrouble(
        .outsideModel, from: first.start, to: last.end, count: run.modelExcursions.count,
        lasting: span,
        "Glucose \(when)\(run.time(first.start)); figures over it are arithmetic, not physiology.")
    ]
  }

  private var stops: [RunTrouble] {
    run.programs.filter { $0.kind == .stopped && $0.end > run.start }.map { stop in
      let from = max(stop.start, run.start)
      let alarm = happenings(at: stop.start).first { $0.kind == .alert && $0.name == "stopped" }
      return RunTrouble(
        .stop, from: from, to: stop.end,
        "The pump gave nothing for \(stop.end.roundedToSecond - from.roundedToSecond) from "
          + "\(run.time(from))"
          + "\(stop.end >= run.end ? " to the end" : "")\(alarm.map { ": \($0.text)" } ?? ".")")
    }
  }

  /// The time without a completed cycle after which Loop shows its own sign of trouble.
  static let longGap = TimeSpan.minutes(15)

  private var missedCycles: [RunTrouble] {
    guard let gap = run.longestCycleGap else { return [] }
    // Loop waits while a bolus is being given; that is its way, unless it lasts.
    let waiting = Refusal.bolusInProgress.description
    let missed =
      run.cycles.due - run.cycleOutcomes.count { $0.failure == nil || $0.failure == waiting }
    let usual = max(Self.longGap, run.longestCycleStep)
    guard missed > 0 || gap.duration > usual else { return [] }
    return [
      RunTrouble(
        .missedCycles, from: gap.start, to: gap.end, count: max(1, missed),
        "\(run.cycles.completed) of the \(run.cycles.due) cycles that were due completed; the "
          + "longest time without one was \(gap.duration.roundedToSecond) from "
          + "\(run.time(gap.start)): " + cause(of: gap))
    ]
  }

  /// Insulin that was lost on its way or never given, and boluses that the pump could not finish;
  /// the largest amount first, then by time.
  private var wrongDelivery: [RunTrouble] {
    let replacements = run.trace.happenings.lazy.filter { $0.kind == .pump && $0.name == "replace" }
    let stops = Set(run.programs.lazy.filter { $0.kind == .stopped }.map(\.start))
      .union(replacements.map(\.instant))
    let found = run.agreement.differences.filter {
      switch $0.kind {
      case .notAbsorbed, .heldBack, .pumpTakenOff: true
      // A person may stop a bolus, and then knows it; a pump that stops tells of itself alone, and
      // one that is put away takes the rest of its bolus with it.
      case .interruptedBolus: stops.contains($0.end)
      // A few fractions of pulses are the way of such a pump, and a fifth of all basal is not.
      case .discardedFractions:
        run.ledger.basal.isMuchDiscarded && $0.units.magnitude >= 3 * run.pulseSize.units
      default: false
      }
    }
    return found.enumerated().sorted { first, second in
      (-missing(first.element), first.element.start, first.offset)
        < (-missing(second.element), second.element.start, second.offset)
    }.map(\.element).map {
      RunTrouble(.wrongDelivery, from: $0.start, to: $0.end, $0.text)
        .extending(over: missing($0))
    }
  }

  /// How much insulin a trouble of delivery is about, in U; what came late counts as none.
  private func missing(_ difference: RecordDifference) -> Double {
    guard difference.kind == .interruptedBolus else { return difference.units.magnitude }
    let place = run.boluses.partitioningIndex { $0.start >= difference.start }
    let bolus = run.boluses[place...].prefix { $0.start == difference.start }
      .first { $0.end == difference.end }
    return bolus.map { ($0.asked - $0.delivered).units } ?? 0
  }

  /// Temp basals of the loop in percent of the schedule that went above the app's limit with it.
  private var ratesAboveLimit: [RunTrouble] {
    let found = run.ratesAboveLimit.filter { $0.end > run.start }
    guard let first = found.first, let last = found.last,
      let most = found.max(by: { $0.rate < $1.rate })
    else { return [] }
    let from = max(first.start, run.start)
    let span = found.reduce(TimeSpan.zero) { $0 + ($1.end - max($1.start, run.start)) }
    let stretches = found.count > 1 ? " in \(found.count) stretches" : ""
    return [
      RunTrouble(
        .aboveLimit, from: from, to: last.end, count: found.count, lasting: span,
        "The pump ran a temp basal at \(found.count > 1 ? "up to " : "")\(most.rate), above the "
          + "app's limit of \(most.limit), for \(span.roundedToSecond)\(stretches) from "
          + "\(run.time(from)): it is in percent, and follows the schedule.")
    ]
  }

  /// Carbohydrates that the health store does not hold as the app does, at the end of the run.
  private var carbsNotStored: [RunTrouble] {
    let groups = [false, true].flatMap { isDeleted in
      run.carbsNotStoredAtEnd.filter { $0.isDeleted == isDeleted }.inGroups(by: \.cause)
    }
    return groups.compactMap { entries in
      guard let first = entries.first, let last = entries.last else { return nil }
      let grams = whole(entries.reduce(0) { $0 + $1.mass.grams })
      let (from, to) = run.times(first.instant, last.instant)
      let moments =
        entries.count == 1 ? "at \(from)" : "in \(entries.count) entries from \(from) to \(to)"
      let cause = first.cause.map { ": \($0)" } ?? ""
      return RunTrouble(
        .carbsNotStored, from: first.instant, to: last.instant, count: entries.count,
        lasting: .zero,
        first.isDeleted
          ? "\(grams) g of carbohydrates deleted \(moments) could not be deleted in the health "
            + "store\(cause)."
          : "\(grams) g of carbohydrates entered \(moments) are not in the health store\(cause).")
    }
  }

  private var insulinInNoRecord: [RunTrouble] {
    differences(.insulinInNoRecord, where: isInNoRecord)
  }

  func isInNoRecord(_ difference: RecordDifference) -> Bool {
    difference.kind == .unloggedInjection || difference.kind == .unrequestedDelivery
  }

  func differences(
    _ kind: RunTrouble.Kind, where isTrouble: (RecordDifference) -> Bool
  ) -> [RunTrouble] {
    run.agreement.differences.filter(isTrouble).map {
      RunTrouble(kind, from: $0.start, to: $0.end, $0.text).extending(over: $0.units)
    }
  }

  /// Warnings of the run, those that differ in their numbers alone together.
  private var refusals: [RunTrouble] {
    var places: [[Substring]: Int] = [:]
    var found: [RunTrouble] = []
    var units: [InsulinAmount] = []
    var people: Set<Int> = []
    for happening in run.trace.happenings where happening.kind == .warning {
      let text =
        happening.text.replacingTimes(by: run.time) + whatPumpDid(happening) + notResumed(happening)
      let amount = happening.notGiven
      let words = text.wording
      if let amount, isByPerson(amount, at: happening.instant) {
        people.insert(places[words] ?? found.count)
      }
      if let place = places[words] {
        found[place].count += 1
        units[place] += amount ?? .zero
        found[place].end = happening.instant
        if found[place].text != text { found[place].isVaried = true }
      } else {
        places[words] = found.count
        units.append(amount ?? .zero)
        found.append(
          RunTrouble(
            happening.isWarningOfApp ? .warning : .refused, from: happening.instant,
            to: happening.instant, text))
      }
    }
    for index in found.indices {
      found[index].moments = moments(of: found[index])
      if people.contains(index), units[index] > .zero { found[index].units = units[index] }
      // The text has the amount of the first alone. What the loop alone asks for, cycle by cycle,
      // is no sum.
      if found[index].isVaried, let units = found[index].units {
        let times = found[index].moments
        found[index].moments = "\(units) together" + (times.isEmpty ? "" : ", \(times)")
      }
    }
    return found
  }

  /// The longest that a command is on its way to the pump, with a cycle's wait for others.
  private static let longestWay = TimeSpan.hours(7)

  /// Whether a person asked for a bolus that failed: of the requests for such an amount the last
  /// that was made until then tells, since commands take time to reach the pump.
  private func isByPerson(_ amount: InsulinAmount, at instant: Instant) -> Bool {
    let end = run.bolusRequests.partitioningIndex { $0.instant > instant }
    let request = run.bolusRequests[..<end].reversed()
      .prefix { $0.instant >= instant - Self.longestWay }
      .first { $0.wanted == amount || $0.asked == amount || $0.aboveLimit == amount }
    return request?.requester != nil
  }

  /// What the pump did of a command that failed for the app, because no reply came: it must not
  /// read as one that was not carried out, nor one that the pump never got as one that was.
  private func whatPumpDid(_ happening: Happening) -> String {
    guard let failed = happening.text.firstRange(of: " failed: "),
      happening.text[failed.upperBound...].hasPrefix(PumpError.noReply)
    else { return "" }
    let command = happening.text[..<failed.lowerBound]
    let told = happenings(at: happening.instant)
    func isToldOf(_ words: String) -> Bool {
      told.contains { $0.kind == .fault && $0.text.hasPrefix(command + words) }
    }
    if isToldOf(Happening.lostCommand) { return " The pump never got it." }
    if happening.name == PumpCommand.Name.bolus.rawValue { return givenAllTheSame(happening) }
    return isToldOf(Happening.lostReply) ? " The pump carried it out all the same." : ""
  }

  /// How long the pump gave no basal after a resumption that failed or did not happen.
  private func notResumed(_ happening: Happening) -> String {
    guard
      happening.text.hasPrefix("A resumption did not happen")
        || happening.text.hasPrefix("The \(PumpCommand.resume) ")
    else { return "" }
    let later = run.programs.partitioningIndex { $0.end > happening.instant }
    let silent = run.programs[later...].prefix { $0.kind == .suspended || $0.kind == .stopped }
    guard let last = silent.last, last.end > happening.instant else { return "" }
    let end = last.end < run.end ? run.time(last.end) : "the end"
    return " The pump gave no basal until \(end)."
  }

  /// What the pump gave of a bolus that failed for the app.
  private func givenAllTheSame(_ happening: Happening) -> String {
    let place = run.boluses.partitioningIndex { $0.start >= happening.instant }
    guard place < run.boluses.count, run.boluses[place].start == happening.instant,
      run.boluses[place].delivered > .zero,
      happening.text.contains("bolus of \(run.boluses[place].asked)")
    else { return "" }
    let bolus = run.boluses[place]
    return " The pump gave \(bolus.delivered) all the same."
  }

  /// What the app warned of, which stands nowhere else.
  private var warningsOfApp: [RunTrouble] {
    run.appWarnings.map { warning in
      var trouble = RunTrouble(
        warning.isRefusal ? .refused : .warning, from: warning.instant, to: warning.last,
        count: warning.times, lasting: .zero, warning.text)
      trouble.moments = moments(of: trouble)
      return trouble
    }
  }

  /// Times without a reading that are too long for Loop to dose, and than it takes from one cycle
  /// to the next, as the rows show them; of many such times one sentence tells.
  private var gapsOfSensor: [RunTrouble] {
    let usual = max(Self.longGap, run.longestCycleStep + run.rowInterval)
    var found: [Range<Instant>] = []
    var last = run.start
    func close(at instant: Instant, isSilent: Bool) {
      if isSilent, instant - last > usual { found.append(last..<instant) }
      last = instant
    }
    var isSilent = false
    for row in run.trace.rows {
      if row.reading == nil {
        isSilent = true
      } else {
        close(at: row.instant, isSilent: isSilent)
        isSilent = false
      }
    }
    close(at: run.end, isSilent: isSilent)
    let sentence = "No reading reached the \(run.hasApp ? "app" : "receiver") for "
    guard found.count > AlikeDifferences.mostTold else {
      return found.map {
        RunTrouble(
          .sensorGap, from: $0.lowerBound, to: $0.upperBound,
          sentence + "\($0.length.roundedToSecond) from \(run.time($0.lowerBound)).")
      }
    }
    let longest = found.reduce(found[0]) { $1.length > $0.length ? $1 : $0 }
    let whole = found.reduce(.zero) { $0 + $1.length }
    return [
      RunTrouble(
        .sensorGap, from: found[0].lowerBound, to: found[found.count - 1].upperBound,
        count: found.count, lasting: whole,
        sentence + "\(whole.roundedToSecond) in \(found.count) stretches from "
          + "\(run.time(found[0].lowerBound)); the longest was \(longest.length.roundedToSecond) "
          + "from \(run.time(longest.lowerBound)).")
    ]
  }

  /// Alarms that did not stop the pump.
  private var alarms: [RunTrouble] {
    let stops = Set(run.trace.happenings.filter { $0.name == "stopped" }.map(\.instant))
    return run.trace.happenings.filter {
      $0.kind == .alert && $0.name != "stopped" && !stops.contains($0.instant)
    }.map { happening in
      var alarm = RunTrouble(
        .alarm, from: happening.instant, to: happening.instant, happening.text)
      alarm.moments = moments(of: alarm)
      return alarm
    }
  }

  /// What happened at an instant, in that order.
  private func happenings(at instant: Instant) -> ArraySlice<Happening> {
    let place = run.trace.happenings.partitioningIndex { $0.instant >= instant }
    return run.trace.happenings[place...].prefix { $0.instant == instant }
  }

  // MARK: - Words

  /// A moment, or the first and the last of several.
  func moments(of trouble: RunTrouble) -> String {
    let (from, to) = run.times(trouble.start, trouble.end)
    return trouble.start == trouble.end ? from : "\(from) to \(to)"
  }
}

extension Happening {
  /// Whether the app warns of what it does, and refuses nothing.
  fileprivate var isWarningOfApp: Bool {
    name == "app" && text == AppWarning.readsForeignCarbs.description
  }
}

extension Range<Instant> {
  /// How long the stretch of time is.
  fileprivate var length: TimeSpan { upperBound - lowerBound }
}
