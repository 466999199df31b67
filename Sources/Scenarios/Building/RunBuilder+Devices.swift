internal import ClosedLoop
internal import Determinism
internal import Devices
internal import Dosing
internal import Quantities
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

extension RunBuilder {
  // MARK: - CGM

  /// Reads the block `cgm`.
  func sensorProfile() -> SensorChoice? {
    let field = root["cgm"]
    field.allowOnly([
      "model", "interval", "lag", "range", "rounding", "noise", "bias", "warmUp", "life",
      "startedAt", "site", "trace",
    ])
    guard
      let model = field["model"].exists
        ? field["model"].choice(of: Vocabulary.sensorModels) : "ideal"
    else { return nil }
    var profile = SensorProfile.named(model) ?? .ideal
    switch model {
    case "ar1":
      profile = .generic
      profile.error = autoregressiveError(field["noise"])
    case "gaussian":
      profile.error = .white(
        standardDeviation: field["noise"]["sd"].number() ?? 5)
      field["noise"].allowOnly(["sd"])
    default:
      if field["noise"].exists {
        field["noise"].warning(
          code: "W-NOEFFECT", "\"cgm.noise\" has no effect: the model \(model) has its own noise.")
      }
    }
    if model == "trace" { return recordedSensor(field) }
    apply(field, to: &profile)
    let beginning = root.context.start - root.context.preRoll
    let insertion =
      field["startedAt"].exists
      ? (field["startedAt"].time() ?? beginning) : beginning - profile.warmUp
    let site: SensorSite =
      field["site"].choice(SensorSite.self)
      ?? (profile.lag == .zero && model != "ideal" ? .interstitium : .plasma)
    return SensorChoice(profile: profile, insertion: insertion, site: site)
  }

  /// A sensor that shows what was recorded, from the beginning of the run on.
  private func recordedSensor(_ field: Field) -> SensorChoice {
    var profile = SensorProfile.ideal
    profile.id = "trace"
    profile.name = "Recorded readings"
    let start = root.context.start
    // The reading at the very start belongs to the past in Loop's own files.
    let past = root["history"]["glucose"]
    let first = past["flat"].exists ? [] : readings(past).filter { $0.instant == start }
    let points = (readings(field.required("trace")) + first).map {
      GlucoseRecording.Point(instant: $0.instant, glucose: $0.glucose)
    }
    let inside = points.count { $0.instant <= root.context.end }
    if inside < points.count {
      field["trace"].warning(
        code: "W-NOEFFECT", "\(points.count - inside) readings lie behind the end of the run.")
    }
    return SensorChoice(
      profile: profile, insertion: start - root.context.preRoll - .days(3), site: .plasma,
      recording: GlucoseRecording(points))
  }

  private func apply(_ field: Field, to profile: inout SensorProfile) {
    if let period = field["interval"].duration() {
      profile.period = period
    }
    if let lag = field["lag"].duration() { profile.lag = lag }
    if let warmUp = field["warmUp"].duration() { profile.warmUp = warmUp }
    if let life = field["life"].duration() { profile.wear = life }
    if let rounding = field["rounding"].number() { profile.resolution = rounding }
    let bias = field["bias"]
    bias.allowOnly(["gain", "offset"])
    if let gain = bias["gain"].number() { profile.gain = gain }
    if let offset = bias["offset"].glucoseChange() { profile.offset = offset.mgdL }
    if field["range"].exists, let range = field["range"].glucoseRange(), range.lower < range.upper {
      profile.minimum = range.lower
      profile.maximum = range.upper
    }
  }

  /// AR(1) noise: neighbours five minutes apart correlate with `phi`.
  private func autoregressiveError(_ field: Field) -> SensorErrorModel {
    field.allowOnly(["sd", "phi"])
    let deviation = field["sd"].number() ?? 8
    let phi = field.standard("phi") { $0.number() }
    guard phi > 0 else { return .white(standardDeviation: deviation) }
    let minutes = -5 / PortableMath.log(phi)
    return .autoregressive(
      standardDeviation: deviation,
      correlationTime: .milliseconds(Int64((minutes * 60_000).rounded())))
  }

  // MARK: - App and health store

  /// Checks the keys of the blocks `app` and `healthStore`.
  func checkApp() {
    let app = root["app"]
    app.allowOnly([
      "algorithm", "dosing", "closedLoop", "integralRC", "scheduleZone", "readCarbsFromHealth",
      "applicationFactor", "midAbsorptionISF", "maxActiveInsulin", "positiveMomentumAndRC",
    ])
    _ = app["algorithm"].choice(of: LoopVersion.words)
    root["healthStore"].allowOnly([
      "authorized", "writeBasalSegments", "rereportDeleted", "reportWrite", "reportOnReissue",
      "splitLongSegments", "vendorApp",
    ])
  }

  /// Which Loop the app is.
  var loopVersion: LoopVersion {
    root["app"].standard("algorithm") { $0.choice(of: LoopVersion.words).flatMap(LoopVersion.init) }
  }

  /// Reads the blocks `app` and `healthStore`.
  func appConfiguration(
    therapy: TherapySettings, pump: PumpChoice, clock: WallClock
  ) -> LoopAppConfiguration {
    let app = root["app"]
    var configuration = LoopAppConfiguration(
      therapy: therapy, pump: pump.profile, clock: clock,
      scheduleZone: app.standard("scheduleZone") { $0.choice(ScheduleZone.self) },
      identitySeed: seed)
    // The result lists every record of the run, however long the run is.
    let context = root.context
    configuration.retention = max(.days(7), context.duration + context.preRoll + .days(4))
    configuration.insulinDataSource = pump.dataSource
    configuration.readsForeignCarbs = app.standard("readCarbsFromHealth") { $0.bool() }
    let store = root["healthStore"]
    configuration.reporting.reportsBasal = store.standard("writeBasalSegments") { $0.bool() }
    configuration.rereportsDeleted = store.standard("rereportDeleted") { $0.bool() }
    configuration.reporting.write = store.standard("reportWrite") { $0.choice() }
    configuration.reporting.reportsOnReissue = store.standard("reportOnReissue") { $0.bool() }
    configuration.reporting.splitsLongSegments = store.standard("splitLongSegments") { $0.bool() }
    if store["vendorApp"].choice(of: ["none", "dexcom"]) == "dexcom" {
      configuration.sensor = .dexcomApp
    }
    configuration.generation = loopVersion.generation
    return configuration
  }

  /// What the person does not allow at the start: everything that the scenario's list leaves out.
  func refusedPermissions() -> [ScenarioEvent] {
    let listed = root["healthStore"]["authorized"]
    guard listed.exists, let items = listed.items() else { return [] }
    let granted = items.compactMap { $0.choice(HealthStoreAccess.Data.self) }
    let refused = HealthStoreAccess.Data.allCases.filter { !granted.contains($0) }
    guard !refused.isEmpty else { return [] }
    return [
      ScenarioEvent(
        at: root.context.start - root.context.preRoll,
        .authorize(
          HealthStoreAccess(data: refused, directions: [.read, .write], isGranted: false)))
    ]
  }
}
