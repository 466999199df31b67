internal import ClosedLoop
internal import Dosing
internal import Quantities
internal import Reports
internal import Simulation
internal import StructuredText

/// Says of a difference what it does: what each record has of the dose, and what insulin on board
/// makes of it.
struct DifferenceWords {
  let report: RunReport

  /// The consequence in one sentence, computed from the dose; `nil` where no single dose is behind
  /// it, and without an app, of which there are no other records to tell.
  func consequence(of index: Int) -> String? {
    let doses = report.doses.filter { $0.differences.contains(index) }
    guard report.run.hasApp, !doses.isEmpty, doses.count <= 12 else { return nil }
    func total(_ value: (DoseRow) -> Double?) -> Double? {
      let values = doses.compactMap(value)
      return values.isEmpty ? nil : values.reduce(0, +)
    }
    let (body, app, store) = (total(\.body), total(\.app), total(\.store))
    var parts: [String] = []
    if let body { parts.append("the body has \(units(body))") }
    parts.append(app.map { "the app counts \(units($0))" } ?? "the app counts nothing")
    parts.append(
      store.map { "the health store shows \(units($0))" } ?? "the health store shows nothing")
    var sentence = parts.joined(separator: ", ") + "."
    sentence = sentence.prefix(1).uppercased() + sentence.dropFirst()
    if let effect = effect(of: doses) { sentence += " " + effect }
    return sentence
  }

  private func units(_ value: Double) -> String { "\(RecordLanes.units(value)) U" }

  /// From when on the app does not count a dose that it may have counted; `nil` where it never did.
  ///
  /// Where no record tells when that was, it is when something was last taken away from the
  /// records: from then on what they lack is missing for certain.
  private func forgotten(_ dose: DoseRow) -> Instant? {
    guard dose.app == nil else { return nil }
    let deletions = [dose.deletedFromHistory, dose.deletedFromStore].compactMap(\.self)
    if let deletion = deletions.max() { return deletion }
    return report.run.trace.happenings.last {
      $0.instant >= dose.start && $0.takesRecordsAway
    }?.instant
  }

  /// By how much doses make insulin on board wrong an hour after the first of which the body got
  /// another amount than the app counts, or when the app forgets one later than that; of basal each
  /// pulse counts.
  private func effect(of doses: [DoseRow]) -> String? {
    // What came free late was counted before, with the dose that had waited.
    guard !doses.contains(where: { $0.kind == .released }) else { return nil }
    let counted = doses.filter { !$0.kind.isBasal }
    guard !isAtAnotherTime(counted), let lost = lostBasal(of: doses) else { return nil }
    let outside = counted.filter { $0.kind == .external }
    guard !outside.contains(where: isOfBasalInsulin) else { return nil }
    let amounts =
      counted.map { dose in
        AlgorithmInput.InsulinDose(
          type: .bolus, startDate: dose.start, endDate: dose.start,
          volume: (dose.body ?? 0) - (dose.app ?? 0), insulinModel: model(of: dose))
      } + lost
    guard let first = amounts.map(\.startDate).min() else { return nil }
    // What an app has with another amount it never forgot.
    let isKnown = counted.contains { $0.app != nil }
    let later = (isKnown ? [] : counted.compactMap(forgotten)).reduce(first + .hours(1), max)
    guard later <= report.run.end,
      let missing = try? LoopAlgorithm.insulinOnBoard(
        of: amounts.filter { $0.startDate <= later }, basal: [], at: later),
      missing.magnitude > 0.005
    else { return nil }
    let direction = missing > 0 ? "too low" : "too high"
    let day = report.date(later, withYear: false)
    let when = day == report.date(first, withYear: false) ? "" : "\(day) "
    return "At \(when)\(report.clock(later)) that makes insulin on board "
      + "\(units(missing.magnitude)) \(direction)."
  }

  /// What the body got more than the app counts in each pulse of doses of basal; `nil` where the
  /// app counts another amount than the pump, so that pulses do not tell it.
  private func lostBasal(of doses: [DoseRow]) -> [AlgorithmInput.InsulinDose]? {
    var lost: [AlgorithmInput.InsulinDose] = []
    for dose in doses where dose.kind.isBasal {
      // An app that has heard of nothing believes that the schedule ran.
      guard let pump = dose.pump, let app = dose.app ?? (dose.kind == .scheduledBasal ? pump : nil),
        (app - pump).magnitude < 0.0005
      else { return nil }
      for pulse in report.run.pulses(of: [.basal], after: dose.start, through: dose.end)
      where pulse.physicalUnits != pulse.recorded.units {
        lost.append(
          AlgorithmInput.InsulinDose(
            type: .bolus, startDate: pulse.instant, endDate: pulse.instant,
            volume: pulse.physicalUnits - pulse.recorded.units,
            insulinModel: report.run.pumpInsulinModel))
      }
    }
    return lost
  }

  /// How a bolus or a dose from outside acts.
  private func model(of dose: DoseRow) -> InsulinModel {
    guard dose.kind == .external else { return report.run.pumpInsulinModel }
    return injection(of: dose)?.countedModel
      ?? report.observation.settings.first?.therapy.rapidActingModel ?? .rapidActingAdult
  }

  /// Whether a dose from outside is of an insulin that no insulin on board counts.
  private func isOfBasalInsulin(_ dose: DoseRow) -> Bool {
    if let injection = injection(of: dose) { return injection.countedModel == nil }
    return report.run.insulinDelivery.contains {
      !$0.isFromPump && $0.start == dose.start && !$0.countsInInsulinOnBoard
    }
  }

  private func injection(of dose: DoseRow) -> InjectionRecord? {
    report.run.injections.first { $0.instant == dose.start && $0.units == dose.body }
  }

  /// Whether the app may have a dose from outside at another time, because the phone's clock was
  /// wrong: another difference is about what it has.
  private func isAtAnotherTime(_ doses: [DoseRow]) -> Bool {
    doses.contains { $0.kind == .external }
      && report.run.wrongClocks.contains { $0.owner == .phone }
  }
}

extension Happening {
  /// Whether records are gone from then on.
  fileprivate var takesRecordsAway: Bool {
    switch kind {
    case .deletion: true
    case .phone: name == "reinstall"
    case .healthStore: name == "wipe"
    default: false
    }
  }
}
