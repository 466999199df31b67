internal import Devices
internal import Quantities

/// What entered the body, held against what the pump counted.
struct BodyComparison {
  let compared: ComparedRecords

  private var intake: BodyIntake { compared.intake }

  func differences(_ agreement: RecordAgreement) -> [RecordDifference] {
    var found =
      compared.isFedContinuously ? continuousDifferences(agreement) : pulseDifferences()
    let spilled = intake.spilled - spilledExcess
    if spilled > 0 { found.append(takenOff(spilled)) }
    found += unrequestedDifferences()
    if let violation = compared.ledger.checkConservation() {
      found.append(whole(.fault, .notConserved, in: [.pump], units: 0, violation.description))
    }
    assert(intake.spilled >= 0, "No less than nothing is spilled.")
    let pumped = agreement.basal.reference + agreement.bolus.reference
    let named = found.filter { $0.records.contains(.body) }
    let arrived = intake.basal + intake.bolus + intake.unrequested
    let unrequested =
      compared.isFedContinuously
      ? intake.unrequested : compared.ledger.body.unrequested.units
    let left = arrived - unrequested - pumped - named.map(\.units).reduce(0, +)
    // What lies at the tolerance itself has no name, and is none by another order of sums either.
    if left.magnitude > ComparedRecords.tolerance + 1e-9 {
      found.append(
        whole(
          .fault, .unexplained, in: [.body], units: left,
          "The body got \(unitsText(left.magnitude)) U \(left > 0 ? "more" : "less") than the pump "
            + "counted, and no cause is known."))
    }
    return found + discardedDifferences()
  }

  /// What the pump gave and counted nowhere.
  private func unrequestedDifferences() -> [RecordDifference] {
    let boluses = compared.uncountedBoluses
    let arrived = intake.unrequested
    let all = compared.isFedContinuously ? arrived : compared.ledger.body.unrequested.units
    let inBoluses = min(all, boluses.reduce(0) { $0 + $1.units })
    let alone = all - inBoluses
    let ofBoluses = min(arrived, inBoluses)
    let tolerance = ComparedRecords.tolerance
    // Of boluses that it did not count the pump does not tell how much of them arrived where it
    // gave more besides.
    let isKnown = min(inBoluses, alone, arrived, all - arrived) <= tolerance
    let isOne = boluses.count == 1
    return [
      unrequested(
        isKnown ? inBoluses : ofBoluses, ofBoluses, at: boluses.map(\.instant),
        isOne ? "in a bolus that it did not count" : "in boluses that it did not count",
        isOne ? "it" : "them"),
      unrequested(
        isKnown ? alone : arrived - ofBoluses, arrived - ofBoluses, at: compared.unrequested,
        "without a command", "it"),
    ].compactMap(\.self)
  }

  /// What the pump gave and counted nowhere, of which a part arrived; nothing where it gave none.
  private func unrequested(
    _ given: Double, _ arrived: Double, at instants: [Instant], _ how: String, _ it: String
  ) -> RecordDifference? {
    guard given > 1e-9 else { return nil }
    let (first, last) = (instants.first ?? compared.start, instants.last ?? compared.end)
    let when = instants.isEmpty ? "" : " \(moments(first, last))"
    let part = arrived > 0 ? "\(unitsText(arrived)) U" : "none"
    let share =
      (given - arrived).magnitude <= ComparedRecords.tolerance
      ? "" : ", of which \(part) reached the body"
    return RecordDifference(
      .check, .unrequestedDelivery, .elsewhere, in: compared.hasApp ? [.app, .healthStore] : [],
      from: first, to: last, units: -arrived,
      "The pump gave \(unitsText(given)) U\(when) \(how)\(share), and no record knows of \(it).")
  }

  /// What pulses amount to: what the pump counted, and what it gave without counting it.
  private var counted: String {
    compared.ledger.body.unrequested == .zero ? "counted" : "measured out"
  }

  /// What the pump gave beyond what it counted while it was taken off.
  private var spilledExcess: Double {
    min(intake.spilledUncounted, compared.ledger.body.excess.units)
  }

