import Devices
import Quantities
import ScenarioLanguage
import Simulation
import StructuredText

/// Checks the insulin of a scenario against what its pump can do.
struct PumpRules {
  let root: Field

  func check() {
    // What is wrong with the block itself is reported where the run is built.
    guard let profile = PumpChoice.profile(of: root) else { return }
    // Once for all events, of which a file may have thousands.
    let scheduled = scheduledRates
    let maximumOfApp = root.largestMaximumBolus.units
    checkSchedule(root["therapy"]["basal"], profile)
    checkMaximum(root["therapy"]["maxBasal"], scheduled, profile)
    for event in root["events"].listed {
      checkSchedule(event["settings"]["basal"], profile)
      checkTempBasal(event["basal"], profile)
      checkPercent(event["basal"]["rate"], scheduled, profile)
      checkCutOff(event["basal"]["rate"], event["basal"]["duration"], scheduled, profile)
      checkBolus(event["bolus"]["units"], profile)
      // The body gets all of what a report states.
      guard !event["bolus"]["reported"].exists else { continue }
      let requester = event["bolus"]["by"].node?.string.flatMap { BolusRequester(rawValue: $0) }
      checkLimit(
        event["bolus"]["units"], by: requester ?? .user, profile, maximumOfApp: maximumOfApp)
    }
    for dose in root["history"]["doses"].listed {
      check(dose["basal"], profile.tempBasal.rates, "temp basal", profile)
      checkPercent(dose["basal"], scheduled, profile)
      checkCutOff(dose["basal"], dose["duration"], scheduled, profile)
      // Of another insulin it is an injection; of a stated report the body gets all that is stated.
      guard !dose["insulin"].exists, !dose["reported"].exists else { continue }
      checkBolus(dose["bolus"], profile)
      checkLimit(dose["bolus"], by: .pump, profile, maximumOfApp: maximumOfApp)
    }
    for fault in root["faults"].listed {
      checkSchedule(fault["pump"]["wrongPump"]["basal"], profile)
      checkDroppedPulses(fault["pump"]["dropPulses"], profile)
    }
  }

  /// A pump that owes nothing when a temp basal starts has nothing to forget.
  private func checkDroppedPulses(_ field: Field, _ profile: PumpProfile) {
    guard profile.residualRule != .carry else { return }
    field.warnOfNoEffect(
      "This fault changes nothing: the \(profile.name) \(profile.residualRule) by itself. Only "
        + "pump.residual: 'carry' has something to forget.")
  }

  private func checkSchedule(_ field: Field, _ profile: PumpProfile) {
    let items = field.node?.items ?? []
    if items.count > profile.maximumScheduleEntries {
      field.error(
        """
        The \(profile.name) takes at most \(profile.maximumScheduleEntries) schedule entries, not \
        \(items.count).
        """)
    }
    for place in items.indices {
      check(field[place][1], profile.basalRates, "scheduled rate", profile)
      guard let text = field[place][0].node?.string, let time = TimeOfDay(text),
        time.milliseconds % profile.scheduleStep.milliseconds != 0
      else { continue }
      field[place][0].error(
        "The \(profile.name) changes its rate only every \(profile.scheduleStep) of the day.")
    }
  }

  /// A maximum that the pump reaches beside no rate of its schedule bounds nothing.
  private func checkMaximum(
    _ field: Field, _ scheduled: [InsulinRate], _ profile: PumpProfile
  ) {
    guard let number = field.node?.double, let highest = scheduled.last,
      case .percent(let percent, _) = profile.tempBasal.style
    else { return }
    let most = profile.tempBasal.greatestRate(of: highest)
    guard number > most.unitsPerHour, !field.problems.hasError(at: field.position) else { return }
    field.warning(
      code: LimitWords.code,
      "The \(profile.name) runs temp basals of at most \(percent) % of the schedule, so that the "
        + "app's go up to \(text(most.milliunitsPerHour)) U/h and never to maxBasal "
        + "(\(JSONField.shortText(number)) U/h).")
  }

  private func checkTempBasal(_ field: Field, _ profile: PumpProfile) {
    guard field.node?.members != nil else { return }
    check(field["rate"], profile.tempBasal.rates, "temp basal", profile)
  }

  /// A temp basal of a pump that runs whole percents of its schedule, which may be less than what
  /// is asked for, or out of reach.
  private func checkPercent(
    _ field: Field, _ scheduled: [InsulinRate], _ profile: PumpProfile
  ) {
    let rule = profile.tempBasal
    guard case .percent(let maximum, _) = rule.style,
      let number = field.node?.double, let wanted = InsulinRate(roundingUnitsPerHour: number),
      wanted > .zero, !field.problems.hasError(at: field.position)
    else { return }
    let given = scheduled.map { rule.rate(for: wanted, of: $0) }
    guard given.contains(where: { $0 != wanted }) else { return }
    let asked = text(wanted.milliunitsPerHour)
    guard given.contains(where: { $0 != nil }) else {
      guard !RefusalRules(root: root).isMeant else { return }
      field.warning(
        code: PlanWarnings.refused,
        "The \(profile.name) refuses a temp basal of \(asked) U/h: it runs at most \(maximum) % of "
          + "the schedule.")
      return
    }
    let changes = zip(scheduled, given).compactMap { rate, given -> String? in
      guard given != wanted else { return nil }
      let becomes = given.map { "becomes \(text($0.milliunitsPerHour)) U/h" } ?? "is refused"
      return "\(becomes) beside a schedule of \(text(rate.milliunitsPerHour)) U/h"
    }
    let more = changes.count > 3 ? ["and so on"] : []
    let follows = scheduled.count > 1 ? " It follows the schedule while it runs." : ""
    field.note(
      "The \(profile.name) runs temp basals in whole percents of the schedule, at most "
        + "\(maximum) %: \(asked) U/h \((changes.prefix(3) + more).joined(separator: ", "))."
        + follows)
  }

