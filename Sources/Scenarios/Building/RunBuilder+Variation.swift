internal import Determinism
internal import Physiology
internal import Quantities
internal import Simulation
internal import StructuredText

/// What varies in the body: by the clock, by chance, and by illness.
extension RunBuilder {
  /// Whether an event makes something vary.
  var hasVaryingEvents: Bool {
    (root["events"].node?.items ?? []).contains { event in
      EventKind.varyingKinds.contains { event[$0.name] != nil }
    }
  }

  /// What varies in the body from its first day on.
  func modulators(_ patient: Field, model: String) -> [Modulator] {
    let modulators =
      variability(patient["variability"]) + pattern(patient["pattern"]) + dawn(patient["dawn"])
      + circadian(patient["circadian"])
    let idle = [
      patient["pattern"]["insulinAbsorption"],
      patient["variability"]["withinDay"]["insulinAbsorption"],
      patient["variability"]["betweenDays"]["insulinAbsorption"],
    ]
    for field in idle where field.exists && model == "tidepool-simple" {
      field.warning(
        code: "W-NOEFFECT",
        "\"\(field.path)\" has no effect: in tidepool-simple no insulin lies under the skin.")
    }
    return modulators
  }

  /// Chance in the body: each deviation is drawn from a stream of its own.
  private func variability(_ field: Field) -> [Modulator] {
    guard field.exists else { return [] }
    field.allowOnly([
      "sensitivitySD", "correlation", "withinDay", "betweenDays", "oscillation",
    ])
    let correlation = field.standard("correlation") { $0.duration() }
    func wander(_ target: Modulator.Target, _ sigma: Double, stream name: String) -> Modulator {
      Modulator(
        target, .wander(sigma: sigma, correlationTime: correlation),
        stream: RandomStream(seed: seed, name: name))
    }
    var modulators: [Modulator] = []
    if let sigma = field["sensitivitySD"].number(), sigma > 0 {
      modulators.append(wander(.insulinSensitivity, sigma, stream: "patient"))
    }
    for (target, sigma) in deviations(field["withinDay"]) {
      modulators.append(wander(target, sigma, stream: "patient.withinDay.\(target.rawValue)"))
    }
    for (target, sigma) in deviations(field["betweenDays"]) {
      let name = "patient.betweenDays.\(target.rawValue)"
      modulators.append(
        Modulator(
          target, .daily(sigma: sigma), stream: RandomStream(seed: seed, name: name)))
    }
    if field["sensitivitySD"].exists, field["withinDay"]["insulinSensitivity"].exists {
      field["sensitivitySD"].error(
        "\"sensitivitySD\" and \"withinDay.insulinSensitivity\" are the same. Remove one of them.")
    }
    if field["correlation"].exists, modulators.allSatisfy({ !$0.course.wanders }) {
      field["correlation"].warning(
        code: "W-NOEFFECT",
        "\"correlation\" has no effect without \"sensitivitySD\" or \"withinDay\".")
    }
    return modulators + oscillation(field["oscillation"])
  }

  /// The deviations by what they are of, in the order of the targets.
  private func deviations(_ field: Field) -> [(Modulator.Target, Double)] {
    guard field.exists else { return [] }
    field.allowOnly(Modulator.Target.allCases.map(\.rawValue))
    return Modulator.Target.allCases.compactMap { target in
      guard let sigma = field[target.rawValue].number(), sigma > 0 else { return nil }
      return (target, sigma)
    }
  }

  private func oscillation(_ field: Field) -> [Modulator] {
    guard field.exists else { return [] }
    field.allowOnly(["of", "amplitude", "period", "crest"])
    let target = field.standard("of") { $0.choice(Modulator.Target.self) }
    let amplitude = field.required("amplitude").number()
    let period = field.standard("period") { $0.duration() }
    let crest = field["crest"].exists ? field["crest"].time() : root.context.start
    guard let amplitude, let crest else { return [] }
    return [
      Modulator(target, .sinusoid(amplitude: amplitude, period: period, crest: crest))
    ]
  }

  /// Factors by the time of day.
  private func pattern(_ field: Field) -> [Modulator] {
    guard field.exists else { return [] }
    field.allowOnly(Modulator.Target.allCases.map(\.rawValue))
    return Modulator.Target.allCases.compactMap { target in
      guard field[target.rawValue].exists,
        let schedule = field[target.rawValue].schedule({ $0.number() })
      else { return nil }
      return Modulator(target, .dayPattern(schedule))
    }
  }

  private func dawn(_ field: Field) -> [Modulator] {
    guard field.exists else { return [] }
    field.allowOnly(["amplitude"])
    guard let amplitude = field.required("amplitude").number() else { return [] }
    return [.dawn(amplitude: amplitude)]
  }

  /// A published pattern of sensitivity over the day, chosen or drawn.
  private func circadian(_ field: Field) -> [Modulator] {
    guard field.exists else { return [] }
    field.allowOnly(["class"])
    let choice = field.required("class")
    var pattern: CircadianClass?
    if choice.node?.string != nil {
      guard choice.choice(of: ["drawn"]) != nil else { return [] }
      var stream = RandomStream(seed: seed, name: "patient.circadian.class")
      pattern = CircadianClass.draw(from: &stream)
    } else if let number = choice.integer() {
      pattern = CircadianClass.all[Int(number) - 1]
    }
    guard let pattern else { return [] }
    return [
      Modulator(
        .insulinSensitivity, .circadian(pattern),
        stream: RandomStream(seed: seed, name: "patient.circadian"))
    ]
  }

  // MARK: - Events

  /// The events with the factors on insulin sensitivity multiplied where several hold at a time.
  ///
  /// Each sickness begins and ends with an event of one id; the end of one leaves the others.
  static func multiplyingResistances(_ events: [ScenarioEvent]) -> [ScenarioEvent] {
    var events = events
    var active: [(id: String, factor: Double)] = []
    // At one instant the order of the file holds, as Swift's sorting is stable.
    let inTime = events.indices.sorted { events[$0].instant < events[$1].instant }
    for index in inTime {
      guard case .apply(.insulinSensitivity(let factor), let name) = events[index].action else {
        continue
      }
      if let place = active.firstIndex(where: { $0.id == events[index].id }) {
        active.remove(at: place)
      } else {
        active.append((events[index].id, factor))
      }
      let product = active.reduce(1) { $0 * $1.factor }
      events[index].action = .apply(.insulinSensitivity(factor: product), name: name)
    }
    return events
  }
}

extension Modulator.Course {
  /// Whether it is a random walk, which has a correlation time.
  var wanders: Bool {
    if case .wander = self { true } else { false }
  }
}
