internal import Determinism
internal import Devices
internal import Quantities
internal import ScenarioLanguage
internal import Simulation
internal import StructuredText

/// The sensor of a run.
struct SensorChoice {
  var profile: SensorProfile
  var insertion: Instant
  var site: SensorSite
  /// What it shows in place of measuring.
  var recording: GlucoseRecording?
}

extension SensorChoice {
  /// Reads the block `cgm`; recorded readings may begin with the last one of the past.
  static func reading(_ root: Field, after past: PastOfRun) -> Self? {
    guard let choice = form.read(root.object("cgm"))?(past) else { return nil }
    let start = root.context.start
    let shown = choice.recording?.value(at: start)
    let idle = past.readings.count { $0.instant == start && $0.glucose != shown }
    if idle > 0 {
      root["history"]["glucose"].warnOfNoEffect(
        "\(WordList.counted(idle, "reading", "lies")) exactly at the start, where the sensor shows "
          + (shown == nil ? "its own." : "another."))
    }
    return choice
  }

  /// The sensor as the world begins, on the phone's clock, in a run with that seed.
  func sensor(clock: WallClock, seed: UInt64) -> GlucoseSensor {
    GlucoseSensor(
      profile: profile, insertedAt: insertion, clock: clock, seed: seed, recording: recording)
  }

  /// The size of the noise, where it is stated.
  private struct Noise: Sendable {
    var deviation: Double?
    var φ: Double
  }

  static let form = Form<(PastOfRun) -> SensorChoice?>.object { keys in
    let model = keys.optional(
      "model", .words(models.map { ($0, $0) }), else: "'ideal'",
      "How readings differ from truth, of the sensors as `loopsim sensors` lists them. `ar1` is "
        + "`generic` with the noise of `noise`, `gaussian` is `ideal` with independent noise, and "
        + "`trace` shows recorded readings unchanged.")
    let trace = keys.optional(
      "trace", PastOfRun.recorded,
      "The recorded readings of the model `trace`.")
    keys.include(profileBlock)
    let noise = keys.optional(
      "noise",
      .object {
        let deviation = $0.optional(
          "sd", .glucoseStep(0...100), else: "8; 5 for `gaussian`",
          "The deviation of the noise.")
        let φ = $0.key(
          "phi", .number(0...0.999), default: "0.88",
          "The correlation of readings five minutes apart, at any `interval`; 0 is none.")
        return { Noise(deviation: $0[deviation], φ: $0[φ]) }
      }, else: "{}", "The size of the noise, for `ar1` and `gaussian`.")
    let startedAt = keys.optional(
      "startedAt", .time, else: "warmed up at the start", "When the sensor was put in.")
    let site = keys.optional(
      "site", .choice(SensorSite.self),
      else: "`interstitium` where `lag` is `'0s'`, but for `ideal` and `trace`; else `plasma`",
      "Where it measures; `interstitium` uses the body model's own delay, where it has one, and "
        + "`lag` comes on top.")
    return { field in
      { past in
        guard let word = field[model.name].exists ? field[model] : "ideal" else { return nil }
        if word == "trace" { return recorded(field[trace.name], field[trace] ?? [], after: past) }
        var profile = SensorProfile.named(word) ?? .ideal
        switch word {
        case "ar1":
          profile = .generic
        case "gaussian":
          profile.error = .white(standardDeviation: field[noise]?.deviation ?? 5)
          field[noise.name].allowOnly(["sd"])
        default:
          field[noise.name].warnOfNoEffect(
            "\"cgm.noise\" has no effect: the model \(word) has its own noise.")
        }
        profileBlock.change(&profile, by: field)
        if word == "ar1" {
          profile.error = autoregressiveError(field[noise], every: profile.period)
        }
        if profile.warmUp >= profile.wear + profile.grace {
          field["warmUp"].warning(
            code: "W-NOEFFECT",
            "The sensor measures nothing: its life of \(profile.wear) is over before its warm-up "
              + "of \(profile.warmUp).")
        }
        let beginning = field.context.start - field.context.preRoll
        return SensorChoice(
          profile: profile, insertion: field[startedAt] ?? beginning - profile.warmUp,
          site: field[site]
            ?? (profile.lag == .zero && word != "ideal" ? .interstitium : .plasma))
      }
    }
  }

  /// The error models of a CGM, and the sensors on the market.
  private static let models =
    ["ideal", "ar1", "gaussian", "trace"]
    + SensorProfile.catalogue.map(\.id).filter { $0 != "ideal" }

