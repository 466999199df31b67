internal import Devices
internal import Quantities

/// What entered the body, held against what the pump counted.
struct BodyComparison {
  let compared: ComparedRecords
  /// What was lost for each reason, and what was more than counted as a negative amount.
  private let parts: [(units: Double, reason: BodyLedger.Difference)]
  /// What the pump gave beyond what it measured out while it was taken off.
  private let spilledExcess: Double

  init(compared: ComparedRecords) {
    self.compared = compared
    let body = compared.ledger.body
    let spilled = min(compared.intake.spilledExcess, body.excess.units)
    spilledExcess = spilled
    parts = BodyLedger.Difference.allCases.flatMap { reason in
      // What one delivery lost and another got too much does not cancel.
      let excess = reason == .scale ? body.excess : .zero
      // What a pump gave too much while it was taken off reached nobody.
      let reached = excess.units - (reason == .scale ? spilled : 0)
      return [(body[reason] + excess).units, -reached].filter { $0.magnitude > 1e-9 }.map {
        (units: $0, reason: reason)
      }
    }
  }

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
    let left = arrived - unrequestedUnits - pumped - named.map(\.units).reduce(0, +)
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

  /// What the pump gave and counted nowhere, in U, whether it reached the body or was spilled.
  private var unrequestedUnits: Double {
    compared.isFedContinuously
      ? intake.unrequested + intake.spilledUnrequested : compared.ledger.body.unrequested.units
  }

  /// What the pump gave and counted nowhere.
  private func unrequestedDifferences() -> [RecordDifference] {
    let boluses = compared.uncountedBoluses
    let arrived = intake.unrequested
    let all = unrequestedUnits
    let inBoluses = min(all, boluses.reduce(0) { $0 + $1.units })
    let alone = all - inBoluses
    // Where the pulses do not tell: more arrives than was given by a factor that is wrong, or by
    // pulses of another size, and such is all of it.
    let ofBoluses =
      compared.reachedInUncounted
      ?? (arrived > all ? arrived * (inBoluses / all) : min(arrived, inBoluses))
    let isKnown =
      compared.reachedInUncounted != nil
      || min(inBoluses, alone, arrived, all - arrived) <= ComparedRecords.tolerance
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
    let part = arrived > 1e-9 ? "\(unitsText(arrived)) U" : "none"
    // A delivery that is wrong by a factor gives more than was measured out.
    let link = arrived > given ? "but" : "of which"
    let share =
      (given - arrived).magnitude <= ComparedRecords.tolerance
      ? "" : ", \(link) \(part) reached the body"
    return RecordDifference(
      .check, .unrequestedDelivery, .elsewhere, in: compared.hasApp ? [.app, .healthStore] : [],
      from: first, to: last, units: -arrived,
      "The pump gave \(unitsText(given)) U\(when) \(how)\(share), and no record knows of \(it).")
  }

  /// What pulses amount to: what the pump counted, and what it gave without counting it.
  private var counted: String {
    compared.ledger.body.unrequested == .zero ? "counted" : "measured out"
  }