  /// What was lost for each reason, and what was more than counted as a negative amount.
  private var parts: [(units: Double, reason: BodyLedger.Difference)] {
    let body = compared.ledger.body
    var parts: [(units: Double, reason: BodyLedger.Difference)] = []
    for reason in BodyLedger.Difference.allCases {
      // What one delivery lost and another got too much does not cancel.
      let excess = reason == .scale ? body.excess : .zero
      // What a pump gave too much while it was taken off reached nobody.
      let reached = excess.units - (reason == .scale ? spilledExcess : 0)
      for lost in [(body[reason] + excess).units, -reached] where lost.magnitude > 1e-9 {
        parts.append((lost, reason))
      }
    }
    return parts
  }

  /// Whether the pulses of commands that came short are all that any insulin was lost of: nothing
  /// that another pulse, or the same, had too much hides one, and each was of a command.
  ///
  /// What was lost for one of several reasons then lies among them.
  private var showsAllLosses: Bool {
    let body = compared.ledger.body
    return body.excess == .zero && body.unrequested == .zero
      && !parts.contains { $0.reason == .scatter }
  }

  /// Every way in which pulses did not reach the body as counted.
  private func pulseDifferences() -> [RecordDifference] {
    let body = compared.ledger.body
    var found: [RecordDifference] = []
    let parts = parts
    // Pulses do not say why they are another than was counted: they do where there is one reason.
    let isTold =
      !parts.contains { $0.reason == .scatter } && compared.released.isEmpty
      && body.heldBack == .zero && intake.spilled == 0 && intake.spilledUncounted == 0
    for part in parts {
      let isOnly = parts.count { $0.units.sign == part.units.sign } == 1
      let pulses = part.units > 0 ? compared.shortPulses : compared.excessPulses
      let isAlone = isTold && isOnly
      let isAmong =
        showsAllLosses && part.units > 0 && !(part.reason == .scale && compared.isMisreported)
      found.append(
        notAbsorbed(
          part.units, part.reason, at: isAlone || isAmong ? pulses : nil, isAmongOthers: !isAlone))
    }
    if let first = compared.released.first, let last = compared.released.last {
      let units = compared.released.map(\.units).reduce(0, +)
      let moment =
        (compared.released.count == 1 ? "at " : "the last of it at ") + compared.time(last.instant)
      found.append(
        RecordDifference(
          .check, .heldBack, in: [.body], from: first.instant, to: last.instant, units: 0,
          "\(unitsText(units)) U that the pump \(counted) waited behind an occlusion and reached "
            + "the body late, \(moment)."))
    }
    if body.heldBack != .zero {
      found.append(
        whole(
          .check, .heldBack, in: [.body], units: -body.heldBack.units,
          "\(unitsText(body.heldBack.units)) U that the pump \(counted) wait behind an occlusion."))
    }
    return found
  }

  /// What the pump gave while it was taken off, and when, as far as the pulses tell.
  private func takenOff(_ units: Double) -> RecordDifference {
    let uncounted = intake.spilledUnrequested
    let isAlone =
      uncounted == 0 && compared.released.isEmpty && compared.ledger.body.heldBack == .zero
      && !parts.contains { $0.units > 0 || $0.reason == .scatter }
    let isAmong = uncounted == 0 && showsAllLosses
    let pulses = isAlone || isAmong ? compared.shortPulses : nil
    let when = pulses.map { clause($0, isAmongOthers: !isAlone) } ?? ""
    let what =
      uncounted > ComparedRecords.tolerance
      ? "gave, \(unitsText(uncounted)) U of it without counting it," : "counted"
    return RecordDifference(
      .check, .pumpTakenOff, in: [.body], from: pulses?.lowerBound ?? compared.start,
      to: pulses?.upperBound ?? compared.end, units: -units,
      "\(unitsText(units)) U that the pump \(what) did not reach the body\(when): the pump was "
        + "taken off.")
  }