  /// What a scenario may change of a sensor.
  private static let profileBlock = Block<SensorProfile> {
    $0.set(
      \.period, "interval", .duration(.seconds(5)...(.hours(1))),
      else: "the sensor's own, mostly `'5m'`",
      "The time between readings.")
    $0.set(
      \.lag, "lag", .duration(.zero...(.hours(1))),
      else: "the sensor's own: `'0s'` for `ideal`, `gaussian`, `mard9` and `trace`, else `'6m'`",
      "The delay of interstitial glucose behind blood.")
    $0.set(
      \.shown, "range",
      // A lower end of 10 is one of a sensor that shows all; an upper end of 22.2 is one in mmol/L.
      .glucoseRange(GlucoseConcentration.stated).map { range, field in
        guard range.lower < range.upper else {
          field.error("A sensor shows more than one value; its range has a lower and an upper end.")
          return nil
        }
        if let upper = field[1].node?.double { field[1].warnOfLimitInOtherUnit(upper) }
        return range
      }, else: "the sensor's own, mostly `[40, 400]`", "What the sensor can show.")
    $0.set(
      \.resolution, "rounding", .glucoseStep(0.01...50), else: "1",
      "The step of shown values.")
    $0.object("bias", else: "{}", "A constant error.") {
      $0.set(\.gain, "gain", .number(0.1...5), else: "1.0", "A factor on the reading.")
      $0.set(
        \.offset, "offset", .glucoseStep(-200...200), else: "0", "An addition to the reading.")
    }
    $0.set(
      \.warmUp, "warmUp", .duration(.zero...(.days(2))), else: "the sensor's own",
      "How long a new sensor is silent.")
    $0.set(
      \.wear, "life", .duration(.hours(1)...(.days(400))), else: "the sensor's own",
      "How long a sensor works.")
  }

  /// A sensor that shows what was recorded, from the beginning of the run on.
  private static func recorded(
    _ field: Field, _ readings: [PastReading], after past: PastOfRun
  ) -> SensorChoice {
    var profile = SensorProfile.ideal
    profile.id = "trace"
    profile.name = "Recorded readings"
    let (start, end) = (field.context.start, field.context.end)
    let beginning = start - max(field.context.preRoll, past.preRoll)
    // The reading at the very start belongs to the past in Loop's own files.
    let points = (readings + past.readings.filter { $0.instant == start }).map {
      GlucoseRecording.Point(instant: $0.instant, glucose: $0.glucose)
    }
    let late = points.count { $0.instant > end }
    if late > 0 {
      field.warnOfNoEffect(
        "\(WordList.counted(late, "reading", "lies")) behind the end of "
          + "the run.")
    }
    let early = readings.count { $0.instant < beginning }
    if early > 0 {
      field.warnOfNoEffect(
        "\(WordList.counted(early, "reading", "lies")) before the run, which begins at "
          + "\(field.context.wallClock.iso8601(beginning)). What the app had before it is written "
          + "as history.glucose.")
    }
    let doubled = readings.count - Set(readings.map(\.instant)).count
    if doubled > 0 {
      field.warnOfNoEffect(
        "\(WordList.counted(doubled, "reading", "has")) the time of "
          + "another one: the first at a time is shown.")
    }
    return SensorChoice(
      profile: profile, insertion: start - field.context.preRoll - .days(3), site: .plasma,
      recording: GlucoseRecording(points))
  }

  /// AR(1) noise of a sensor with that time between readings: those five minutes apart correlate
  /// with `phi`.
  private static func autoregressiveError(
    _ noise: Noise?, every period: TimeSpan
  ) -> SensorErrorModel {
    let (deviation, φ) = (noise?.deviation ?? 8, noise?.φ ?? 0.88)
    guard φ > 0 else { return .white(standardDeviation: deviation) }
    let minutes = -5 / PortableMath.log(φ)
    return .autoregressive(
      standardDeviation: deviation,
      correlationTime: .milliseconds(Int64((minutes * 60_000).rounded())), step: period)
  }
}

extension SensorProfile {
  /// What it can show.
  fileprivate var shown: GlucoseRange {
    get { GlucoseRange(lower: minimum, upper: maximum) }
    set {
      assert(newValue.lower < newValue.upper, "A range that is none is an error of the file.")
      (minimum, maximum) = (newValue.lower, newValue.upper)
    }
  }
}
