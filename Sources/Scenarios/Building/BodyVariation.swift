internal import Determinism
internal import Physiology
internal import Quantities
internal import ScenarioLanguage
internal import Simulation
internal import StructuredText

/// What varies in a body by the clock and by chance.
struct BodyVariation: Sendable {
  /// A value for each of the things that can be multiplied in a body, as far as it is stated.
  typealias Targets<Value> = [(target: Modulator.Target, value: Value)]

  /// A regular swing.
  struct Oscillation: Sendable {
    var target: Modulator.Target
    var amplitude: Double
    var period: TimeSpan
    var crest: Instant?
  }

  /// A published pattern of sensitivity over the day.
  enum Circadian: Sendable {
    case number(Int)
    case drawn
  }

  /// The deviation of insulin sensitivity within the day.
  var sensitivityDeviation: Double?
  /// How long a deviation within the day lasts.
  var correlation = TimeSpan.hours(3)
  var withinDay: Targets<Double> = []
  var betweenDays: Targets<Double> = []
  var oscillation: Oscillation?
  /// Factors by the time of day.
  var pattern: Targets<DailySchedule<Double>> = []
  /// By which part glucose production is up in the morning.
  var dawn: Double?
  var circadian: Circadian?

  static let block = Block<Self> {
    $0.object(
      "variability", else: "{}", "Chance in the body; each deviation has a stream of its own."
    ) { variability(&$0) }
    $0.set(
      \.pattern, "pattern", targets(.schedule(.number(0.05...10)), "1 all day", "The factor on"),
      else: "{}", "Factors by the time of day, with smooth passages of half an hour.")
    $0.set(
      optional: \.dawn, "dawn",
      .object {
        $0.only(
          "amplitude", .number(0...2),
          "By which part glucose production is up at 07:00, having risen since 03:00."
        ) { $0 }
      }, else: "none", "A dawn phenomenon: production is back to its own value at 10:00.")
    $0.set(
      optional: \.circadian, "circadian",
      .object {
        let pattern = $0.required(
          "class",
          .either(
            Form.integer(1...CircadianClass.all.count).map { number, _ in .number(number) },
            .words([("drawn", Circadian.drawn)])),
          "The number of the pattern, or one drawn by the published shares.")
        return { field throws(UnusableKey) in try field[pattern] }
      }, else: "none",
      "One of seven published patterns of insulin sensitivity at breakfast, lunch and dinner, with "
        + "chance from day to day.")
  }

  private static func variability(_ it: inout Properties<Self>) {
    let deviation = Form.number(0...2)
    let deviations = targets(deviation, "0", "The deviation of")
    it.set(
      optional: \.sensitivityDeviation, "sensitivitySD", deviation, else: "0",
      "The deviation of insulin sensitivity within the day; short for "
        + "`withinDay.insulinSensitivity`.")
    it.set(
      \.correlation, "correlation", .duration(.minutes(5)...(.days(30))), default: "'3h'",
      "How long a deviation within the day lasts.")
    it.set(
      \.withinDay, "withinDay", deviations, else: "{}",
      "Deviations that wander: each is that of the natural logarithm of a factor whose median is "
        + "1, so that 0.2 is about a fifth.")
    it.set(
      \.betweenDays, "betweenDays", deviations, else: "{}",
      "Deviations of which each local day has one, of a logarithm alike.")
    it.set(
      optional: \.oscillation, "oscillation",
      .object {
        let target = $0.key(
          "of", .choice(Modulator.Target.self), default: "'insulinSensitivity'", "What oscillates.")
        let amplitude = $0.required("amplitude", .number(0...1), "By which part, up and down.")
        let period = $0.key(
          "period", .duration(.minutes(30)...(.days(40))), default: "'3h'", "From crest to crest.")
        let crest = $0.optional("crest", .time, else: "the start", "A time at which it is highest.")
        return { field throws(UnusableKey) in
          Oscillation(
            target: field[target], amplitude: try field[amplitude], period: field[period],
            crest: field[crest])
        }
      }, else: "none", "A regular swing, such as the menstrual cycle's or one of three hours.")
  }

