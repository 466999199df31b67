internal import ClosedLoop
internal import Dosing
internal import Physiology
internal import Quantities
internal import ScenarioLanguage
internal import Simulation
internal import StructuredText

/// Insulin by a person.
enum InsulinEvents {
  /// Boluses, injections, and what a person does to the basal delivery.
  static let kinds: [EventKind] = [
    EventKind(
      "bolus", "A bolus through the pump; it has `units`, `take` or `calculator`.",
      .event { bolus(&$0) }),
    EventKind(
      "injection", "Insulin from a pen or syringe.",
      beside: {
        $0.optional(
          "entry", .either(Form.only(false).map { _, _ in { _, _, _ in [] } }, log),
          else: "the truth, at once, by `Pen`", "What is logged of it; `false` for nothing.")
      }
    ) { entry in .event { injection(&$0, entry) } },
    EventKind(
      "basal", "A temp basal that the user sets, or `{ cancel: true }`.",
      .either(.event { noTempBasal(&$0) }, .event { tempBasal(&$0) })),
    EventKind(
      "suspend", "The user suspends delivery.",
      .either(Form.only(true).does { _ in .suspend }, .event { suspension(&$0) })),
    EventKind("resume", "The user resumes delivery.", Form.mark.does { _ in .resume }),
  ]

  // MARK: - Boluses

  /// A bolus through the pump; one of which the record states another time is two events.
  private static func bolus(_ keys: inout Keys) -> ObjectMaker {
    let units = keys.optional("units", .units(0...100), "How much is asked for.")
    let take = keys.optional(
      "take", .words([("recommended", true)]), "What the app recommends is taken.")
    let calculator = keys.optional(
      "calculator", .object { calculation(&$0) },
      "What a bolus calculator advises by the settings in force and the newest glucose value, as "
        + "pumps and meters have one: grams / CR + (glucose - target) / ISF - IOB.")
    let scale = keys.key(
      "scale", .number(0...10), default: "1.0", "A factor on what is recommended or advised.")
    let cap = keys.optional(
      "cap", .units(0...100), else: "none", "The most that is taken of it.")
    let least = keys.key(
      "minUnits", .units(0...30), default: "0",
      "The smallest amount recommended or advised that is taken; one that is left out beside "
        + "`take` is that of `app.manualBolusAccept`, where there is one.")
    let by = keys.key(
      "by", .words(BolusRequester.inPerson.map { ($0.rawValue, $0) }), default: "'user'",
      "Who asks. `quick` and `pump` are on the pump itself, which knows no `maxBolus`.")
    let cancelAt = keys.optional(
      "cancelAt", Form(.time) { $0.timeInRun() }, else: "never",
      "When someone cancels it; spans count from the bolus. One that a slip makes late is "
        + "cancelled later by as much.")
    let reported = keys.optional(
      "reported", .object { report(&$0) }, else: "the truth",
      "What the record says, where it is wrong.")
    return { field, on throws(UnusableKey) in
      if !field[take.name].exists, !field[calculator.name].exists {
        for key in [scale.name, cap.name, least.name] {
          field[key].warnOfNoEffect("\"\(key)\" has no effect on a bolus of stated units.")
        }
      }
      var cancelAfter: TimeSpan?
      if let cancelled = field[cancelAt] {
        guard cancelled > on.instant else {
          field[cancelAt.name].error("A bolus is cancelled after it is asked for.")
          return []
        }
        cancelAfter = cancelled - on.instant
      }
      let amount: BolusRequest.Amount
      if field[take.name].exists {
        amount = .recommended(scale: field[scale], cap: field[cap]?.units)
        guard field[take] != nil else { return [] }
      } else if field[calculator.name].exists {
        guard let made = field[calculator] else { return [] }
        amount = .calculated(made, scale: field[scale], cap: field[cap]?.units)
      } else {
        guard let asked = field.needed(units) else { return [] }
        amount = .units(asked.units)
      }
      let told = field[reported]
      if told != nil {
        field[cancelAt.name].warnOfNoEffect(
          "\"cancelAt\" has no effect on a bolus whose report is stated.")
      }
      var request = BolusRequest(
        amount, by: field[by], cancelAfter: cancelAfter, reported: told?.units,
        minimumUnits: field[units.name].exists ? 0 : field[least].units,
        name: on.item[EventKeys.shared.id.name].exists ? on.id : "request")
      guard let told, let recorded = told.at else { return [on.event(.bolus(request))] }
      request.reported = .zero
      return [on.event(.bolus(request)), on.event(.recordBolus(told.units), at: recorded)]
    }
  }

