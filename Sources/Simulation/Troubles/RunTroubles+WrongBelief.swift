internal import ClosedLoop
internal import Quantities

/// What the app, and the people who look at it, took for true and was not.
extension RunTroubles {
  // MARK: - Insulin on board

  /// Times in which the app's insulin on board was far from what had entered the body.
  var wrongInsulinOnBoard: [RunTrouble] {
    func units(_ number: Double) -> String { "\(unitsText((number * 100).rounded() / 100)) U" }
    return InsulinOnBoardCheck.findings(run).map { wrong in
      trouble(
        .wrongInsulinOnBoard, "The app's insulin on board was", wrong, amount: units,
        cause: clocksThatMisled(wrong).words
      ) { "it was \(units($0.shown)), and by what had entered the body \(units($0.truth))" }
    }
  }

  /// The clocks by which insulin that acted in a stretch of time was dated wrongly.
  ///
  /// The app counts by the phone's clock while that is wrong. What was dated by it stays wrong
  /// later as well, and so do the histories of pumps that date them by their own.
  private func clocksThatMisled(_ wrong: WrongStretches.Finding) -> [WrongClock] {
    run.wrongClocks.filter { clock in
      guard clock.error.magnitude >= Self.dateError, clock.start <= wrong.end else { return false }
      if clock.owner == .phone, clock.end > wrong.start { return true }
      guard clock.end + .hours(6) >= wrong.start else { return false }
      return clock.owner == .pump ? run.datesByPumpClock : hasMisdated(clock)
    }
  }

  /// Whether the app has a dose at another time because of a clock.
  private func hasMisdated(_ clock: WrongClock) -> Bool {
    run.agreement.differences.contains {
      $0.kind == .misdated && $0.start >= clock.start && $0.start <= clock.end
    }
  }

  /// Why no cycle came to a decision: where glucose lay ahead because the phone's clock was wrong,
  /// that is told in place of the advice on the sensor's.
  func cause(of gap: CycleGap) -> String {
    let cause = gap.cause ?? RunResult.appOff
    let isOfPhone = run.wrongClocks.contains { clock in
      clock.owner == .phone && clock.error.magnitude >= Self.dateError && clock.start <= gap.end
        && clock.end + clock.error.magnitude >= gap.start
    }
    guard isOfPhone else { return cause }
    return cause.replacing(
      "; check the sensor's clock.\"", with: "\"; the phone's clock was wrong.")
  }

  /// Insulin that is dated this much wrong counts noticeably otherwise than it acts.
  private static let dateError = TimeSpan.minutes(5)

  // MARK: - Readings

  /// Times in which the sensor's readings, or the glucose of other apps, were far from glucose.
  ///
  /// Those that lasted for a few readings alone are told where the loop gave insulin on them; those
  /// of the sensor only where a fault made them, as one that works has such readings as well.
  var wrongReadings: [RunTrouble] {
    func glucose(_ number: Double) -> String { run.words(.mgdL(number)) }
    let found = ReadingCheck.findings(run.trace.rows) {
      isOfFault(from: $0, to: $1) && insulinRose(from: $0, to: $1)
    }
    let readings = found.lasting.map { wrong in
      trouble(.wrongReading, "The sensor's readings were", wrong, amount: glucose) {
        "it showed \(glucose($0.shown)), and glucose was \(glucose($0.truth))" + atLimit($0)
      }
    }
    let dosed = found.short.map { wrong in
      trouble(
        .wrongReading, "Readings on which the loop gave more insulin were", wrong, amount: glucose
      ) {
        "the sensor showed \(glucose($0.shown)), and glucose was \(glucose($0.truth))" + atLimit($0)
      }
    }
    let others = ReadingCheck.findings(run.glucoseOfOthers) { insulinRose(from: $0, to: $1) }
    func foreign(_ findings: [WrongStretches.Finding], _ act: String) -> [RunTrouble] {
      findings.map { wrong in
        trouble(
          .wrongReading, "Other apps' glucose, on which the loop \(act), was", wrong,
          amount: glucose
        ) { "it was \(glucose($0.shown)), and truly \(glucose($0.truth))" + atLimit($0) }
      }
    }
    return readings + dosed + foreign(others.lasting, "decided")
      + foreign(others.short, "gave more insulin")
  }

  /// What a sensor shows of glucose beyond its range, from which the error of a reading counts.
  private func atLimit(_ figure: WrongStretches.Figure) -> String {
    let limit = figure.shown - figure.difference
    guard (limit - figure.truth).magnitude > 1e-9 else { return "" }
    return ", which sensors show as \(run.words(.mgdL(limit)))"
  }

  /// Whether a fault of the sensor held at readings from the first to the last of a few.
  private func isOfFault(from first: Instant, to last: Instant) -> Bool {
    run.faultWindows.contains {
      $0.changesReadings && $0.told.lowerBound <= last
        && $0.told.upperBound + ReadingCheck.interval >= first
    }
  }

  /// Whether the loop gave a bolus, or basal above the schedule, while readings from the first to
  /// the last of a few were the newest.
  private func insulinRose(from first: Instant, to last: Instant) -> Bool {
    let newest = first..<(last + ReadingCheck.interval)
    return run.bolusRequests.contains {
      $0.requester == nil && newest.contains($0.instant) && $0.commanded > .zero
    }
      || run.programs.contains {
        $0.kind == .tempBasal && $0.isAutomatic && newest.contains($0.sent ?? $0.start)
          && $0.rate > scheduledRate(at: $0.start)
      }
  }

