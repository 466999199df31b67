internal import Physiology
internal import Quantities
internal import ScenarioLanguage
internal import Simulation
internal import StructuredText

/// What a person does, and what happens to the body.
enum PersonEvents {
  /// Exercise and resistance, and what a person does with the app beside food and insulin.
  static let kinds: [EventKind] = [
    EventKind(
      "closedLoop", "The user switches the loop on or off.", Form.bool.does { .setClosedLoop($0) }),
    PresetEvents.preset,
    EventKind(
      "exercise",
      "The body exercises, of several times at once the hardest; the app learns nothing.",
      .event { exercise(&$0) }),
    EventKind(
      "settings", "Other settings from that moment on; as in `therapy` and `app`.",
      Form<SettingsChange>.object { keys in
        keys.include(TherapyBlock.changes)
        return { field in
          var change = SettingsChange()
          TherapyBlock.changes.change(&change, by: field)
          return change
        }
      }.does { .changeSettings($0) }),
    EventKind("delete", "The user deletes entries.", .event { deletion(&$0) }),
    EventKind("fingerstick", "A measurement with a meter.", .event { fingerstick(&$0) }),
    EventKind(
      "insulinResistance", "Insulin acts less, as in an illness, or more.",
      .event { resistance(&$0) }),
    EventKind("remark", "A row in the timeline and nothing else.", Form.text.does { .remark($0) }),
  ]

  // MARK: - Exercise

  /// Exercise, by heart rate or by intensity; the app learns nothing of it.
  ///
  /// Metabolic equivalents from 1 to 10 are the share of the reserve of oxygen uptake, which goes
  /// with that of the heart rate (American College of Sports Medicine, Guidelines for Exercise
  /// Testing and Prescription).
  private static func exercise(_ keys: inout Keys) -> ObjectMaker {
    let heartRate = keys.optional(
      "heartRate", .number(30...250, "1/min"), "The heart rate meanwhile.")
    let mets = keys.optional(
      "mets", .number(1...25, "MET"), "The intensity in metabolic equivalents.")
    let intensity = keys.key(
      "intensity", .words([("light", 0.3), ("moderate", 0.5), ("high", 0.75)]),
      default: "'moderate'", "How hard.")
    let duration = keys.required("duration", .duration(.minutes(1)...(.days(1))), "How long.")
    keys.refuse(
      "effect", .unread(.map(.anyNumber)), "{}", "Parameters of the effect by name.",
      because: "Exercise acts by the equations of the body's model; "
        + "\"patient.parameters\" sets their parameters.")
    return { field, on throws(UnusableKey) in
      let duration = try field[duration]
      var share = field[intensity]
      guard let heart = HeartRates.ofBody(in: on.root) else {
        // Of a body that is missing that is said.
        guard let model = on.root["patient"]["model"].node?.string else { return [] }
        field.warnOfNoEffect(
          """
          Exercise has no effect: the model \(model) has none. Use uva-padova-s2013, hovorka or \
          bergman.
          """)
        return []
      }
      if let rate = field[heartRate] {
        share = (rate - heart.resting) / (heart.maximum - heart.resting)
        if !(0...1).contains(share) {
          field[heartRate.name].error(
            """
            A heart rate of \(JSONField.shortText(rate)) is not between this body's \
            \(JSONField.shortText(heart.resting)) at rest and \
            \(JSONField.shortText(heart.maximum)) at most. \
            "patient.heartRate" states others.
            """)
          return []
        }
        field[intensity.name].warnOfNoEffect("\"intensity\" has no effect beside \"heartRate\".")
      } else if let equivalents = field[mets] {
        share = min(1, (equivalents - 1) / 9)
        if equivalents > 10 {
          field[mets.name].warnOfNoEffect(
            "More than 10 MET have no effect: with 10 the heart beats at its highest rate.")
        }
      }
      if share == 0 {
        field.warnOfNoEffect("Exercise has no effect: at this intensity the body is at rest.")
      }
      return [
        on.event(.apply(.exercise(intensity: share), name: on.id)),
        on.event(
          .apply(.exercise(intensity: 0), name: "\(on.id) ends"), at: on.instant + duration),
      ]
    }
  }