  /// A calculator and what it is told.
  private static func calculation(_ keys: inout Keys) -> Maker<BolusCalculator> {
    let grams = keys.key("grams", .grams, default: "0", "The carbohydrates that were counted.")
    let target = keys.optional(
      "target", .glucose(40...400), else: "the middle of the correction range",
      "What a correction aims at.")
    let above = keys.optional(
      "correctAbove", .glucose(40...600), else: "`target`",
      "The glucose above which there is a correction.")
    let counts = keys.key(
      "insulinOnBoard", .bool, default: "true",
      "Whether the app's insulin on board is taken off the correction; without an app, and "
        + "while the phone is off, what still acts of boluses and injections.")
    return { field in
      if let aim = field[target], let limit = field[above], limit < aim {
        field[above.name].warnOfNoEffect(
          "\"correctAbove\" has no effect below \"target\": glucose is corrected above that alone.")
      }
      return BolusCalculator(
        carbohydrates: field[grams], target: field[target], correctsAbove: field[above],
        countsInsulinOnBoard: field[counts])
    }
  }

  /// What the record says of a bolus.
  private struct Report: Sendable {
    var units: InsulinAmount
    var at: Instant?
  }

  private static func report(_ keys: inout Keys) -> Maker<Report> {
    let units = keys.required("units", .units(0...50), "The amount that the record says.")
    let at = keys.optional(
      "at", Form(.time) { $0.timeInRun() }, else: "the truth",
      "The time that the record says; spans count from the bolus.")
    return { field throws(UnusableKey) in Report(units: try field[units], at: field[at]) }
  }

  // MARK: - Injections

  /// Makes the record of an injection of so much.
  private typealias LogMaker =
    (_ insulin: InsulinFormulation, _ units: InsulinAmount, Occasion) -> [ScenarioEvent]

  /// An injection with pen or syringe, and what the health store or the app learns of it.
  private static func injection(_ keys: inout Keys, _ entry: Key<LogMaker?>) -> ObjectMaker {
    let units = keys.required("units", .units(0...300), "How much.")
    let insulin = keys.key("insulin", .injected, default: "'humalog'", "Which insulin.")
    let site = keys.optional("site", .text, "Where, for reports.")
    return { field, on throws(UnusableKey) in
      let (amount, insulin) = (try field[units], field[insulin])
      let name = field[site].map { "\(insulin.id) (\($0))" } ?? insulin.id
      let injected = on.event(.inject(units: amount.units, formulation: insulin, name: name))
      let record = on.item[entry] ?? log.read(on.item.emptyObject(entry.name))
      return [injected] + (record?(insulin, amount, on) ?? [])
    }
  }