  /// The rate that the pump's schedule alone would have run.
  private func scheduledRate(at instant: Instant) -> InsulinRate {
    run.scheduledBasal.value(at: instant) ?? .zero
  }

  /// What is told of a figure that was wrong for a while: how far, for how long, and where it was
  /// worst.
  private func trouble(
    _ kind: RunTrouble.Kind, _ figure: String, _ wrong: WrongStretches.Finding,
    amount: (Double) -> String, cause: String? = nil, worst: (WrongStretches.Figure) -> String
  ) -> RunTrouble {
    let stretches = wrong.count > 1 ? " in \(wrong.count) stretches" : ""
    let direction =
      switch wrong.direction {
      case .tooHigh: "too high"
      case .tooLow: "too low"
      case .byTurns: "off, by turns too high and too low,"
      }
    let error = "\(amount(wrong.worst.difference.magnitude)) \(direction)"
    // Single readings, one or several, last no time.
    let (from, to) = run.times(wrong.start, wrong.end)
    let lasting =
      wrong.span.roundedToSecond > .zero
      ? "for \(wrong.span.roundedToSecond)\(stretches) from \(run.time(wrong.start))"
      : "at \(wrong.count) moments from \(from) to \(to)"
    let when =
      wrong.start == wrong.end
      ? "\(error) at \(run.time(wrong.start)):"
      : "up to \(error) \(lasting): at \(run.time(wrong.worst.instant))"
    return RunTrouble(
      kind, from: wrong.start, to: wrong.end, count: wrong.count, lasting: wrong.span,
      "\(figure) \(when) \(worst(wrong.worst))\(cause.map { "; \($0)" } ?? "")."
    )
    .extending(over: wrong.worst.difference)
  }

  // MARK: - The app

  /// What faults made wrong in the app, and clocks, which nothing else in the answer need show.
  ///
  /// Without an app that is the pump's clock, by which the body got its basal at other times.
  var wrongInApp: [RunTrouble] {
    guard run.hasApp else { return clocks(.wrongDelivery) }
    let faults = run.faultWindows.compactMap(\.wrongInApp).filter { !$0.isSchedule }
      .flatMap { wrong in
        wrong.stretches.compactMap {
          told(
            .wrongInApp, wrong.clause(in: run.glucoseUnit), from: $0.lowerBound, to: $0.upperBound)
        }
      }
    return faults + clocks(.wrongInApp)
  }

  /// The clocks that were wrong.
  private func clocks(_ kind: RunTrouble.Kind) -> [RunTrouble] {
    run.wrongClocks.filter {
      $0.owner == .phone || $0.error.magnitude >= Self.clockError
    }.compactMap {
      told(kind, $0.clause(dates: run.datesByPumpClock), from: $0.start, to: $0.end)
    }
  }

  /// Carbohydrates that the app lost, or had besides, while they were to act, with what that made
  /// of its carbs on board.
  var miscountedCarbs: [RunTrouble] {
    run.miscountedCarbs.compactMap { wrong in
      let end = min(wrong.righted ?? wrong.absorbed, run.end)
      let from = max(wrong.instant, run.start)
      guard from < end else { return nil }
      let until = wrong.righted.map { "to \(run.time($0))" } ?? "on"
      let amount =
        "\(whole(wrong.mass.grams)) g of carbohydrates in "
        + (wrong.count == 1 ? "1 entry" : "\(wrong.count) entries")
      let what = wrong.isSurplus ? "counted \(amount) too many" : "lacked \(amount)"
      return RunTrouble(
        .wrongInApp, from: from, to: end, count: wrong.count,
        "From \(run.time(from)) \(until) the app \(what), because \(wrong.cause)"
          + "\(onBoard(wrong)).")
    }
  }

  /// What wrongly counted carbohydrates made of the app's carbs on board, as a clause.
  private func onBoard(_ wrong: MiscountedCarbs) -> String {
    guard let row = run.trace.rows.first(where: { $0.instant >= wrong.instant }),
      let after = row.carbsOnBoard
    else { return "" }
    let now = "\(tenths(after)) g at \(run.time(row.instant))"
    if wrong.isSurplus {
      return "; with \(wrong.count == 1 ? "them" : "the first") its carbs on board were \(now)"
    }
    guard let before = wrong.onBoardBefore else { return "" }
    let last = run.trace.rows.last { $0.instant < wrong.instant && $0.carbsOnBoard != nil }
    // An app that did not run meanwhile may have got other entries, and food was absorbed.
    if let last, wrong.instant - last.instant > Self.longGap {
      return "; its carbs on board were \(tenths(before)) g at \(run.time(last.instant)) and \(now)"
    }
    return "; its carbs on board were \(tenths(before)) g before and \(now)"
  }

  private func tenths(_ number: Double) -> String { whole((number * 10).rounded() / 10) }

  /// By less than this the clocks of pumps are off as a rule.
  private static let clockError = TimeSpan.minutes(1)

  private func told(
    _ kind: RunTrouble.Kind, _ clause: String, from start: Instant, to end: Instant
  ) -> RunTrouble? {
    let from = max(start, run.start)
    guard from < end else { return nil }
    let until = "to \(end < run.end ? run.time(end) : "the end")"
    return RunTrouble(kind, from: from, to: end, "From \(run.time(from)) \(until) \(clause).")
  }
}