  /// Every way in which pulses did not reach the body as counted.
  private func pulseDifferences() -> [RecordDifference] {
    let body = compared.ledger.body
    // Pulses do not say why they are another than was counted: they do where there is one reason.
    let isTold = !hasScatter && !hasWaited && intake.spilled == 0
    var found = parts.map { part in
      let isOnly = parts.count { $0.units.sign == part.units.sign } == 1
      let isAmong =
        showsAllLosses && part.units > 0 && !(part.reason == .scale && compared.isMisreported)
      let pulses = part.units > 0 ? compared.shortPulses : compared.excessPulses
      return notAbsorbed(
        part.units, part.reason,
        at: Stretch(
          pulses, isAlone: isTold && isOnly && holdsUncounted(pulses), isAmong: isAmong))
    }
    // What came free of a pump that was off reached nobody.
    let late = compared.released.filter { $0.units > 0 }
    if let first = late.first, let last = late.last {
      let units = late.map(\.units).reduce(0, +)
      let moment = (late.count == 1 ? "at " : "the last of it at ") + compared.time(last.instant)
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

  // MARK: - When it was

  /// When insulin was lost: the first and the last pulse of it, or of it and other losses.
  private struct Stretch {
    var pulses: ClosedRange<Instant>
    var isAmongOthers: Bool

    /// Takes the pulses of a loss that is alone, or of several; `nil` where neither is known.
    init?(_ pulses: ClosedRange<Instant>?, isAlone: Bool, isAmong: Bool) {
      guard isAlone || isAmong, let pulses else { return nil }
      self.pulses = pulses
      isAmongOthers = !isAlone
    }
  }

  /// Whether none of what the pump gave without counting it came short, or beyond, outside the
  /// first and the last pulse that did.
  private func holdsUncounted(_ pulses: ClosedRange<Instant>?) -> Bool {
    if (unrequestedUnits - intake.unrequested).magnitude <= 1e-9 { return true }
    let instants = compared.unrequested + compared.uncountedBoluses.map(\.instant)
    return instants.allSatisfy { pulses?.contains($0) ?? false }
  }

  /// Whether pulses are not all of one size, so that each of them lost something or had too much.
  private var hasScatter: Bool { parts.contains { $0.reason == .scatter } }

  /// Whether pulses have waited behind an occlusion, for a while or until the end.
  private var hasWaited: Bool {
    !compared.released.isEmpty || compared.ledger.body.heldBack != .zero
  }

  /// Whether the pulses of commands that came short are all that any insulin was lost of: nothing
  /// that another pulse, or the same, had too much hides one, and each was of a command.
  ///
  /// What was lost for one of several reasons then lies among them.
  private var showsAllLosses: Bool {
    let body = compared.ledger.body
    return body.excess == .zero && body.unrequested == .zero && !hasScatter
  }

  /// What the pump gave while it was taken off, and when, as far as the pulses tell.
  private func takenOff(_ units: Double) -> RecordDifference {
    let uncounted = intake.spilledUnrequested
    let what =
      uncounted > ComparedRecords.tolerance
      ? "gave, \(unitsText(uncounted)) U of it without counting it," : "counted"
    return lost(
      .pumpTakenOff, -units,
      at: Stretch(
        compared.shortPulses,
        isAlone: uncounted == 0 && !hasWaited && !hasScatter && !parts.contains { $0.units > 0 },
        isAmong: uncounted == 0 && showsAllLosses),
      "\(unitsText(units)) U that the pump \(what) did not reach the body",
      "the pump was taken off")
  }

  /// What did not reach the body for a reason; more than was counted did where it is negative.
  private func notAbsorbed(
    _ units: Double, _ reason: BodyLedger.Difference, at stretch: Stretch?
  ) -> RecordDifference {
    // A bolus that is reported wrongly is counted so, and was measured out as it was asked for.
    let counted = reason == .scale && compared.isMisreported ? "counted" : counted
    return lost(
      .notAbsorbed, -units, at: stretch,
      units > 0
        ? "\(unitsText(units)) U that the pump \(counted) did not reach the body"
        : "\(unitsText(-units)) U more than the pump \(counted) reached the body", words(reason))
  }

  /// A difference between pump and body in a stretch, or in the whole run where that is not known.
  private func lost(
    _ kind: RecordDifference.Kind, _ units: Double, at stretch: Stretch?, _ what: String,
    _ reason: String
  ) -> RecordDifference {
    let (from, to) = (stretch?.pulses.lowerBound, stretch?.pulses.upperBound)
    return RecordDifference(
      .check, kind, in: [.body], from: from ?? compared.start, to: to ?? compared.end, units: units,
      "\(what)\(stretch.map(clause) ?? ""): \(reason).")
  }

  /// ` between 07:05 and 08:30` for the first and the last pulse of a loss; ` at times between …`
  /// where they are those of other losses as well.
  private func clause(_ stretch: Stretch) -> String {
    let (first, last) = (stretch.pulses.lowerBound, stretch.pulses.upperBound)
    return (stretch.isAmongOthers && first != last ? " at times " : " ") + moments(first, last)
  }

  /// `at 07:05`, or `between 07:05 and 08:30`.
  private func moments(_ first: Instant, _ last: Instant) -> String {
    let times = [first, last].map { compared.time($0.roundedToSecond) }
    return first == last ? "at \(times[0])" : "between \(times[0]) and \(times[1])"
  }

  /// A body that is fed continuously gets rates, and the pump counts whole pulses.
  private func continuousDifferences(_ agreement: RecordAgreement) -> [RecordDifference] {
    let units =
      intake.basal + intake.bolus + intake.spilled - intake.spilledUnrequested
      - agreement.basal.reference - agreement.bolus.reference
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
    guard basal.discarded > .zero else { return [] }
    let share = basal.isMuchDiscarded ? ", \(basal.discardedPercent) % of all basal," : ""
    let discards = "the pump discarded a fraction of a pulse at \(basal.timesOfDiscards)"
    let missed = "the reservoir had no insulin for"
    let reason =
      if basal.discards == 0 {
        "\(missed) it"
      } else if basal.missed > .zero {
        "\(discards), and \(missed) \(unitsText(basal.missed.units)) U of it"
      } else {
        discards
      }
    return [
      whole(
        .note, .discardedFractions, .basal, units: -basal.discarded.units,
        "\(unitsText(basal.discarded.units)) U\(share) were programmed and never given: \(reason).")
    ]
  }

  private func words(_ reason: BodyLedger.Difference) -> String {
    switch reason {
    case .scatter: "pulses are not all of one size"
    case .scale:
      switch (compared.isMisreported, compared.isScaled) {
      case (true, false): "the pump reported another amount than it gave"
      case (true, true):
        "the pump reported another amount than it gave, and the delivery is wrong by a factor"
      case (false, _): "the delivery is wrong by a factor"
      }
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

  /// When it forgot a fraction of a pulse: how many times at what.
  fileprivate var timesOfDiscards: String {
    let times = [
      (discards - discardsAtAlarms - discardsAtEntries, "command", "commands"),
      (discardsAtAlarms, "alarm", "alarms"),
      (discardsAtEntries, "entry of its schedule", "entries of its schedule"),
    ]
    return times.filter { $0.0 > 0 }.map { "\($0.0) \($0.0 == 1 ? $0.1 : $0.2)" }
      .joined(separator: " and ")
  }

  /// How much that is, in whole percent.
  fileprivate var discardedPercent: String {
    whole((100 * discarded.units / programmed.units).rounded())
  }
}
