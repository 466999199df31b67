public import Devices
public import Dosing
public import HealthStore
public import Quantities

/// What a person does in the app.
extension LoopApp {
  // MARK: - Carbohydrates

  /// Enters carbohydrates; the pre-meal range ends with it.
  ///
  /// - Returns: The identifier of the entry.
  @discardableResult
  public mutating func enterCarbs(_ entry: CarbStore.Entry, at now: Instant)
    throws(CarbStore.Refusal) -> SyncIdentifier
  {
    let row = try carbs.add(entry, provenance: configuration.bundleIdentifier, at: now)
    therapies.endPreMeal(at: now)
    return row.syncIdentifier
  }

  /// Changes carbohydrates that were entered in the app.
  public mutating func editCarbs(
    _ syncIdentifier: SyncIdentifier, to entry: CarbStore.Entry, at now: Instant
  ) throws(CarbStore.Refusal) {
    _ = try carbs.edit(syncIdentifier, to: entry, at: now)
  }

  /// Deletes carbohydrates that were entered in the app.
  public mutating func deleteCarbs(_ syncIdentifier: SyncIdentifier, at now: Instant)
    throws(CarbStore.Refusal)
  {
    _ = try carbs.delete(syncIdentifier, at: now)
  }

  // MARK: - Glucose

  /// Stores a glucose value that a person types in the bolus screen.
  ///
  /// It is the app's own value, marked as entered by the user, and counts like one of the sensor.
  ///
  /// - Returns: The identifier of the value; `nil` when it is not one that may be typed in.
  @discardableResult
  public mutating func enterGlucose(_ value: GlucoseConcentration, at now: Instant)
    -> SyncIdentifier?
  {
    guard KnownGlucose.canEnter(value) else { return nil }
    let identifier = SyncIdentifier(health.newIdentity(at: now))
    glucose.enter(value, as: identifier, at: now)
    return identifier
  }

  // MARK: - Insulin

  /// Logs insulin that was not given by the pump, such as an injection.
  ///
  /// It goes into the insulin delivery store and the health store, never into the event history.
  ///
  /// A dose that is not above 0 U and at most 30 U, or lies in the future, is not taken.
  ///
  /// - Returns: The identifier of the dose, or nothing when it was not taken.
  @discardableResult
  public mutating func logDose(
    units: Double, insulin type: InsulinType, date: Instant, at now: Instant
  ) -> SyncIdentifier? {
    guard InsulinRecords.canLog(units, at: date, now: now) else { return nil }
    let identifier = SyncIdentifier(health.newIdentity(at: now))
    insulin.log(units, of: type, at: date, as: identifier, now: now)
    return identifier
  }

  // MARK: - Presets and settings

  /// Starts a preset in place of the one that holds.
  public mutating func start(_ override: TherapyOverride) { therapies.start(override) }

  /// Ends the preset that holds.
  public mutating func endOverride(at now: Instant) { therapies.endPreset(at: now) }

  /// Saves other settings.
  ///
  /// Another basal schedule is a command to the pump and holds once the pump has acknowledged it. A
  /// temp basal above a lowered maximum is cancelled first, and so is an automatic one when
  /// automatic dosing is switched off.
  ///
  /// - Returns: Commands to send, in this order.
  public mutating func change(to therapy: TherapySettings, at now: Instant) -> [PumpCommand] {
    let old = self.therapy
    therapies.save(therapy, from: now)
    var commands: [PumpCommand] = []
    if pump.mustCancelTempBasal(for: therapy, after: old, at: now) {
      commands.append(.cancelTempBasal)
    }
    if old.isClosedLoop, !therapy.isClosedLoop { therapies.endPreMeal(at: now) }
    if therapy.basal != old.basal { commands.append(.replaceSchedule(therapy.basal)) }
    return commands
  }

  /// Compares the unit the CGM shows with the one set in the health store.
  ///
  /// Dosing always computes in mg/dL; a difference only confuses people, and is a warning.
  public mutating func noteDisplayUnits(sensor: String, store: String) {
    if sensor != store { warned.note(.displayUnitDiffers(sensor: sensor, store: store)) }
  }
}
