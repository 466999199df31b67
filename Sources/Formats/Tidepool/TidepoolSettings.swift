internal import Quantities
internal import StructuredText

/// Turns the controller of a simulation into limits of the therapy and settings of the app.
struct TidepoolSettings {
  let mode: ImportMode
  let problems: ProblemList

  /// The members of `therapy` and of `app`.
  func controller(_ simulation: TidepoolSimulation)
    -> (therapy: [JSONValue.Member], app: [JSONValue.Member])
  {
    guard let controller = simulation.controller else {
      return ([], [.init("closedLoop", false)])
    }
    switch controller.kind {
    case .loop, .pyLoopKit: break
    case .lowGlucoseSuspend, .none:
      let what =
        controller.kind == .none
        ? "The controller's name chooses none" : "Suspension at low glucose alone is not modelled"
      problems.add(
        .warning, .lost, at: controller.position, "\(what); the run is open loop.")
      return ([], [.init("closedLoop", false)])
    }
    if controller.kind == .pyLoopKit {
      problems.add(
        .note, .decided, at: controller.position,
        "PyLoopKit is replaced by the Loop algorithm, of which it is a port.")
    }
    let settings = controller.settings
    lint(settings, controller.kind)
    reportConstants(settings)
    reportAbsorption(settings, simulation)
    let maximumBolus = number(settings, "max_bolus")
    var therapy: [JSONValue.Member] = []
    func limit(_ name: String, _ key: String) {
      if let value = number(settings, key) {
        therapy.append(.init(name, ImportText.number(value)))
      }
    }
    let threshold =
      mode == .asIntended && settings["glucose_safety_limit"].exists
      ? "glucose_safety_limit" : "suspend_threshold"
    if let value = number(settings, threshold) {
      // A threshold of 0 mg/dL is none.
      therapy.append(
        .init("suspendThreshold", value == 0 ? "none" : ImportText.number(value)))
    }
    limit("maxBasal", "max_basal_rate")
    limit("maxBolus", "max_bolus")
    therapy.append(.init("insulinModel", .string(insulin(settings["model"]))))
    return (therapy, app(settings, controller.kind, maximumBolus: maximumBolus))
  }

  private func app(
    _ settings: JSONField, _ kind: TidepoolSimulation.Controller.Kind, maximumBolus: Double?
  ) -> [JSONValue.Member] {
    let factor = number(settings, "partial_application_factor") ?? 0
    let isAutomatic = factor > 0
    var app: [JSONValue.Member] = [
      .init("closedLoop", true), .init("dosing", isAutomatic ? "automaticBolus" : "tempBasal"),
    ]
    if isAutomatic { app.append(.init("applicationFactor", ImportText.number(factor))) }
    if let midAbsorption = bool(settings["use_mid_absorption_isf"]), kind == .loop {
      app.append(.init("midAbsorptionISF", .bool(midAbsorption)))
    }
    let isStated =
      settings["max_active_insulin_multiplier"].exists
      || settings["max_active_insulin_modifier"].exists
    if let maximumBolus, kind == .loop || mode == .asIntended && isStated {
      let multiplier = activeInsulinMultiplier(settings)
      app.append(.init("maxActiveInsulin", ImportText.number(multiplier * maximumBolus)))
    }
    if let momentum = momentum(settings["includePositiveVelocityAndRC"], isAutomatic: isAutomatic) {
      app.append(.init("positiveMomentumAndRC", .bool(momentum)))
    }
    return app
  }

  /// How many maximum boluses of active insulin are allowed: 2 unless stated.
  private func activeInsulinMultiplier(_ settings: JSONField) -> Double {
    let modifier = settings["max_active_insulin_modifier"]
    if let multiplier = number(settings, "max_active_insulin_multiplier") {
      if let node = modifier.node, !node.isNull, node.double != multiplier {
        problems.add(
          .note, .ignored, at: modifier.position,
          "\"max_active_insulin_multiplier\" counts beside \"max_active_insulin_modifier\", and "
            + "not the latter's \(node.quoted).")
      }
      return multiplier
    }
    guard modifier.node?.isNull == false, let value = modifier.number(in: 0...10_000)
    else { return 2 }
    if value != 2 {
      problems.add(
        mode == .literal ? .warning : .note, .ignored, at: modifier.position,
        "The original program ignores \"max_active_insulin_modifier\" and uses 2"
          + (mode == .literal ? "." : "; the stated \(modifier.node?.quoted ?? "") is used here."))
    }
    return mode == .literal ? 2 : value
  }

  /// Whether glucose that rises on its own counts for automatic doses.
  private func momentum(_ field: JSONField, isAutomatic: Bool) -> Bool? {
    guard let stated = bool(field) else { return mode == .literal ? !isAutomatic : nil }
    let standard = !isAutomatic
    if stated != standard {
      problems.add(
        mode == .literal ? .warning : .note, .ignored, at: field.position,
        "The original program "
          + (stated ? "refuses" : "ignores")
          + " \"includePositiveVelocityAndRC\": \(stated) and uses \(standard)"
          + (mode == .literal ? "." : "; the stated value is used here."))
    }
    return mode == .literal ? standard : stated
  }

