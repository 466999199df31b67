internal import ClosedLoop
internal import Dosing
internal import Quantities
internal import Simulation
internal import StructuredText

/// Says of a difference what it does: what each record has of the dose, and what insulin on board
/// makes of it.
struct DifferenceWords {
  let report: RunReport

  /// The consequence in one sentence, computed from the dose; `nil` where no single dose is behind
  /// it.
  func consequence(of index: Int) -> String? {
    let doses = report.doses.filter { $0.differences.contains(index) }
    guard !doses.isEmpty, doses.count <= 12 else { return nil }
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

  /// When the app forgot a dose that it had counted; `nil` where it did not.
  private func forgotten(_ dose: DoseRow) -> Instant? {
    guard dose.app == nil else { return nil }
    let isOfOldApp = dose.differences.contains {
      report.differences[$0].kind == .installedAnew
    }
    let anew = report.run.trace.happenings.last { $0.kind == .phone && $0.name == "reinstall" }
    return [dose.deletedFromHistory, dose.deletedFromStore, isOfOldApp ? anew?.instant : nil]
      .compactMap(\.self).max()
  }

  /// By how much insulin on board is wrong an hour after the dose, or when the app forgets it later
  /// than that, where the app counts another amount than the body got.
  private func effect(of doses: [DoseRow]) -> String? {
    let wrong = doses.filter {
      !$0.kind.isBasal && (($0.app ?? 0) - ($0.body ?? $0.app ?? 0)).magnitude > 0.0005
    }
    guard let first = wrong.first else { return nil }
    let model = report.observation.settings.first?.therapy.rapidActingModel ?? .rapidActingAdult
    let amounts = wrong.map { dose in
      AlgorithmInput.InsulinDose(
        type: .bolus, startDate: dose.start, endDate: dose.start,
        volume: (dose.body ?? 0) - (dose.app ?? 0), insulinModel: model)
    }
    // What was counted until it was deleted, or the app was installed anew, is missing from then.
    let later = wrong.compactMap(forgotten).reduce(first.start + .hours(1), max)
    guard later <= report.run.end,
      let missing = try? LoopAlgorithm.insulinOnBoard(of: amounts, basal: [], at: later),
      missing.magnitude > 0.005
    else { return nil }
    let direction = missing > 0 ? "too low" : "too high"
    let day = report.date(later, withYear: false)
    let when = day == report.date(first.start, withYear: false) ? "" : "\(day) "
    return "At \(when)\(report.clock(later)) insulin on board is \(units(missing.magnitude)) "
      + "\(direction)."
  }
}