  private static let log = Form<LogMaker>.object { keys in
    let at = keys.optional(
      "at", Form(.time) { $0.timeInRun() }, else: "with the injection", "When it is logged.")
    let units = keys.optional("units", .units(0...300), else: "the truth", "The units logged.")
    let insulin = keys.optional(
      "insulin", .injected, else: "the truth", "The insulin logged.")
    let isInApp = keys.key(
      "in", .words([("healthStore", false), ("app", true)]), default: "'healthStore'",
      "Where: another app writes it to the health store, or the person logs it in the "
        + "closed-loop app itself.")
    let source = keys.key(
      "source", .text, default: "'Pen'", "The name of the other app that logs it.")
    return { field in
      { injected, amount, on in
        let (told, units) = (field[insulin] ?? injected, field[units] ?? amount)
        let instant = field[at] ?? on.instant
        guard field[isInApp] else {
          if field[source] == "Loop" {
            field[source.name].warning(
              code: LimitWords.code,
              "This is another app that is called Loop; what the person logs in the closed-loop "
                + "app itself is written in: 'app'.")
          }
          return [
            .logged(
              told, units: units, taken: on.instant, at: instant, id: on.id,
              source: field[source])
          ]
        }
        guard let type = InsulinType(rawValue: told.id) else {
          let known = InsulinType.allCases.map(\.rawValue).joined(separator: ", ")
          field.error("\"\(told.id)\" cannot be logged in the app; it knows \(known).")
          return []
        }
        field[source.name].warnOfNoEffect(
          "\"source\" has no effect on a dose that is logged in the app.")
        let dose = ScenarioEvent.Action.logDose(
          units: units.units, takenAt: on.instant, insulin: type)
        return [on.event(dose, at: instant)]
      }
    }
  }

  // MARK: - Basal

  private static func noTempBasal(_ keys: inout Keys) -> ObjectMaker {
    let cancel = keys.required("cancel", .only(true), "The running temp basal ends.")
    return { field, on throws(UnusableKey) in
      _ = try field[cancel]
      return [on.event(.cancelTempBasal)]
    }
  }

  private static func tempBasal(_ keys: inout Keys) -> ObjectMaker {
    let rate = keys.required(
      "rate", .rate(0...50),
      "The rate; a pump that thinks in percent runs the part of its schedule that it is then, and "
        + "so follows the schedule while it runs.")
    let duration = keys.required("duration", .duration(.minutes(1)...(.days(1))), "How long.")
    return { field, on throws(UnusableKey) in
      let (asked, duration) = (try field[rate], try field[duration])
      // All events are looked at for one alone that is above the maximum of the therapy.
      if let stated = on.root["therapy"]["maxBasal"].rate(), asked > stated,
        let largest = on.root.largestMaximumBasal,
        let maximum = InsulinRate(roundingUnitsPerHour: largest), asked > maximum
      {
        field[rate.name].error(
          "A temp basal of \(asked) is above the maximum basal rate of \(maximum). Lower it, or "
            + "raise \"therapy.maxBasal\".")
        return []
      }
      return [on.event(.tempBasal(asked, duration: duration))]
    }
  }

  private static func suspension(_ keys: inout Keys) -> ObjectMaker {
    let duration = keys.optional(
      "duration", .duration(.minutes(1)...(.days(2))), else: "until resumed",
      "After which it resumes, unless delivery was resumed or suspended anew before.")
    return { field, on in
      [on.event(.suspend)]
        + (field[duration].map { [on.event(.resume, at: on.instant + $0)] } ?? [])
    }
  }
}

extension ScenarioEvent {
  /// Insulin from elsewhere as another app logs it in the health store.
  static func logged(
    _ insulin: InsulinFormulation, units: InsulinAmount, taken: Instant, at instant: Instant,
    id: String, source: String
  ) -> ScenarioEvent {
    let content: HealthStoreWrite.Content =
      insulin.countsAsInsulinOnBoard
      ? .bolus(units: units.units, insulin: InsulinType(rawValue: insulin.id)?.sampleName)
      : .basal(units: units.units, duration: .zero)
    return ScenarioEvent(
      at: instant, id: id,
      .writeToHealthStore(HealthStoreWrite(content, start: taken, source: source)))
  }
}

extension Form where Value == InsulinFormulation {
  /// An insulin that a person can inject or inhale.
  static var injected: Self { .words(InsulinFormulation.catalogue.map { ($0.id, $0) }) }
}