  /// An object with a key for everything that can be multiplied in a body.
  private static func targets<Value>(
    _ form: Form<Value>, _ standard: String, _ meaning: String
  ) -> Form<Targets<Value>> {
    .object { keys in
      let described = Modulator.Target.allCases.map { target in
        let what =
          switch target {
          case .insulinSensitivity: "how well insulin works"
          case .glucoseProduction: "what the liver gives"
          case .gastricEmptying: "how fast food leaves stomach and gut"
          case .insulinAbsorption: "how fast insulin leaves the skin"
          }
        return (
          target, keys.optional(target.rawValue, form, else: standard, "\(meaning) \(what).")
        )
      }
      return { field in
        described.compactMap { target, key in field[key].map { (target, $0) } }
      }
    }
  }

  // MARK: - In a run

  /// What varies in the body from its first day on.
  ///
  /// - Parameters:
  ///   - patient: The block `patient`, for what has no effect.
  ///   - model: The body's model.
  ///   - seed: The seed of the run, from which the streams of chance are named.
  /// - Returns: The modulators, each with a stream of its own.
  func modulators(of patient: Field, model: String, seed: UInt64) -> [Modulator] {
    check(patient, model)
    func stream(_ name: String) -> RandomStream {
      RandomStream(seed: seed, name: "patient\(name)")
    }
    func wander(_ target: Modulator.Target, _ sigma: Double) -> Modulator {
      Modulator(
        target, .wander(sigma: sigma, correlationTime: correlation),
        stream: stream(".withinDay.\(target.rawValue)"))
    }
    var modulators: [Modulator] = []
    // The short form is the same, its chance included.
    if let sigma = sensitivityDeviation, sigma > 0 {
      modulators.append(wander(.insulinSensitivity, sigma))
    }
    for (target, sigma) in withinDay where sigma > 0 { modulators.append(wander(target, sigma)) }
    for (target, sigma) in betweenDays where sigma > 0 {
      modulators.append(
        Modulator(
          target, .daily(sigma: sigma), stream: stream(".betweenDays.\(target.rawValue)")))
    }
    let duration = patient["variability"]["correlation"]
    if modulators.allSatisfy({ !$0.course.wanders }) {
      duration.warnOfNoEffect(
        "\"correlation\" has no effect without \"sensitivitySD\" or \"withinDay\".")
    }
    if let swing = oscillation {
      modulators.append(
        Modulator(
          swing.target,
          .sinusoid(
            amplitude: swing.amplitude, period: swing.period,
            crest: swing.crest ?? patient.context.start)))
    }
    modulators += pattern.map { Modulator($0, .dayPattern($1)) }
    if let dawn { modulators.append(.dawn(amplitude: dawn)) }
    if let circadian {
      var chance = stream(".circadian.class")
      let pattern =
        switch circadian {
        case .number(let number): CircadianClass.all[number - 1]
        case .drawn: CircadianClass.draw(from: &chance)
        }
      modulators.append(
        Modulator(.insulinSensitivity, .circadian(pattern), stream: stream(".circadian")))
    }
    return modulators
  }

  /// Says what has no effect, and what is the same twice.
  private func check(_ patient: Field, _ model: String) {
    let variability = patient["variability"]
    var idle = [patient["pattern"], variability["withinDay"], variability["betweenDays"]]
      .map { $0[Modulator.Target.insulinAbsorption.rawValue] }
    if oscillation?.target == .insulinAbsorption { idle.append(variability["oscillation"]) }
    for field in idle where field.exists && model == "tidepool-simple" {
      field.warnOfNoEffect(
        "\"\(field.path)\" has no effect: in tidepool-simple no insulin lies under the skin.")
    }
    if sensitivityDeviation != nil,
      withinDay.contains(where: { $0.target == .insulinSensitivity })
    {
      variability["sensitivitySD"].error(
        "\"sensitivitySD\" and \"withinDay.insulinSensitivity\" are the same. Remove one of them.")
    }
  }
}

extension Modulator.Course {
  /// Whether it is a random walk, which has a correlation time.
  fileprivate var wanders: Bool {
    if case .wander = self { true } else { false }
  }
}