  /// A temp basal of a great percentage of the schedule, which some pumps cut off.
  private func checkCutOff(
    _ stated: Field, _ duration: Field, _ scheduled: [InsulinRate], _ profile: PumpProfile
  ) {
    let rule = profile.tempBasal
    guard let cutOff = rule.cutOff, let span = duration.span, let number = stated.node?.double,
      let rate = InsulinRate(roundingUnitsPerHour: number)
    else { return }
    let cut = scheduled.filter { rule.duration(span, of: rate, beside: $0) < span }
    guard let most = cut.last else { return }
    duration.warning(
      code: LimitWords.code,
      "The \(profile.name) runs temp basals above \(cutOff.above) % of the schedule for "
        + "\(cutOff.duration) at most, as \(text(rate.milliunitsPerHour)) U/h beside "
        + "\(cut.count < scheduled.count ? "up to " : "")\(text(most.milliunitsPerHour)) U/h.")
  }

  /// The different rates of the schedules that the pump has at some time, as they are written,
  /// where nothing scales them.
  private var scheduledRates: [InsulinRate] {
    guard !root["therapy"]["scale"]["basal"].exists else { return [] }
    // What is saved later or set wrongly is run from then on.
    let schedules =
      [root["therapy"]["basal"]] + root["events"].listed.map { $0["settings"]["basal"] }
      + root["faults"].listed.map { $0["pump"]["wrongPump"]["basal"] }
    var rates: Set<InsulinRate> = []
    for basal in schedules {
      for entry in 0..<(basal.node?.items?.count ?? 0) {
        // A longer chain makes the optimiser of Swift 6.3.1 crash.
        guard let node = basal[entry][1].node, let number = node.double,
          let rate = InsulinRate(roundingUnitsPerHour: number), rate > .zero
        else { continue }
        rates.insert(rate)
      }
    }
    return rates.sorted()
  }

  /// Where the schedule has what the pump cannot run.
  func place(of error: PumpError) -> Field {
    let basal = root["therapy"]["basal"]
    guard let items = basal.node?.items else { return root["patient"] }
    switch error {
    case .scheduleRateNotSupported(_, let entry, _, _, _) where items.indices.contains(entry):
      return basal[entry][1]
    case .scheduleEntryOffGrid(let time, _, _):
      let entry = items.indices.first { basal[$0][0].node?.string.flatMap(TimeOfDay.init) == time }
      return entry.map { basal[$0][0] } ?? basal
    default: return basal
    }
  }

  /// A bolus that the pump can only give a part of: what is asked for is rounded down, as people's
  /// apps and pumps do it.
  private func checkBolus(_ field: Field, _ profile: PumpProfile) {
    guard let number = field.node?.double, number > 0, number <= 1_000 else { return }
    let asked = Int64((number * 1_000).rounded())
    let given = profile.bolusVolumes.floor(asked)
    guard given < asked, asked <= profile.bolusVolumes.maximum else { return }
    let step = text(profile.bolusVolumes.step(at: asked))
    let whole = text(asked)
    let part = given > 0 ? "\(text(given)) U of the \(whole) U are" : "nothing of the \(whole) U is"
    field.note("The \(profile.name) gives boluses in steps of \(step) U: \(part) given.")
  }

  /// A bolus that the pump cuts; where the app's maximum is lower, the app has cut it before.
  private func checkLimit(
    _ field: Field, by requester: BolusRequester, _ profile: PumpProfile, maximumOfApp: Double
  ) {
    let most = Double(profile.bolusVolumes.maximum) / 1_000
    guard let units = field.node?.double, units > most,
      !requester.goesThroughApp || maximumOfApp > most
    else { return }
    let largest = text(profile.bolusVolumes.maximum)
    field.warning(
      code: LimitWords.code,
      "The \(profile.name) gives no bolus above \(largest) U; the rest is not given.")
  }

  private func text(_ thousandths: Int64) -> String {
    FixedDecimal.text(thousandths: thousandths, atLeast: 2)
  }

  private func check(
    _ field: Field, _ steps: SupportedSteps, _ what: String, _ profile: PumpProfile
  ) {
    guard let number = field.node?.double, number >= 0, number <= 1e6 else { return }
    let rate = Int64((number * 1_000).rounded())
    guard !steps.contains(rate), (number * 1_000 - Double(rate)).magnitude < 1e-6 else { return }
    if rate > steps.maximum {
      field.error(
        """
        A \(what) of \(text(rate)) U/h is above the \(text(steps.maximum)) U/h of the \
        \(profile.name).
        """)
    } else {
      let accepted = steps.rates(about: InsulinRate(milliunitsPerHour: rate))
      field.error(
        """
        A \(what) of \(text(rate)) U/h is not what the \(profile.name) can do: \(accepted).
        """)
    }
  }
}
