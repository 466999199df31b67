internal import ClosedLoop
internal import Devices
internal import Dosing
internal import Physiology
internal import Quantities

/// What people do with the body, the app's entries and the devices.
extension World {
  // MARK: - The body

  mutating func eat(_ meal: MealInput, _ name: String) {
    assert(meal.grams >= 0, "Nobody eats less than nothing.")
    delivery.body.eat(meal)
    row.carbsEaten = row.carbsEaten + CarbohydrateMass(grams: meal.grams)
    note(.meal, name, "\(whole(meal.grams)) g of carbohydrate are eaten.")
  }

  mutating func inject(_ units: Double, _ formulation: InsulinFormulation, _ name: String) {
    assert(units >= 0, "Nobody injects less than nothing.")
    let model = InsulinType(rawValue: formulation.id)?.model(
      rapidActing: phone.therapy.rapidActingModel)
    delivery.body.inject(units, formulation, name: name, model: model, at: now)
    let verb = formulation.routes == [.inhaler] ? "inhaled" : "injected"
    note(.injection, name, "\(unitsText(units)) U are \(verb).")
  }

  mutating func apply(_ condition: BodyCondition, _ name: String) {
    let isKnown = delivery.body.apply(condition)
    note(
      isKnown ? .exercise : .warning, name,
      isKnown
        ? "The body meets: \(name)."
        : "The patient model does not know \(name); nothing changes.")
  }

  // MARK: - Carbohydrate entries

  mutating func enterCarbs(_ request: CarbEntryRequest) {
    let entry = CarbStore.Entry(
      date: request.eatenAt, mass: CarbohydrateMass(grams: request.grams),
      absorptionTime: request.absorption)
    do throws(CarbStore.Refusal) {
      let identifier = try phone.enterCarbs(entry, at: now)
      names.note(request.name, entered: entry, as: identifier)
      row.carbsEntered = row.carbsEntered + entry.mass
      note(.carbEntry, request.name, "\(whole(request.grams)) g are entered in the app.")
    } catch {
      note(.warning, request.name, "The carbs were not taken: \(error)")
    }
  }

  mutating func editCarbs(
    _ name: String, grams: Double?, absorption: TimeSpan?, eatenAt: Instant?
  ) {
    guard var named = names.carbEntry(name) else {
      note(.warning, name, "There is no carb entry \(name) to edit.")
      return
    }
    if let grams { named.entry.mass = CarbohydrateMass(grams: grams) }
    if let absorption { named.entry.absorptionTime = absorption }
    if let eatenAt { named.entry.date = eatenAt }
    do throws(CarbStore.Refusal) {
      try phone.editCarbs(named.identifier, to: named.entry, at: now)
      names.change(named)
      note(.carbEntry, name, "The carb entry is changed to \(whole(named.entry.mass.grams)) g.")
    } catch {
      note(.warning, name, "The carb entry was not changed: \(error)")
    }
  }

  mutating func deleteCarbs(_ name: String) {
    guard let named = names.carbEntry(name) else {
      note(.warning, name, "There is no carb entry \(name) to delete.")
      return
    }
    do throws(CarbStore.Refusal) {
      try phone.deleteCarbs(named.identifier, at: now)
      names.removeCarbEntries { $0.identifier == named.identifier }
      note(.carbEntry, name, "The carb entry is deleted in the app.")
    } catch {
      note(.warning, name, "The carb entry was not deleted: \(error)")
    }
  }

  // MARK: - Devices

  mutating func perform(_ service: PumpService) {
    if case .setTime = service {
      setPumpClock()
    } else {
      delivery.perform(service, at: now, noting: &trace)
    }
    ingestPump()
  }

  mutating func perform(_ service: SensorService) {
    switch service {
    case .replace:
      sensor.replace(at: now)
      note(.cgm, "replace", "A new sensor is put in.")
    case .stop:
      sensor.begin(.fail, id: "stopped", at: now)
      note(.cgm, "stop", "The sensor is stopped.")
    case .calibrate(let meter):
      let isTaken = sensor.calibrate(with: meter, at: now)
      let words = glucoseUnit.words(meter)
      note(
        isTaken ? .cgm : .warning, "calibrate",
        isTaken
          ? "The sensor is calibrated with \(words)."
          : "The sensor did not take the calibration with \(words): it has come to its "
            + "end, or has not measured yet.")
    }
  }
}
