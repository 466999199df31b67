internal import ClosedLoop
internal import Quantities
internal import ScenarioLanguage
internal import Simulation
internal import StructuredText

/// The block `app`.
struct AppBlock: Sendable {
  /// What stands under the key `app`: an object, or that there is none.
  static let shape = Shape.either([
    .object(block), Form.words([(Field.noApp, true)]).shape,
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
      "Which clock the app's schedules follow when the phone's zone changes: that of the pump, as "
        + "it was last set, or the phone's.")
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

  /// Reads the block of a scenario; one without an app has what holds by default.
  static func reading(_ root: Field) -> Self {
    var app = root.hasApp ? stated(root["app"], of: root) : Self()
    app.settings.usesMidAbsorptionISF =
      app.settings.usesMidAbsorptionISF ?? app.version.usesMidAbsorptionISF
    return app
  }

  /// The block as it stands, with warnings of what has no effect in it.
  private static func stated(_ field: Field, of root: Field) -> Self {
    let app = block.value(Self(), of: field)
    if app.settings.strategy == .tempBasal { root.warnOfApplicationFactor(field) }
    if app.settings.usesMidAbsorptionISF == true, app.version == .released {
      field["midAbsorptionISF"].warning(
        code: PlanWarnings.ofRun,
        "The released Loop 3 has no mid-absorption ISF; this run has.")
    }
    return app
  }

  /// The app as it is installed.
  ///
  /// - Parameters:
  ///   - records: What it may do in the health store.
  ///   - therapy: What it is set to.
  ///   - pump: The pump that it commands.
  ///   - clock: The phone's clock.
  ///   - context: When the run is, and how long.
  ///   - seed: Chooses the identities of the samples that it writes.
  /// - Returns: Its configuration.
  func configuration(
    _ records: HealthStoreBlock, therapy: TherapySettings, pump: PumpChoice, clock: WallClock,
    in context: ReadingContext, seed: UInt64
  ) -> LoopAppConfiguration {
    var configuration = LoopAppConfiguration(
      therapy: therapy, pump: pump.profile, clock: clock, scheduleZone: scheduleZone,
      generation: version.generation, reporting: records.reporting,
      rereportsDeleted: records.rereportsDeleted, readsForeignCarbs: readsForeignCarbs,
      identitySeed: seed)
    // The result lists every record of the run, however long the run is.
    configuration.retention = max(.days(7), context.duration + context.preRoll + .days(4))
    configuration.insulinDataSource = pump.dataSource
    if records.hasVendorApp { configuration.sensor = .dexcomApp }
    return configuration
  }
}
