internal import ClosedLoop
internal import Dosing
internal import Physiology
internal import Quantities

/// What people do with the body, and with what they have entered in the app.
extension World {
  // MARK: - The body

  /// Somebody eats, whatever is entered of it.
  mutating func eat(_ meal: MealInput, _ name: String) {
    assert(meal.grams >= 0, "Nobody eats less than nothing.")
    delivery.body.eat(meal)
    row.carbsEaten = row.carbsEaten + CarbohydrateMass(grams: meal.grams)
    note(.meal, name, "\(whole(meal.grams)) g of carbohydrate are eaten.")
  }

  /// Insulin from a pen, a syringe or an inhaler.
  mutating func inject(_ units: Double, _ formulation: InsulinFormulation, _ name: String) {
    assert(units >= 0, "Nobody injects less than nothing.")
    let model = InsulinType(rawValue: formulation.id)?.model(
      rapidActing: phone.therapy.rapidActingModel)
    delivery.body.inject(units, formulation, name: name, model: model, at: now)
    let verb = formulation.routes == [.inhaler] ? "inhaled" : "injected"
    note(.injection, name, "\(unitsText(units)) U are \(verb).")
  }

  /// The body meets a condition, such as exercise.
  mutating func apply(_ condition: BodyCondition, _ name: String) {
    let isKnown = delivery.body.apply(condition)
    note(
      isKnown ? .exercise : .warning, name,
      isKnown
        ? "The body meets: \(name)."
        : "The patient model does not know \(name); nothing changes.")
  }

  // MARK: - Carbohydrate entries

  /// A person changes an entry in the app.
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

  /// A person deletes an entry in the app.
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
}
