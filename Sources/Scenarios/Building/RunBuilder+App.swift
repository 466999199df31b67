internal import ClosedLoop
internal import Dosing
internal import Quantities
internal import ScenarioLanguage
internal import Simulation
internal import StructuredText

/// The block `app`.
struct AppBlock: Sendable {
  /// What stands under the key `app`: an object, or that there is none.
  static let shape = Shape.either([
    .object(block.all), Form.words([(Field.noApp, true)]).shape,
  ])

  /// Which Loop the app is.
  var version = LoopVersion.published
  var settings = SettingsChange()
  var isClosedLoop = true
  var scheduleZone = ScheduleZone.fixedOffset
  var readsForeignCarbs = false

  static let block = Block<Self> {
    $0.set(
      \.version, "algorithm", .words(LoopVersion.words), default: "'loop-algorithm'",
      LoopVersion.meaning)
    $0.include(TherapyBlock.appSettings, at: \.settings)
    $0.set(\.isClosedLoop, "closedLoop", .bool, default: "true", "Whether the app doses by itself.")
    $0.keys.refuse(
      "carbAbsorption",
      .words(["linear", "parabolic", "piecewiseLinear"].map { ($0, $0) }), "'piecewiseLinear'",
      "The app's model of carbohydrate absorption.",
      because: "Loop knows only 'piecewiseLinear' since version 2; remove the key for that.")
    $0.set(
      \.scheduleZone, "scheduleZone", .choice(), default: "'fixedOffset'",
      "Which clock saved schedules follow when the phone's zone changes.")
    $0.set(
      \.readsForeignCarbs, "readCarbsFromHealth", .bool, default: "false",
      "Whether other apps' carbs are read.")
    for (key, what) in [("readsForeignGlucose", "glucose"), ("readsForeignInsulin", "insulin")] {
      $0.keys.refuse(
        key, .bool, "true", "Whether other apps' \(what) is read.",
        because: "The app always reads it where it may; healthStore.authorized says what it may.")
    }
    _ = $0.keys.optional(
      "manualBolusAccept", BolusAcceptance.form, else: "every one is taken",
      "How the user takes the recommended boluses of `events`.")
  }
}

/// The block `healthStore`.
struct HealthStoreBlock: Sendable {
  var authorized = HealthStoreAccess.Data.allCases
  var reporting = ReportingPolicy()
  var rereportsDeleted = true
  /// Whether the sensor maker's app writes glucose too.
  var hasVendorApp = false

  static let block = Block<Self> {
    $0.set(
      \.authorized, "authorized", .list(.choice()), default: "['glucose', 'carbs', 'insulin']",
      "What the app may read and write.")
    $0.set(
      \.reporting.reportsBasal, "writeBasalSegments", .bool, default: "true",
      "Whether the app reports basal delivery to the store.")
    $0.set(
      \.rereportsDeleted, "rereportDeleted", .bool, default: "true",
      "Whether a dose deleted in the health store only is written again.")
    $0.set(
      \.reporting.write, "reportWrite", .choice(), default: "'nextCycle'",
      "When a finished basal segment is written.")
    $0.set(
      \.reporting.reportsOnReissue, "reportOnReissue", .bool, default: "false",
      "Whether a temp basal that is issued again ends a segment.")
    $0.set(
      \.reporting.splitsLongSegments, "splitLongSegments", .bool, default: "true",
      "Whether long segments are written in parts.")
    $0.set(
      \.hasVendorApp, "vendorApp", .words([("none", false), ("dexcom", true)]), default: "'none'",
      "The sensor maker's app, which writes glucose too, late.")
  }
}

extension RunBuilder {
  /// Reads the block `app`.
  func app() -> AppBlock {
    guard root.hasApp else {
      var none = AppBlock()
      none.settings.usesMidAbsorptionISF = none.version.usesMidAbsorptionISF
      return none
    }
    let field = root["app"]
    var app = AppBlock.block.value(AppBlock(), of: field)
    if field["applicationFactor"].exists, app.settings.strategy == .tempBasal {
      field["applicationFactor"].warning(
        code: "W-NOEFFECT",
        "applicationFactor has no effect with dosing: 'tempBasal'; only automatic boluses use it.")
    }
    if app.settings.usesMidAbsorptionISF == true, app.version == .released {
      field["midAbsorptionISF"].warning(
        code: "W-LIMITS", "The released Loop 3 has no mid-absorption ISF; this run has.")
    }
    app.settings.usesMidAbsorptionISF =
      app.settings.usesMidAbsorptionISF ?? app.version.usesMidAbsorptionISF
    return app
  }

  /// The app of the run as it is installed.
  func appConfiguration(
    _ app: AppBlock, _ store: HealthStoreBlock, therapy: TherapySettings, pump: PumpChoice,
    clock: WallClock
  ) -> LoopAppConfiguration {
    var configuration = LoopAppConfiguration(
      therapy: therapy, pump: pump.profile, clock: clock, scheduleZone: app.scheduleZone,
      generation: app.version.generation, reporting: store.reporting,
      rereportsDeleted: store.rereportsDeleted, readsForeignCarbs: app.readsForeignCarbs,
      identitySeed: seed)
    // The result lists every record of the run, however long the run is.
    let context = root.context
    configuration.retention = max(.days(7), context.duration + context.preRoll + .days(4))
    configuration.insulinDataSource = pump.dataSource
    if store.hasVendorApp { configuration.sensor = .dexcomApp }
    return configuration
  }

  /// What the person does not allow at the start: everything that the scenario's list leaves out.
  func refusedPermissions(_ store: HealthStoreBlock) -> [ScenarioEvent] {
    let refused = HealthStoreAccess.Data.allCases.filter { !store.authorized.contains($0) }
    guard !refused.isEmpty else { return [] }
    return [
      ScenarioEvent(
        at: root.context.start - root.context.preRoll,
        .authorize(
          HealthStoreAccess(data: refused, directions: [.read, .write], isGranted: false)))
    ]
  }
}