  /// What did not reach the body for a reason; more than was counted did where it is negative.
  ///
  /// `pulses` are the first and the last pulse of it where these are known; those of it and of
  /// what was lost otherwise where it is among others.
  private func notAbsorbed(
    _ units: Double, _ reason: BodyLedger.Difference, at pulses: ClosedRange<Instant>?,
    isAmongOthers: Bool = false
  ) -> RecordDifference {
    let when = pulses.map { clause($0, isAmongOthers: isAmongOthers) } ?? ""
    return RecordDifference(
      .check, .notAbsorbed, in: [.body], from: pulses?.lowerBound ?? compared.start,
      to: pulses?.upperBound ?? compared.end, units: -units,
      (units > 0
        ? "\(unitsText(units)) U that the pump \(counted) did not reach the body"
        : "\(unitsText(-units)) U more than the pump \(counted) reached the body")
        + "\(when): \(words(reason)).")
  }

  /// ` between 07:05 and 08:30` for the first and the last pulse of a loss; ` at times between …`
  /// where they are those of other losses as well.
  private func clause(_ pulses: ClosedRange<Instant>, isAmongOthers: Bool) -> String {
    let isOne = pulses.lowerBound == pulses.upperBound
    return (isAmongOthers && !isOne ? " at times " : " ")
      + moments(pulses.lowerBound, pulses.upperBound)
  }

  /// `at 07:05`, or `between 07:05 and 08:30`.
  private func moments(_ first: Instant, _ last: Instant) -> String {
    let times = [first, last].map { compared.time($0.roundedToSecond) }
    return first == last ? "at \(times[0])" : "between \(times[0]) and \(times[1])"
  }

  /// A body that is fed continuously gets rates, and the pump counts whole pulses.
  private func continuousDifferences(_ agreement: RecordAgreement) -> [RecordDifference] {
    let units =
      intake.basal + intake.bolus + intake.spilled
      - agreement.basal.reference
      - agreement.bolus.reference
    guard units.magnitude > ComparedRecords.tolerance else { return [] }
    return [
      whole(
        .expected, .fedContinuously, in: [.body], units: units,
        "The body got \(unitsText(units.magnitude)) U \(units > 0 ? "more" : "less") than the "
          + "pump counted: in this scenario the body is fed by the rates and amounts that were "
          + "programmed, and the pump counts whole pulses.")
    ]
  }

  private func discardedDifferences() -> [RecordDifference] {
    let basal = compared.ledger.basal
    guard basal.discards > 0 else { return [] }
    let share = basal.isMuchDiscarded ? ", \(basal.discardedPercent) % of all basal," : ""
    return [
      whole(
        .note, .discardedFractions, .basal, units: -basal.discarded.units,
        "\(unitsText(basal.discarded.units)) U\(share) were programmed and never given: the pump "
          + "discarded a fraction of a pulse at \(basal.discards) "
          + "command\(basal.discards == 1 ? "" : "s").")
    ]
  }

  private func words(_ reason: BodyLedger.Difference) -> String {
    switch reason {
    case .scatter: "pulses are not all of one size"
    case .scale:
      compared.isMisreported
        ? "the pump reported another amount than it gave" : "the delivery is wrong by a factor"
    case .airBubble: "air was in the tubing"
    case .leak: "insulin leaked at the site"
    case .occlusion: "an occlusion blocked it"
    case .siteFailure: "the site no longer took it up"
    }
  }

  private func whole(
    _ severity: RecordDifference.Severity, _ kind: RecordDifference.Kind,
    _ origin: RecordAgreement.Origin? = nil, in records: [RecordAgreement.Record] = [],
    units: Double, _ text: String
  ) -> RecordDifference {
    RecordDifference(
      severity, kind, origin, in: records, from: compared.start, to: compared.end, units: units,
      text)
  }
}

extension DeliveryLedger.Basal {
  /// Whether the pump forgot a fifth or more of what its programs earned.
  var isMuchDiscarded: Bool {
    programmed.units > 0 && discarded.units > 0 && 5 * discarded.units >= programmed.units
  }

  /// How much that is, in whole percent.
  fileprivate var discardedPercent: String {
    whole((100 * discarded.units / programmed.units).rounded())
  }
}