  private func insulin(_ field: JSONField) -> String {
    guard let node = field.node else { return "rapidActingAdult" }
    let pair = node.items?.compactMap(\.double) ?? []
    let name =
      pair.count == 2
      ? TidepoolInsulin.name(duration: pair[0], peak: pair[1])
      : node.string.flatMap { TidepoolInsulin.name($0) }
    if let name { return name }
    problems.add(
      .warning, .lost, at: node.position,
      "The Loop algorithm has no insulin model \(node.quoted); rapidActingAdult is used.")
    return "rapidActingAdult"
  }

  private func number(_ settings: JSONField, _ key: String) -> Double? {
    let field = settings[key]
    guard let node = field.node, !node.isNull else { return nil }
    return field.number(in: 0...10_000)
  }

  /// The truth value of a setting that need not be there.
  private func bool(_ field: JSONField) -> Bool? {
    guard let node = field.node, !node.isNull else { return nil }
    return field.bool()
  }

  /// Settings for which Loop has constants of its own.
  private static let constants: [(key: String, values: [Double])] = [
    ("momentum_data_interval", [15]), ("recency_interval", [15]), ("insulin_delay", [10]),
    ("carb_delay", [10]), ("rate_rounder", [0.05]),
    ("retrospective_correction_grouping_interval", [30]),
    ("retrospective_correction_integration_interval", [30]),
    ("minimum_autobolus", [0]), ("maximum_autobolus", [0]), ("max_physiologic_slope", [4]),
  ]

  /// Reports settings that differ from what is a constant in the Loop algorithm.
  private func reportConstants(_ settings: JSONField) {
    for (key, values) in Self.constants {
      guard let node = settings[key].node, !node.isNull else { continue }
      if let number = node.double, values.contains(number) { continue }
      problems.add(
        .warning, .lost, at: node.position,
        "\"\(key)\" is \(JSONField.shortText(values[0])) in the Loop algorithm; the stated "
          + "\(node.quoted) is left out.")
    }
  }

  /// Reports absorption times for entries that state none, where they are not those by which the
  /// original program and Loop go.
  private func reportAbsorption(_ settings: JSONField, _ simulation: TidepoolSimulation) {
    guard let node = settings["default_absorption_times"].node, !node.isNull,
      node.items?.map(\.double) != [120, 180, 240]
    else { return }
    let isAsked = simulation.reportedCarbs.contains(where: \.isUsual)
    problems.add(
      isAsked ? .warning : .note, isAsked ? .lost : .ignored, at: node.position,
      "\"default_absorption_times\" are left out; "
        + (isAsked
          ? "an entry that states no time is absorbed in 180 minutes."
          : "every entry states its own time."))
  }

  private static let loopIgnores = [
    "glucose_safety_limit", "dynamic_carb_absorption_enabled", "retrospective_correction_enabled",
  ]

  /// Reports settings that the original program does not use, where they differ from what Loop
  /// does.
  private func lint(_ settings: JSONField, _ kind: TidepoolSimulation.Controller.Kind) {
    for key in Self.loopIgnores {
      guard let node = settings[key].node, node.bool != true else { continue }
      let isUsed = key == "glucose_safety_limit" && mode == .asIntended
      problems.add(
        isUsed ? .note : .warning, isUsed ? .ignored : .lost, at: node.position,
        isUsed
          ? "The original program ignores \"\(key)\"; here it is the suspend threshold."
          : "\"\(key)\": \(node.quoted) has no counterpart in the Loop algorithm.")
    }
    let models = ["piecewiselinear", "piecewise_linear"]
    if let node = settings["carb_absorption_model"].node, !node.isNull, kind == .loop,
      !models.contains(node.string?.lowercased() ?? "")
    {
      problems.add(
        .note, .ignored, at: node.position,
        "The original program ignores \"carb_absorption_model\"; Loop's piecewise linear one is "
          + "used."
      )
    }
  }
}

/// The stage of a comparison that the name of a simulation states.
struct TidepoolStage {
  private let key: String

  init(_ name: String) {
    key = name.lowercased().replacing("_", with: "-").replacing("-", with: "")
  }

  /// The tag of the stage; none when the name states none.
  var tags: [JSONValue] { tag.map { [.string($0)] } ?? [] }

  /// `pre`, `noLoop` or `post`, whatever the letter case and the hyphens.
  var tag: String? {
    if key.hasPrefix("prenoloop") { return "noLoop" }
    if key.hasPrefix("preloopnomitigations") { return "pre" }
    if key.hasPrefix("postloopwithmitigations") { return "post" }
    return nil
  }
}