  // MARK: - Insulin resistance

  /// Sickness or insulin resistance: insulin works `1/scale` as well for a while.
  private static func resistance(_ keys: inout Keys) -> ObjectMaker {
    let scale = keys.required("scale", .number(0.05...10), "The factor on insulin needs.")
    let duration = keys.required("duration", .duration(.minutes(1)...(.days(30))), "How long.")
    return { field, on throws(UnusableKey) in
      let (factor, duration) = (1 / (try field[scale]), try field[duration])
      return [
        on.event(.apply(.insulinSensitivity(factor: factor), name: on.id)),
        on.event(
          .apply(.insulinSensitivity(factor: 1), name: "\(on.id) ends"),
          at: on.instant + duration),
      ]
    }
  }

  // MARK: - Deletions

  private static func deletion(_ keys: inout Keys) -> ObjectMaker {
    let place = keys.required("from", .choice(DeletionRequest.Place.self), "Where.")
    let match = keys.key(
      "match", .object { entries(&$0) }, default: "{}", "Which entries.")
    return { field, on throws(UnusableKey) in
      var request = field[match]
      request.place = try field[place]
      if request.place == .eventHistory, !request.isInEventHistory {
        field[match.name]["kind"].warnOfNoEffect(
          "There is nothing to delete: the event history tells of boluses, temp basals and "
            + "suspensions, and never of \(request.kind.rawValue).")
      }
      if let from = request.from, from > on.instant {
        field[match.name]["between"].warnOfNoEffect(
          "\"between\" begins after the deletion, when nothing is there yet. A time of day is the "
            + "next one after the event; write the day too, such as 'd0 12:00'.")
      }
      return [on.event(.delete(request))]
    }
  }

  /// Which entries are deleted; where is said beside it.
  private static func entries(_ keys: inout Keys) -> Maker<DeletionRequest> {
    let kind = keys.key(
      "kind", .choice(DeletionRequest.Kind.self), default: "'any'", "Which kind of entry.")
    let last = keys.optional(
      "last", .integer(1...10_000), else: "1 without `id`, `between` and `all`, else all",
      "Only the latest so many, of all kinds together.")
    let between = keys.optional(
      "between", .window, else: "any time", "Only those that start in this time.")
    let id = keys.optional("id", .text, else: "any", "Only what the event of this `id` made.")
    let all = keys.key("all", .bool, default: "false", "All that match, and not only the last.")
    return { field in
      var request = DeletionRequest(place: .both, kind: field[kind])
      request.id = field[id]
      if !field[all], request.id == nil, !field[between.name].exists { request.last = 1 }
      if let last = field[last] { request.last = last }
      if let window = field[between] {
        request.from = window.lowerBound
        request.through = window.upperBound
      }
      return request
    }
  }

  // MARK: - Measurements

  private static func fingerstick(_ keys: inout Keys) -> ObjectMaker {
    let value = keys.optional(
      "value", .reading(10...600), else: "the truth", "What the meter shows.")
    let error = keys.key(
      "error", .number(-90...200, "%"), default: "0", "Its error, in place of `value`.")
    let log = keys.key(
      "entry",
      .either(
        Form.bool.map { isTaken, _ in isTaken ? .meter : FingerstickRequest.Log.none },
        .choice(FingerstickRequest.Log.self)), default: "true",
      "Who takes it down: `meter` or true is the meter's app, in the health store; `app` is the "
        + "bolus screen of the closed-loop app, which stores it as its own; `none` or false is "
        + "nobody.")
    return { field, on in
      let request = FingerstickRequest(
        value: field[value], relativeError: field[error] / 100, log: field[log])
      return [on.event(.fingerstick(request))]
    }
  }
}
